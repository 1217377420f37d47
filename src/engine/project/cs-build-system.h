/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CS_BUILD_SYSTEM_NONE,
  CS_BUILD_SYSTEM_MAKE,
  CS_BUILD_SYSTEM_CMAKE,
  CS_BUILD_SYSTEM_MESON,
  CS_BUILD_SYSTEM_AUTOTOOLS,
} CsBuildSystem;

/* What a project folder says of how it is built. */
typedef struct
{
  CsBuildSystem systems[4];
  const char *files[4]; /* what told: "CMakeLists.txt" */
  guint count;
} CsBuildSystems;

void cs_build_systems_find (const char *folder, CsBuildSystems *found);
gboolean cs_build_systems_has (const CsBuildSystems *self, CsBuildSystem system);
char *cs_build_systems_describe (const CsBuildSystems *self, const char *option);
gboolean cs_build_system_from_name (const char *name, CsBuildSystem *system);
const char *cs_build_system_get_name (CsBuildSystem system);
char *cs_build_system_derive_cxx (const char *compiler);

G_END_DECLS
