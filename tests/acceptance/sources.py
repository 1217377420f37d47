# SPDX-License-Identifier: MIT
"""Programs that nobody of this project wrote: sources of Debian's packages, fetched by apt-get.

What was fetched stays in the build folder (tests/sources); SOURCES_DIR in the environment names another place, as a
folder filled beforehand on a machine without a network. Nothing of the system's own lists of packages is touched.
"""

import glob
import os
import shutil

from promises import BUILD, Missing, need, run

KEPT = os.environ.get("SOURCES_DIR") or os.path.join(BUILD, "tests", "sources")


def _fetch(package):
    need("apt-get", "dpkg-source")
    targets = run("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages", quiet=True).stdout
    lines = sorted({"deb-src " + line for line in targets.splitlines() if line.endswith(" main")})
    state = os.path.join(KEPT, "apt")
    os.makedirs(os.path.join(state, "lists", "partial"), exist_ok=True)
    with open(os.path.join(state, "sources.list"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    apt = ["apt-get", "-q", "-o", "Dir::Etc::sourcelist=%s/sources.list" % state, "-o", "Dir::Etc::sourceparts=/dev/null",
           "-o", "Dir::State::lists=%s/lists" % state, "-o", "Dir::Cache=%s" % state, "-o", "APT::Sandbox::User=root"]
    if not glob.glob(state + "/lists/*Sources*"):
        run(*apt, "update", quiet=True, timeout=300)
    run(*apt, "source", "--download-only", package, cwd=KEPT, quiet=True, timeout=300)


def unpack(package, folder):
    """The path of a package's sources, unpacked below this folder."""
    def found():
        return sorted(glob.glob(os.path.join(KEPT, package + "_*.dsc")))

    if not found():
        os.makedirs(KEPT, exist_ok=True)
        try:
            _fetch(package)
        except AssertionError as error:
            raise Missing("no sources of %s: %s" % (package, error)) from error
    if not found():
        raise Missing("no sources of %s in %s" % (package, KEPT))
    need("dpkg-source")
    path = os.path.join(folder, package)
    shutil.rmtree(path, ignore_errors=True)
    run("dpkg-source", "--no-check", "-x", found()[-1], path, quiet=True)
    return path
