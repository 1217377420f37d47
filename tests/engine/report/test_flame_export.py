# SPDX-License-Identifier: MIT
"""Flame graphs that are saved as they are shown."""

import os
import xml.etree.ElementTree

import readers
import recordings as rec
import tap
from tap import Folder, equal, main, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "report", "flame-export-tool")
SVG = readers.SVG


def save(folder, name, *words, check=0):
    """Saves it, returns its path and the numbers printed."""
    path = os.path.join(folder, name)
    result = tap.run(TOOL, folder, path, *words, check=check)
    return path, [int(word) for word in result.stdout.splitlines()[-1].split()]


class Frame:
    def __init__(self, group):
        rect, text = group.find(SVG + "rect"), group.find(SVG + "text")
        self.classes = group.get("class").split()
        self.lines = group.find(SVG + "title").text.split("\n")
        self.start, self.time, self.depth = (int(group.get("data-" + name)) for name in "xwd")
        self.x, self.y, self.width = (float(rect.get(name)) for name in ("x", "y", "width"))
        self.label = text.text if text is not None else None
        self.rect = rect
        self.block = self.lines[0].endswith(" narrow frames")


def read(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    return [Frame(group) for group in root.iter(SVG + "g") if group.get("class", "").split()[:1] == ["f"]], root


def folded(path):
    result = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, ns = line.rstrip("\n").rsplit(" ", 1)
            true(stack not in result, "each stack once: " + stack)
            result[stack] = int(ns)
    return result


def check_frames(frames, numbers, width=1200):
    focus, whole, n = numbers
    frames_width = width - 32
    equal((frames[0].start, frames[0].time, frames[0].depth), (0, focus, 0), "the root is as wide as what is shown")
    true(abs(frames[0].x - 16) < 0.01 and abs(frames[0].width - frames_width) < 0.01, "and as wide as the picture")
    open_ = []
    for frame in frames:
        true(abs(frame.x - 16 - frame.start / focus * frames_width) < 0.011, "where it begins")
        true(abs(frame.width - max(0.1, frame.time / focus * frames_width)) < 0.011, "how wide it is")
        # Callers come first and are around what they call; those of a narrow frame may be in a block.
        if frame.time / focus * frames_width >= 1.01 and not frame.block:
            del open_[frame.depth:]
            equal(len(open_), frame.depth, "callers come first")
            true(all(around.start <= frame.start and frame.start + frame.time <= around.start + around.time for around in open_),
                 "and are around it")
            open_.append(frame)
        if frame.label is not None:
            true(len(frame.label) * 7.2 < frame.width, "a label fits")
        elif frame.width > 60:
            raise AssertionError("a wide frame without a label: %s" % frame.lines)
    # A row's frames lie side by side and make up no more than the row above.
    rows = {}
    for frame in frames:
        true(frame.start >= rows.get(frame.depth, 0), "side by side")
        rows[frame.depth] = frame.start + frame.time
    true(len(frames) <= n, "frames")
    return whole


@test
def what_is_drawn_is_the_layout():
    with Folder() as folder:
        readers.random_calls(folder, calls=120)
        paths = rec.folded(folder)
        for words in ((), ("upwards",), ("callers",), ("by-thread",), ("callers", "by-thread"), ("collapse",), ("width=4000",)):
            path, numbers = save(folder, "x.svg", *words)
            frames, root = read(path)
            whole = check_frames(frames, numbers, 4000 if "width=4000" in words else 1200)
            equal(whole, sum(paths.values()), "all of the time")
            # What the first row below the root has is all of it, but for what is too narrow.
            below = sum(frame.time for frame in frames if frame.depth == 1)
            true(whole * 0.99 < below <= whole, "the roots: %d of %d" % (below, whole))
            deepest = max(frame.depth for frame in frames)
            sign = -1 if "upwards" in words else 1
            equal({frame.y - sign * 20 * frame.depth for frame in frames}, {frames[0].y}, "rows")
            true(min(frame.y for frame in frames) > 60 and max(frame.y for frame in frames) + 20 < float(root.get("height")),
                 "on the page: %d rows" % deepest)
            text = "".join(root.itertext())
            true("thread <main> & others" in text and "cut ? short" in text, "what was filtered, and the notice")
            # Names are those of the recording, the time in a title that of the frame.
            for frame in frames[1:]:
                true(frame.block or frame.lines[0].startswith(("0x", "thread, tid ")), frame.lines)


@test
def a_focus_is_as_wide_as_the_picture():
    with Folder() as folder:
        readers.random_calls(folder, calls=120)
        for n in (0, 3, 20):
            path, numbers = save(folder, "x.svg", "focus=%d" % n)
            frames, _root = read(path)
            check_frames(frames, numbers)
            above = [frame for frame in frames if "above" in frame.classes]
            equal([frame.depth for frame in above], list(range(len(above))), "callers of the frame")
            equal({frame.time for frame in above} | {frames[len(above)].time}, {numbers[0]}, "are as wide as it")
            stacks, numbers = save(folder, "x.folded", "focus=%d" % n)
            equal(sum(folded(stacks).values()), numbers[0], "its time in stacks")
            prefix = ";".join(frame.lines[0] for frame in frames[1:len(above) + 1])
            true(all((stack + ";").startswith(prefix + ";") for stack in folded(stacks)), "stacks are whole")


@test
def folded_stacks_are_the_report_s():
    with Folder() as folder:
        readers.random_calls(folder, calls=120)
        for words in ((), ("by-thread",)):
            path, numbers = save(folder, "x.folded", *words)
            equal(folded(path), rec.folded(folder, *["--" + word for word in words]), "stacks")
            equal(sum(folded(path).values()), numbers[1], "their sum")
        path, numbers = save(folder, "x.folded", "callers")
        backwards = {}
        for stack, ns in rec.folded(folder).items():
            backwards[";".join(reversed(stack.split(";")))] = ns
        equal(folded(path), backwards, "bottom-up")
        path, numbers = save(folder, "x.folded", "hide=0x1010")
        equal(sum(folded(path).values()), numbers[1], "with a hidden function")
        true("0x1010" not in ";".join(folded(path)).split(";"), "which isn't there")
        # What callsight-cli reads back.
        rec.analyze(folder, "--format", "folded", "--out", os.path.join(folder, "base.folded"))
        save(folder, "x.folded")
        result = tap.run(os.path.join(tap.BUILD, "src", "cli", "callsight-cli"), "diff",
                         os.path.join(folder, "base.folded"), os.path.join(folder, "x.folded"), check=0)
        true("no" in result.stdout.lower() or "0" in result.stdout, result.stdout)


@test
def what_is_found_stands_out():
    with Folder() as folder:
        readers.random_calls(folder, calls=120)
        path, _numbers = save(folder, "x.svg", "found=0x1020")
        frames, _root = read(path)
        for frame in frames:
            if not frame.block:
                equal("hit" in frame.classes, frame.lines[0] == "0x1020", frame.lines[0])
        true([frame for frame in frames if "hit" in frame.classes], "some do")


@test
def texts_of_any_kind():
    with Folder() as folder:
        readers.random_calls(folder, calls=60)
        path, numbers = save(folder, "x.svg", "own", "title=<a> & \"b\" ]]>")
        frames, root = read(path)
        check_frames(frames, numbers)
        equal(root.find(SVG + "title").text, "<a> & \"b\" ]]>", "title")
        one = [frame for frame in frames if frame.depth == 1 and not frame.block][0]
        true(one.label.startswith("own <") and len(one.label) < 200, one.label)
        true(one.lines[0].endswith("]]>") and one.lines[1] == "second ? line", one.lines)
        equal((one.rect.get("fill"), "#123456" in one.rect.get("style")), ("#abcdef", True), "colours")
        true(os.path.getsize(path) < 2000000, "names are cut")


@test
def many_narrow_frames_are_drawn_together():
    n = 4000
    with Folder() as folder:
        parts = []
        for i in range(n):
            parts += [rec.event(rec.ENTER, 1000 * i, 0x1000 + 16 * i), rec.event(rec.EXIT, 1000 * i + 900, 0x1000 + 16 * i)]
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *parts)
        path, numbers = save(folder, "x.svg")
        frames, root = read(path)
        check_frames(frames, numbers)
        true(len(frames) < 1200, "%d frames" % len(frames))
        shown = sum(int(frame.lines[0].split()[0]) if frame.block else 1 for frame in frames[1:])
        equal(shown, n, "all are in it")
        true("%d frames are too narrow" % sum(int(f.lines[0].split()[0]) for f in frames if f.block) in "".join(root.itertext()),
             "and it says so")
        # A search marks the block that holds what it found.
        frames, _root = read(save(folder, "x.svg", "found=0x%x" % (0x1000 + 16 * 777))[0])
        equal(len([frame for frame in frames if "hit" in frame.classes]), 1, "one block")


