/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "flame/cs-flame-search.h"
#include "shared/cs-format.h"
#include "shared/cs-input.h"
#include "tables/cs-search-texts.h"

struct _CsFlameSearch
{
  AdwBin parent_instance;

  GtkSearchEntry *entry;
  GtkToggleButton *regex;
  GtkWidget *results;
  GtkLabel *share;
  GtkLabel *position;

  CsSession *session;      /* (nullable) */
  CsFlamePicture *picture; /* (nullable) */
  GCancellable *searching; /* (nullable): ends the search that goes on */
  GArray *found;           /* (element-type guint32) (nullable): frames that match, ascending; NULL: nothing is searched */
  guint64 time;            /* ns in which one of them was open */
  guint at;                /* of `found', the one that was gone to; G_MAXUINT: none */
  guint32 wanted;          /* to be that one once it is found; CS_FLAME_NONE: none */
  char *error;             /* (nullable): why the pattern means nothing */
  gboolean syncing;        /* entry and session are made the same */
  gboolean entered;        /* Enter was pressed while the search goes on */
};

enum
{
  FOUND_CHANGED,
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CsFlameSearch, cs_flame_search, ADW_TYPE_BIN)

/* What is looked for in a thread, and what was found. */
typedef struct
{
  CsFlamePicture *picture;
  GRegex *regex; /* (nullable) */
  char *needle;  /* folded; where there is no `regex' */
  GCancellable *cancellable;
  GArray *found;
  guint64 time;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  cs_flame_picture_unref (search->picture);
  g_clear_pointer (&search->regex, g_regex_unref);
  g_free (search->needle);
  g_object_unref (search->cancellable);
  g_array_unref (search->found);
  g_free (search);
}

static gboolean
matches (guint function, gpointer data)
{
  const Search *search = data;
  guint n;
  const CsFunction *functions = cs_profile_get_functions (cs_flame_picture_get_profile (search->picture), &n);

  return !g_cancellable_is_cancelled (search->cancellable)
         && cs_search_matches (&functions[function].location, search->needle, search->regex);
}

static void
run_search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;

  search->time = cs_flame_layout_search (cs_flame_picture_get_layout (search->picture), matches, search, search->found);
  g_task_return_boolean (task, TRUE);
}

static void
show_results (CsFlameSearch *self)
{
  guint n = self->found != NULL ? self->found->len : 0;
  g_autofree char *all = cs_format_count (n);
  g_autofree char *at = cs_format_count (self->at != G_MAXUINT ? self->at + 1 : 0);
  g_autofree char *share = NULL;
  g_autofree char *position = NULL;

  /* It keeps its room, so that the entry is as wide as before one types. */
  gtk_widget_set_opacity (self->results, self->found != NULL);
  gtk_widget_set_can_target (self->results, self->found != NULL);
  if (self->found == NULL || self->picture == NULL)
    {
      gtk_label_set_text (self->share, "");
      gtk_label_set_text (self->position, "");
      return;
    }
  share = cs_format_isolate (cs_format_share (self->time, cs_flame_layout_get_total (cs_flame_picture_get_layout (self->picture))));
  position = n == 0 ? g_strdup (_("no match")) : self->at == G_MAXUINT ? g_strdup (all) : g_strdup_printf (_("%s of %s"), at, all);
  gtk_label_set_text (self->share, n > 0 ? share : "");
  gtk_label_set_text (self->position, position);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->share), _("Share of the time with a matching function on the stack"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->position), _("Frames that match"));
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static void
take_found (CsFlameSearch *self, GArray *found, guint64 time)
{
  guint at;

  g_clear_pointer (&self->found, g_array_unref);
  self->found = found;
  self->time = time;
  self->at = G_MAXUINT;
  if (found != NULL && self->wanted != CS_FLAME_NONE && g_array_binary_search (found, &self->wanted, compare_nodes, &at))
    self->at = at;
  self->wanted = CS_FLAME_NONE;
  show_results (self);
  g_signal_emit (self, signals[FOUND_CHANGED], 0);
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  CsFlameSearch *self = CS_FLAME_SEARCH (source);
  const Search *search = g_task_get_task_data (G_TASK (result));

  /* Something else is searched for by now, or elsewhere. */
  if (search->cancellable != self->searching)
    return;
  g_clear_object (&self->searching);
  take_found (self, g_array_ref (search->found), search->time);
  if (self->entered)
    cs_flame_search_step (self, FALSE);
  self->entered = FALSE;
}

