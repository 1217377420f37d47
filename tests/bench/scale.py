#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scale.py [OPTION]… [EVENTS:THREADS:DEPTH:FUNCTIONS]…: how the analysis grows with a recording.

Needs a build with -Dbench=true in _build (CALLSIGHT_BUILD names another one). Each recording is
made by tests/bench/generate.c, read by tests/bench/naive-pass.c and by `analyze` on one core
and on all, in turns, and removed. Rates are millions of events a second: of the naive pass and
of one core by processor time, of all cores by the clock. Its functions have no symbols, so
none are read. With --index, tests/bench/timeline.c tells of each what its time index costs.

  --set small    recordings of 10 million events (the default)
  --set medium   of 100 million: 3.2 GB
  --set large    of 300 million: 9.6 GB
  --rounds N     how often each is read; medians are printed (3)
  --folder DIR   where the recordings are made (the folder for temporary files)
  --index        opens each with an index of time as well, without a cache of it, and asks it
  --others       runs tests/bench/symbols.py and formats.py as well
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

from measure import BENCH, CLI, NAIVE, ONE_CORE, TOP, in_turns

SHAPES = ("1:5:50", "26:5:50", "500:5:50", "1:2000:50", "26:5:50000", "500:2000:50000")
SETS = {"small": ["10M:" + shape for shape in SHAPES],
        "medium": ["100M:" + shape for shape in ("1:5:50", "26:5:50", "26:5:50000", "500:2000:50000")],
        "large": ["300M:" + shape for shape in ("26:5:50", "500:2000:50000")]}
ROW = "%7s %7s %6s %9s %8s  %7s %9s %6s %9s %9s %8s"


def row(name, folder, rounds):
    values = re.fullmatch(r"(\w+):(\d+):(\d+):(\d+)", name)
    if not values:
        sys.exit("scale.py: %s: not EVENTS:THREADS:DEPTH:FUNCTIONS, as in 10M:26:5:50" % name)
    made = subprocess.run([os.path.join(BENCH, "generate"), folder,
                           *map("=".join, zip(("events", "threads", "depth", "functions"), values.groups()))],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    truth = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", made)}
    files = glob.glob(folder + "/*.bin")
    medians = in_turns({"naive": ([NAIVE, *files], ONE_CORE),
                        "one": ([CLI, "analyze", folder], ONE_CORE),
                        "all": ([CLI, "analyze", folder], None)}, rounds)
    naive, one = medians["naive"][1], medians["one"][1]
    millions = truth["events"] / 1e6
    print(ROW % (*values.groups()[:3], truth["functions"], truth["nodes"], "%.1f" % (millions / naive),
                 "%.1f" % (millions / one), "%.2f" % (naive / one), "%.1f" % (millions / medians["all"][0]),
                 "%.2f" % (medians["one"][0] / medians["all"][0]), "%.0f/%.0f" % (medians["one"][2], medians["all"][2])),
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="small")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder")
    parser.add_argument("--index", action="store_true")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("recordings", nargs="*")
    arguments = parser.parse_args()

    print(ROW % ("events", "threads", "depth", "functions", "nodes", "naive", "one core", "ratio", "all", "speed-up",
                 "RSS MB"))
    for name in arguments.recordings or SETS[arguments.set]:
        with tempfile.TemporaryDirectory(prefix="callsight-bench-", dir=arguments.folder) as folder:
            row(name, folder, arguments.rounds)
            if arguments.index:
                with tempfile.TemporaryDirectory() as cache:
                    subprocess.run([os.path.join(BENCH, "bench-timeline"), folder], check=True,
                                   env=dict(os.environ, XDG_CACHE_HOME=cache))
    for script in ("symbols.py", "formats.py") if arguments.others else ():
        path = os.path.join(TOP, "tests", "bench", script)
        print("\n" + script, flush=True)
        subprocess.run([sys.executable, path], check=True)


main()
