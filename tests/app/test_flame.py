# SPDX-License-Identifier: MIT
"""The flame graph from outside, with the keyboard alone and as a screen reader is told of it."""

import tempfile

import desktop
import recordings
import tap
from desktop import wait_for
from recordings import ENTER, EXIT, event, header
from tap import equal, test

MAIN, LEAF, OUTER, INNER = 0x1000, 0x2000, 0x3000, 0x4000


def write(folder):
    """main 1,000 ns: leaf 2 × 200, outer 300, and in it inner 100."""
    recordings.write(folder, "trace.1.1.0.bin", header(), event(ENTER, 0, MAIN),
                     *(event(kind, ts, func) for ts, kind, func in (
                         (100, ENTER, LEAF), (300, EXIT, LEAF), (400, ENTER, LEAF), (600, EXIT, LEAF),
                         (650, ENTER, OUTER), (700, ENTER, INNER), (800, EXIT, INNER), (950, EXIT, OUTER))),
                     event(EXIT, 1000, MAIN))


class View:
    """The flame graph's part of the window: to walk over all of it takes long."""

    def __init__(self, app):
        self.app = app
        self.chart = app.find("image", "Icicle graph: 4 frames, 1.00 µs in total")
        self.top = self.chart
        for _ in range(4):
            self.top = self.top.get_parent()

    def find(self, role, name):
        return self.app.find(role, name, top=self.top)

    def wait_for_frame(self, text):
        """What is said of the frame under the cursor."""
        wait_for("%r under the cursor" % text, self.app.retry(lambda: self.chart.get_description() == text))

    def wait_for_path(self, *names):
        """The path's last part is no button."""
        def look():
            return [node.get_name() for node, _ in self.app.walk(self.top)
                    if node.get_role_name() == "label" and node.get_name() in ("all threads", "0x1000", "0x3000")]
        wait_for("the path %r" % (names,), self.app.retry(lambda: look() == list(names)))


@test
def with_the_keyboard():
    place = desktop.shared()
    with tempfile.TemporaryDirectory(prefix="callsight-flame-") as folder:
        write(folder)
        app = place.start(folder)
        app.find("table row")
        place.key("alt+4")
        view = View(app)
        view.find("label", "1.00 µs · 4 frames · 3 deep")
        # From frame to frame: the widest callee is first.
        place.key("Down")
        place.key("Down")
        view.wait_for_frame("0x1000: self 300 ns, inclusive 1.00 µs, 100 % of all")
        place.key("Down")
        view.wait_for_frame("0x2000: self 400 ns, inclusive 400 ns, 40.0 % of all")
        place.key("Right")
        view.wait_for_frame("0x3000: self 200 ns, inclusive 300 ns, 30.0 % of all")
        place.key("Return")
        view.find("label", "300 ns of 1.00 µs (30.0 %) · 4 frames · 3 deep")
        view.wait_for_path("all threads", "0x1000", "0x3000")
        place.key("Escape")
        view.wait_for_path("all threads", "0x1000")
        place.key("alt+Left")
        view.wait_for_path("all threads", "0x1000", "0x3000")
        # A row of the table has the menu of its frame.
        place.key("alt+t")
        view.find("table row", "0x3000: self 200 ns, inclusive 300 ns, 30.0 % of all")
        place.key("shift+F10")
        place.key("h")
        view.find("push button", "Take back: Without 0x3000")
        place.key("alt+shift+Delete")
        place.key("alt+t")
        # Search.
        place.key("ctrl+f")
        place.type("0x4000")
        view.find("label", "10.0 %")
        place.key("F3")
        view.find("label", "1 of 1")
        view.wait_for_frame("0x4000: self 100 ns, inclusive 100 ns, 10.0 % of all")
        # As a table, of what is below the focus.
        place.key("alt+t")
        view.find("table row", "0x4000: self 100 ns, inclusive 100 ns, 10.0 % of all")
        rows = [node.get_name() for node, _ in app.walk(view.top) if node.get_role_name() == "table row"]  # spare ones, too
        equal([name.split(":")[0] for name in rows if name.startswith("0x")], ["0x3000", "0x4000"])
        app.close()


if __name__ == "__main__":
    tap.main()
