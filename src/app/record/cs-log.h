/* SPDX-License-Identifier: MIT */
#pragma once

#include "record/cs-build-problem.h"

G_BEGIN_DECLS

/* More than this of a log isn't kept: text views take their time with each line. */
#define CS_LOG_MOST_BYTES (2 * 1024 * 1024)
#define CS_LOG_MOST_LINES 20000
/* Nor are more problems, of which the first matter most. */
#define CS_LOG_MOST_PROBLEMS 1000

/* A piece of a log: valid UTF-8. */
typedef struct
{
  char *text;
  gboolean restarts;  /* all that was taken before isn't kept any more */
  guint64 first_line; /* number of the line that it begins in, from 0 */
} CsLogPiece;

/* What a build or a program writes, on its way from any thread to a widget. */
#define CS_TYPE_LOG (cs_log_get_type ())
G_DECLARE_FINAL_TYPE (CsLog, cs_log, CS, LOG, GObject)

CsLog *cs_log_new (void);
void cs_log_add_text (CsLog *self, const char *text);
void cs_log_add_line (CsLog *self, const CsBuildLine *line, const CsBuildMessage *message);
void cs_log_add_output (CsLog *self, const char *bytes, gsize size);
gboolean cs_log_take (CsLog *self, gsize most, CsLogPiece *piece);
gboolean cs_log_is_taken (CsLog *self);
GListModel *cs_log_get_problems (CsLog *self);
guint64 cs_log_get_n_problems (CsLog *self, CsBuildSeverity severity);

G_END_DECLS
