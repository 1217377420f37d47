/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A shared object or executable that was mapped into a process for some time.
 * Link address = run-time address - bias. */
typedef struct
{
  guint64 since_ns; /* CLOCK_MONOTONIC */
  guint64 gone_ns;  /* G_MAXUINT64: never unloaded */
  guint64 since;    /* the same as a timestamp of the process's events */
  guint64 gone;     /* G_MAXUINT64: never unloaded */
  guint64 bias;
  guint64 start, end; /* run-time addresses, end exclusive */
  char *build_id;     /* hex; NULL: it has none */
  char *path;
} CsModule;

/* Which module lay at an address, and when: the modules of one process image, immutable. */
typedef struct _CsModuleMap CsModuleMap;

void cs_module_free (CsModule *self);

CsModuleMap *cs_module_map_new (GPtrArray *modules);
void cs_module_map_free (CsModuleMap *self);
const CsModule *cs_module_map_find (const CsModuleMap *self, guint64 address, guint64 ts, gboolean *in_turn);
gboolean cs_module_map_has_turns (const CsModuleMap *self);
guint cs_module_map_get_n_unclear (const CsModuleMap *self);

G_END_DECLS
