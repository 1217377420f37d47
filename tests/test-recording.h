/* SPDX-License-Identifier: MIT */
#pragma once

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <time.h>

#include "trace.h"

/* Event files of one thread, pid and tid 7, for tests in C. */

static inline GByteArray *
test_recording_new (void)
{
  struct trace_header header = { TRACE_MAGIC, TRACE_VERSION, TRACE_EVENT_SIZE, TRACE_HEADER_SIZE, .pid = 7 };
  GByteArray *self = g_byte_array_new ();

  return g_byte_array_append (self, (const guint8 *) &header, sizeof header);
}

static inline void
test_recording_add (GByteArray *self, guint64 ts, guint64 func, guint8 kind)
{
  struct trace_event event = { .ts = ts, .func = func, .caller = 0x1004, .tid = 7, .kind = kind };

  g_byte_array_append (self, (const guint8 *) &event, sizeof event);
}

/* Writes the recording into a new folder, whose path is returned, and frees it. */
static inline char *
test_recording_write (GByteArray *self)
{
  char *folder = g_dir_make_tmp ("callsight-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.7.7.0.bin", NULL);

  g_assert_true (g_file_set_contents (path, (const char *) self->data, self->len, NULL));
  g_byte_array_unref (self);
  return folder;
}

static inline void
test_recording_remove (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "trace.7.7.0.bin", NULL);

  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Whether a stream is still received is told by the time of its file: here not by how fast the machine is. */
static inline void
test_stream_set_live (const char *path, gboolean live)
{
  const time_t s = live ? time (NULL) + 3600 : 1;
  const struct timespec times[2] = { { .tv_sec = s }, { .tv_sec = s } };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}
