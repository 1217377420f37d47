/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "select/cs-choice-row.h"

#define INDENT 18
#define ARROW 18
#define GAP 6
#define EDGE 6
#define CELL 76              /* a column's width */
#define ACTION 92            /* the button's */
#define LEAST_WIDTH 120
#define ROOM_FOR_CELLS 460   /* narrower rows show no columns */

enum
{
  TEXT_NAME,
  TEXT_SUFFIX,
  TEXT_BADGE,
  TEXT_PILL,
  TEXT_CELL_0,
  TEXT_CELL_1,
  N_TEXTS
};

struct _CsChoiceRow
{
  GtkWidget parent_instance;

  GtkWidget *check;
  GtkWidget *action;     /* (nullable): made once it is needed */
  GtkListItem *list_item; /* (nullable) (unowned): what it is bound to */
  char *texts[N_TEXTS];
  PangoLayout *layouts[N_TEXTS]; /* (nullable): made when they are painted */
  char *tooltip, *label;
  guint depth;
  int height; /* 0: not measured yet */
  gboolean has_arrow, expandable, expanded, heading, dim, monospace;
  CsBox box;
  gboolean setting; /* the box is set by the content */
};

enum
{
  TOGGLED,
  ARROW_CLICKED,
  ACTION_CLICKED,
  MENU_REQUESTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsChoiceRow, cs_choice_row, GTK_TYPE_WIDGET)

static int
get_box_start (CsChoiceRow *self)
{
  return EDGE + (int) self->depth * INDENT + (self->has_arrow ? ARROW : 0);
}

/* All rows of a list have one height, whatever they show. */
static int
measure_height (CsChoiceRow *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int size = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics)) + 12, least = 0;

  pango_font_metrics_unref (metrics);
  gtk_widget_measure (self->check, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  size = MAX (size, least);
  if (self->action != NULL)
    {
      gtk_widget_measure (self->action, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
      size = MAX (size, least + 2);
    }
  return size;
}

static void
cs_choice_row_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  CsChoiceRow *self = CS_CHOICE_ROW (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL && self->height == 0)
    self->height = measure_height (self);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : self->height;
}

static void
place (CsChoiceRow *self, GtkWidget *child, int start, int width, int height)
{
  int row_width = gtk_widget_get_width (GTK_WIDGET (self));
  int row_height = gtk_widget_get_height (GTK_WIDGET (self));
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  GtkAllocation area = { mirrored ? row_width - start - width : start, (row_height - height) / 2, width, height };

  gtk_widget_size_allocate (child, &area, -1);
}

static void
cs_choice_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsChoiceRow *self = CS_CHOICE_ROW (widget);
  GtkRequisition size;

  if (gtk_widget_should_layout (self->check))
    {
      gtk_widget_get_preferred_size (self->check, &size, NULL);
      place (self, self->check, get_box_start (self), size.width, size.height);
    }
  if (self->action != NULL && gtk_widget_should_layout (self->action))
    {
      gtk_widget_get_preferred_size (self->action, &size, NULL);
      place (self, self->action, width - EDGE - MAX (ACTION, size.width), MAX (ACTION, size.width), size.height);
    }
}

static PangoLayout *
get_layout (CsChoiceRow *self, guint text)
{
  g_autoptr (PangoAttrList) attributes = NULL;

  if (self->texts[text] == NULL)
    return NULL;
  if (self->layouts[text] != NULL)
    return self->layouts[text];
  self->layouts[text] = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->texts[text]);
  attributes = pango_attr_list_new ();
  if (self->monospace && text <= TEXT_SUFFIX)
    pango_attr_list_insert (attributes, pango_attr_family_new ("monospace"));
  if (text == TEXT_BADGE || text == TEXT_PILL || text >= TEXT_CELL_0 || (self->heading && !self->has_arrow))
    pango_attr_list_insert (attributes, pango_attr_scale_new (0.88));
  if (text >= TEXT_PILL)
    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (self->layouts[text], attributes);
  pango_layout_set_single_paragraph_mode (self->layouts[text], TRUE);
  return self->layouts[text];
}

