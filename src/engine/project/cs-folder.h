/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void cs_folder_remove (const char *path);

G_END_DECLS
