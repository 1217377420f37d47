# SPDX-License-Identifier: MIT
"""A part of a timeline that is saved as it is shown."""

import os
import xml.etree.ElementTree

import readers
import tap
from tap import Folder, equal, main, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "report", "timeline-export-tool")
SVG = readers.SVG
LEFT, WIDTH = 216, 968


def save(folder, first, end):
    path = os.path.join(folder, "x.svg")
    tap.run(TOOL, folder, path, str(first), str(end), check=0)
    return xml.etree.ElementTree.parse(path).getroot()


def rects(root):
    """[(title, x, y, width, label)]"""
    result = []
    for group in root.iter(SVG + "g"):
        rect = group.find(SVG + "rect")
        if rect is not None:
            text = group.find(SVG + "text")
            result.append((group.find(SVG + "title").text, float(rect.get("x")), float(rect.get("y")), float(rect.get("width")),
                           text.text if text is not None else None))
    return result


@test
def calls_are_where_they_were():
    with Folder() as folder:
        told = readers.random_calls(folder, threads=3, calls=120)
        origin = min(call[2] for call in told)
        last = max(call[3] for call in told) - origin
        for first, end in ((0, last), (last // 3, last // 2), (last // 2, last // 2 + last // 50)):
            root = save(folder, first, end)
            found = rects(root)
            titles = {element.text: float(element.get("y")) for element in root.iter(SVG + "text") if (element.text or "").startswith("thread, tid ")}
            equal(sorted(titles), ["thread, tid 1", "thread, tid 2", "thread, tid 3"], "threads")
            scale = WIDTH / (end - first)
            wanted = 0
            for number, (tid, name, start, stop, _self) in enumerate(told):
                start, stop = start - origin, stop - origin
                x = LEFT + (max(start, first) - first) * scale
                width = (min(stop, end) - max(start, first)) * scale
                if width < 9.5:
                    continue
                wanted += 1
                # Calls end before the ones around them.
                depth = len([1 for other in told[number + 1:]
                             if other[0] == tid and other[2] - origin <= start and other[3] - origin >= stop])
                true([1 for title, at, y, wide, _label in found if title == name and abs(at - x) < 0.02 and abs(wide - width) < 0.03
                      and abs(y - (titles["thread, tid %d" % tid] - 14 + 20 * depth)) < 0.01],
                     "%s of %d at %f, %f wide, row %d" % (name, tid, x, width, depth))
            true(wanted > 3, "calls: %d" % wanted)
            for _title, x, _y, wide, label in found:
                true(LEFT - 0.01 <= x and x + wide <= LEFT + WIDTH + 2.01, "inside")
                true(label is None or len(label) * 7.2 < wide, "a label fits")
            rows = {}
            for title, x, y, wide, _label in sorted(found, key=lambda one: one[1]):
                if title not in ("nothing <recorded>", "stopped"):
                    true(x >= rows.get(y, 0) - 0.02, "side by side")
                    rows[y] = x + wide if wide > 0.1 else x
            true(max(one[2] for one in found) + 20 < float(root.get("height")), "on the page")


@test
def texts_and_the_ruler():
    with Folder() as folder:
        readers.random_calls(folder, threads=2, calls=40)
        root = save(folder, 0, 1000000)
        texts = [element.text for element in root.iter(SVG + "text")]
        equal(texts[0], "time \ufffd & more", "title")
        for text in ("two <threads>", "program <1>", "every second one", "1 ms"):
            true(text in texts, "%s: %s" % (text, texts[:12]))
        true("⚠ cut ? & short" in texts, "notice")
        titles = [float(element.get("y")) - 14 for element in root.iter(SVG + "text") if (element.text or "").startswith("thread, tid ")]
        marks = [one for one in rects(root) if one[0] in ("nothing <recorded>", "stopped")]
        # A bar in the ruler, and a line at each end over every thread; the one of a thread is over that one.
        equal([round(one[1]) for one in marks if one[0] == "nothing <recorded>" and one[2] < titles[0]], [LEFT + WIDTH // 4], "bar")
        equal([round(one[3]) for one in marks if one[0] == "nothing <recorded>" and one[2] < titles[0]], [WIDTH // 4], "its width")
        equal([(round(one[1]), one[2]) for one in marks if one[0] == "nothing <recorded>" and one[2] >= titles[0]],
              [(x, y) for x in (LEFT + WIDTH // 4, LEFT + WIDTH // 2) for y in titles], "lines")
        equal([(one[1], one[2]) for one in marks if one[0] == "stopped" and one[2] >= titles[0]], [(LEFT + WIDTH, titles[1])], "line")
        labels = [element for element in root.iter(SVG + "text") if (element.text or "").endswith(" ms") and element.text != "1 ms"]
        true(len(labels) >= 5, "labels of the ruler: %s" % texts)
        for label in labels:
            true(abs(float(label.get("x")) - 4 - LEFT - float(label.text.split()[0]) * WIDTH) < 0.02, "where its time is")
        true(not list(root.iter(SVG + "script")), "no script")


@test
def a_place_that_can_t_be_written():
    with Folder() as folder:
        readers.random_calls(folder, threads=1, calls=10)
        result = tap.run(TOOL, folder, folder + "/no/x.svg", "0", "1000", check=1)
        true("no/x.svg: can't be written" in result.stdout, result.stdout)


main()
