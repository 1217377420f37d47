# SPDX-License-Identifier: MIT
"""ns a hook, events, summary and tracing off, as ratios to what was measured in the same run.

Usage: PYTHONPATH=tests python3 tests/bench/runtime.py [RUNS]
"""

import os
import statistics
import sys

from tap import RUNTIME, Folder, compilers, run

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hook-cost.c")


def measure(program, env, runs):
    """Medians over `runs` runs of bare, hook, empty and mean hook, ns."""
    rows = []
    for _ in range(runs):
        with Folder() as folder:
            env = dict(env, TRACE_DIR=os.path.join(folder, "traces"))
            rows.append([float(n) for n in run(program, env=env, check=0).stdout.split()])
    return [statistics.median(column) for column in zip(*rows)]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    for cc in compilers():
        with Folder() as folder:
            program = os.path.join(folder, "hook-cost")
            run(cc, "-std=c11", "-O2", "-c", os.path.join(RUNTIME, "trace.c"), "-o",
                program + ".o", check=0)
            run(cc, "-O2", "-D_GNU_SOURCE", SOURCE, program + ".o", "-pthread", "-o", program,
                check=0)
            for clock in ("auto", "mono"):
                bare, hook, _, mean = measure(program, {"TRACE_ENABLE": "1", "TRACE_CLOCK": clock},
                                              runs)
                print("%-5s on, %s: %.2f ns a hook, %.2f × counter and 32-byte store (%.2f ns); "
                      "%.2f ns with flushes" % (cc, clock, hook, hook / bare, bare, mean))
            bare, hook, _, _ = measure(program, {"TRACE_ENABLE": "1", "TRACE_MODE": "summary"},
                                          runs)
            print("%-5s summary: %.2f ns a hook, %.2f × counter and 32-byte store (%.2f ns)"
                  % (cc, hook, hook / bare, bare))
            for what, env in (("off", {}), ("switched off", {"TRACE_ENABLE": "0",
                                                             "TRACE_SIGNAL": "USR2"})):
                _, hook, empty, _ = measure(program, env, runs)
                print("%-5s %s: %.2f ns a hook, %.2f above an empty call (%.2f ns)"
                      % (cc, what, hook, hook - empty, empty))


main()
