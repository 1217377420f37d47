/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "test-trees.h"

/* A tree in which siblings have different functions, with times from 0 on. */
static TestTree
make_random_tree (GRand *rand)
{
  TestTree tree = test_tree_new ((guint) g_rand_int_range (rand, 1, 9));
  guint n = (guint) g_rand_int_range (rand, 0, 120);
  guint scale = (guint) g_rand_int_range (rand, 0, 3);

  for (guint i = 0; i < n; i++)
    {
      guint32 parent = (guint32) g_rand_int_range (rand, 0, (gint32) tree.nodes->len);
      guint32 function = (guint32) g_rand_int_range (rand, 0, (gint32) tree.n_functions);
      guint64 self = (guint64) g_rand_int_range (rand, 0, scale == 0 ? 2 : scale == 1 ? 20 : 1000000);
      gboolean taken = FALSE;

      /* Now and then a chain. */
      if (g_rand_int_range (rand, 0, 3) == 0)
        parent = tree.nodes->len - 1;
      for (guint32 child = test_tree_get (&tree, parent)->first_child; child != 0 && !taken;
           child = test_tree_get (&tree, child)->next_sibling)
        taken = test_tree_get (&tree, child)->function == function;
      if (!taken)
        test_tree_add (&tree, parent, function, self, g_rand_int_range (rand, -50, 50));
    }
  return tree;
}

static CsFlameOptions
make_random_options (GRand *rand, const TestTree *tree, guint8 *marks)
{
  CsFlameOptions options = { .kind = (CsFlameKind) g_rand_int_range (rand, 0, 2),
                             .order = (CsFlameOrder) g_rand_int_range (rand, 0, 3),
                             .collapse = g_rand_boolean (rand) };
  gboolean only = g_rand_int_range (rand, 0, 3) == 0;

  if (g_rand_int_range (rand, 0, 4) == 0)
    return options;
  for (guint i = 0; i < tree->n_functions; i++)
    {
      gint draw = g_rand_int_range (rand, 0, 8);

      marks[i] = draw == 0 ? CS_FLAME_HIDE : draw == 1 ? CS_FLAME_CUT : draw == 2 && only ? CS_FLAME_ONLY : CS_FLAME_KEEP;
    }
  options.marks = marks;
  return options;
}

/* What a stack has in the model, and every stack that it begins with. */
typedef struct
{
  guint64 width, self, calls;
  gint64 first;
} Sum;

/* The model: stacks are lists of functions; every option is done to each of them alone, as it is
 * defined, and times are added to all beginnings. Keys are strings such as "3,1,4,". */
static void
add_stack (GHashTable *sums, GArray *stack, const CsCallNode *node, gboolean calls, CsFlameKind kind)
{
  g_autoptr (GString) key = g_string_new (NULL);

  for (guint i = 0; i <= stack->len; i++)
    {
      Sum *sum = g_hash_table_lookup (sums, key->str);

      if (sum == NULL)
        {
          sum = g_new0 (Sum, 1);
          sum->first = G_MAXINT64;
          g_hash_table_insert (sums, g_strdup (key->str), sum);
        }
      sum->width += node->self;
      if (i > 0 && (kind == CS_FLAME_CALLERS || i == stack->len) && calls)
        {
          sum->calls += node->calls;
          sum->first = MIN (sum->first, node->first_ns);
        }
      if (i == stack->len)
        sum->self += node->self;
      else
        g_string_append_printf (key, "%u,", g_array_index (stack, guint32, i));
    }
}

