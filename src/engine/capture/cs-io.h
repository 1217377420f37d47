/* SPDX-License-Identifier: MIT */
#pragma once

#include <errno.h>
#include <glib.h>
#include <unistd.h>

G_BEGIN_DECLS

/* A file descriptor that closes itself at the end of its scope. */
static inline void
cs_fd_cleanup (int *fd)
{
  if (*fd >= 0)
    close (*fd);
}

#define cs_autofd __attribute__ ((cleanup (cs_fd_cleanup))) int

/**
 * cs_pread_full:
 * @fd: a descriptor
 * @buffer: where to read to
 * @size: how many bytes
 * @offset: from where, bytes
 *
 * pread() that goes on after interruptions and short reads.
 *
 * Returns: the bytes read, fewer than @size only at the end of the file, or -1 with errno
 */
static inline gssize
cs_pread_full (int fd, void *buffer, gsize size, off_t offset)
{
  gsize done = 0;

  while (done < size)
    {
      gssize n = pread (fd, (char *) buffer + done, size - done, offset + (off_t) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

G_END_DECLS
