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

static inline gboolean
test_count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ++*(guint *) data;
  return G_SOURCE_CONTINUE;
}

/* Until what was asked of the widget is laid out and painted. */
static inline void
test_wait_frames (GtkWidget *widget)
{
  guint n = 0, id = gtk_widget_add_tick_callback (widget, test_count_frame, &n, NULL);

  while (n < 5)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_remove_tick_callback (widget, id);
}
