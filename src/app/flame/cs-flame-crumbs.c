/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-crumbs.h"

#define MOST_SHOWN 4   /* of the path's functions, the innermost ones */
#define MOST_LISTED 20 /* in the menu, the innermost ones */
#define MOST_CHARS 28  /* of a name */

/* Children: all calls, the menu, and the innermost functions, each with the sign before it. */
struct _CsFlameCrumbs
{
  GtkWidget parent_instance;

  GtkWidget *root;                /* (nullable): before the first path */
  GtkWidget *menu;                /* (nullable): the path has no more than one function */
  GtkWidget *shown[MOST_SHOWN];   /* the last one is where one is */
  guint n_shown;
  guint n;                        /* functions of the path */
  GPtrArray *names;               /* of all calls, and of the innermost functions, as many as are listed and the last */
};

G_DEFINE_FINAL_TYPE (CsFlameCrumbs, cs_flame_crumbs, GTK_TYPE_WIDGET)

static GtkWidget *
make_label (const char *name)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  return label;
}

static GtkWidget *
make_item (CsFlameCrumbs *self, GtkWidget *crumb, gboolean first)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  if (!first)
    {
      GtkWidget *sign = gtk_label_new (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? "‹" : "›");

      gtk_widget_add_css_class (sign, "dim-label");
      gtk_box_append (GTK_BOX (box), sign);
    }
  gtk_box_append (GTK_BOX (box), crumb);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  return box;
}

static GtkWidget *
make_crumb (CsFlameCrumbs *self, guint i, const char *name)
{
  GtkWidget *crumb;

  if (i == self->n)
    {
      /* Where one is. */
      crumb = make_label (name);
      gtk_widget_add_css_class (crumb, "here");
    }
  else
    {
      crumb = gtk_button_new ();
      gtk_button_set_child (GTK_BUTTON (crumb), make_label (name));
      gtk_widget_add_css_class (crumb, "flat");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (crumb), CS_FLAME_CRUMBS_ACTION);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (crumb), "u", i);
      gtk_accessible_update_property (GTK_ACCESSIBLE (crumb), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    }
  gtk_widget_set_tooltip_text (crumb, name);
  return make_item (self, crumb, i == 0);
}

/* Of the path's function, from 1, or of all calls. */
static const char *
get_name (CsFlameCrumbs *self, guint i)
{
  return self->names->pdata[i == 0 ? 0 : self->names->len - 1 - (self->n - i)];
}

static void
append_to_menu (CsFlameCrumbs *self, GMenu *menu, guint i)
{
  g_auto (GStrv) parts = g_strsplit (get_name (self, i), "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts); /* of menus an underscore is a mnemonic */
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, CS_FLAME_CRUMBS_ACTION, "u", i);
  g_menu_append_item (menu, item);
}

/* All but the last, the innermost first. */
static GtkWidget *
make_menu (CsFlameCrumbs *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  for (guint i = self->n; i-- > 1 && self->n - i <= MOST_LISTED;)
    append_to_menu (self, menu, i);
  append_to_menu (self, menu, 0);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), gtk_label_new ("…"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("Callers"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Callers"), -1);
  return make_item (self, button, FALSE);
}

static int
get_width (GtkWidget *item, gboolean natural)
{
  int least, most;

  gtk_widget_measure (item, GTK_ORIENTATION_HORIZONTAL, -1, &least, &most, NULL, NULL);
  return natural ? most : least;
}

/* How many of the items before the last don't fit, those after all calls first. @root: whether these fit. */
static guint
count_left_out (CsFlameCrumbs *self, int width, gboolean *root)
{
  int needed = get_width (self->root, TRUE);
  guint left_out = 0;

  *root = TRUE;
  if (self->n_shown == 0)
    return 0;
  for (guint i = 0; i < self->n_shown; i++)
    needed += get_width (self->shown[i], TRUE);
  if (self->n > self->n_shown)
    needed += get_width (self->menu, TRUE);
  while (needed > width && left_out + 1 < self->n_shown)
    {
      if (left_out == 0 && self->n == self->n_shown)
        needed += get_width (self->menu, TRUE);
      needed -= get_width (self->shown[left_out++], TRUE);
    }
  /* What is there besides is in the menu. */
  *root = needed <= width || self->menu == NULL;
  return left_out;
}

static void
cs_flame_crumbs_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  CsFlameCrumbs *self = CS_FLAME_CRUMBS (widget);
  GtkWidget *last = self->n_shown > 0 ? self->shown[self->n_shown - 1] : self->root;

  *minimum = *natural = 0;
  for (GtkWidget *item = gtk_widget_get_first_child (widget); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      int least, most;

      gtk_widget_measure (item, orientation, -1, &least, &most, NULL, NULL);
      if (orientation == GTK_ORIENTATION_VERTICAL)
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, most);
          continue;
        }
      if (item == last || item == self->menu)
        *minimum += least;
    }
  /* It takes what others leave. */
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = *minimum;
}

