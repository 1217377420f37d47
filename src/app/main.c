/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <locale.h>

#include "cs-application.h"

int
main (int argc, char **argv)
{
  g_autoptr (GApplication) application = NULL;

  setlocale (LC_ALL, "");
  application = G_APPLICATION (cs_application_new ());
  return g_application_run (application, argc, argv);
}
