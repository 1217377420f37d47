/* SPDX-License-Identifier: MIT */
#pragma once

#include "capture/cs-event-file.h"
#include "capture/cs-notices.h"
#include "project/cs-convert.h"

G_BEGIN_DECLS

/* What is known while a recording is converted. */
typedef struct
{
  CsConvertFormat format;
  int target;        /* descriptor of the folder that is being made */
  GPtrArray *files;  /* (element-type CsEventFile): what can be read, sorted */
  GHashTable *headers; /* (element-type CsEventFile guint8): their headers, of those that may be written anew */
  GHashTable *sizes; /* (element-type filename guint64): how many bytes to copy of event files and tails; of what
                        isn't there: none */
  GHashTable *inodes; /* (element-type utf8 utf8): which files there are → the name of the first of each */
  CsNotices *notices;
  CsConvertResult *result;
  guint64 *bytes_done; /* (nullable) */
  GCancellable *cancellable;
} CsConversion;

void cs_conversion_set_size (CsConversion *self, const char *name, guint64 size);
gboolean cs_conversion_write_tracks (CsConversion *self, GError **error);

G_END_DECLS
