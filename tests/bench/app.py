#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of the desktop app on a large recording.

    PYTHONPATH=tests:tests/app python3 tests/bench/app.py [RECORDING]

Without a recording one of 100 M events of 26 threads is written first, and removed in the end (300 MB in TMPDIR).
Told are: what opening shows when, without the cache of indices and with it; a walk of 500 pan and zoom steps over the
timeline, and over flame graphs of a million frames: the main thread's work a frame (question, layout and snapshot, not
the renderer), what is painted, and what it costs when nothing is done. Everything on a virtual display, painted by cairo.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import desktop
import tap

BENCH = os.path.join(tap.BUILD, "tests", "bench")
RECORDING = ["events=100M", "threads=26", "depth=24", "format=packed"]


def run(place, title, program, *arguments):
    print("== %s" % title, flush=True)
    result = subprocess.run([os.path.join(BENCH, program), *arguments], env=place.env, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=600)
    print(result.stdout, end="", flush=True)
    if result.returncode != 0:
        raise SystemExit("%s: %s" % (program, result.stderr.strip()[-500:]))


def main():
    made = None
    try:
        if len(sys.argv) > 1:
            recording = sys.argv[1]
        else:
            recording = made = tempfile.mkdtemp(prefix="callsight-bench-")
            print(subprocess.run([os.path.join(BENCH, "generate"), made, *RECORDING], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout.strip())
        with desktop.Desktop(accessible=False) as place:
            for view in ("flame-graph", "timeline"):
                shutil.rmtree(place.env["XDG_CACHE_HOME"], ignore_errors=True)
                run(place, "%s, opened for the first time" % view, "app-open", recording, view)
                run(place, "%s, opened again" % view, "app-open", recording, view)
            run(place, "timeline, 500 steps", "timeline-frames", recording)
            run(place, "flame graph, 500 steps each", "flame-frames")
    finally:
        if made:
            shutil.rmtree(made, ignore_errors=True)


if __name__ == "__main__":
    main()
