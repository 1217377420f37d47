# SPDX-License-Identifier: MIT
"""Hooks that interrupt hooks: signal handlers, and what the runtime itself calls."""

from tap import Folder, compilers, equal, main, test, true
from traces import SKIPPED, build, check_order, closing, named, said, trace


def count(thread, table):
    names = [name for name, kind in named(thread, table) if kind == 0]
    return {name: names.count(name) for name in set(names)}


@test
def a_handlers_calls_nest_in_what_they_interrupt():
    for cc in compilers():
        for how in ("plain", "stack"):
            with Folder() as folder:
                program = build(folder, cc, "signals.c", "-O2")
                result, capture = trace(program, how, 1200, folder=folder)
                handled, calls = map(int, said(result, r"handled (\d+) calls (\d+)")[0])
                thread = capture.of()
                equal(thread.markers(SKIPPED), [], "refused hooks")
                equal(dict(capture.counts(thread)), {"handler": handled, "in_handler": handled,
                                                     "outer": calls, "step": calls}, how)
                closing(capture, thread.pid)


@test
def what_no_buffer_holds_is_counted():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "signals.c", "-O2")
            result, capture = trace(program, "deep", 20, folder=folder)
            handled, calls = map(int, said(result, r"handled (\d+) calls (\d+)")[0])
            thread = capture.of()
            check_order(thread, nested=False)
            skipped = sum(e.caller for e in thread.markers(SKIPPED))
            recorded = len(thread.calls())
            equal(recorded + skipped, 2 * (2001 * handled + 2 * calls), "recorded and refused")


@test
def a_handler_that_jumps_out_of_a_hook():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "signals.c", "-O2")
            result, capture = trace(program, "jump", 500, folder=folder)
            handled, calls = map(int, said(result, r"handled (\d+) calls (\d+)")[0])
            thread = capture.of()
            check_order(thread, nested=False)
            counts = count(thread, capture.names(thread))
            # A jump may leave one hook that had not stored its record yet, no more.
            equal(thread.markers(SKIPPED), [], "refused hooks")
            equal((counts["handler"], counts["in_handler"]), (handled, handled), "handlers")
            true(counts["outer"] >= calls, "calls: %r of %d" % (counts, calls))
            closing(capture, thread.pid)


@test
def functions_that_the_runtime_calls_do_not_recurse():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "interpose.c")
            result, capture = trace(program, folder=folder, env={"TRACE_SEG_MB": "64K"})
            thread = capture.of()
            (writes,) = said(result, r"writes (\d+)")
            true(int(writes) > 5, "the program's own functions were called")
            equal(dict(capture.counts(thread)), {"step": 30000}, "calls")
            true(thread.markers(SKIPPED), "no count of what was refused")


if __name__ == "__main__":
    main()
