# SPDX-License-Identifier: MIT
"""Reports of packed event files against those of the same events as records."""

import functools
import json
import os
import random
import struct
import sys

import packed
import recordings as rec
import tap
from tap import Folder, equal, main, test, true

NAME = "trace.1.1.0.bin"
TAIL = "trace.1.1.0.tail"
ENTER, EXIT, MARKER = rec.ENTER, rec.EXIT, rec.MARKER
MAIN, LEAF, OTHER = 0x1000, 0x2000, 0x3000
NATIVE = "<" if sys.byteorder == "little" else ">"


def report(*files):
    """The JSON report of a folder with these files, (name, bytes, …)."""
    with Folder() as folder:
        for name, *parts in files:
            rec.write(folder, name, *parts)
        return json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)


def as_records(events, order="<"):
    return b"".join(rec.event(*event[:4], event[4], order) for event in events)


def compare(got, wanted, notices=True, what=""):
    """All numbers of two reports are equal."""
    for key in sorted(set(got) | set(wanted)):
        if key != "recorded_bytes" and (notices or key != "notices"):
            equal(got.get(key), wanted.get(key), "%s %s" % (what, key))


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


def calls(n, func=LEAF, start=0, length=3, tid=1):
    """Calls one after the other, ten ns apart."""
    result = []
    for i in range(n):
        result += [(ENTER, start + 10 * i, func, 0x50, tid), (EXIT, start + 10 * i + length, func, 0x50, tid)]
    return result


def within(events, end, func=MAIN, tid=1):
    return [(ENTER, 0, func, 0, tid)] + events + [(EXIT, end, func, 0, tid)]


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


# Damage.  Twelve blocks of ten events each; only the first one defines sites unless something else is said.
EVENTS = within(calls(59, start=5), 2000)


@functools.cache
def without(first, last, events):
    """The report of records without those from first to last, as lost events between two files."""
    return report((NAME, rec.header(first_index=1), as_records(events[:first])),
                  ("trace.1.1.1.bin", rec.header(seq=1, first_index=last + 1), as_records(events[last:])))


def damaged(blocks, first, last, n_blocks=1, order="<", events=EVENTS, what=""):
    """Blocks from which just these events are lost, and that so many are damaged is said."""
    got = report((NAME, packed.header(order, first_index=1), *blocks))
    if (first, last) == (0, len(events)):
        equal((got["events"], got["lost"]), (0, last), what)
        wanted = got
    elif last == len(events):
        wanted = report((NAME, rec.header(first_index=1), as_records(events[:first])))
        equal(got["lost"], last - first, "%s lost" % what)
        got["lost"] = got["per_thread"][0]["lost"] = 0
    else:
        wanted = without(first, last, tuple(events))
    compare(got, wanted, False, what)
    text = "%s of %s %s damaged: %s lost" % (
        "1 block" if n_blocks == 1 else "%d blocks" % n_blocks, NAME, "is" if n_blocks == 1 else "are",
        "1 event is" if last - first == 1 else "%d events are" % (last - first))
    true(text in got["notices"], "%s: no “%s” in %s" % (what, text, got["notices"]))
    equal([notice for notice in got["notices"] if "missing" in notice], [], what)


