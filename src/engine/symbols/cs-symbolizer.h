/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

#define CS_TYPE_SYMBOLIZER (cs_symbolizer_get_type ())
G_DECLARE_FINAL_TYPE (CsSymbolizer, cs_symbolizer, CS, SYMBOLIZER, GObject)

CsSymbolizer *cs_symbolizer_new (void);
gboolean cs_symbolizer_set_executable (CsSymbolizer *self, const char *path, GError **error);
const char *cs_symbolizer_get_executable (CsSymbolizer *self);
gboolean cs_symbolizer_lookup (CsSymbolizer *self, const char *path, const char *build_id,
                               gboolean executable, guint64 address, CsSymbol *symbol);
const char *const *cs_symbolizer_get_notices (CsSymbolizer *self);

G_END_DECLS