@test
def a_deep_stack():
    n = 20000
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *[rec.event(rec.ENTER, i, 0x1000 + i % 3) for i in range(n)],
                  *[rec.event(rec.EXIT, 2 * n - i, 0x1000 + i % 3) for i in range(n - 1, -1, -1)])
        frames, _root = read(save(folder, "x.svg")[0])
        equal(len(frames), n + 1, "a frame a row")


@test
def empty_recordings_and_places_that_can_t_be_written():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(rec.ENTER, 5, 0x1000), rec.event(rec.EXIT, 5, 0x1000))
        frames, _root = read(save(folder, "x.svg")[0])
        true(len(frames) <= 1, "a call of no length")
        equal(folded(save(folder, "x.folded")[0]), {}, "no stacks")
        before = os.path.join(folder, "x.svg")
        with open(before, "rb") as file:
            old = file.read()
        os.symlink("/dev/full", os.path.join(folder, "full.svg"))
        for name in ("full.svg", "nowhere/x.svg", "nowhere/x.folded"):
            result = tap.run(TOOL, folder, os.path.join(folder, name), check=1)
            true(folder in result.stdout, result.stdout)
        with open(before, "rb") as file:
            equal(file.read(), old, "what was there")
        equal(sorted(os.listdir(folder)), sorted(["full.svg", "trace.1.1.0.bin", "x.svg", "x.folded"]), "nothing half-written")


main()