/* Where the next text goes: from both ends of the row. */
typedef struct
{
  CsChoiceRow *self;
  GtkSnapshot *snapshot;
  GdkRGBA color;
  int start, end; /* free space, from the row's start */
} Painter;

static void
paint_layout (Painter *painter, PangoLayout *layout, int start, int width, double alpha)
{
  GtkWidget *widget = GTK_WIDGET (painter->self);
  GdkRGBA color = painter->color;
  int height;
  int x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? gtk_widget_get_width (widget) - start - width : start;

  pango_layout_get_pixel_size (layout, NULL, &height);
  color.alpha *= (float) alpha;
  gtk_snapshot_save (painter->snapshot);
  gtk_snapshot_translate (painter->snapshot,
                          &GRAPHENE_POINT_INIT ((float) x, (float) ((gtk_widget_get_height (widget) - height) / 2)));
  gtk_snapshot_append_layout (painter->snapshot, layout, &color);
  gtk_snapshot_restore (painter->snapshot);
}

/* A text on a rounded ground. */
static void
paint_pill (Painter *painter, PangoLayout *layout, int start, int width)
{
  GtkWidget *widget = GTK_WIDGET (painter->self);
  int row_width = gtk_widget_get_width (widget), row_height = gtk_widget_get_height (widget);
  int height, text_width;
  GdkRGBA ground = painter->color;
  GskRoundedRect shape;
  graphene_rect_t bounds;

  pango_layout_get_pixel_size (layout, &text_width, &height);
  height += 4;
  bounds = GRAPHENE_RECT_INIT ((float) (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? row_width - start - width : start),
                               (float) ((row_height - height) / 2), (float) width, (float) height);
  ground.alpha *= .1f;
  gsk_rounded_rect_init_from_rect (&shape, &bounds, (float) height / 2);
  gtk_snapshot_push_rounded_clip (painter->snapshot, &shape);
  gtk_snapshot_append_color (painter->snapshot, &ground, &bounds);
  gtk_snapshot_pop (painter->snapshot);
  paint_layout (painter, layout, start + (width - text_width) / 2, text_width, .75);
}

static void
paint_arrow (Painter *painter)
{
  CsChoiceRow *self = painter->self;
  GtkWidget *widget = GTK_WIDGET (self);
  GtkTextDirection direction = gtk_widget_get_direction (widget);
  int start = EDGE + (int) self->depth * INDENT;
  int x = direction == GTK_TEXT_DIR_RTL ? gtk_widget_get_width (widget) - start - 16 : start;
  g_autoptr (GtkIconPaintable) icon =
      gtk_icon_theme_lookup_icon (gtk_icon_theme_get_for_display (gtk_widget_get_display (widget)),
                                  self->expanded ? "pan-down-symbolic" : "pan-end-symbolic", NULL, 16,
                                  gtk_widget_get_scale_factor (widget), direction, 0);

  gtk_snapshot_save (painter->snapshot);
  gtk_snapshot_translate (painter->snapshot,
                          &GRAPHENE_POINT_INIT ((float) x, (float) ((gtk_widget_get_height (widget) - 16) / 2)));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), painter->snapshot, 16, 16, &painter->color, 1);
  gtk_snapshot_restore (painter->snapshot);
}

static void
paint_end (Painter *painter)
{
  CsChoiceRow *self = painter->self;
  PangoLayout *pill = get_layout (self, TEXT_PILL);
  int width;

  /* Headings of columns stand above these. */
  if (self->texts[TEXT_CELL_0] != NULL)
    painter->end -= ACTION + GAP;
  if (pill != NULL)
    {
      pango_layout_get_pixel_size (pill, &width, NULL);
      width = MAX (width + 16, 34);
      painter->end -= width;
      paint_pill (painter, pill, painter->end, width);
      painter->end -= GAP;
    }
  if (gtk_widget_get_width (GTK_WIDGET (self)) < ROOM_FOR_CELLS)
    return;
  for (int i = 1; i >= 0; i--)
    {
      PangoLayout *cell = get_layout (self, (guint) (TEXT_CELL_0 + i));

      if (cell == NULL)
        continue;
      pango_layout_get_pixel_size (cell, &width, NULL);
      paint_layout (painter, cell, painter->end - width - GAP, width, .7);
      painter->end -= CELL;
    }
}

