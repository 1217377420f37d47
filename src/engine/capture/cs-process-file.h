/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A shared object or executable that was mapped into a process for some time.
 * Link address = run-time address - bias. */
typedef struct
{
  guint64 since_ns; /* CLOCK_MONOTONIC */
  guint64 gone_ns;  /* G_MAXUINT64: never unloaded */
  guint64 bias;
  guint64 start, end; /* run-time addresses, end exclusive */
  char *build_id;     /* hex; NULL: it has none */
  char *path;
} CsModule;

typedef struct
{
  guint tid;
  guint64 seq; /* of the thread's first file */
  char *name;
} CsThreadName;

/* One image of one process, as one section of its process file tells it. */
typedef struct
{
  guint pid;
  guint parent;         /* 0: not told */
  guint64 start_ns;     /* CLOCK_MONOTONIC; equals t0_ns of the section's event files */
  guint64 realtime_ns;  /* the same moment, CLOCK_REALTIME */
  char *exe;            /* NULL: not told */
  GPtrArray *modules;   /* (element-type CsModule) in the order of their loading */
  GPtrArray *threads;   /* (element-type CsThreadName) */
} CsProcessSection;

GPtrArray *cs_process_file_read (const char *path, GError **error);
GPtrArray *cs_process_file_parse (const char *text, gsize length);
CsModule *cs_module_new (guint64 bias, const char *path);
void cs_module_free (CsModule *self);

G_END_DECLS
