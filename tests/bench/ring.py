# SPDX-License-Identifier: MIT
"""What recording to a ring costs beside recording to files: how much slower functions of four lengths
become, with a client that takes all from the ring, and with none, so that nearly all is dropped. All of one run,
in turns, as ratios to the same program without hooks.

Usage: PYTHONPATH=tests:tests/runtime python3 tests/bench/ring.py [RUNS]
"""

import os
import statistics
import subprocess
import sys
import time

from rings import SHM, Place, Ring
from tap import RUNTIME, Folder, compilers, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS, CALLS = 5, 200000
WAYS = [(where, form) for form in ("records", "packed") for where in ("files", "ring, taken", "ring, full")]


def compile_all(folder, cc):
    trace = os.path.join(folder, "trace.o")
    run(cc, "-std=c11", "-O2", "-c", os.path.join(RUNTIME, "trace.c"), "-o", trace, check=0)
    made = []
    for name, words in (("traced", ("-finstrument-functions", trace)), ("plain", ())):
        made.append(os.path.join(folder, name))
        run(cc, "-O2", "-D_GNU_SOURCE", os.path.join(HERE, "slowdown.c"), *words, "-pthread", "-o", made[-1], check=0)
    return made


def traced(program, where, form):
    """What it printed, and the part of the events that was dropped."""
    with Place() as place:
        env = place.environ({"TRACE_FORMAT": form, "TRACE_SHM_SIZE": "64K" if where == "ring, full" else "16M"})
        if where == "files":
            del env["TRACE_SHM"]
        environ = dict({k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}, **env)
        ring = None
        with subprocess.Popen([program, str(ROUNDS), str(CALLS)], env=environ, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, cwd=place.folder) as process:
            while process.poll() is None:
                time.sleep(0.002)
                if where != "ring, taken":
                    continue
                try:
                    ring = ring or Ring(place.name)
                    ring.take()
                    ring.taken = b""
                except (OSError, ValueError, AssertionError):
                    ring = None  # it is just being made
            words = process.stdout.read()
        lost = 0
        if where != "files" and os.path.exists(SHM + place.name):
            lost = Ring(place.name).header().dropped
        return [float(n) for n in words.split()], lost / (8 * ROUNDS * CALLS)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for cc in compilers():
        with Folder() as folder:
            program, plain = compile_all(folder, cc)
            rows, lost = {way: [] for way in ["plain", *WAYS]}, {}
            for _ in range(runs):
                rows["plain"].append([float(n) for n in run(plain, str(ROUNDS), str(CALLS), check=0).stdout.split()])
                for way in WAYS:
                    row, lost[way] = traced(program, *way)
                    rows[way].append(row)
            base = [statistics.median(column) for column in zip(*rows["plain"])]
            print("%-6s %-22s %s ns a call" % (cc, "plain", "  ".join("%8.2f" % n for n in base)))
            for way in WAYS:
                row = [statistics.median(column) for column in zip(*rows[way])]
                print("%-6s %-22s %s × plain   %6.2f ns a hook in the shortest   %5.1f %% dropped" % (
                    cc, "%s: %s" % (way[1], way[0]), "  ".join("%8.2f" % (a / b) for a, b in zip(row, base)),
                    (row[0] - base[0]) / 2, 100 * lost[way]))


main()