static void
paint_start (Painter *painter)
{
  CsChoiceRow *self = painter->self;
  PangoLayout *name = get_layout (self, TEXT_NAME), *suffix = get_layout (self, TEXT_SUFFIX);
  PangoLayout *badge = get_layout (self, TEXT_BADGE);
  int name_width, suffix_width = 0, badge_width = 0, room;

  if (suffix != NULL)
    pango_layout_get_pixel_size (suffix, &suffix_width, NULL);
  if (badge != NULL)
    {
      pango_layout_get_pixel_size (badge, &badge_width, NULL);
      badge_width += 16 + 2 * GAP;
    }
  room = painter->end - painter->start - suffix_width - badge_width;
  if (room < 80 && badge_width > 0)
    {
      room += badge_width;
      badge = NULL;
    }
  pango_layout_set_width (name, -1);
  pango_layout_get_pixel_size (name, &name_width, NULL);
  if (name_width > room)
    {
      name_width = MAX (room, 20);
      pango_layout_set_width (name, name_width * PANGO_SCALE);
      pango_layout_set_ellipsize (name, self->heading ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_MIDDLE);
    }
  paint_layout (painter, name, painter->start, name_width, self->dim || (self->heading && !self->has_arrow) ? .6 : 1);
  painter->start += name_width;
  if (suffix != NULL)
    paint_layout (painter, suffix, painter->start, suffix_width, .6);
  painter->start += suffix_width;
  if (badge != NULL)
    paint_pill (painter, badge, painter->start + 2 * GAP, badge_width - 2 * GAP);
}

static void
cs_choice_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CsChoiceRow *self = CS_CHOICE_ROW (widget);
  Painter painter = { self, snapshot, { 0 }, get_box_start (self), gtk_widget_get_width (widget) - EDGE };

  if (self->texts[TEXT_NAME] == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &painter.color);
  if (self->has_arrow && self->expandable)
    paint_arrow (&painter);
  if (gtk_widget_should_layout (self->check))
    {
      painter.start += gtk_widget_get_width (self->check) + GAP;
      gtk_widget_snapshot_child (widget, self->check, snapshot);
    }
  paint_end (&painter);
  paint_start (&painter);
  if (self->action != NULL && gtk_widget_should_layout (self->action))
    gtk_widget_snapshot_child (widget, self->action, snapshot);
}

static void
drop_layouts (CsChoiceRow *self)
{
  for (guint i = 0; i < N_TEXTS; i++)
    g_clear_object (&self->layouts[i]);
}

static void
cs_choice_row_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (cs_choice_row_parent_class)->css_changed (widget, change);
  drop_layouts (CS_CHOICE_ROW (widget));
  CS_CHOICE_ROW (widget)->height = 0;
}

static void
cs_choice_row_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  GTK_WIDGET_CLASS (cs_choice_row_parent_class)->direction_changed (widget, previous);
  drop_layouts (CS_CHOICE_ROW (widget));
}

static gboolean
cs_choice_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  CsChoiceRow *self = CS_CHOICE_ROW (widget);

  if (self->tooltip == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, self->tooltip);
  return TRUE;
}

static void
on_check_toggled (CsChoiceRow *self)
{
  if (!self->setting)
    g_signal_emit (self, signals[TOGGLED], 0);
}

static void
on_action_clicked (CsChoiceRow *self)
{
  g_signal_emit (self, signals[ACTION_CLICKED], 0);
}

static void
on_pressed (CsChoiceRow *self, int n_press, double x, double y, GtkGestureClick *click)
{
  int start = EDGE + (int) self->depth * INDENT;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  double from_start = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? width - x : x;

  if (gdk_event_triggers_context_menu (gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (click))))
    g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
  else if (gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click)) == GDK_BUTTON_PRIMARY && self->has_arrow
           && self->expandable && from_start >= start - 2 && from_start < start + ARROW)
    {
      gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
      g_signal_emit (self, signals[ARROW_CLICKED], 0);
    }
}

