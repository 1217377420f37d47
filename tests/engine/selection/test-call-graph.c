/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "selection/cs-call-graph.h"
#include "selection/cs-trace-config.h"

typedef struct
{
  const char *path, *text;
} File;

/* Sources, and what calls what in them: a line a function that calls any, "caller: callee callee". Where several functions
 * have the name, it has the file before it. */
typedef struct
{
  const char *name;
  File files[6];
  const char *calls;
} Case;

static const Case cases[] = {
  { "nothing", { { "a.c", "int f (void) { return 1; }\n" } }, "" },
  { "one", { { "a.c", "int f (void) { return 1; }\nint g (void) { return f (); }\n" } }, "g: f\n" },
  { "before-its-definition", { { "a.c", "int g (void) { return f(); }\nint f (void) { return 1; }\n" } }, "g: f\n" },
  { "recursive", { { "a.c", "int f (int n)\n{\n  return n ? f (n - 1) : 0;\n}\n" } }, "f: f\n" },
  { "other-file", { { "a.c", "int f (void)\n{\n  return 1;\n}\n" }, { "b.c", "int g (void)\n{\n  return f ();\n}\n" } }, "g: f\n" },
  { "blank-lines-between", { { "a.c", "int f (void) { return 1; }\nint g (void)\n{\n  return f\n    /* x */\n    (\n   );\n}\n" } }, "g: f\n" },
  { "comment", { { "a.c", "int f (void) { return 1; }\nint g (void)\n{\n  /* f () */ return 2; // f ()\n}\n" } }, "" },
  { "string", { { "a.c", "int f (void) { return 1; }\nconst char *g (void)\n{\n  return \"f ()\";\n}\n" } }, "" },
  { "directive", { { "a.c", "int f (void) { return 1; }\nint g (void)\n{\n#define x \\\n f ()\n#if 0\n  f ();\n#endif\n  return 1;\n}\n" } }, "" },
  { "arguments",
    { { "a.c", "int f (int x) { return x; }\nint g (int x) { return x; }\nint h (void)\n{\n  return f (g (f (1)));\n}\n" } },
    "h: f g\n" },
  { "conditions",
    { { "a.c", "int a (void) { return 1; }\nint b (void) { return 1; }\nint c (void) { return 1; }\nint d (void) { return 1; }\n"
               "int e (void)\n{\n  if (a ())\n    b ();\n  else\n    c ();\n  while (d ())\n    ;\n  switch (1)\n    {\n    case 1:\n"
               "      return 1;\n    }\n  return sizeof (int);\n}\n" } },
    "e: a b c d\n" },
  { "behind-words",
    { { "a.c", "int a (void) { return 1; }\nint b (void) { return 1; }\nint c (void) { return 1; }\n"
               "int g (int x)\n{\n  if (x)\n    ;\n  else a ();\n  do b (); while (x);\n  return c ();\n}\n" } },
    "g: a b c\n" },
  { "cast", { { "a.c", "int f (void) { return 1; }\nint g (void)\n{\n  (void) f ();\n  return 2;\n}\n" } }, "g: f\n" },
  { "product", { { "a.c", "int f (void) { return 1; }\nint g (int x)\n{\n  x = x * f ();\n  return x & f ();\n}\n" } }, "g: f\n" },
  { "initialiser", { { "a.c", "int f (void) { return 1; }\nint g (int x)\n{\n  int y[] = { x * f (), 2 };\n  return y[0];\n}\n" } }, "g: f\n" },
  { "declared",
    { { "a.c", "int f (int x) { return x; }\nchar *p (int x) { return 0; }\nstruct s { int a; };\nstruct s *q (void) { return 0; }\n"
               "int g (void)\n{\n  int f (int);\n  char *p (int);\n  extern struct s *q (void);\n  GList *f (int);\n  return 1;\n}\n" } },
    "" },
  { "address", { { "a.c", "int f (int x) { return x; }\nint g (int (*c) (int))\n{\n  return c (1);\n}\nint h (void)\n{\n  return g (f) + g (&f);\n}\n" } },
    "h: g\n" },
  { "pointer-in-a-struct", { { "a.c", "int read (int x) { return x; }\nint g (struct ops *o)\n{\n  return o->read (1) + (*o).read (2);\n}\n" } }, "" },
  { "parameter-hides", { { "a.c", "int visit (int x) { return x; }\nint g (int (*visit) (int), int y)\n{\n  return visit (y);\n}\nint h (visit_t visit)\n{\n  return visit (1);\n}\n" } }, "" },
  { "variable-hides", { { "a.c", "int visit (int x) { return x; }\nint g (int y)\n{\n  int (*visit) (int) = table[y];\n  return visit (y);\n}\nint h (void)\n{\n  visit_t visit = table[1];\n  return visit (1);\n}\nint i (void)\n{\n  return visit (1);\n}\n" } },
    "i: visit\n" },
  { "kr", { { "a.c", "int f (x)\n  int x;\n{\n  return x;\n}\nint g (x, c)\n  int x;\n  int (*c) ();\n{\n  return f (x);\n}\n" } }, "g: f\n" },
  { "one-line", { { "a.c", "int f(void){return 1;} int g(void){return f();} int h(void){return 2;}\n" } }, "g: f\n" },
  { "twins", { { "a.c", "int a (void) { return 1; }\nint b (void) { return 1; }\n#ifdef X\nint f (void)\n{\n  return a ();\n}\n#else\nint f (void)\n{\n  return b ();\n}\n#endif\nint g (void)\n{\n  return f ();\n}\n" } },
    "a.c:f: a\na.c:f: b\ng: a.c:f a.c:f\n" },
  { "braces-in-conditions",
    { { "a.c", "int a (void) { return 1; }\nint f (int x)\n{\n#ifdef X\n  if (x) {\n#else\n  if (!x) {\n#endif\n    a ();\n  }\n  return 1;\n}\n"
               "int g (void)\n{\n  return f (1);\n}\n" } },
    "f: a\ng: f\n" },
  { "statics",
    { { "a.c", "static int f (void)\n{\n  return 1;\n}\nint a (void)\n{\n  return f ();\n}\n" },
      { "b.c", "static int f (void)\n{\n  return 1;\n}\nint b (void)\n{\n  return f ();\n}\n" },
      { "c.c", "int c (void)\n{\n  return f ();\n}\n" } },
    "a: a.c:f\nb: b.c:f\n" },
  { "static-and-not",
    { { "a.c", "static int f (void)\n{\n  return 1;\n}\nint a (void)\n{\n  return f ();\n}\n" },
      { "b.c", "int f (void)\n{\n  return 1;\n}\n" },
      { "c.c", "int c (void)\n{\n  return f ();\n}\n" } },
    "a: a.c:f\nc: b.c:f\n" },
  { "platforms",
    { { "unix.c", "int f (void)\n{\n  return 1;\n}\n" },
      { "win.c", "int f (void)\n{\n  return 1;\n}\n" },
      { "c.c", "int c (void)\n{\n  return f ();\n}\n" } },
    "c: unix.c:f win.c:f\n" },
  { "programs",
    { { "a.c", "void usage (void)\n{\n}\nint a (void)\n{\n  usage ();\n  return 1;\n}\n" },
      { "b.c", "void usage (void)\n{\n}\nint b (void)\n{\n  usage ();\n  return 1;\n}\n" } },
    "a: a.c:usage\nb: b.c:usage\n" },
  { "static-of-a-header",
    { { "a.h", "static inline int f (void)\n{\n  return 1;\n}\n" }, { "c.c", "#include \"a.h\"\nint c (void)\n{\n  return f ();\n}\n" } },
    "c: f\n" },
  { "many-of-one-name",
    { { "a.c", "#ifdef A1\nint f (void) { return 1; }\n#elif A2\nint f (void) { return 2; }\n#elif A3\nint f (void) { return 3; }\n#elif A4\n"
               "int f (void) { return 4; }\n#elif A5\nint f (void) { return 5; }\n#elif A6\nint f (void) { return 6; }\n#elif A7\n"
               "int f (void) { return 7; }\n#elif A8\nint f (void) { return 8; }\n#elif A9\nint f (void) { return 9; }\n#elif A10\n"
               "int f (void) { return 10; }\n#endif\n" },
      { "c.c", "int c (void)\n{\n  return f () + f ();\n}\n" } },
    "c: a.c:f a.c:f a.c:f a.c:f a.c:f a.c:f a.c:f a.c:f a.c:f a.c:f\n" },

  { "cpp-method",
    { { "a.cpp", "struct A { int m (); };\nint A::m () { return 1; }\nint g (A &a, A *b)\n{\n  return a.m () + b->m ();\n}\n" } },
    "g: A::m\n" },
  { "cpp-every-method",
    { { "a.cpp", "struct A { int m (); };\nstruct B { int m (); };\nint A::m () { return 1; }\nint B::m () { return 1; }\nint m () { return 1; }\n"
                 "int g (A &a)\n{\n  return a.m ();\n}\n" } },
    "g: A::m B::m\n" },
  { "cpp-own-method",
    { { "a.cpp", "struct A { int m (); int n (); int o (); };\nstruct B { int m (); };\nint A::m () { return 1; }\nint B::m () { return 1; }\n"
                 "int A::n () { return m (); }\nint A::o () { return this->m (); }\n" } },
    "A::n: A::m\nA::o: A::m\n" },
  { "cpp-inherited",
    { { "a.cpp", "struct A { int m (); };\nint A::m () { return 1; }\nstruct B : A { int n (); int o (); };\nint B::n () { return m (); }\n"
                 "int B::o () { return this->m () + B::m (); }\n" } },
    "B::n: A::m\nB::o: A::m\n" },
  { "cpp-qualified",
    { { "a.cpp", "namespace ns {\nint f () { return 1; }\nstruct C { static int m (); };\n}\nint f () { return 2; }\nint ns::C::m () { return 1; }\n"
                 "int g ()\n{\n  return ns::f ();\n}\nint h ()\n{\n  return ns::C::m ();\n}\nint i ()\n{\n  return ::f ();\n}\n"
                 "int j ()\n{\n  return std::f ();\n}\nint k ()\n{\n  return f ();\n}\n" } },
    "g: ns::f\nh: ns::C::m\ni: f\nk: f\n" },
  { "cpp-scopes-around",
    { { "a.cpp", "int f () { return 1; }\nnamespace a {\nint f () { return 2; }\nnamespace b {\nint g () { return f (); }\n}\n}\n"
                 "namespace c {\nint g () { return f (); }\n}\n" } },
    "a::b::g: a::f\nc::g: f\n" },
  { "cpp-qualified-in-scopes-around",
    { { "a.cpp", "namespace a {\nnamespace d { int f () { return 1; } }\nint g () { return d::f (); }\n}\n"
                 "namespace b {\nnamespace d { int f () { return 1; } }\nint g () { return d::f (); }\n}\n" } },
    "a::g: a::d::f\nb::g: b::d::f\n" },
  { "cpp-unnamed-namespaces",
    { { "a.cpp", "namespace {\nint f () { return 1; }\n}\nint a () { return f (); }\n" },
      { "b.cpp", "namespace {\nint f () { return 1; }\n}\nint b () { return f (); }\n" },
      { "c.cpp", "int c () { return f (); }\n" } },
    "a: a.cpp:{anonymous}::f\nb: b.cpp:{anonymous}::f\n" },
  { "cpp-overloads",
    { { "a.cpp", "int f (int) { return 1; }\nint f (char) { return 1; }\n" }, { "b.cpp", "int g () { return f (1); }\n" } },
    "g: a.cpp:f a.cpp:f\n" },
  { "cpp-templates",
    { { "a.cpp", "template<typename T> T f (T x) { return x; }\ntemplate<typename T> struct C { T m (); };\n"
                 "template<typename T> T C<T>::m () { return f<T> (1); }\nint g ()\n{\n  return f<int> (1);\n}\n"
                 "int h (C<int> &c)\n{\n  return c.m () < g () && g () > (1);\n}\nint i ()\n{\n  return f<C<int>> (2);\n}\n" } },
    "C::m: f\ng: f\nh: C::m g\ni: f\n" },
  { "cpp-constructors",
    { { "a.cpp", "struct C { C (int); ~C (); };\nC::C (int) { }\nC::~C () { }\nvoid f ()\n{\n  C c (1);\n}\nvoid g ()\n{\n  C c{1};\n}\n"
                 "C *h ()\n{\n  return new C (1);\n}\nvoid i ()\n{\n  auto c = C{1};\n}\nvoid j ()\n{\n  C (1);\n}\n"
                 "void k (C *c, C &d)\n{\n  C *e = c;\n  struct C;\n}\nvoid l ()\n{\n  auto c = std::make_unique<C> (1);\n}\n" } },
    "f: C::C C::~C\ng: C::C C::~C\nh: C::C C::~C\ni: C::C C::~C\nj: C::C C::~C\nl: C::C C::~C\n" },
  { "cpp-variable-is-no-call",
    { { "a.cpp", "int c (int x) { return x; }\nstruct T { };\nvoid f ()\n{\n  T c (1);\n  ns::T<int> c (1);\n}\n" } },
    "" },
  { "cpp-initialisers",
    { { "a.cpp", "int f () { return 1; }\nint b (int x) { return x; }\nstruct A { A (int); };\nA::A (int) { }\nint h () { return 1; }\n"
                 "struct B : A { B (); int b, c; };\nB::B () : A (f ()), b (1), c{2} { h (); }\n" } },
    "B::B: f A::A h\n" },
  { "cpp-lambda",
    { { "a.cpp", "int f () { return 1; }\nint g ()\n{\n  auto l = [] (int x) { return f () + x; };\n  return l (1);\n}\n" } },
    "g: f\n" },
  { "cpp-operators",
    { { "a.cpp", "int f () { return 1; }\nstruct A { int operator() (int x); A operator+ (A b); };\nint A::operator() (int x) { return f (); }\n"
                 "A A::operator+ (A b) { f (); return b; }\nint g (A a) { return a (1); }\n" } },
    "A::operator(): f\nA::operator+: f\n" },
  { "cpp-inline-methods",
    { { "a.h", "#pragma once\nclass A {\npublic:\n  int m () { return n (); }\nprivate:\n  int n () { return 1; }\n};\n" },
      { "a.cpp", "#include \"a.h\"\nint g (A &a) { return a.m (); }\n" } },
    "g: A::m\nA::m: A::n\n" },
  { "cpp-and-c",
    { { "a.c", "int f (void)\n{\n  return 1;\n}\n" }, { "b.cpp", "extern \"C\" int f (void);\nint g () { return f (); }\n" } },
    "g: f\n" },
};

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static CsFunctionIndex *
scan (const char *folder, gboolean built_in)
{
  CsScanOptions options = { .built_in = built_in, .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CsSourceTree) tree = cs_source_tree_new_sync (folder, NULL, &error);
  CsFunctionIndex *index;

  g_assert_no_error (error);
  index = cs_function_index_new_sync (tree, &options, NULL, &error);
  g_assert_no_error (error);
  return index;
}