def flip(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


@test
def bits_of_a_header():
    for order in "<>":
        good = [block.data() for block in packed.blocks(EVENTS, 10, order)]
        for at in range(order == ">", 64, 1 if order == "<" else 3):
            # What the header says of sites is what tells whether those behind it can be named.
            last = 120 if 48 <= at < 56 else 50
            blocks = good[:4] + [flip(good[4], at, at % 8)] + good[5:]
            damaged(blocks, 40, last, (last - 40) // 10, order, what="byte %d" % at)


@test
def bits_of_words():
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    for k in (1, 5, 10, 11):
        for at in (64, 71, len(good[k]) - 1):
            damaged(good[:k] + [flip(good[k], at, 3)] + good[k + 1:], 10 * k, 10 * k + 10, what="block %d" % k)


@test
def bits_of_definitions():
    # Those behind it up to the next dictionary need them.
    good = [block.data() for block in packed.blocks(EVENTS, 10, chain=4)]
    damaged(good[:4] + [flip(good[4], len(good[4]) - 5)] + good[5:], 40, 80, 4)
    damaged([flip(good[0], len(good[0]) - 5)] + good[1:], 0, 40, 4)
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    damaged([flip(good[0], len(good[0]) - 5)] + good[1:], 0, 120, 12)


@test
def later_definitions():
    events = within(calls(19, start=5), 5000)[:-1] + calls(25, OTHER, 400) + calls(25, 0x4000, 800)
    blocks = packed.blocks(events, 10)
    equal([len(block.definitions) for block in blocks if block.definitions], [2, 1, 1], "definitions")
    data = [block.data() for block in blocks]
    damaged(data[:3] + [flip(data[3], 64)] + data[4:], 30, len(events), len(data) - 3, events=events)
    damaged(data[:2] + [flip(data[2], 64)] + data[3:], 20, 30, events=events)


@test
def what_is_no_block():
    good = [block.data() for block in packed.blocks(EVENTS, 10, chain=6)]
    for size in (2, 70000):
        for rubbish in (bytes(size), b"CSBLOCK\0" * (size // 8) + bytes(size % 8), bytes(random.Random(size).randbytes(size))):
            damaged(good[:4] + [rubbish] + good[4:], 40, 40, what="%d bytes between blocks" % size)
            damaged([rubbish] + good, 0, 0, what="%d bytes before blocks" % size)
    # Whether a block that isn't there began a dictionary is not known.
    damaged(good[:6] + [bytes(len(good[6]))] + good[7:], 60, 120, 6, what="zeroed first block of a chain")
    damaged(good[:4] + [bytes(len(good[4]))] + good[5:], 40, 60, 2, what="zeroed block")
    damaged(good[:4] + [bytes(len(good[4]) + len(good[5]))] + good[6:], 40, 60, 1, what="zeroed blocks")


@test
def damage_at_the_end():
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    rest = packed.blocks(EVENTS[60:], 10, index=61)
    for what, end in (("zeros", bytes(len(good[5]))), ("rubbish", random.Random(1).randbytes(70000)),
                      ("magics", b"CSBLOCK\0" * 8), ("a block with another magic", flip(good[5], 3)),
                      ("a block of no size", set_field(good[5], 12, "<I", 0)),
                      ("a torn block behind zeros", bytes(2) + good[5][:-2])):
        first = (NAME, packed.header(first_index=1), *good[:5], end)
        told = "%s is damaged at its end: the last %d bytes are left out" % (NAME, len(end))
        got = report(first)
        compare(got, report((NAME, rec.header(first_index=1), as_records(EVENTS[:50]))), False, what)
        true(told in got["notices"] and "middle of a" not in str(got["notices"]), "%s: %s" % (what, got["notices"]))
        # What follows tells what is lost.
        for index in (61, 0):
            got = report(first, ("trace.1.1.1.bin", packed.header(seq=1, first_index=index), *[block.data() for block in rest]))
            compare(got, without(50, 60, tuple(EVENTS)), False, what)
            true(told in got["notices"], "%s: %s" % (what, got["notices"]))
    # So does a tail; where the damage is in the place of its block, the tail has that whole.
    blocks = packed.blocks(EVENTS, 10, chain=1)
    good = [block.data() for block in blocks]
    for k, bad, lost in ((6, 5, 10), (5, 5, 0)):
        place = bytes(len(good[5]))
        tail = packed.tail(blocks[k], offset=80 + sum(map(len, good[:k])))
        got = report((NAME, packed.header(), *good[:bad], place), (TAIL, tail))
        equal((got["events"], got["lost"]), (60, lost), "events")
        equal("%s is damaged at its end" % NAME in str(got["notices"]), lost > 0, str(got["notices"]))


@test
def a_hole_as_long_as_a_file():
    with Folder() as folder:
        rec.write(folder, NAME, packed.header(), packed.blocks(EVENTS, 1000)[0].data())
        size = os.path.getsize(os.path.join(folder, NAME))
        os.truncate(os.path.join(folder, NAME), size + (64 << 20))
        got = json.loads(rec.analyze(folder, "--format", "json").stdout)
        equal(got["events"], 120, "events")
        true("%s is damaged at its end: the last %d bytes" % (NAME, 64 << 20) in str(got["notices"]), str(got["notices"]))


@test
def damage_at_the_end_is_converted():
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    rest = [block.data() for block in packed.blocks(EVENTS[60:], 10, index=61)]
    for first in (good[:5], []):
        with Folder() as folder:
            os.mkdir(folder + "/a")
            rec.write(folder + "/a", NAME, packed.header(first_index=1), *first, bytes(500))
            rec.write(folder + "/a", "trace.1.1.1.bin", packed.header(seq=1, first_index=61), *rest)
            result = tap.run(tap.CLI, "convert", folder + "/a", "--to", "records", "--out", folder + "/b")
            true("%s is damaged at its end" % NAME in result.stdout + result.stderr, result.stdout + result.stderr)
            reports = [json.loads(rec.analyze(folder + name, "--format", "json").stdout) for name in ("/a", "/b")]
            compare(reports[1], reports[0], False)
            equal(reports[0]["lost"], 60 - 10 * len(first), "lost")
            with open(os.path.join(folder, "b", NAME), "rb") as file:
                written = file.read()
            events = [struct.unpack_from("<3QIB", written, at) for at in range(80, len(written), 32)]
            equal([(event[4], event[1]) for event in events[10 * len(first):]], [(MARKER, 263)], "what stands for it")


@test
def several_places():
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    got = report((NAME, packed.header(first_index=1), *good[:2], flip(good[2], 70), *good[3:6], flip(good[6], 70), *good[7:]))
    equal(got["lost"], 20, "lost")
    true("2 blocks of %s are damaged: 20 events are lost" % NAME in got["notices"], str(got["notices"]))


@test
def nothing_but_damage():
    good = [block.data() for block in packed.blocks(EVENTS, 10)]
    got = report((NAME, packed.header(), *[flip(block, 66) for block in good]))
    equal((got["events"], got["lost"]), (0, 120), "events")
    true("12 blocks of %s are damaged: 120 events are lost" % NAME in got["notices"], str(got["notices"]))
    with Folder() as folder:
        rec.write(folder, NAME, packed.header(), bytes(5000))
        true("is damaged at its end: the last 5000 bytes" in rec.analyze(folder).stdout, "left out")


@test
def damage_without_indices():
    good = [block.data() for block in packed.blocks(EVENTS, 10, index=0, chain=5)]
    got = report((NAME, packed.header(), *good[:4], flip(good[4], 70), *good[5:]))
    equal((got["events"], got["lost"]), (110, 10), "events")
    true("1 block of %s is damaged: 10 events are lost" % NAME in got["notices"], str(got["notices"]))
    got = report((NAME, packed.header(), *good[:4], bytes(500), *good[5:]))
    equal(got["events"], 110, "events")
    true("number nothing tells" in str(got["notices"]), str(got["notices"]))


# Words that no encoder writes, after two calls, in a block of ten events whose check is right.
WRONG = [
    ("exit of no known frame", lambda block: block.put("21H", *[5] * 21)),
    ("site 0", lambda block: block.put("HH", 4, 0)),
    ("undefined site", lambda block: block.put("HH", 4, 99)),
    ("too many pops", lambda block: block.put("4H", 0xFE03, 1, 3, 1)),
    ("exit of site 0", lambda block: block.put("4H", 0xFE03, 1, 0, 0)),
    ("exit of an undefined site", lambda block: block.put("4H", 0xFE03, 1, 0, 99)),
    ("word 0", lambda block: block.put("H", 0)),
    ("word 1", lambda block: block.put("H", 1)),
    ("word 0xFE00", lambda block: block.put("H", 0xFE00)),
    ("word 0xFE07", lambda block: block.put("H", 0xFE07)),
    ("word 0xFFFF", lambda block: block.put("H", 0xFFFF)),
    ("enter that is cut", lambda block: block.put("H", 4)),
    ("time that is cut", lambda block: block.put("HI", 0xFE01, 1)),
    ("record that is cut", lambda block: block.put("HQQ", 0xFE04, 1, 2)),
    ("words that are missing", lambda block: None),
]


@test
def words_that_are_wrong():
    for i, (what, put) in enumerate(WRONG):
        for order in "<>"[i % 2]:
            blocks = packed.blocks(EVENTS, 10, order)
            block = packed.Block(order, 1, 205, 41, blocks[0].ids)
            for event in EVENTS[40:44]:
                block.add(*event)
            block.forget()
            put(block)
            data = [one.data() for one in blocks]
            data[4] = block.data(records=10, events=10)
            damaged(data, 44, 50, 1, order, what=what)


@test
def words_that_are_wrong_behind_many():
    def deep(start):
        enters = [(ENTER, start + i, 0x5000 + 16 * i, 0, 1) for i in range(30)]
        return enters + calls(100, start=start + 50), [(EXIT, start + 1100, *call[2:]) for call in reversed(enters)]

    events = [(ENTER, 0, MAIN, 0, 1), *deep(1)[0][:-60], *deep(1)[1], *sum(deep(3000), []), *deep(5000)[0], *deep(5000)[1]]
    for i, (what, put) in enumerate(WRONG):
        blocks = packed.blocks(events, 200, NATIVE)
        block = packed.Block(NATIVE, 1, events[200][1], 201, blocks[0].ids)
        n = 371 + i % 2
        for event in events[200:n]:
            block.add(*event)
        block.forget()
        put(block)
        data = [one.data() for one in blocks]
        data[1] = block.data(records=200, events=200)
        damaged(data, n, 400, 1, NATIVE, events, what)


@test
def words_that_are_left():
    blocks = packed.blocks(EVENTS, 10)
    blocks[4].put("HH", 4, 1)
    damaged([block.data() for block in blocks], 50, 50)
    for wrong in (1, 15, 100):
        blocks = packed.blocks(within(calls(299, start=5), 5000), 200, NATIVE)
        data = [block.data() for block in blocks]
        data[1] = blocks[1].data(records=200 - wrong, events=200 - wrong)
        got = report((NAME, packed.header(NATIVE), *data))
        equal(got["events"], 600 - wrong, "events")
        true("1 block of %s is damaged" % NAME in str(got["notices"]), str(got["notices"]))


@test
def blocks_that_are_lost_between_stretches():
    events = within(calls(999, start=5), 20000)
    for per_block, lost in ((200, 3), (50, 10)):
        data = [block.data() for block in packed.blocks(events, per_block, NATIVE)]
        data[lost] = flip(data[lost], 70)
        damaged(data, per_block * lost, per_block * (lost + 1), 1, NATIVE, events, "%d a block" % per_block)
        # A gap that only an index tells.
        with_gap = report((NAME, packed.header(NATIVE, first_index=1), *data[:lost], *data[lost + 1:]))
        compare(with_gap, without(per_block * lost, per_block * (lost + 1), tuple(events)), False)


# Tails.


@functools.cache
def all_of(events):
    return report((NAME, rec.header(), as_records(events)))


def tails(segment, tail, wanted_events=EVENTS, order="<"):
    """The report of a segment and a tail is that of records."""
    files = [(TAIL, tail)] + ([(NAME, packed.header(order), *segment)] if segment is not None else [])
    compare(report(*files), all_of(tuple(wanted_events)), False)


@test
def tails_in_each_state():
    for order, chain, k in (("<", 1 << 30, 0), (">", 1 << 30, 7), ("<", 1, 11), ("<", 3, 1), (">", 3, 8)):
        blocks = packed.blocks(EVENTS, 10, order, chain=chain)
        data = [block.data() for block in blocks]
        offset = 80 + sum(map(len, data[:k]))
        tail = packed.tail(blocks[k], order, offset)
        done = EVENTS[:10 * k + 10]
        # Not flushed yet, flushed, torn in between, damaged there, and flushed with others behind it.
        tails(data[:k], tail, done, order)
        tails(data[:k + 1], tail, done, order)
        for cut in (1, 63, 64, 70, len(data[k]) - 1):
            tails(data[:k] + [data[k][:cut]], tail, done, order)
        for at in (3, 20, 66, len(data[k]) - 1):
            tails(data[:k] + [flip(data[k], at)], tail, done, order)
        tails(data, tail, order=order)


@test
def a_tail_alone():
    blocks = packed.blocks(EVENTS, 1000)
    tails(None, packed.tail(blocks[0]))
    with Folder() as folder:
        rec.write(folder, TAIL, bytes(5000))
        rec.analyze(folder, check=2)


@test
def tails_without_events():
    blocks = packed.blocks(EVENTS, 60)
    data = [block.data() for block in blocks]
    end = 80 + sum(map(len, data))
    for used in (0, 2, 62, 64):
        tails(data, packed.tail(packed.Block(index=121), offset=end, used=used))


@test
def a_tail_of_which_the_segment_has_a_part():
    blocks = packed.blocks(EVENTS, 60)
    first = blocks[0].data()
    for n in (1, 5, 59):
        flushed = packed.Block("<", 1, blocks[1].base, 61, dict(blocks[0].ids))
        for event in EVENTS[60:60 + n]:
            flushed.add(*event)
        tails([first, flushed.data()], packed.tail(blocks[1], offset=80 + len(first)))


@test
def a_tail_behind_missing_blocks():
    blocks = packed.blocks(EVENTS, 10, chain=4)
    data = [block.data() for block in blocks]
    got = report((NAME, packed.header(), *data[:6]), (TAIL, packed.tail(blocks[8], offset=80 + sum(map(len, data[:8])))))
    equal((got["events"], got["lost"]), (70, 20), "events")
    # What it needs of them isn't there either.
    got = report((NAME, packed.header(), *data[:6]), (TAIL, packed.tail(blocks[7], offset=80 + sum(map(len, data[:7])))))
    equal((got["events"], got["lost"]), (60, 20), "events")
    true("1 block of %s is damaged: " % TAIL in str(got["notices"]), str(got["notices"]))


@test
def a_tail_whose_dictionary_is_damaged():
    events = calls(10, 0x1000) + calls(10, 0x2000, 300) + calls(10, 0x3000, 500) + calls(10, 0x2000, 800)
    blocks = packed.blocks(events, 20)
    data = [block.data() for block in blocks]
    tail = packed.tail(blocks[3], offset=80 + sum(map(len, data[:3])))
    equal([block.first_site for block in blocks], [1, 2, 3, 4], "first sites")
    tails(data[:3], tail, events)
    # The blocks behind it are lost, and so is that of the tail.
    for k, left in ((0, 0), (1, 20), (2, 40)):
        bad = data[:k] + [flip(data[k], len(data[k]) - 15, 6)] + data[k + 1:3]
        got = report((NAME, packed.header(), *bad), (TAIL, tail))
        equal((got["events"], got["lost"]), (left, 80 - left), "events, block %d" % k)
        true("1 block of %s is damaged: 20 events are lost" % TAIL in got["notices"], str(got["notices"]))
    # What defines nothing that it needs may be damaged.
    calls_of_two = calls(10, 0x1000) + calls(10, 0x1000, 300) + calls(10, 0x3000, 800)
    blocks = packed.blocks(calls_of_two, 20)
    data = [block.data() for block in blocks]
    tail = packed.tail(blocks[2], offset=80 + sum(map(len, data[:2])))
    got = report((NAME, packed.header(), data[0], flip(data[1], 70)), (TAIL, tail))
    equal((got["events"], got["lost"]), (40, 20), "events")


def set_field(data, at, format, value):
    return data[:at] + struct.pack(format, value) + data[at + struct.calcsize(format):]


@test
def damaged_tails():
    blocks = packed.blocks(EVENTS, 60)
    first = blocks[0].data()
    tail = packed.tail(blocks[1], offset=80 + len(first))
    cases = [
        ("more used than there is", set_field(tail, 96, "<Q", 1 << 40), 60, ["damaged", "bytes in a buffer"]),
        ("more used than a block has", packed.tail(blocks[1], offset=80 + len(first), capacity=1 << 20, used=262146), 60, ["damaged"]),
        ("another magic", flip(tail, 130), 60, ["damaged", "no block begins"]),
        ("site 0 first", set_field(tail, 128 + 48, "<I", 0), 60, ["damaged", "no block begins"]),
        ("too many sites", set_field(tail, 128 + 52, "<I", 65535), 60, ["damaged"]),
        ("more sites than there is room", set_field(tail, 128 + 52, "<I", 1000), 60, ["damaged", "no room"]),
        ("an offset inside a block", set_field(tail, 88, "<Q", 90), 60, ["damaged", "no block of its segment begins at byte 90"]),
        ("an offset before the first block", set_field(tail, 88, "<Q", 40), 60, ["damaged", "byte 40"]),
        ("a word that there is not", set_field(tail, 128 + 64 + 8, "<H", 0), None, ["middle of a record"]),
        ("a cut file", tail[:128 + 64 + 20], None, ["cut short"]),
        ("event size", set_field(tail, 12, "<I", 32), 60, ["events of 32 bytes"]),
    ]
    for what, content, n, words in cases:
        got = report((NAME, packed.header(), first), (TAIL, content))
        if n is not None:
            equal(got["events"], n, what)
        else:
            true(60 < got["events"] < 120, "%s: %d" % (what, got["events"]))
        for word in words:
            true(word in str(got["notices"]), "%s: no “%s” in %s" % (what, word, got["notices"]))
    # The other kind of file.
    got = report((NAME, rec.header(), as_records(EVENTS[:60])), (TAIL, tail))
    equal(got["events"], 60, "of records")
    got = report((NAME, packed.header(), first), (TAIL, rec.tail(as_records(EVENTS[60:]), offset=80 + len(first))))
    equal(got["events"], 60, "of packed")


@test
def a_tail_says_what_it_has_of_the_clock():
    header = dict(flags=rec.TICKS, tick_hz=10 ** 9, t0_ticks=1000, t0_ns=5000)
    block = packed.blocks(EVENTS, 1000)[0]
    got = report((TAIL, packed.tail(block, anchor=(3000, 9000), **header)))
    wanted = report((TAIL, rec.tail(as_records(EVENTS), anchor=(3000, 9000), **header)))
    compare(got, wanted)


main()
