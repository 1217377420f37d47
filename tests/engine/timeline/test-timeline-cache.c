/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"
#include "profile/cs-timeline-open.h"
#include "timeline/cs-timeline-cache.h"

/* Where the header of a cache file has its sum, and how long it is. */
#define CHECKSUM_OFFSET 48
#define HEADER_SIZE 56

static CsRecording *
open_recording (const Model *model)
{
  const char *const paths[] = { model->folder, NULL };
  g_autoptr (GError) error = NULL;
  CsRecording *recording = cs_recording_open (paths, NULL, &error);

  g_assert_no_error (error);
  return recording;
}

static CsTimeline *
open_timeline (CsRecording *recording)
{
  g_autoptr (CsSymbolizer) symbolizer = cs_symbolizer_new ();
  g_autoptr (GError) error = NULL;
  CsTimeline *timeline = cs_timeline_open (recording, symbolizer, NULL, NULL, &error);

  g_assert_no_error (error);
  return timeline;
}

static gboolean
is_cached (CsRecording *recording)
{
  g_autoptr (CsTimeline) timeline = cs_timeline_load (recording);

  return timeline != NULL;
}

/* A recording, and its index in the cache. */
typedef struct
{
  GRand *rand;
  Model *model;
  CsRecording *recording;
  char *path; /* of the cache file */
  char *bytes;
  gsize size;
} Fixture;

/* "packed" before a name: in blocks. */
static Recipe
find_recipe (const char *name)
{
  gboolean packed = g_str_has_prefix (name, "packed ");
  const Recipe *recipe = recipes;
  Recipe found;

  while (!g_str_equal (recipe->name, packed ? name + strlen ("packed ") : name))
    recipe++;
  found = *recipe;
  found.block = packed ? 400 : 0;
  return found;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  const Recipe recipe = find_recipe (data);
  g_autoptr (CsTimeline) timeline = NULL;

  self->rand = g_rand_new_with_seed (5);
  self->model = make_random (&recipe, self->rand);
  self->recording = open_recording (self->model);
  self->path = cs_timeline_get_cache_path (self->recording);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
  timeline = open_timeline (self->recording);
  check_all (timeline, self->model, self->rand, 5);
  g_assert_true (g_file_get_contents (self->path, &self->bytes, &self->size, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_free (self->bytes);
  g_free (self->path);
  g_object_unref (self->recording);
  model_free (self->model);
  g_rand_free (self->rand);
}

static void
put_cache (Fixture *self, const char *bytes, gsize size)
{
  put_bytes (self->path, bytes, size);
}

/* What comes from the cache answers as what was made. */
static void
test_hit (Fixture *self, gconstpointer data)
{
  g_autoptr (CsTimeline) timeline = cs_timeline_load (self->recording);
  GStatBuf st;

  g_assert_nonnull (timeline);
  check_all (timeline, self->model, self->rand, 10);
  g_assert_cmpint (g_stat (self->path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0600);
}

/* No damage goes unseen; afterwards the index is made anew and kept. */
static void
test_damaged (Fixture *self, gconstpointer data)
{
  g_autoptr (CsTimeline) timeline = NULL;

  for (gsize size = 0; size < self->size; size += 1 + self->size / 100)
    {
      put_cache (self, self->bytes, size);
      g_assert_false (is_cached (self->recording));
    }
  for (guint i = 0; i < 300; i++)
    {
      gsize at = i < HEADER_SIZE ? i : (gsize) g_rand_int_range (self->rand, 0, (gint) self->size);
      g_autofree char *bytes = g_memdup2 (self->bytes, self->size);

      bytes[at] ^= (char) (1 << g_rand_int_range (self->rand, 0, 8));
      put_cache (self, bytes, self->size);
      g_assert_false (is_cached (self->recording));
    }
  timeline = open_timeline (self->recording);
  check_all (timeline, self->model, self->rand, 5);
  g_assert_true (is_cached (self->recording));
}

static void
sign (char *bytes, gsize size)
{
  guint64 sum = 0;

  for (gsize i = 0; i < size / 8; i++)
    if (i != CHECKSUM_OFFSET / 8)
      {
        sum = (sum ^ ((const guint64 *) (gconstpointer) bytes)[i]) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
      }
  memcpy (bytes + CHECKSUM_OFFSET, &sum, sizeof sum);
}

/* Asks everything, whatever the answers. */
static void
ask_all (CsTimeline *timeline, GRand *rand)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (CsTimelineSpan));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (CsTimelineCall));
  gboolean more;

  for (guint i = 0; i < cs_timeline_get_n_tracks (timeline); i++)
    {
      const CsTimelineTrackInfo *info = cs_timeline_get_track_info (timeline, i);
      CsTimelineSearch search = { .track = i, .process = G_MAXUINT, .t0 = G_MININT64, .t1 = G_MAXINT64,
                                  .min_length = 1000, .limit = 20 };
      gint64 t0 = g_rand_int_range (rand, 0, 400000);
      guint64 events[50];
      CsTimelineStart start;

      if (info->first > info->last)
        continue;
      cs_timeline_query (timeline, i, info->first - 1, MAX (info->last, info->first) + 1, 100, 0, 100, spans, NULL);
      cs_timeline_query (timeline, i, t0, t0 + 1000, 500, 0, 100, spans, NULL);
      cs_timeline_get_stack (timeline, i, t0, 0, 100, spans, NULL);
      cs_timeline_get_density (timeline, i, t0, t0 + 10000, 50, events, NULL);
      cs_timeline_find_calls (timeline, &search, calls, &more, NULL, NULL);
      cs_timeline_find_start (timeline, i, t0, &start, NULL);
      cs_timeline_start_clear (&start);
    }
}