static CsCallGraph *
make_graph (CsFunctionIndex *index)
{
  g_autoptr (GError) error = NULL;
  CsCallGraph *graph = cs_call_graph_new_sync (index, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

/* Its qualified name, with its file where that tells it apart from another. */
static char *
name_function (CsFunctionIndex *index, guint32 function)
{
  gsize n, twins = 0;
  const CsSourceFunction *functions = cs_function_index_get_functions (index, &n);
  g_autofree char *name = cs_function_dup_qualified_name (&functions[function]);
  const CsSourceFile *file = g_ptr_array_index (cs_function_index_get_files (index), functions[function].file);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *other = cs_function_dup_qualified_name (&functions[i]);

      twins += g_str_equal (name, other);
    }
  return twins > 1 ? g_strconcat (file->path, ":", name, NULL) : g_steal_pointer (&name);
}

static char *
show_graph (CsFunctionIndex *index, CsCallGraph *graph)
{
  GString *shown = g_string_new (NULL);
  gsize n;

  cs_function_index_get_functions (index, &n);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree char *caller = name_function (index, i);
      gsize count;
      const guint32 *callees = cs_call_graph_get_callees (graph, i, &count);

      if (count > 0)
        g_string_append_printf (shown, "%s:", caller);
      for (gsize j = 0; j < count; j++)
        {
          g_autofree char *callee = name_function (index, callees[j]);

          g_string_append_printf (shown, " %s", callee);
        }
      if (count > 0)
        g_string_append_c (shown, '\n');
    }
  return g_string_free (shown, FALSE);
}

