#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flame graph, timeline, calls and compare: at once, whatever the recording's size, and true to the nanosecond."""

import os
import re
import shutil

from promises import BENCH, SMALL, Folder, Missing, Promise, cases, judges, main, need, numbers, registered, run, tell
import desktop
import tap

first = Promise("the first picture of a recording of 100 M events, 26 threads, flame graph and timeline", "under 1 s")
block = Promise("the longest turn of the main loop while it opens", "at most 50 ms")
steps = Promise("a frame of the timeline over 500 steps of panning and zooming, p99", "under 8 ms of question, layout and snapshot")
drawn = Promise("what a frame draws of timeline and flame graphs, at most", "under 5,000 rectangles and at most 200 labels")
flame = Promise("a frame of a flame graph of a million frames over 500 steps, p99", "under 8 ms")
idle = Promise("processor time at rest", "0: under 5 ms in 2 s")
sums = Promise("Σ widths of the flame graph's roots = Σ inclusive of the threads' roots = the text report", "to the nanosecond")
golden = Promise("layouts and what snapshots draw, by numbers and render nodes", "flame graph, timeline, histogram, difference")
keyboard = Promise("each chart is driven by the keyboard alone, and seen by assistive technology", "flame graph, timeline, calls, compare")
stress = Promise("opening, filtering, closing and opening again while results are under way paints nothing superseded", "300 steps and five windows")
bad = Promise("empty, vast, growing and vanishing recordings are shown, or the view says why not", "every kind of it")


@judges(first, block, steps, drawn, flame, idle)
def large():
    need("Xvfb", "dbus-daemon")
    try:
        place = desktop.Desktop(accessible=False)
    except tap.Skip as skip:
        raise Missing(str(skip)) from skip
    with Folder(0.6) as folder, place:
        tell(run(os.path.join(BENCH, "generate"), folder, "events=" + ("2M" if SMALL else "100M"), "threads=26", "depth=24",
                 "format=packed", quiet=True).stdout)
        frames, turns = [], []
        for view in ("flame-graph", "timeline"):
            shutil.rmtree(place.env["XDG_CACHE_HOME"], ignore_errors=True)
            for how in ("opened for the first time", "opened again"):
                tell("%s, %s" % (view, how))
                text = run(os.path.join(BENCH, "app-open"), folder, view, env=place.env).stdout
                frames.append(numbers(r"^first frame behind these: (\d+) ms", text))
                turns.append(numbers(r"^longest turn of the main loop: (\d+) ms", text))
        first.at_most(max(frames), 1000, "%.0f ms ({} of flame graph and timeline, first and again)".format(", ".join("%.0f" % ms for ms in frames)))
        block.at_most(max(turns), 50, "%.0f ms ({})".format(", ".join("%.0f" % ms for ms in turns)))
        text = run(os.path.join(BENCH, "timeline-frames"), folder, env=place.env).stdout
        frame_us = numbers(r"^main thread, a frame +p50 +[\d.]+ +p99 +([\d.]+)", text)
        take_us = numbers(r"^main thread, an answer +p50 +[\d.]+ +p99 +([\d.]+)", text)
        question = numbers(r"^worker, a question +p50 +([\d.]+) +p99 +([\d.]+)", text)
        steps.at_most((frame_us + take_us) / 1000, 8, "%.2f ms (a worker's question p50 {:.1f}, p99 {:.1f} ms)".format(*question))
        drawn.at_most(numbers(r"^rectangles .* max +([\d.]+)", text), 4999, "timeline %.0f rectangles", timed=False)
        drawn.at_most(numbers(r"^labels .* max +([\d.]+)", text), 200, "%.0f labels", timed=False)
        rests = [numbers(r"^processor time, idle +([\d.]+) ms", text)]
        text = run(os.path.join(BENCH, "flame-frames"), *(["20000"] if SMALL else []), env=place.env).stdout
        counts = [list(map(int, pair)) for pair in re.findall(r"at most (\d+) rectangles and (\d+) labels", text)]
        p99 = [int(us) for us in re.findall(r"^  processor .* p99 +(\d+) ", text, re.MULTILINE)]
        clock = [int(us) for us in re.findall(r"^  clock .* p99 +(\d+) ", text, re.MULTILINE)]
        assert len(counts) == len(p99) == 8, "walks: %d" % len(p99)
        drawn.at_most(max(n for n, _labels in counts), 4999, "flame graphs %.0f rectangles", timed=False)
        drawn.at_most(max(n for _rects, n in counts), 200, "%.0f labels", timed=False)
        flame.at_most(max(p99) / 1000, 8, "%.2f ms of processor time ({:.2f} by the clock)".format(max(clock) / 1000))
        rests += [float(ms) for ms in re.findall(r"at rest for 2 s: ([\d.]+) ms", text)]
        idle.at_most(max(rests), 5, "%.1f ms")


@judges(sums, golden, bad, at_once=True)
def numbers_and_nodes():
    charts = registered("app flame*chart*", "app timeline*", "app label-cache", "app charts*", "app chart-*", "layout *")
    views = registered("app flame-view*", "app calls*", "app compare*")
    sums.tested(views.only("/sum"))
    golden.tested(charts, least=60)
    golden.tested(cases("engine/report/test_flame_export.py"), least=7)
    bad.tested(views, least=50)
    bad.tested(charts.only("empty", "deep", "vanish", "grow", "long", "many", "threads"), least=5)


@judges(keyboard, at_once=True)
def by_keyboard():
    need("Xvfb", "xdotool")
    keyboard.tested(cases("app/test_views.py"), least=3)
    keyboard.tested(cases("app/test_flame.py"), least=1)


@judges(stress, at_once=True)
def under_way():
    stress.tested(registered("app stress"), least=2)
    stress.tested(registered("app session-partial"), least=5)


main(30)
