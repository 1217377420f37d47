/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shared/cs-input.h"
#include "tables/cs-search-bar.h"

/**
 * cs_search_bar_show:
 * @view: a view
 * @bar: what the entry is in
 * @entry: what is searched for
 * @regex: whether that is a regular expression
 * @session: what the view is bound to
 *
 * Shows what the session searches for.
 */
void
cs_search_bar_show (CsView *view, GtkSearchBar *bar, GtkWidget *entry, GtkToggleButton *regex, CsSession *session)
{
  const char *text = cs_session_get_search (session);

  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_toggle_button_set_active (regex, cs_session_get_regex (session));
  if (*text != '\0')
    cs_view_reveal_search (view, bar);
}

/**
 * cs_search_bar_take:
 * @entry: what is searched for
 * @regex: whether that is a regular expression
 * @session: what the view is bound to
 *
 * Has the session search for what the person typed.
 */
void
cs_search_bar_take (GtkWidget *entry, GtkToggleButton *regex, CsSession *session)
{
  cs_session_set_search (session, gtk_editable_get_text (GTK_EDITABLE (entry)), gtk_toggle_button_get_active (regex));
}

/**
 * cs_search_bar_show_error:
 * @entry: what is searched for
 * @label: where it is told what is wrong with it
 * @text: (nullable): that
 */
void
cs_search_bar_show_error (GtkWidget *entry, GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
  cs_input_set_wrong (entry, entry, text != NULL);
}