static void
check (gconstpointer data)
{
  const Case *of = data;
  g_autofree char *folder = make_folder ();

  for (const File *file = of->files; file->path != NULL; file++)
    write_file (folder, file->path, file->text);
  for (int built_in = 0; built_in < 2; built_in++)
    {
      g_autoptr (CsFunctionIndex) index = scan (folder, built_in);
      g_autoptr (CsCallGraph) graph = make_graph (index);
      g_autofree char *shown = show_graph (index, graph);

      g_test_message ("%s", cs_function_index_get_scanner (index));
      g_assert_cmpstr (shown, ==, of->calls);
      g_assert_null (cs_call_graph_get_warnings (graph)[0]);
    }
  remove_folder (folder);
}

/* A scanned folder with these files. */
typedef struct
{
  char *folder;
  CsFunctionIndex *index;
  CsCallGraph *graph;
} Sources;

static void
sources_init (Sources *self, const File *files)
{
  self->folder = make_folder ();
  for (; files->path != NULL; files++)
    write_file (self->folder, files->path, files->text);
  self->index = scan (self->folder, TRUE);
  self->graph = make_graph (self->index);
}

static void
sources_clear (Sources *self)
{
  cs_call_graph_unref (self->graph);
  cs_function_index_unref (self->index);
  remove_folder (self->folder);
  g_free (self->folder);
}

