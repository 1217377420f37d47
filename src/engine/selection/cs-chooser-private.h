/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-chooser.h"

G_BEGIN_DECLS

/* Files and folders as they were listed at one moment. They never change. */
typedef struct
{
  gatomicrefcount references;
  char *root;
  GPtrArray *files;         /* (element-type CsSourceFile) */
  CsChooserFolder *folders;
  guint n_folders;
  guint32 *own_files;       /* folder by folder */
  guint32 *file_folders;    /* by file */
  GStringChunk *texts;      /* the folders' */
} ChooserSources;

/* Functions of files, while not all are known. */
typedef struct
{
  GPtrArray *batches;         /* (element-type CsFoundFunctions) */
  const CsFoundFile **files;  /* by file; NULL: not scanned yet */
  guint32 *folder_functions;  /* by folder: of all files below */
  guint32 *folder_scanned;
} ChooserPartial;

/* What one text chooses of one list of files and functions. It never changes. */
typedef struct
{
  gatomicrefcount references;
  ChooserSources *sources;
  CsSelection *selection;
  guint32 *file_chosen;       /* by file: functions; NULL without an index */
  CsChooserCounts *folders;   /* by folder */
  guint8 *actions;            /* by function: CsFunctionAction; NULL without an index */
  GPtrArray *overmatch;       /* (element-type utf8), NULL at the end */
} ChooserChoice;

typedef enum
{
  CHOOSER_EDIT_FILES,
  CHOOSER_EDIT_FUNCTIONS,
  CHOOSER_EDIT_TICKS, /* functions on or off, of which those that are so already stay as they are */
} ChooserEditKind;

/* A tick that waits for its turn: a box with counted references. */
typedef struct
{
  ChooserEditKind kind;
  ChooserSources *sources;   /* those that the numbers are of */
  CsFunctionIndex *index;    /* (nullable) */
  guint32 *numbers;
  gsize n;
  CsFunctionAction action;
  int depth;
} ChooserEdit;

typedef enum
{
  CHOOSER_WAITER_SUBTREE,
  CHOOSER_WAITER_SAVED,
} ChooserWaiterKind;

/* What somebody asked for, and waits for functions or calls. */
typedef struct
{
  ChooserWaiterKind kind;
  GTask *task;
  char *name;
  int depth;
  gboolean needs_graph;
} ChooserWaiter;

/* What threads have of a chooser: it is looked at in the chooser's main context alone. */
typedef struct
{
  CsChooser *chooser; /* (nullable): NULL: it is closed */
} ChooserLink;

struct _CsChooser
{
  GObject parent_instance;

  ChooserLink *link;           /* box with counted references */

  char *folder, *config_path, *config_name;
  CsScanOptions options;
  char *ctags, *cache_folder;  /* of the options */
  GMainContext *context;
  GCancellable *cancellable;   /* of all that goes on */
  gboolean is_closed, is_loaded;

  /* Sources */
  CsChooserState state;
  char *error;
  double progress;
  CsSourceTree *tree;          /* (nullable) */
  ChooserSources *sources;     /* (nullable) */
  ChooserPartial *partial;     /* (nullable): while files are scanned first */
  CsFunctionIndex *index;      /* (nullable): of the sources */
  ChooserSources *next_sources; /* (nullable): what takes their place once it is known what is chosen of it */
  CsFunctionIndex *next_index;
  CsCallGraph *graph;          /* (nullable): of the index, or of the next one */
  CsFunctionIndex *graph_index; /* (nullable): which graph is, or is being made */
  char **tree_warnings;        /* (nullable) */
  gboolean is_reading;         /* folders or files are read in a thread */
  gboolean is_stale;           /* and they must be read again */

