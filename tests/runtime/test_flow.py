# SPDX-License-Identifier: MIT
"""Ways out of functions, and switches of the stack, that call no exit hook."""

import collections
import os
import shutil

import compiled
import recordings as rec
from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import ENTER, PROGRAMS, SKIPPED, build, check_order, named, said, trace

DEPTH, JUMPED, CONTEXT = 264, 266, 260


def calls(data):
    return {name: row["calls"] for name, row in data["by_name"].items()}


def entered(thread, table):
    return collections.Counter(name for name, kind in named(thread, table) if kind == ENTER)


def paths(folder):
    return {path for path in rec.folded(folder)}


def jumps(folder, cc, opt, *args, link=(), flags=()):
    """Records the program; returns its result, the capture and the report of it."""
    program = build(folder, cc, "jumps.c", opt, link=link, flags=flags)
    result, capture = trace(program, *args, folder=folder)
    return result, capture, rec.report(capture.folder)


@test
def a_jump_out_of_more_calls_than_are_noted():
    for cc in compilers():
        for depth in (10, 70000):
            with Folder() as folder:
                _, capture, data = jumps(folder, cc, "-O1", "deep", depth)
                equal(calls(data), {"deep": 1, "down": 3 * (depth + 1), "leaf": 3}, "calls")
                equal((data["unmatched_exits"], data["unclosed_enters"], data["repaired"]),
                      (0, 0, 3 * (depth + 1)), "ends")
                told = [e.caller for e in capture.of().markers(DEPTH)]
                equal(told, [depth + 2, 1] * 3, "open calls before and behind each landing")
                equal(len(capture.of().markers(JUMPED)), 3, "landings")


@test
def a_jump_out_of_an_inlined_function_more_often_than_calls_are_noted():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                _, capture, data = jumps(folder, cc, opt, "loop", 150000)
                equal(calls(data), {"loop": 1, "thrower": 150000, "leaf": 1}, "calls")
                equal(paths(capture.folder), {"loop", "loop;thrower", "loop;leaf"}, "tree")
                equal(data["unmatched_exits"], 0, "unmatched")


@test
def stacks_that_are_left_by_a_jump():
    for cc in compilers():
        for link in ((), ("-static",)):
            with Folder() as folder:
                _, capture, data = jumps(folder, cc, "-O2", "hop", 50, link=link)
                equal(calls(data), {"hop": 1, "visit": 50, "guest": 0, "far": 49, "leaf": 149},
                      "calls")
                equal(paths(capture.folder), {"hop", "hop;visit", "hop;visit;leaf", "guest",
                                              "guest;far", "guest;far;leaf"}, "tree")
                switches = [e.caller for e in capture.of().markers(CONTEXT)]
                equal(switches, [1, 0] * 50, "switches")


@test
def stacks_that_a_timer_switches_between():
    for cc in compilers():
        with Folder() as folder:
            result, capture, data = jumps(folder, cc, "-O2", "contexts", 0)
            switches, made = map(int, said(result, r"switches (\d+) calls (\d+)")[0])
            thread = capture.of()
            skipped = sum(e.caller for e in thread.markers(SKIPPED))
            hooks = len(thread.calls()) + skipped
            # The other stacks are left where they are, perhaps in a call or a hook.
            true(4 * made <= hooks <= 4 * made + 2 * 4, "%d hooks, %d refused, of %d calls" %
                 (hooks, skipped, 2 * made))
            # Where a hook was interrupted, what happens before its stack goes on is refused.
            true(0 < len(thread.markers(CONTEXT)) <= switches + 2, "switches that were seen")
            true(any("were not recorded" in notice for notice in data["notices"]) == (skipped > 0),
                 "a notice of what was refused")


@test
def stacks_that_are_switched_between_within_hooks():
    if os.uname().machine != "x86_64":
        raise Skip("the program steps through x86-64 instructions")
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "steps.c", "-O2", link=("-Wl,-z,now",))
            for seed, how in ((1, "packed"), (2, "packed"), (1, "records"), (4, "records")):
                shutil.rmtree(folder + "/traces", ignore_errors=True)
                result, capture = trace(program, "between", 500, seed, 20, folder=folder, env={"TRACE_FORMAT": how})
                what = "%s %s, seed %d" % (cc, how, seed)
                pid, made = map(int, said(result, r"process (\d+) calls (\d+)")[0])
                parent = capture.of(pid)
                check_order(parent, nested=False)
                skipped = sum(e.caller for e in parent.markers(SKIPPED))
                equal(len(parent.calls()) + skipped, 4 * made + 2, what + ": hooks")
                table = capture.names(parent)
                recorded = entered(parent, table)
                true(recorded["step"] > 30 and skipped > 50, what + ": %r" % recorded)
                equal(recorded["after"], 1, what + ": what comes behind them all")
                # Each child forgets what was half done in its parent.
                equal([entered(t, table) for t in capture.threads if t is not parent], [{"after": 1}] * 25,
                      what + ": children")


