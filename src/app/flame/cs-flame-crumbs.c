/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-crumbs.h"

#define MOST_SHOWN 5   /* crumbs; of more, those in the middle are in a menu */
#define MOST_HIDDEN 20 /* that the menu lists, the innermost ones */
#define MOST_CHARS 28  /* of a name */

struct _CsFlameCrumbs
{
  AdwBin parent_instance;

  GtkScrolledWindow *scrolled;
  GtkBox *box;
  GString *text;
};

G_DEFINE_FINAL_TYPE (CsFlameCrumbs, cs_flame_crumbs, ADW_TYPE_BIN)

static GtkWidget *
make_label (const char *name, gboolean dim)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN ((int) g_utf8_strlen (name, -1), MOST_CHARS));
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
append_separator (CsFlameCrumbs *self)
{
  GtkWidget *separator = make_label (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? "‹" : "›", TRUE);

  gtk_box_append (self->box, separator);
  g_string_append (self->text, " › ");
}

static void
append_crumb (CsFlameCrumbs *self, guint i, guint n, const char *name)
{
  GtkWidget *crumb;

  if (i > 0)
    append_separator (self);
  g_string_append (self->text, name);
  if (i == n)
    {
      /* Where one is. */
      crumb = make_label (name, FALSE);
      gtk_widget_add_css_class (crumb, "here");
    }
  else
    {
      crumb = gtk_button_new ();
      gtk_button_set_child (GTK_BUTTON (crumb), make_label (name, FALSE));
      gtk_widget_add_css_class (crumb, "flat");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (crumb), CS_FLAME_CRUMBS_ACTION);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (crumb), "u", i);
      gtk_accessible_update_property (GTK_ACCESSIBLE (crumb), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    }
  gtk_widget_set_tooltip_text (crumb, name);
  gtk_box_append (self->box, crumb);
}

/* Those in the middle, the innermost first. */
static void
append_hidden (CsFlameCrumbs *self, guint first, guint end, CsFlameCrumbName dup_name, gpointer data)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  for (guint i = end; i-- > first && end - i <= MOST_HIDDEN;)
    {
      g_autofree char *name = dup_name (i, data);
      g_auto (GStrv) parts = g_strsplit (name, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts); /* of menus an underscore is a mnemonic */
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, CS_FLAME_CRUMBS_ACTION, "u", i);
      g_menu_append_item (menu, item);
    }
  append_separator (self);
  g_string_append (self->text, "…");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), "…");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("Callers Between"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Callers Between"), -1);
  gtk_box_append (self->box, button);
}

/* The innermost ones are in sight. */
static void
show_end (CsFlameCrumbs *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (self->scrolled);

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static void
cs_flame_crumbs_finalize (GObject *object)
{
  g_string_free (CS_FLAME_CRUMBS (object)->text, TRUE);

  G_OBJECT_CLASS (cs_flame_crumbs_parent_class)->finalize (object);
}

static void
cs_flame_crumbs_class_init (CsFlameCrumbsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cs_flame_crumbs_finalize;
}

static void
cs_flame_crumbs_init (CsFlameCrumbs *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->text = g_string_new (NULL);
  self->scrolled = GTK_SCROLLED_WINDOW (scrolled);
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_scrolled_window_set_policy (self->scrolled, GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (self->scrolled, TRUE);
  gtk_scrolled_window_set_child (self->scrolled, GTK_WIDGET (self->box));
  gtk_widget_add_css_class (GTK_WIDGET (self->box), "crumbs");
  gtk_widget_set_valign (GTK_WIDGET (self->box), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Path"), -1);
  adw_bin_set_child (ADW_BIN (self), scrolled);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self->scrolled), "changed", G_CALLBACK (show_end), self,
                           G_CONNECT_SWAPPED);
}

/**
 * cs_flame_crumbs_set:
 * @self: crumbs
 * @n: how many functions the path has
 * @dup_name: (scope call): asked for the names of those that are shown
 * @data: for @dup_name
 */
void
cs_flame_crumbs_set (CsFlameCrumbs *self, guint n, CsFlameCrumbName dup_name, gpointer data)
{
  GtkWidget *child;

  g_return_if_fail (CS_IS_FLAME_CRUMBS (self));

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->box))) != NULL)
    gtk_box_remove (self->box, child);
  g_string_set_size (self->text, 0);
  for (guint i = 0; i <= n; i++)
    {
      g_autofree char *name = NULL;

      if (i == 1 && n >= MOST_SHOWN)
        {
          i = n - (MOST_SHOWN - 3);
          append_hidden (self, 1, i, dup_name, data);
        }
      name = dup_name (i, data);
      append_crumb (self, i, n, name);
    }
}

/**
 * cs_flame_crumbs_dup_text:
 * @self: crumbs
 *
 * Returns: (transfer full): the path as it is shown
 */
char *
cs_flame_crumbs_dup_text (CsFlameCrumbs *self)
{
  return g_strdup (self->text->str);
}
