/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CS_HOOK_CHECK_ERROR (cs_hook_check_error_quark ())

typedef enum
{
  CS_HOOK_CHECK_ERROR_FILE, /* a log or a stored check can't be read or written, or isn't one */
} CsHookCheckError;

GQuark cs_hook_check_error_quark (void);

/* What became of a function in a build. */
typedef enum
{
  CS_HOOK_FATE_HOOKED,       /* chosen, and hooked in an object at least */
  CS_HOOK_FATE_INLINED,      /* chosen; only calls that were inlined are left of it, without hooks */
  CS_HOOK_FATE_NOT_COMPILED, /* chosen; the build didn't compile its file */
  CS_HOOK_FATE_LEFT_OUT,     /* chosen; its file was compiled, but there is no code of it (#if, unused) */
  CS_HOOK_FATE_NOT_HOOKED,   /* chosen; there is code of it without hooks */
  CS_HOOK_FATE_UNKNOWN,      /* chosen; its objects can't be read, or tell nothing (LTO) */
  CS_HOOK_FATE_NOT_CHOSEN,   /* hooked, but not chosen */
  CS_N_HOOK_FATES,
} CsHookFate;

/* Strings belong to the CsHookCheck. */
typedef struct
{
  const char *name; /* as gcc prints it */
  const char *path; /* relative to the root, or absolute outside; NULL: not known */
} CsHookedFunction;

/* Which functions of a build carry hooks, compared with what was chosen. It never changes. */
typedef struct _CsHookCheck CsHookCheck;

CsHookCheck *cs_hook_check_new (const char *log, const char *selection, GCancellable *cancellable, GError **error);
CsHookCheck *cs_hook_check_load (const char *path, GError **error);
gboolean cs_hook_check_save (const CsHookCheck *self, const char *path, GError **error);
void cs_hook_check_free (CsHookCheck *self);
const CsHookedFunction *cs_hook_check_get (const CsHookCheck *self, CsHookFate fate, gsize *count);
guint cs_hook_check_count_chosen (const CsHookCheck *self);
char *cs_hook_check_dup_line (const CsHookCheck *self, CsHookFate fate, guint most);
GPtrArray *cs_hook_check_to_lines (const CsHookCheck *self, guint most);
char *cs_hook_check_to_json (const CsHookCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsHookCheck, cs_hook_check_free)

G_END_DECLS
