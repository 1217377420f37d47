/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "selection/cs-flags.h"
#include "selection/cs-substrings.h"

static gboolean
count (gsize needle, gpointer counts)
{
  ((guint *) counts)[needle]++;
  return TRUE;
}

static gboolean
stop (gsize needle, gpointer calls)
{
  ++*(guint *) calls;
  return FALSE;
}

/* Each place of each needle is told, and nothing once that is asked for. */
static void
check_each (const char *const *needles, gsize n_needles, const char *text)
{
  g_autoptr (CsSubstrings) all = cs_substrings_new (needles, n_needles);
  g_autofree guint *counts = g_new0 (guint, n_needles + 1);
  guint any = 0, calls = 0;

  cs_substrings_each (all, text, count, counts);
  for (gsize i = 0; i < n_needles; i++)
    {
      guint wanted = 0;

      for (const char *at = text; *needles[i] != '\0' && (at = strstr (at, needles[i])) != NULL; at++)
        wanted++;
      g_assert_cmpuint (counts[i], ==, wanted);
      any |= wanted > 0;
    }
  cs_substrings_each (all, text, stop, &calls);
  g_assert_cmpuint (calls, ==, any);
}

/* Against strstr(), text by text. */
static void
check_substrings (const char *const *needles, gsize n_needles, const char *const *texts, gsize n_texts)
{
  g_autofree gssize *found = cs_substrings_find (needles, n_needles, texts, n_texts);

  for (gsize i = 0; i < n_needles; i++)
    {
      gssize wanted = -1;

      for (gsize j = 0; j < n_texts && wanted < 0 && *needles[i] != '\0'; j++)
        if (strstr (texts[j], needles[i]) != NULL)
          wanted = (gssize) j;
      g_assert_cmpint (found[i], ==, wanted);
    }
  for (gsize i = 0; i < n_texts; i++)
    check_each (needles, n_needles, texts[i]);
}

static void
test_substrings (void)
{
  static const char *const texts[] = { "ushers", "abcabd", "", "xbcabcdex", "aaaa" };
  static const char *const needles[] = { "he", "she", "his", "hers", "abcd", "bcabcd", "cab", "", "a", "aaaaa", "aa", "she",
                                         "b", "zz", "ushers", "r" };

  check_substrings (needles, G_N_ELEMENTS (needles), texts, G_N_ELEMENTS (texts));
  check_substrings (needles, 0, texts, G_N_ELEMENTS (texts));
  check_substrings (needles, G_N_ELEMENTS (needles), texts, 0);
}

static char *
random_word (GRand *rand, gint letters, gint longest)
{
  gint length = g_rand_int_range (rand, 0, longest + 1);
  char *word = g_malloc0 ((gsize) length + 1);

  for (gint i = 0; i < length; i++)
    word[i] = (char) ('a' + g_rand_int_range (rand, 0, letters));
  return word;
}

static void
test_random_substrings (void)
{
  GRand *rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 400; round++)
    {
      g_autoptr (GPtrArray) needles = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
      gint letters = g_rand_int_range (rand, 1, 5);

      for (gint i = g_rand_int_range (rand, 0, 40); i > 0; i--)
        g_ptr_array_add (needles, random_word (rand, letters, 6));
      for (gint i = g_rand_int_range (rand, 0, 20); i > 0; i--)
        g_ptr_array_add (texts, random_word (rand, letters, 30));
      check_substrings ((const char *const *) needles->pdata, needles->len, (const char *const *) texts->pdata, texts->len);
    }
  g_rand_free (rand);
}

static const struct
{
  const char *words[5], *shell, *make;
} quoted[] = {
  { { NULL }, "", "" },
  { { "-finstrument-functions", NULL }, "-finstrument-functions", "-finstrument-functions" },
  { { "-a=src/x.c,b@c%d^+:é", "-b", NULL }, "-a=src/x.c,b@c%d^+:é -b", "-a=src/x.c,b@c%d^+:é -b" },
  { { "a b", "", NULL }, "'a b' ''", "'a b' ''" },
  { { "a\\,b", NULL }, "'a\\,b'", "'a\\,b'" },
  { { "$x#y", NULL }, "'$x#y'", "'$$x\\#y'" },
  { { "it's", NULL }, "'it'\\''s'", "'it'\\''s'" },
  { { "~x", "a*b", "c\"d", "`e`", NULL }, "'~x' 'a*b' 'c\"d' '`e`'", "'~x' 'a*b' 'c\"d' '`e`'" },
};

static void
test_quoting (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (quoted); i++)
    {
      g_autofree char *shell = cs_flags_quote_shell (quoted[i].words);
      g_autofree char *make = cs_flags_quote_make (quoted[i].words);

      g_assert_cmpstr (shell, ==, quoted[i].shell);
      g_assert_cmpstr (make, ==, quoted[i].make);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flags/substrings", test_substrings);
  g_test_add_func ("/flags/random-substrings", test_random_substrings);
  g_test_add_func ("/flags/quoting", test_quoting);
  return g_test_run ();
}
