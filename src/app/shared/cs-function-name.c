/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cs-function-name.h"
#include "cs-settings.h"
#include "symbols/cs-name-collapse.h"

/**
 * cs_function_name_shorten:
 * @name: a function's whole name
 *
 * Names change when one of the preferences template-depth, show-parameters and show-namespaces does.
 *
 * Returns: (transfer full): the name as the preferences want it shown
 */
char *
cs_function_name_shorten (const char *name)
{
  GSettings *settings = cs_settings_get ();
  int depth = g_settings_get_int (settings, "template-depth");
  g_autofree char *stripped = cs_name_strip (name, g_settings_get_boolean (settings, "show-parameters"),
                                             g_settings_get_boolean (settings, "show-namespaces"));

  return cs_name_collapse (stripped, depth < 0 ? CS_NAME_WHOLE : (guint) depth);
}

/**
 * cs_function_name_escape:
 * @name: a function's whole name
 *
 * Returns: (transfer full): a glob for the filter of functions that matches the name
 */
char *
cs_function_name_escape (const char *name)
{
  GString *glob = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    g_string_append_c (glob, strchr ("*?[]\\", *p) != NULL ? '?' : *p);
  return g_string_free (glob, FALSE);
}

/**
 * cs_function_name_watch:
 * @object: a GObject
 * @changed: called with @object
 *
 * Has it called, as long as the object is there, when names are to be shown otherwise than before.
 */
void
cs_function_name_watch (gpointer object, GCallback changed)
{
  static const char *const keys[] = { "template-depth", "show-parameters", "show-namespaces" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *signal = g_strconcat ("changed::", keys[i], NULL);

      g_signal_connect_object (cs_settings_get (), signal, changed, object, G_CONNECT_SWAPPED);
    }
}
