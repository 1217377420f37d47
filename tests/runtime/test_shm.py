# SPDX-License-Identifier: MIT
"""Events that go to a ring in shared memory: all that ran are in it, in tails, or counted as dropped."""

import collections
import os
import random
import shutil
import struct
import subprocess
import time

import compiled
import unpack
from rings import (
    HEAD, SHM, Client, Header, Place, Ring, begin, calls, counted, counts, gone, kill, markers, numbers,
    threads, wait_for)
from tap import Skip, compilers, equal, main, run, test, true
from traces import CLOCK, MAX_EVENTS, PROGRAMS, Capture, Event, build, said, symbols

CC = compilers()[0]
THREAD_START, DROPS = 256, 262
FORMATS = ("records", "packed")


@test
def every_call_of_one_and_of_eight_threads():
    for cc in compilers():
        for form in FORMATS:
            for count in (0, 7):
                with Place() as place:
                    program = build(place.folder, cc, "many.c", "-O2")
                    result = place.run(program, "together", count, 20000, env={"TRACE_FORMAT": form})
                    equal(result.stderr, "", "words")
                    equal(place.left(), ["", ".process"], "objects")
                    true(not os.path.exists(place.folder + "/traces"), "a trace folder")
                    ring = Ring(place.name)
                    ring.take()
                    head = ring.header()
                    equal((head.writers, head.lock, head.dropped, ring.packed), (0, 0, 0, form == "packed"), "header")
                    events = ring.events()
                    tids = set(map(int, said(result, r"tid (\d+)")))
                    found = threads(events)
                    equal(set(found), tids, "threads")
                    # The same in files.
                    environ = place.environ({"TRACE_FORMAT": form})
                    del environ["TRACE_SHM"]
                    run(program, "together", count, 20000, env=environ, check=0)
                    capture = Capture(place.folder + "/traces", program)
                    in_files = sorted(tuple(capture.counts(t).items()) for t in capture.threads)
                    names = symbols(program, head.load_bias)
                    equal(sorted(tuple(counts(r, names).items()) for r in found.values()), in_files, "calls")
                    equal(in_files, [(("step", 20000),)] * (count + 1), "calls in files")
                    for records in found.values():
                        equal([e.func for e in records if e.kind == 2 and e.func != CLOCK], [THREAD_START], "markers")
                        equal(records[0].func, THREAD_START, "the first")
                    equal((events[-1].func, len(markers(events, CLOCK))), (CLOCK, 1), "closing anchor")
                    section = ring.process()
                    equal({tid for tid, _seq, _name in section.threads}, tids, "names of threads")
                    true(any(m.path == program and m.bias == head.load_bias for m in section.modules), "the program")
                    other = capture.files[0].header
                    equal(head.flags & 1, other.flags & 1, "ticks")
                    true(abs(head.tick_hz - other.tick_hz) <= other.tick_hz // 100 and head.hook_ns, "rate and cost")


@test
def a_batch_goes_around_the_end():
    for form in FORMATS:
        # The second is no power of two.
        for size in ("64K", "70000"):
            with Place() as place:
                program = build(place.folder, CC, "killed.c", "-O2")
                process = begin(place, program, "slow", place.folder + "/counters", 2, 6000,
                                env={"TRACE_SHM_SIZE": size, "TRACE_FORMAT": form, "TRACE_CLOCK": "mono"})
                ring = Ring(place.name)
                equal(ring.capacity, 65536 if size == "64K" else 70000 // 64 * 64, "capacity")
                client = Client(ring)
                until = time.monotonic() + 60
                while min(counted(place.folder + "/counters").values()) < 6000 and time.monotonic() < until:
                    time.sleep(0.01)
                equal(kill(process), "", "words")
                client.end()
                found, left = threads(ring.events()), ring.tails()
                equal(ring.header().dropped, 0, "dropped")
                if form == "records":
                    true(ring.header().head > 3 * ring.capacity, "%d bytes went through it" % ring.header().head)
                for tid in counted(place.folder + "/counters"):
                    equal(numbers(found[tid] + left[tid]), list(range(6000)), "its events")


@test
def what_finds_no_room_is_counted():
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "together", 7, 30000, env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": form})
            ring = Ring(place.name)
            ring.take()
            events, head = ring.events(), ring.header()
            true(head.dropped > 0, "some are dropped")
            equal(len(calls(events)) + head.dropped, 8 * 60000, "in the ring and dropped")
            equal(len(markers(events, CLOCK)), 1, "there was room for the closing anchor")
            true("%d events found no room in the ring /%s" % (head.dropped, place.name) in result.stderr and
                 len(result.stderr.splitlines()) == 1, result.stderr)
    # As many as there is room for, one more or less.
    for hooks in range(2040, 2050):
        with Place() as place:
            program = build(place.folder, CC, "killed.c", "-O2")
            place.run(program, "exit", place.folder + "/counters", 0, hooks,
                      env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
            ring = Ring(place.name)
            ring.take()
            events = ring.events()
            equal(len(calls(events)) + ring.header().dropped, hooks, "in the ring and dropped")
            equal(events[-1].func, CLOCK, "the last of %d records" % len(events))


@test
def a_slow_client_gets_batches_and_where_others_are_missing():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 3, 8000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        ring = Ring(place.name)
        client = Client(ring, 0.15)
        until = time.monotonic() + 60
        while min(counted(place.folder + "/counters").values()) < 8000 and time.monotonic() < until:
            time.sleep(0.01)
        kill(process)
        client.end()
        head, left, found = ring.header(), ring.tails(), threads(ring.events())
        true(head.dropped > 0, "some are dropped")
        there = 0
        for tid in counted(place.folder + "/counters"):
            records = found.get(tid, []) + left[tid]
            there += len(calls(records))
            last, told = -1, True
            for event in records:
                if event.kind == 2:
                    told = True
                    true(event.func in (THREAD_START, DROPS), "marker %d" % event.func)
                else:
                    true(event.caller == last + 1 or (told and event.caller > last), "a gap that nothing tells of")
                    last, told = event.caller, False
            totals = [event.caller for event in markers(records, DROPS)]
            true(totals == sorted(totals) and max(totals, default=0) <= head.dropped, "totals %r" % totals)
            equal(records[0].func, THREAD_START, "the first")
        equal(there + head.dropped, 3 * 8000, "events that ran")


@test
def a_lock_that_somebody_kept():
    with Place() as place, subprocess.Popen(["sleep", "300"]) as other:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 1, 12000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        try:
            ring = Ring(place.name)
            client = Client(ring)
            # Whoever had it is no more: the next flush takes it, though that be late on a busy machine.
            least = 60
            for _ in range(5):
                ring.word(20, gone())
                then = time.monotonic()
                wait_for(lambda: ring.word(20) == 0, "the lock")
                least = min(least, time.monotonic() - then)
            true(least < 0.8, "taken after %f s" % least)
            # Whoever has it does not go on: it is taken a second later, not before.
            ring.word(20, other.pid)
            then = time.monotonic()
            wait_for(lambda: ring.word(20) != other.pid, "the lock of another", 30)
            true(time.monotonic() - then >= 1, "after %f s" % (time.monotonic() - then))
            wait_for(lambda: ring.word(20) == 0, "the lock is free again")
            wait_for(lambda: min(counted(place.folder + "/counters").values()) == 12000, "the end")
        finally:
            other.kill()
            words = kill(process)
        equal(words, "", "words")
        client.end()
        (tid,) = counted(place.folder + "/counters")
        equal(numbers(threads(ring.events())[tid] + ring.tails()[tid]), list(range(12000)), "events")


def killed_at(place, program, form, seconds):
    process = begin(place, program, "loop", place.folder + "/counters", 2, 200000, env={"TRACE_FORMAT": form})
    time.sleep(seconds)
    equal(kill(process), "", "words")
    ring = Ring(place.name)
    ring.take()
    equal(ring.header().dropped, 0, "dropped")
    found, left = threads(ring.events()), ring.tails()
    between = 0
    for tid, returned in counted(place.folder + "/counters").items():
        records = found.get(tid, []) + left.get(tid, [])
        got = numbers(records)
        equal(got, list(range(len(got))), "numbers")
        true(returned <= len(got) <= returned + 1, "%d events, %d hooks returned" % (len(got), returned))
        between += tid in found and bool(left.get(tid))
        equal((records[0].func, len(markers(records, THREAD_START))), (THREAD_START, 1), "the first")
    return between


@test
def a_kill_at_any_moment_loses_nothing():
    chance = random.Random(7)
    for cc in compilers():
        for form in FORMATS:
            with Place() as place:
                program = build(place.folder, cc, "killed.c", "-O2")
                both = sum(killed_at(place, program, form, chance.uniform(0, 0.006)) for _ in range(10))
                print("# %s, %s: %d threads had events in both" % (cc, form, both))


@test
def ways_out_that_run_no_exit_handlers():
    for form in FORMATS:
        for how in ("_exit", "abort", "segv", "exec", "exit"):
            for hooks in (1, 8192, 20001):
                with Place() as place:
                    program = build(place.folder, CC, "killed.c", "-O2")
                    place.run(program, how, place.folder + "/counters", 0, hooks, env={"TRACE_FORMAT": form}, check=None)
                    ring = Ring(place.name)
                    ring.take()
                    left = ring.tails()
                    (tid,) = counted(place.folder + "/counters")
                    what = "%s after %d" % (how, hooks)
                    equal((ring.header().writers, len(left)), (how != "exit", how != "exit"), what)
                    equal(numbers(ring.events() + left.get(tid, [])), list(range(hooks)), what)


@test
def ends_with_threads_that_still_run():
    for form in FORMATS:
        for how in ("running", "quick", "thread-exit", "last-thread", "cancel"):
            with Place() as place:
                program = build(place.folder, CC, "ends.c", "-O2")
                result = place.run(program, how, env={"TRACE_FORMAT": form, "TRACE_SHM_SIZE": "256M"})
                equal(result.stderr, "", how + ": words")
                (pid,) = map(int, said(result, r"pid (\d+)"))
                equal(place.left(), ["", ".process"], how + ": objects")
                ring = Ring(place.name)
                ring.take()
                equal((ring.header().writers, ring.header().dropped), (0, 0), how)
                events = ring.events()
                equal(events[-1].func, CLOCK, how + ": the last")
                found = {tid: len(calls(records)) for tid, records in threads(events).items()}
                if how == "running":
                    others = sorted(n for tid, n in found.items() if tid != pid)
                    true(found[pid] == 4 and others[0] == 200 and others[1] >= 200, "events %r" % found)
                elif how == "cancel":
                    true(all(n % 40000 == 200 for tid, n in found.items() if tid != pid), "events %r" % found)
                else:
                    equal(sum(found.values()), 4, how + ": events")


@test
def many_threads_in_turn():
    """Of threads that ended nothing is left, and an id that comes again is a new thread's."""
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "in-turn", 40, 100, env={"TRACE_FORMAT": form})
            ring = Ring(place.name)
            ring.take()
            events = ring.events()
            equal(place.left(), ["", ".process"], "objects")
            equal((len(markers(events, THREAD_START)), len(calls(events))), (41, 41 * 200), "threads and events")
            equal(sorted(collections.Counter(e.tid for e in calls(events)).elements()),
                  sorted([int(tid) for tid in said(result, r"tid (\d+)")] * 200), "whose they are")


@test
def buffers_of_many_threads_are_smaller():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 100, 3)
        sizes = [os.path.getsize(SHM + place.name + n) for n in place.left() if n[1:].isdigit()]
        true(len(sizes) == 100 and max(sizes) == 266240 and sum(sizes) < 16 << 20, "%d tails, %d bytes" % (
            len(sizes), sum(sizes)))
        wait_for(lambda: min(counted(place.folder + "/counters").values()) == 3, "the end")
        kill(process)
        ring = Ring(place.name)
        equal({len(calls(records)) for records in ring.tails().values()}, {3}, "events")


@test
def threads_by_their_names():
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "named.c", "-O2")
            environ = {"TRACE_THREADS": "late,change", "TRACE_FORMAT": form}
            result = place.run(program, env=environ)
            tids = {name: int(tid) for name, tid in said(result, r"(\S+) (\d+)")}
            ring = Ring(place.name)
            ring.take()
            in_ring = {tid: r for tid, r in threads(ring.events()).items() if calls(r)}
            environ = place.environ(environ)
            del environ["TRACE_SHM"]
            result = run(program, env=environ, check=0)
            there = {name: int(tid) for name, tid in said(result, r"(\S+) (\d+)")}
            capture = Capture(place.folder + "/traces", program)
            equal(set(in_ring), {tids["late"], tids["change"]}, "threads")
            for name in ("late", "change"):
                records = in_ring[tids[name]]
                equal((records[0].func, len(markers(records, THREAD_START))), (THREAD_START, 1), "the first")
                wanted = len(capture.of(tid=there[name]).calls())
                # Whether a name fits is asked for at each flush, and these lie a marker apart.
                true(abs(len(calls(records)) - wanted) <= 2, "%s: %d events, %d" % (name, len(calls(records)), wanted))
            equal([n for n in place.left() if n[1:].isdigit()], [], "tails")


