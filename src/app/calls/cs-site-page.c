/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "calls/cs-site-page.h"
#include "shared/cs-format.h"
#include "shared/cs-function-name.h"
#include "tables/cs-search-texts.h"

/* So many sites are arranged at once; more in a thread, so that no frame waits. */
#define MOST_AT_ONCE 2000

struct _CsSitePage
{
  AdwBin parent_instance;

  GtkStack *stack;
  AdwStatusPage *nothing;
  GtkLabel *status;
  GtkSpinner *spinner;
  CsPlaceTable *table;

  CsSession *session;    /* (nullable) */
  CsPlaces *places;
  CsSiteRows *rows;      /* (nullable) */
  GArray *order;         /* (element-type guint32): the sites that are shown */
  CsSiteColumn column;
  gboolean descending;
  GCancellable *working; /* (nullable) */
  gboolean stale;        /* the profile is another one, and nobody looks */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsSitePage, cs_site_page, ADW_TYPE_BIN)

static gboolean
get_site (CsSitePage *self, guint position, guint *site)
{
  if (self->rows == NULL || position >= self->order->len)
    return FALSE;
  *site = g_array_index (self->order, guint32, position);
  return TRUE;
}

static char *
dup_cell (gpointer owner, guint position, guint column)
{
  CsSitePage *self = owner;
  g_autofree char *text = NULL, *shortened = NULL;
  guint site;

  if (!get_site (self, position, &site))
    return g_strdup ("");
  text = cs_site_rows_dup_cell (self->rows, site, column);
  if (column > CS_SITE_COLUMN_CALLER)
    return g_steal_pointer (&text);
  shortened = cs_function_name_shorten (text);
  return cs_place_dup_cut (shortened);
}

static char *
dup_tooltip (gpointer owner, guint position, guint column)
{
  CsSitePage *self = owner;
  g_autofree char *exact = NULL;
  guint site;

  if (!get_site (self, position, &site))
    return NULL;
  exact = cs_site_rows_dup_exact (self->rows, site, column);
  if (column == CS_SITE_COLUMN_INCLUSIVE || column == CS_SITE_COLUMN_MEAN)
    return g_strdup_printf (_("%s ns"), exact);
  return g_steal_pointer (&exact);
}

static char *
dup_exact (gpointer owner, guint position, guint column)
{
  CsSitePage *self = owner;
  guint site;

  return get_site (self, position, &site) ? cs_site_rows_dup_exact (self->rows, site, column) : g_strdup ("");
}

static char *
dup_label (gpointer owner, guint position)
{
  CsSitePage *self = owner;
  g_autofree char *callee = dup_cell (owner, position, CS_SITE_COLUMN_CALLEE);
  g_autofree char *caller = dup_cell (owner, position, CS_SITE_COLUMN_CALLER);
  g_autofree char *calls = dup_cell (owner, position, CS_SITE_COLUMN_CALLS);
  g_autofree char *incl = dup_cell (owner, position, CS_SITE_COLUMN_INCLUSIVE);

  guint site;
  guint64 n = get_site (self, position, &site) ? cs_site_rows_get_site (self->rows, site)->calls : 0;

  return g_strdup_printf (ngettext ("%s, called by %s: %s call, %s", "%s, called by %s: %s calls, %s", (gulong) MIN (n, G_MAXINT)),
                          callee, caller, calls, incl);
}

static GtkWidget *
make_first (gpointer owner)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), cs_site_columns[0].chars);
  gtk_widget_add_css_class (label, "name");
  return label;
}

static void
show_first (gpointer owner, GtkWidget *cell, guint position)
{
  g_autofree char *text = dup_cell (owner, position, CS_SITE_COLUMN_CALLEE);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static const CsPlaceTableSource table_source = { dup_cell, dup_tooltip, dup_exact, dup_label, make_first, show_first, NULL };

static void
show_state (CsSitePage *self)
{
  guint all = self->rows != NULL ? cs_site_rows_get_n (self->rows) : 0;
  g_autofree char *n_all = cs_format_count (all);
  g_autofree char *n_found = cs_format_count (self->order->len);
  g_autofree char *text = NULL;

  if (self->order->len < all)
    text = g_strdup_printf (ngettext ("%s of %s call site", "%s of %s call sites", all), n_found, n_all);
  else
    text = g_strdup_printf (ngettext ("%s call site", "%s call sites", all), n_all);
  gtk_label_set_text (self->status, all > 0 ? text : "");
  gtk_spinner_set_spinning (self->spinner, self->working != NULL);
  if (self->order->len == 0)
    {
      const char *hint = all > 0 ? cs_search_get_hint (cs_session_get_search (self->session),
                                                             cs_session_get_regex (self->session)) : NULL;

      adw_status_page_set_title (self->nothing, all > 0 ? _("No Call Site Matches") : _("No Calls"));
      adw_status_page_set_description (self->nothing,
                                       hint != NULL ? hint
                                       : all > 0 ? _("No callee, caller or file has what is searched for.")
                                                 : _("What is shown of the recording holds no calls. Remove a filter to see more."));
    }
  gtk_stack_set_visible_child_name (self->stack, self->order->len > 0 || self->working != NULL ? "table" : "nothing");
}

/* What is to be made, all of it copied: it may happen in a thread. */
typedef struct
{
  CsProfile *profile;
  CsSiteRows *rows; /* (nullable): to be made */
  CsSiteColumn column;
  gboolean descending;
  char *search;
  GRegex *regex;    /* (nullable) */
  GArray *order;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->profile);
  g_clear_pointer (&work->rows, cs_site_rows_unref);
  g_free (work->search);
  g_clear_pointer (&work->regex, g_regex_unref);
  g_clear_pointer (&work->order, g_array_unref);
  g_free (work);
}