static GHashTable *
make_model (TestTree *tree, const CsFlameOptions *options)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gboolean any_only = FALSE;

  for (guint i = 0; options->marks != NULL && i < tree->n_functions; i++)
    any_only |= options->marks[i] == CS_FLAME_ONLY;
  for (guint32 node = 1; node < tree->nodes->len; node++)
    {
      g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint32));
      gboolean cut = FALSE, only = FALSE, calls = TRUE;

      for (guint32 i = node; i != 0; i = test_tree_get (tree, i)->parent)
        g_array_prepend_val (stack, test_tree_get (tree, i)->function);
      for (guint i = 0; i < stack->len; i++)
        {
          guint32 function = g_array_index (stack, guint32, i);
          guint mark = options->marks != NULL ? options->marks[function] : CS_FLAME_KEEP;
          guint j = 0;

          cut |= mark == CS_FLAME_CUT;
          only |= mark == CS_FLAME_ONLY;
          calls = mark != CS_FLAME_HIDE;
          if (mark == CS_FLAME_HIDE)
            continue;
          while (options->collapse && j < left->len && g_array_index (left, guint32, j) != function)
            j++;
          if (options->collapse && j < left->len)
            g_array_set_size (left, j);
          g_array_append_val (left, function);
        }
      if (cut || (any_only && !only))
        continue;
      for (guint i = 0; options->kind == CS_FLAME_CALLERS && i < left->len / 2; i++)
        {
          guint32 swap = g_array_index (left, guint32, i);

          g_array_index (left, guint32, i) = g_array_index (left, guint32, left->len - 1 - i);
          g_array_index (left, guint32, left->len - 1 - i) = swap;
        }
      add_stack (sums, left, test_tree_get (tree, node), calls, options->kind);
    }
  return sums;
}

static char *
get_key (CsFlameLayout *layout, guint32 node)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  GString *key = g_string_new (NULL);

  cs_flame_layout_get_path (layout, node, path);
  g_assert_cmpuint (path->len, ==, test_get_node (layout, node).depth + 1);
  for (guint i = 1; i < path->len; i++)
    g_string_append_printf (key, "%u,", test_get_node (layout, g_array_index (path, guint32, i)).function);
  return g_string_free (key, FALSE);
}

/* Children lie in their parent from its left on, without gaps, in order; rows are in order. */
static void
check_geometry (CsFlameLayout *layout, const CsFlameOptions *options, TestTree *tree, GHashTable *model)
{
  guint32 n = cs_flame_layout_get_n_nodes (layout);
  guint64 end = 0;
  guint32 depth = 0;

  for (guint32 i = 0; i < n; i++)
    {
      CsFlameNode node = test_get_node (layout, i);
      guint64 x = node.start;

      if (node.depth != depth)
        {
          g_assert_cmpuint (node.depth, ==, depth + 1);
          depth++;
          end = 0;
        }
      g_assert_cmpuint (node.start, >=, end);
      end = node.start + node.width;
      for (guint32 j = node.first_child; j < node.first_child + node.n_children; j++)
        {
          CsFlameNode child = test_get_node (layout, j);

          g_assert_cmpuint (child.parent, ==, i);
          g_assert_cmpuint (child.depth, ==, node.depth + 1);
          g_assert_cmpuint (child.start, ==, x);
          x += child.width;
          if (j > node.first_child)
            {
              g_autofree char *key = get_key (layout, j), *key_before = get_key (layout, j - 1);
              Sum *sum = g_hash_table_lookup (model, key), *sum_before = g_hash_table_lookup (model, key_before);
              CsFlameNode before = test_get_node (layout, j - 1);
              int names = strcmp (tree->functions[before.function].location.name,
                                  tree->functions[child.function].location.name);

              if (options->order == CS_FLAME_BY_NAME)
                g_assert_cmpint (names, <, 0);
              else if (options->order == CS_FLAME_BY_TIME)
                g_assert_true (before.width > child.width || (before.width == child.width && names < 0));
              else
                g_assert_true (sum_before->first < sum->first || (sum_before->first == sum->first && names < 0)
                               || ((before.flags | child.flags) & CS_FLAME_CONTEXT) != 0);
            }
        }
      g_assert_cmpuint (x + node.self, ==, node.start + node.width);
    }
  g_assert_cmpuint (depth + 1, ==, cs_flame_layout_get_n_rows (layout));
}

