# SPDX-License-Identifier: MIT
"""What assistive technology sees of each view, as text:

    PYTHONPATH=tests:tests/app /usr/bin/python3 tests/app/trees.py FOLDER PROJECT RECORDING

writes a file a view into FOLDER: a line an object, with its role and name.
"""

import os
import sys

import desktop
import tap


def main():
    folder, project, recording = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    views = (("welcome", [], None), ("select", [project], "alt+1"), ("record", [project], "alt+2"),
             ("hotspots", [recording], None), ("flame-graph", [recording], "alt+4"), ("timeline", [recording], "alt+5"),
             ("calls", [recording], "alt+6"), ("compare", [recording], "alt+7"))
    # One bus for all: the bindings stay with the first that they meet.
    with desktop.Desktop(accessible=True) as place:
        for view, arguments, key in views:
            app = place.start(*arguments)
            app.root()
            app.settle(3)
            if key:
                place.key(key)
                app.settle()
            tree = app.tree()
            with open(os.path.join(folder, view + ".txt"), "w") as file:
                file.write(tree + "\n")
            roles = {}
            for line in tree.splitlines():
                role = line.strip().split(":")[0]
                roles[role] = roles.get(role, 0) + 1
            print("%-10s %5d objects: %s" % (view, len(tree.splitlines()), ", ".join(
                "%d %s" % (n, role) for role, n in sorted(roles.items(), key=lambda item: -item[1])[:8])))
            tap.equal(app.read_errors(), "", "standard error")
            app.kill()


if __name__ == "__main__":
    main()