static guint32
find (const Sources *self, const char *name)
{
  gsize count;
  const guint32 *found = cs_function_index_find (self->index, name, &count);

  g_assert_cmpuint (count, ==, 1);
  return found[0];
}

/* "name depth" of all that is reached, in its order. */
static char *
show_reached (const Sources *self, const char *const *seeds, int depth, gboolean text)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  guint32 numbers[8];
  g_autofree CsReached *reached = NULL;
  gsize n = 0, count;

  for (; seeds[n] != NULL; n++)
    numbers[n] = find (self, seeds[n]);
  reached = text ? cs_call_graph_expand_text (self->graph, numbers, n, depth, &count)
                 : cs_call_graph_expand (self->graph, numbers, n, depth, &count);
  for (gsize i = 0; i < count; i++)
    {
      g_autofree char *name = name_function (self->index, reached[i].function);

      g_string_append_printf (shown, "%s%s %u", i > 0 ? ", " : "", name, reached[i].depth);
    }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

#define assert_reached(sources, depth, text, wanted, ...)                                                          \
  G_STMT_START                                                                                                     \
  {                                                                                                                \
    const char *const names[] = { __VA_ARGS__, NULL };                                                             \
    g_autofree char *shown = show_reached (sources, names, depth, text);                                           \
    g_assert_cmpstr (shown, ==, wanted);                                                                           \
  }                                                                                                                \
  G_STMT_END