static void
cs_choice_row_dispose (GObject *object)
{
  CsChoiceRow *self = CS_CHOICE_ROW (object);

  g_clear_pointer (&self->check, gtk_widget_unparent);
  g_clear_pointer (&self->action, gtk_widget_unparent);
  drop_layouts (self);

  G_OBJECT_CLASS (cs_choice_row_parent_class)->dispose (object);
}

static void
cs_choice_row_finalize (GObject *object)
{
  CsChoiceRow *self = CS_CHOICE_ROW (object);

  for (guint i = 0; i < N_TEXTS; i++)
    g_free (self->texts[i]);
  g_free (self->tooltip);
  g_free (self->label);

  G_OBJECT_CLASS (cs_choice_row_parent_class)->finalize (object);
}

static void
cs_choice_row_class_init (CsChoiceRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cs_choice_row_dispose;
  object_class->finalize = cs_choice_row_finalize;
  widget_class->measure = cs_choice_row_measure;
  widget_class->size_allocate = cs_choice_row_size_allocate;
  widget_class->snapshot = cs_choice_row_snapshot;
  widget_class->css_changed = cs_choice_row_css_changed;
  widget_class->direction_changed = cs_choice_row_direction_changed;
  widget_class->query_tooltip = cs_choice_row_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "choicerow");

  signals[TOGGLED] = g_signal_new ("toggled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[ARROW_CLICKED] = g_signal_new ("arrow-clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[ACTION_CLICKED] = g_signal_new ("action-clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
  signals[MENU_REQUESTED] = g_signal_new ("menu-requested", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
cs_choice_row_init (CsChoiceRow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  /* The list's row has the focus, and its keys do what the box and the button do. */
  self->check = gtk_check_button_new ();
  gtk_widget_set_focusable (self->check, FALSE);
  gtk_widget_set_focus_on_click (self->check, FALSE);
  gtk_widget_set_parent (self->check, GTK_WIDGET (self));
  g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (on_check_toggled), self);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/**
 * cs_choice_row_new:
 *
 * Returns: a row without content
 */
GtkWidget *
cs_choice_row_new (void)
{
  return g_object_new (CS_TYPE_CHOICE_ROW, NULL);
}

static gboolean
set_text (CsChoiceRow *self, guint text, const char *value)
{
  if (g_strcmp0 (self->texts[text], value) == 0)
    return FALSE;
  g_free (self->texts[text]);
  self->texts[text] = g_strdup (value);
  g_clear_object (&self->layouts[text]);
  return TRUE;
}

static void
set_box (CsChoiceRow *self, const CsChoiceRowContent *content)
{
  self->setting = TRUE;
  gtk_widget_set_visible (self->check, content->box != CS_BOX_NONE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), content->box == CS_BOX_ON);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (self->check), content->box == CS_BOX_PARTLY);
  gtk_widget_set_sensitive (self->check, content->box_sensitive);
  if (content->box_label != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, content->box_label, -1);
  self->box = content->box;
  self->setting = FALSE;
}

static void
set_action (CsChoiceRow *self, const char *action)
{
  if (action != NULL && self->action == NULL)
    {
      self->height = 0;
      self->action = gtk_button_new ();
      gtk_widget_set_focusable (self->action, FALSE);
      gtk_widget_set_focus_on_click (self->action, FALSE);
      gtk_widget_add_css_class (self->action, "choice-action");
      gtk_widget_set_parent (self->action, GTK_WIDGET (self));
      g_signal_connect_swapped (self->action, "clicked", G_CALLBACK (on_action_clicked), self);
    }
  if (self->action == NULL)
    return;
  gtk_widget_set_visible (self->action, action != NULL);
  if (action != NULL && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (self->action)), action) != 0)
    gtk_button_set_label (GTK_BUTTON (self->action), action);
}

/**
 * cs_choice_row_set_content:
 * @self: a row
 * @content: what it shows; copied
 */
