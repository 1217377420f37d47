# SPDX-License-Identifier: MIT
"""The recording's views from outside: by keyboard alone, and as a screen reader meets them.

The recording is written here, so that each number that is read back is known. The flame graph has a file of its own.
"""

import contextlib
import re
import shutil
import tempfile
import time

import desktop
import recordings
import tap
from desktop import wait_for
from tap import equal, test, true

ENTER, EXIT = 0, 1
MAIN, WORK, LEAF = 0x1000, 0x2000, 0x3000
# `main' takes 1 ms, in it ten of `work', 80 us each, in each of them four of `leaf', 10 us each.
N_WORK, N_LEAF = 10, 4
US = 1000


def write_recording(folder):
    events = [recordings.event(ENTER, 0, MAIN, tid=7)]
    for i in range(N_WORK):
        start = (10 + 100 * i) * US
        events.append(recordings.event(ENTER, start, WORK, tid=7))
        for j in range(N_LEAF):
            events.append(recordings.event(ENTER, start + (5 + 20 * j) * US, LEAF, tid=7))
            events.append(recordings.event(EXIT, start + (15 + 20 * j) * US, LEAF, tid=7))
        events.append(recordings.event(EXIT, start + 80 * US, WORK, tid=7))
    events.append(recordings.event(EXIT, 1000 * US, MAIN, tid=7))
    recordings.write(folder, "trace.7.7.0.bin", recordings.header(), *events)


@contextlib.contextmanager
def opened():
    place = desktop.shared()
    folder = tempfile.mkdtemp(prefix="callsight-charts-")
    try:
        write_recording(folder)
        app = place.start(folder)
        app.find("table row", seconds=60)
        yield app, place
        app.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def description(app, chart):
    return app.find("image", chart).get_description() or ""


def press_until(app, place, chart, key, wanted, most=6):
    """Presses a key until the chart tells what is wanted."""
    seen = []
    for _ in range(most):
        place.key(key)
        time.sleep(0.5)
        seen.append(description(app, chart))
        if re.search(wanted, seen[-1]):
            return seen[-1]
    raise AssertionError("%s does not lead to %r: %r" % (key, wanted, seen))


@test
def timeline():
    """the timeline is walked with the keyboard, and tells each call"""
    with opened() as (app, place):
        place.key("alt+5")
        chart = re.compile("^Timeline")
        app.find("image", chart)
        press_until(app, place, chart, "Down", "0x1000")
        press_until(app, place, chart, "Down", "0x2000")
        told = press_until(app, place, chart, "Right", r"110(\.\d+)? .s|0\.110 ms|110 µs")
        true(re.search(r"80(\.0+)? .s", told), "its duration: %s" % told)
        # The next call of the same function.
        place.key("period")
        app.settle()
        true(re.search(r"210(\.\d+)? .s|0\.210 ms", description(app, chart)), description(app, chart))
        true(app.has("push button", re.compile("Zoom to It")), "what can be done with it")


@test
def hotspots():
    """a click on a title orders the table, one on a row selects it"""
    with opened() as (app, _):
        app.find("label", "3 functions · by Self ▾")
        table = app.find("tree table", "Functions")
        app.click("label", "Function", top=table)
        app.find("label", "3 functions · by Function ▴", seconds=30)
        app.click("label", "Function ▴", top=table)
        app.find("label", "3 functions · by Function ▾", seconds=30)
        app.click("table row", re.compile("^0x1000: "))
        app.find("image", re.compile("^Durations of 0x1000: "), seconds=30)
        equal(app.has("label", "3 functions · by Function ▾"), True, "order")


@test
def calls():
    """the log of calls folds repeated ones into one row"""
    with opened() as (app, place):
        place.key("alt+6")
        app.find("table row", seconds=30)

        def look():
            texts = app.texts()
            return any("0x2000" in text for text in texts) and any(re.search(r"×? ?10\b", text) for text in texts)
        wait_for("ten calls in one row", app.retry(look))


@test
def compare():
    """views without a chart say what to do"""
    with opened() as (app, place):
        place.key("alt+7")
        wait_for("a button", app.retry(lambda: app.has("push button", re.compile("Open Another"))))


if __name__ == "__main__":
    tap.main()