/* d is reached over a, b, c and at once over x: the shortest path counts. e comes before its callers in the index. */
static const File paths[] = {
  { "a.c", "int e (void) { return d (); }\nint d (void) { return e (); }\nint c (void) { return d (); }\nint b (void) { return c (); }\n"
           "int x (void) { return d (); }\nint a (void) { return b () + x (); }\nint alone (void) { return 1; }\n" },
  { NULL },
};

static void
check_depths (void)
{
  Sources sources;

  sources_init (&sources, paths);
  assert_reached (&sources, CS_DEPTH_FULL, FALSE, "a 0, b 1, x 1, d 2, c 2, e 3", "a");
  assert_reached (&sources, 0, FALSE, "a 0", "a");
  assert_reached (&sources, 1, FALSE, "a 0, b 1, x 1", "a");
  assert_reached (&sources, 2, FALSE, "a 0, b 1, x 1, d 2, c 2", "a");
  assert_reached (&sources, G_MAXINT, FALSE, "a 0, b 1, x 1, d 2, c 2, e 3", "a");
  assert_reached (&sources, CS_DEPTH_FULL, FALSE, "e 0, d 1", "e");
  assert_reached (&sources, 1, FALSE, "e 0, x 0, alone 0, d 1", "alone", "x", "e");
  assert_reached (&sources, CS_DEPTH_FULL, FALSE, "alone 0", "alone", "alone");
  sources_clear (&sources);
}

