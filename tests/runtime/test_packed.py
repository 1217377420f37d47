# SPDX-License-Identifier: MIT
"""What is packed comes out again: the same functions, call sites and kinds in the same order, whatever
is called; and budgets, endings and limits of packed recordings."""

import errno
import os
import shutil
import struct
import sys

from tap import RUNTIME, Folder, compilers, equal, main, run, test, true
from traces import BUDGET, CLOCK, MAX_EVENTS, PROGRAMS, ROTATED, WRITE_ERROR, File, build, check_order, closing, said, trace
import unpack

CC = compilers()[0]
# Dictionaries of few ids, so that all are used up again and again, and little room for open calls.
SMALL = ("-DTRACE_TABLE_MOST=11u", "-DTRACE_SITES_LIMIT=700u", "-DTRACE_OPEN_MOST=1024u")
KB = 1024
PACKED = {"TRACE_FORMAT": "packed"}


def truth(folder):
    with open(folder + "/truth", "rb") as stream:
        return list(struct.iter_unpack("=QQQ", stream.read()))


def compare(folder, program, *args, env=(), runner=()):
    """Records a program that knows what it calls; returns the only thread."""
    shutil.rmtree(folder + "/traces", True)
    _, capture = trace(program, *args, folder + "/truth", folder=folder, env=dict(PACKED, **dict(env)), runner=runner)
    thread = capture.of()
    called = truth(folder)
    equal(len(thread.calls()), len(called), "events of %r" % (args,))
    for i, (event, fields) in enumerate(zip(thread.calls(), called)):
        if (event.func, event.caller, event.kind) != fields:
            equal((i, event.func, event.caller, event.kind), (i, *fields), "event of %r" % (args,))
    return thread


def blocks(files):
    found = []
    for part in files:
        with open(part.path, "rb") as stream:
            found += unpack.blocks(stream.read(), 80, "<" if sys.byteorder == "little" else ">", part.path)[0]
    return found


def order_is_right(thread):
    last = 0
    for event in thread.events:
        true(event.ts >= last, "time runs back")
        last = event.ts


@test
def what_is_called_is_what_comes_out():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "packs.c", "-O2")
            for seed, env in ((1, {}), (2, {"TRACE_SEG_MB": "64K"}), (3, {"TRACE_SEG_MB": "4K"}),
                              (4, {"TRACE_CLOCK": "mono"}), (5, {"TRACE_TAIL": "0"}), (6, {"TRACE_MAX_MB": "0"})):
                order_is_right(compare(folder, program, "walk", 30000, seed, env=env))


@test
def sites_beyond_what_a_table_and_a_dictionary_hold():
    with Folder() as folder:
        small = build(folder, CC, "packs.c", "-O2", out="small", runtime=SMALL)
        compare(folder, small, "sites", 3000, 3)
        compare(folder, small, "walk", 30000, 7)
        program = build(folder, CC, "packs.c", "-O2")
        found = blocks(compare(folder, program, "sites", 18000, 3).files)
        true(any(b.first_site > 1 for b in found), "a dictionary goes on in the next block")
        equal(found[0].first_site, 1, "the first one begins")
        # Tables that grow forget; the third time all have ids: 6 bytes a call.
        size = sum(b.bytes for b in found)
        true(size < 1.1 * 18000 * (22 + 22 + 6), "%d bytes" % size)


@test
def all_ids_used_up():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        found = blocks(compare(folder, program, "sites", 88000, 1).files)
        most = max(b.first_site - 1 + b.sites for b in found)
        equal(most, 65535, "ids of a dictionary")
        true(sum(b.first_site == 1 for b in found) >= 2, "another one begins")


@test
def deeper_than_calls_are_noted():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2", runtime=SMALL)
        compare(folder, program, "deep", 1500, 0)
        compare(folder, program, "deep", 1500, 0, env={"TRACE_SEG_MB": "4K"})
        program = build(folder, CC, "packs.c", "-O2", out="usual")
        thread = compare(folder, program, "deep", 100000, 0)
        true(len(blocks(thread.files)) > 2, "calls stay open over several blocks")


