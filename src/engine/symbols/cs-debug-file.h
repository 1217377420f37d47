/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-elf.h"

G_BEGIN_DECLS

CsElf *cs_debug_file_open (const CsElf *program, const char *path);
CsElf *cs_debug_file_find (const CsElf *program);

G_END_DECLS
