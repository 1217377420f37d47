/* SPDX-License-Identifier: MIT */
#pragma once

#include "project/cs-hook-check.h"

G_BEGIN_DECLS

struct _CsHookCheck
{
  GStringChunk *strings;
  GArray *functions[CS_N_HOOK_FATES]; /* CsHookedFunction, by path and name */
};

CsHookCheck *cs_hook_check_new_empty (void);
void cs_hook_check_add (CsHookCheck *self, CsHookFate fate, const char *path, const char *name);
void cs_hook_check_sort (CsHookCheck *self);

G_END_DECLS
