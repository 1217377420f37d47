/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shared/cs-popover-grabs.h"

/* Called before its surface is destroyed. */
static gboolean
on_unrealize (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (values);

  if (GTK_IS_POPOVER (widget) && gtk_widget_get_visible (widget))
    gtk_widget_set_visible (widget, FALSE);
  return TRUE;
}

/**
 * cs_popover_grabs_release:
 *
 * From now on a popover that is open when it loses its place, because its window is closed or what it belongs to goes,
 * is closed first. GTK 4.8 gives an open popover all input of the program's windows, and takes that back when it is hidden
 * only: otherwise it stays, no other window gets a key or a click any more, and when a tooltip is due it is asked
 * for the pointer on a surface that it no longer has.
 */
void
cs_popover_grabs_release (void)
{
  static gsize done;

  if (!g_once_init_enter (&done))
    return;
  g_signal_add_emission_hook (g_signal_lookup ("unrealize", GTK_TYPE_WIDGET), 0, on_unrealize, NULL, NULL);
  g_once_init_leave (&done, 1);
}
