/* SPDX-License-Identifier: MIT */
#pragma once

#include "calls/cs-call-log-node.h"

G_BEGIN_DECLS

/* Something that is being read. */
typedef struct
{
  CsCallLogModel *model;
  CsCallLogJob *job;
  CsCallLogNode *slot; /* (nullable): stands where lines come */
  GPtrArray *levels;   /* (element-type GPtrArray of CsCallLogNode): lines that have come, by level */
  GPtrArray *slots;    /* (element-type CsCallLogNode) (nullable elements): the same of each level */
  gboolean reveals;
  gboolean finds;    /* it looks for any call of some functions */
  gboolean fold;     /* the line that the call is in will do */
  guint64 position;  /* of the call that is to be revealed */
} CsCallLogReading;

struct _CsCallLogModel
{
  GObject parent_instance;

  CsCallLogSource source; /* timeline is NULL: there is none */
  CsPlaces *places;
  CsCallLogNode *root; /* whose children are the outermost calls */
  GPtrArray *rows;    /* (element-type CsCallLogNode): that are shown */
  GPtrArray *gone;    /* (element-type CsCallLogNode): that rows may still be there for */
  GPtrArray *readings; /* (element-type CsCallLogReading) */
  CsCallLogReading *revealing; /* (nullable): of these, the one that looks for a call */
  GArray *path;       /* (element-type CsCallLogEntry) (nullable): is followed when what is read there has come */
  gboolean fold_path; /* the line that its call is in will do */
};

extern const CsCallLogListener cs_call_log_model_listener;

void cs_call_log_model_show (CsCallLogModel *self, guint first);
guint cs_call_log_model_find_row (CsCallLogModel *self, const CsCallLogNode *node);
CsCallLogReading *cs_call_log_model_begin (CsCallLogModel *self, CsCallLogNode *slot);
void cs_call_log_model_end (CsCallLogReading *reading);
CsCallLogNode *cs_call_log_model_add_slot (CsCallLogModel *self, CsCallLogNode *node);
void cs_call_log_model_notify_busy (CsCallLogModel *self);

/* cs-call-log-pieces.c */
void cs_call_log_reading_take (CsCallLogReading *reading, const CsCallLogPiece *piece);

/* cs-call-log-reveal.c */
void cs_call_log_model_miss (CsCallLogModel *self);
void cs_call_log_model_follow_path (CsCallLogModel *self, const GArray *path, gboolean fold);
void cs_call_log_model_end_path (CsCallLogModel *self, CsCallLogReading *reading);

G_END_DECLS
