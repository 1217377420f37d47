/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-longer.h"
#include "profile/cs-call-search.h"
#include "shared/cs-format.h"
#include "shared/cs-input.h"

#define MOST_LISTED 1000

/* The index of a function is one of a profile: of a newer one it has to be told again. */
#define UNKNOWN (G_MAXUINT - 1)

struct _CsTimelineLonger
{
  AdwBin parent_instance;

  GtkEntry *entry;
  GtkDropDown *scope;
  GtkStringList *scopes;
  GtkLabel *status;
  GtkSpinner *spinner;
  CsTimelineTable *table;

  CsTimelineNames *names; /* (nullable) */
  gboolean has_range;
  gint64 from, to;        /* ns, CLOCK_MONOTONIC */
  guint function;         /* index in the profile; G_MAXUINT: none; UNKNOWN: it isn't told yet */
  GCancellable *searching; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (CsTimelineLonger, cs_timeline_longer, ADW_TYPE_BIN)

enum { CALL_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { SCOPE_ANY, SCOPE_FUNCTION };

static void
stop_searching (CsTimelineLonger *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  if (self->spinner != NULL)
    gtk_spinner_set_spinning (self->spinner, FALSE);
}

static void
show_status (CsTimelineLonger *self, const char *text, gboolean error)
{
  gtk_label_set_text (self->status, text);
  cs_input_set_wrong (GTK_WIDGET (self->entry), GTK_WIDGET (self->entry), error);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CsTimelineLonger) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean more = FALSE;
  g_autoptr (GArray) calls = cs_call_search_find_finish (result, &more, &error);
  g_autofree char *n = NULL;
  g_autofree char *text = NULL;

  if (self->searching == NULL || g_task_get_cancellable (G_TASK (result)) != self->searching)
    return;
  stop_searching (self);
  if (calls == NULL)
    {
      show_status (self, error->message, FALSE);
      return;
    }
  cs_timeline_table_set_calls (self->table, self->names, calls);
  n = cs_format_count (calls->len);
  if (calls->len == 0)
    text = g_strdup (self->has_range ? _("No call in the selected range took that long") : _("No call took that long"));
  else if (more)
    text = g_strdup_printf (_("The longest %s; there are more"), n);
  else
    text = g_strdup_printf (ngettext ("%s call", "%s calls", calls->len), n);
  show_status (self, text, FALSE);
}

static void
search (CsTimelineLonger *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  CsCallSearch wanted = { .function = G_MAXUINT, .track = G_MAXUINT, .from = G_MININT64, .to = G_MAXINT64,
                          .longest = TRUE, .limit = MOST_LISTED };
  gint64 ns;

  stop_searching (self);
  cs_timeline_table_set_calls (self->table, NULL, NULL);
  if (self->names == NULL || cs_timeline_names_get_profile (self->names) == NULL || *stripped == '\0'
      || (gtk_drop_down_get_selected (self->scope) == SCOPE_FUNCTION && self->function >= UNKNOWN))
    {
      show_status (self, "", FALSE);
      return;
    }
  if (!cs_profile_filter_parse_time (stripped, &ns))
    {
      show_status (self, _("Not a duration — write a number and its unit: 200 us, 1.5 ms, 2 s"), TRUE);
      return;
    }
  wanted.min_length = (guint64) ns;
  if (gtk_drop_down_get_selected (self->scope) == SCOPE_FUNCTION)
    wanted.function = self->function;
  if (self->has_range)
    {
      wanted.from = self->from;
      wanted.to = self->to;
    }
  show_status (self, _("Searching…"), FALSE);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  self->searching = g_cancellable_new ();
  cs_call_search_find_async (cs_timeline_names_get_profile (self->names), cs_timeline_names_get_timeline (self->names),
                             &wanted, self->searching, on_found, g_object_ref (self));
}

static void
on_call_activated (CsTimelineLonger *self, const CsTimelineCall *call)
{
  g_signal_emit (self, signals[CALL_CHOSEN], 0, call);
}

/* Enter goes on to what was found. */
static void
on_entry_activate (CsTimelineLonger *self)
{
  if (g_list_model_get_n_items (cs_timeline_table_get_model (self->table)) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->table));
}

static gboolean
cs_timeline_longer_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_TIMELINE_LONGER (widget)->entry));
}

