/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-flags.h"

G_BEGIN_DECLS

/* A file that the compiler is given. */
typedef struct
{
  const char *given;
  char *path;  /* relative to the root, or to where it is else; absolute where it is far */
  gssize file; /* number in the selection; -1: not in the tree */
  CsFileChoice choice;
} FlagsUnit;

/* What the compiler shall not hook, and how that can be said. */
typedef struct
{
  const char *name;       /* (nullable): of a file, for warnings */
  GPtrArray *candidates;  /* of char *: entries, the preferred first */
  gssize file;            /* -1: none, or not in the tree */
  const char *inside;     /* (nullable): something chosen that contains a candidate */
} FlagsItem;

/* A file that no entry can name, and why. */
typedef struct
{
  char *name, *entry, *inside;
  gssize file;
} FlagsByName;

typedef struct
{
  CsSelection *selection;
  const CsFlagsOptions *options;
  CsFlagsResult *result;
  GPtrArray *warnings;
  char *folder;      /* where the compiler runs */
  GArray *units;     /* of FlagsUnit */
  gboolean bare;     /* a unit is given without a folder, so that what is beside it is found as such */
  GHashTable *numbers; /* path → file's number + 1 */
  GPtrArray *files;  /* of char *: entries of the list of files */
  GPtrArray *functions; /* of char *: entries of the list of functions */
  GPtrArray *by_name;   /* of FlagsByName: files whose functions are to be listed instead */
} FlagsWork;

FlagsItem *cs_flags_add_item (GPtrArray *items, const char *name, gssize file);
void cs_flags_item_free (gpointer item);
void cs_flags_add_outside (FlagsWork *work, GPtrArray *items);
void cs_flags_list_by_name (FlagsWork *work, const char *name, gssize file, const char *entry, const char *inside);
void cs_flags_find_units (FlagsWork *work);
void cs_flags_list_files (FlagsWork *work);
void cs_flags_list_functions (FlagsWork *work);

/* How far a file is reached through "..", by the include directives of the sources. */
typedef struct _CsDotIncludes CsDotIncludes;

CsDotIncludes *cs_dot_includes_new (CsSelection *selection, GHashTable *numbers);
guint cs_dot_includes_get_sure (const CsDotIncludes *self, guint file);
void cs_dot_includes_free (CsDotIncludes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsDotIncludes, cs_dot_includes_free)

G_END_DECLS
