/* SPDX-License-Identifier: MIT */
#pragma once

#include "profile/cs-profile.h"

G_BEGIN_DECLS

/* A caller or a callee of a function. */
typedef struct
{
  guint function;   /* index in the profile; G_MAXUINT: nothing that is recorded, a thread's outermost call */
  guint64 calls;
  guint64 incl;     /* ns */
  guint64 part, whole; /* its share: of the function's calls by a caller, of its inclusive time in a callee */
  GPtrArray *sites; /* (element-type CsCallSite): where it is called, most calls first; the profile's */
} CsFunctionEdge;

GArray *cs_function_edges_list (CsProfile *profile, guint function, gboolean callees);
char *cs_function_edge_dup_sites (const CsFunctionEdge *self, guint most);

G_END_DECLS
