/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "capture/cs-notices.h"

/* Of one kind no more sentences about a single file or process are kept; the rest is counted
 * in one. */
#define MAX_DETAILS 8

struct _CsNotices
{
  GPtrArray *texts[CS_NOTICE_N_KINDS]; /* (element-type utf8) (nullable) */
  guint details[CS_NOTICE_N_KINDS];
  guint dropped[CS_NOTICE_N_KINDS];
};

/**
 * cs_notices_new:
 *
 * Returns: (transfer full): an empty list of what a reader of the report has to know
 */
CsNotices *
cs_notices_new (void)
{
  return g_new0 (CsNotices, 1);
}

/**
 * cs_notices_free:
 * @self: (transfer full): a list
 */
void
cs_notices_free (CsNotices *self)
{
  for (guint i = 0; i < CS_NOTICE_N_KINDS; i++)
    g_clear_pointer (&self->texts[i], g_ptr_array_unref);
  g_free (self);
}

static void
take (CsNotices *self, CsNoticeKind kind, gboolean detail, char *text)
{
  g_autofree char *owned = text;

  if (self->texts[kind] == NULL)
    self->texts[kind] = g_ptr_array_new_with_free_func (g_free);
  if (detail && self->details[kind] >= MAX_DETAILS)
    {
      self->dropped[kind]++;
      return;
    }
  if (g_ptr_array_find_with_equal_func (self->texts[kind], owned, g_str_equal, NULL))
    return;
  self->details[kind] += detail;
  g_ptr_array_add (self->texts[kind], g_steal_pointer (&owned));
}

/**
 * cs_notices_add:
 * @self: a list
 * @kind: what it is about
 * @format: one sentence, printf style, without a full stop
 *
 * Adds a sentence about the whole recording; one that is there already is not added again.
 */
void
cs_notices_add (CsNotices *self, CsNoticeKind kind, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  take (self, kind, FALSE, g_strdup_vprintf (format, args));
  va_end (args);
}

/**
 * cs_notices_add_detail:
 * @self: a list
 * @kind: what it is about
 * @format: one sentence, printf style, without a full stop
 *
 * Adds a sentence about one of many files, modules or processes: after the first few of a
 * kind they are only counted.
 */
void
cs_notices_add_detail (CsNotices *self, CsNoticeKind kind, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  take (self, kind, TRUE, g_strdup_vprintf (format, args));
  va_end (args);
}

/**
 * cs_notices_add_all:
 * @self: a list
 * @other: another one, whose sentences are copied
 */
void
cs_notices_add_all (CsNotices *self, const CsNotices *other)
{
  for (guint kind = 0; kind < CS_NOTICE_N_KINDS; kind++)
    {
      for (guint i = 0; other->texts[kind] != NULL && i < other->texts[kind]->len; i++)
        take (self, kind, FALSE, g_strdup (g_ptr_array_index (other->texts[kind], i)));
      self->details[kind] += other->details[kind];
      self->dropped[kind] += other->dropped[kind];
    }
}

/**
 * cs_notices_dup_texts:
 * @self: a list
 *
 * Returns: (transfer full) (array zero-terminated=1): the sentences, gravest kind first
 */
char **
cs_notices_dup_texts (const CsNotices *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint kind = 0; kind < CS_NOTICE_N_KINDS; kind++)
    {
      for (guint i = 0; self->texts[kind] != NULL && i < self->texts[kind]->len; i++)
        g_strv_builder_add (builder, g_ptr_array_index (self->texts[kind], i));
      if (self->dropped[kind] > 0)
        {
          g_autofree char *rest = g_strdup_printf ("… and %u more like these", self->dropped[kind]);
          g_strv_builder_add (builder, rest);
        }
    }
  return g_strv_builder_end (builder);
}
