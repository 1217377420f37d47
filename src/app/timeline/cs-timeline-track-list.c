/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "timeline/cs-timeline-track-list.h"

struct _CsTimelineTrackList
{
  AdwBin parent_instance;

  GtkSearchEntry *filter;
  GtkListView *list;
  GtkCheckButton *only_in_range;
  GtkSpinButton *depth;

  CsTimelineTracks *tracks; /* (nullable) */
  GtkFilter *matching;      /* (nullable): what the list leaves out */
  char *text;               /* (nullable): by which it was filtered */
  gboolean updating;        /* widgets are made to show what is */
};

G_DEFINE_FINAL_TYPE (CsTimelineTrackList, cs_timeline_track_list, ADW_TYPE_BIN)

/* A row's widgets, on its box. */
#define ROW "callsight-row"

typedef struct
{
  CsTimelineTrackList *list;
  CsTrackItem *item; /* (nullable) */
  gulong changed;
  GtkCheckButton *shown;
  GtkLabel *title, *subtitle;
  GtkToggleButton *pinned;
  GtkWidget *up, *down;
  gboolean updating;
} Row;

static void
show_row (Row *row)
{
  CsTimelineTracks *tracks = row->list->tracks;
  guint track = cs_track_item_get_track (row->item);

  row->updating = TRUE;
  gtk_check_button_set_active (row->shown, !cs_track_item_get_hidden (row->item));
  gtk_toggle_button_set_active (row->pinned, cs_track_item_get_pinned (row->item));
  gtk_label_set_text (row->title, cs_track_item_get_title (row->item));
  gtk_label_set_text (row->subtitle, cs_track_item_get_subtitle (row->item));
  gtk_widget_set_sensitive (row->up, cs_timeline_tracks_can_move (tracks, track, -1));
  gtk_widget_set_sensitive (row->down, cs_timeline_tracks_can_move (tracks, track, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->shown), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  cs_track_item_get_title (row->item), -1);
  row->updating = FALSE;
}

static void
on_shown (GtkCheckButton *button, Row *row)
{
  if (!row->updating && row->item != NULL)
    cs_timeline_tracks_set_hidden (row->list->tracks, cs_track_item_get_track (row->item),
                                   !gtk_check_button_get_active (button));
}

static void
on_pinned (GtkToggleButton *button, Row *row)
{
  if (!row->updating && row->item != NULL)
    cs_timeline_tracks_set_pinned (row->list->tracks, cs_track_item_get_track (row->item),
                                   gtk_toggle_button_get_active (button));
}

static void
on_up (GtkButton *button, Row *row)
{
  if (row->item != NULL)
    cs_timeline_tracks_move (row->list->tracks, cs_track_item_get_track (row->item), -1);
}

static void
on_down (GtkButton *button, Row *row)
{
  if (row->item != NULL)
    cs_timeline_tracks_move (row->list->tracks, cs_track_item_get_track (row->item), 1);
}

static void
name_button (GtkWidget *button, const char *name)
{
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
make_label (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
set_up_row (CsTimelineTrackList *self, GtkListItem *list_item)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  row->list = self;
  row->shown = GTK_CHECK_BUTTON (gtk_check_button_new ());
  row->pinned = GTK_TOGGLE_BUTTON (gtk_toggle_button_new ());
  row->up = gtk_button_new_from_icon_name ("go-up-symbolic");
  row->down = gtk_button_new_from_icon_name ("go-down-symbolic");
  gtk_button_set_icon_name (GTK_BUTTON (row->pinned), "view-pin-symbolic");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  row->title = GTK_LABEL (make_label (texts));
  row->subtitle = GTK_LABEL (make_label (texts));
  gtk_widget_add_css_class (GTK_WIDGET (row->subtitle), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (row->subtitle), "dim-label");
  gtk_widget_set_tooltip_text (GTK_WIDGET (row->shown), _("Show"));
  name_button (GTK_WIDGET (row->pinned), _("Pin above All Threads"));
  name_button (row->up, _("Move Up"));
  name_button (row->down, _("Move Down"));
  g_signal_connect (row->shown, "toggled", G_CALLBACK (on_shown), row);
  g_signal_connect (row->pinned, "toggled", G_CALLBACK (on_pinned), row);
  g_signal_connect (row->up, "clicked", G_CALLBACK (on_up), row);
  g_signal_connect (row->down, "clicked", G_CALLBACK (on_down), row);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (row->shown));
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), row->up);
  gtk_box_append (GTK_BOX (box), row->down);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (row->pinned));
  g_object_set_data_full (G_OBJECT (box), ROW, row, g_free);
  gtk_list_item_set_child (list_item, box);
  gtk_list_item_set_activatable (list_item, FALSE);
}

static Row *
get_row (GtkListItem *list_item)
{
  return g_object_get_data (G_OBJECT (gtk_list_item_get_child (list_item)), ROW);
}

