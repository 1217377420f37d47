# SPDX-License-Identifier: MIT
"""Children of every kind: each process's calls are in its own files, once."""

import os
import time

from tap import Folder, Skip, compilers, equal, main, test, true
from traces import build, check_order, closing, said, symbols, tails_are_safe, trace


def parts(result):
    return [[int(p) for p in said(result, word + r" (\d+)")]
            for word in ("parent", "child", "grandchild")]


def child_calls(capture, pid):
    """A child's calls by function, its open `forking' frame left out."""
    thread = capture.of(pid, pid)
    table = capture.names(thread)
    check_order(thread, nested=False)
    names = [table[e.func] for e in thread.calls()]
    # It returns from a call that its parent made: one exit without an enter.
    equal(names[0], "forking", "the first event of the child")
    equal([e.kind for e in thread.calls()][0], 1, "its kind")
    return {name: names.count(name) // 2 for name in set(names) - {"forking"}}


@test
def children_of_fork_and_of_a_bare_clone():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "forks.c", "-O2")
            for how in ("plain", "raw"):
                result, capture = trace(program, how, folder=folder)
                equal(result.stderr, "", "stderr")
                (parent,), children, _ = parts(result)
                equal(dict(capture.counts(capture.of(parent))),
                      {"in_parent": 10000, "forking": 2}, how + ": parent")
                closing(capture, parent)
                for pid in children:
                    equal(child_calls(capture, pid), {"in_child": 5000}, how + ": child")
                    other = [t for t in capture.threads if t.pid == pid and t.tid != pid]
                    equal(len(other), 1, how + ": threads of the child")
                    equal(dict(capture.counts(other[0])), {"in_thread": 50}, "its thread")
                    closing(capture, pid)
                    (section,) = capture.processes[pid]
                    equal(int(section.fields["parent"]), parent, "parent line")
                    equal(section.fields["exe"], program, "exe line")
                    equal(int(section.fields["start-monotonic-ns"]),
                          capture.of(pid, pid).files[0].header.t0_ns, "t0")
                    equal([m.path for m in section.modules][0], program, "first module")
                    equal({m[1:] for m in section.modules},
                          {m[1:] for m in capture.processes[parent][0].modules}, "modules")


@test
def grandchildren():
    with Folder() as folder:
        program = build(folder, compilers()[0], "forks.c")
        result, capture = trace(program, "deep", folder=folder)
        (parent,), children, grandchildren = parts(result)
        equal(dict(capture.counts(capture.of(parent))), {"in_parent": 10000, "forking": 2},
              "parent")
        equal(len(grandchildren), 2, "grandchildren")
        for pid, above in zip(grandchildren, children):
            equal(dict(capture.counts(capture.of(pid))), {"in_grandchild": 7}, "grandchild")
            equal(int(capture.processes[pid][0].fields["parent"]), above, "parent line")
        for pid in children:
            equal(child_calls(capture, pid), {"in_child": 5000}, "child")


@test
def children_of_a_process_with_busy_threads():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "forks.c", "-O2")
            result, capture = trace(program, "threaded", folder=folder,
                                    env={"TRACE_SEG_MB": "1"})
            equal(result.stderr, "", "stderr")
            (parent,), children, _ = parts(result)
            equal(len(children), 10, "children")
            equal(dict(capture.counts(capture.of(parent, parent))),
                  {"in_parent": 10000, "forking": 10}, "parent")
            table = capture.names(capture.of(parent, parent))
            for thread in capture.threads:
                if thread.pid == parent and thread.tid != parent:
                    # Millions of events: the order within one file is enough.
                    part = thread.files[-1]
                    calls = [e for e in part.events if e.kind < 2]
                    equal({table[e.func] for e in calls}, {"in_thread"}, "calls of a thread")
                    equal([f.header.seq for f in thread.files], list(range(len(thread.files))),
                          "segments of a thread")
                    index = 1
                    for part in thread.files:
                        equal(part.header.first_index, index, "first index")
                        index += sum(e.kind < 2 for e in part.events)
            for pid in children:
                equal(child_calls(capture, pid), {"in_child": 5000}, "child")
                true(len(capture.processes[pid][0].modules) >= 2, "modules of the child")
                closing(capture, pid)


@test
def forks_in_a_signal_handler():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "forksignal.c", "-O2")
            result, capture = trace(program, folder=folder)
            equal(result.stderr, "", "stderr")
            ((parent, calls),) = said(result, r"parent (\d+) calls (\d+)")
            thread = capture.of(int(parent))
            equal(dict(capture.counts(thread)), {"in_parent": int(calls)}, "parent")
            equal(len(capture.pids()), 61, "processes")
            table = capture.names(thread)
            for thread in capture.threads:
                if thread.pid == int(parent):
                    continue
                check_order(thread, nested=False)
                names = [table[e.func] for e in thread.calls()]
                # What the signal interrupted is finished first: two hooks at most.
                true(len(names) in (10, 11, 12) and names[-10:] == ["in_child"] * 10,
                     "child: %r" % names)
                closing(capture, thread.pid)


@test
def a_child_that_only_execs_leaves_nothing():
    with Folder() as folder:
        program = build(folder, compilers()[0], "forks.c")
        result, capture = trace(program, "exec", folder=folder)
        (parent,), _, _ = parts(result)
        equal(sorted(os.listdir(folder + "/traces")),
              ["trace.%d.%d.0.bin" % (parent, parent), "trace.%d.process" % parent], "files")
        equal(dict(capture.counts(capture.of())), {"in_parent": 10000}, "calls")


@test
def a_child_of_vfork_runs_in_its_parents_memory():
    with Folder() as folder:
        program = build(folder, compilers()[0], "forks.c")
        result, capture = trace(program, "vfork", folder=folder)
        (parent,), _, _ = parts(result)
        equal(dict(capture.counts(capture.of(parent))), {"in_parent": 10000, "in_child": 2},
              "calls")
        equal(len(capture.processes), 1, "processes")


@test
def a_daemons_own_files_stay_clean():
    if not tails_are_safe():
        raise Skip("this file system keeps no reserved space")
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "daemon.c")
            log, done = folder + "/daemon.log", folder + "/done"
            result, capture = trace(program, log, done, folder=folder)
            with open(log, encoding="ascii") as stream:
                equal(stream.read(), "line\n" * 20, "the daemon's log")
            with open(done, encoding="ascii") as stream:
                pid = int(stream.read())
            for _ in range(200):  # its last flush comes after the sign that it is done
                thread = capture.of(pid)
                if thread.events[-1].kind == 2:
                    break
                time.sleep(0.02)
                capture = type(capture)(capture.folder, program)
            equal(dict(capture.counts(thread)), {"step": 4500 * 22}, "calls of the daemon")
            counts = sorted(capture.counts(t)["step"] for t in capture.threads if t.pid != pid)
            # The one in the middle leaves with _exit: what it had not written is in its tail.
            equal(counts, [4500, 4500], "calls of the two others")


@test
def a_kernel_that_wipes_nothing_is_told_of():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "oldkernel.c")
            result, capture = trace(program, folder=folder)
            equal(result.stderr.count("cannot wipe memory in a child"), 1, result.stderr)
            equal(sorted(len(thread.calls()) for thread in capture.threads), [4, 4], "each its own")


if __name__ == "__main__":
    main()
