#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""analysis.py [SCALE]: how fast callsight-cli analyze reads, beside a naive pass and cat.

Needs a build with -Dbench=true in _build (CALLSIGHT_BUILD names another one). Records the
lab workload at SCALE (16: about 575 MB) as records and once more packed, and reads the files,
in the page cache, in turns: `cat`, tests/bench/naive-pass.c, and `analyze` on one core and on
all, of the records and of what was packed. Seven rounds;
medians, and ratios to the naive pass. The processor time of analyze includes the symbols;
a row tells what they cost by themselves, on a recording of the same functions at scale 1.
"""

import glob
import os
import subprocess
import sys
import tempfile

from measure import CLI, NAIVE, ONE_CORE, TOP, in_turns

ROUNDS = 7


def main():
    scale = sys.argv[1] if len(sys.argv) > 1 else "16"
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as folder:
        subprocess.run(["make", "-s", "-j2", "-C", os.path.join(TOP, "tests", "workloads", "lab"), "instrument",
                        "BUILDDIR=" + folder + "/build", "BINDIR=" + folder, "RUNTIME=" + os.path.join(TOP, "runtime")],
                       check=True)
        for name, value, form in (("big", scale, "records"), ("small", "1", "records"), ("packed", scale, "packed"),
                                  ("small packed", "1", "packed")):
            subprocess.run([folder + "/lab.instr", "--scale", value], check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=os.path.join(folder, name), TRACE_MAX_MB="0",
                                    TRACE_FORMAT=form))
        files = sorted(glob.glob(folder + "/big/*.bin"))
        size = sum(os.path.getsize(path) for path in files)
        events = (size - 80 * len(files)) // 32
        packed = sum(os.path.getsize(path) for path in glob.glob(folder + "/packed/*.bin"))
        print("%d files, %.0f MB, %.1f M records; packed %.0f MB, %.2f bytes an event" % (
            len(files), size / 1e6, events / 1e6, packed / 1e6, packed / events))

        rows = {"cat": (["cat", *files], ONE_CORE), "naive pass": ([NAIVE, *files], ONE_CORE),
                "analyze, one core": ([CLI, "analyze", folder + "/big"], ONE_CORE),
                "analyze": ([CLI, "analyze", folder + "/big"], None),
                "  symbols alone": ([CLI, "analyze", folder + "/small"], ONE_CORE),
                "packed, one core": ([CLI, "analyze", folder + "/packed"], ONE_CORE),
                "packed": ([CLI, "analyze", folder + "/packed"], None),
                "  symbols alone, packed": ([CLI, "analyze", folder + "/small packed"], ONE_CORE)}
        medians = in_turns(rows, ROUNDS)
        naive = medians["naive pass"]
        print("%-20s %8s %8s %10s %14s %12s" % ("", "wall s", "cpu s", "RSS MB", "M records/s", "naive = 1"))
        for name, (wall, cpu, rss) in medians.items():
            if name.startswith(" "):
                print("%-20s %8.3f %8.3f %10.1f" % (name, wall, cpu, rss))
            else:
                print("%-20s %8.3f %8.3f %10.1f %14.1f %12.2f" % (name, wall, cpu, rss, events / wall / 1e6, naive[0] / wall))
        for name, row, small in (("analyze", "analyze, one core", "  symbols alone"),
                                 ("packed", "packed, one core", "  symbols alone, packed")):
            cpu, symbols = medians[row][1], medians[small][1]
            print("a core, by processor time: naive %.1f, %s %.1f (%.2f), without symbols %.1f (%.2f) M records/s" % (
                events / naive[1] / 1e6, name, events / cpu / 1e6, naive[1] / cpu, events / (cpu - symbols) / 1e6,
                naive[1] / (cpu - symbols)))


main()
