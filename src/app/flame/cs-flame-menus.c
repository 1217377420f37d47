/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "flame/cs-flame-view-private.h"
#include "tables/cs-menu-lines.h"

#define MOST_THREADS 30 /* that a menu lists, those with the most time */

/* What can be chosen, as the buttons and menus name it. */
static const struct
{
  const char *action, *value;
  const char *title; /* not yet translated */
  const char *item;  /* the same, in the menu */
} options[] = {
  { "kind", "tree", N_("Call Tree"), N_("_Call Tree") },
  { "kind", "callers", N_("Bottom-Up"), N_("_Bottom-Up: Callers Below a Function") },
  { "order", "time", N_("By Time"), N_("By _Time") },
  { "order", "name", N_("By Name"), N_("By _Name") },
  { "order", "first-call", N_("By First Call"), N_("By _First Call") },
  { "shape", "icicle", N_("Icicle"), N_("_Icicle: Callers on Top") },
  { "shape", "flame", N_("Flame"), N_("_Flame: Callers at the Bottom") },
};

/**
 * cs_flame_get_option_title:
 * @action: name of an option's action
 * @value: its state
 *
 * Returns: (transfer none): what the state is called
 */
const char *
cs_flame_get_option_title (const char *action, const char *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].action, action) && g_str_equal (options[i].value, value))
      return _(options[i].title);
  return "";
}

static GMenu *
make_options (const char *action)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].action, action))
      {
        g_autofree char *name = g_strdup_printf ("flame-graph.%s::%s", action, options[i].value);

        g_menu_append (menu, _(options[i].item), name);
      }
  return menu;
}

static int
compare_threads (const void *a, const void *b)
{
  const CsThreadRow *x = *(const CsThreadRow *const *) a, *y = *(const CsThreadRow *const *) b;

  return x->self != y->self ? (x->self < y->self ? 1 : -1) : x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Of menus an underscore is a mnemonic. */
static char *
escape_label (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) parts = g_strsplit (valid, "_", -1);

  return g_strjoinv ("__", parts);
}

static GMenu *
list_threads (CsProfile *profile)
{
  guint n;
  GMenu *list = g_menu_new ();
  const CsThreadRow *threads = cs_profile_get_threads (profile, &n);
  g_autofree const CsThreadRow **order = g_new (const CsThreadRow *, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    order[i] = &threads[i];
  qsort (order, n, sizeof *order, compare_threads);
  for (guint i = 0; i < MIN (n, MOST_THREADS); i++)
    {
      g_autofree char *text = order[i]->name != NULL ? g_strdup_printf ("%s (%u)", order[i]->name, order[i]->tid)
                                                     : g_strdup_printf ("%u", order[i]->tid);
      g_autofree char *label = escape_label (text);
      g_autofree char *tid = g_strdup_printf ("%u", order[i]->tid);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "flame-graph.thread", "s", tid);
      g_menu_append_item (list, item);
    }
  return list;
}

static gboolean
have_same_labels (GMenuModel *a, GMenuModel *b)
{
  int n = g_menu_model_get_n_items (a);

  if (g_menu_model_get_n_items (b) != n)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      g_autofree char *x = NULL;
      g_autofree char *y = NULL;

      g_menu_model_get_item_attribute (a, i, G_MENU_ATTRIBUTE_LABEL, "s", &x);
      g_menu_model_get_item_attribute (b, i, G_MENU_ATTRIBUTE_LABEL, "s", &y);
      if (g_strcmp0 (x, y) != 0)
        return FALSE;
    }
  return TRUE;
}

/**
 * cs_flame_fill_threads_menu:
 * @menu: a menu of threads, which may be open
 * @profile: (nullable): the profile whose threads it is to list
 *
 * Nothing changes where it lists them already.
 */
void
cs_flame_fill_threads_menu (GMenu *menu, CsProfile *profile)
{
  g_autoptr (GMenu) list = profile != NULL ? list_threads (profile) : g_menu_new ();
  g_autoptr (GMenuModel) old = NULL;

  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0)
    old = g_menu_model_get_item_link (G_MENU_MODEL (menu), 1, G_MENU_LINK_SECTION);
  if (old != NULL && have_same_labels (old, G_MENU_MODEL (list)))
    return;
  g_menu_remove_all (menu);
  g_menu_append (menu, _("_All Threads"), "flame-graph.thread::");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
}

