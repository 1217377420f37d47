# SPDX-License-Identifier: MIT
"""The speedscope format, checked by the rules of its published schema and of its reader."""

import os

import readers
import recordings as rec
from tap import Folder, equal, main, test, true


@test
def calls_are_those_that_were_recorded():
    with Folder() as folder:
        told = readers.random_calls(folder)
        first = min(start for _tid, _name, start, _end, _self in told)
        frames, profiles = readers.speedscope(folder)
        equal({frame["name"] for frame in frames}, {call[1] for call in told}, "frames")
        equal([name for name, _calls in profiles], ["process 1, pid 1, tid %d" % tid for tid in range(1, 6)], "profiles")
        for tid, (_name, calls) in enumerate(profiles, 1):
            equal(calls, [(name, start - first, end - first) for at, name, start, end, _self in told if at == tid],
                  "thread %d" % tid)
        rows = rec.report(folder)["by_name"]
        for name, row in rows.items():
            equal(sum(end - start for _p, calls in profiles for called, start, end in calls if called == name),
                  row["incl_ns"], name)


@test
def repaired_and_open_calls_and_stacks():
    with Folder() as folder:
        told = readers.odd_ends(folder)
        _frames, profiles = readers.speedscope(folder)
        equal([name for name, _calls in profiles], ["process 1, pid 1, tid 1", "thread 1, stack 0x7, process 1, pid 1, tid 1"],
              "a stack has a profile of its own")
        for stack, (_name, calls) in zip((0, 7), profiles):
            equal(calls, [tuple(call[:3]) for at, *call in told if at == stack], "stack %d" % stack)


@test
def threads_that_come_mixed_are_written_one_after_the_other():
    """Far more than fits into their buffers, so that it waits in a file."""
    n, threads = 1500, 40
    with Folder() as folder:
        rec.write(folder, "trace.stream.9.0.bin", rec.header(pid=9),
                  *[rec.event(kind, 100 * i + 50 * kind + tid, 0x1000 + tid, 0, tid)
                    for i in range(n) for kind in (0, 1) for tid in range(1, threads + 1)])
        _frames, profiles = readers.speedscope(folder)
        true(os.path.getsize(folder + "/report.speedscope") > threads * 64 * 1024, "more than the buffers hold")
        equal(len(profiles), threads, "profiles")
        for tid, (name, calls) in enumerate(profiles, 1):
            equal(name, "process 9, pid 9, tid %d" % tid, "name")
            equal(calls, [("0x%x" % (0x1000 + tid), 100 * i + tid - 1, 100 * i + 50 + tid - 1) for i in range(n)], name)
        result = rec.tap.run(rec.tap.CLI, "analyze", folder, "--format", "speedscope", "--out", folder + "/x",
                             env={"TMPDIR": "/nonexistent"}, check=2)
        true("a temporary file can't be written" in result.stderr and "TMPDIR" in result.stderr, result.stderr)
        true(not os.path.exists(folder + "/x"), "nothing half-written")


@test
def nothing_recorded():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header())
        equal(readers.speedscope(folder), ([], []), "no frames, no profiles")
        equal(readers.perfetto(folder)[0], [], "perfetto")
        equal(readers.table(folder), [], "csv")
        equal(len(readers.svg(folder)[0]), 1, "svg has its root")
        readers.write(folder, "callgrind")
        readers.write(folder, "tree")


main()
