/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "symbols/cs-demangle.h"

/* Longer names stay as they are: the demangler recurses over them. */
#define LONGEST_NAME (64 * 1024)

typedef char *(*DemangleFunc) (const char *name,
                               char       *buffer,
                               size_t     *size,
                               int        *status);

/* The C++ runtime's own demangler, without making the engine C++: a machine
 * that has C++ programs has their runtime, but its linker name comes only
 * with a C++ compiler.  Without one names are shown mangled. */
static DemangleFunc
find_demangler (void)
{
  static const char *const libraries[] = { "libstdc++.so.6", "libc++abi.so.1" };
  void *function = dlsym (RTLD_DEFAULT, "__cxa_demangle");

  for (guint i = 0; i < G_N_ELEMENTS (libraries) && function == NULL; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_LOCAL);

      if (library != NULL)
        function = dlsym (library, "__cxa_demangle");
    }
  return (DemangleFunc) function;
}

/**
 * cs_demangle:
 * @name: a symbol name
 *
 * Turns the linkage name of a C++ function into what its source calls it.
 * Only names that begin with `_Z` are tried: others may be C functions whose
 * names happen to read as a mangled type.
 *
 * Returns: (nullable) (transfer full): the name to show, %NULL when @name is
 *   to be shown as it is
 */
char *
cs_demangle (const char *name)
{
  static gsize once;
  static DemangleFunc demangle;
  int status = 0;

  if (name == NULL || !g_str_has_prefix (name, "_Z") || strlen (name) > LONGEST_NAME)
    return NULL;
  if (g_once_init_enter (&once))
    {
      demangle = find_demangler ();
      g_once_init_leave (&once, 1);
    }
  return demangle != NULL ? demangle (name, NULL, NULL, &status) : NULL;
}
