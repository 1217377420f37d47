/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-line-text.h"

/**
 * cs_line_text_append:
 * @line: where to append
 * @text: a path, a name or a command
 *
 * Appends it as selection files, logs of builds and hooks files have it (docs/formats.md, Selection): as C escapes it,
 * so that a line stays a line.
 */
void
cs_line_text_append (GString *line, const char *text)
{
  for (const char *p = text, *plain = text;; p++)
    {
      if ((guchar) *p >= ' ' && *p != '\\' && *p != '\177')
        continue;
      g_string_append_len (line, plain, p - plain);
      plain = p + 1;
      if (*p == '\0')
        return;
      if (*p == '\n' || *p == '\t' || *p == '\\')
        g_string_append_printf (line, "\\%c", *p == '\n' ? 'n' : *p == '\t' ? 't' : '\\');
      else
        g_string_append_printf (line, "\\x%02x", (guint) (guchar) *p);
    }
}

/**
 * cs_line_text_read:
 * @text: what cs_line_text_append() or the compiler launcher wrote; it is written over
 *
 * Undoes \n, \t, \r, \\ and \xNN.
 *
 * Returns: %FALSE if something else stands behind a backslash
 */
gboolean
cs_line_text_read (char *text)
{
  char *to = strchr (text, '\\');
  const char *from = to;

  for (; from != NULL && *from != '\0'; from++)
    {
      if (*from != '\\')
        {
          *to++ = *from;
          continue;
        }
      switch (*++from)
        {
        case 'n':
          *to++ = '\n';
          break;
        case 't':
          *to++ = '\t';
          break;
        case 'r':
          *to++ = '\r';
          break;
        case '\\':
          *to++ = '\\';
          break;
        case 'x':
          if (!g_ascii_isxdigit (from[1]) || !g_ascii_isxdigit (from[2]) || (from[1] == '0' && from[2] == '0'))
            return FALSE;
          *to++ = (char) (g_ascii_xdigit_value (from[1]) * 16 + g_ascii_xdigit_value (from[2]));
          from += 2;
          break;
        default:
          return FALSE;
        }
    }
  if (to != NULL)
    *to = '\0';
  return TRUE;
}

/**
 * cs_line_text_join_names:
 * @names: (array length=n): names, some perhaps more than once
 * @n: how many
 * @most: how many different ones to tell at most
 *
 * Returns: (transfer full): `a, b ×2, …`, in the order in which they come first
 */
char *
cs_line_text_join_names (const char *const *names, guint n, guint most)
{
  g_autoptr (GHashTable) times = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) once = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      guint before = GPOINTER_TO_UINT (g_hash_table_lookup (times, names[i]));

      g_hash_table_insert (times, (gpointer) names[i], GUINT_TO_POINTER (before + 1));
      if (before == 0)
        g_ptr_array_add (once, (gpointer) names[i]);
    }
  for (guint i = 0; i < once->len && i < most; i++)
    {
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (times, once->pdata[i]));

      g_string_append_printf (text, count > 1 ? "%s%s ×%u" : "%s%s", i > 0 ? ", " : "", (const char *) once->pdata[i], count);
    }
  if (once->len > most)
    g_string_append (text, most > 0 ? ", …" : "…");
  return g_string_free (text, FALSE);
}
