/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

/* A program that reads symbols in place of this one: addr2line or one that behaves like it. */
typedef struct _CsAddr2line CsAddr2line;

CsAddr2line *cs_addr2line_new (const char *command, GError **error);
void cs_addr2line_free (CsAddr2line *self);
void cs_addr2line_set_timeout (CsAddr2line *self, guint ms);
void cs_addr2line_set_cancellable (CsAddr2line *self, GCancellable *cancellable);
gboolean cs_addr2line_lookup (CsAddr2line *self, const char *path, guint64 address, CsSymbol *symbol);
char *cs_addr2line_dup_notice (CsAddr2line *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsAddr2line, cs_addr2line_free)

G_END_DECLS
