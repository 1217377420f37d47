# SPDX-License-Identifier: MIT
"""Reports of packed event files against those of the same events as records."""

import json
import os
import random
import sys

import packed
import recordings as rec
from packed_reports import (ENTER, EVENTS, EXIT, LEAF, MAIN, MARKER, NAME, OTHER, as_records, calls, compare,
                            report, within)
from tap import Folder, equal, main, test, true

NATIVE = "<" if sys.byteorder == "little" else ">"


def same(events, wanted_words=(), **header):
    """The report of events that are packed in many ways is that of records."""
    wanted = report((NAME, rec.header(flags=rec.THREAD_START, **header), as_records(events)))
    words = set()
    for order, per_block, chain in (("<", 1 << 30, 1), (">", 1, 1), ("<", 2, 1 << 30), (">", 7, 3), (">", 50, 1 << 30)):
        blocks = packed.blocks(events, per_block, order, chain=chain)
        for block in blocks:
            words |= packed.kinds(block.words, order)
        got = report((NAME, packed.header(order, flags=rec.THREAD_START, **header), *[block.data() for block in blocks]))
        compare(got, wanted, what="%s, %d a block" % (order, per_block))
    for word in wanted_words:
        true(word in words, "no word %s" % word)
    return wanted


@test
def plain_calls():
    data = same(within(calls(200, start=5), 5000))
    equal([row["calls"] for row in data["rows"]], [1, 200], "calls")


@test
def nothing_in_a_file():
    for parts in ((), (packed.Block().data(),)):
        got = report((NAME, packed.header(flags=rec.THREAD_START), *parts), ("trace.1.2.0.bin", rec.header(), as_records(calls(3))))
        wanted = report((NAME, rec.header(flags=rec.THREAD_START)), ("trace.1.2.0.bin", rec.header(), as_records(calls(3))))
        compare(got, wanted)


@test
def recursion_and_many_call_sites():
    rand = random.Random(1)
    events, stack, now = [], [], 0
    for _ in range(3000):
        now += rand.randint(0, 30)
        if not stack or (len(stack) < 30 and rand.random() < 0.5):
            stack.append((0x1000 + 16 * rand.randint(0, 9), 0x9000 + rand.randint(0, 99)))
            events.append((ENTER, now, *stack[-1], 1))
        else:
            events.append((EXIT, now, *stack.pop(), 1))
    same(events, ["enter", "exit", "EXIT"])


# Steps of time around what a first word, the word of an exit and the number before it hold.
STEPS = [0, 1, 0x7EFE, 0x7EFF, 0xFFFF, 0x10000, (1 << 32) - 1, 1 << 32, (1 << 32) + 0x7EFE, (1 << 32) + 0x7EFF,
         (1 << 32) + 0xFFFF, 1 << 40, -5, -(1 << 33)]


@test
def steps_of_time_of_any_length():
    for step in STEPS:
        events, now = [], 1 << 40
        for i in range(4):
            events.append((ENTER, now, MAIN, 0x10, 1))
            now += step
            events.append((ENTER, now, LEAF, 0x20, 1))
            now += step
            events.append((EXIT, now, LEAF, 0x20, 1))
            events.append((MARKER, now, rec.OFF + i % 2, 0, 1))
            now += step
            events.append((EXIT, now, MAIN, 0x30, 1))
        wanted = ["enter", "exit", "EXIT", "RAW"]
        if step > 0x10000 or step < 0:
            wanted.append("LATER" if 0 < step < 1 << 32 else "TIME")
        same(events, wanted)


def stretch(rand, stack, now, n):
    """Calls as they are nearly always, on a stack that goes on afterwards: the events and the time."""
    events = []
    for _ in range(n):
        now += rand.choice([0, 1, 9, 9, 300])
        if not stack or (len(stack) < 40 and rand.random() < 0.5):
            stack.append((0x1000 + 16 * rand.randint(0, 20), 0x9000 + rand.randint(0, 2)))
            events.append((ENTER, now, *stack[-1], 1))
        else:
            events.append((EXIT, now, *stack.pop(), 1))
    return events, now


