/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cs-recording-bar.h"
#include "charts/cs-overview.h"
#include "cs-cut-notices.h"
#include "shared/cs-chip.h"
#include "shared/cs-format.h"

struct _CsRecordingBar
{
  AdwBin parent_instance;

  CsOverview *overview;
  GtkWidget *reading;
  GtkLabel *reading_text;
  GtkProgressBar *progress;
  GtkWidget *follow;
  GtkWidget *cancel;
  GtkWidget *again;
  GtkWidget *chips_scroller;
  GtkBox *chips;
  GtkWidget *notices;
  GtkBox *texts;
  GtkToggleButton *more;

  CsSession *session; /* (nullable) */
  GtkWidget *range_chip; /* (nullable): of the times that are shown */
  char **shown;       /* (nullable): the notices that there are texts of */
};

G_DEFINE_FINAL_TYPE (CsRecordingBar, cs_recording_bar, ADW_TYPE_BIN)

static void
empty_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

/* What is to be told: neither that not all has been read, which the row above says, nor the filter, which the chips say. */
static char **
dup_notices (CsRecordingBar *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *const *texts;
  guint first, n;

  if (profile == NULL)
    return g_strv_builder_end (builder);
  texts = cs_profile_get_notices (profile);
  n = cs_profile_get_filter_notices (profile, &first);
  for (guint i = cs_profile_is_partial (profile) && cs_session_is_reading (self->session); texts[i] != NULL; i++)
    if (i < first || i >= first + n)
      g_strv_builder_add (builder, texts[i]);
  return g_strv_builder_end (builder);
}

static void
show_notices (CsRecordingBar *self)
{
  char **texts = dup_notices (self);
  guint n = g_strv_length (texts), shown;
  g_autofree char *label = NULL;

  shown = gtk_toggle_button_get_active (self->more) ? n : MIN (n, 1);
  g_strfreev (self->shown);
  self->shown = texts;
  empty_box (self->texts);
  gtk_widget_set_visible (self->notices, n > 0);
  for (guint i = 0; i < shown; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (texts[i], -1);
      GtkWidget *text = gtk_label_new (valid);

      gtk_label_set_xalign (GTK_LABEL (text), 0);
      gtk_label_set_wrap (GTK_LABEL (text), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_selectable (GTK_LABEL (text), TRUE);
      gtk_box_append (self->texts, text);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->more), n > 1);
  if (n > 1)
    label = gtk_toggle_button_get_active (self->more) ? g_strdup (_("Show Less"))
                                                      : g_strdup_printf (_("%u More"), n - 1);
  gtk_button_set_label (GTK_BUTTON (self->more), label != NULL ? label : "");
}

/* The chip of a time tells what the filter does to calls at its edges. */
static void
explain_range (CsRecordingBar *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  g_autoptr (GString) text = NULL;
  guint first, n;

  if (self->range_chip == NULL)
    return;
  text = g_string_new (g_object_get_data (G_OBJECT (self->range_chip), "name"));
  n = profile != NULL ? cs_profile_get_filter_notices (profile, &first) : 0;
  for (guint i = 1; i < n; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (cs_profile_get_notices (profile)[first + i], -1);

      g_string_append_printf (text, "\n%s", valid);
    }
  gtk_widget_set_tooltip_text (self->range_chip, text->str);
}

/* Texts that are the same stay, and what is selected in them. */
static void
update_notices (CsRecordingBar *self)
{
  g_auto (GStrv) texts = dup_notices (self);

  if (self->shown == NULL || !g_strv_equal ((const char *const *) texts, (const char *const *) self->shown))
    show_notices (self);
  explain_range (self);
}

/* How far reading is, where it was stopped, or that there will be more. */
static void
show_progress (CsRecordingBar *self)
{
  gboolean partial = cs_session_get_state (self->session) == CS_SESSION_PARTIAL;
  gboolean reading = cs_session_is_reading (self->session);
  gboolean growing = cs_session_get_growing (self->session);
  gboolean filtered = !cs_profile_filter_is_empty (cs_session_get_filter (self->session));
  double progress = cs_session_get_progress (self->session);
  int percent = (int) (progress * 100);
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->reading, partial || growing);
  if (!partial && !growing)
    return;
  text = !partial ? g_strdup (cs_session_get_follow (self->session) ? _("Still being recorded: shown as it grows")
                                                                    : _("Still being recorded: what is shown stays"))
         : !reading ? g_strdup_printf (_("Stopped at %d %%"), percent)
         : filtered ? g_strdup_printf (_("Reading… %d %% — filters apply when all is read"), percent)
                    : g_strdup_printf (_("Reading… %d %%"), percent);
  gtk_label_set_text (self->reading_text, text);
  gtk_progress_bar_set_fraction (self->progress, progress);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), partial);
  gtk_widget_set_hexpand (GTK_WIDGET (self->reading_text), !partial);
  gtk_widget_set_visible (self->follow, !partial);
  gtk_widget_set_visible (self->cancel, reading);
  gtk_widget_set_visible (self->again, partial && !reading);
}

static void
on_state_changed (CsRecordingBar *self)
{
  show_progress (self);
  update_notices (self);
}

static void
show_timeline (CsRecordingBar *self)
{
  gboolean summary = cs_session_get_timeline (self->session) == NULL && cs_session_get_profile (self->session) != NULL;

  cs_overview_set_timeline (self->overview, cs_session_get_timeline (self->session));
  cs_cut_notices_show (cs_session_get_whole_profile (self->session), self->overview);
  cs_overview_set_message (self->overview, summary ? _("A summary doesn’t tell when its calls were") : NULL);
}

