/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* A larger report is refused. */
#define CS_REPORT_FILE_MAX ((goffset) 256 << 20)

/* A number of a row. Times in ms are whole ns. */
typedef struct
{
  guint key; /* index of its name */
  gboolean real;
  gint64 integer; /* never negative */
  double number;  /* the same; if `real`, it alone */
} CsReportValue;

/* One function of a report. Strings belong to the report. */
typedef struct
{
  const char *function;
  const char *file;    /* NULL: not told */
  guint line;          /* 0: not told */
  const char *module;  /* path of the ELF file; NULL: not told */
  guint first_value, n_values;
} CsReportRow;

/* One call path of a folded report. */
typedef struct
{
  const char *path; /* frames with semicolons between them */
  gint64 self;      /* ns */
} CsReportPath;

/* A report that was read back: ours, or one of the reference implementation's, as JSON or folded. */
typedef struct
{
  char *name;         /* of the file */
  gboolean folded;    /* it was a folded one: there are paths, and a row a function that ends one */
  GArray *rows;       /* of CsReportRow */
  GArray *values;     /* of CsReportValue */
  GArray *paths;      /* of CsReportPath, each once, in the order of their bytes */
  GPtrArray *keys;    /* names of values */
  char **notices;     /* what the report says to beware of */
  guint64 n_functions; /* that it is about; it may hold fewer rows */
  char *program;      /* (nullable): path of the program, where there was one only */
  char *mode;         /* (nullable): events or summary */
  gboolean overhead_subtracted;
  GArray *functions;  /* (element-type guint) (nullable): of a profile's: the index of each row's function */

  GHashTable *key_indices; /* name → index + 1 */
  GStringChunk *strings;
} CsReportFile;

CsReportFile *cs_report_file_read (const char *path, GCancellable *cancellable, GError **error);
void cs_report_file_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsReportFile *cs_report_file_read_finish (GAsyncResult *result, GError **error);
CsReportFile *cs_report_file_new_from_profile (CsProfile *profile, const char *name);
CsReportFile *cs_report_file_new_folded_from_profile (CsProfile *profile, const char *name, GCancellable *cancellable,
                                                      GError **error);
void cs_report_file_free (CsReportFile *self);
gboolean cs_report_file_find_key (const CsReportFile *self, const char *name, guint *key);
const CsReportValue *cs_report_file_get_value (const CsReportFile *self, const CsReportRow *row, guint key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsReportFile, cs_report_file_free)

G_END_DECLS
