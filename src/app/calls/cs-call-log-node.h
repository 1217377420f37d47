/* SPDX-License-Identifier: MIT */
#pragma once

#include "calls/cs-call-log-model.h"

G_BEGIN_DECLS

/* A line, or what stands for lines that aren't read. */
typedef struct _CsCallLogNode CsCallLogNode;

struct _CsCallLogNode
{
  CsCallLogNode *parent; /* (nullable) */
  GPtrArray *children; /* (element-type CsCallLogNode) (nullable): not read yet */
  guint index;         /* among the parent's */
  guint level;
  CsCallLogRowKind kind;
  gboolean expanded, kept;
  CsCallLogNode *heir;   /* (nullable): is selected in its place: what came where it stands */
  gboolean has_self, member;
  guint64 self;
  CsCallLogEntry entry; /* of a line */
  CsCallLogWalk walk;   /* what else stands for */
};

CsCallLogNode *cs_call_log_node_new (CsCallLogNode *parent, CsCallLogRowKind kind);
void cs_call_log_node_free (CsCallLogNode *root);
gboolean cs_call_log_node_is_expandable (const CsCallLogNode *node);
void cs_call_log_node_renumber (CsCallLogNode *parent, guint from);
void cs_call_log_node_insert (CsCallLogNode *parent, guint index, CsCallLogNode *child);
GPtrArray *cs_call_log_node_list_rows (CsCallLogNode *root);
CsCallLogNode *cs_call_log_node_find (CsCallLogNode *parent, guint64 position, CsCallLogNode **rest);

G_END_DECLS
