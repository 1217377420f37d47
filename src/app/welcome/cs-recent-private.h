/* SPDX-License-Identifier: MIT */
#pragma once

#include "welcome/cs-recent.h"

G_BEGIN_DECLS

/* A recording of more files is opened by its folder. */
#define CS_RECENT_MOST_PATHS 64

struct _CsRecent
{
  GObject parent_instance;

  CsRecentKind kind;
  char **paths; /* absolute: a project's folder, a recording's folder, or its files */
  char *program;  /* (nullable) */
  guint64 length_ns, calls;
  gboolean has_facts;
  char *title;
  char *detail;  /* what there is now, or "" */
  gboolean missing;
};

/* A look at what there is. May be made in any thread. */
typedef struct
{
  CsRecentKind kind;
  char *path;
  char *program; /* (nullable) */
  guint64 length_ns, calls;
  gboolean has_facts;
  gboolean missing;
  char *title; /* (nullable): a better one */
  char *detail;
} CsRecentLook;

CsRecent *cs_recent_new (CsRecentKind kind, const char *const *paths);
CsRecent *cs_recent_load (GKeyFile *file, const char *group);
void cs_recent_save (CsRecent *self, GKeyFile *file, const char *group);
CsRecentLook *cs_recent_look_new (CsRecent *self);
void cs_recent_look_do (CsRecentLook *look);
void cs_recent_take_look (CsRecent *self, CsRecentLook *look);
void cs_recent_look_free (gpointer data);

G_END_DECLS
