/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cs_data_folder_find (const char *name);
char *cs_program_find_beside (const char *name);

G_END_DECLS
