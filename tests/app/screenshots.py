# SPDX-License-Identifier: MIT
"""See screenshots.sh."""

import os
import re
import subprocess
import sys

import desktop
import tap
from test_loop import Project, untick

STYLES = {
    "light": {},
    "dark": {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"},
    "contrast": {"ADW_DEBUG_HIGH_CONTRAST": "1"},
    "dark-contrast": {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark", "ADW_DEBUG_HIGH_CONTRAST": "1"},
    "narrow": {},
    # GTK's own translation says that its texts run to the left.
    "rtl": {"LC_ALL": "C.UTF-8", "LANGUAGE": "he"},
}


def take_loop(folder):
    """From a folder to a report, step by step."""
    with Project() as project, desktop.Desktop(accessible=True) as place:
        step = 0

        def shot(name):
            nonlocal step
            step += 1
            place.screenshot(os.path.join(folder, "loop-%d-%s.png" % (step, name)))
            print("loop-%d-%s.png" % (step, name), flush=True)

        app = place.start()
        app.find("push button", re.compile("Open Folder"))
        shot("welcome")
        app.kill()
        app = place.start(project.folder)
        app.find("check box", re.compile("^Trace src/util"))
        app.settle()
        shot("select")
        place.key("ctrl+f")
        place.type("util")
        app.settle()
        untick(app, "src/util")
        app.settle()
        shot("ticked")
        app.press(app.find("push button", re.compile("Save$")))
        app.settle()
        app.press(app.find("push button", "Build"))
        app.find("push button", re.compile("Add and Build"))
        app.settle()
        shot("adopt")
        app.press(app.find("push button", re.compile("Add and Build")))
        app.settle(5)
        shot("building")
        app.find("label", re.compile("59 units|of 59"), seconds=180)
        app.settle()
        shot("built")
        app.press(app.find("push button", "Record"))
        app.find("label", re.compile(r"^\d+ functions"), seconds=120)
        app.settle(3)
        shot("report")
        place.key("ctrl+f")
        place.type("sort/")
        app.settle()
        shot("searched")
        app.close()
        recordings = project.path("callsight", "recordings")
        take_views(folder, project.folder, os.path.join(recordings, os.listdir(recordings)[0]))


def take_views(folder, project, recording, only=""):
    """Every view in every style. `only': those whose picture's name has it."""
    for style, env in STYLES.items():
        size = (800, 600) if style == "narrow" else (1280, 800)
        with desktop.Desktop(*size) as place:
            def shot(view):
                place.screenshot(os.path.join(folder, "%s-%s.png" % (style, view)))
                print("%s-%s.png" % (style, view), flush=True)

            for view, arguments, keys in (("welcome", [], []), ("select", [project], ["alt+1"]),
                                          ("record", [project], ["alt+2"]), ("hotspots", [recording], []),
                                          ("flame-graph", [recording], ["alt+4", "Down", "Down"]),
                                          ("timeline", [recording], ["alt+5", "Down", "Down"]),
                                          ("calls", [recording], ["alt+6"]), ("compare", [recording], ["alt+7"]),
                                          ("shortcuts", [], ["ctrl+question"]), ("preferences", [], ["ctrl+comma"])):
                if only not in "%s-%s" % (style, view):
                    continue
                app = place.start(*arguments, **env)
                app.settle(3)
                if style == "narrow":
                    place.resize(*size)
                for key in keys:
                    place.key(key)
                app.settle(3)
                shot(view)
                tap.equal(app.read_errors(), "", "standard error")
                app.kill()


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.environ["CALLSIGHT_BUILD"], "screenshots")
    os.makedirs(folder, exist_ok=True)
    if len(sys.argv) > 2:
        take_views(folder, *sys.argv[2:])
    else:
        take_loop(folder)


if __name__ == "__main__":
    main()