static void
check_added_edges (void)
{
  Sources sources;

  sources_init (&sources, paths);
  g_assert_true (cs_call_graph_add_edge (sources.graph, find (&sources, "x"), find (&sources, "alone")));
  g_assert_false (cs_call_graph_add_edge (sources.graph, find (&sources, "x"), find (&sources, "alone")));
  g_assert_false (cs_call_graph_add_edge (sources.graph, find (&sources, "x"), find (&sources, "d")));
  assert_reached (&sources, CS_DEPTH_FULL, FALSE, "x 0, d 1, alone 1, e 2", "x");
  assert_reached (&sources, CS_DEPTH_FULL, TRUE, "x 0, d 1, e 2", "x");
  g_assert_true (cs_call_graph_add_edge (sources.graph, find (&sources, "alone"), find (&sources, "a")));
  assert_reached (&sources, 3, FALSE, "x 0, d 1, alone 1, e 2, a 2, b 3", "x");
  sources_clear (&sources);
}

/* What a name shared by many means is kept once: the number of edges grows with the text, not with its square. */
static void
check_groups (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  File files[] = { { "a.cpp", NULL }, { NULL } };
  Sources sources;
  guint32 seed;
  g_autofree CsReached *reached = NULL;
  gsize count;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "struct S%u { int m (); };\nint S%u::m () { return 1; }\nint f%u (S%u &s) { return s.m (); }\n", i, i, i, i);
  files[0].text = text->str;
  sources_init (&sources, files);
  seed = find (&sources, "f2999");
  reached = cs_call_graph_expand (sources.graph, &seed, 1, CS_DEPTH_FULL, &count);
  g_assert_cmpuint (count, ==, 3001);
  cs_call_graph_get_callees (sources.graph, seed, &count);
  g_assert_cmpuint (count, ==, 3000);
  sources_clear (&sources);
}

/* Files that aren't any more what was scanned: their calls aren't known, and that is said. */
static void
check_changed (void)
{
  static const File files[] = {
    { "a.c", "int a (void)\n{\n  return 1;\n}\n" },
    { "b.c", "int b (void)\n{\n  return a ();\n}\n" },
    { "c.c", "int c (void)\n{\n  return b ();\n}\n" },
    { "d.c", "int d (void)\n{\n  return c ();\n}\n" },
    { NULL },
  };
  Sources sources;
  g_autofree char *shown = NULL;
  g_autofree char *gone = NULL;

  sources_init (&sources, files);
  cs_call_graph_unref (sources.graph);
  write_file (sources.folder, "b.c", "int b (void) { }");
  gone = g_build_filename (sources.folder, "c.c", NULL);
  g_assert_cmpint (g_unlink (gone), ==, 0);
  sources.graph = make_graph (sources.index);
  shown = show_graph (sources.index, sources.graph);
  g_assert_cmpstr (shown, ==, "d: c\n");
  g_assert_cmpstr (cs_call_graph_get_warnings (sources.graph)[0], ==,
                   "2 files, b.c among them, changed or went while they were read; what they call isn't known — try again");
  g_assert_null (cs_call_graph_get_warnings (sources.graph)[1]);
  sources_clear (&sources);
}

static void
check_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Sources sources;

  sources_init (&sources, paths);
  g_cancellable_cancel (cancellable);
  g_assert_null (cs_call_graph_new_sync (sources.index, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  sources_clear (&sources);
}

/* Texts that no compiler takes: no call of them is wrong, and none takes long. */
static void
check_hostile (void)
{
  static const char *const parts[] = { "f (", "f<", "f{", "a::", "(*x)(", "[[", "f (x) {", "{", "}", "~", "operator ", "new ",
                                       "f f ", "* f (", "class f {", "f () : ", "\"", "int f (int) {\n" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new ("int g (void)\n{\n  return f (1);\n}\nint f (int x)\n{\n");
      File files[] = { { "a.cpp", NULL }, { "b.c", NULL }, { NULL } };
      Sources sources;

      while (text->len < 200000)
        g_string_append (text, parts[i]);
      files[0].text = files[1].text = text->str;
      sources_init (&sources, files);
      sources_clear (&sources);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/call-graph/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], check);
    }
  g_test_add_func ("/call-graph/depths", check_depths);
  g_test_add_func ("/call-graph/added-edges", check_added_edges);
  g_test_add_func ("/call-graph/groups", check_groups);
  g_test_add_func ("/call-graph/changed", check_changed);
  g_test_add_func ("/call-graph/cancelled", check_cancelled);
  g_test_add_func ("/call-graph/hostile", check_hostile);
  return g_test_run ();
}
