# SPDX-License-Identifier: MIT
"""Prints the compiler's options, one a line: callsight-options.py CALLSIGHT-CLI COMPILER CONFIG SOURCE…

Sources are named as Meson's build names them, from the build folder: compilers match these names.
"""

import os
import shlex
import subprocess
import sys

command, compiler, config, *sources = sys.argv[1:]
build = os.environ["MESON_BUILD_ROOT"]
sources = [os.path.relpath(source, build) for source in sources]
result = subprocess.run([command, "flags", "--config", config, "--format", "raw", "--compiler", compiler, "--", *sources],
                        cwd=build, stdout=subprocess.PIPE, check=False)
if result.returncode != 0:
    sys.exit(1)
for option in shlex.split(os.fsdecode(result.stdout)):
    print(option)
