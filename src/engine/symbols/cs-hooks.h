/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What -finstrument-functions calls at a function's entry. */
#define CS_HOOK_ENTER "__cyg_profile_func_enter"

/* What a program's file says of hooks. */
typedef enum
{
  CS_HOOKS_UNKNOWN,         /* no ELF file, a script say, or one without a dynamic symbol table */
  CS_HOOKS_NONE,            /* its own code calls none; a library that it loads may */
  CS_HOOKS_WITHOUT_RUNTIME, /* it calls hooks that it doesn't define: libc's do nothing */
  CS_HOOKS_WITH_RUNTIME,    /* it defines them */
} CsHooks;

CsHooks cs_hooks_find (const char *path);
char *cs_hooks_find_loader (const char *path);

G_END_DECLS
