/* SPDX-License-Identifier: MIT */
/* bench-chooser [--files N] [--keep] [DIR]: the model under the Select view with a large tree.
 *
 * Without DIR a tree of N (50,000) C files is made in a folder below TMPDIR, 25 a folder, with 12 functions each that
 * call each other, and taken away again. Printed are the times until files are listed, functions come, and all is
 * ready, without and then with the cache of scans; what ticks, typing and changed files take; the memory; and the
 * longest time in which a source of 1 ms wasn't served by the main loop: as the clock says, and without the time in
 * which the main thread could have run but other programs had the processors (the second number of its schedstat).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selection/cs-chooser.h"

#define FUNCTIONS 12
#define FILES_A_FOLDER 25

typedef struct
{
  CsChooser *chooser;
  gint64 start, listed, first, chosen; /* monotonic µs */
  guint signals;
  gint64 tick, tick_delay;
  gint64 longest, longest_own;         /* µs */
} Bench;

/* How long the main thread has waited for a processor, µs. */
static gint64
get_delay (void)
{
  static int fd = -1;
  char text[100];
  gint64 delay = 0;
  gssize n;

  if (fd < 0)
    fd = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  n = fd >= 0 ? pread (fd, text, sizeof text - 1, 0) : 0;
  text[MAX (n, 0)] = '\0';
  sscanf (text, "%*d %" G_GINT64_FORMAT, &delay);
  return delay / 1000;
}

static gboolean
on_tick (gpointer data)
{
  Bench *bench = data;
  gint64 now = g_get_monotonic_time (), delay = get_delay ();

  if (bench->tick != 0)
    {
      bench->longest = MAX (bench->longest, now - bench->tick - 1000);
      bench->longest_own = MAX (bench->longest_own, now - bench->tick - 1000 - (delay - bench->tick_delay));
    }
  bench->tick = now;
  bench->tick_delay = delay;
  return G_SOURCE_CONTINUE;
}

/* What a view does: it looks at the rows that are seen. */
static void
look (Bench *bench)
{
  guint n_folders = cs_chooser_get_n_folders (bench->chooser), n_files = cs_chooser_get_n_files (bench->chooser);
  CsChooserCounts counts;

  for (guint i = 0; i < MIN (n_folders, 40); i++)
    cs_chooser_get_folder_counts (bench->chooser, i, &counts);
  for (guint i = 0; i < MIN (n_files, 40); i++)
    {
      guint n;

      cs_chooser_get_file_counts (bench->chooser, i, &counts);
      cs_chooser_get_functions (bench->chooser, i, &n);
      for (guint j = 0; j < n; j++)
        cs_chooser_get_function (bench->chooser, i, j, NULL, NULL, NULL);
    }
}

static void
on_files (CsChooser *chooser, Bench *bench)
{
  if (bench->listed == 0)
    bench->listed = g_get_monotonic_time ();
  look (bench);
}

static void
on_functions (CsChooser *chooser, const guint32 *files, guint n_files, Bench *bench)
{
  if (bench->first == 0)
    bench->first = g_get_monotonic_time ();
  bench->signals++;
  look (bench);
}

static void
on_selection (CsChooser *chooser, Bench *bench)
{
  if (bench->chosen == 0)
    bench->chosen = g_get_monotonic_time ();
  look (bench);
}

static void
write_source (const char *root, guint number)
{
  g_autofree char *folder = g_strdup_printf ("%s/part%u/sub%u/dir%u", root, number / 2500, number / 250, number / FILES_A_FOLDER);
  g_autofree char *path = g_strdup_printf ("%s/file%u.c", folder, number);
  FILE *file;

  if (number % FILES_A_FOLDER == 0)
    g_mkdir_with_parents (folder, 0755);
  file = fopen (path, "w");
  if (file == NULL)
    g_error ("%s: %s", path, g_strerror (errno));
  for (guint i = 0; i < FUNCTIONS; i++)
    fprintf (file, "/* Keeps the value of f%u_%u, unless it is too large. */\nint\nf%u_%u (int value, const char *name)\n{\n"
             "  if (value > %u)\n    return f%u_%u (value - 1, name);\n  return f%u_%u (value, \"name\");\n}\n\n", number, i, number,
             i, i, number, (i + 1) % FUNCTIONS, number * 7 % (number + 1), (i + 5) % FUNCTIONS);
  fclose (file);
}

static gboolean
is_settled (CsChooser *chooser)
{
  return cs_chooser_get_state (chooser) >= CS_CHOOSER_READY && !cs_chooser_get_choosing (chooser) &&
         !cs_chooser_get_editing (chooser);
}

