# SPDX-License-Identifier: MIT
"""What recording costs: ns a hook, how much slower functions of four lengths become, and bytes on
disk.  All of one run, as ratios to what the hooks can't do without.  uftrace is measured beside
where it is installed.

Usage: PYTHONPATH=tests python3 tests/bench/runtime.py [RUNS]
"""

import os
import shutil
import statistics
import sys

from tap import RUNTIME, Folder, compilers, run

HERE = os.path.dirname(os.path.abspath(__file__))
CLOCKS = ("tsc", "mono", "raw")
ROUNDS, CALLS = 5, 200000


def medians(rows):
    return [statistics.median(column) for column in zip(*rows)]


def compile_all(folder, cc):
    """Returns the paths of hook-cost, slowdown with hooks and the runtime, with hooks alone, and plain."""
    trace, hooked = os.path.join(folder, "trace.o"), "-finstrument-functions"
    run(cc, "-std=c11", "-O2", "-c", os.path.join(RUNTIME, "trace.c"), "-o", trace, check=0)
    made = []
    for name, source, words in (("hook-cost", "hook-cost.c", (trace,)), ("traced", "slowdown.c", (hooked, trace)),
                                ("hooked", "slowdown.c", (hooked,)), ("plain", "slowdown.c", ())):
        made.append(os.path.join(folder, name))
        run(cc, "-O2", "-D_GNU_SOURCE", os.path.join(HERE, source), *words, "-pthread", "-o", made[-1], check=0)
    return made


def size(folder):
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(folder) for name in names)


def once(program, *arguments, env=None, runner=()):
    """What the program printed, and how many bytes it left."""
    with Folder() as folder:
        traces = os.path.join(folder, "traces")
        words = [traces if word == "TRACES" else word for word in runner]
        result = run(*words, program, *arguments, env=dict(env or {}, TRACE_DIR=traces), check=0)
        return [float(n) for n in result.stdout.split()], size(folder)


def ways():
    """name → (environment, runner, which program)."""
    on = {"TRACE_ENABLE": "1"}
    found = {"off": ({}, (), "traced"),
             "switched off": ({"TRACE_ENABLE": "0", "TRACE_SIGNAL": "USR2"}, (), "traced")}
    for clock in CLOCKS:
        found[clock] = (dict(on, TRACE_CLOCK=clock), (), "traced")
    found["summary"] = (dict(on, TRACE_MODE="summary"), (), "traced")
    if shutil.which("uftrace"):
        found["uftrace"] = ({}, ("uftrace", "record", "--no-libcall", "-d", "TRACES"), "hooked")
    return found


def hooks(cc, program, runs):
    for name, (env, runner, which) in ways().items():
        if which != "traced":
            continue
        bare, hook, empty, mean = medians([once(program, env=env, runner=runner)[0] for _ in range(runs)])
        print("%-6s %-12s %6.2f ns a hook  = %5.2f × counter and 32-byte store (%.2f)   %6.2f with flushes   "
              "an empty call: %.2f" % (cc, name, hook, hook / bare, bare, mean, empty))


def slowdowns(cc, programs, runs):
    """Plain and all others in turns."""
    rows = {name: [] for name in ["plain", *ways()]}
    sizes = {}
    for _ in range(runs):
        for name in rows:
            env, runner, which = ways().get(name, ({}, (), "plain"))
            row, left = once(programs[which], str(ROUNDS), str(CALLS), env=env, runner=runner)
            rows[name].append(row)
            sizes[name] = left
    plain = medians(rows["plain"])
    print("%-6s %-12s %s ns a call" % (cc, "plain", "  ".join("%8.2f" % n for n in plain)))
    for name in ways():
        row = medians(rows[name])
        added = (row[0] - plain[0]) / 2
        print("%-6s %-12s %s × plain   %6.2f ns a hook in the shortest   %5.2f bytes a hook" % (
            cc, name, "  ".join("%8.2f" % (a / b) for a, b in zip(row, plain)), added,
            sizes[name] / (8 * ROUNDS * CALLS)))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for cc in compilers():
        with Folder() as folder:
            cost, traced, hooked, plain = compile_all(folder, cc)
            hooks(cc, cost, runs)
            slowdowns(cc, {"traced": traced, "hooked": hooked, "plain": plain}, runs)


main()