static void
stop (CsFlameSearch *self)
{
  if (self->searching != NULL)
    g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
}

static void
show_error (CsFlameSearch *self, const char *text)
{
  g_free (self->error);
  self->error = g_strdup (text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->entry), text);
  cs_input_set_wrong (GTK_WIDGET (self->entry), GTK_WIDGET (self->entry), text != NULL);
}

/* Looks for what the session says in what is shown. While a pattern means nothing, what was found before stays. */
static void
update (CsFlameSearch *self)
{
  const char *text = self->session != NULL ? cs_session_get_search (self->session) : "";
  g_autoptr (GRegex) regex = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GTask) task = NULL;
  Search *search;

  stop (self);
  if (*text != '\0' && cs_session_get_regex (self->session))
    regex = cs_search_make_regex (text, &error);
  show_error (self, error != NULL ? error->message : NULL);
  if (error != NULL)
    {
      g_signal_emit (self, signals[FOUND_CHANGED], 0);
      return;
    }
  if (self->picture == NULL || *text == '\0')
    {
      take_found (self, NULL, 0);
      return;
    }
  self->searching = g_cancellable_new ();
  search = g_new0 (Search, 1);
  search->picture = cs_flame_picture_ref (self->picture);
  search->regex = g_steal_pointer (&regex);
  search->needle = g_utf8_casefold (text, -1);
  search->cancellable = g_object_ref (self->searching);
  search->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  task = g_task_new (self, NULL, on_searched, NULL);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, run_search);
}

/* The session's search changed, here or elsewhere. */
static void
on_session_changed (CsFlameSearch *self)
{
  const char *text = cs_session_get_search (self->session);

  self->syncing = TRUE;
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_toggle_button_set_active (self->regex, cs_session_get_regex (self->session));
  self->syncing = FALSE;
  self->wanted = CS_FLAME_NONE;
  self->entered = FALSE;
  update (self);
}

static void
on_changed (CsFlameSearch *self)
{
  if (self->session != NULL && !self->syncing)
    cs_session_set_search (self->session, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                           gtk_toggle_button_get_active (self->regex));
}

static void
on_next (CsFlameSearch *self)
{
  cs_flame_search_step (self, FALSE);
}

static void
on_previous (CsFlameSearch *self)
{
  cs_flame_search_step (self, TRUE);
}

/* Enter goes to the next match, or to the first one as soon as there is one. */
static void
on_activate (CsFlameSearch *self)
{
  on_changed (self);
  if (self->searching != NULL)
    self->entered = TRUE;
  else
    cs_flame_search_step (self, FALSE);
}

static void
on_stop (CsFlameSearch *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  on_changed (self);
}

static void
cs_flame_search_dispose (GObject *object)
{
  CsFlameSearch *self = CS_FLAME_SEARCH (object);

  stop (self);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->picture, cs_flame_picture_unref);
  g_clear_pointer (&self->error, g_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (cs_flame_search_parent_class)->dispose (object);
}

static gboolean
cs_flame_search_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CS_FLAME_SEARCH (widget)->entry));
}

