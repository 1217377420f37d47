/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-function-index.h"

G_BEGIN_DECLS

/* A definition in one file. Texts are offsets, 0 is none. */
typedef struct
{
  guint32 name, scope, signature;
  guint32 line, end;
  guint32 flags; /* CsFunctionFlags */
} CsScanEntry;

/* What a scan found in one file. */
typedef struct
{
  gatomicrefcount references;
  GArray *entries; /* (element-type CsScanEntry), by line once it is finished */
  GArray *classes; /* (element-type CsScanEntry): classes with a body, found by the built-in scan; not kept in the cache */
  GString *texts;  /* begins with a NUL */
  gboolean doubtful; /* the file's braces don't agree: scopes and ends may be wrong */
  gboolean fell_back; /* ctags failed with it */
  gboolean unread;    /* it couldn't be read */
} CsScanFile;

CsScanFile *cs_scan_file_new (void);
CsScanFile *cs_scan_file_ref (CsScanFile *self);
void cs_scan_file_clear (CsScanFile *self);
void cs_scan_file_free (CsScanFile *self);
void cs_scan_file_add (CsScanFile *self, const CsSourceFunction *function);
void cs_scan_file_add_class (CsScanFile *self, const CsSourceFunction *named);
void cs_scan_file_finish (CsScanFile *self);
void cs_scan_file_list (const CsScanFile *self, guint file, CsSourceFunction *functions);
void cs_scan_file_reconcile (CsScanFile *self, const CsScanFile *built_in);
char *cs_scan_read_file (const char *path, gsize *length, GError **error);
gboolean cs_scan_looks_like_cplusplus (const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsScanFile, cs_scan_file_free)

G_END_DECLS