static void
check_model (CsFlameLayout *layout, const CsFlameOptions *options, GHashTable *model)
{
  guint32 n = cs_flame_layout_get_n_nodes (layout);

  g_assert_cmpuint (n, ==, MAX (g_hash_table_size (model), 1));
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *key = get_key (layout, i);
      CsFlameNode node = test_get_node (layout, i);
      Sum *sum = g_hash_table_lookup (model, key);

      if (sum == NULL)
        {
          g_assert_cmpuint (n, ==, 1);
          g_assert_cmpuint (node.width, ==, 0);
          continue;
        }
      g_assert_cmpuint (node.width, ==, sum->width);
      g_assert_cmpuint (node.self, ==, sum->self);
      /* A frame above marked ones has calls that the model removed with their stacks. */
      if (!(node.flags & CS_FLAME_CONTEXT))
        g_assert_cmpuint (node.calls, ==, sum->calls);
      g_assert_false (node.flags & CS_FLAME_FOLDED);
    }
}

static void
test_model (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 3000; round++)
    {
      TestTree tree = make_random_tree (rand);
      guint8 marks[16] = { 0 };
      CsFlameOptions options = make_random_options (rand, &tree, marks);
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      g_autoptr (GHashTable) model = make_model (&tree, &options);

      check_model (layout, &options, model);
      check_geometry (layout, &options, &tree, model);
      test_tree_clear (&tree);
    }
}

/* Bottom-up, the first row is the functions' self time, with or without recursion. */
static void
test_callers_sums (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint round = 0; round < 500; round++)
    {
      TestTree tree = make_random_tree (rand);
      CsFlameOptions options = { .kind = CS_FLAME_CALLERS, .collapse = round % 2 };
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      CsFlameNode root = test_get_node (layout, 0);
      guint64 self[16] = { 0 }, total = 0;

      for (guint32 i = 1; i < tree.nodes->len; i++)
        {
          self[test_tree_get (&tree, i)->function] += test_tree_get (&tree, i)->self;
          total += test_tree_get (&tree, i)->self;
        }
      g_assert_cmpuint (cs_flame_layout_get_total (layout), ==, total);
      for (guint32 i = root.first_child; i < root.first_child + root.n_children; i++)
        {
          CsFlameNode node = test_get_node (layout, i);

          g_assert_cmpuint (node.width, ==, self[node.function]);
          self[node.function] = 0;
        }
      for (guint i = 0; i < 16; i++)
        g_assert_cmpuint (self[i], ==, 0);
      test_tree_clear (&tree);
    }
}

/* main → a → main → b: b is called by main, which is there once. */
static void
test_collapse (void)
{
  TestTree tree = test_tree_new (3);
  guint32 main = test_tree_add (&tree, 0, 0, 1, 0);
  guint32 a = test_tree_add (&tree, main, 1, 10, 1);
  guint32 again = test_tree_add (&tree, a, 0, 100, 2);
  const guint32 path[] = { 0, 2 };
  CsFlameOptions options = { .collapse = TRUE };
  g_autoptr (CsFlameLayout) layout = NULL;
  CsFlameNode node;

  test_tree_add (&tree, again, 2, 1000, 3);
  layout = test_tree_lay_out (&tree, &options);
  g_assert_cmpuint (cs_flame_layout_get_n_nodes (layout), ==, 4);
  node = test_get_node (layout, cs_flame_layout_find_path (layout, path, 1));
  g_assert_cmpuint (node.self, ==, 101);
  g_assert_cmpuint (node.width, ==, 1111);
  g_assert_cmpuint (node.source, ==, main);
  node = test_get_node (layout, cs_flame_layout_find_path (layout, path, 2));
  g_assert_cmpuint (node.width, ==, 1000);
  test_tree_clear (&tree);
}

