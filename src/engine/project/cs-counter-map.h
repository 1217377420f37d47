/* SPDX-License-Identifier: MIT */
#pragma once

#include "selection/cs-selection.h"

G_BEGIN_DECLS

#define CS_COUNTER_MAP_ERROR (cs_counter_map_error_quark ())

typedef enum
{
  CS_COUNTER_MAP_ERROR_CONFIG, /* it has no events, or no functions to count them in */
  CS_COUNTER_MAP_ERROR_BINARY, /* it can't be read */
  CS_COUNTER_MAP_ERROR_NONE,   /* none of the functions can be counted in it */
} CsCounterMapError;

GQuark cs_counter_map_error_quark (void);

/* A function whose calls are counted. */
typedef struct
{
  guint64 address; /* link address of its code */
  const char *name; /* to show */
  const char *file; /* (nullable): its source's path in the project */
  guint line;
} CsCounterFunction;

/* Where in a program events are counted: docs/formats.md, Counter map. It never changes. */
typedef struct _CsCounterMap CsCounterMap;

CsCounterMap *cs_counter_map_new (const CsTraceConfig *config, const CsSelection *selection, const char *exe,
                                  GError **error);
void cs_counter_map_free (CsCounterMap *self);
const CsCounterFunction *cs_counter_map_get_functions (const CsCounterMap *self, guint *n);
const char *const *cs_counter_map_get_warnings (const CsCounterMap *self);
char *cs_counter_map_to_text (const CsCounterMap *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CsCounterMap, cs_counter_map_free)

G_END_DECLS
