/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* What needs a display is skipped without one. */

static gboolean have_display;

#define SKIP_WITHOUT_DISPLAY()                                                                     \
  if (!have_display)                                                                               \
    {                                                                                              \
      g_test_skip ("no display");                                                                  \
      return;                                                                                      \
    }

static inline void
test_init_display (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  have_display = gtk_init_check ();
  if (have_display)
    adw_init ();
}
