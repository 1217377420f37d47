# SPDX-License-Identifier: MIT
"""What the benches of the analysis share: where the programs are, and what a run of one costs."""

import os
import statistics
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
CLI = os.path.join(BUILD, "src", "cli", "callsight-cli")
BENCH = os.path.join(BUILD, "tests", "bench")
NAIVE = os.path.join(BENCH, "naive-pass")
ONE_CORE = {min(os.sched_getaffinity(0))}


def measure(argv, cores=None):
    """Runs a program, on these cores alone if told: wall seconds, processor seconds, peak RSS in MB."""
    before = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL,
                               preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: exit status %d" % (argv[0], process.returncode))
    return time.perf_counter() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def in_turns(rows, rounds):
    """Runs {name: (argv, cores)} one after the other, as often as told: {name: medians as of measure ()}."""
    results = {name: [] for name in rows}
    for _ in range(rounds):
        for name, (argv, cores) in rows.items():
            results[name].append(measure(argv, cores))
    return {name: [statistics.median(column) for column in zip(*values)] for name, values in results.items()}
