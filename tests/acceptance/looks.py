#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of the way from a folder to a number and of every view in each look, left in BUILD/screenshots to be looked at.
They take ten minutes, so they are taken by name only."""

import os
import shutil

from promises import BUILD, TESTS, Promise, judges, main, need, run

way = Promise("the way from a folder to a number, as numbered pictures", "eight steps")
views = Promise("every view in light, dark, high contrast (both), narrow and right-to-left", "60 pictures, none empty, nothing printed, dark ones dark")

LOOKS = ("light", "dark", "contrast", "dark-contrast", "narrow", "rtl")
VIEWS = ("welcome", "select", "record", "hotspots", "flame-graph", "timeline", "calls", "compare", "shortcuts", "preferences")


def measured(path):
    """Width, height, colours, mean lightness from 0 to 1."""
    return [float(word) for word in run("identify", "-format", "%w %h %k %[fx:mean]", path, quiet=True).stdout.split()]


@judges(way, views)
def pictures():
    need("Xvfb", "xdotool", "import", "identify")
    folder = os.path.join(BUILD, "screenshots")
    shutil.rmtree(folder, ignore_errors=True)
    run("sh", os.path.join(TESTS, "app", "screenshots.sh"), folder, timeout=1500)
    taken = os.listdir(folder)
    steps = sorted(name for name in taken if name.startswith("loop-"))
    way.holds(len(steps) == 8 and all(measured(os.path.join(folder, name))[2] > 100 for name in steps), "%d pictures" % len(steps))
    wrong, n = [], 0
    for look in LOOKS:
        for view in VIEWS:
            name = "%s-%s.png" % (look, view)
            if name not in taken:
                wrong.append(name + " is missing")
                continue
            n += 1
            width, height, colours, light = measured(os.path.join(folder, name))
            if (width, height) != ((800, 600) if look == "narrow" else (1280, 800)) or colours < 50 or look.startswith("dark") != (light < 0.5):
                wrong.append("%s: %.0f × %.0f, %.0f colours, lightness %.2f" % (name, width, height, colours, light))
    views.holds(not wrong, "%d pictures%s" % (n, ", but " + "; ".join(wrong[:3]) if wrong else ""))


main(30)
