/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/cs-flame-layout.h"
#include "report/cs-report.h"

G_BEGIN_DECLS

/* A flame graph as it is shown. */
typedef struct
{
  CsFlameLayout *layout;
  CsProfile *profile; /* what names its functions and threads; may be NULL where dup_name and dup_text are set */
  guint32 focus;      /* frame; 0: the root */
  gboolean upwards;   /* the root is at the bottom */
  double width;       /* of the picture, pixels; 0: 1200 */
  const char *title;
  const char *root;               /* (nullable): label of the root */
  const char *const *notes;       /* (nullable): lines below the title: what was filtered, left out, searched */
  const char *const *notices;     /* (nullable): what has to be known before any number is believed */
  const guint32 *found;           /* (nullable): frames that stand out, ascending */
  guint n_found;
  /* In place of what the profile says; called in the thread that writes. */
  char *(*dup_name) (guint32 node, gpointer data);                 /* (nullable) */
  char *(*dup_text) (guint32 node, gpointer data);                 /* (nullable): of the tooltip, in lines; the first is
                                                                      the name */
  guint32 (*get_colour) (guint32 node, gboolean dark, gpointer data); /* (nullable): 0xRRGGBB */
  gpointer data;
} CsFlameExport;

gboolean cs_flame_export_svg (const CsFlameExport *self, GOutputStream *stream, GCancellable *cancellable, GError **error);
gboolean cs_flame_export_folded (const CsFlameExport *self, GOutputStream *stream, GCancellable *cancellable,
                                 GError **error);
void cs_flame_export_save_async (const CsFlameExport *self, gboolean folded, const char *path, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);
gboolean cs_flame_export_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