static void
bind_row (CsTimelineTrackList *self, GtkListItem *list_item)
{
  Row *row = get_row (list_item);

  row->item = gtk_list_item_get_item (list_item);
  row->changed = g_signal_connect_swapped (row->item, "changed", G_CALLBACK (show_row), row);
  show_row (row);
}

static void
unbind_row (CsTimelineTrackList *self, GtkListItem *list_item)
{
  Row *row = get_row (list_item);

  if (row == NULL || row->item == NULL)
    return;
  g_signal_handler_disconnect (row->item, row->changed);
  row->item = NULL;
}

/* What the person typed. */
static void
on_filter_changed (CsTimelineTrackList *self)
{
  if (self->tracks != NULL && !self->updating)
    cs_timeline_tracks_set_text (self->tracks, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
on_only_in_range (CsTimelineTrackList *self)
{
  if (self->tracks != NULL && !self->updating)
    cs_timeline_tracks_set_only_in_range (self->tracks, gtk_check_button_get_active (self->only_in_range));
}

static void
on_depth (CsTimelineTrackList *self)
{
  if (self->tracks != NULL && !self->updating)
    cs_timeline_tracks_set_depth_limit (self->tracks, (guint) gtk_spin_button_get_value_as_int (self->depth));
}

/* No limit is a word. */
static gboolean
on_depth_output (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value_as_int (spin) > 0)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (spin), _("All"));
  return TRUE;
}

static int
on_depth_input (GtkSpinButton *spin, double *value)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  guint64 number;

  if (g_ascii_string_to_unsigned (text, 10, 0, 100000, &number, NULL))
    *value = (double) number;
  else if (g_utf8_collate (text, _("All")) == 0 || *text == '\0')
    *value = 0;
  else
    return GTK_INPUT_ERROR;
  return TRUE;
}

static void
on_tracks_changed (CsTimelineTrackList *self)
{
  const char *text = cs_timeline_tracks_get_text (self->tracks);

  self->updating = TRUE;
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->filter)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->filter), text);
  gtk_check_button_set_active (self->only_in_range, cs_timeline_tracks_get_only_in_range (self->tracks));
  gtk_spin_button_set_value (self->depth, cs_timeline_tracks_get_depth_limit (self->tracks));
  self->updating = FALSE;
  if (g_strcmp0 (self->text, text) == 0)
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  gtk_filter_changed (self->matching, GTK_FILTER_CHANGE_DIFFERENT);
}

static gboolean
cs_timeline_track_list_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_TIMELINE_TRACK_LIST (widget)->filter));
}

static void
cs_timeline_track_list_dispose (GObject *object)
{
  CsTimelineTrackList *self = CS_TIMELINE_TRACK_LIST (object);

  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_object (&self->matching);
  g_clear_pointer (&self->text, g_free);
  g_clear_object (&self->tracks);

  G_OBJECT_CLASS (cs_timeline_track_list_parent_class)->dispose (object);
}

static void
cs_timeline_track_list_class_init (CsTimelineTrackListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_timeline_track_list_dispose;
  widget_class->grab_focus = cs_timeline_track_list_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/callsight/Callsight/timeline/cs-timeline-track-list.ui");
  gtk_widget_class_bind_template_child (widget_class, CsTimelineTrackList, filter);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineTrackList, list);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineTrackList, only_in_range);
  gtk_widget_class_bind_template_child (widget_class, CsTimelineTrackList, depth);
  gtk_widget_class_bind_template_callback (widget_class, set_up_row);
  gtk_widget_class_bind_template_callback (widget_class, bind_row);
  gtk_widget_class_bind_template_callback (widget_class, unbind_row);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_only_in_range);
  gtk_widget_class_bind_template_callback (widget_class, on_depth);
  gtk_widget_class_bind_template_callback (widget_class, on_depth_output);
  gtk_widget_class_bind_template_callback (widget_class, on_depth_input);
}

static void
cs_timeline_track_list_init (CsTimelineTrackList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static gboolean
matches (gpointer item, gpointer text_of)
{
  return cs_track_item_matches (item, cs_timeline_tracks_get_text (text_of));
}

/**
 * cs_timeline_track_list_set_tracks:
 * @self: a list
 * @tracks: what it shows
 */
void
cs_timeline_track_list_set_tracks (CsTimelineTrackList *self, CsTimelineTracks *tracks)
{
  GListModel *model = cs_timeline_tracks_get_model (tracks);
  g_autoptr (GtkSelectionModel) shown = NULL;

  g_return_if_fail (self->tracks == NULL);

  self->tracks = g_object_ref (tracks);
  self->matching = GTK_FILTER (gtk_custom_filter_new (matches, tracks, NULL));
  shown = GTK_SELECTION_MODEL (gtk_no_selection_new (
      G_LIST_MODEL (gtk_filter_list_model_new (g_object_ref (model), g_object_ref (self->matching)))));
  gtk_list_view_set_model (self->list, shown);
  g_signal_connect_object (tracks, "changed", G_CALLBACK (on_tracks_changed), self, G_CONNECT_SWAPPED);
}