/* A file whose sum is right, but what it says isn't: answers may be wrong, nothing else. */
static void
test_forged (Fixture *self, gconstpointer data)
{
  guint used = 0;

  sign (self->bytes, self->size);
  put_cache (self, self->bytes, self->size);
  g_assert_true (is_cached (self->recording));
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *bytes = g_memdup2 (self->bytes, self->size);
      g_autoptr (CsTimeline) timeline = NULL;

      for (gint n = g_rand_int_range (self->rand, 1, 4); n > 0; n--)
        bytes[g_rand_int_range (self->rand, 0, (gint) self->size)] ^= (char) (1 << g_rand_int_range (self->rand, 0, 8));
      sign (bytes, self->size);
      put_cache (self, bytes, self->size);
      timeline = cs_timeline_load (self->recording);
      if (timeline == NULL)
        continue;
      used++;
      ask_all (timeline, self->rand);
    }
  g_assert_cmpuint (used, >, 0);
}

/* A recording that was changed, in whatever it is known by. */
static void
test_stale (Fixture *self, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (self->model->folder, 0, NULL);
  g_autofree char *path = g_build_filename (self->model->folder, g_dir_read_name (dir), NULL);
  g_autofree char *bytes = NULL;
  gsize size;
  GStatBuf st;
  struct timespec times[2];

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  times[0] = st.st_atim;
  times[1] = st.st_mtim;
  times[1].tv_nsec ^= 1;
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (CsRecording) recording = NULL;
      g_autoptr (CsTimeline) timeline = NULL;

      if (i == 0)
        g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
      else if (i == 1)
        g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL)); /* another inode */
      else
        {
          /* The same inode, size and time. */
          g_assert_cmpint (g_stat (path, &st), ==, 0);
          bytes[size - sizeof (struct trace_event) + offsetof (struct trace_event, caller)] ^= 1;
          put_bytes (path, bytes, size);
          times[1] = st.st_mtim;
          g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
        }
      recording = open_recording (self->model);
      g_assert_false (is_cached (recording));
      timeline = open_timeline (recording);
      g_assert_true (is_cached (recording));
    }
}