@test
def gaps_of_any_length():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for clock in ("tsc", "mono"):
            order_is_right(compare(folder, program, "gaps", 400, 9, env={"TRACE_CLOCK": clock}))


@test
def addresses_that_need_all_their_bits():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        compare(folder, program, "high", 8000, 1)
        compare(folder, program, "high", 8000, 1, env={"TRACE_SEG_MB": "64K"})


@test
def a_handler_that_jumps_out_of_hooks():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "packs.c", "-O2")
            result, capture = trace(program, "jump", 500, 5, folder + "/truth", folder=folder, env=PACKED)
            (jumps,) = map(int, said(result, r"jumps (\d+)"))
            thread, called = capture.of(), truth(folder)
            order_is_right(thread)
            missing = 0
            rest = iter(called)
            for event in thread.calls():
                for fields in rest:
                    if (event.func, event.caller, event.kind) == fields:
                        break
                    missing += 1
                else:
                    true(False, "an event that was not called")
            missing += sum(1 for _ in rest)
            true(missing <= jumps, "%d of %d events are missing, %d jumps" % (missing, len(called), jumps))


@test
def an_event_that_a_handler_was_earlier_than():
    for cc in compilers():
        with Folder() as folder:
            run(cc, "-std=c11", "-O1", "-I" + RUNTIME, os.path.join(PROGRAMS, "setback.c"), "-o", folder + "/setback",
                "-pthread", check=0)
            equal(run(folder + "/setback", check=0).stdout, "", "what is wrong")


@test
def a_handler_that_forks_in_hooks():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "packs.c", "-O2")
            result, capture = trace(program, "fork", 200, 5, "/dev/null", folder=folder, env=PACKED)
            equal(said(result, r"failed (\d+)"), ["0"], "children that failed")
            order_is_right(capture.of(pid=min(capture.pids())))


@test
def a_handler_that_ends_the_process_in_hooks():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for moment in range(25):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, "exit", 500 + 37 * moment, 5, "/dev/null", folder=folder, env=PACKED)
            order_is_right(capture.of())
            closing(capture, capture.of().pid)


@test
def segments_that_are_removed_while_a_dictionary_goes_on():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for env in ({}, {"TRACE_TAIL": "0"}, {"TRACE_FULL": "wrap", "TRACE_MAX_MB": "64"}):
            shutil.rmtree(folder + "/traces", True)
            run(program, "remove", 150000, 0, folder + "/truth", check=0,
                env=dict(PACKED, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces", **env))
            (name,) = [name for name in os.listdir(folder + "/traces") if name.endswith(".bin")]
            part, called = File(folder + "/traces/" + name), truth(folder)
            first = part.header.first_index - 1
            true(0 < first < len(called), "something was removed, %d" % first)
            true([b for b in blocks([part]) if b.n_events][0].first_site > 1, "a dictionary goes on")
            equal([(e.func, e.caller, e.kind) for e in part.events if e.kind < 2], called[first:], "what is left")


@test
def a_budget_of_bytes():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for budget, segment in (("64K", "32"), ("100K", "16K"), ("200K", "64K"), ("233K", "1"), ("96K", "4K")):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "walk", 120000, 1, folder + "/truth", folder=folder, env=dict(
                PACKED, TRACE_MAX_MB=budget, TRACE_SEG_MB=segment, TRACE_TAIL="0"))
            what = budget + " in segments of " + segment
            bytes_ = int(budget[:-1]) * KB
            true("TRACE_MAX_MB allows; recording stopped" in result.stderr, what + result.stderr)
            thread = capture.of()
            charged = sum(max(f.size, 4096) for f in capture.files)
            true(bytes_ - 3 * 4096 <= charged <= bytes_, "%s: %d bytes" % (what, charged))
            equal([m.caller for m in thread.markers(BUDGET)], [bytes_], what + ": marker 1")
            equal([e.func for e in thread.events[-2:]], [BUDGET, CLOCK], what + ": the end")
            called = truth(folder)[:len(thread.calls())]
            equal([(e.func, e.caller, e.kind) for e in thread.calls()], called, what + ": the beginning")
            closing(capture, thread.pid)


@test
def wrap_keeps_the_end():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for budget, segment in (("64K", "32"), ("256K", "16K"), ("400K", "1"), ("96K", "4K")):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "walk", 150000, 2, folder + "/truth", folder=folder, env=dict(
                PACKED, TRACE_MAX_MB=budget, TRACE_SEG_MB=segment, TRACE_FULL="wrap"))
            what = budget + " in segments of " + segment
            equal(result.stderr, "", "stderr")
            thread, called = capture.of(), truth(folder)
            events = sum(m.caller for m in thread.markers(5))
            gone = len(thread.markers(5)) + sum(m.caller for m in thread.markers(265))
            equal(gone, thread.files[0].header.seq, what + ": segments that are gone")
            true(gone > 2, what + ": %d are gone" % gone)
            equal(events + len(thread.calls()), len(called), what + ": events")
            equal(thread.files[0].header.first_index, events + 1, what + ": first index")
            equal([(e.func, e.caller, e.kind) for e in thread.calls()], called[events:], what + ": the end of it")
            true(thread.files[-1].header.flags & ROTATED, what + ": rotated flag")
            size = sum(f.size for f in thread.files)
            true(size <= int(budget[:-1]) * KB + max(f.size for f in thread.files), "%s: %d bytes" % (what, size))