static void
cs_flame_search_class_init (CsFlameSearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cs_flame_search_dispose;
  widget_class->grab_focus = cs_flame_search_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/callsight/Callsight/flame/cs-flame-search.ui");
  gtk_widget_class_bind_template_child (widget_class, CsFlameSearch, entry);
  gtk_widget_class_bind_template_child (widget_class, CsFlameSearch, regex);
  gtk_widget_class_bind_template_child (widget_class, CsFlameSearch, results);
  gtk_widget_class_bind_template_child (widget_class, CsFlameSearch, share);
  gtk_widget_class_bind_template_child (widget_class, CsFlameSearch, position);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  signals[FOUND_CHANGED] = g_signal_new ("found-changed", CS_TYPE_FLAME_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[CHOSEN] = g_signal_new ("chosen", CS_TYPE_FLAME_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_UINT);
}

static void
cs_flame_search_init (CsFlameSearch *self)
{
  self->at = G_MAXUINT;
  self->wanted = CS_FLAME_NONE;
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * cs_flame_search_set_session:
 * @self: a search
 * @session: the window's; told once
 */
void
cs_flame_search_set_session (CsFlameSearch *self, CsSession *session)
{
  g_return_if_fail (CS_IS_FLAME_SEARCH (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::search", G_CALLBACK (on_session_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::regex", G_CALLBACK (on_session_changed), self, G_CONNECT_SWAPPED);
  on_session_changed (self);
}

/**
 * cs_flame_search_set_picture:
 * @self: a search
 * @picture: (nullable): where to look
 * @node: what was gone to in the picture before, if something was; %CS_FLAME_NONE: it isn't there
 */
void
cs_flame_search_set_picture (CsFlameSearch *self, CsFlamePicture *picture, guint32 node)
{
  g_return_if_fail (CS_IS_FLAME_SEARCH (self));

  if (picture != NULL)
    cs_flame_picture_ref (picture);
  g_clear_pointer (&self->picture, cs_flame_picture_unref);
  self->picture = picture;
  g_clear_pointer (&self->found, g_array_unref);
  /* Which it is in the last picture isn't known before the search in that has ended. */
  if (self->at != G_MAXUINT || self->wanted != CS_FLAME_NONE)
    self->wanted = node;
  self->at = G_MAXUINT;
  update (self);
}

/**
 * cs_flame_search_start:
 * @self: a search
 *
 * Lets the person type what to look for.
 */
void
cs_flame_search_start (CsFlameSearch *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/**
 * cs_flame_search_step:
 * @self: a search
 * @backwards: whether to go to the match before
 *
 * Goes to the next match, row by row, and from the last one to the first.
 */
void
cs_flame_search_step (CsFlameSearch *self, gboolean backwards)
{
  guint n = self->found != NULL ? self->found->len : 0;

  if (n == 0)
    return;
  if (self->at == G_MAXUINT)
    self->at = backwards ? n - 1 : 0;
  else
    self->at = backwards ? (self->at + n - 1) % n : (self->at + 1) % n;
  show_results (self);
  g_signal_emit (self, signals[CHOSEN], 0, g_array_index (self->found, guint32, self->at));
}

/**
 * cs_flame_search_get_found:
 * @self: a search
 * @n: (out): how many
 *
 * Returns: (transfer none) (nullable) (array length=n): the frames that match, ascending; %NULL: nothing is searched for
 */
const guint32 *
cs_flame_search_get_found (CsFlameSearch *self, guint *n)
{
  static const guint32 none;

  *n = self->found != NULL ? self->found->len : 0;
  if (self->found == NULL)
    return NULL;
  return *n > 0 ? (const guint32 *) (gpointer) self->found->data : &none;
}

/**
 * cs_flame_search_get_time:
 * @self: a search
 * @ns: (out): the time with a matching function on the stack
 *
 * Returns: whether something is searched for
 */
gboolean
cs_flame_search_get_time (CsFlameSearch *self, guint64 *ns)
{
  *ns = self->time;
  return self->found != NULL;
}

/**
 * cs_flame_search_get_position:
 * @self: a search
 *
 * Returns: the number of the match that was gone to, from 0; %G_MAXUINT: none
 */
guint
cs_flame_search_get_position (CsFlameSearch *self)
{
  return self->at;
}

/**
 * cs_flame_search_get_busy:
 * @self: a search
 *
 * Returns: whether it goes on
 */
gboolean
cs_flame_search_get_busy (CsFlameSearch *self)
{
  return self->searching != NULL;
}

/**
 * cs_flame_search_get_error:
 * @self: a search
 *
 * Returns: (transfer none) (nullable): what is wrong with the pattern, as a sentence
 */
const char *
cs_flame_search_get_error (CsFlameSearch *self)
{
  return self->error;
}

/**
 * cs_flame_search_get_hint:
 * @self: a search
 *
 * Returns: (transfer none) (nullable): how what isn't found may have been meant
 */
const char *
cs_flame_search_get_hint (CsFlameSearch *self)
{
  if (self->session == NULL || self->found == NULL || self->found->len > 0)
    return NULL;
  return cs_search_get_hint (cs_session_get_search (self->session), cs_session_get_regex (self->session));
}