static void
do_work (Work *work, GCancellable *cancellable)
{
  if (work->rows == NULL)
    work->rows = cs_site_rows_new (work->profile, cancellable);
  if (work->rows != NULL)
    work->order = cs_site_rows_arrange (work->rows, work->column, work->descending, work->search, work->regex, cancellable);
}

static void
run_work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  do_work (data, cancellable);
  g_task_return_boolean (task, TRUE);
}

/* The sites that are selected stay so, wherever they go. */
static void
keep_selection (CsSitePage *self, CsSiteRows *rows, GArray *order)
{
  g_autoptr (GtkBitset) selected = cs_place_table_dup_selected (self->table);
  g_autoptr (GtkBitset) sites = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) positions = gtk_bitset_new_empty ();
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more && rows == self->rows;
       more = gtk_bitset_iter_next (&iter, &position))
    if (position < self->order->len)
      gtk_bitset_add (sites, g_array_index (self->order, guint32, position));
  for (guint i = 0; !gtk_bitset_is_empty (sites) && i < order->len; i++)
    if (gtk_bitset_contains (sites, g_array_index (order, guint32, i)))
      gtk_bitset_add (positions, i);
  g_array_unref (self->order);
  self->order = g_array_ref (order);
  if (rows != self->rows)
    {
      g_clear_pointer (&self->rows, cs_site_rows_unref);
      self->rows = rows != NULL ? cs_site_rows_ref (rows) : NULL;
    }
  cs_places_update (self->places, order->len, 0);
  if (!gtk_bitset_is_empty (positions))
    cs_places_complete (self->places);
  cs_place_table_set_selected (self->table, positions);
}

static void
show (CsSitePage *self, CsSiteRows *rows, GArray *order)
{
  GListModel *columns = gtk_column_view_get_columns (cs_place_table_get_view (self->table));

  keep_selection (self, rows, order);
  for (guint i = 0; i < CS_SITE_N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column, rows == NULL || cs_site_rows_has (rows, i));
    }
  show_state (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_worked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsSitePage *self = CS_SITE_PAGE (source);
  GTask *task = G_TASK (result);
  Work *work = g_task_get_task_data (task);

  /* Something else is wanted by now. */
  if (g_task_get_cancellable (task) != self->working)
    return;
  g_clear_object (&self->working);
  if (work->order != NULL)
    show (self, work->rows, work->order);
}

static void
stop (CsSitePage *self)
{
  if (self->working == NULL)
    return;
  g_cancellable_cancel (self->working);
  g_clear_object (&self->working);
}

static Work *
work_new (CsSitePage *self, CsProfile *profile, GRegex *regex)
{
  Work *work = g_new0 (Work, 1);

  work->profile = g_object_ref (profile);
  if (self->rows != NULL && cs_site_rows_get_profile (self->rows) == profile)
    work->rows = cs_site_rows_ref (self->rows);
  work->column = self->column;
  work->descending = self->descending;
  work->search = g_strdup (cs_session_get_search (self->session));
  work->regex = regex;
  return work;
}

static void
update (CsSitePage *self)
{
  CsProfile *profile = cs_session_get_profile (self->session);
  const char *search = cs_session_get_search (self->session);
  GRegex *regex = NULL;
  Work *work;
  guint n = 0;

  if (cs_session_get_regex (self->session) && *search != '\0')
    {
      regex = cs_search_make_regex (search, NULL);
      /* What was found before stays; the view says what is wrong. */
      if (regex == NULL)
        return;
    }
  stop (self);
  self->stale = FALSE;
  if (profile == NULL)
    {
      g_autoptr (GArray) empty = g_array_new (FALSE, FALSE, sizeof (guint32));

      g_clear_pointer (&regex, g_regex_unref);
      show (self, NULL, empty);
      return;
    }
  cs_profile_get_call_sites (profile, &n);
  work = work_new (self, profile, regex);
  if (n <= MOST_AT_ONCE)
    {
      do_work (work, NULL);
      show (self, work->rows, work->order);
      work_free (work);
    }
  else
    {
      g_autoptr (GTask) task = NULL;

      self->working = g_cancellable_new ();
      task = g_task_new (self, self->working, on_worked, NULL);
      g_task_set_task_data (task, work, work_free);
      g_task_run_in_thread (task, run_work);
      show_state (self);
    }
}