/* A file that grew since it was opened has no index that lasts. */
static void
test_growing (Fixture *self, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (self->model->folder, 0, NULL);
  g_autofree char *path = g_build_filename (self->model->folder, g_dir_read_name (dir), NULL);
  g_autoptr (CsRecording) recording = open_recording (self->model);
  g_autoptr (CsTimeline) timeline = NULL;
  FILE *file = fopen (path, "a");
  struct trace_event event = { 0 };

  g_unlink (self->path);
  fwrite (&event, sizeof event, 1, file);
  fclose (file);
  timeline = open_timeline (recording);
  check_all (timeline, self->model, self->rand, 5);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

/* What a thread hadn't flushed will be somewhere else the next time. */
static void
test_tail (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  const Recipe recipe = { "", 1000, 1, .run = 10, .step = 100, .tail = 500 };
  Model *model = make_random (&recipe, rand);
  g_autoptr (CsRecording) recording = NULL;
  g_autoptr (CsTimeline) timeline = NULL;
  g_autofree char *path = NULL;

  recording = open_recording (model);
  timeline = open_timeline (recording);
  path = cs_timeline_get_cache_path (recording);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  check_all (timeline, model, rand, 5);
  model_free (model);
}

/* Where nothing can be written the index is used from memory. */
static void
test_unwritable (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "callsight", NULL);
  g_autofree char *aside = g_strconcat (folder, "-aside", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  Model *model = make_random (&recipes[0], rand);
  g_autoptr (CsRecording) recording = open_recording (model);
  gboolean there = g_rename (folder, aside) == 0;

  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CsTimeline) timeline = open_timeline (recording);

      check_all (timeline, model, rand, 5);
    }
  g_unlink (folder);
  if (there)
    g_assert_cmpint (g_rename (aside, folder), ==, 0);
  model_free (model);
}

/* The folder stays within its bounds: what was not used for long goes, and leftovers. */
static void
test_bounded (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };
  const char *const names[] = { "a.index", "b.index", "c.index.new" };
  g_autoptr (CsTimeline) timeline = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "", 0, NULL));
      if (i < 2)
        g_assert_cmpint (truncate (path, 700 << 20), ==, 0); /* a hole */
      if (i != 1)
        g_assert_cmpint (utimensat (AT_FDCWD, path, long_ago, 0), ==, 0);
    }
  g_unlink (self->path);
  timeline = open_timeline (self->recording);
  g_assert_true (is_cached (self->recording));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, i == 1);
      g_unlink (path);
    }
}

static void
remove_cache (const char *cache)
{
  const char *const parts[] = { "callsight/timeline", "callsight", "" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_build_filename (cache, parts[i], NULL);

      g_rmdir (path);
    }
}

int
main (int argc, char *argv[])
{
  static const char *const names[] = { "three threads", "everything", "everything in a stream",
                                      "packed everything", "packed everything in a stream" };
  g_autofree char *cache = g_dir_make_tmp ("callsight-cache-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *hit = g_strdup_printf ("/timeline/cache/hit/%s", names[i]);
      g_autofree char *damaged = g_strdup_printf ("/timeline/cache/damaged/%s", names[i]);
      g_autofree char *forged = g_strdup_printf ("/timeline/cache/forged/%s", names[i]);

      g_test_add (hit, Fixture, names[i], set_up, test_hit, tear_down);
      g_test_add (damaged, Fixture, names[i], set_up, test_damaged, tear_down);
      g_test_add (forged, Fixture, names[i], set_up, test_forged, tear_down);
    }
  for (guint i = 0; i <= 3; i += 3)
    {
      g_autofree char *stale = g_strdup_printf ("/timeline/cache/stale/%s", names[i]);
      g_autofree char *growing = g_strdup_printf ("/timeline/cache/growing/%s", names[i]);

      g_test_add (stale, Fixture, names[i], set_up, test_stale, tear_down);
      g_test_add (growing, Fixture, names[i], set_up, test_growing, tear_down);
    }
  g_test_add_func ("/timeline/cache/tail", test_tail);
  g_test_add_func ("/timeline/cache/unwritable", test_unwritable);
  g_test_add ("/timeline/cache/bounded", Fixture, names[0], set_up, test_bounded, tear_down);
  status = g_test_run ();
  remove_cache (cache);
  return status;
}
