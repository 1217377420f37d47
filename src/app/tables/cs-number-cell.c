/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shared/cs-format.h"
#include "tables/cs-number-cell.h"

/**
 * cs_number_cell_show:
 * @label: of a table's cell
 * @text: a number, with its sign and unit
 *
 * Shows the number: also where people read from the right, its sign stands before it and its unit behind it.
 */
void
cs_number_cell_show (GtkWidget *label, const char *text)
{
  g_autofree char *isolated = cs_format_isolate (g_strdup (text));

  gtk_label_set_text (GTK_LABEL (label), isolated);
}
