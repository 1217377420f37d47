#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Start-up of the desktop app until the first frame, beside other GTK 4 programs.

    PYTHONPATH=tests:tests/app python3 tests/bench/startup.py [ROUNDS] [PROGRAM…]

In turns, each on the same display, with a session bus of its own; medians.
"""

import os
import shutil
import statistics
import subprocess
import sys

import desktop
import tap

FIRST_FRAME = os.path.join(tap.BUILD, "tests", "bench", "first-frame")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    others = sys.argv[2:] or [p for p in ("gnome-text-editor", "gnome-clocks", "gnome-calculator") if shutil.which(p)]
    programs = [desktop.PROGRAM] + others
    times = {program: [] for program in programs}
    memory = {program: [] for program in programs}
    with desktop.Desktop() as place:
        del place.env["G_DEBUG"]
        for i in range(rounds + 1):
            for program in programs:
                result = subprocess.run([FIRST_FRAME, program], env=place.env, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, timeout=90)
                if result.returncode != 0:
                    raise SystemExit("%s: no window" % program)
                if i > 0:  # the first warms the caches
                    ms, mb = map(float, result.stdout.split())
                    times[program].append(ms)
                    memory[program].append(mb)
    print("%-40s %12s %8s %8s %10s" % ("program", "first frame", "least", "ratio", "RSS"))
    ours = statistics.median(times[desktop.PROGRAM])
    for program in programs:
        median = statistics.median(times[program])
        print("%-40s %9.0f ms %5.0f ms %8.2f %7.0f MB" % (os.path.basename(program), median, min(times[program]),
                                                     ours / median, statistics.median(memory[program])))


if __name__ == "__main__":
    main()
