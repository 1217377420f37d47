/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *cli_dup_printable (const char *text);
void cli_json_add_string (JsonBuilder *builder, const char *name, const char *value);
void cli_json_add_number (JsonBuilder *builder, const char *name, guint64 value);
void cli_json_add_flag (JsonBuilder *builder, const char *name, gboolean value);
void cli_json_add_strings (JsonBuilder *builder, const char *name, const char *const *values, gsize n_values);
void cli_json_print (JsonBuilder *builder);

G_END_DECLS
