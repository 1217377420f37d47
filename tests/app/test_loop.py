# SPDX-License-Identifier: MIT
"""The way from a folder to a number, from outside, as with a screen reader.

The lab's counts are known from another tool (expected-counts.txt), so the number that
the table shows in the end has to be that one.
"""

import os
import re
import shutil
import tempfile

import desktop
import tap
from desktop import wait_for
from tap import equal, test, true

LAB = os.path.join(tap.TOP, "tests", "workloads", "lab")
CONFIG = "# What I want to see\ninclude src/   # all of it\n"


def expected(function, path):
    with open(os.path.join(LAB, "expected-counts.txt")) as file:
        for line in file:
            words = line.split()
            if words[:2] == [function, path]:
                return int(words[2])
    raise AssertionError("no count of %s" % function)


class Project:
    """A copy of the lab that is built by make alone."""

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix="callsight-loop-")
        self.folder = os.path.join(self.top, "lab")
        shutil.copytree(LAB, self.folder)
        for name in ("CMakeLists.txt", "meson.build", "meson_options.txt"):
            os.unlink(os.path.join(self.folder, name))
        with open(self.path("trace.config"), "w") as file:
            file.write(CONFIG)
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.top, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names)) as file:
            return file.read()


def untick(app, name):
    name = re.compile(r"^Trace %s\b" % re.escape(name))
    app.click("check box", name)
    wait_for("the tick to go", app.retry(lambda: app.find("check box", name).get_name().endswith("not chosen")))


def read_cells(app, function):
    """The texts of a function's row in the table."""
    def look():
        for row, _ in app.walk():
            if row.get_role_name() == "table row":
                texts = [node.get_name() for node, _ in app.walk(row) if node.get_role_name() == "label"]
                if function in texts:
                    return texts
        return None
    return wait_for("the row of %s" % function, app.retry(look))


@test
def from_a_folder_to_a_number():
    place = desktop.shared()
    with Project() as project:
        app = place.start(project.folder)
        # Tick.
        app.find("check box", re.compile("^Trace src/util"))
        place.key("ctrl+f")
        place.type("util")
        wait_for("the filter", lambda: not app.has("check box", re.compile("^Trace src/core")))
        untick(app, "src/util")
        app.press(app.find("push button", re.compile("Save$")))
        wait_for("trace.config", lambda: project.read("trace.config") != CONFIG)
        config = project.read("trace.config")
        true(config.startswith(CONFIG), "the person's lines stay: %r" % config)
        equal(config[len(CONFIG):].split(), ["exclude", "src/util/"])
        # Build: the project isn't adopted yet.
        app.press(app.find("push button", "Build"))
        app.press(app.find("push button", re.compile("Add and Build")))
        app.find("label", re.compile("59 units|of 59"), seconds=120)
        true(os.path.exists(project.path("callsight", "trace.c")), "the runtime is there")
        # Record.
        app.press(app.find("push button", "Record"))
        # While it ran there was a table, too.
        app.find("label", re.compile(r"^\d+ functions"), seconds=60)
        place.key("ctrl+f")
        place.type("arena_take")
        texts = read_cells(app, "arena_take")
        true(str(expected("arena_take", "src/alloc/arena.c")) in texts, "its calls in %r" % texts)
        # What wasn't chosen has no hooks.
        place.key("ctrl+a")
        place.type("src/util/")
        app.find("label", re.compile(r"^0 of \d+"))
        recordings = os.listdir(project.path("callsight", "recordings"))
        equal(len(recordings), 1, "recordings")
        ini = project.read("callsight", "recordings", recordings[0], "recording.ini")
        true("exited with 0" in ini or "status 0" in ini or "exit" in ini, "how it ended: %r" % ini)
        app.close()


@test
def ticks_that_are_not_saved():
    place = desktop.shared()
    with Project() as project:
        app = place.start(project.folder)
        app.find("check box", re.compile("^Trace src/util"))
        # The same folder again comes to the front, in the same window.
        again = place.start(project.folder)
        equal(again.process.wait(30), 0, "exit status")
        equal([node.get_role_name() for node, depth in app.walk() if depth == 1], ["frame"], "windows")
        place.key("ctrl+f")
        place.type("util")
        wait_for("the filter", lambda: not app.has("check box", re.compile("^Trace src/core")))
        untick(app, "src/util")
        # A window that is closed asks; it stays, and then it saves.
        place.key("ctrl+w")
        dialog = app.find("push button", re.compile("Discard$")).get_parent()
        app.press(app.find("push button", re.compile("Cancel$"), top=dialog))
        wait_for("the question to go", lambda: not app.has("push button", re.compile("Discard$")))
        equal(project.read("trace.config"), CONFIG)
        place.key("ctrl+w")
        dialog = app.find("push button", re.compile("Discard$")).get_parent()
        app.press(app.find("push button", re.compile("Save$"), top=dialog))
        equal(app.process.wait(30), 0, "exit status")
        equal(project.read("trace.config")[len(CONFIG):].split(), ["exclude", "src/util/"])
        equal(app.read_errors(), "", "standard error")
        # Or it doesn't.
        app = place.start(project.folder)
        app.find("check box", re.compile("^Trace src/util"))
        place.key("ctrl+f")
        place.type("util")
        wait_for("the filter", lambda: not app.has("check box", re.compile("^Trace src/core")))
        app.click("check box", re.compile("^Trace src/util"))
        wait_for("the tick", app.retry(lambda: not app.find("check box", re.compile("^Trace src/util,")).get_name().endswith("not chosen")))
        before = project.read("trace.config")
        place.key("ctrl+w")
        app.press(app.find("push button", re.compile("Discard$")))
        equal(app.process.wait(30), 0, "exit status")
        equal(project.read("trace.config"), before)
        equal(app.read_errors(), "", "standard error")


if __name__ == "__main__":
    tap.main()
