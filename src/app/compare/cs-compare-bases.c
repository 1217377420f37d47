/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/cs-compare-bases.h"

#define WIDEST 50 /* characters of a row in the list */

struct _CsCompareChoice
{
  GObject parent_instance;

  char *path, *title, *detail;
};

enum { PROP_TITLE = 1, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (CsCompareChoice, cs_compare_choice, G_TYPE_OBJECT)

static void
cs_compare_choice_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TITLE)
    g_value_set_string (value, CS_COMPARE_CHOICE (object)->title);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
cs_compare_choice_finalize (GObject *object)
{
  CsCompareChoice *self = CS_COMPARE_CHOICE (object);

  g_free (self->path);
  g_free (self->title);
  g_free (self->detail);
  G_OBJECT_CLASS (cs_compare_choice_parent_class)->finalize (object);
}

static void
cs_compare_choice_class_init (CsCompareChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = cs_compare_choice_get_property;
  G_OBJECT_CLASS (klass)->finalize = cs_compare_choice_finalize;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
cs_compare_choice_init (CsCompareChoice *self)
{
}

/**
 * cs_compare_choice_get_path:
 * @self: a choice
 *
 * Returns: (transfer none): of a recording or a report's file
 */
const char *
cs_compare_choice_get_path (CsCompareChoice *self)
{
  return self->path;
}

/**
 * cs_compare_choice_get_title:
 * @self: a choice
 *
 * Returns: (transfer none): what to call it; UTF-8
 */
const char *
cs_compare_choice_get_title (CsCompareChoice *self)
{
  return self->title;
}

/**
 * cs_compare_bases_new:
 *
 * Returns: (transfer full): a list of nothing
 */
GListStore *
cs_compare_bases_new (void)
{
  return g_list_store_new (CS_TYPE_COMPARE_CHOICE);
}

/**
 * cs_compare_bases_dup_title:
 * @recordings: (nullable): those of the project
 * @path: of a recording or a report
 *
 * Returns: (transfer full): what to call it, so that it isn't taken for another one: UTF-8
 */
char *
cs_compare_bases_dup_title (CsRecordingsModel *recordings, const char *path)
{
  CsRecordingItem *item = recordings != NULL ? cs_recordings_model_find (recordings, path) : NULL;
  g_autofree char *title = item != NULL ? cs_recording_item_dup_title (item) : g_filename_display_basename (path);
  g_autofree char *when = item != NULL ? cs_recording_item_dup_when (item) : NULL;
  g_autofree char *text = when != NULL && *when != '\0' ? g_strdup_printf ("%s, %s", title, when) : g_strdup (title);

  return g_utf8_make_valid (text, -1);
}

static CsCompareChoice *
choice_new (const char *path, char *title, char *detail)
{
  CsCompareChoice *self = g_object_new (CS_TYPE_COMPARE_CHOICE, NULL);

  self->path = g_strdup (path);
  self->title = title;
  self->detail = detail;
  return self;
}

/**
 * cs_compare_bases_fill:
 * @self: a list
 * @recordings: (nullable): those of the project
 * @open: (nullable): path of the open one, which is left out
 * @base: (nullable): path of what is compared with now, which comes first if it isn't one of these
 *
 * Makes the list anew; nothing changes where it is as it was.
 */
void
cs_compare_bases_fill (GListStore *self, CsRecordingsModel *recordings, const char *open, const char *base)
{
  g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = recordings != NULL ? g_list_model_get_n_items (G_LIST_MODEL (recordings)) : 0;
  gboolean listed = FALSE, same;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CsRecordingItem) item = g_list_model_get_item (G_LIST_MODEL (recordings), i);
      const char *folder = cs_recording_item_get_folder (item);

      if (g_strcmp0 (folder, open) == 0 && g_strcmp0 (folder, base) != 0)
        continue;
      listed |= g_strcmp0 (folder, base) == 0;
      g_ptr_array_add (choices, choice_new (folder, cs_compare_bases_dup_title (recordings, folder),
                                            cs_recording_item_dup_detail (item)));
    }
  if (base != NULL && !listed)
    g_ptr_array_insert (choices, 0, choice_new (base, cs_compare_bases_dup_title (recordings, base),
                                                g_filename_display_name (base)));

  same = choices->len == g_list_model_get_n_items (G_LIST_MODEL (self));
  for (guint i = 0; same && i < choices->len; i++)
    {
      g_autoptr (CsCompareChoice) old = g_list_model_get_item (G_LIST_MODEL (self), i);
      const CsCompareChoice *choice = choices->pdata[i];

      same = g_str_equal (old->path, choice->path) && g_str_equal (old->title, choice->title)
             && g_str_equal (old->detail, choice->detail);
    }
  if (!same)
    g_list_store_splice (self, 0, g_list_model_get_n_items (G_LIST_MODEL (self)), choices->pdata, choices->len);
}

/**
 * cs_compare_bases_find:
 * @self: a list
 * @path: (nullable): of a recording or a report
 *
 * Returns: its position; %GTK_INVALID_LIST_POSITION: it isn't there
 */
guint
cs_compare_bases_find (GListStore *self, const char *path)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (CsCompareChoice) choice = g_list_model_get_item (G_LIST_MODEL (self), i);

      if (g_strcmp0 (choice->path, path) == 0)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/**
 * cs_compare_bases_dup_earlier:
 * @recordings: those of a project, newest first
 * @open: (nullable): path of the open one
 *
 * Returns: (transfer full) (nullable): path of the recording that was made before it, or else of the one after; %NULL:
 *   there is no other
 */
char *
cs_compare_bases_dup_earlier (CsRecordingsModel *recordings, const char *open)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (recordings));
  g_autofree char *later = NULL;
  gboolean passed = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CsRecordingItem) item = g_list_model_get_item (G_LIST_MODEL (recordings), i);
      const char *folder = cs_recording_item_get_folder (item);

      if (g_strcmp0 (folder, open) == 0)
        passed = TRUE;
      else if (passed)
        return g_strdup (folder);
      else
        {
          g_free (later);
          later = g_strdup (folder);
        }
    }
  return g_steal_pointer (&later);
}

static void
setup_choice (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  for (guint i = 0; i < (data != NULL ? 2 : 1); i++)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), data != NULL ? WIDEST : 30);
      gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
      gtk_widget_set_vexpand (label, data == NULL);
      if (i == 1)
        {
          gtk_widget_add_css_class (label, "dim-label");
          gtk_widget_add_css_class (label, "caption");
        }
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_list_item_set_child (list_item, box);
}

/* A list is only as wide as its rows must be. */
static void
show_whole (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_width_chars (GTK_LABEL (label), (int) MIN (g_utf8_strlen (text, -1), WIDEST));
}

static void
bind_choice (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  CsCompareChoice *choice = gtk_list_item_get_item (list_item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *detail = gtk_widget_get_next_sibling (title);

  if (detail == NULL)
    {
      gtk_label_set_text (GTK_LABEL (title), choice->title);
      return;
    }
  show_whole (title, choice->title);
  show_whole (detail, choice->detail);
}

/**
 * cs_compare_bases_make_factory:
 * @details: whether it says more than what a choice is called
 *
 * Returns: (transfer full): what makes the rows of a drop-down
 */
GtkListItemFactory *
cs_compare_bases_make_factory (gboolean details)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_choice), GINT_TO_POINTER (details));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), NULL);
  return factory;
}
