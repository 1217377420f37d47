/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "flame/cs-flame-toolbar.h"

#define SPACING 6

/* Less room for the first child is none. */
#define LEAST_START 240

struct _CsFlameToolbar
{
  GtkWidget parent_instance;
};

static void cs_flame_toolbar_init_buildable (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CsFlameToolbar, cs_flame_toolbar, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, cs_flame_toolbar_init_buildable))

typedef struct
{
  GtkWidget *start, *middle, *end;
} Children;

static Children
get_children (GtkWidget *widget)
{
  Children children = { gtk_widget_get_first_child (widget), NULL, gtk_widget_get_last_child (widget) };

  children.middle = gtk_widget_get_next_sibling (children.start);
  return children;
}

static int
measure (GtkWidget *child, GtkOrientation orientation, int for_size, gboolean natural)
{
  int least, most;

  gtk_widget_measure (child, orientation, for_size, &least, &most, NULL, NULL);
  return natural ? most : least;
}

static int
get_least_start (const Children *children)
{
  return MAX (LEAST_START, measure (children->start, GTK_ORIENTATION_HORIZONTAL, -1, FALSE));
}

/* Whether it takes two rows. */
static gboolean
is_narrow (const Children *children, int width)
{
  return width < get_least_start (children) + measure (children->middle, GTK_ORIENTATION_HORIZONTAL, -1, FALSE)
                     + measure (children->end, GTK_ORIENTATION_HORIZONTAL, -1, FALSE) + 2 * SPACING;
}

static GtkSizeRequestMode
cs_flame_toolbar_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
cs_flame_toolbar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  Children children = get_children (widget);
  const GtkOrientation across = GTK_ORIENTATION_HORIZONTAL;
  int middle;

  if (orientation == across)
    {
      *minimum = MAX (measure (children.middle, across, -1, FALSE),
                      measure (children.start, across, -1, FALSE) + SPACING + measure (children.end, across, -1, FALSE));
      *natural = get_least_start (&children) + measure (children.middle, across, -1, TRUE)
                 + measure (children.end, across, -1, TRUE) + 2 * SPACING;
      return;
    }
  middle = measure (children.middle, orientation, -1, FALSE);
  *minimum = MAX (measure (children.start, orientation, -1, FALSE), measure (children.end, orientation, -1, FALSE));
  *minimum = for_size >= 0 && is_narrow (&children, for_size) ? *minimum + SPACING + middle : MAX (*minimum, middle);
  *natural = *minimum;
}

static void
allocate (GtkWidget *widget, GtkWidget *child, int x, int y, int width, int height)
{
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    x = gtk_widget_get_width (widget) - x - width;
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
cs_flame_toolbar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  Children children = get_children (widget);
  const GtkOrientation across = GTK_ORIENTATION_HORIZONTAL;
  gboolean narrow = is_narrow (&children, width);
  int middle_least = measure (children.middle, across, -1, FALSE), middle_most = measure (children.middle, across, -1, TRUE);
  int end_least = measure (children.end, across, -1, FALSE), end_most = measure (children.end, across, -1, TRUE);
  int middle_height = measure (children.middle, GTK_ORIENTATION_VERTICAL, -1, FALSE);
  int row = narrow ? height - SPACING - middle_height : height;
  int room, end, middle;

  if (narrow)
    {
      room = width - SPACING - measure (children.start, across, -1, FALSE);
      end = room >= end_most + LEAST_START / 2 ? end_most : end_least;
      allocate (widget, children.start, 0, 0, width - SPACING - end, row);
      allocate (widget, children.end, width - end, 0, end, row);
      allocate (widget, children.middle, 0, row + SPACING, width, middle_height);
      return;
    }
  /* The last gets what it wants, or shows less at once. */
  room = width - get_least_start (&children) - 2 * SPACING;
  end = room >= end_most + middle_least ? end_most : end_least;
  middle = CLAMP (room - end, middle_least, middle_most);
  allocate (widget, children.start, 0, 0, width - middle - end - 2 * SPACING, row);
  allocate (widget, children.middle, width - end - SPACING - middle, 0, middle, row);
  allocate (widget, children.end, width - end, 0, end, row);
}

static void
cs_flame_toolbar_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (cs_flame_toolbar_parent_class)->dispose (object);
}

static void
cs_flame_toolbar_class_init (CsFlameToolbarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_flame_toolbar_dispose;
  widget_class->get_request_mode = cs_flame_toolbar_get_request_mode;
  widget_class->measure = cs_flame_toolbar_measure;
  widget_class->size_allocate = cs_flame_toolbar_size_allocate;
}

static void
cs_flame_toolbar_init (CsFlameToolbar *self)
{
}

static void
add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  gtk_widget_set_parent (GTK_WIDGET (child), GTK_WIDGET (buildable));
}

static void
cs_flame_toolbar_init_buildable (GtkBuildableIface *iface)
{
  iface->add_child = add_child;
}
