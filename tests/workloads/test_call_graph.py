#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The call graph of the lab, as gcc sees it, and the calls that only a recording tells of."""

import glob
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import CLI, Folder, Skip, equal, run, test, true

from lab_build import LAB, make, record

TOOL = os.path.join(tap.BUILD, "tests", "engine", "selection", "graph-tool")
NODE = re.compile(r'node: \{ title: "((?:[^"\\]|\\.)*)" label: "((?:[^"\\]|\\.)*)"( shape : ellipse)? \}')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')


def gcc_graph():
    """What gcc calls from what, nothing inlined: ({(caller, callee)}, {callers of a pointer or of a library}).

    A function is (file, line)."""
    if not shutil.which("gcc"):
        raise Skip("gcc is not installed")
    everywhere, calls, edges, elsewhere = {}, [], set(), set()
    with Folder() as folder:
        for number, path in enumerate(sorted(glob.glob(LAB + "/src/**/*.c", recursive=True))):
            name = os.path.join(folder, str(number))
            run("gcc", "-std=gnu11", "-O0", "-fno-builtin", "-fcallgraph-info", "-I" + LAB + "/src", "-c", path, "-o", name + ".o", check=0)
            with open(name + ".ci", encoding="utf-8") as file:
                text = file.read()
            own = {}
            for title, label, declared in NODE.findall(text):
                if not declared:
                    place, line, _column = label.split("\\n")[-1].rsplit(":", 2)
                    own[title] = (os.path.relpath(place, LAB), int(line))
                    everywhere.setdefault(title, own[title])
            calls += [(own[caller], own.get(callee), callee) for caller, callee in EDGE.findall(text)]
    for caller, callee, title in calls:
        callee = callee or everywhere.get(title)
        if callee:
            edges.add((caller, callee))
        else:
            elsewhere.add(caller)
    return edges, elsewhere


def text_graph(how):
    """The same edges as the text of the sources tells them: {(caller, callee): (name, name)}."""
    lines = run(TOOL, LAB, how, check=0).stdout.splitlines()
    parts = [line.split("\t") for line in lines]
    return {((p[0], int(p[1])), (p[3], int(p[4]))): (p[2], p[5]) for p in parts}


@test
def the_text_tells_what_gcc_calls():
    """All direct calls and no others, whichever scan found the functions."""
    edges, _elsewhere = gcc_graph()
    true(len(edges) > 300, "gcc sees %d calls" % len(edges))
    for how in ["built-in"] + (["ctags"] if shutil.which("ctags") else []):
        found = set(text_graph(how))
        equal(sorted(edges - found), [], how + ": not seen")
        equal(sorted(found - edges), [], how + ": not there")


def recorded_pairs(folder):
    """{(caller, callee)} by name, of the calls in a recording."""
    pairs = set()
    for line in run(CLI, "analyze", folder, "--format", "folded", check=0).stdout.splitlines():
        frames = [re.sub(r" \(.*\)$", "", frame) for frame in line.rsplit(" ", 1)[0].split(";")]
        pairs.update(zip(frames[1:], frames[2:]))
    return pairs


@test
def a_recording_adds_calls_through_pointers_alone():
    """What was recorded and isn't in the text is a call by a function that calls through a pointer or calls a library."""
    edges, elsewhere = gcc_graph()
    found = text_graph("built-in")
    known = set(found.values())
    names = {place: name for edge, pair in found.items() for place, name in zip(edge, pair)}
    callers = {names.get(place) for place in elsewhere}
    with Folder() as folder:
        make(folder, "CFLAGS=-O0 -g", "instrument", cc="gcc")
        record(folder + "/bin/lab.instr", folder + "/traces")
        pairs = recorded_pairs(folder + "/traces")
        true(len(pairs & known) > 200, "%d of %d recorded calls are known" % (len(pairs & known), len(pairs)))
        new = pairs - known
        true(new, "no call went through a pointer")
        equal(sorted(pair for pair in new if pair[0] not in callers), [], "calls that the text should have told")
        for caller, callee in sorted(new)[:6]:
            told = json.loads(run(CLI, "select", LAB, "-f", caller, "-d", "1", "--observed", folder + "/traces", "--format", "json",
                                  check=0).stdout)
            true(callee in {f["name"] for f in told["subtrees"][0]["functions"]}, "%s doesn't reach %s" % (caller, callee))
            equal(told["observed"]["functions_missing"], 0, "functions that aren't in the sources")


if __name__ == "__main__":
    tap.main()
