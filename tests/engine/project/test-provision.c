/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "project/cs-provision.h"

/* ID and ID_LIKE as distributions' os-release has them, and the program that installs packages there. */
static void
test_install_command (void)
{
  static const struct
  {
    const char *id, *like, *program;
  } cases[] = {
    { "debian", NULL, "apt" },
    { "ubuntu", "debian", "apt" },
    { "linuxmint", "ubuntu debian", "apt" },
    { "fedora", NULL, "dnf" },
    { "rocky", "rhel centos fedora", "dnf" },
    { "arch", NULL, "pacman" },
    { "manjaro", "arch", "pacman" },
    { "opensuse-tumbleweed", "opensuse suse", "zypper" },
    { "alpine", NULL, "apk" },
    { "gentoo", NULL, "emerge" },
    { "void", NULL, "xbps-install" },
    { "nixos", NULL, "nix" },
    { "plan9", "", NULL },
    { "deb", "debi an", NULL },
    { "", "", NULL },
    { NULL, NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *command = cs_provision_get_install_command (cases[i].id, cases[i].like);
      g_auto (GStrv) words = g_strsplit (command != NULL ? command : "", " ", -1);

      g_test_message ("%s, %s", cases[i].id != NULL ? cases[i].id : "(none)", cases[i].like != NULL ? cases[i].like : "(none)");
      if (cases[i].program == NULL)
        g_assert_null (command);
      else
        g_assert_true (g_strv_contains ((const char *const *) words, cases[i].program));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provision/install-command", test_install_command);
  return g_test_run ();
}