@test
def a_cap_of_events():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        for cap in (1, 2, 1000, 8192, 49999):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, "walk", 60000, 3, folder + "/truth", folder=folder,
                               env=dict(PACKED, TRACE_MAX=str(cap)))
            thread = capture.of()
            equal([(e.func, e.caller, e.kind) for e in thread.calls()], truth(folder)[:cap], "cap of %d" % cap)
            equal([m.caller for m in thread.markers(MAX_EVENTS)], [cap], "marker 4")


@test
def files_that_may_not_grow():
    with Folder() as folder:
        program = build(folder, CC, "packs.c", "-O2")
        run(program, "walk", 250000, 4, folder + "/truth", check=0)
        called = truth(folder)
        # Not even the process file has room: the program runs on.
        run("prlimit", "--fsize=200", program, "walk", 1000, 4, "/dev/null", check=0,
            env=dict(PACKED, TRACE_ENABLE="1", TRACE_DIR=folder + "/none"))
        for limit in (300000, 262144 + 80, 262144 + 90, 262144 + 170, 262144 + 400, 9999, 2000):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "walk", 250000, 4, "/dev/null", folder=folder, env=dict(
                PACKED, TRACE_TAIL="0"), runner=("prlimit", "--fsize=%d" % limit))
            true("recording stopped" in result.stderr and os.strerror(errno.EFBIG) in result.stderr,
                 "%d: %s" % (limit, result.stderr))
            thread = capture.of()
            true(all(f.size <= limit for f in thread.files), "%d: too large" % limit)
            equal([(e.func, e.caller, e.kind) for e in thread.calls()], called[:len(thread.calls())],
                  "%d: the beginning" % limit)
            true(thread.events[-1].func == WRITE_ERROR or  # the closing anchor may still fit
                 [e.func for e in thread.events[-2:]] == [WRITE_ERROR, CLOCK], "%d: the last record" % limit)
            if limit > 9000:
                true(max(f.size for f in thread.files) > limit - 300, "%d: room that is left" % limit)


@test
def what_the_environment_says():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        for value, version, line in (("packed", 3, ""), ("records", 2, ""), ("", 2, ""), (
                "zip", 2, "callsight: TRACE_FORMAT=zip is unknown (records, packed); using records\n")):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, folder=folder, env={"TRACE_FORMAT": value})
            equal((result.stderr, {f.header.version for f in capture.files}), (line, {version}), value)
            check_order(capture.of(tid=capture.pids()[0]))


if __name__ == "__main__":
    main()
