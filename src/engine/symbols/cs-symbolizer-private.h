/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-addr2line.h"
#include "symbols/cs-bundle.h"
#include "symbols/cs-source-map.h"
#include "symbols/cs-symbolizer.h"

G_BEGIN_DECLS

struct _CsSymbolizer
{
  GObject parent_instance;

  CsBinary *executable; /* (nullable): what the person named */
  GHashTable *modules;  /* CsModuleFile → CsBinary, or NULL where it isn't to be trusted */
  GPtrArray *notices;   /* (element-type utf8): about files that were not trusted */

  CsAddr2line *addr2line;   /* (nullable): what names addresses instead */
  CsDebuginfod *debuginfod; /* (nullable): where to get files that aren't there */
  GPtrArray *bundles;       /* (element-type CsBundle) */
  GHashTable *folders;      /* (element-type filename) that were looked into for one */
  CsSourceMap *source_map;
  guint template_depth;
  CsDebugPlaces places; /* where files are looked for; binaries refer to it */
  char *cache;          /* (nullable): folder of what earlier runs found */
  GRecMutex mutex;      /* cs_symbolizer_lock() */
};

void cs_module_file_free (gpointer file);

G_END_DECLS
