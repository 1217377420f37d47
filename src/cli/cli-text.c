/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli-text.h"

/**
 * cli_dup_printable:
 * @text: a name or a message, whatever bytes it has
 *
 * Returns: (transfer full): it as a line of a terminal: control characters are "?", those that Unicode has above ASCII
 *   included, and what isn't UTF-8 is U+FFFD
 */
char *
cli_dup_printable (const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  for (char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)))
      memset (p, '?', (gsize) (g_utf8_next_char (p) - p));
  return valid;
}

/**
 * cli_json_add_string:
 * @builder: with an open object
 * @name: of the member
 * @value: what isn't UTF-8 of it becomes U+FFFD
 */
void
cli_json_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  g_autofree char *text = g_utf8_make_valid (value, -1);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

/**
 * cli_json_add_number:
 * @builder: with an open object
 * @name: of the member
 * @value: a number
 */
void
cli_json_add_number (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) value);
}

/**
 * cli_json_add_flag:
 * @builder: with an open object
 * @name: of the member
 * @value: whether it is true
 */
void
cli_json_add_flag (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

/**
 * cli_json_add_strings:
 * @builder: with an open object
 * @name: of the member, an array
 * @values: (array length=n_values): its texts; what isn't UTF-8 of them becomes U+FFFD
 * @n_values: how many
 */
void
cli_json_add_strings (JsonBuilder *builder, const char *name, const char *const *values, gsize n_values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (gsize i = 0; i < n_values; i++)
    {
      g_autofree char *text = g_utf8_make_valid (values[i], -1);

      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
}

/**
 * cli_json_print:
 * @builder: whose root is whole
 *
 * Prints it on standard output.
 */
void
cli_json_print (JsonBuilder *builder)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = NULL;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  puts (text);
}
