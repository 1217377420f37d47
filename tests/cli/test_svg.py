# SPDX-License-Identifier: MIT
"""The svg format: a flame graph."""

import re

import readers
import recordings as rec
from tap import Folder, equal, main, test, true


def times(paths):
    """Time at and below each path of the folded report."""
    result = {}
    for path, ns in paths.items():
        names = tuple(path.split(";"))
        for depth in range(1, len(names) + 1):
            result[names[:depth]] = result.get(names[:depth], 0) + ns
    return result


@test
def frames_are_the_call_tree():
    with Folder() as folder:
        readers.random_calls(folder, calls=100)
        frames, root = readers.svg(folder, "--top", "0")
        wanted = times(rec.folded(folder))
        shown = {path: ns for path, ns, *_rest in frames[1:]}
        equal({path: ns for path, ns in shown.items() if ns}, wanted, "time of each path")
        equal(frames[0][1], sum(rec.folded(folder).values()), "the root is everything")
        for _path, ns, _x, width, _lines in frames:
            true(abs(width - max(0.1, ns / frames[0][1] * 1168)) < 0.02, "width of %d ns: %f" % (ns, width))
        data = rec.report(folder)["by_name"]
        by_name = {}
        for path, _ns, _x, _width, lines in frames[1:]:
            calls = [int(line.split()[0]) for line in lines if re.fullmatch(r"\d+ calls?", line)]
            by_name[path[-1]] = by_name.get(path[-1], 0) + calls[0]
        equal(by_name, {name: row["calls"] for name, row in data.items()}, "calls")
        true("Not drawn" not in "".join(root.itertext()), "nothing is left out")


@test
def what_is_left_out_is_said():
    with Folder() as folder:
        readers.random_calls(folder)
        every, _root = readers.svg(folder, "--top", "0")
        some, root = readers.svg(folder, "--top", "25")
        equal(len(some), 26, "frames and their root")
        text = "".join(root.itertext())
        true("Not drawn and not searched: %d of %d paths" % (len(every) - 26, len(every) - 1) in text, text[-300:])
        kept = [ns for _path, ns, *_rest in some]
        true(min(kept) >= sorted((ns for _path, ns, *_rest in every), reverse=True)[25], "those with most time")
        share, _root = readers.svg(folder, "--top", "0", "--min-share", "5")
        true(1 < len(share) < len(every), "--min-share")
        true(all(ns >= every[0][1] * 0.05 for _path, ns, *_rest in share), "5 % at least")


@test
def labels_are_there_without_the_script():
    with Folder() as folder:
        readers.random_calls(folder)
        _frames, root = readers.svg(folder)
        for group in root.iter(readers.SVG + "g"):
            if group.get("class") == "f":
                label, rect = group.find(readers.SVG + "text"), group.find(readers.SVG + "rect")
                if float(rect.get("width")) > 60:
                    true(label is not None and label.text, "a wide frame has its name")
                if label is not None:
                    true(len(label.text) * 7.2 < float(rect.get("width")), "and it fits")
        true(not list(root.iter(readers.SVG + "image")) and "http" not in "".join(
            value for element in root.iter() for value in element.attrib.values()), "nothing comes from elsewhere")


main()
