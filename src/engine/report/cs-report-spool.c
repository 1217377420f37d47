/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "report/cs-report-spool.h"

#define MEMORY (8 * 1024 * 1024) /* that all texts share */
#define TEXT_MIN 256             /* what each has even so */
#define TEXT_MAX (64 * 1024)

typedef struct
{
  gint64 offset;
  gsize length;
} Chunk;

struct _CsSpoolText
{
  GString *rest;  /* what is not in the file */
  GArray *chunks; /* (element-type Chunk): what is */
};

struct _CsReportSpool
{
  guint n_texts;
  int fd;      /* -1: none yet */
  gint64 size; /* of the file */
  int error;   /* errno of what went wrong; 0: nothing */
};

/**
 * cs_report_spool_new:
 *
 * Returns: (transfer full): a spool without texts
 */
CsReportSpool *
cs_report_spool_new (void)
{
  CsReportSpool *self = g_new0 (CsReportSpool, 1);

  self->fd = -1;
  return self;
}

/**
 * cs_report_spool_free:
 * @self: (transfer full): a spool; its texts have been written
 */
void
cs_report_spool_free (CsReportSpool *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/**
 * cs_report_spool_add:
 * @self: a spool
 *
 * Returns: (transfer full): an empty text; cs_report_spool_write() frees it
 */
CsSpoolText *
cs_report_spool_add (CsReportSpool *self)
{
  CsSpoolText *text = g_new0 (CsSpoolText, 1);

  self->n_texts++;
  text->rest = g_string_new (NULL);
  text->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  return text;
}

static gboolean
open_file (CsReportSpool *self)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "callsight-XXXXXX", NULL);

  self->fd = g_mkstemp (path);
  if (self->fd < 0)
    return FALSE;
  unlink (path);
  return TRUE;
}

static void
flush (CsReportSpool *self, CsSpoolText *text)
{
  Chunk chunk = { self->size, text->rest->len };
  const char *from = text->rest->str;
  gsize left = text->rest->len;

  if (self->error == 0 && self->fd < 0 && !open_file (self))
    self->error = errno;
  while (self->error == 0 && left > 0)
    {
      gssize n = pwrite (self->fd, from, left, self->size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          self->error = n < 0 ? errno : ENOSPC;
          break;
        }
      from += n;
      left -= (gsize) n;
      self->size += n;
    }
  g_array_append_val (text->chunks, chunk);
  g_string_truncate (text->rest, 0);
}

/**
 * cs_report_spool_append:
 * @self: a spool
 * @text: one of its texts
 * @bytes: what comes next in it
 * @n: how many
 */
void
cs_report_spool_append (CsReportSpool *self, CsSpoolText *text, const char *bytes, gsize n)
{
  g_string_append_len (text->rest, bytes, (gssize) n);
  if (text->rest->len >= CLAMP (MEMORY / self->n_texts, TEXT_MIN, TEXT_MAX))
    flush (self, text);
}

static gboolean
read_chunk (CsReportSpool *self, const Chunk *chunk, char *to)
{
  for (gsize done = 0; done < chunk->length;)
    {
      gssize n = pread (self->fd, to + done, chunk->length - done, chunk->offset + (gint64) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          self->error = n < 0 ? errno : EIO;
          return FALSE;
        }
      done += (gsize) n;
    }
  return TRUE;
}

/**
 * cs_report_spool_write:
 * @self: a spool
 * @text: (transfer full): one of its texts
 * @writer: where to; is told if the temporary file failed
 *
 * Writes a text and forgets it.
 */
void
cs_report_spool_write (CsReportSpool *self, CsSpoolText *text, CsReportWriter *writer)
{
  for (guint i = 0; i < text->chunks->len && self->error == 0 && !cs_report_writer_should_stop (writer); i++)
    {
      const Chunk *chunk = &g_array_index (text->chunks, Chunk, i);
      char *to = cs_report_writer_reserve (writer, chunk->length);

      if (read_chunk (self, chunk, to))
        cs_report_writer_advance (writer, to + chunk->length);
    }
  cs_report_writer_put_bytes (writer, text->rest->str, text->rest->len);
  if (self->error != 0)
    cs_report_writer_fail (writer, g_error_new (G_IO_ERROR, g_io_error_from_errno (self->error),
                                                "%s: a temporary file can't be written (%s) — name another folder with TMPDIR",
                                                g_get_tmp_dir (), g_strerror (self->error)));
  /* The last text gone, the file begins anew. */
  if (--self->n_texts == 0)
    self->size = 0;
  g_string_free (text->rest, TRUE);
  g_array_unref (text->chunks);
  g_free (text);
}
