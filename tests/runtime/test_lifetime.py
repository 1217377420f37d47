# SPDX-License-Identifier: MIT
"""Calls before main, while threads and libraries end, and at the process's end."""

import collections

from tap import Folder, compilers, equal, main, test, true
from traces import MARKER, build, check_order, closing, said, trace


def total(capture, table=None):
    table = table or capture.names(capture.threads[0])
    return dict(sum((capture.counts(t, table) for t in capture.threads), collections.Counter()))


@test
def constructors_destructors_and_thread_data():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "lifetime.c", opt)
                result, capture = trace(program, folder=folder)
                equal(result.stderr, "", "stderr")
                equal(total(capture), {"in_first_constructor": 1, "in_constructor": 1,
                                       "in_atexit": 3, "in_destructor": 2, "in_thread": 3,
                                       "in_key_round": 12}, "calls")
                # What comes in the last round goes on as the same thread.
                equal(len(capture.threads), 4, "threads")
                closing(capture, capture.pids()[0])


@test
def static_and_thread_local_objects_of_cxx():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "statics.cc", opt)
                result, capture = trace(program, folder=folder)
                equal(result.stderr, "", "stderr")
                counts = {name: n for name, n in total(capture).items()
                          if not name.startswith(("_Z", "_GLOBAL", "__"))}
                equal(counts, {"static_made": 3, "static_gone": 3, "local_made": 3,
                               "local_gone": 3, "body": 6}, "calls")


@test
def libraries_begin_earlier_and_end_later():
    for cc in compilers():
        with Folder() as folder:
            library = build(folder, cc, "plugin.c", out="libplugin.so",
                            flags=("-shared", "-fPIC", "-fvisibility=default"))
            program = build(folder, cc, "linked.c", link=(library, "-Wl,-rpath," + folder))
            _, capture = trace(program, folder=folder)
            thread = capture.of()
            section = capture.processes[thread.pid][0]
            (module,) = [m for m in section.modules if m.path == library]
            table = capture.names(thread, extra=[(library, module.bias)])
            equal(dict(capture.counts(thread, table)),
                  {"main": 1, "plugin_loaded": 1, "plugin_work": 1, "plugin_step": 3,
                   "plugin_unloaded": 1}, "calls")
            calls = [table[e.func] for e in thread.calls()]
            equal((calls[0], calls[-1]), ("plugin_loaded", "plugin_unloaded"), "first and last")
            closing(capture, thread.pid)


@test
def threads_that_still_run_at_exit():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "ends.c", "-O2")
            for _ in range(3):
                result, capture = trace(program, "running", folder=folder)
                pid = int(said(result, r"pid (\d+)")[-1])
                own = [t for t in capture.threads if t.pid == pid]
                table = capture.names(own[0])
                equal(len(own), 3, "threads")
                equal(dict(capture.counts(capture.of(pid, pid), table)),
                      {"step": 1, "last_step": 1}, "main")
                others = sorted(len(t.calls()) for t in own if t.tid != pid)
                equal(others[0], 200, "events of the sleeper")
                true(others[1] >= 200, "events of the spinner")
                for thread in own:
                    true(len(check_order(thread)) <= 1, "open calls")
                    true(all(e.func in table for e in thread.calls()), "torn records")
                closing(capture, pid)


@test
def every_way_out_that_runs_exit_handlers():
    for cc in compilers():
        for how in ("quick", "thread-exit", "last-thread"):
            with Folder() as folder:
                program = build(folder, cc, "ends.c")
                result, capture = trace(program, how, folder=folder)
                pid = int(said(result, r"pid (\d+)")[0])
                equal(total(capture), {"step": 1, "last_step": 1}, how)
                closing(capture, pid)


@test
def a_cancelled_thread_leaves_whole_files():
    with Folder() as folder:
        program = build(folder, compilers()[0], "ends.c")
        result, capture = trace(program, "cancel", folder=folder)
        pid = int(said(result, r"pid (\d+)")[0])
        equal(len(capture.threads), 3, "threads")
        for thread in capture.threads:
            equal(check_order(thread), [], "open calls")
            if thread.tid != pid:
                equal(len(thread.calls()) / 2 % 20000, 100.0, "calls of a cancelled thread")
        closing(capture, pid)


if __name__ == "__main__":
    main()