void
cs_choice_row_set_content (CsChoiceRow *self, const CsChoiceRowContent *content)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  gboolean moved = self->depth != content->depth || self->has_arrow != content->has_arrow;
  gboolean changed = moved || self->expandable != content->expandable || self->expanded != content->expanded
                     || self->dim != content->dim;
  const char *texts[N_TEXTS] = { content->name,     content->suffix,   content->badge,
                                 content->pill,     content->cells[0], content->cells[1] };

  g_return_if_fail (CS_IS_CHOICE_ROW (self));

  if (self->heading != content->heading || self->monospace != content->monospace)
    drop_layouts (self);
  self->depth = content->depth;
  self->has_arrow = content->has_arrow;
  self->expandable = content->expandable;
  self->expanded = content->expanded;
  self->heading = content->heading;
  self->dim = content->dim;
  self->monospace = content->monospace;
  for (guint i = 0; i < N_TEXTS; i++)
    changed |= set_text (self, i, texts[i]);
  set_box (self, content);
  set_action (self, content->action);
  g_free (self->tooltip);
  self->tooltip = g_strdup (content->tooltip);
  if (g_strcmp0 (self->label, content->label) != 0)
    {
      g_free (self->label);
      self->label = g_strdup (content->label);
      /* The list's own row around this has the focus. */
      if (parent != NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LABEL, self->label, -1);
    }
  if (parent != NULL && content->has_arrow && content->expandable)
    gtk_accessible_update_state (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_STATE_EXPANDED, content->expanded, -1);
  else if (parent != NULL && content->has_arrow)
    gtk_accessible_reset_state (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_STATE_EXPANDED);
  if (moved)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  /* Most rows stay as they are while sources are scanned. */
  if (changed)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cs_choice_row_get_label:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what a screen reader says of it
 */
const char *
cs_choice_row_get_label (CsChoiceRow *self)
{
  return self->label;
}

/**
 * cs_choice_row_set_list_item:
 * @self: a row
 * @list_item: (nullable): what it is bound to
 */
void
cs_choice_row_set_list_item (CsChoiceRow *self, GtkListItem *list_item)
{
  self->list_item = list_item;
}

/**
 * cs_choice_row_get_list_item:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): what it is bound to
 */
GtkListItem *
cs_choice_row_get_list_item (CsChoiceRow *self)
{
  return self->list_item;
}

/**
 * cs_choice_row_get_action_button:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): the button at its end
 */
GtkWidget *
cs_choice_row_get_action_button (CsChoiceRow *self)
{
  return self->action != NULL && gtk_widget_get_visible (self->action) ? self->action : NULL;
}

/**
 * cs_choice_row_get_box:
 * @self: a row
 *
 * Returns: (transfer none): its check box
 */
GtkWidget *
cs_choice_row_get_box (CsChoiceRow *self)
{
  return self->check;
}

/**
 * cs_choice_row_find_focused:
 * @list: a list of such rows
 *
 * Returns: (transfer none) (nullable): the row in it that has the focus
 */
CsChoiceRow *
cs_choice_row_find_focused (GtkWidget *list)
{
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *child;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, list))
    return NULL;
  if (CS_IS_CHOICE_ROW (focus))
    return CS_CHOICE_ROW (focus);
  child = gtk_widget_get_first_child (focus);
  return child != NULL && CS_IS_CHOICE_ROW (child) ? CS_CHOICE_ROW (child) : NULL;
}

/**
 * cs_choice_list_set_up:
 * @list: a list whose rows are to be #CsChoiceRow
 * @setup: called with @data and a list item that is to get its row
 * @bind: called with @data and a list item that is to show its item
 * @unbind: called with @data and a list item that isn't to show it any more
 * @key: called with @data and a key, before the list gets it
 * @data: lives as long as the list
 */
void
cs_choice_list_set_up (GtkListView *list, GCallback setup, GCallback bind, GCallback unbind, GCallback key,
                       gpointer data)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_swapped (factory, "setup", setup, data);
  g_signal_connect_swapped (factory, "bind", bind, data);
  g_signal_connect_swapped (factory, "unbind", unbind, data);
  gtk_list_view_set_factory (list, factory);
  g_object_unref (factory);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", key, data);
  gtk_widget_add_controller (GTK_WIDGET (list), keys);
}
