# SPDX-License-Identifier: MIT
"""A library to preload: what happens when so many bytes of a file have been read, or when a copy is put in its place."""

import recordings as rec
import tap

HAPPENING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void interrupt (void)
{
  static int done;
  if (!done++)
    {
      kill (getpid (), SIGINT);
      usleep (200000);
    }
}

ssize_t pread64 (int fd, void *to, size_t size, off64_t at)
{
  ssize_t (*next) (int, void *, size_t, off64_t) = dlsym (RTLD_NEXT, "pread64");
  const char *what = getenv ("WHAT"), *least = getenv ("LEAST");
  if (at + (off64_t) size > atoll (getenv ("AT")) && size >= (size_t) atoll (least))
    {
      if (*what == 'e') return errno = EIO, -1;
      if (*what == 's') return 0;
      if (*what == 'i') interrupt ();
    }
  return next (fd, to, size, at);
}

ssize_t pread (int fd, void *to, size_t size, off_t at)
{
  return pread64 (fd, to, size, at);
}

int rename (const char *from, const char *to)
{
  int (*next) (const char *, const char *) = dlsym (RTLD_NEXT, "rename");
  if (*getenv ("WHAT") == 'r') interrupt ();
  return next (from, to);
}
"""


def make(folder):
    """A function that makes the environment in which that happens."""
    rec.write(folder, "happening.c", HAPPENING.encode())
    tap.run("gcc", "-shared", "-fPIC", "-w", "-o", folder + "/happening.so", folder + "/happening.c", "-ldl", check=0)
    return lambda what, at, least=65: {"LD_PRELOAD": folder + "/happening.so", "WHAT": what, "AT": str(at), "LEAST": str(least)}