@test
def stacks_that_are_left_for_good_within_hooks():
    if os.uname().machine != "x86_64":
        raise Skip("the program steps through x86-64 instructions")
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "steps.c", "-O2", link=("-Wl,-z,now",))
            for how in ("packed", "records"):
                shutil.rmtree(folder + "/traces", ignore_errors=True)
                _, capture = trace(program, "away", 140, folder=folder, env={"TRACE_FORMAT": how})
                thread = capture.of()
                recorded = entered(thread, capture.names(thread))
                equal(recorded["after"], 140, "%s %s: on stacks in the same memory" % (cc, how))
                true(recorded["step"] > 150, "%s %s: what was left: %r" % (cc, how, recorded))
                true("after" in paths(capture.folder), "%s %s: tree" % (cc, how))


@test
def stacks_that_a_program_makes_and_leaves():
    wanted = {
        "coroutines": {"coroutines", "coroutines;leaf", "one", "one;leaf", "two", "two;leaf"},
        "remade": {"remade", "remade;leaf", "first", "first;leaf", "second", "second;leaf"},
        "set": {"set", "set;leaf", "third", "third;leaf"},
        "given": {"thread_of", "thread_of;work", "thread_of;work;jumper", "thread_of;work;jumper;leaf",
                  "thread_of;work;leaf", "thread_of;leaf", "second", "second;leaf"},
        "vfork": {"drive", "drive;leaf", "outer", "outer;inner", "outer;inner;leaf"},
    }
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "stacks.c", opt)
                for mode, tree in wanted.items():
                    shutil.rmtree(folder + "/traces", ignore_errors=True)
                    _, capture = trace(program, mode, folder=folder)
                    equal(paths(capture.folder), tree, "%s %s %s" % (cc, opt, mode))
                    equal(rec.report(capture.folder)["unmatched_exits"], 0, mode)


@test
def sums_have_the_same_calls():
    for cc in compilers():
        for program, modes in (("stacks.c", ("coroutines", "remade", "set", "given", "vfork", "abandoned")),
                               ("jumps.c", ("deep", "loop", "hop")), ("crowd.cc", (20000,))):
            with Folder() as folder:
                built = build(folder, cc, program, "-O2")
                for mode in modes:
                    told = []
                    for how in ("events", "summary"):
                        shutil.rmtree(folder + "/traces", ignore_errors=True)
                        trace(built, mode, 30, folder=folder, env={"TRACE_MODE": how})
                        rows = rec.report(folder + "/traces")["rows"]
                        told.append({row["function"]: row["calls"] + (row.get("open") or 0) for row in rows})
                    equal(told[1], told[0], "%s %s %s" % (cc, program, mode))


@test
def calls_on_a_stack_that_was_left_end_when_recording_is_switched_off():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "stacks.c", "-O2")
            for how in ("events", "summary"):
                shutil.rmtree(folder + "/traces", ignore_errors=True)
                trace(program, "switched", folder=folder, env={"TRACE_MODE": how, "TRACE_SIGNAL": "USR2"})
                rows = rec.report(folder + "/traces")["by_name"]
                equal({name: row["calls"] for name, row in rows.items()},
                      {"switched": 1, "first": 1, "leaf": 4}, how)
                true(rows["first"]["incl_ns"] < 50000000, "%s: %d ns" % (how, rows["first"]["incl_ns"]))


@test
def a_stack_that_goes_on_in_another_thread():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "stacks.c", "-O2")
            _, capture = trace(program, "moving", folder=folder)
            made = calls(rec.report(capture.folder))
            equal((made["long_work"], made["down"]), (1, 20000 * 9), "calls")


