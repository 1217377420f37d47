/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <locale.h>

#include "shared/cs-settings.h"
#include "window/cs-application.h"

int
main (int argc, char **argv)
{
  g_autoptr (GApplication) application = NULL;

  setlocale (LC_ALL, "");
  if (cs_settings_get () == NULL)
    {
      g_printerr ("callsight: the settings schema %s isn't installed — install Callsight completely, or name the folder "
                  "of its schema in GSETTINGS_SCHEMA_DIR\n", CS_SETTINGS_ID);
      return 1;
    }
  application = G_APPLICATION (cs_application_new ());
  return g_application_run (application, argc, argv);
}