/* Only what some views show is a part of the time. */
static void
show_visible (CsRecordingBar *self)
{
  gint64 from, to;

  if (cs_session_get_visible (self->session, &from, &to))
    cs_overview_set_visible (self->overview, (guint64) MAX (from, 0), (guint64) MAX (to, 0));
  else
    cs_overview_set_visible (self->overview, 0, 0);
}

static void
on_range_changed (CsRecordingBar *self)
{
  guint64 from, to;

  if (cs_range_chart_get_range (CS_RANGE_CHART (self->overview), &from, &to))
    cs_session_set_range (self->session, TRUE, (gint64) from, (gint64) MIN (to, (guint64) G_MAXINT64));
  else
    cs_session_set_range (self->session, FALSE, 0, 0);
}

static void
on_chip_clicked (GtkButton *button, CsRecordingBar *self)
{
  CsProfileFilter filter = *cs_session_get_filter (self->session);
  const char *what = g_object_get_data (G_OBJECT (button), "what");

  if (g_str_equal (what, "range"))
    {
      cs_session_set_range (self->session, FALSE, 0, 0);
      return;
    }
  if (g_str_equal (what, "thread"))
    filter.thread = NULL;
  else if (g_str_equal (what, "function"))
    filter.function = NULL;
  else
    filter.pid = 0;
  cs_session_set_filter (self->session, &filter);
}

static GtkWidget *
add_chip (CsRecordingBar *self, const char *what, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *name = g_strdup_printf (_("Remove the filter %s"), valid);
  GtkWidget *button = cs_chip_new (valid, name);

  g_object_set_data (G_OBJECT (button), "what", (gpointer) what);
  g_object_set_data_full (G_OBJECT (button), "name", g_strdup (name), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_chip_clicked), self, 0);
  gtk_box_append (self->chips, button);
  return button;
}

static void
show_filter (CsRecordingBar *self)
{
  const CsProfileFilter *filter = cs_session_get_filter (self->session);

  guint64 range_from = filter->has_from ? (guint64) MAX (filter->from, 0) : 0;
  guint64 range_to = filter->has_to ? (guint64) MAX (filter->to, 0) : filter->has_from ? G_MAXUINT64 : 0;

  cs_range_chart_set_range (CS_RANGE_CHART (self->overview), range_from, range_to);
  empty_box (self->chips);
  self->range_chip = NULL;
  if (filter->has_from || filter->has_to)
    {
      g_autofree char *from = cs_format_duration (filter->has_from && filter->from > 0 ? (guint64) filter->from : 0);
      g_autofree char *to = filter->has_to ? cs_format_duration (filter->to > 0 ? (guint64) filter->to : 0) : NULL;
      g_autofree char *text = g_strdup_printf ("%s – %s", from, to != NULL ? to : _("end"));

      self->range_chip = add_chip (self, "range", text);
      explain_range (self);
    }
  if (filter->thread != NULL)
    {
      g_autofree char *text = g_strdup_printf (_("Thread %s"), filter->thread);

      add_chip (self, "thread", text);
    }
  if (filter->pid != 0)
    {
      g_autofree char *text = g_strdup_printf (_("Process %u"), filter->pid);

      add_chip (self, "process", text);
    }
  if (filter->function != NULL)
    {
      g_autofree char *text = g_strdup_printf (_("In %s"), filter->function);

      add_chip (self, "function", text);
    }
  gtk_widget_set_visible (self->chips_scroller, !cs_profile_filter_is_empty (filter));
  show_progress (self);
}

static void
cs_recording_bar_dispose (GObject *object)
{
  CS_RECORDING_BAR (object)->range_chip = NULL;
  g_clear_object (&CS_RECORDING_BAR (object)->session);

  G_OBJECT_CLASS (cs_recording_bar_parent_class)->dispose (object);
}

static void
cs_recording_bar_finalize (GObject *object)
{
  g_strfreev (CS_RECORDING_BAR (object)->shown);

  G_OBJECT_CLASS (cs_recording_bar_parent_class)->finalize (object);
}

static void
cs_recording_bar_class_init (CsRecordingBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (CS_TYPE_OVERVIEW);
  G_OBJECT_CLASS (klass)->dispose = cs_recording_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_recording_bar_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/window/cs-recording-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, overview);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, reading);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, reading_text);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, progress);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, follow);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, cancel);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, again);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, chips_scroller);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, chips);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, notices);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, texts);
  gtk_widget_class_bind_template_child (widget_class, CsRecordingBar, more);
  gtk_widget_class_bind_template_callback (widget_class, show_notices);
  gtk_widget_class_bind_template_callback (widget_class, on_range_changed);
}

static void
cs_recording_bar_init (CsRecordingBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_recording_bar_set_session:
 * @self: a bar
 * @session: the window's; told once
 */
void
cs_recording_bar_set_session (CsRecordingBar *self, CsSession *session)
{
  g_return_if_fail (CS_IS_RECORDING_BAR (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (update_notices), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (on_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::progress", G_CALLBACK (show_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::growing", G_CALLBACK (show_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::follow", G_CALLBACK (show_progress), self, G_CONNECT_SWAPPED);
  g_object_bind_property (session, "follow", self->follow, "active", G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_signal_connect_object (session, "notify::timeline", G_CALLBACK (show_timeline), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::filter", G_CALLBACK (show_filter), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::visible", G_CALLBACK (show_visible), self, G_CONNECT_SWAPPED);
}
