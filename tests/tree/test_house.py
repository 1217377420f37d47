# SPDX-License-Identifier: MIT
"""Includes point one way, no folders include each other in a circle, and nothing outgrows its subject."""

import os

import house
from tap import TOP, Folder, equal, main, test, true


def tree(folder, files):
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as f:
            f.write(text)


@test
def includes_point_one_way():
    graph, libraries, lost = house.include_graph(TOP)
    true(len(graph) > 40 and len(libraries) > 200, "includes were found")
    equal(house.wrong_arrows(graph, libraries), [], "wrong arrows")
    # config.h and the resources are made by the build.
    equal([l for l in lost if l[1] != "config.h" and not l[1].endswith("-resources.h")], [], "lead nowhere")


@test
def no_circle_of_folders():
    graph, _, _ = house.include_graph(TOP)
    equal(house.cycle(set(graph)), [], "a circle")


@test
def what_is_allowed_has_no_circle():
    rooms = list(house.ARROWS)
    equal(house.cycle({(a, b) for a in rooms for b in rooms if a != b and house.matches(b, house.ARROWS[a])}),
          [], "a circle of what is allowed")


@test
def every_allowed_arrow_is_between_folders_that_exist():
    for folder, to in house.ARROWS.items():
        for path in [folder] + [t for t in to.split() if not t.endswith("*")]:
            true(os.path.isdir(os.path.join(TOP, path)), path)


@test
def nothing_outgrows_its_subject():
    equal(house.too_long(TOP), [], "too long")
    equal(house.vague(TOP), [], "vague names")


@test
def no_argument_is_taken_too_early():
    equal(house.taken_too_early(TOP), [], "taken before they are set")
    with Folder() as folder:
        tree(folder, {"src/a.c": "answer (task, change (path, &error), error);\nf (g (&a), b);\n"
                                 "must (find (&limit,\n  &why),\n  why);\n"})
        equal(house.taken_too_early(folder), [("src/a.c", 1, "error"), ("src/a.c", 4, "why")], "found")


@test
def one_word_for_one_thing():
    equal(house.other_words(TOP), [], "other words")


@test
def another_word_is_seen():
    with Folder() as folder:
        tree(folder, {
            "README.md": "The capture is kept. engine/capture/ may be named so.\n",
            "docs/a.md": "Two trace\nfiles, and a trace file.\n",
            "src/a.c": '#include "capture here.h"\nputs ("capture", "one capture\\n");\n/* capture */\n',
        })
        equal(house.other_words(folder), [("README.md", "capture", "recording"),
                                          ("docs/a.md", "trace file", "event file"),
                                          ("src/a.c", "capture", "recording")], "found")


@test
def a_wrong_arrow_is_seen():
    with Folder() as folder:
        tree(folder, {
            "src/engine/capture/a.c": '#include "profile/p.h"\n#include "b.h"\n',
            "src/engine/capture/b.h": "# include <gtk/gtk.h>\n#include <stdio.h>\n",
            "src/engine/profile/p.h": '#include "capture/b.h"\n#include "nowhere.h"\n',
            "src/cli/main.c": '#include "profile/p.h"\n',
            "src/engine/layout/l.c": '#include "../../app/tables/t.h"\n',
            "src/app/tables/t.h": "",
            "runtime/trace.c": "#include <glib.h>\n",
        })
        graph, libraries, lost = house.include_graph(folder)
        equal(house.wrong_arrows(graph, libraries), [
            "src/engine/capture/a.c includes src/engine/profile/p.h: "
            "src/engine/capture may not know src/engine/profile",
            "src/engine/layout/l.c includes src/app/tables/t.h: src/engine/layout may not know src/app/tables",
            "src/engine/capture/b.h includes <gtk/gtk.h>, which is for src/app*",
            "runtime/trace.c includes <glib.h>: runtime knows no GLib",
        ], "found")
        equal(lost, [("src/engine/profile/p.h", "nowhere.h")], "nowhere")
        equal(house.cycle(set(graph)),
              ["src/engine/capture", "src/engine/profile", "src/engine/capture"], "circle")


@test
def what_is_too_long_is_seen():
    with Folder() as folder:
        tree(folder, {
            "src/a.c": "int\nshort_one (void)\n{\n" + "  ;\n" * 70 + "  return 0;\n}\n",
            "src/b.c": "int\nlong_one (void)\n{\n" + "  ;\n" * 80 + "  return 0;\n}\n",
            "src/c.py": "#\n" * 701,
            "src/d.py": "#\n" * 700,
            "src/cs-file-utils.c": "",
            "tests/cli/programs/helper.c": "",
        })
        equal(house.too_long(folder), ["src/c.py has 701 lines, more than 700",
                                       "src/b.c: long_one() has 84 lines, more than 80"], "too long")
        equal(house.vague(folder), ["src/cs-file-utils.c"], "vague")


if __name__ == "__main__":
    main()
