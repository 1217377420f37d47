# SPDX-License-Identifier: MIT
"""Tails of packed event files: what a thread had not written yet when it ended or was copied."""

import functools

import packed
import recordings as rec
from packed_reports import EVENTS, NAME, TAIL, as_records, calls, compare, flip, report, set_field
from tap import Folder, equal, main, test, true


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