/* Runs the main loop until all is done; returns ms. */
static double
settle (Bench *bench)
{
  gint64 start = g_get_monotonic_time ();

  bench->longest = bench->longest_own = bench->tick = 0;
  while (!is_settled (bench->chooser))
    g_main_context_iteration (NULL, TRUE);
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static void
run_for (Bench *bench, guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  bench->longest = bench->longest_own = bench->tick = 0;
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

static glong
get_memory (void)
{
  g_autofree char *text = NULL;
  glong pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%*d %ld", &pages);
  return pages * 4 / 1024;
}

static void
print (const Bench *bench, const char *what, double ms)
{
  printf ("%-38s %8.0f ms   longest block %6.1f ms, of its own %5.1f ms   %4ld MiB\n", what, ms,
          (double) bench->longest / 1000, (double) bench->longest_own / 1000, get_memory ());
  fflush (stdout);
}

static void
load (Bench *bench, const char *root, const CsScanOptions *options, const char *what)
{
  double ready;

  bench->chooser = cs_chooser_new_with_options (root, NULL, options);
  bench->listed = bench->first = bench->chosen = 0;
  bench->signals = 0;
  g_signal_connect (bench->chooser, "files-changed", G_CALLBACK (on_files), bench);
  g_signal_connect (bench->chooser, "functions-changed", G_CALLBACK (on_functions), bench);
  g_signal_connect (bench->chooser, "selection-changed", G_CALLBACK (on_selection), bench);
  bench->start = g_get_monotonic_time ();
  cs_chooser_load (bench->chooser);
  ready = settle (bench);
  printf ("%s: %u files listed after %.0f ms, first functions %.0f ms, ticks known %.0f ms, %u signals of functions\n", what,
          cs_chooser_get_n_files (bench->chooser), (double) (bench->listed - bench->start) / 1000,
          (double) (bench->first - bench->start) / 1000, (double) (bench->chosen - bench->start) / 1000, bench->signals);
  print (bench, "  ready", ready);
  run_for (bench, 2500);
  print (bench, "  folders are watched", 2500);
}

static void
edit (Bench *bench, const char *root)
{
  CsChooser *chooser = bench->chooser;
  guint32 number = 0;
  double ms = 0;

  cs_chooser_set_folder (chooser, 1, FALSE);
  print (bench, "folder off", settle (bench));
  cs_chooser_set_files (chooser, &number, 1, TRUE);
  print (bench, "one file of it on", settle (bench));
  number = cs_chooser_get_function_number (chooser, cs_chooser_get_n_files (chooser) - 1, 3);
  cs_chooser_tick_functions (chooser, &number, 1, FALSE);
  print (bench, "one function off", settle (bench));
  cs_chooser_set_functions (chooser, &number, 1, CS_FUNCTION_SUBTREE, 3);
  print (bench, "one function as a subtree (calls)", settle (bench));
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s# %u", cs_chooser_get_text (chooser), i);

      cs_chooser_set_text (chooser, text);
      ms += settle (bench);
    }
  print (bench, "typing, a letter", ms / 20);
  cs_chooser_set_text (chooser, "# all\n");
  print (bench, "everything", settle (bench));
  write_source (root, 50);
  run_for (bench, 4000);
  print (bench, "a file is written", 4000);
}

static void
close_chooser (Bench *bench)
{
  gint64 start = g_get_monotonic_time ();

  bench->longest = bench->longest_own = bench->tick = 0;
  on_tick (bench);
  cs_chooser_close (bench->chooser);
  g_clear_object (&bench->chooser);
  on_tick (bench);
  print (bench, "closed", (double) (g_get_monotonic_time () - start) / 1000);
}

static void
run (const char *const *argv)
{
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

int
main (int argc, char **argv)
{
  int n_files = 50000;
  gboolean keep = FALSE;
  const GOptionEntry entries[] = {
    { "files", 0, 0, G_OPTION_ARG_INT, &n_files, "Files to make", "N" },
    { "keep", 0, 0, G_OPTION_ARG_NONE, &keep, "Leave the tree", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("[DIR]");
  g_autofree char *root = NULL;
  g_autofree char *cache = g_dir_make_tmp ("callsight-bench-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  CsScanOptions options = { .cache_folder = cache };
  Bench bench = { 0 };
  struct rusage usage;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "bench-chooser: %s\n", error->message);
      return 2;
    }
  root = argc > 1 ? g_strdup (argv[1]) : g_dir_make_tmp ("callsight-bench-XXXXXX", NULL);
  for (guint i = 0; argc < 2 && i < (guint) n_files; i++)
    write_source (root, i);
  g_timeout_add_full (G_PRIORITY_HIGH, 1, on_tick, &bench, NULL);
  load (&bench, root, &options, "first");
  close_chooser (&bench);
  load (&bench, root, &options, "with the cache");
  if (argc < 2)
    edit (&bench, root);
  close_chooser (&bench);
  getrusage (RUSAGE_SELF, &usage);
  printf ("at most %ld MiB\n", usage.ru_maxrss / 1024);
  run ((const char *const[]){ "rm", "-rf", cache, NULL });
  if (argc < 2 && !keep)
    run ((const char *const[]){ "rm", "-rf", root, NULL });
  else
    printf ("%s\n", root);
  return 0;
}