/* Gives an item its place, or none. */
static void
place (GtkWidget *item, gboolean visible, int *x, int width, int height, GtkWidget *parent)
{
  int total = gtk_widget_get_width (parent);

  gtk_widget_set_child_visible (item, visible);
  if (!visible)
    return;
  gtk_widget_size_allocate (item,
                            &(GtkAllocation){ gtk_widget_get_direction (parent) == GTK_TEXT_DIR_RTL ? total - *x - width : *x, 0,
                                              width, height }, -1);
  *x += width;
}

static void
cs_flame_crumbs_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CsFlameCrumbs *self = CS_FLAME_CRUMBS (widget);
  gboolean root;
  guint left_out;
  int x = 0;

  if (self->root == NULL)
    return;
  left_out = count_left_out (self, width, &root);
  place (self->root, root, &x, self->n_shown == 0 ? MIN (width, get_width (self->root, TRUE)) : get_width (self->root, TRUE),
         height, widget);
  if (self->menu != NULL) /* without a sign before it where it comes first */
    gtk_widget_set_opacity (gtk_widget_get_first_child (self->menu), root);
  if (self->menu != NULL)
    place (self->menu, !root || left_out > 0 || self->n > self->n_shown, &x, get_width (self->menu, TRUE), height, widget);
  for (guint i = 0; i < self->n_shown; i++)
    {
      int wanted = get_width (self->shown[i], TRUE);

      if (i + 1 == self->n_shown)
        wanted = MAX (MIN (wanted, width - x), get_width (self->shown[i], FALSE));
      place (self->shown[i], i >= left_out, &x, wanted, height, widget);
    }
}

static void
clear (CsFlameCrumbs *self)
{
  g_clear_pointer (&self->root, gtk_widget_unparent);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  for (guint i = 0; i < self->n_shown; i++)
    gtk_widget_unparent (self->shown[i]);
  self->n_shown = 0;
}

static GPtrArray *
list_names (guint n, CsFlameCrumbName dup_name, gpointer data)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (names, dup_name (0, data));
  for (guint i = n - MIN (n, MOST_LISTED + 1) + 1; i <= n; i++)
    g_ptr_array_add (names, dup_name (i, data));
  return names;
}

static gboolean
are_equal (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!g_str_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
cs_flame_crumbs_dispose (GObject *object)
{
  clear (CS_FLAME_CRUMBS (object));

  G_OBJECT_CLASS (cs_flame_crumbs_parent_class)->dispose (object);
}

static void
cs_flame_crumbs_finalize (GObject *object)
{
  g_ptr_array_unref (CS_FLAME_CRUMBS (object)->names);

  G_OBJECT_CLASS (cs_flame_crumbs_parent_class)->finalize (object);
}

static void
cs_flame_crumbs_class_init (CsFlameCrumbsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_flame_crumbs_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_flame_crumbs_finalize;
  widget_class->measure = cs_flame_crumbs_measure;
  widget_class->size_allocate = cs_flame_crumbs_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "crumbs");
}

static void
cs_flame_crumbs_init (CsFlameCrumbs *self)
{
  self->names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Path"), -1);
}

/**
 * cs_flame_crumbs_set:
 * @self: crumbs
 * @n: how many functions the path has
 * @dup_name: (scope call): asked for the names of those that are shown
 * @data: for @dup_name
 *
 * A path that is shown already stays as it is, with its menu open and its buttons focused.
 */
void
cs_flame_crumbs_set (CsFlameCrumbs *self, guint n, CsFlameCrumbName dup_name, gpointer data)
{
  GPtrArray *names;

  g_return_if_fail (CS_IS_FLAME_CRUMBS (self));

  names = list_names (n, dup_name, data);
  if (self->root != NULL && self->n == n && are_equal (names, self->names))
    {
      g_ptr_array_unref (names);
      return;
    }
  clear (self);
  g_ptr_array_unref (self->names);
  self->names = names;
  self->n = n;
  self->root = make_crumb (self, 0, get_name (self, 0));
  if (n > 0)
    self->menu = make_menu (self);
  for (guint i = n - MIN (n, MOST_SHOWN) + 1; i <= n; i++)
    self->shown[self->n_shown++] = make_crumb (self, i, get_name (self, i));
}

/**
 * cs_flame_crumbs_dup_text:
 * @self: crumbs
 *
 * Returns: (transfer full): the path as it is shown where there is room
 */
char *
cs_flame_crumbs_dup_text (CsFlameCrumbs *self)
{
  GString *text = g_string_new (NULL);

  if (self->root != NULL)
    g_string_append (text, get_name (self, 0));
  if (self->n > self->n_shown)
    g_string_append (text, " › …");
  for (guint i = self->n - self->n_shown + 1; i <= self->n; i++)
    g_string_append_printf (text, " › %s", get_name (self, i));
  return g_string_free (text, FALSE);
}
