/* SPDX-License-Identifier: MIT */
#pragma once

#include "symbols/cs-binary.h"
#include "symbols/cs-debuginfod.h"

G_BEGIN_DECLS

/* An ELF file as a recording tells of it. */
typedef struct
{
  const char *path;     /* where it was loaded from */
  const char *build_id; /* (nullable): hex */
  gboolean executable;  /* a process's main executable */
} CsModuleFile;

guint cs_module_file_hash (gconstpointer file);
gboolean cs_module_file_equal (gconstpointer a, gconstpointer b);

#define CS_TYPE_SYMBOLIZER (cs_symbolizer_get_type ())
G_DECLARE_FINAL_TYPE (CsSymbolizer, cs_symbolizer, CS, SYMBOLIZER, GObject)

CsSymbolizer *cs_symbolizer_new (void);
void cs_symbolizer_lock (CsSymbolizer *self);
void cs_symbolizer_unlock (CsSymbolizer *self);
gboolean cs_symbolizer_set_executable (CsSymbolizer *self, const char *path, GError **error);
const char *cs_symbolizer_get_executable (CsSymbolizer *self);
gboolean cs_symbolizer_set_addr2line (CsSymbolizer *self, const char *command, GError **error);
void cs_symbolizer_set_debuginfod (CsSymbolizer *self, CsDebuginfod *debuginfod);
guint64 cs_symbolizer_get_n_fetched (CsSymbolizer *self);
void cs_symbolizer_set_cancellable (CsSymbolizer *self, GCancellable *cancellable);
gboolean cs_symbolizer_add_source_map (CsSymbolizer *self, const char *text, GError **error);
void cs_symbolizer_add_project (CsSymbolizer *self, const char *folder);
void cs_symbolizer_set_template_depth (CsSymbolizer *self, guint depth);
void cs_symbolizer_add_bundle (CsSymbolizer *self, const char *folder);
char *cs_symbolizer_dup_shown_name (CsSymbolizer *self, const char *name);
char *cs_symbolizer_map_source (CsSymbolizer *self, const char *path);
char *cs_symbolizer_find_source (CsSymbolizer *self, const char *source);
CsBinary *cs_symbolizer_get_binary (CsSymbolizer *self, const CsModuleFile *file);
gboolean cs_symbolizer_add_debug_dir (CsSymbolizer *self, const char *path, GError **error);
gboolean cs_symbolizer_set_sysroot (CsSymbolizer *self, const char *path, GError **error);
void cs_symbolizer_set_cache (CsSymbolizer *self, const char *folder);
void cs_symbolizer_save (CsSymbolizer *self);
void cs_symbolizer_prepare (CsSymbolizer *self, const CsModuleFile *file, guint64 *addresses, guint n,
                            gboolean call_sites);
gboolean cs_symbolizer_lookup_function (CsSymbolizer *self, const CsModuleFile *file, guint64 address,
                                        CsSymbol *symbol);
gboolean cs_symbolizer_lookup_call_site (CsSymbolizer *self, const CsModuleFile *file, guint64 address,
                                         CsSymbol *symbol);
CsInlining *cs_symbolizer_get_inlining (CsSymbolizer *self, const CsModuleFile *file, guint64 address);
char **cs_symbolizer_dup_notices (CsSymbolizer *self);

G_END_DECLS
