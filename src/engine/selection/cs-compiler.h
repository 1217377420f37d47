/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_COMPILER_GCC, /* also what isn't known */
  CS_COMPILER_CLANG,
} CsCompiler;

CsCompiler cs_compiler_detect (const char *const *command);

G_END_DECLS
