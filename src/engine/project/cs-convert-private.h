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
  GHashTable *names; /* (element-type filename): files that were converted */
  CsNotices *notices;
  CsConvertResult *result;
  guint64 *bytes_done; /* (nullable) */
  GCancellable *cancellable;
} CsConversion;

gboolean cs_conversion_write_tracks (CsConversion *self, GError **error);

G_END_DECLS
