/* SPDX-License-Identifier: MIT */
/*
 * flame-export-tool FOLDER FILE [WORD…]: saves a flame graph of a recording as FILE, whose ending says how:
 * .svg or .folded. WORDs: callers, by-thread, collapse, upwards, own (names and colours of its own), focus=N (the
 * N-th widest frame), hide=NAME, found=NAME, width=N, title=TEXT. Prints the focused frame's time, the whole's, and how
 * many frames there are.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cs-thread-tree.h"
#include "report/cs-flame-export.h"

typedef struct
{
  const char *const *words;
  CsProfile *profile;
  const CsFunction *functions;
  guint n_functions;
  CsFlameLayout *layout;
} Tool;

static const char *
get_word (const Tool *tool, const char *name)
{
  for (guint i = 0; tool->words[i] != NULL; i++)
    if (g_str_has_prefix (tool->words[i], name) && strchr ("=", tool->words[i][strlen (name)]) != NULL)
      return tool->words[i] + strlen (name) + (tool->words[i][strlen (name)] == '=');
  return NULL;
}

static gboolean
match_name (guint function, gpointer data)
{
  const Tool *tool = data;

  return g_str_equal (tool->functions[function].location.name, get_word (tool, "found"));
}

/* The n-th widest frame; of equal ones the one with the lower number. */
static guint32
find_nth (CsFlameLayout *layout, guint n)
{
  g_autofree guint8 *taken = g_new0 (guint8, cs_flame_layout_get_n_nodes (layout));
  guint32 best = 0;

  for (guint k = 0; k <= n; k++)
    {
      guint64 width = 0;

      best = 0;
      for (guint32 i = 1; i < cs_flame_layout_get_n_nodes (layout); i++)
        {
          CsFlameNode node;

          cs_flame_layout_get_node (layout, i, &node);
          if (!taken[i] && node.width > width)
            {
              best = i;
              width = node.width;
            }
        }
      taken[best] = TRUE;
    }
  return best;
}

static char *
dup_own_name (guint32 node, gpointer data)
{
  return g_strdup_printf ("own <%u> & \"x\" \x01\xff%s", node, (const char *) data);
}

static char *
dup_own_text (guint32 node, gpointer data)
{
  return g_strdup_printf ("own %u]]>\nsecond \x02 line", node);
}

static guint32
get_own_colour (guint32 node, gboolean dark, gpointer data)
{
  return dark ? 0x123456 : 0xabcdef;
}

static void
keep (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static CsFlameLayout *
make_layout (Tool *tool)
{
  CsFlameOptions options = { .kind = get_word (tool, "callers") ? CS_FLAME_CALLERS : CS_FLAME_CALL_TREE,
                             .collapse = get_word (tool, "collapse") != NULL, .order = CS_FLAME_BY_TIME };
  g_autofree guint8 *marks = g_new0 (guint8, tool->n_functions + 1);
  g_autoptr (CsThreadTree) tree = NULL;
  const CsCallNode *nodes;
  guint n;

  for (guint i = 0; i < tool->n_functions; i++)
    marks[i] = g_strcmp0 (tool->functions[i].location.name, get_word (tool, "hide")) == 0 ? CS_FLAME_HIDE : CS_FLAME_KEEP;
  options.marks = marks;
  nodes = cs_profile_get_tree (tool->profile, &n);
  if (get_word (tool, "by-thread"))
    {
      tree = cs_thread_tree_new (tool->profile, NULL, NULL, NULL);
      nodes = cs_thread_tree_get_nodes (tree, &n);
    }
  return cs_flame_layout_new (&options, nodes, n, tool->functions, tool->n_functions, NULL);
}

static gboolean
save (Tool *tool, CsFlameExport *export, const char *path, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *long_name = g_strnfill (4000, 'n');
  g_autoptr (GAsyncResult) result = NULL;

  if (get_word (tool, "found"))
    {
      cs_flame_layout_search (tool->layout, match_name, tool, found);
      export->found = (guint32 *) (gpointer) found->data;
      export->n_found = found->len;
    }
  if (get_word (tool, "own"))
    {
      export->dup_name = dup_own_name;
      export->dup_text = dup_own_text;
      export->get_colour = get_own_colour;
      export->data = long_name;
    }
  cs_flame_export_save_async (export, g_str_has_suffix (path, ".folded"), path, NULL, keep, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return cs_flame_export_save_finish (result, error);
}

int
main (int argc, char **argv)
{
  const char *const paths[] = { argc > 1 ? argv[1] : "", NULL };
  const CsProfileOptions options = { 0 };
  static const char *const notes[] = { "thread <main> & others", NULL }, *const notices[] = { "cut \x01 short", NULL };
  Tool tool = { .words = (const char *const *) argv + 3 };
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  CsFlameExport export = { .notes = notes, .notices = notices };
  CsFlameNode focus;

  if (argc < 3)
    return 2;
  recording = cs_recording_open (paths, NULL, &error);
  tool.profile = cs_profile_new (recording, symbolizer, &options, NULL, NULL, &error);
  tool.functions = cs_profile_get_functions (tool.profile, &tool.n_functions);
  tool.layout = make_layout (&tool);
  export.layout = tool.layout;
  export.profile = tool.profile;
  export.upwards = get_word (&tool, "upwards") != NULL;
  export.title = get_word (&tool, "title") ? get_word (&tool, "title") : "a flame graph";
  if (get_word (&tool, "width"))
    export.width = atoi (get_word (&tool, "width"));
  if (get_word (&tool, "focus"))
    export.focus = find_nth (tool.layout, (guint) atoi (get_word (&tool, "focus")));
  if (!save (&tool, &export, argv[2], &error))
    printf ("%s\n", error->message);
  cs_flame_layout_get_node (tool.layout, export.focus, &focus);
  printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u\n", focus.width, cs_flame_layout_get_total (tool.layout),
          cs_flame_layout_get_n_nodes (tool.layout));
  cs_flame_layout_unref (tool.layout);
  g_object_unref (tool.profile);
  return error != NULL;
}