/**
 * cs_flame_make_kind_menu:
 * @list: the menu of threads
 *
 * Returns: (transfer full): the menu of what is laid out
 */
GMenuModel *
cs_flame_make_kind_menu (GMenu *list)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) kinds = make_options ("kind");
  g_autoptr (GMenu) collapse = g_menu_new ();
  g_autoptr (GMenu) threads = g_menu_new ();

  g_menu_append_section (menu, NULL, G_MENU_MODEL (kinds));
  g_menu_append (collapse, _("Collapse _Recursion"), "flame-graph.collapse");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (collapse));
  g_menu_append (threads, _("Threads _Merged"), "flame-graph.threads::merged");
  g_menu_append (threads, _("_Thread by Thread"), "flame-graph.threads::each");
  g_menu_append_submenu (threads, _("_One Thread"), G_MENU_MODEL (list));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (threads));
  return G_MENU_MODEL (menu);
}

/**
 * cs_flame_make_order_menu:
 *
 * Returns: (transfer full): the menu of how frames beside each other are ordered
 */
GMenuModel *
cs_flame_make_order_menu (void)
{
  return G_MENU_MODEL (make_options ("order"));
}

/**
 * cs_flame_make_shape_menu:
 *
 * Returns: (transfer full): the menu of how it is painted
 */
GMenuModel *
cs_flame_make_shape_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) shapes = make_options ("shape");
  g_autoptr (GMenu) colors = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();

  g_menu_append (colors, _("A Colour for Each F_unction"), "flame-graph.color::function");
  g_menu_append (colors, _("A Colour for Each _Module"), "flame-graph.color::module");
  g_menu_append (rest, _("Show as _Table"), "flame-graph.table");
  g_menu_append (rest, _("_Export…"), "flame-graph.export");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (shapes));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (colors));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  return G_MENU_MODEL (menu);
}

/**
 * cs_flame_make_frame_menu:
 * @self: the view
 *
 * Returns: (transfer full): the menu of a frame
 */
GMenuModel *
cs_flame_make_frame_menu (CsFlameView *self)
{
  static const CsMenuLine items[] = {
    { N_("_Zoom to This Frame"), "flame-graph.focus" },
    { N_("Select This _Function in All Views"), "flame-graph.select-function" },
    { NULL, NULL },
    { N_("_Hide This Function"), "flame-graph.hide-function" },
    { N_("Hide Its _Module"), "flame-graph.hide-module" },
    { N_("_Only This Function"), "flame-graph.only-function" },
    { N_("Only Its Mo_dule"), "flame-graph.only-module" },
    { N_("Show _All Again"), "flame-graph.show-all" },
    { NULL, NULL },
    { N_("Show Longest Call in _Timeline"), "flame-graph.show-timeline" },
    { N_("Show in Hot_spots"), "flame-graph.show-hotspots" },
    { N_("Filter to This Function’s Ca_lls"), "flame-graph.filter-function" },
    { N_("Filter to This Th_read"), "flame-graph.filter-thread" },
    { NULL, NULL },
    { N_("Open in _Editor"), "flame-graph.open-editor" },
    { N_("E_xclude from Recording"), "flame-graph.exclude" },
    { NULL, NULL },
    { N_("Copy _Name"), "flame-graph.copy-name" },
    { N_("_Copy Stack"), "flame-graph.copy-stack" },
    { N_("Ex_port…"), "flame-graph.export" },
  };

  return cs_menu_lines_make (items, G_N_ELEMENTS (items), 0);
}

/**
 * cs_flame_make_chart_menu:
 *
 * Returns: (transfer full): the menu where there is no frame: what can be done with all of it now
 */
GMenuModel *
cs_flame_make_chart_menu (void)
{
  static const struct { const char *label, *action; } items[] = {
    { N_("Show _All Again"), "flame-graph.show-all" },
    { N_("Show as _Table"), "flame-graph.table" },
    { N_("Ex_port…"), "flame-graph.export" },
  };
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_(items[i].label), items[i].action);

      g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}
