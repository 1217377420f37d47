/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A function that an object file has code of. */
typedef struct
{
  const char *name; /* as the symbol table has it; belongs to the CsObjectHooks */
  gboolean hooked;  /* its own code calls the entry hook with its own address */
  gboolean is_static;
} CsObjectFunction;

/* Which functions of an object file carry hooks. */
typedef struct _CsObjectHooks CsObjectHooks;

CsObjectHooks *cs_object_hooks_read (const char *path, GError **error);
void cs_object_hooks_free (CsObjectHooks *self);
gboolean cs_object_hooks_is_known (const CsObjectHooks *self);
const CsObjectFunction *cs_object_hooks_get_functions (const CsObjectHooks *self, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsObjectHooks, cs_object_hooks_free)

G_END_DECLS
