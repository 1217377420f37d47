/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "selection/cs-config-edit.h"

/* The lines of one of two texts, taken from what differs. */
static char *
take_side (GPtrArray *lines, char sign)
{
  GString *text = g_string_new (NULL);
  guint number = 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const CsConfigDiffLine *line = lines->pdata[i];

      if (line->sign != sign && line->sign != ' ')
        continue;
      g_assert_cmpuint (sign == '-' ? line->old_line : line->new_line, ==, ++number);
      g_string_append_printf (text, "%s\n", line->text);
    }
  return g_string_free (text, FALSE);
}

/* The fewest lines that differ: by the longest common subsequence, computed the plain way. */
static guint
count_fewest (const char *before, const char *after)
{
  g_autofree char *old = g_strconcat (before, "end", NULL);
  g_autofree char *new = g_strconcat (after, "end", NULL);
  g_auto (GStrv) a = g_strsplit (old, "\n", -1);
  g_auto (GStrv) b = g_strsplit (new, "\n", -1);
  guint n = g_strv_length (a), m = g_strv_length (b);
  g_autofree guint *table = g_new0 (guint, (n + 1) * (m + 1));

  for (guint i = n; i-- > 0;)
    for (guint j = m; j-- > 0;)
      table[i * (m + 1) + j] = g_str_equal (a[i], b[j]) ? table[(i + 1) * (m + 1) + j + 1] + 1
                                                        : MAX (table[(i + 1) * (m + 1) + j], table[i * (m + 1) + j + 1]);
  return n + m - 2 * table[0];
}

static void
test_diff (void)
{
  g_autoptr (GPtrArray) same = cs_config_diff ("a\nb\n", "a\nb\n", 3);
  g_autoptr (GPtrArray) lines = cs_config_diff ("1\n2\n3\n4\n5\n6\n7\n8\n", "1\nx\n3\n4\n5\n6\n7\n8\n9", 1);
  g_autoptr (GPtrArray) bytes = cs_config_diff ("\xff\r\n", "", 0);
  GString *shown = g_string_new (NULL);

  g_assert_cmpuint (same->len, ==, 0);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (shown, "%c%s ", ((CsConfigDiffLine *) lines->pdata[i])->sign,
                            ((CsConfigDiffLine *) lines->pdata[i])->text);
  g_assert_cmpstr (shown->str, ==, " 1 -2 +x  3 @  8 +9 ");
  g_string_free (shown, TRUE);
  g_assert_cmpuint (bytes->len, ==, 1);
  g_assert_true (g_utf8_validate (((CsConfigDiffLine *) bytes->pdata[0])->text, -1, NULL));
  for (guint i = 0; i < 500; i++)
    {
      g_autoptr (GString) before = g_string_new (NULL);
      g_autoptr (GString) after = g_string_new (NULL);
      g_autoptr (GPtrArray) all = NULL;
      g_autofree char *old_side = NULL;
      g_autofree char *new_side = NULL;
      guint n = (guint) g_test_rand_int_range (0, 40), differ = 0;

      for (guint j = 0; j < n; j++)
        {
          g_autofree char *line = g_strdup_printf ("%d\n", g_test_rand_int_range (0, 6));

          if (g_test_rand_int_range (0, 4) > 0)
            g_string_append (before, line);
          if (g_test_rand_int_range (0, 4) > 0)
            g_string_append (after, line);
        }
      all = cs_config_diff (before->str, after->str, 1000);
      if (g_str_equal (before->str, after->str))
        {
          g_assert_cmpuint (all->len, ==, 0);
          continue;
        }
      old_side = take_side (all, '-');
      new_side = take_side (all, '+');
      g_assert_cmpstr (old_side, ==, before->str);
      g_assert_cmpstr (new_side, ==, after->str);
      for (guint j = 0; j < all->len; j++)
        differ += ((CsConfigDiffLine *) all->pdata[j])->sign != ' ';
      g_assert_cmpuint (differ, ==, count_fewest (before->str, after->str));
    }
}

/* Large texts that have nothing in common take no time of their product. */
static void
test_large_diff (void)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);
  g_autoptr (GPtrArray) lines = NULL;

  for (guint i = 0; i < 60000; i++)
    {
      g_string_append_printf (before, "a%u\n", i);
      g_string_append_printf (after, "b%u\n", i);
    }
  lines = cs_config_diff (before->str, after->str, 0);
  g_assert_cmpuint (lines->len, ==, 120000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config-diff/lines", test_diff);
  g_test_add_func ("/config-diff/large", test_large_diff);
  return g_test_run ();
}
