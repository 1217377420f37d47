/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "calls/cs-call-log-reader.h"
#include "calls/cs-places.h"

G_BEGIN_DECLS

typedef enum
{
  CS_CALL_LOG_ROW_LINE, /* what its entry says */
  CS_CALL_LOG_ROW_REST, /* there is more, which is read when it is opened */
  CS_CALL_LOG_ROW_WAIT, /* more is being read */
} CsCallLogRowKind;

/* A row of a log as it is shown. */
typedef struct
{
  CsCallLogRowKind kind;
  const CsCallLogEntry *entry; /* of a line */
  guint level;             /* how far in it stands */
  gboolean expandable, expanded;
  gboolean member;         /* it is one of the calls of the line that it stands in */
  gboolean has_self;
  guint64 self;            /* ns, once it is known */
} CsCallLogRow;

/* The log of one thread: what is open of it, as rows. Nothing is read before it is opened. Properties "busy" and "places".
 * Signals: "changing", "changed" before and after rows go elsewhere; "revealed" (position): a call that was asked for is
 * there; "missed" (text): it isn't. */
#define CS_TYPE_CALL_LOG_MODEL (cs_call_log_model_get_type ())
G_DECLARE_FINAL_TYPE (CsCallLogModel, cs_call_log_model, CS, CALL_LOG_MODEL, GObject)

CsCallLogModel *cs_call_log_model_new (void);
void cs_call_log_model_set_source (CsCallLogModel *self, const CsCallLogSource *source);
const CsCallLogSource *cs_call_log_model_get_source (CsCallLogModel *self);
CsPlaces *cs_call_log_model_get_places (CsCallLogModel *self);
gboolean cs_call_log_model_get_busy (CsCallLogModel *self);

guint cs_call_log_model_get_n (CsCallLogModel *self);
void cs_call_log_model_get_row (CsCallLogModel *self, guint position, CsCallLogRow *row);
guint cs_call_log_model_get_parent (CsCallLogModel *self, guint position);
gboolean cs_call_log_model_set_expanded (CsCallLogModel *self, guint position, gboolean expanded);
void cs_call_log_model_expand_below (CsCallLogModel *self, guint position);
void cs_call_log_model_collapse_all (CsCallLogModel *self);
void cs_call_log_model_load (CsCallLogModel *self, guint position);

void cs_call_log_model_reveal (CsCallLogModel *self, const CsTimelineSpan *call, gboolean fold);
void cs_call_log_model_find (CsCallLogModel *self, guint from, gboolean skip, gboolean backwards, CsCallLogMatch match,
                        gpointer match_data, GDestroyNotify free_match);

void cs_call_log_model_keep (CsCallLogModel *self, const GtkBitset *positions);
GtkBitset *cs_call_log_model_dup_kept (CsCallLogModel *self);

G_END_DECLS
