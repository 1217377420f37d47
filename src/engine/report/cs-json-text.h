/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* An element of the array that cs_json_text_check() looked for. */
typedef struct
{
  gsize start, end; /* bytes of the text */
} CsJsonSlice;

gboolean cs_json_text_check (const char *text, gsize length, const char *array, GArray *slices, GString *rest,
                             GError **error);

G_END_DECLS
