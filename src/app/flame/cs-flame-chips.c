/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-chips.h"
#include "shared/cs-chip.h"
#include "shared/cs-function-name.h"

#define MARK "callsight-mark" /* of a chip: its mark's number + 1 */

struct _CsFlameChips
{
  AdwBin parent_instance;

  GtkBox *box;

  CsSession *session; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (CsFlameChips, cs_flame_chips, ADW_TYPE_BIN)

static char *
dup_function_name (CsSession *session, const CsSessionMark *mark)
{
  /* A filter may let none of its calls through. */
  CsProfile *whole = cs_session_get_whole_profile (session);
  CsProfile *profile = whole != NULL ? whole : cs_session_get_profile (session);
  guint n = 0;
  const CsFunction *functions = profile != NULL ? cs_profile_get_functions (profile, &n) : NULL;

  for (guint i = 0; i < n; i++)
    if (functions[i].location.address == mark->address && g_strcmp0 (functions[i].location.module, mark->module) == 0)
      {
        g_autofree char *valid = g_utf8_make_valid (functions[i].location.name, -1);

        return cs_function_name_shorten (valid);
      }
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", mark->address);
}

static char *
dup_text (CsSession *session, const CsSessionMark *mark)
{
  g_autofree char *name = NULL;

  if (!mark->whole)
    name = dup_function_name (session, mark);
  else if (mark->module == NULL)
    name = g_strdup (_("what is in no module"));
  else
    {
      g_autofree char *base = g_path_get_basename (mark->module);

      name = g_utf8_make_valid (base, -1);
    }
  return g_strdup_printf (mark->mark == CS_FLAME_ONLY ? _("Only %s") : _("Without %s"), name);
}

static void
on_chip_clicked (GtkButton *button, CsFlameChips *self)
{
  cs_session_remove_mark (self->session, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), MARK)) - 1);
}

static void
show_marks (CsFlameChips *self)
{
  GtkWidget *child;
  guint n;
  const CsSessionMark *marks = cs_session_get_marks (self->session, &n);

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->box))) != NULL)
    gtk_box_remove (self->box, child);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = dup_text (self->session, &marks[i]);
      g_autofree char *name = g_strdup_printf (_("Take back: %s"), text);
      GtkWidget *chip = cs_chip_new (text, name);

      g_object_set_data (G_OBJECT (chip), MARK, GUINT_TO_POINTER (i + 1));
      g_signal_connect_object (chip, "clicked", G_CALLBACK (on_chip_clicked), self, 0);
      gtk_box_append (self->box, chip);
    }
  if (n > 0)
    {
      GtkWidget *button = gtk_button_new_with_label (_("Show All"));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "flame-graph.show-all");
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_add_css_class (button, "show-all");
      gtk_box_append (self->box, button);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

static void
cs_flame_chips_dispose (GObject *object)
{
  g_clear_object (&CS_FLAME_CHIPS (object)->session);

  G_OBJECT_CLASS (cs_flame_chips_parent_class)->dispose (object);
}

static void
cs_flame_chips_class_init (CsFlameChipsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cs_flame_chips_dispose;
}

static void
cs_flame_chips_init (CsFlameChips *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->box));
  gtk_widget_add_css_class (GTK_WIDGET (self->box), "chips");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What Is Hidden or Shown Alone"), -1);
  adw_bin_set_child (ADW_BIN (self), scrolled);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * cs_flame_chips_set_session:
 * @self: chips
 * @session: the window's; told once
 */
void
cs_flame_chips_set_session (CsFlameChips *self, CsSession *session)
{
  g_return_if_fail (CS_IS_FLAME_CHIPS (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::marks", G_CALLBACK (show_marks), self, G_CONNECT_SWAPPED);
  show_marks (self);
}

/**
 * cs_flame_chips_list_texts:
 * @session: a session
 *
 * Returns: (transfer full) (element-type utf8): what its marks do, a text each
 */
GPtrArray *
cs_flame_chips_list_texts (CsSession *session)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const CsSessionMark *marks = cs_session_get_marks (session, &n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (texts, dup_text (session, &marks[i]));
  return texts;
}
