/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-config-edit.h"
#include "selection/cs-subtree.h"

G_BEGIN_DECLS

#define CS_CHOOSER_ERROR (cs_chooser_error_quark ())

typedef enum
{
  CS_CHOOSER_ERROR_OUTSIDE, /* the file isn't any more what was loaded: reload it or keep what is here */
  CS_CHOOSER_ERROR_TEXT,    /* the text can't be used as it is */
  CS_CHOOSER_ERROR_GONE,    /* what was asked for isn't there (any more) */
} CsChooserError;

GQuark cs_chooser_error_quark (void);

typedef enum
{
  CS_CHOOSER_LISTING,  /* the folders are read; no files yet */
  CS_CHOOSER_SCANNING, /* the files are there; functions come file by file */
  CS_CHOOSER_READY,    /* all functions are there */
  CS_CHOOSER_FAILED,   /* no sources can be listed; CsChooser:error says why */
} CsChooserState;

#define CS_CHOOSER_ROOT 0             /* the number of the folder that everything is in */
#define CS_CHOOSER_NONE G_MAXUINT32   /* no folder, file or function */

/* A folder that has sources below it. Folders are numbered so that those in one folder follow each other. */
typedef struct
{
  const char *path;      /* relative to the root, without "/" at its end; "" is the root */
  const char *name;      /* the last part of it; "" of the root */
  guint32 parent;        /* folder; CS_CHOOSER_NONE of the root */
  guint32 first_folder, n_folders; /* the folders right in it, by name */
  guint32 first_file, n_files;     /* all files below it: they follow each other */
  guint32 first_own, n_own;        /* the files right in it: places in cs_chooser_get_own_files() */
} CsChooserFolder;

/* How much is chosen of a file, or of all that is below a folder. */
typedef struct
{
  guint32 files;            /* 1 of a file */
  guint32 files_scanned;    /* of which the functions are known */
  guint32 files_chosen;     /* wholly or partly */
  guint32 functions;        /* that are known so far */
  guint32 functions_chosen; /* 0 as long as is_known is FALSE */
  CsFileChoice choice;      /* the box: off, in between, on */
  gboolean is_known;        /* there is a selection that says so; without one nothing is chosen yet */
} CsChooserCounts;

/* A project's sources, its trace.config while it is edited, and what that chooses. */
#define CS_TYPE_CHOOSER (cs_chooser_get_type ())
G_DECLARE_FINAL_TYPE (CsChooser, cs_chooser, CS, CHOOSER, GObject)

CsChooser *cs_chooser_new (const char *folder, const char *config_path);
CsChooser *cs_chooser_new_with_options (const char *folder, const char *config_path, const CsScanOptions *options);
void cs_chooser_load (CsChooser *self);
void cs_chooser_close (CsChooser *self);

/* What is going on */
CsChooserState cs_chooser_get_state (CsChooser *self);
const char *cs_chooser_get_error (CsChooser *self);
double cs_chooser_get_progress (CsChooser *self);
const char *cs_chooser_get_scanner (CsChooser *self);
const char *cs_chooser_get_folder_path (CsChooser *self);
const char *cs_chooser_get_config_path (CsChooser *self);
char **cs_chooser_dup_warnings (CsChooser *self);

/* Files, folders, functions */
guint cs_chooser_get_n_files (CsChooser *self);
const CsSourceFile *cs_chooser_get_file (CsChooser *self, guint file);
guint cs_chooser_find_file (CsChooser *self, const char *path);
guint cs_chooser_get_file_folder (CsChooser *self, guint file);
guint cs_chooser_get_n_folders (CsChooser *self);
const CsChooserFolder *cs_chooser_get_folder (CsChooser *self, guint folder);
const guint32 *cs_chooser_get_own_files (CsChooser *self, guint folder, guint *count);
const CsSourceFunction *cs_chooser_get_functions (CsChooser *self, guint file, guint *count);
CsFunctionIndex *cs_chooser_get_index (CsChooser *self);
guint32 cs_chooser_get_function_number (CsChooser *self, guint file, guint nth);

/* What is chosen */
CsSelection *cs_chooser_get_selection (CsChooser *self);
gboolean cs_chooser_get_choosing (CsChooser *self);
const CsSelectionCounts *cs_chooser_get_counts (CsChooser *self);
void cs_chooser_get_file_counts (CsChooser *self, guint file, CsChooserCounts *counts);
void cs_chooser_get_folder_counts (CsChooser *self, guint folder, CsChooserCounts *counts);
gboolean cs_chooser_get_function (CsChooser *self, guint file, guint nth, gboolean *chosen, CsFunctionAction *action,
                                  int *depth);
const char *const *cs_chooser_get_overmatch (CsChooser *self);

/* The text */
const char *cs_chooser_get_text (CsChooser *self);
void cs_chooser_set_text (CsChooser *self, const char *text);
const char *cs_chooser_get_text_error (CsChooser *self);
guint cs_chooser_get_text_error_line (CsChooser *self);
gboolean cs_chooser_get_dirty (CsChooser *self);
gboolean cs_chooser_get_changed_outside (CsChooser *self);
gboolean cs_chooser_get_can_undo (CsChooser *self);
gboolean cs_chooser_get_can_redo (CsChooser *self);
void cs_chooser_undo (CsChooser *self);
void cs_chooser_redo (CsChooser *self);
GPtrArray *cs_chooser_dup_diff (CsChooser *self, guint context);
void cs_chooser_reload (CsChooser *self);
void cs_chooser_keep (CsChooser *self);
void cs_chooser_save_async (CsChooser *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean cs_chooser_save_finish (CsChooser *self, GAsyncResult *result, GError **error);

/* Ticks */
void cs_chooser_set_files (CsChooser *self, const guint32 *files, gsize n_files, gboolean on);
void cs_chooser_set_folder (CsChooser *self, guint folder, gboolean on);
void cs_chooser_set_functions (CsChooser *self, const guint32 *functions, gsize n_functions, CsFunctionAction action,
                               int depth);
void cs_chooser_tick_functions (CsChooser *self, const guint32 *functions, gsize n_functions, gboolean on);
gboolean cs_chooser_get_editing (CsChooser *self);

/* For other purposes */
void cs_chooser_preview_subtree_async (CsChooser *self, const char *name, int depth, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
CsSubtree *cs_chooser_preview_subtree_finish (CsChooser *self, GAsyncResult *result, GError **error);
void cs_chooser_choose_saved_async (CsChooser *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
CsSelection *cs_chooser_choose_saved_finish (CsChooser *self, GAsyncResult *result, GError **error);

G_END_DECLS
