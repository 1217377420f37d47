/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-bases.h"
#include "compare/cs-compare-private.h"
#include "shared/cs-format.h"

/**
 * cs_compare_view_get_open_path:
 * @self: a view with a session
 *
 * Returns: (transfer none) (nullable): of the open recording
 */
const char *
cs_compare_view_get_open_path (CsCompareView *self)
{
  const char *const *paths = self->session != NULL ? cs_session_get_paths (self->session) : NULL;

  return paths != NULL ? paths[0] : NULL;
}

/**
 * cs_compare_view_dup_new_title:
 * @self: a view with a session
 *
 * Returns: (transfer full): what the filter leaves of the open recording: "2.3 s – 4.2 s of “lab”"
 */
char *
cs_compare_view_dup_new_title (CsCompareView *self)
{
  const CsProfileFilter *filter = cs_session_get_filter (self->session);
  g_autofree char *title = cs_compare_bases_dup_title (self->recordings, cs_compare_view_get_open_path (self));
  GString *text = g_string_new (NULL);

  if (filter->has_from || filter->has_to)
    {
      g_autofree char *from = cs_format_duration (filter->has_from && filter->from > 0 ? (guint64) filter->from : 0);
      g_autofree char *to = filter->has_to ? cs_format_duration ((guint64) MAX (filter->to, 0)) : g_strdup (_("its end"));

      g_string_append_printf (text, _("%s – %s of "), from, to);
    }
  if (filter->thread != NULL)
    g_string_append_printf (text, _("thread %s of "), filter->thread);
  if (filter->pid != 0)
    g_string_append_printf (text, _("process %u of "), filter->pid);
  if (filter->function != NULL)
    g_string_append_printf (text, _("calls of %s in "), filter->function);
  g_string_append_printf (text, _("“%s”"), title);
  {
    g_autofree char *valid = g_utf8_make_valid (text->str, -1);

    g_string_free (text, TRUE);
    return g_steal_pointer (&valid);
  }
}

/**
 * cs_compare_view_show_subtitle:
 * @self: a view with a session
 *
 * Says what is compared with what.
 */
void
cs_compare_view_show_subtitle (CsCompareView *self)
{
  const char *base = self->comparison != NULL ? cs_comparison_get_base_title (self->comparison) : NULL;
  g_autofree char *other = NULL;
  g_autofree char *text = NULL;

  if (base != NULL && cs_compare_view_get_open_path (self) != NULL)
    {
      gboolean whole = cs_profile_filter_is_empty (cs_session_get_filter (self->session));

      other = cs_compare_view_dup_new_title (self);
      text = whole ? g_strdup_printf (_("“%s” against %s"), base, other)
                   : g_strdup_printf (_("All of “%s” against %s"), base, other);
    }
  gtk_label_set_text (self->subtitle, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtitle), text);
}

/**
 * cs_compare_view_show_status_page:
 * @self: a view with a session
 * @state: of its comparison
 *
 * Says why there is nothing to see, and what to do.
 */
void
cs_compare_view_show_status_page (CsCompareView *self, CsComparisonState state)
{
  double progress = cs_comparison_get_progress (self->comparison);
  const char *title = _("Nothing to Compare With"), *description = NULL;
  g_autofree char *text = NULL;

  if (state == CS_COMPARISON_READING)
    {
      title = _("Comparing…");
      text = g_strdup_printf (_("“%s” is being read"), cs_comparison_get_base_title (self->comparison));
      description = text;
    }
  else if (state == CS_COMPARISON_FAILED)
    {
      title = _("Can’t Be Compared");
      description = cs_comparison_get_error (self->comparison);
    }
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->choices)) > 0)
    {
      title = _("What to Compare With?");
      description = _("Choose a recording as the base.");
    }
  else if (self->recordings == NULL)
    description = _("Open a recording, or a report that was saved.");
  else
    description = _("There is no other recording in this project. Record once more, or open a recording or a report that "
                    "was saved elsewhere.");
  adw_status_page_set_title (self->status, title);
  /* The description is markup. */
  {
    g_autofree char *escaped = g_markup_escape_text (description, -1);

    adw_status_page_set_description (self->status, escaped);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->progress), state == CS_COMPARISON_READING);
  gtk_progress_bar_set_fraction (self->progress, CLAMP (progress, 0, 1));
  gtk_widget_set_visible (self->cancel_button, state == CS_COMPARISON_READING);
  gtk_widget_set_visible (self->open_button, state != CS_COMPARISON_READING);
  gtk_widget_set_visible (self->retry_button, state == CS_COMPARISON_FAILED);
}
