/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_CONVERT_ERROR (cs_convert_error_quark ())

typedef enum
{
  CS_CONVERT_ERROR_FORMAT, /* there is no such format */
  CS_CONVERT_ERROR_TARGET, /* the folder for the copy can't be made, or something is in it */
  CS_CONVERT_ERROR_DONE,   /* all is of that format already */
  CS_CONVERT_ERROR_SOURCE, /* there is nothing to convert, or it can't be read */
  CS_CONVERT_ERROR_WRITE,  /* the copy can't be written */
} CsConvertError;

GQuark cs_convert_error_quark (void);

/* What event files are made of. */
typedef enum
{
  CS_CONVERT_RECORDS, /* version 2, 32 bytes an event */
  CS_CONVERT_PACKED,  /* version 3 */
} CsConvertFormat;

/* What was done. */
typedef struct
{
  guint n_converted; /* event files and tails */
  guint n_copied;    /* files that were copied as they are */
  guint64 n_records; /* of files that were converted */
  guint64 bytes_before, bytes_after; /* of files that were converted */
  char **notices;    /* (array zero-terminated=1): what had to be left out */
} CsConvertResult;

void cs_convert_result_free (CsConvertResult *self);

gboolean cs_convert_format_parse (const char *name, CsConvertFormat *format, GError **error);
char *cs_convert_get_default_target (const char *folder, CsConvertFormat format);
CsConvertResult *cs_convert (const char *folder, CsConvertFormat format, const char *out, guint64 *bytes_done,
                             GCancellable *cancellable, GError **error);
void cs_convert_async (const char *folder, CsConvertFormat format, const char *out, guint64 *bytes_done,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
CsConvertResult *cs_convert_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsConvertResult, cs_convert_result_free)

G_END_DECLS