  /* Text */
  char *text;
  char *file_text;             /* (nullable): what the file held when it was loaded or saved; NULL: there was none */
  char *base_text;             /* (nullable): what the text is when nothing was changed */
  char *outside_text;          /* (nullable): what the file holds that was changed outside */
  gboolean is_text_loaded;
  char *load_error;            /* (nullable): why the file can't be used; nothing is edited then */
  char *text_error;            /* (nullable) */
  guint text_error_line;
  gboolean is_dirty, is_changed_outside;
  GQueue undo, redo;           /* (element-type utf8): texts, the nearest at the head */
  gsize undo_size;             /* bytes of both */
  gsize typed_at;              /* where what was typed last ends; G_MAXSIZE: nothing was */
  gint64 typed_time;           /* monotonic µs */
  gboolean typed_insert;
  guint n_saved;               /* how often the text was written to the file */
  GFileMonitor *monitor;
  guint check_source;

  /* Choice */
  ChooserChoice *choice;       /* (nullable) */
  char *good_text;             /* (nullable): the last text that could be used */
  guint64 version;             /* of text, sources, index and graph */
  guint64 chosen_version;      /* for which it was chosen last, or tried to */
  gboolean is_working;         /* a thread chooses or edits */
  gboolean waits_for_functions, waits_for_graph; /* the text can't be used before these are there */
  gboolean was_choosing, was_editing;
  GQueue edits;                /* (element-type ChooserEdit) */
  GPtrArray *waiters;          /* (element-type ChooserWaiter) */
};

typedef enum
{
  CHOOSER_PROP_0,
  CHOOSER_PROP_STATE,
  CHOOSER_PROP_ERROR,
  CHOOSER_PROP_PROGRESS,
  CHOOSER_PROP_SCANNER,
  CHOOSER_PROP_TEXT,
  CHOOSER_PROP_TEXT_ERROR,
  CHOOSER_PROP_DIRTY,
  CHOOSER_PROP_CHANGED_OUTSIDE,
  CHOOSER_PROP_CAN_UNDO,
  CHOOSER_PROP_CAN_REDO,
  CHOOSER_PROP_CHOOSING,
  CHOOSER_PROP_EDITING,
  CHOOSER_N_PROPERTIES
} ChooserProperty;

/* cs-chooser.c */
void chooser_notify (CsChooser *self, ChooserProperty property);
void chooser_emit_files_changed (CsChooser *self);
void chooser_emit_functions_changed (CsChooser *self, const guint32 *files, guint n_files);
void chooser_emit_selection_changed (CsChooser *self);
void chooser_tell (CsChooser *self, const char *sentence);
void chooser_free_later (gpointer data, GDestroyNotify destroy);
GTask *chooser_task_new (CsChooser *self, GAsyncReadyCallback callback);
CsChooser *chooser_take_link (gpointer link);

/* cs-chooser-sources.c */
ChooserSources *chooser_sources_ref (ChooserSources *self);
void chooser_sources_unref (ChooserSources *self);
guint chooser_sources_find (const ChooserSources *self, const char *path);
void chooser_partial_free (ChooserPartial *self);
void chooser_read_sources (CsChooser *self);
void chooser_list_again (CsChooser *self);
void chooser_adopt_next (CsChooser *self);
void chooser_close_sources (CsChooser *self);

/* cs-chooser-choice.c */
ChooserChoice *chooser_choice_new (ChooserSources *sources, CsSelection *selection);
ChooserChoice *chooser_choice_ref (ChooserChoice *self);
void chooser_choice_unref (ChooserChoice *self);

/* cs-chooser-work.c */
gboolean chooser_is_choosing (CsChooser *self);
void chooser_pump (CsChooser *self);
void chooser_add_edit (CsChooser *self, ChooserEditKind kind, const guint32 *numbers, gsize n, CsFunctionAction action,
                       int depth);
CsCallGraph *chooser_get_graph (CsChooser *self, CsFunctionIndex *index);
void chooser_need_graph (CsChooser *self);
void chooser_close_work (CsChooser *self);

/* cs-chooser-waiters.c */
void chooser_serve (CsChooser *self);
void chooser_close_waiters (CsChooser *self);

/* cs-chooser-text.c */
void chooser_load_text (CsChooser *self);
void chooser_take_text (CsChooser *self, char *text);
void chooser_set_text_error (CsChooser *self, const char *message);
void chooser_close_text (CsChooser *self);

/* cs-chooser-steps.c */
void chooser_set_text_step (CsChooser *self, const char *text);
void chooser_clear_steps (CsChooser *self);

G_END_DECLS