/* The widest nodes of a callers' tree are laid out; what is left out belongs to the frame above. */
static void
test_folded (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 1000; round++)
    {
      TestTree tree = make_random_tree (rand);
      CsFlameOptions options = { .kind = CS_FLAME_CALLERS, .max_nodes = (guint) g_rand_int_range (rand, 1, 200) };
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      g_autoptr (GHashTable) model = make_model (&tree, &options);
      guint32 n = cs_flame_layout_get_n_nodes (layout);
      guint64 narrowest = G_MAXUINT64, widest = 0;
      guint depths[200] = { 0 }, next = 0; /* of the widest that are left out, how many there are at each depth */
      GHashTableIter iter;
      gpointer key, value;

      g_assert_cmpuint (n, <=, options.max_nodes + 1);
      g_assert_cmpuint (cs_flame_layout_is_folded (layout), ==, g_hash_table_size (model) > options.max_nodes + 1);
      for (guint32 i = 0; i < n; i++)
        {
          g_autofree char *path = get_key (layout, i);
          Sum *sum = g_hash_table_lookup (model, path);
          CsFlameNode node = test_get_node (layout, i);

          if (sum == NULL)
            continue;
          g_assert_cmpuint (node.width, ==, sum->width);
          if (node.flags & CS_FLAME_FOLDED)
            g_assert_cmpuint (node.self, >=, sum->self);
          else
            g_assert_cmpuint (node.self, ==, sum->self);
          narrowest = MIN (narrowest, node.width);
          g_hash_table_remove (model, path);
        }
      g_hash_table_iter_init (&iter, model);
      while (g_hash_table_iter_next (&iter, &key, &value))
        widest = MAX (widest, ((Sum *) value)->width);
      g_assert_cmpuint (widest, <=, narrowest);

      /* The next ones, all of one width and depth, had no room. */
      g_hash_table_iter_init (&iter, model);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (((Sum *) value)->width == widest)
          {
            guint depth = 0;

            for (const char *p = key; *p != '\0'; p++)
              depth += *p == ',';
            depths[depth]++;
          }
      while (next < G_N_ELEMENTS (depths) && depths[next] == 0)
        next++;
      if (g_hash_table_size (model) > 0 && n > 1)
        g_assert_cmpuint (n - 1 + depths[MIN (next, 199)], >, options.max_nodes);
      test_tree_clear (&tree);
    }
}

/* Every frame in the window is in one rectangle, wide ones alone, narrow ones with neighbours
 * that are close. */
static void
check_rects (CsFlameLayout *layout, const CsFlameWindow *window, GArray *rects)
{
  double least = (double) (window->x1 - window->x0) / window->pixels * window->min_pixels;
  guint next = 0;

  for (guint32 i = 0; i < cs_flame_layout_get_n_nodes (layout); i++)
    {
      CsFlameNode node = test_get_node (layout, i), last = node;
      CsFlameRect *rect = &g_array_index (rects, CsFlameRect, next);
      guint64 time = 0;

      if (node.depth < window->depth0 || node.depth >= window->depth1 || node.start >= window->x1
          || node.start + node.width <= window->x0)
        continue;
      g_assert_cmpuint (next++, <, rects->len);
      g_assert_cmpuint (rect->node, ==, i);
      g_assert_cmpuint (rect->depth, ==, node.depth);
      g_assert_cmpuint (rect->start, ==, node.start);
      for (guint32 j = 0; j < rect->n; j++, i++)
        {
          CsFlameNode member = test_get_node (layout, i);

          g_assert_cmpuint (member.depth, ==, rect->depth);
          g_assert_true (rect->n == 1 || (double) member.width < MAX (least, 1));
          if (j > 0)
            g_assert_true ((double) (member.start - last.start - last.width) < MAX (least, 1));
          time += member.width;
          last = member;
        }
      i--;
      g_assert_cmpuint (rect->start + rect->width, ==, last.start + last.width);
      g_assert_cmpuint (rect->time, ==, time);
      /* What comes next was not to be merged with it. */
      if (next < rects->len && rect[1].depth == rect->depth && (double) last.width < MAX (least, 1)
          && (double) test_get_node (layout, rect[1].node).width < MAX (least, 1))
        g_assert_true ((double) (rect[1].start - rect->start - rect->width) >= MAX (least, 1));
    }
  g_assert_cmpuint (next, ==, rects->len);
}

