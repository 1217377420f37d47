/* SPDX-License-Identifier: MIT */
#pragma once

#include "select/cs-source-rows.h"

G_BEGIN_DECLS

struct _CsSourceRow
{
  GObject parent_instance;

  GHashTable *live; /* (nullable) */
  guint64 key;      /* there */
  guint32 file, nth;
};

void cs_source_row_emit_changed (CsSourceRow *self);

G_END_DECLS
