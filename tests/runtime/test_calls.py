# SPDX-License-Identifier: MIT
"""Every call is recorded once, in its order, on its thread."""

import collections
import os
import stat

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import EXIT, RECORDS, THREAD_START, build, closing, own_pids, said, trace

FIB10 = 177  # calls of fib (10)


def wanted(loops, **more):
    return dict({"work": 1, "top": loops, "middle": 2 * loops, "leaf": 6 * loops, "fib": FIB10},
                **more)


@test
def calls_of_every_thread_with_every_compiler_and_level():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "calls.c", opt)
                result, capture = trace(program, 3, 50, folder=folder)
                equal(result.stderr, "", "stderr")
                pid = int(said(result, r"main (\d+)")[0])
                equal(len(capture.threads), 4, "threads")
                equal(dict(capture.counts(capture.of(pid, pid))), wanted(50, main=1), "main")
                for tid, name in said(result, r"thread (\d+) (\S+)"):
                    thread = capture.of(pid, int(tid))
                    equal(dict(capture.counts(thread)), wanted(50, worker=1), name)
                    equal(thread.files[0].header.first_index, 1, "first index")
                closing(capture, pid)


@test
def call_sites_lie_in_the_caller():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "calls.c", "-O0")
            _, capture = trace(program, 0, 5, folder=folder)
            thread = capture.of()
            table = capture.names(thread)
            starts = sorted(table)
            stack = []
            for event in thread.calls():
                if event.kind == EXIT:
                    stack.pop()
                    continue
                inside = table[max(a for a in starts if a <= event.caller)]
                if stack:
                    equal(inside, stack[-1], "the function of the call site")
                stack.append(table[event.func])


@test
def nothing_is_recorded_unless_enabled():
    with Folder() as folder:
        program = build(folder, compilers()[0], "calls.c")
        for value in (None, "", "0", "no"):
            env = {"TRACE_DIR": folder + "/traces"}
            if value is not None:
                env["TRACE_ENABLE"] = value
            result = run(program, 2, 5, env=env, cwd=folder, check=0)
            equal(result.stderr, "", "stderr")
            equal(sorted(os.listdir(folder)), ["calls"], "files with TRACE_ENABLE=%s" % value)
        run(program, 2, 5, env={"TRACE_ENABLE": "yes", "TRACE_DIR": folder + "/traces"}, check=0)
        true(os.listdir(folder + "/traces"), "files with TRACE_ENABLE=yes")


@test
def files_and_folders_are_the_owners_alone():
    with Folder() as folder:
        program = build(folder, compilers()[0], "calls.c")
        old = os.umask(0)
        try:
            run(program, 2, 5, env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/a/b/c/"}, check=0)
        finally:
            os.umask(old)
        for name in ("a", "a/b", "a/b/c"):
            equal(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode), 0o700, name)
        names = os.listdir(folder + "/a/b/c")
        equal(len(names), 4, "files")
        for name in names:
            equal(stat.S_IMODE(os.stat(os.path.join(folder, "a/b/c", name)).st_mode), 0o600, name)


@test
def segments_go_on_where_the_one_before_ended():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "calls.c")
            result, capture = trace(program, 2, 3000, folder=folder, env=dict(RECORDS, TRACE_SEG_MB="64K"))
            equal(len(capture.threads), 3, "threads")
            for thread in capture.threads:
                true(len(thread.files) > 10, "only %d segments" % len(thread.files))
                equal([f.header.seq for f in thread.files], list(range(len(thread.files))), "seq")
                equal([bool(f.header.flags & THREAD_START) for f in thread.files],
                      [True] + [False] * (len(thread.files) - 1), "start flags")
                true(all(f.size <= 65536 for f in thread.files), "a segment over 64 KiB")
                own = {"main": 1} if thread.tid == thread.pid else {"worker": 1}
                equal(dict(capture.counts(thread)), wanted(3000, **own), "calls")
            equal(len({(f.header.t0_ticks, f.header.t0_ns) for f in capture.files}), 1, "anchors")


@test
def a_name_that_is_taken_is_left_alone():
    with Folder() as folder:
        program = build(folder, compilers()[0], "again.c")
        result, capture = trace(program, 3, folder=folder)
        pid = int(said(result, r"pid (\d+)")[0])
        # Three images in one process: each takes the next number and starts anew.
        threads = [t for t in capture.threads if t.pid == pid]
        equal([t.files[0].header.seq for t in threads], [0, 1, 2, 3], "numbers")
        for thread in threads[:-1]:
            # An exec loses what the buffer holds, so these images flush by filling it.
            true(len(thread.calls()) >= 8192, "calls before an exec")
        equal(dict(capture.counts(threads[-1])), {"main": 1, "step": 5000}, "last image")
        sections = capture.processes[pid]
        equal(len(sections), 4, "sections")
        for section, thread in zip(sections, threads):
            equal(int(section.fields["start-monotonic-ns"]), thread.files[0].header.t0_ns, "t0")
            equal(int(section.fields["pid"]), pid, "pid")


@test
def a_recycled_thread_id_begins_anew():
    with Folder() as folder:
        program = build(folder, compilers()[0], "recycle.c")
        result, capture = trace(program, folder=folder, runner=own_pids())
        if "unable" in result.stdout:
            raise Skip("thread ids cannot be chosen here")
        (tid,) = said(result, r"twice (\d+)")
        threads = [t for t in capture.threads if t.tid == int(tid)]
        equal(len(threads), 2, "threads of one id")
        equal([t.files[0].header.seq for t in threads], [0, 1], "numbers")
        for thread, calls in zip(threads, (3, 4)):
            equal(dict(capture.counts(thread)), {"body": 1, "step": calls}, "calls")
        lines = [t for t in capture.processes[threads[0].pid][0].threads if t[0] == int(tid)]
        equal(lines, [(int(tid), 0, "first"), (int(tid), 1, "second")], "names")


@test
def five_hundred_threads():
    with Folder() as folder:
        program = build(folder, compilers()[0], "calls.c")
        result, capture = trace(program, 500, 3, folder=folder)
        equal(result.stderr, "", "stderr")
        table = capture.names(capture.threads[0])
        total = sum((capture.counts(t, table) for t in capture.threads), collections.Counter())
        equal(dict(total), {"main": 1, "worker": 500, "work": 501, "top": 3 * 501,
                            "middle": 6 * 501, "leaf": 18 * 501, "fib": FIB10 * 501}, "calls")


@test
def the_buffer_is_exactly_full_at_the_end():
    # main, then step: 2 * calls + 2 events; around the buffer's 8,192.
    with Folder() as folder:
        program = build(folder, compilers()[0], "again.c")
        for calls in (4094, 4095, 4096, 8190, 8191, 8192):
            result, capture = trace(program, 0, calls, folder=folder)
            pid = int(said(result, r"pid (\d+)")[0])
            equal(dict(capture.counts(capture.of(pid))), {"main": 1, "step": calls}, "calls")
            closing(capture, pid)


if __name__ == "__main__":
    main()