@test
def the_cap_of_events_and_plain_buffers():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        place.run(program, "together", 3, 20000, env={"TRACE_MAX": "30001"})
        ring = Ring(place.name)
        ring.take()
        events = ring.events()
        equal(len(calls(events)), 30001, "events")
        true(markers(events, MAX_EVENTS), "its marker")
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 2, 9000,
                        env={"TRACE_TAIL": "0", "TRACE_FORMAT": "records"})
        equal(place.left(), ["", ".process"], "objects")
        wait_for(lambda: min(counted(place.folder + "/counters").values()) == 9000, "the end")
        kill(process)
        ring = Ring(place.name)
        ring.take()
        equal(len(calls(ring.events())), 2 * 8191, "a buffer of each, that begins with a marker")


@test
def libraries_that_come_later():
    with Place() as place:
        program = build(place.folder, CC, "plugins.c", "-O2")
        for number in (0, 1):
            build(place.folder, CC, "plugin.c", "-O2", out="lib%d.so" % number,
                  flags=("-shared", "-fPIC", "-DNUMBER=%d" % number))
        result = place.run(program, place.folder + "/lib0.so", place.folder + "/lib1.so", check=None)
        section = Ring(place.name).process()
        names = [os.path.basename(m.path) for m in section.modules]
        true("lib0.so" in names and "lib1.so" in names, "%r %s" % (names, result.stderr))