static void
test_query (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));

  for (guint round = 0; round < 1000; round++)
    {
      TestTree tree = make_random_tree (rand);
      CsFlameOptions options = { .kind = (CsFlameKind) (round % 2) };
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      guint64 total = cs_flame_layout_get_total (layout);

      for (guint i = 0; i < 20 && total > 0; i++)
        {
          CsFlameWindow window = { .x1 = total, .depth1 = G_MAXUINT32, .min_pixels = 1,
                                   .pixels = g_rand_int_range (rand, 1, 200) };
          guint32 least_rects;

          if (i > 5)
            {
              window.x0 = (guint64) g_rand_double_range (rand, 0, (double) total);
              window.x1 = window.x0 + 1 + (guint64) g_rand_double_range (rand, 0, (double) total);
              window.depth0 = (guint32) g_rand_int_range (rand, 0, 4);
              window.depth1 = (guint32) g_rand_int_range (rand, 0, 9);
            }
          cs_flame_layout_query (layout, &window, rects);
          check_rects (layout, &window, rects);

          least_rects = MIN (window.depth1, cs_flame_layout_get_n_rows (layout));
          window.max_rects = (guint) g_rand_int_range (rand, 1, 20);
          cs_flame_layout_query (layout, &window, rects);
          g_assert_cmpuint (rects->len, <=, MAX (window.max_rects, least_rects));
        }
      test_tree_clear (&tree);
    }
}

static void
test_hit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 500; round++)
    {
      TestTree tree = make_random_tree (rand);
      CsFlameOptions options = { .order = CS_FLAME_BY_TIME };
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      guint64 total = cs_flame_layout_get_total (layout);

      for (guint32 i = 0; i < cs_flame_layout_get_n_nodes (layout); i++)
        {
          CsFlameNode node = test_get_node (layout, i);
          CsFlameWindow window = { .x0 = 7 };

          cs_flame_layout_focus (layout, i, &window);
          g_assert_true (total == 0 || window.x1 > window.x0);
          if (node.width > 0)
            {
              g_assert_cmpuint (cs_flame_layout_hit (layout, node.start, node.depth), ==, i);
              g_assert_cmpuint (cs_flame_layout_hit (layout, node.start + node.width - 1, node.depth), ==, i);
              g_assert_cmpuint (window.x0, ==, node.start);
              g_assert_cmpuint (window.x1, ==, node.start + node.width);
            }
          /* Right of the children is the frame's own time. */
          if (node.self > 0)
            g_assert_cmpuint (cs_flame_layout_hit (layout, node.start + node.width - 1, node.depth + 1), ==, CS_FLAME_NONE);
        }
      g_assert_cmpuint (cs_flame_layout_hit (layout, total, 0), ==, CS_FLAME_NONE);
      g_assert_cmpuint (cs_flame_layout_hit (layout, 0, G_MAXUINT32), ==, CS_FLAME_NONE);
      test_tree_clear (&tree);
    }
}

static gboolean
is_odd (guint function, gpointer data)
{
  (*(guint *) data)++;
  return function % 2;
}

static void
test_search (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint round = 0; round < 500; round++)
    {
      TestTree tree = make_random_tree (rand);
      CsFlameOptions options = { .kind = (CsFlameKind) (round % 2) };
      g_autoptr (CsFlameLayout) layout = test_tree_lay_out (&tree, &options);
      guint64 expected = 0;
      guint asked = 0;

      /* Each ns of a stack once, whether one of its functions is odd or all are. */
      for (guint32 i = 1; i < tree.nodes->len; i++)
        {
          gboolean odd = FALSE;

          for (guint32 j = i; j != 0; j = test_tree_get (&tree, j)->parent)
            odd |= test_tree_get (&tree, j)->function % 2 == 1;
          expected += odd ? test_tree_get (&tree, i)->self : 0;
        }
      g_assert_cmpuint (cs_flame_layout_search (layout, is_odd, &asked, found), ==, expected);
      g_assert_cmpuint (asked, ==, tree.n_functions);
      for (guint32 i = 1, at = 0; i < cs_flame_layout_get_n_nodes (layout); i++)
        if (test_get_node (layout, i).function % 2)
          g_assert_cmpuint (g_array_index (found, guint32, at++), ==, i);
      test_tree_clear (&tree);
    }
}

