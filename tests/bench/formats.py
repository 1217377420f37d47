#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""formats.py [SCALE]: how fast callsight-cli writes each format, and with how much memory.

Needs a build in _build (CALLSIGHT_BUILD names another one). Records the lab workload at SCALE
(8: about 290 MB, 4.6 M calls) and writes each report of it to a pipe that is only read, three
rounds in turns; medians. Writing is the time over that of the text report, which reads the
recording once as all do. RSS is at least that of this program, which a process begins with.
"""

import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
CLI = os.path.join(BUILD, "src", "cli", "callsight-cli")
FORMATS = ["text", "json", "csv", "tree", "folded", "callers", "callgrind", "svg", "chrome", "perfetto", "speedscope"]
ROUNDS = 3


def measure(folder, form):
    """Wall seconds, processor seconds, peak RSS in MB, bytes written."""
    before = time.perf_counter()
    process = subprocess.Popen([CLI, "analyze", folder, "--format", form, "--top", "0"], stdout=subprocess.PIPE)
    written = 0
    while True:
        n = len(os.read(process.stdout.fileno(), 1 << 20))
        if n == 0:
            break
        written += n
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: exit status %d" % (form, process.returncode))
    return time.perf_counter() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, written


def main():
    scale = sys.argv[1] if len(sys.argv) > 1 else "8"
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as folder:
        subprocess.run(["make", "-s", "-j2", "-C", os.path.join(TOP, "tests", "workloads", "lab"), "instrument",
                        "BUILDDIR=" + folder + "/build", "BINDIR=" + folder, "RUNTIME=" + os.path.join(TOP, "runtime")],
                       check=True)
        traces = os.path.join(folder, "traces")
        subprocess.run([folder + "/lab.instr", "--scale", scale], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=traces, TRACE_MAX_MB="0"))
        size = sum(os.path.getsize(path) for path in glob.glob(traces + "/*.bin"))
        report = json.loads(subprocess.run([CLI, "analyze", traces, "--format", "json", "--top", "0"], check=True,
                                           stdout=subprocess.PIPE).stdout)
        calls = sum(row["calls"] for row in report["rows"])
        print("%.0f MB, %.2f M calls, %d threads" % (size / 1e6, calls / 1e6, report["threads"]))
        results = {form: [] for form in FORMATS}
        for _ in range(ROUNDS):
            for form in FORMATS:
                results[form].append(measure(traces, form))
        medians = {form: [statistics.median(column) for column in zip(*values)] for form, values in results.items()}
        plain = medians["text"][0]
        print("%-12s %8s %8s %8s %10s %12s %14s %12s %14s" % (
            "", "wall s", "cpu s", "RSS MB", "out MB", "M calls/s", "M calls/cpu s", "writing s", "out MB/s of it"))
        for form, (wall, cpu, rss, written) in medians.items():
            writing = wall - plain
            print("%-12s %8.3f %8.3f %8.1f %10.2f %12.2f %14.2f %12s %14s" % (
                form, wall, cpu, rss, written / 1e6, calls / wall / 1e6, calls / cpu / 1e6, "-" if form == "text" else "%.3f" % writing,
                "%.0f" % (written / writing / 1e6) if writing > 0.05 and written > 1e6 else "-"))


main()
