/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "project/cs-doctor-private.h"
#include "project/cs-provision.h"
#include "symbols/cs-demangle.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define MB (G_GUINT64_CONSTANT (1) << 20)
/* What the runtime takes where the environment says nothing. */
#define DEFAULT_MAX_MB 512
#define DEFAULT_MIN_FREE_MB 64

/* A number of megabytes of the environment, in bytes. */
static guint64
get_megabytes (const char *name, guint64 fallback)
{
  const char *text = g_getenv (name);
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64 / MB, &number, NULL))
    number = fallback;
  return number * MB;
}

/* The nearest folder above, or the path itself, that is there. */
static char *
find_existing (const char *path)
{
  char *found = g_strdup (path);
  struct stat st;

  while (lstat (found, &st) != 0 && (errno == ENOENT || errno == ENOTDIR) && !g_str_equal (found, "/"))
    {
      char *above = g_path_get_dirname (found);

      g_free (found);
      found = above;
    }
  return found;
}

static void
look_at_trace_folder (CsDoctor *self)
{
  const char *check = "trace directory";
  g_autofree char *there = find_existing (self->trace_folder);
  const guint64 most = get_megabytes ("TRACE_MAX_MB", DEFAULT_MAX_MB);
  const guint64 least = get_megabytes ("TRACE_MIN_FREE_MB", DEFAULT_MIN_FREE_MB);
  struct stat st;
  struct statvfs fs;
  guint64 room;
  g_autofree char *shown = NULL;

  if (stat (there, &st) != 0 || !S_ISDIR (st.st_mode))
    {
      cs_doctor_problem (self, check, "name another with --dir or TRACE_DIR", "%s: %s isn't a folder", self->trace_folder,
                         there);
      return;
    }
  if (access (there, W_OK | X_OK) != 0)
    {
      cs_doctor_problem (self, check, "name another with --dir or TRACE_DIR", "%s: %s can't be written (%s)",
                         self->trace_folder, there, g_strerror (errno));
      return;
    }
  if (statvfs (there, &fs) != 0)
    {
      cs_doctor_warn (self, check, "name another with --dir or TRACE_DIR", "%s: its room is not known (%s)",
                      self->trace_folder, g_strerror (errno));
      return;
    }
  room = (guint64) fs.f_bavail * fs.f_frsize;
  shown = g_format_size_full (room, G_FORMAT_SIZE_IEC_UNITS);
  if (room <= least)
    cs_doctor_problem (self, check, "make room, name another with --dir, or set TRACE_MIN_FREE_MB",
                       "%s: %s are free, and recording stops where less than %" G_GUINT64_FORMAT " MiB are",
                       self->trace_folder, shown, least / MB);
  else if (most > 0 && room < most + least)
    cs_doctor_warn (self, check, "make room, or set TRACE_MAX_MB",
                    "%s: %s are free, less than the %" G_GUINT64_FORMAT " MiB that a program may record and the "
                    "%" G_GUINT64_FORMAT " MiB that stay free", self->trace_folder, shown, most / MB, least / MB);
  else
    cs_doctor_ok (self, check, "%s can be written, %s are free", self->trace_folder, shown);
}

static void
look_at_shared_memory (CsDoctor *self)
{
  g_autofree char *name = g_strdup_printf ("/callsight-doctor-%d", (int) getpid ());
  int fd = shm_open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int number = fd < 0 ? errno : posix_fallocate (fd, 0, 4096);

  if (fd >= 0)
    {
      close (fd);
      shm_unlink (name);
    }
  if (number == 0)
    cs_doctor_ok (self, "shared memory", "/dev/shm can be used");
  else
    cs_doctor_warn (self, "shared memory", "mount a tmpfs on /dev/shm", "/dev/shm can't be used (%s): no streaming",
                    g_strerror (number));
}

static int
open_counter (void)
{
  struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof attr, .config = PERF_COUNT_HW_CPU_CYCLES,
                                  .exclude_kernel = 1, .exclude_hv = 1 };

  return (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void
look_at_counters (CsDoctor *self)
{
  int fd = open_counter ();
  int number = errno;
  g_autofree char *text = NULL;

  if (fd >= 0)
    {
      close (fd);
      cs_doctor_ok (self, "hardware counters", "cycles can be counted");
    }
  else if (number == EACCES || number == EPERM)
    cs_doctor_warn (self, "hardware counters", "sysctl kernel.perf_event_paranoid=2, or a container's seccomp rules",
                    "this user may not count (%s)", g_strerror (number));
  else
    cs_doctor_warn (self, "hardware counters",
                    "count software events (task-clock, page-faults), or run where the processor's counters can be seen",
                    "none here (%s), as in most virtual machines", g_strerror (number));

  if (!g_file_get_contents (PARANOID, &text, NULL, NULL))
    cs_doctor_warn (self, "perf_event_paranoid", "use a kernel with perf events", "%s can't be read: nothing can be counted",
                    PARANOID);
  else if (g_ascii_strtoll (text, NULL, 10) > 2 && geteuid () != 0)
    cs_doctor_warn (self, "perf_event_paranoid", "sysctl kernel.perf_event_paranoid=2", "%s: only root may count",
                    g_strstrip (text));
  else
    cs_doctor_ok (self, "perf_event_paranoid", "%s", g_strstrip (text));
}

/* Whether the counter that events are timed with keeps one rate. */
static gboolean
has_invariant_counter (void)
{
#if defined(__x86_64__) || defined(__i386__)
  unsigned a, b, c, d;

  return __get_cpuid (0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return TRUE;
#else
  return FALSE;
#endif
}

static void
look_at_clock (CsDoctor *self)
{
  if (has_invariant_counter ())
    cs_doctor_ok (self, "clock", "the processor's cycle counter keeps one rate");
  else
    cs_doctor_warn (self, "clock", "nothing is wrong with the times; choose fewer functions if that is too slow",
                    "no cycle counter that keeps one rate: CLOCK_MONOTONIC is used, which costs more an event");
}

static void
look_at_scanner (CsDoctor *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *scanner = cs_provision_dup_scanner (&error);

  if (scanner != NULL)
    cs_doctor_ok (self, "ctags", "%s", scanner);
  else
    cs_doctor_warn (self, "ctags", "callsight-cli provision says how to get one",
                    "%s: the built-in scan serves, which knows less of C++", error->message);
}

static void
look_at_names (CsDoctor *self)
{
  char *name = cs_demangle ("_Z1fv");

  if (name != NULL)
    cs_doctor_ok (self, "C++ names", "are shown as in the source");
  else
    cs_doctor_warn (self, "C++ names", "install libstdc++ (Debian: libstdc++6)",
                    "neither libstdc++ nor libc++abi is here: names are shown as the linker has them");
  free (name);
}

/* What is the same for all projects here, and the trace directory. */
void
cs_doctor_look_at_machine (CsDoctor *self)
{
  look_at_scanner (self);
  look_at_trace_folder (self);
  look_at_clock (self);
  look_at_names (self);
  look_at_shared_memory (self);
  look_at_counters (self);
}
