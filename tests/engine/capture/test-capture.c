/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "capture/cs-clock.h"
#include "capture/cs-recording.h"

/* The definition, with 128-bit division: what cs_clock_to_ns() must equal to the last ns. */
static gint64
slow_to_ns (guint64 ts, guint64 t0_ticks, guint64 t0_ns, guint64 ns, guint64 ticks)
{
  __int128 product = (__int128) (gint64) (ts - t0_ticks) * ns;
  __int128 quotient = product / ticks;

  if (product % ticks < 0)
    quotient--;
  return (gint64) t0_ns + (gint64) quotient;
}

static void
test_clock_equals_division (void)
{
  /* TSC-like, the reference's 24 and 19.2 MHz counters, 1 GHz, an odd rate, slow and fast. */
  static const struct { guint64 ns, ticks; } rates[] = {
    { 1000000000, 2095443451 }, { 98765432109, 206960123457 }, { 1000000000, 24000000 },
    { 1000000000, 19200000 },   { 1000000000, 1000000000 },     { 999999937, 1000000007 },
    { 1000000000, 1 },          { 1, 1000 },                     { 86400000000000, 259200000000001 },
    { 7, 3 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      guint64 t0_ticks = G_GUINT64_CONSTANT (1) << 50;
      guint64 t0_ns = 123456789012345;
      CsClock clock;

      g_assert_true (cs_clock_init_ticks (&clock, t0_ticks, t0_ns, rates[i].ns, rates[i].ticks));
      for (guint j = 0; j < 100000; j++)
        {
          guint64 distance = (((guint64) g_rand_int (rand) << 32) | g_rand_int (rand)) >> (15 + g_rand_int_range (rand, 0, 49));
          guint64 ts = g_rand_boolean (rand) ? t0_ticks + distance : t0_ticks - distance;

          /* Where ns fit in 64 bits. */
          if ((__int128) distance * rates[i].ns / rates[i].ticks >= G_MAXINT64 / 4)
            continue;
          g_assert_cmpint (cs_clock_to_ns (&clock, ts), ==,
                           slow_to_ns (ts, t0_ticks, t0_ns, rates[i].ns, rates[i].ticks));
        }
    }
}

/* The first timestamp that isn't before a time: it isn't, and the one before it is. */
static void
test_clock_from_ns (void)
{
  static const struct { guint64 ns, ticks; } rates[] = {
    { 1000000000, 2095443451 }, { 1000000000, 24000000 }, { 1000000000, 1000000000 }, { 1000000000, 1 },
    { 1, 1000 }, { 86400000000000, 259200000000001 }, { 7, 3 }, { 3, 7 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  CsClock clock;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      guint64 t0_ticks = G_GUINT64_CONSTANT (1) << 50, t0_ns = G_GUINT64_CONSTANT (1) << 52;

      g_assert_true (cs_clock_init_ticks (&clock, t0_ticks, t0_ns, rates[i].ns, rates[i].ticks));
      for (guint j = 0; j < 100000; j++)
        {
          guint64 distance = (((guint64) g_rand_int (rand) << 32) | g_rand_int (rand)) >> g_rand_int_range (rand, 15, 64);
          guint64 ns = g_rand_boolean (rand) ? t0_ns + distance : t0_ns - distance;
          guint64 ts;

          /* Where ticks fit in 49 bits. */
          if ((__int128) distance * rates[i].ticks / rates[i].ns >> 49 != 0)
            continue;
          ts = cs_clock_from_ns (&clock, ns);
          g_assert_cmpint (cs_clock_to_ns (&clock, ts), >=, (gint64) ns);
          g_assert_cmpint (cs_clock_to_ns (&clock, ts - 1), <, (gint64) ns);
        }
    }
  g_assert_cmpuint (cs_clock_from_ns (&clock, 0), ==, 0); /* before ticks were counted */
  cs_clock_init_ns (&clock);
  g_assert_cmpuint (cs_clock_from_ns (&clock, 77), ==, 77);
  g_assert_cmpuint (cs_clock_from_ns (&clock, G_MAXUINT64), ==, G_MAXUINT64);
}

static void
test_clock_refuses (void)
{
  CsClock clock;

  g_assert_false (cs_clock_init_ticks (&clock, 0, 0, 0, 5));
  g_assert_false (cs_clock_init_ticks (&clock, 0, 0, 5, 0));
  g_assert_false (cs_clock_init_ticks (&clock, 0, 0, 5000000000, 1)); /* under 1 Hz */
  g_assert_false (cs_clock_init_ticks (&clock, 0, 0, 1, 5000));       /* over 1 THz */
}

static void
test_names (void)
{
  static const struct { const char *name; CsTraceName kind; guint pid, tid; guint64 seq; } cases[] = {
    { "trace.12.34.0.bin", CS_TRACE_NAME_EVENTS, 12, 34, 0 },
    { "trace.12.34.10.bin", CS_TRACE_NAME_EVENTS, 12, 34, 10 },
    { "trace.12.34.4294967295.bin", CS_TRACE_NAME_EVENTS, 12, 34, 4294967295 },
    { "trace.12.34.4294967296.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.12.34.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.12.34.x.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.12.34.1.bin~", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "xtrace.12.34.1.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.stream.board-7.3.bin", CS_TRACE_NAME_STREAM, 0, 0, 3 },
    { "trace.stream.a.b.11.bin", CS_TRACE_NAME_STREAM, 0, 0, 11 },
    { "trace.stream.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.stream.3.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.summary.1.2.bin", CS_TRACE_NAME_SUMMARY, 1, 2, 0 },
    { "trace.summary.1.2.3.bin", CS_TRACE_NAME_SUMMARY, 1, 2, 3 },
    { "trace.summary.1.2.tail", CS_TRACE_NAME_SUMMARY_TAIL, 1, 2, 0 },
    { "trace.summary.1.2.3.tail", CS_TRACE_NAME_SUMMARY_TAIL, 1, 2, 3 },
    { "trace.summary.1.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.summary.1.2.x.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.summary.1.2.3.4.bin", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.12.process", CS_TRACE_NAME_PROCESS, 12, 0, 0 },
    { "trace.12.34.5.tail", CS_TRACE_NAME_TAIL, 12, 34, 5 },
    { "trace.12.34.tail", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.stream.a.0.tail", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "trace.", CS_TRACE_NAME_OTHER, 0, 0, 0 },
    { "", CS_TRACE_NAME_OTHER, 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CsTraceNameParts parts;

      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (cs_trace_name_parse (cases[i].name, &parts), ==, cases[i].kind);
      if (cases[i].kind == CS_TRACE_NAME_OTHER)
        continue;
      g_assert_cmpuint (parts.pid, ==, cases[i].pid);
      g_assert_cmpuint (parts.tid, ==, cases[i].tid);
      g_assert_cmpuint (parts.seq, ==, cases[i].seq);
    }
}

static void
test_process_file (void)
{
  static const char text[] = "CALLSIGHT-PROCESS 1\n"
                             "pid 10\nparent 9\nexe /a/b\\nc \\\\d\\x1b\\q\\x\n"
                             "start-realtime-ns 5\nstart-monotonic-ns 7\n"
                             "newer-thing 1 2 3\n"
                             "module 7 1000 1000 2000 ABCD /lib/with space.so\n"
                             "module 8 zz 1000 2000 - /bad/number\n"
                             "module 8 0 2000 2000 - /empty/range\n"
                             "module 9 0 5000 6000 - /exe\n"
                             "module-gone 20 1000\n"
                             "module 30 1000 1000 2000 - /lib/other.so\n"
                             "thread 11 0 worker 1\nthread 11 3 late\n"
                             "CALLSIGHT-PROCESS 1\npid 10\nstart-monotonic-ns 70\n"
                             "thread 10 4 unterminated";
  g_autoptr (GPtrArray) sections = cs_process_file_parse (text, strlen (text));
  const CsProcessSection *section;
  const CsModule *module;
  const CsThreadName *thread;

  g_assert_cmpuint (sections->len, ==, 2);
  section = g_ptr_array_index (sections, 0);
  g_assert_cmpuint (section->pid, ==, 10);
  g_assert_cmpuint (section->parent, ==, 9);
  g_assert_cmpstr (section->exe, ==, "/a/b\nc \\d\x1b\\q\\x");
  g_assert_cmpuint (section->start_ns, ==, 7);
  g_assert_cmpuint (section->realtime_ns, ==, 5);
  g_assert_cmpuint (section->modules->len, ==, 3);
  module = g_ptr_array_index (section->modules, 0);
  g_assert_cmpstr (module->path, ==, "/lib/with space.so");
  g_assert_cmpstr (module->build_id, ==, "abcd");
  g_assert_cmpuint (module->start, ==, 0x1000);
  g_assert_cmpuint (module->end, ==, 0x2000);
  g_assert_cmpuint (module->since_ns, ==, 7);
  g_assert_cmpuint (module->gone_ns, ==, 20);
  module = g_ptr_array_index (section->modules, 1);
  g_assert_null (module->build_id);
  g_assert_cmpuint (module->gone_ns, ==, G_MAXUINT64);
  module = g_ptr_array_index (section->modules, 2);
  g_assert_cmpstr (module->path, ==, "/lib/other.so");
  g_assert_cmpuint (section->threads->len, ==, 2);
  thread = g_ptr_array_index (section->threads, 0);
  g_assert_cmpuint (thread->tid, ==, 11);
  g_assert_cmpstr (thread->name, ==, "worker 1");

  section = g_ptr_array_index (sections, 1);
  g_assert_cmpuint (section->start_ns, ==, 70);
  g_assert_cmpuint (section->threads->len, ==, 0);
}

static void
test_process_file_long_lines (void)
{
  g_autofree char *path = g_strnfill (20000, 'x');
  g_autofree char *text = g_strdup_printf ("CALLSIGHT-PROCESS 1\nexe /%s\npid 3\n", path);
  g_autoptr (GPtrArray) sections = cs_process_file_parse (text, strlen (text));
  const CsProcessSection *section = g_ptr_array_index (sections, 0);

  g_assert_null (section->exe);
  g_assert_cmpuint (section->pid, ==, 3);
}

/* Every duration lies in the bucket that the format's rule names, and buckets are gapless. */
static void
test_summary_buckets (void)
{
  g_assert_cmpuint (cs_summary_bucket_start (0), ==, 0);
  for (guint bucket = 0; bucket < CS_SUMMARY_BUCKETS; bucket++)
    {
      guint64 first = cs_summary_bucket_start (bucket);
      guint64 last = cs_summary_bucket_start (bucket + 1) - 1;

      g_assert_cmpuint (first, <=, last);
      for (guint i = 0; i < 2; i++)
        {
          guint64 duration = i == 0 ? first : last;
          guint msb = 0;

          while (duration >> (msb + 1) != 0)
            msb++;
          g_assert_cmpuint (bucket, ==, duration < 8 ? duration : (msb - 3) * 4 + ((duration >> (msb - 2)) & 3) + 8);
        }
    }
}

static void
put (const char *folder, const char *name, const void *data, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, data, (gssize) size, &error);
  g_assert_no_error (error);
}

static gboolean
there (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_clear_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("callsight-clear-XXXXXX", &error);
  g_autofree char *sub = g_build_filename (folder, "trace.5.5.0.bin", NULL);
  g_autofree char *link = g_build_filename (folder, "trace.6.6.0.bin", NULL);
  g_autofree char *missing = g_build_filename (folder, "not-there", NULL);
  static const char ours[TRACE_HEADER_SIZE] = TRACE_MAGIC;
  static const char zero[4096];

  g_assert_no_error (error);
  put (folder, "trace.1.1.0.bin", ours, sizeof ours);
  put (folder, "trace.1.1.0.tail", ours, sizeof ours);
  put (folder, "trace.1.1.1.tail", zero, sizeof zero);
  put (folder, "trace.summary.1.1.tail", zero, sizeof zero);
  put (folder, "trace.2.2.0.bin", "", 0);
  put (folder, "trace.1.process", "CALLSIGHT-PROCESS 1\n", 20);
  put (folder, "trace.summary.1.1.bin", "MLSUMRY\0", 8);
  put (folder, "trace.3.3.0.bin", "somebody else's", 15);
  put (folder, "trace.4.process", "notes of mine\n", 14);
  put (folder, "other.bin", ours, sizeof ours);
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  g_assert_cmpint (symlink ("other.bin", link), ==, 0);

  g_assert_cmpuint (cs_recording_clear_folder (folder, &error), ==, 7);
  g_assert_no_error (error);
  g_assert_false (there (folder, "trace.1.1.0.bin"));
  g_assert_false (there (folder, "trace.1.1.0.tail"));
  g_assert_false (there (folder, "trace.1.1.1.tail"));
  g_assert_false (there (folder, "trace.summary.1.1.tail"));
  g_assert_false (there (folder, "trace.2.2.0.bin"));
  g_assert_false (there (folder, "trace.1.process"));
  g_assert_false (there (folder, "trace.summary.1.1.bin"));
  g_assert_true (there (folder, "trace.3.3.0.bin"));
  g_assert_true (there (folder, "trace.4.process"));
  g_assert_true (there (folder, "other.bin"));
  g_assert_true (there (folder, "trace.5.5.0.bin"));
  g_assert_true (there (folder, "trace.6.6.0.bin"));

  g_assert_cmpuint (cs_recording_clear_folder (missing, &error), ==, 0);
  g_assert_no_error (error);

  g_unlink (link);
  g_rmdir (sub);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const left[] = { "trace.3.3.0.bin", "trace.4.process", "other.bin" };
      g_autofree char *path = g_build_filename (folder, left[i], NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A thread that ends after its folder was listed turns its table into its summary file. */
static void
test_table_that_became_a_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("callsight-table-XXXXXX", &error);
  g_autofree char *table = g_build_filename (folder, "trace.summary.1.2.tail", NULL);
  g_autofree char *file = g_build_filename (folder, "trace.summary.1.2.bin", NULL);
  guint32 header[24] = { [2] = 1, [3] = 688, [4] = 96, [16] = 1, [17] = 2 };
  g_autoptr (CsSummaryFile) summary = NULL;
  g_autoptr (CsSummaryFile) missing = NULL;

  g_assert_no_error (error);
  memcpy (header, "MLSUMRY", 8);
  put (folder, "trace.summary.1.2.bin", header, sizeof header);
  summary = cs_summary_file_open (table, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (summary->name, ==, "trace.summary.1.2.bin");
  g_assert_false (cs_summary_file_is_table (summary));
  g_assert_cmpuint (summary->tid, ==, 2);

  g_unlink (file);
  missing = cs_summary_file_open (table, &error);
  g_assert_null (missing);
  g_assert_error (error, CS_CAPTURE_ERROR, CS_CAPTURE_ERROR_READ);
  g_rmdir (folder);
}

static void
test_notices (void)
{
  g_autoptr (CsNotices) notices = cs_notices_new ();
  g_autoptr (CsNotices) sum = cs_notices_new ();
  g_auto (GStrv) texts = NULL;

  for (guint i = 0; i < 11; i++)
    cs_notices_add_detail (notices, CS_NOTICE_UNREADABLE, "file %u", i);
  cs_notices_add (notices, CS_NOTICE_UNREADABLE, "a total is never only counted");
  cs_notices_add (notices, CS_NOTICE_STOPPED, "stopped");
  cs_notices_add (notices, CS_NOTICE_STOPPED, "stopped");
  cs_notices_add_all (sum, notices);
  texts = cs_notices_dup_texts (sum);
  g_assert_cmpuint (g_strv_length (texts), ==, 11);
  g_assert_cmpstr (texts[0], ==, "stopped");
  g_assert_cmpstr (texts[1], ==, "file 0");
  g_assert_cmpstr (texts[9], ==, "a total is never only counted");
  g_assert_cmpstr (texts[10], ==, "… and 3 more like these");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture/clock/equals-division", test_clock_equals_division);
  g_test_add_func ("/capture/clock/first-timestamp-of-a-time", test_clock_from_ns);
  g_test_add_func ("/capture/clock/refuses-what-is-no-rate", test_clock_refuses);
  g_test_add_func ("/capture/names", test_names);
  g_test_add_func ("/capture/process-file", test_process_file);
  g_test_add_func ("/capture/process-file/long-lines", test_process_file_long_lines);
  g_test_add_func ("/capture/clear-folder", test_clear_folder);
  g_test_add_func ("/capture/summary-buckets", test_summary_buckets);
  g_test_add_func ("/capture/table-that-became-a-file", test_table_that_became_a_file);
  g_test_add_func ("/capture/notices", test_notices);
  return g_test_run ();
}