def others(rand, stack, now):
    """Each thing that may lie between two stretches, by name, with the stack that is open behind it."""
    yield "nothing", [], stack
    yield "an exit of nothing", [(EXIT, now, 0x5000, 1, 1)], stack
    yield "an exit of an outer call", [(EXIT, now, *stack[2], 1)], stack[:2]
    yield "an exit of another call site", [(EXIT, now, stack[-1][0], 0x77, 1)], stack[:-1]
    yield "recording off", [(MARKER, now, rec.OFF, 0, 1)], []
    # What the words know to be open is not any more.
    yield "recording off, unseen", [(MARKER, now, rec.OFF, 0, 1), (MARKER, now, rec.ON, 0, 1)], stack
    yield "a landing", [(MARKER, now, rec.DEPTH, 3, 1)], stack[:3]
    yield "a landing, unseen", [(MARKER, now, rec.DEPTH, 3, 1)], stack
    yield "another context", [(MARKER, now, rec.CONTEXT, 7, 1)] + stretch(rand, [], now, 50)[0] + [
        (MARKER, now + 20000, rec.CONTEXT, 0, 1)], stack
    yield "a thread that begins", [(MARKER, now, 261, 0, 1)], stack
    yield "a step back", [(ENTER, now - 500, 0x1000, 1, 1)], stack + [(0x1000, 1)]
    yield "a long time", [(ENTER, now + 70000, 0x1000, 1, 1), (EXIT, now + (1 << 33), 0x1000, 1, 1)], stack
    yield "other records", [(rec.COUNTERS, now, 1, 2, 1), (9, now, 1, 2, 1), (MARKER, now, 4711, 2, 1)], stack


@test
def stretches_with_others_between():
    name = lambda pid: "trace.%d.1.0.bin" % pid
    n = len(list(others(random.Random(), [(1, 1)] * 9, 0)))
    folders = [(5000, 1), (256, 1 << 30), (100, 2), (17, 1 << 30)]
    with Folder() as top:
        wanted = top + "/records"
        os.mkdir(wanted)
        for pid in range(1, n + 1):
            # One of all in each process, twice: in the middle of stretches, and one behind the other.
            rand = random.Random(pid)
            stack = []
            events, now = stretch(rand, stack, 1000, 150)
            for repeat in (30, 300, 3, 100):
                while len(stack) < 9:
                    now += 1
                    stack.append((0x1000 + 16 * len(stack), 0x9000))
                    events.append((ENTER, now, *stack[-1], 1))
                what, between, left = list(others(rand, stack, now))[pid - 1]
                stack = list(left)
                now = max([now] + [ts for kind, ts, *_ in between if kind <= EXIT or ts < now + 30000]) + 1
                more, now = stretch(rand, stack, now, repeat)
                events += between + more
            rec.write(wanted, name(pid), rec.header(pid=pid, flags=rec.THREAD_START), as_records(events, NATIVE))
            for per_block, chain in folders:
                to = "%s/%d" % (top, per_block)
                if pid == 1:
                    os.mkdir(to)
                blocks = packed.blocks(events, per_block, NATIVE, chain=chain)
                rec.write(to, name(pid), packed.header(pid=pid, flags=rec.THREAD_START), *[block.data() for block in blocks])
        numbers = json.loads(rec.analyze(wanted, "--format", "json", "--top", "0").stdout)
        true(min(numbers[key] for key in ("unmatched_exits", "repaired", "clamped", "unclosed_enters")) > 0, "no faults")
        for per_block, _chain in folders:
            got = json.loads(rec.analyze("%s/%d" % (top, per_block), "--format", "json", "--top", "0").stdout)
            compare(got, numbers, what="%d a block" % per_block)
            equal(rec.folded("%s/%d" % (top, per_block)), rec.folded(wanted), "%d a block" % per_block)
            for form in ("callers", "callgrind"):
                equal(*[rec.analyze(where, "--format", form, "--top", "0").stdout.replace(where, "")
                        for where in ("%s/%d" % (top, per_block), wanted)], "%s, %d a block" % (form, per_block))


@test
def frames_that_words_forget_in_a_stretch():
    for n in (0, 1, 20, 50, 199):
        block = packed.Block(NATIVE)
        events = [(ENTER, i, 0x1000 + 16 * (i % 7), i % 3, 1) for i in range(100)]
        events += [(EXIT, 100 + i, *event[2:]) for i, event in enumerate(reversed(events))]
        for i, event in enumerate(events):
            if i == n:
                block.forget()
            block.add(*event)
        compare(report((NAME, packed.header(), block.data())), report((NAME, rec.header(), as_records(events))))


