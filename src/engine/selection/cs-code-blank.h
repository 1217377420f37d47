/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cs_code_blank (char *text, gsize length);

G_END_DECLS