static void
cs_timeline_longer_dispose (GObject *object)
{
  CsTimelineLonger *self = CS_TIMELINE_LONGER (object);

  self->spinner = NULL;
  stop_searching (self);
  g_clear_pointer (&self->names, cs_timeline_names_unref);

  G_OBJECT_CLASS (cs_timeline_longer_parent_class)->dispose (object);
}

static void
cs_timeline_longer_class_init (CsTimelineLongerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_timeline_longer_dispose;
  widget_class->grab_focus = cs_timeline_longer_grab_focus;
  signals[CALL_CHOSEN] = g_signal_new ("call-chosen", CS_TYPE_TIMELINE_LONGER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_type_ensure (CS_TYPE_TIMELINE_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/timeline/cs-timeline-longer.ui");
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, entry);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, scope);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, scopes);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, status);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, spinner);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineLonger, table);
  gtk_widget_class_bind_template_callback (widget_class, search);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_call_activated);
}

static void
cs_timeline_longer_init (CsTimelineLonger *self)
{
  self->function = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  cs_timeline_table_set_compact (self->table);
  cs_timeline_table_set_column_shown (self->table, CS_TIMELINE_COLUMN_DEPTH, FALSE);
  cs_timeline_table_sort (self->table, CS_TIMELINE_COLUMN_DURATION, GTK_SORT_DESCENDING);
}

/**
 * cs_timeline_longer_set_names:
 * @self: a search
 * @names: (nullable): of the recording in which calls are looked for
 *
 * cs_timeline_longer_set_function() is to follow.
 */
void
cs_timeline_longer_set_names (CsTimelineLonger *self, CsTimelineNames *names)
{
  if (names == self->names)
    return;
  g_clear_pointer (&self->names, cs_timeline_names_unref);
  self->names = names != NULL ? cs_timeline_names_ref (names) : NULL;
  self->function = UNKNOWN;
  search (self);
}

/**
 * cs_timeline_longer_set_range:
 * @self: a search
 * @has_range: whether only a part of the time is searched
 * @from: ns of CLOCK_MONOTONIC
 * @to: the end, which is not in it
 */
void
cs_timeline_longer_set_range (CsTimelineLonger *self, gboolean has_range, gint64 from, gint64 to)
{
  if (self->has_range == has_range && (!has_range || (self->from == from && self->to == to)))
    return;
  self->has_range = has_range;
  self->from = from;
  self->to = to;
  search (self);
}

/**
 * cs_timeline_longer_set_function:
 * @self: a search
 * @function: index of the function that may be searched alone; %G_MAXUINT: none
 * @name: (nullable): what it is called
 */
void
cs_timeline_longer_set_function (CsTimelineLonger *self, guint function, const char *name)
{
  guint selected = gtk_drop_down_get_selected (self->scope);
  const char *texts[] = { NULL, NULL };

  if (function == self->function)
    return;
  self->function = function;
  if (function != G_MAXUINT)
    texts[0] = name;
  gtk_string_list_splice (self->scopes, SCOPE_FUNCTION,
                          g_list_model_get_n_items (G_LIST_MODEL (self->scopes)) - SCOPE_FUNCTION, texts);
  if (function == G_MAXUINT)
    gtk_drop_down_set_selected (self->scope, SCOPE_ANY);
  else if (selected == SCOPE_FUNCTION)
    {
      gtk_drop_down_set_selected (self->scope, SCOPE_FUNCTION);
      search (self);
    }
}

/**
 * cs_timeline_longer_search:
 * @self: a search
 * @duration: as a person types it
 * @of_function: whether only the function is searched that was set
 */
void
cs_timeline_longer_search (CsTimelineLonger *self, const char *duration, gboolean of_function)
{
  gtk_drop_down_set_selected (self->scope, of_function && self->function < UNKNOWN ? SCOPE_FUNCTION : SCOPE_ANY);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), duration);
}

/**
 * cs_timeline_longer_get_busy:
 * @self: a search
 *
 * Returns: whether calls are still looked for
 */
gboolean
cs_timeline_longer_get_busy (CsTimelineLonger *self)
{
  return self->searching != NULL;
}

/**
 * cs_timeline_longer_get_table:
 * @self: a search
 *
 * Returns: (transfer none): what was found
 */
CsTimelineTable *
cs_timeline_longer_get_table (CsTimelineLonger *self)
{
  return self->table;
}

/**
 * cs_timeline_longer_get_status:
 * @self: a search
 *
 * Returns: how it went, or what is wrong with the duration
 */
const char *
cs_timeline_longer_get_status (CsTimelineLonger *self)
{
  return gtk_label_get_text (self->status);
}
