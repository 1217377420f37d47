/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-pass-counts.h"
#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* The distinct addresses of a profile: (module, link address), whatever process and time
 * they were seen in; each is named once. */
typedef enum
{
  CS_NAME_FUNCTION,  /* the address of a function */
  CS_NAME_CALL_SITE, /* a return address: the call before it is named */
} CsNaming;

typedef struct _CsLocations CsLocations;

CsLocations *cs_locations_new (CsSymbolizer *symbolizer, GStringChunk *strings);
void cs_locations_free (CsLocations *self);
gboolean cs_locations_get_file (const CsPassCounts *counts, CsSymbolizer *symbolizer, guint64 address,
                                CsModuleFile *file, gconstpointer *image, guint64 *link_address,
                                guint64 *bias);
guint cs_locations_intern (CsLocations *self, const CsPassCounts *counts, guint64 address);
char *cs_location_dup_number (const char *module, guint64 address);
void cs_locations_prepare (CsLocations *self, CsNaming naming, const guint64 *locations, gsize stride, guint n);
void cs_locations_name (CsLocations *self, guint location, CsNaming naming, CsLocation *out);
gboolean cs_locations_have_nameless_process (CsLocations *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsLocations, cs_locations_free)

G_END_DECLS