@test
def a_length_that_lies_harms_nobody():
    """What a client, or who plays one, writes into the header."""
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 1, 4000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        ring = Ring(place.name)
        ring.word(12, 1 << 31)
        ring.word(32, 1 << 40, size=8)
        wait_for(lambda: counted(place.folder + "/counters").popitem()[1] == 4000, "the end")
        equal(kill(process), "", "words")
        ring.capacity = 65536
        equal(ring.word(24, size=8), 0, "head: nothing had room")
        (tid,) = counted(place.folder + "/counters")
        equal(ring.header().dropped + len(calls(ring.tails()[tid])), 4000, "events")


@test
def on_other_processors():
    """Of two the first has no 8-byte atomic operations, and the other byte order."""
    tried = []
    for cpu, emulator, order in (("powerpc-linux-gnu", "qemu-ppc", ">"), ("arm-linux-gnueabihf", "qemu-arm", "<")):
        if not shutil.which(cpu + "-gcc") or not shutil.which(emulator):
            continue
        for form in FORMATS:
            with Place() as place:
                program = place.folder + "/many"
                run(cpu + "-gcc", "-O1", "-pthread", "-finstrument-functions", os.path.join(PROGRAMS, "many.c"),
                    compiled.runtime(cpu + "-gcc"), "-o", program, check=0)
                result = place.run(program, "together", 3, 9000, env={"TRACE_FORMAT": form, "TRACE_SHM_SIZE": "256K"},
                                   runner=(emulator, "-L", "/usr/" + cpu))
                equal(place.left(), ["", ".process"], cpu + ": objects")
                with open(SHM + place.name, "rb") as file:
                    data = file.read()
                head = Header(*struct.unpack(order + HEAD, data[:96]))
                equal((head.magic, head.version, head.capacity, head.writers, head.lock, head.flags, len(data)),
                      (b"TKSHM\0\0\0", 2, 1 << 18, 0, 0, 4 * (order == ">") + 16 * (form == "packed"), 96 + (1 << 18)),
                      cpu + ": header")
                data = data[96:96 + head.head]
                if form == "packed":
                    found, end = unpack.blocks(data, 0, order, cpu)
                    equal((head.dropped, end), (0, len(data)), cpu + ": blocks")
                    events = [event for block in found for event in block.decode([], Event)]
                else:
                    events = [Event(*fields) for fields in struct.iter_unpack(order + "QQQIB3s", data)]
                    true(head.dropped > 0 and "found no room" in result.stderr, cpu + ": dropped")
                equal(len(calls(events)) + head.dropped, 4 * 18000, cpu + ": events")
                equal(len(markers(events, CLOCK)), 1, cpu + ": closing anchor")
        tried.append(cpu)
    if not tried:
        raise Skip("no cross compiler with an emulator")


@test
def it_is_clean_under_the_sanitizers():
    for cc in compilers():
        for kind, more in (("address,undefined", ("-fno-sanitize-recover=all",)), ("thread", ())):
            flags = ("-fsanitize=" + kind, *more)
            try:
                compiled.runtime(cc, *flags, *compiled.CHECKED)
            except AssertionError as error:
                raise Skip("no -fsanitize=%s with %s" % (kind, cc)) from error
            for form in FORMATS:
                for name, *args in (("many", "together", 4, 20000), ("ends", "running"), ("forks", "plain")):
                    with Place() as place:
                        program = build(place.folder, cc, name + ".c", "-O1", flags=flags,
                                        runtime=flags + compiled.CHECKED)
                        result = place.run(program, *args, env={
                            "TRACE_FORMAT": form, "TRACE_SHM_SIZE": "256K", "ASAN_OPTIONS": "detect_leaks=0"})
                        reports = [line for line in result.stderr.splitlines() if "found no room" not in line]
                        equal(reports, [], "%s, %s: %s, %s" % (cc, kind, name, form))


if __name__ == "__main__":
    main()
