/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Does with the real pointer and keyboard what xdotool's words say, with pauses in which the main loop goes on. Skips the
 * test where there is no xdotool. The pointer ends where it was put last. */
static inline gboolean
test_point (const char *words)
{
  g_auto (GStrv) argv = g_strsplit (words, " ", -1);
  g_autofree char *program = g_find_program_in_path ("xdotool");
  g_autoptr (GPtrArray) call = NULL;

  if (program == NULL)
    {
      g_test_skip ("no xdotool");
      return FALSE;
    }
  for (char **word = argv; *word != NULL;)
    {
      static const struct { const char *name; guint n; } kinds[] = { { "mousemove", 3 }, { "mousedown", 2 }, { "mouseup", 2 },
                                                                    { "key", 2 } };
      g_autoptr (GSubprocess) process = NULL;
      gint64 until;
      guint n = 1;

      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (g_str_equal (*word, kinds[i].name))
          n = kinds[i].n;
      call = g_ptr_array_new ();
      g_ptr_array_add (call, program);
      for (; n > 0; n--)
        g_ptr_array_add (call, *word++);
      g_ptr_array_add (call, NULL);
      process = g_subprocess_newv ((const char *const *) call->pdata, G_SUBPROCESS_FLAGS_NONE, NULL);
      g_assert_nonnull (process);
      g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
      g_clear_pointer (&call, g_ptr_array_unref);
      for (until = g_get_monotonic_time () + 60000; g_get_monotonic_time () < until; g_usleep (1000))
        while (g_main_context_iteration (NULL, FALSE))
          ;
    }
  return TRUE;
}