@test
def exits_that_match_nothing():
    same([(EXIT, 1, LEAF, 0, 1)] + within(calls(5, start=5), 100) + [(EXIT, 200, OTHER, 7, 1)], ["EXIT"])
    # Of outer calls, and of call sites that are not the enter's.
    same([(ENTER, 0, MAIN, 1, 1), (ENTER, 5, LEAF, 1, 1), (ENTER, 6, OTHER, 1, 1), (EXIT, 9, LEAF, 1, 1),
          (EXIT, 12, MAIN, 2, 1), (EXIT, 15, MAIN, 1, 1)], ["EXIT"])


@test
def markers_and_counters():
    events = within(calls(3, start=5), 1000)
    for code in (rec.OFF, rec.ON, rec.LANDED, rec.CONTEXT, rec.SKIPPED, rec.DEPTH, rec.JUMPED, 267, rec.WRAP, 263, 265, 262, 4711):
        events[4:4] = [(MARKER, 20 + payload, code, payload, 1) for payload in (0, 1, 2)]
        same(events, ["RAW"])
    same(events[:3] + [(rec.COUNTERS, 1, 2, 3, 1), (9, 9, 9, 9, 1)] + events[3:], ["RAW"])


@test
def enters_and_exits_that_are_raw():
    events = within(calls(6, start=5), 100)
    wanted = report((NAME, rec.header(), as_records(events)))
    block = packed.Block(base=0)
    for i, event in enumerate(events):
        (block.raw if i in (3, 4) else block.add)(*event)
    compare(report((NAME, packed.header(), block.data())), wanted)


@test
def forgotten_frames():
    block = packed.Block()
    block.enter(0, MAIN)
    block.enter(1, LEAF, 5)
    block.forget()
    block.exit(4, LEAF, 5)
    block.exit(9, MAIN)
    events = [(ENTER, 0, MAIN, 0, 1), (ENTER, 1, LEAF, 5, 1), (EXIT, 4, LEAF, 5, 1), (EXIT, 9, MAIN, 0, 1)]
    compare(report((NAME, packed.header(), block.data())), report((NAME, rec.header(), as_records(events))))


@test
def frames_that_are_forgotten_at_the_end():
    for order in "<>":
        blocks = packed.blocks(EVENTS, 10, order)
        for block in blocks[::3]:
            block.forget()
        blocks[3].forget()
        got = report((NAME, packed.header(order), *[block.data() for block in blocks]))
        compare(got, report((NAME, rec.header(), as_records(EVENTS))), what=order)


@test
def threads_of_a_stream():
    rand = random.Random(2)
    events, stacks, now = [], {}, 0
    for _ in range(600):
        tid = rand.randint(1, 4)
        stack = stacks.setdefault(tid, [])
        for _ in range(rand.randint(1, 9)):
            now += rand.randint(0, 9)
            if not stack or rand.random() < 0.5:
                stack.append((0x1000 + 16 * rand.randint(0, 5), 0x70 + tid))
                events.append((ENTER, now, *stack[-1], tid))
            else:
                events.append((EXIT, now, *stack.pop(), tid))
    name = "trace.stream.dev.0.bin"
    wanted = report((name, rec.header(), as_records(events)))
    equal(wanted["threads"], 4, "threads")
    for order in "<>":
        blocks = packed.blocks(events, 333, order, index=0)
        true("THREAD" in packed.kinds(blocks[0].words, order), "no switch of threads")
        compare(report((name, packed.header(order), *[block.data() for block in blocks])), wanted)


@test
def records_of_other_threads_in_a_stretch():
    name = "trace.stream.dev.0.bin"
    events, blocks = [], []
    for i in range(40):
        part = within(calls(40, start=1000 * i + 5), 1000 * i + 999)
        part[0] = (ENTER, 1000 * i, MAIN, 0, 1)
        part.insert(i, (ENTER, 1000 * i, LEAF, 2, 2))
        events += part
        block = packed.Block(NATIVE, 1, 1000 * i, 0, blocks[-1].ids if blocks else None)
        for event in part:
            (block.add if event[4] == 1 else block.raw)(*event)
        blocks.append(block)
    compare(report((name, packed.header(), *[block.data() for block in blocks])),
            report((name, rec.header(), as_records(events))))


