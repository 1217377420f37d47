/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-input.h"

/**
 * cs_input_set_wrong:
 * @input: what the person types into
 * @marked: what is coloured: @input, or the row that it is in
 * @wrong: whether what it has can't be used
 *
 * Shows that, and tells assistive technology.
 */
void
cs_input_set_wrong (GtkWidget *input, GtkWidget *marked, gboolean wrong)
{
  if (wrong)
    gtk_widget_add_css_class (marked, "error");
  else
    gtk_widget_remove_css_class (marked, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (input), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}