@test
def an_inlined_function_is_left_again_and_again():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "crowd.cc", opt)
                _, capture = trace(program, 100000, folder=folder)
                server = "outer(long);server(long)"
                equal(paths(capture.folder),
                      {"outer(long)", "outer(long);leaf(int)", server, server + ";inlined(int)",
                       server + ";inlined(int);thrower(int)", server + ";thrower(int)", server + ";leaf(int)",
                       "later()", "later();thrower(int)", "later();leaf(int)"}, "tree")
                equal(calls(rec.report(capture.folder)),
                      {"outer(long)": 1, "server(long)": 1, "inlined(int)": 100000, "thrower(int)": 100002,
                       "leaf(int)": 3, "later()": 1}, "calls")
                # What is noted of open calls does not grow with what was left.
                most = max(e.caller for e in capture.of().markers(DEPTH))
                true(most < 10000, "%d calls are noted as open" % most)


@test
def a_first_jump_while_the_loader_waits():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "waits.c", link=("-rdynamic",))
            library = build(folder, cc, "waits.c", out="waits.so", flags=("-shared", "-fPIC", "-DLIBRARY"))
            run(program, library, check=0, timeout=120)
            trace(program, library, folder=folder)


@test
def jumps_and_stacks_on_aarch64():
    cpu, emulator = "aarch64-linux-gnu", "qemu-aarch64"
    if not shutil.which(cpu + "-gcc") or not shutil.which(emulator):
        raise Skip("no compiler or emulator for aarch64")
    for link in ((), ("-static",)):
        with Folder() as folder:
            program = folder + "/jumps"
            run(cpu + "-gcc", "-O2", "-g", "-finstrument-functions", os.path.join(PROGRAMS, "jumps.c"),
                compiled.runtime(cpu + "-gcc"), "-pthread", *link, "-o", program, check=0)
            for mode, wanted in (("deep", {"deep": 1, "down": 33, "leaf": 3}),
                                 ("loop", {"loop": 1, "thrower": 10, "leaf": 1}),
                                 ("hop", {"hop": 1, "visit": 10, "guest": 0, "far": 9, "leaf": 29})):
                shutil.rmtree(folder + "/traces", ignore_errors=True)
                _, capture = trace(program, mode, 10, folder=folder, runner=(emulator, "-L", "/usr/" + cpu))
                data = rec.report(capture.folder)
                equal(calls(data), wanted, mode)
                allowed = {"deep", "deep;leaf", "loop", "loop;thrower", "loop;leaf", "hop", "hop;visit",
                           "hop;visit;leaf", "guest", "guest;far", "guest;far;leaf",
                           *("deep" + ";down" * n for n in range(12))}
                equal(paths(capture.folder) - allowed, set(), mode + ": tree")


@test
def a_thread_that_ends_itself_has_left_its_calls():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "leaves.c", "-O1")
            _, capture = trace(program, folder=folder)
            equal(paths(capture.folder), {"work", "work;inner", "work;inner;last", "gone"}, "tree")
            data = rec.report(capture.folder)
            equal(calls(data), {"work": 1, "inner": 1, "last": 1, "gone": 1}, "calls")


@test
def exceptions_under_every_linker_and_the_preloaded_runtime():
    wanted = {"catcher(int)", "catcher(int);middle(int)", "catcher(int);middle(int);thrower(int)",
              "catcher(int);after(int)"}
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                source = os.path.join(PROGRAMS, "throws.cc")
                plus = {"gcc": "g++", "clang": "clang++"}[cc]
                run(plus, opt, "-g", "-finstrument-functions", "-c", source, "-o", folder + "/throws.o", check=0)
                for link in ((), ("-fuse-ld=gold",), ("-fuse-ld=lld",), ("-Wl,--gc-sections",),
                             ("-static-libstdc++",)):
                    if link[:1] == ("-fuse-ld=lld",) and cc == "gcc":
                        continue
                    shutil.rmtree(folder + "/traces", ignore_errors=True)
                    program = folder + "/throws"
                    run(plus, "-pthread", folder + "/throws.o", *link, compiled.runtime(cc), "-o", program, check=0)
                    _, capture = trace(program, folder=folder)
                    equal(paths(capture.folder), wanted, "%s %s %s" % (cc, opt, link))
                    equal(calls(rec.report(capture.folder)),
                          {"catcher(int)": 1, "middle(int)": 10, "thrower(int)": 10,
                           "after(int)": 5}, "calls")


main()
