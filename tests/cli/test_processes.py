# SPDX-License-Identifier: MIT
"""Programs that start programs: each image's calls are its own, and told apart and together."""

import json
import os
import re

import compiled
import recordings as rec
import tap
from tap import Folder, compilers, equal, main, run, test, true

PROGRAMS = os.path.join(tap.TOP, "tests", "cli", "programs")
SHAPES = {"main": [1], "work": [3], "step": [12], "apply": [3], "helper": [3], "twin": [6, 12]}
SHAPES_EVENTS = 80


def build(folder, cc, runtime):
    """launch and shapes, with hooks; with the runtime or, to have it lent, without."""
    objects = [compiled.runtime(cc)] if runtime else []
    for name, sources in (("launch", ("launch.c",)), ("shapes", ("shapes.c", "helper.c"))):
        run(cc, "-O0", "-g", "-finstrument-functions", *[os.path.join(PROGRAMS, s) for s in sources], *objects,
            "-o", os.path.join(folder, name), "-pthread", check=0)


def launch(folder, *arguments):
    """What the program said of pids, and the report, all rows; checks that its parts add up."""
    out = folder + "/report.json"
    result = run(tap.CLI, "run", "--dir", folder + "/traces", "--format", "json", "--top", "0", "--out", out, "--",
                 folder + "/launch", *arguments, check=0)
    with open(out, encoding="utf-8") as file:
        data = json.load(file)
    equal(sum(p["events"] for p in data["processes"]), data["events"], "events of the processes")
    equal(sum(p["self_ns"] for p in data["processes"]), data["self_ns"], "self time of the processes")
    equal(sum(p["threads"] for p in data["processes"]), data["threads"], "threads of the processes")
    equal((data["unmatched_exits"], data["repaired"]), (0, 0), "well-formed")
    true(all(0 < p["span_ms"] <= data["span_ms"] for p in data["processes"]), "spans")
    return {key: int(pid) for key, pid in re.findall(r"^(pid|child) (\d+)$", result.stdout, re.M)}, data


def calls(data, module):
    found = {}
    for row in data["rows"]:
        if row["module"] == module:
            found.setdefault(row["function"], []).append(row["calls"])
    return {name: sorted(counts) for name, counts in found.items()}


@test
def a_child_that_runs_another_program():
    for cc in compilers():
        for runtime in (True, False):
            with Folder() as folder:
                build(folder, cc, runtime)
                for how in ("forkexec", "spawn"):
                    pids, data = launch(folder, how, folder + "/shapes")
                    what = "%s %s, %s runtime" % (cc, how, "linked" if runtime else "lent")
                    equal(calls(data, folder + "/launch"), {"main": [1], "ready": [2]}, what)
                    equal(calls(data, folder + "/shapes"), SHAPES, what)
                    by_pid = {p["pid"]: p for p in data["processes"]}
                    equal(sorted(by_pid), sorted(pids.values()), what + ": pids")
                    parent, child = by_pid[pids["pid"]], by_pid[pids["child"]]
                    equal((parent["exe"], parent["events"]), (folder + "/launch", 6), what + ": the parent")
                    equal((child["exe"], child["events"], child["parent"]),
                          (folder + "/shapes", SHAPES_EVENTS, pids["pid"]), what + ": the child")
                    text = rec.analyze(folder + "/traces").stdout
                    lines = text.partition("== PER PROCESS ==\n")[2].splitlines()[1:]
                    equal(sorted((int(line.split()[0]), int(line.split()[3]), line.split()[-1]) for line in lines),
                          sorted((p["pid"], p["events"], p["exe"]) for p in data["processes"]), what + ": text")


@test
def another_program_in_the_same_process():
    for cc in compilers():
        with Folder() as folder:
            build(folder, cc, True)
            pids, data = launch(folder, "exec", folder + "/shapes")
            # The first image's main never ended.
            equal(calls(data, folder + "/launch"), {"main": [0], "ready": [2]}, cc)
            equal(calls(data, folder + "/shapes"), SHAPES, cc)
            equal([(p["pid"], p["exe"], p["events"]) for p in data["processes"]],
                  [(pids["pid"], folder + "/launch", 5), (pids["pid"], folder + "/shapes", SHAPES_EVENTS)], cc)
            equal(data["pids"], [pids["pid"]], cc + ": pids")


@test
def a_program_that_runs_itself_in_its_place():
    for cc in compilers():
        with Folder() as folder:
            build(folder, cc, True)
            pids, data = launch(folder, "again", "3")
            # 4 + 3 + 2 + 1 calls of ready, of which the last image's main and again end.
            equal(calls(data, folder + "/launch"), {"main": [1], "again": [1], "ready": [10], "last": [1]}, cc)
            equal([(p["pid"], p["exe"], p["events"]) for p in data["processes"]],
                  [(pids["pid"], folder + "/launch", events) for events in (10, 8, 6, 8)], cc)
            starts = [p["start_ns"] for p in data["processes"]]
            equal(starts, sorted(set(starts)), cc + ": in the order of their starts")


@test
def one_process_needs_no_table():
    with Folder() as folder:
        build(folder, "gcc", True)
        run(tap.CLI, "run", "--dir", folder + "/traces", "--", folder + "/shapes", check=0)
        text = rec.analyze(folder + "/traces").stdout
        true("PER THREAD" in text and "PER PROCESS" not in text, text)


@test
def processes_of_summaries():
    with Folder() as folder:
        build(folder, "gcc", True)
        out = folder + "/report.json"
        result = run(tap.CLI, "run", "--mode", "summary", "--dir", folder + "/traces", "--format", "json", "--out", out,
                     "--", folder + "/launch", "spawn", folder + "/shapes", check=0)
        child = int(re.search(r"^child (\d+)$", result.stdout, re.M)[1])
        with open(out, encoding="utf-8") as file:
            by_pid = {p["pid"]: p for p in json.load(file)["processes"]}
        equal((by_pid[child]["events"], by_pid[child]["exe"]), (SHAPES_EVENTS, folder + "/shapes"), "the child")


@test
def a_recording_without_a_process_file():
    with Folder() as folder:
        rec.write(folder, "trace.7.7.0.bin", rec.header(pid=7, t0_ns=5), rec.event(rec.ENTER, 10, 1, tid=7),
                  rec.event(rec.EXIT, 20, 1, tid=7))
        (process,) = rec.report(folder)["processes"]
        equal({key: process[key] for key in ("pid", "parent", "exe", "events", "threads", "self_ns")},
              {"pid": 7, "parent": None, "exe": None, "events": 2, "threads": 1, "self_ns": 10}, "process")


main()