static void
test_marks (void)
{
  TestTree tree = test_tree_new (7);
  guint8 marks[7] = { 0 };

  cs_flame_mark_module (marks, tree.functions, 7, "m1", CS_FLAME_HIDE);
  for (guint i = 0; i < 7; i++)
    g_assert_cmpuint (marks[i], ==, i % 3 == 1 ? CS_FLAME_HIDE : CS_FLAME_KEEP);
  test_tree_clear (&tree);
}

static void
test_empty (void)
{
  TestTree tree = test_tree_new (0);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (CsFlameRect));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  for (guint kind = 0; kind < 2; kind++)
    {
      CsFlameOptions options = { .kind = (CsFlameKind) kind };
      CsFlameWindow window = { .x1 = 100, .depth1 = 10, .pixels = 100, .min_pixels = 1 };
      g_autoptr (CsFlameLayout) none = cs_flame_layout_new (&options, NULL, 0, NULL, 0, NULL);
      g_autoptr (CsFlameLayout) root = test_tree_lay_out (&tree, &options);

      g_assert_cmpuint (cs_flame_layout_get_n_nodes (none), ==, 1);
      g_assert_cmpuint (cs_flame_layout_get_n_nodes (root), ==, 1);
      cs_flame_layout_query (none, &window, rects);
      g_assert_cmpuint (rects->len, ==, 0);
      g_assert_cmpuint (cs_flame_layout_hit (none, 0, 0), ==, CS_FLAME_NONE);
      g_cancellable_cancel (cancellable);
      g_assert_null (cs_flame_layout_new (&options, NULL, 0, NULL, 0, cancellable));
    }
  test_tree_clear (&tree);
}

/* Colours depend on nothing but the name: the numbers are what every release gives. */
static void
test_colours (void)
{
  guint counts[12] = { 0 };

  g_assert_cmpuint (cs_flame_colour_index (NULL, 12), ==, 0);
  for (guint i = 0; i < 12000; i++)
    {
      g_autofree char *name = g_strdup_printf ("ns::function_%u", i);
      guint index = cs_flame_colour_index (name, 12);

      g_assert_cmpuint (index, <, 12);
      counts[index]++;
    }
  for (guint i = 0; i < 12; i++)
    {
      g_assert_cmpuint (counts[i], >, 800);
      g_assert_cmpuint (counts[i], <, 1200);
    }
  g_assert_cmpuint (cs_flame_colour_index ("main", 1000), ==, 548);
  g_assert_cmpuint (cs_flame_colour_index ("qs_recursive", 1000), ==, 281);
  g_assert_cmpuint (cs_flame_colour_index ("/usr/lib/libc.so.6", 1000), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/flame/model", test_model);
  g_test_add_func ("/layout/flame/callers-sums", test_callers_sums);
  g_test_add_func ("/layout/flame/collapse", test_collapse);
  g_test_add_func ("/layout/flame/folded", test_folded);
  g_test_add_func ("/layout/flame/query", test_query);
  g_test_add_func ("/layout/flame/hit", test_hit);
  g_test_add_func ("/layout/flame/search", test_search);
  g_test_add_func ("/layout/flame/marks", test_marks);
  g_test_add_func ("/layout/flame/empty", test_empty);
  g_test_add_func ("/layout/flame/colours", test_colours);
  return g_test_run ();
}
