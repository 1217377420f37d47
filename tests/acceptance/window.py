#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The desktop app: from a folder to a number, without waiting."""

import os
import re

from promises import BENCH, SMALL, TESTS, Folder, Missing, Promise, bench, cases, judges, lab, main, need, registered, run, tell
import desktop
import tap

loop = Promise("a folder is opened, ticked, built, recorded and a number read off the table, from outside",
               "Callgrind's count; nothing is printed")
startup = Promise("start until the first frame, beside other GTK 4 programs that are installed", "at most 1.3 × each")
scanning = Promise("the longest block of the main loop while a tree of 50,000 files is scanned", "at most 16 ms")
loading = Promise("the longest block of the main loop while 1 GB of recording is read", "at most 50 ms")
trees = Promise("each view has a tree of accessible objects, and what can be pressed or typed into has a name", "eight views, no object without one")
widgets = Promise("each widget works by synthesized input, without a warning", "one test a widget, all of them")
bad = Promise("folders without sources, builds that fail, floods of output, edited configs … are told of", "every kind of it, no warning")

def display():
    need("Xvfb", "dbus-daemon")
    try:
        return desktop.Desktop(accessible=False)
    except tap.Skip as skip:
        raise Missing(str(skip)) from skip


@judges(loop, at_once=True)
def from_a_folder_to_a_number():
    need("Xvfb", "xdotool", "dbus-daemon")
    loop.tested(cases("app/test_loop.py"), least=2)


@judges(startup)
def first_frame():
    need("Xvfb", "dbus-daemon")
    if not os.path.exists(os.path.join(BENCH, "first-frame")):
        raise Missing("first-frame isn't built: it takes libx11-dev")
    text = bench("startup.py", "2" if SMALL else "11", env={"PYTHONPATH": TESTS + ":" + os.path.join(TESTS, "app")})
    rows = re.findall(r"^(\S+) +([\d.]+) ms +[\d.]+ ms +([\d.]+) +[\d.]+ MB", text, re.MULTILINE)
    others = [(name, float(ratio)) for name, _ms, ratio in rows if name != "callsight"]
    if not others:
        raise Missing("no other GTK 4 program is installed (gnome-text-editor, gnome-clocks, gnome-calculator)")
    worst = max(others, key=lambda row: row[1])
    startup.at_most(worst[1], 1.3, "%.2f × ({}; {} ms)".format(", ".join("%s %.2f" % row for row in others),
                                                             next(ms for name, ms, _ratio in rows if name == "callsight")))


def make_tree(folder, files):
    for i in range(files):
        above = os.path.join(folder, "src", "part%02u" % (i // 5000), "group%03u" % (i // 250))
        if i % 250 == 0:
            os.makedirs(above)
        with open(os.path.join(above, "file%05u.c" % i), "w", encoding="ascii") as file:
            file.write("".join("%sint\nwork_%u_%u (int n)\n{\n  return n + %u;\n}\n\n" % ("static " if k % 3 == 0 else "", i, k, k)
                               for k in range(10)))


def blocks(place, path):
    """{phase: [seconds when it ended, longest block, of it work, RSS]} of app-blocks."""
    text = run(os.path.join(BENCH, "app-blocks"), path, env=place.env).stdout
    found = {phase: list(map(float, rest)) for phase, *rest in re.findall(
        r"^(\S+) +([\d.]+) s +longest block +([\d.]+) ms .*? of work +([\d.]+) ms .*RSS ([\d.]+) MB", text, re.MULTILINE)}
    assert {"start", "read", "scroll"} <= set(found), "phases of app-blocks: %s" % ", ".join(found)
    return found


@judges(scanning, loading)
def main_loop():
    with display() as place:
        with Folder(1) as folder:
            make_tree(folder + "/tree", 1000 if SMALL else 50000)
            place.env["XDG_CACHE_HOME"] = folder + "/cache"
            first = blocks(place, folder + "/tree")
        with Folder(1.5) as folder:
            place.env["XDG_CACHE_HOME"] = folder + "/cache"
            tell(run(os.path.join(BENCH, "generate"), folder + "/recording", "events=" + ("1M" if SMALL else "33M"), "threads=26", "depth=24",
                     quiet=True).stdout)
            second = blocks(place, folder + "/recording")
    for promise, limit, found in ((scanning, 16, first), (loading, 50, second)):
        # Opening is a tenth of a second; where it was longer, what was to be read was read in it.
        phases = [phase for phase in ("start", "read", "settle") if phase in found and (phase != "start" or found[phase][0] > 1)]
        longest, work = [max(found[phase][i] for phase in phases) for i in (1, 2)]
        promise.at_most(longest, limit, "%.1f ms ({:.1f} ms of processor; {:.0f} when the window opens, {:.0f} scrolling; {:.0f} MB)".format(
            work, found["start"][1], found["scroll"][1], found["scroll"][3]))


# Roles of what one acts on.
ACTIVE = ("push button", "toggle button", "check box", "radio button", "menu item", "check menu item", "text", "entry", "combo box",
          "spin button", "switch", "slider", "page tab")


@judges(trees, at_once=True)
def accessible():
    need("Xvfb", "xdotool", "dbus-daemon")
    with Folder(1) as folder:
        program = lab(folder)
        run(program, env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, quiet=True)
        run("cp", "-r", os.path.join(TESTS, "workloads", "lab"), folder + "/project")
        run("/usr/bin/python3", "-W", "ignore", os.path.join(TESTS, "app", "trees.py"), folder + "/trees", folder + "/project", folder + "/traces")
        nameless, objects = [], {}
        for name in sorted(os.listdir(folder + "/trees")):
            with open(os.path.join(folder, "trees", name), encoding="utf-8") as file:
                lines = [line.strip() for line in file]
            objects[name[:-4]] = len(lines)
            nameless += ["%s: %s" % (name[:-4], line) for line in lines if line.split(":")[0] in ACTIVE and not line.partition(":")[2].strip()]
        tell("\n".join(sorted(set(nameless))[:40]))
        trees.holds(len(objects) == 8 and min(objects.values()) > 100 and not nameless, "%s objects%s" % (
            ", ".join("%s %d" % item for item in objects.items()),
            "; without a name %d, as %s" % (len(nameless), ", ".join(sorted(set(nameless))[:3])) if nameless else ""))


@judges(widgets, bad, at_once=True)
def every_widget():
    found = registered("app welcome*", "app window*", "app select*", "app record*", "app hotspots*", "app overview*", "app preferences*",
                       "app shortcuts*", "app editor*", "app session*")
    widgets.tested(found, least=100)
    bad.tested(found.only("empty", "fail", "gone", "deleted", "flood", "outside", "unreadable", "vanish", "crash", "missing", "bad", "end",
                          "close", "damaged", "wrong", "nothing", "program"), least=10)


main(30)
