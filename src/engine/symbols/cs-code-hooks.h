/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"

G_BEGIN_DECLS

/* A function of a linked file's symbol table. */
typedef struct
{
  guint64 start, end; /* link addresses of its code; end: behind it */
  const char *name;   /* as the linker has it; belongs to the CsBinary */
} CsCodeFunction;

/* The functions of a linked file, and which of them carry hooks. */
typedef struct _CsCodeHooks CsCodeHooks;

CsCodeHooks *cs_code_hooks_new (CsBinary *binary);
void cs_code_hooks_free (CsCodeHooks *self);
const CsCodeFunction *cs_code_hooks_get_functions (const CsCodeHooks *self, guint *n);
gboolean cs_code_hooks_is_known (const CsCodeHooks *self);
gboolean cs_code_hooks_has_hook (const CsCodeHooks *self, guint function);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCodeHooks, cs_code_hooks_free)

G_END_DECLS