static void
update_soon (CsSitePage *self)
{
  self->stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) || cs_session_get_profile (self->session) == NULL)
    update (self);
}

static void
on_title_clicked (CsSitePage *self, guint column)
{
  cs_site_page_sort (self, column, self->column == column ? !self->descending : cs_site_columns[column].number);
}

static void
on_activated (CsSitePage *self, guint position)
{
  const CsCallSite *site = cs_site_page_get_site (self, position);

  if (site != NULL)
    cs_session_set_function (self->session, site->callee);
}

static void
tell_changed (CsSitePage *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
cs_site_page_dispose (GObject *object)
{
  CsSitePage *self = CS_SITE_PAGE (object);

  stop (self);
  if (self->table != NULL)
    cs_place_table_forget_owner (self->table);
  self->table = NULL;
  g_clear_object (&self->session);
  g_clear_object (&self->places);

  G_OBJECT_CLASS (cs_site_page_parent_class)->dispose (object);
}

static void
cs_site_page_finalize (GObject *object)
{
  CsSitePage *self = CS_SITE_PAGE (object);

  g_clear_pointer (&self->rows, cs_site_rows_unref);
  g_array_unref (self->order);

  G_OBJECT_CLASS (cs_site_page_parent_class)->finalize (object);
}

static void
cs_site_page_map (GtkWidget *widget)
{
  CsSitePage *self = CS_SITE_PAGE (widget);

  GTK_WIDGET_CLASS (cs_site_page_parent_class)->map (widget);
  if (self->stale && self->session != NULL)
    update (self);
}

static gboolean
cs_site_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_SITE_PAGE (widget)->table));
}

static void
cs_site_page_class_init (CsSitePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_site_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = cs_site_page_finalize;
  widget_class->map = cs_site_page_map;
  widget_class->grab_focus = cs_site_page_grab_focus;
  signals[CHANGED] = g_signal_new ("changed", CS_TYPE_SITE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/calls/cs-site-page.ui");
  gtk_widget_class_bind_template_child (widget_class, CsSitePage, stack);
  gtk_widget_class_bind_template_child (widget_class, CsSitePage, nothing);
  gtk_widget_class_bind_template_child (widget_class, CsSitePage, status);
  gtk_widget_class_bind_template_child (widget_class, CsSitePage, spinner);
}

static void
cs_site_page_init (CsSitePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->places = cs_places_new ();
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->column = CS_SITE_COLUMN_INCLUSIVE;
  self->descending = TRUE;
  self->table = cs_place_table_new (self->places, _("Call sites"), cs_site_columns, CS_SITE_N_COLUMNS, &table_source, self);
  cs_place_table_set_sort (self->table, self->column, self->descending);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->table), "table");
  g_signal_connect_object (self->table, "title-clicked", G_CALLBACK (on_title_clicked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activated", G_CALLBACK (on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (tell_changed), self, G_CONNECT_SWAPPED);
  show_state (self);
}

/**
 * cs_site_page_set_session:
 * @self: a page
 * @session: whose recording to show
 */
void
cs_site_page_set_session (CsSitePage *self, CsSession *session)
{
  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::profile", G_CALLBACK (update_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (update_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (update_soon), self, G_CONNECT_SWAPPED);
  update_soon (self);
}

/**
 * cs_site_page_get_table:
 * @self: a page
 *
 * Returns: (transfer none): its table
 */
CsPlaceTable *
cs_site_page_get_table (CsSitePage *self)
{
  return self->table;
}

/**
 * cs_site_page_get_n:
 * @self: a page
 *
 * Returns: how many sites are shown
 */
guint
cs_site_page_get_n (CsSitePage *self)
{
  return self->order->len;
}

/**
 * cs_site_page_get_site:
 * @self: a page
 * @position: of a row
 *
 * Returns: (transfer none) (nullable): the site that is there
 */
const CsCallSite *
cs_site_page_get_site (CsSitePage *self, guint position)
{
  guint site;

  return get_site (self, position, &site) ? cs_site_rows_get_site (self->rows, site) : NULL;
}

/**
 * cs_site_page_find_caller:
 * @self: a page
 * @site: one of its sites
 *
 * Returns: index in the profile of the function that calls there, if it was recorded, too; G_MAXUINT: it wasn't
 */
guint
cs_site_page_find_caller (CsSitePage *self, const CsCallSite *site)
{
  return cs_site_rows_get_caller (self->rows, site);
}

/**
 * cs_site_page_get_busy:
 * @self: a page
 *
 * Returns: whether what was asked for last isn't shown yet
 */
gboolean
cs_site_page_get_busy (CsSitePage *self)
{
  return self->working != NULL || !cs_places_is_complete (self->places);
}

/**
 * cs_site_page_sort:
 * @self: a page
 * @column: what to order by
 * @descending: whether the largest come first
 */
void
cs_site_page_sort (CsSitePage *self, CsSiteColumn column, gboolean descending)
{
  self->column = column;
  self->descending = descending;
  cs_place_table_set_sort (self->table, column, descending);
  if (self->session != NULL)
    update_soon (self);
}
