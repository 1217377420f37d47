# SPDX-License-Identifier: MIT
"""What a hook costs and leaves, as records and packed, beside a function that reads the counter: for 20
to 50,000 call sites, 3 and 300 calls deep, in 1 and 16 threads; and how much of the lab's run a ring
of 64 MB keeps.

Each row is of runs in turns, medians; ns are of processor time, of the fastest tenth of the bursts. `flushed` is the mean with buffers being written, to
a tmpfs if /dev/shm is one.

Usage: PYTHONPATH=tests python3 tests/bench/hooks.py [RUNS [EVENTS]]
"""

import glob
import json
import os
import statistics
import sys
import tempfile

from measure import CLI, TOP
from tap import RUNTIME, run

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = ("records", "packed")
SHM = "/dev/shm" if os.path.isdir("/dev/shm") else None


def record(form, program, *args, env=None):
    """The words that a program printed, and the bytes of events it left."""
    with tempfile.TemporaryDirectory(prefix="callsight-bench-", dir=SHM) as folder:
        result = run(program, *args, check=0, env=dict(
            {"TRACE_ENABLE": "1", "TRACE_CLOCK": "tsc", "TRACE_FORMAT": form, "TRACE_DIR": folder + "/traces",
             "TRACE_MAX_MB": "0"}, **(env or {})))
        return result.stdout.split(), sum(map(os.path.getsize, glob.glob(folder + "/traces/*.bin")))


def hooks(program, runs, events):
    print("%7s %5s %7s %8s %16s %16s %16s %16s" % (
        "sites", "depth", "threads", "counter", "records", "packed", "packed/counter", "packed/records"))
    print("%31s %8s %8s %7s %8s %7s %8s %8s %8s   bytes" % ("", "hook", "flushed", "hook", "flushed", "", "hook", "flushed", ""))
    for sites in (20, 200, 2000, 50000):
        for depth in (3, 300):
            for threads in (1, 16):
                rows = {form: [] for form in FORMATS}
                for _ in range(runs):
                    for form in FORMATS:
                        words, size = record(form, program, sites, depth, threads, events)
                        rows[form].append([*map(float, words[:3]), size / float(words[3])])
                (bare, old, old_mean, _), (bare2, new, new_mean, size) = [
                    [statistics.median(column) for column in zip(*rows[form])] for form in FORMATS]
                bare = min(bare, bare2)
                print("%7d %5d %7d %8.2f %8.2f %7.2f %8.2f %7.2f %12.2f %10.2f %7.2f %7.2f" % (
                    sites, depth, threads, bare, old, old_mean, new, new_mean, new / bare, new / old,
                    new_mean / old_mean, size), flush=True)


def history(folder):
    """What 64 MB keep of the lab."""
    run("make", "-s", "-j2", "-C", os.path.join(TOP, "tests", "workloads", "lab"), "instrument",
        "BUILDDIR=" + folder + "/build", "BINDIR=" + folder, "RUNTIME=" + RUNTIME, check=0, timeout=600)
    kept = {}
    for form in FORMATS:
        traces = os.path.join(folder, form)
        run(folder + "/lab.instr", "--scale", "60", check=0, timeout=600, env={
            "TRACE_ENABLE": "1", "TRACE_DIR": traces, "TRACE_FORMAT": form, "TRACE_MAX_MB": "64", "TRACE_FULL": "wrap"})
        data = json.loads(run(CLI, "analyze", traces, "--format", "json", "--top", "1", check=0).stdout)
        kept[form] = data["events"]
        size = sum(map(os.path.getsize, glob.glob(traces + "/*.bin")))
        print("lab at scale 60 in 64 MB, wrap, %-8s %6.1f M events kept in %5.1f MB, %5.2f bytes an event" % (
            form + ":", data["events"] / 1e6, size / 1e6, size / data["events"]))
    print("packed keeps %.1f times the history" % (kept["packed"] / kept["records"]))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    events = sys.argv[2] if len(sys.argv) > 2 else "4000000"
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as folder:
        trace, program = folder + "/trace.o", folder + "/hook-sites"
        run("gcc", "-std=c11", "-O2", "-c", os.path.join(RUNTIME, "trace.c"), "-o", trace, check=0)
        run("gcc", "-O2", "-D_GNU_SOURCE", os.path.join(HERE, "hook-sites.c"), trace, "-pthread", "-o", program, check=0)
        hooks(program, runs, events)
        history(folder)


main()
