/* SPDX-License-Identifier: MIT */
#pragma once

#include "tables/cs-function-rows.h"

G_BEGIN_DECLS

char *cs_function_copy_text (CsFunctionRows *rows, const GArray *functions, const GArray *columns);
char *cs_function_copy_csv (CsFunctionRows *rows, const GArray *functions, const GArray *columns);

G_END_DECLS
