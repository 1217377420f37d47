/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-compiler.h"
#include "selection/cs-selection.h"

G_BEGIN_DECLS

/* More than this and the kernel's limit on one string ends cc1. */
#define CS_FLAGS_MAX (120 * 1024)

typedef struct
{
  CsCompiler compiler;
  gboolean after_inlining;
  gboolean widen;            /* clang: whole files where the rules choose functions */
  const char *const *sources; /* as they are given to the compiler, which runs in this folder */
} CsFlagsOptions;

/* What came of the sources. */
typedef struct
{
  GPtrArray *excluded;    /* of char *: the sources of which nothing is chosen, as given */
  guint partly;           /* sources of which some functions are chosen */
  gboolean lacks_functions; /* with an index a better list could be made */
} CsFlagsResult;

/* The options as words, not quoted. */
char **cs_flags_new (CsSelection *selection, const CsFlagsOptions *options, CsFlagsResult *result, GPtrArray *warnings,
                     GError **error);
void cs_flags_result_clear (CsFlagsResult *self);
char *cs_flags_quote_make (const char *const *words);
char *cs_flags_quote_shell (const char *const *words);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CsFlagsResult, cs_flags_result_clear)

G_END_DECLS
