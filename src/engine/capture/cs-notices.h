/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a notice is about; the order is the order in which a report prints them. */
typedef enum
{
  CS_NOTICE_FILTER,      /* the report is about a part of the recording */
  CS_NOTICE_STOPPED,     /* the capture was cut short */
  CS_NOTICE_LOST,        /* events are missing */
  CS_NOTICE_UNREADABLE,  /* a file was skipped */
  CS_NOTICE_PARTIAL,     /* a file ends in the middle of a record */
  CS_NOTICE_CLOCK,       /* timestamps needed correction */
  CS_NOTICE_REPAIRED,    /* calls were closed without their exit */
  CS_NOTICE_UNKNOWN,     /* records or markers of a kind that this version does not know */
  CS_NOTICE_SYMBOLS,     /* addresses that could not be named, and why */
  CS_NOTICE_HOOKS,       /* which calls have hooks at all */
  CS_NOTICE_N_KINDS,
} CsNoticeKind;

typedef struct _CsNotices CsNotices;

CsNotices *cs_notices_new (void);
void cs_notices_free (CsNotices *self);
void cs_notices_add (CsNotices *self, CsNoticeKind kind, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cs_notices_add_detail (CsNotices *self, CsNoticeKind kind, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cs_notices_add_all (CsNotices *self, const CsNotices *other);
char **cs_notices_dup_texts (const CsNotices *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsNotices, cs_notices_free)

G_END_DECLS
