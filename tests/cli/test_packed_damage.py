# SPDX-License-Identifier: MIT
"""Packed event files of which something is damaged: what is left is reported, and what is lost."""

import json
import os
import random
import struct
import sys

import packed
import recordings as rec
import tap
from packed_reports import (ENTER, EVENTS, EXIT, MAIN, MARKER, NAME, OTHER, TAIL, as_records, calls, compare, flip,
                            report, set_field, within, without)
from tap import Folder, equal, main, test, true

NATIVE = "<" if sys.byteorder == "little" else ">"


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


main()
