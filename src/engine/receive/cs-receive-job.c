/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "receive/cs-receive-job.h"

/**
 * cs_receive_chunk_free:
 * @chunk: (transfer full): a chunk
 */
void
cs_receive_chunk_free (CsReceiveChunk *chunk)
{
  g_free (chunk->stored);
  g_free (chunk);
}

/**
 * cs_receive_call_soon:
 * @context: a main context
 * @function: what to call there
 * @data: for @function
 *
 * Has a function called from the main loop, never from within this.
 */
void
cs_receive_call_soon (GMainContext *context, GSourceFunc function, gpointer data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, function, data, NULL);
  g_source_attach (source, context);
}

/**
 * cs_receive_job_run:
 * @job: a #CsReceiveJob
 * @unused: nothing
 *
 * Does it, and has its `done' called in the main thread. Blocks.
 */
void
cs_receive_job_run (gpointer job, gpointer unused)
{
  CsReceiveJob *self = job;
  CsReceiveChunk *chunk;

  if (self->writer == NULL && !self->closing)
    self->writer = cs_receive_writer_open (self->store, self->hello, &self->error);
  while ((chunk = g_queue_pop_head (&self->chunks)) != NULL)
    {
      if (self->error == NULL && self->writer != NULL)
        cs_receive_writer_take (self->writer, chunk, &self->error);
      self->stored += chunk->stored_len;
      cs_receive_chunk_free (chunk);
    }
  if (self->writer != NULL)
    {
      self->stats = *cs_receive_writer_get_stats (self->writer);
      self->folder = g_strdup (cs_receive_writer_get_folder (self->writer));
      self->continued = cs_receive_writer_is_continued (self->writer);
    }
  if (self->closing && self->writer != NULL)
    {
      cs_receive_writer_close (self->writer, self->forget || self->error != NULL);
      self->writer = NULL;
    }
  cs_receive_call_soon (self->context, self->done, self->data);
}

/**
 * cs_receive_job_free:
 * @self: (transfer full): a job that doesn't run
 */
void
cs_receive_job_free (CsReceiveJob *self)
{
  g_queue_clear_full (&self->chunks, (GDestroyNotify) cs_receive_chunk_free);
  g_clear_error (&self->error);
  g_free (self->folder);
  g_free (self);
}