@test
def what_lies_before_a_stretch():
    # A thread, or what follows a gap, begins with the first enter or exit, however many other records come first.
    files = [], []
    for tid in range(1, 70):
        other = [(rec.COUNTERS, 1, 1, 2, tid)] * tid
        events = within(calls(200, start=5, tid=tid), 5000, tid=tid)
        first, last = other + events[:100], other + events[301:]
        for seq, index, part in ((0, 1, first), (1, 302, last)):
            name = "trace.1.%d.%d.bin" % (tid, seq)
            fields = dict(seq=seq, first_index=index, flags=rec.ROTATED if seq else rec.THREAD_START)
            files[0].append((name, rec.header(**fields), as_records(part)))
            blocks = packed.blocks(part, 1000, NATIVE, index=index)
            files[1].append((name, packed.header(NATIVE, **fields), *[block.data() for block in blocks]))
    wanted = report(*files[0])
    equal((wanted["lost"], wanted["repaired"]), (69 * 201, 69 * 2), "numbers")
    compare(report(*files[1]), wanted)


@test
def deep_stacks_across_blocks():
    deep = [(ENTER, i, 0x1000 + 16 * i, i, 1) for i in range(1500)]
    same(deep + [(EXIT, 5000 + i, *event[2:]) for i, event in enumerate(reversed(deep))], ["EXIT"])


@test
def anchors_and_ticks():
    header = dict(flags=rec.TICKS | rec.THREAD_START, tick_hz=10 ** 9, t0_ticks=1000, t0_ns=5000)
    events = [(kind, 2000 + ts, *rest) for kind, ts, *rest in within(calls(300, start=5), 5000)]
    events.append((MARKER, 10000, rec.CLOCK, 5000 + 18000, 1))
    wanted = report((NAME, rec.header(**header), as_records(events)))
    for order in "<>":
        for per_block in (1, 40, 10000):
            blocks = packed.blocks(events, per_block, order)
            compare(report((NAME, packed.header(order, **header), *[block.data() for block in blocks])), wanted)


@test
def wrapped_segments():
    events = within(calls(100, start=5), 2000)
    parts = [events[:50], events[90:150], events[150:]]
    indices = [1, 91, 151]
    wrapped = [(MARKER, 0, rec.WRAP, 40, 1)]
    flags = [rec.THREAD_START, rec.ROTATED, rec.ROTATED]
    seqs = [0, 2, 3]
    files = [[], [], [], []]
    for seq, index, part, flag in zip(seqs, indices, parts, flags):
        name = "trace.1.1.%d.bin" % seq
        part = (wrapped if seq == 2 else []) + part
        files[0].append((name, rec.header(seq=seq, first_index=index, flags=flag), as_records(part)))
        blocks = b"".join(block.data() for block in packed.blocks(part, 20, index=index))
        files[1].append((name, packed.header(seq=seq, first_index=index, flags=flag), blocks))
        # The blocks alone may tell it, and files of both kinds may follow each other.
        files[2].append((name, packed.header(seq=seq, first_index=index if seq == 0 else 0, flags=flag), blocks))
        files[3].append(files[seq % 2][-1])
    wanted = report(*files[0])
    equal(wanted["lost"], 40, "lost")
    for other in files[1:]:
        compare(report(*other), wanted, other is not files[2])


@test
def a_part_of_the_time():
    events = within(calls(300, start=5), 5000)
    with Folder() as records, Folder() as folder:
        rec.write(records, NAME, rec.header(), as_records(events))
        rec.write(folder, NAME, packed.header(), *[block.data() for block in packed.blocks(events, 70)])
        for arguments in (("--from", "700ns", "--to", "2us"), ("--function", "0x2000"), ("--thread", "2")):
            compare(*[json.loads(rec.analyze(where, "--format", "json", *arguments).stdout) for where in (folder, records)])
        equal(rec.chrome_events(folder), rec.chrome_events(records), "calls")


@test
def other_layouts_are_refused():
    for content, words in ((rec.header(version=3), "32 bytes"), (rec.header(version=3, event_size=4), "4 bytes"),
                           (packed.header()[:79], "79 bytes"), (packed.header(header_size=16), "16 bytes")):
        with Folder() as folder:
            rec.write(folder, NAME, content)
            result = rec.analyze(folder, check=2)
            true(words in result.stderr and NAME in result.stderr, result.stderr)


@test
def a_cut_file():
    events = within(calls(50, start=5), 2000)
    blocks = [block.data() for block in packed.blocks(events, 20)]
    whole = b"".join(blocks)
    for left in (2, 63, 64, 65, len(blocks[-1]) - 1):
        cut = whole[:len(whole) - len(blocks[-1]) + left]
        got = report((NAME, packed.header(), cut))
        compare(got, report((NAME, rec.header(), as_records(events[:100]))), False)
        true("%s ends in the middle of a block: the last %d bytes are left out" % (NAME, left) in got["notices"],
             str(got["notices"]))


main()
