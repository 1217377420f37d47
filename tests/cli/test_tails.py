# SPDX-License-Identifier: MIT
"""Tails: the buffers of threads that didn't end cleanly, or still run.

Each event is in the report once, wherever the last flush stopped: by hand for the single
situations, at random against the same events without any tail, and of a living process.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

import compiled
import recordings as rec
import tap
from recordings import CLOCK, ENTER, EXIT, MARKER, THREAD_START, TICKS
from tap import Folder, Skip, equal, main, test, true

SEGMENT, TAIL = "trace.1.1.0.bin", "trace.1.1.0.tail"
A = 0x1000
WRAP = 5


def calls(n, first=0, order="<", func=A, tid=1):
    """2 n records of n calls, each with a time of its own."""
    return [rec.event(i % 2, 10 * i, func, 0x2000, tid, order) for i in range(2 * first, 2 * (first + n))]


def report(*files):
    """The report of a recording of these files: (name, content)."""
    with Folder() as folder:
        for name, content in files:
            rec.write(folder, name, content)
        return rec.report(folder)


def whole(data, n, what=""):
    """n calls, each once, from the first on."""
    row = data["by_name"].get("0x1000", {"calls": 0, "incl_ns": 0, "open": 0})
    equal((data["events"], row["calls"], row["incl_ns"], row["open"]), (2 * n, n, 10 * n, 0), "events, calls " + what)
    equal([data[key] for key in ("unmatched_exits", "unclosed_enters", "repaired", "clamped", "lost")], [0] * 5, what)
    if n > 0:
        equal(data["per_thread"][0]["span_ms"], (20 * n - 10) / 1e6, "span " + what)
        equal(data["threads"], 1, "threads " + what)


def noticed(data, *words):
    found = [text for text in data["notices"] if all(word in text for word in words)]
    equal(len(found), 1, "notices with %r in %r" % (words, data["notices"]))


def silent(data, *words):
    for text in data["notices"]:
        true(not any(word in text for word in words), "%r in %r" % (words, text))


def killed(data, records, threads=1):
    noticed(data, "process 1 was killed or still runs", "last %d records of %d of its threads" % (records, threads))


@test
def what_was_never_flushed():
    # There is no segment yet: the tail is the track.
    for order in "<>":
        data = report((TAIL, rec.tail(*calls(5, order=order), order=order, first_index=1, flags=THREAD_START)))
        whole(data, 5)
        killed(data, 10)
        silent(data, "missing", "damaged")


@test
def a_tail_goes_on_where_its_segment_ends():
    for order in "<>":
        for size in (80, 96, 4096):
            segment = rec.header(order, header_size=size) + b"".join(calls(5, order=order))
            data = report((SEGMENT, segment),
                          (TAIL, rec.tail(*calls(3, 5, order), order=order, offset=len(segment))))
            whole(data, 8, "header of %d bytes" % size)
            killed(data, 6)


@test
def a_flush_that_stopped_at_any_byte():
    # Five calls were flushed earlier, the flush of three more stopped after n bytes.
    buffer = b"".join(calls(3, 5))
    before = rec.header() + b"".join(calls(5))
    for n in range(len(buffer) + 1):
        data = report((SEGMENT, before + buffer[:n]), (TAIL, rec.tail(buffer, offset=len(before))))
        whole(data, 8, "%d bytes" % n)
        silent(data, "middle of a record")
        if n < len(buffer):
            killed(data, 6 - n // 32)
        else:
            silent(data, "killed")


@test
def a_first_flush_that_stopped_at_any_byte():
    buffer = b"".join(calls(3))
    for n in range(0, len(buffer) + 1, 16):
        whole(report((SEGMENT, rec.header() + buffer[:n]), (TAIL, rec.tail(buffer))), 3, "%d bytes" % n)


@test
def more_was_flushed_since_the_tail_was_read():
    # The segment already holds the buffer and events after it.
    whole(report((SEGMENT, rec.header() + b"".join(calls(9))), (TAIL, rec.tail(*calls(3, 2), offset=80 + 4 * 32))), 9)
    files = [(SEGMENT, rec.header() + b"".join(calls(5))), (TAIL, rec.tail(*calls(3, 2), offset=80 + 4 * 32)),
             ("trace.1.1.1.bin", rec.header(seq=1) + b"".join(calls(3, 5)))]
    whole(report(*files), 8, "and a new segment was begun")


@test
def a_new_segment_took_what_the_tail_held():
    # The old one was full: the buffer went behind the first markers of another, as far as that was written.
    for order in "<>":
        old = rec.header(order, first_index=1) + b"".join(calls(5, order=order))
        head = [rec.event(MARKER, 0, WRAP, n, 1, order) for n in (5, 7)]
        for n_markers in range(3):
            for n in range(7, 17, 3):
                new = rec.header(order, seq=1, first_index=11) + b"".join(head[:n_markers] + calls(8, 5, order)[:n])
                data = report((SEGMENT, old), ("trace.1.1.1.bin", new),
                              (TAIL, rec.tail(*calls(3, 5, order), order=order, offset=len(old), first_index=11)))
                equal((data["events"], data["lost"], data["unmatched_exits"]), (10 + n, 0, 0), "%d, %d" % (n_markers, n))
        new = rec.header(order, seq=1, first_index=11) + b"".join(head + calls(3, 5, order)[:4])
        whole(report((SEGMENT, old), ("trace.1.1.1.bin", new),
                     (TAIL, rec.tail(*calls(3, 5, order), order=order, offset=len(old), first_index=11))), 8)


@test
def half_a_record_that_the_tail_does_not_hold():
    half = calls(1, 5)[0][:20]
    data = report((SEGMENT, rec.header() + b"".join(calls(5)) + half), (TAIL, rec.tail(offset=80 + 10 * 32)))
    whole(data, 5)
    noticed(data, SEGMENT, "middle of a record", "last 20 bytes")


@test
def the_segment_that_a_tail_names_not_the_one_of_its_name():
    # A tail keeps its name while its thread goes on to segment 11, which is not between 1 and 2.
    files = [("trace.1.1.%d.bin" % seq, rec.header(seq=seq, first_index=2 * seq + 1) + b"".join(calls(1, seq)))
             for seq in range(12)]
    data = report(*files, (TAIL, rec.tail(*calls(2, 12), seq=11, offset=144, flags=THREAD_START, first_index=1)))
    whole(data, 14)
    killed(data, 4)


@test
def a_call_that_spans_segment_and_tail():
    data = report((SEGMENT, rec.header(first_index=1, flags=THREAD_START) + rec.event(ENTER, 0, A)),
                  (TAIL, rec.tail(rec.event(ENTER, 10, 0x3000), rec.event(EXIT, 20, A), offset=112, first_index=1,
                                  flags=THREAD_START)))
    equal((data["threads"], data["repaired"], data["by_name"]["0x1000"]["incl_ns"]), (1, 1, 20), "one thread")


@test
def a_new_thread_that_was_never_flushed():
    data = report((SEGMENT, rec.header(first_index=1, flags=THREAD_START) + rec.event(ENTER, 0, A)),
                  ("trace.1.1.1.tail", rec.tail(rec.event(EXIT, 20, A), seq=1, first_index=1, flags=THREAD_START)))
    equal((data["threads"], data["unclosed_enters"], data["unmatched_exits"]), (2, 1, 1), "two threads")


@test
def an_empty_tail_says_nothing():
    data = report((SEGMENT, rec.header() + b"".join(calls(5))), (TAIL, rec.tail(offset=80 + 320)))
    whole(data, 5)
    equal(len(data["notices"]), 1, "only that nothing is named: %r" % data["notices"])
    whole(report((TAIL, rec.tail(capacity=4096))), 0)


@test
def a_tail_that_was_not_begun():
    for content in (b"", bytes(50), bytes(4096)):
        data = report((SEGMENT, rec.header() + b"".join(calls(5))), ("trace.1.2.0.tail", content))
        whole(data, 5)
        equal(len(data["notices"]), 1, "only that nothing is named: %r" % data["notices"])


@test
def threads_that_still_ran_when_their_process_ended():
    data = report((SEGMENT, rec.header() + b"".join(calls(5)) + rec.event(MARKER, 100, CLOCK, 100)),
                  ("trace.1.2.0.tail", rec.tail(*calls(2, tid=2))))
    noticed(data, "1 threads of process 1 still ran when it ended", "last 4 records")
    silent(data, "killed")


@test
def a_tail_of_another_image_of_the_process():
    data = report((SEGMENT, rec.header(t0_ns=1) + b"".join(calls(5))),
                  ("trace.1.1.1.tail", rec.tail(*calls(2, func=0x3000), seq=1, t0_ns=2)))
    equal((data["threads"], data["events"], data["clamped"]), (2, 14, 0), "two processes")


@test
def the_anchor_of_a_tail_is_the_rate_of_its_process():
    head = dict(flags=TICKS, tick_hz=10 ** 8, t0_ticks=0, t0_ns=0)
    segment = rec.header(**head) + b"".join(calls(5))
    marker = rec.event(MARKER, 10 ** 6, CLOCK, 5 * 10 ** 6)
    for generation, anchor, more, wanted in ((2, (10 ** 6, 3 * 10 ** 6), b"", 3), (2, (0, 0), b"", 10),
                                             (3, (10 ** 6, 3 * 10 ** 6), b"", 10),
                                             (2, (10 ** 6, 3 * 10 ** 6), marker, 5),
                                             (2, (2 * 10 ** 6, 14 * 10 ** 6), marker, 7),
                                             (2, (10 ** 6, 1), b"", 10)):
        # The tail is another thread's: one process, one rate.
        data = report((SEGMENT, segment + more),
                      ("trace.1.2.0.tail", rec.tail(*calls(1, func=0x3000, tid=2), anchor=anchor,
                                                    generation=generation, **head)))
        equal(data["by_name"]["0x1000"]["incl_ns"], 50 * wanted, "ns a tick, of %r" % ((generation, anchor),))
        equal(bool([text for text in data["notices"] if "did not come to its end" in text]), wanted == 10, "notice")


@test
def a_process_without_any_segment_has_the_rate_of_its_tail():
    head = dict(flags=TICKS, tick_hz=0, t0_ticks=5, t0_ns=7)
    data = report((TAIL, rec.tail(*calls(5), anchor=(1005, 3007), **head)))
    equal(data["by_name"]["0x1000"]["incl_ns"], 150, "3 ns a tick")


@test
def a_flush_that_was_killed_half_way():
    # It has written; then first of all it says that the buffer is free.
    flushed = rec.header() + b"".join(calls(8))
    for used in (6 * 32, 0):
        data = report((SEGMENT, flushed), (TAIL, rec.tail(*calls(3, 5), offset=80 + 320, used=used, generation=7)))
        whole(data, 8)
        noticed(data, TAIL, "middle of a flush")
    data = report((SEGMENT, rec.header() + b"".join(calls(5))),
                  (TAIL, rec.tail(*calls(3, 5), offset=80 + 320, generation=7)))
    whole(data, 8, "of a write that failed")


BUFFER = b"".join(calls(3, 5))

# What is wrong with a tail after five flushed calls, how many calls are left, and words of the notice.
DAMAGED = [
    ("more used than there is", rec.tail(BUFFER, offset=400, capacity=192, used=224), 5, ["damaged", "224 bytes", "192"]),
    ("absurdly much used", rec.tail(BUFFER, offset=400, used=1 << 63), 5, ["damaged"]),
    ("of an absurdly large buffer", rec.tail(BUFFER, offset=400)[:84] + b"\xff" * 4 + rec.tail(BUFFER, offset=400)[88:], 5,
     ["damaged", "4294967295 bytes"]),
    ("used not a multiple of 32", rec.tail(BUFFER, offset=400, used=4 * 32 + 9), 7, ["middle of a record", "last 9 bytes"]),
    ("cut short", rec.tail(BUFFER, offset=400, capacity=192)[:-60], 7, ["cut short", "132 of 192 bytes"]),
    ("shorter than its header", rec.tail(BUFFER)[:127], 5, ["damaged", "128 bytes", "127"]),
    ("shorter than an event file's header", rec.tail(BUFFER)[:79], 5, ["79 bytes", "header"]),
    ("of another magic", b"X" + rec.tail(BUFFER)[1:], 5, ["no event file"]),
    ("of version 1", rec.tail(BUFFER)[:8] + b"\1\0\0\0" + rec.tail(BUFFER)[12:], 5, ["version 1", "no tails"]),
    ("of version 3", rec.tail(BUFFER, version=3), 5, ["32 bytes", "version 3"]),
    ("with the header of an event file", rec.tail(BUFFER, header_size=80), 5, ["damaged", "80 bytes"]),
    ("with an offset before the first record", rec.tail(BUFFER, offset=48), 5, ["damaged", "byte 48"]),
    ("with an offset inside a record", rec.tail(BUFFER, offset=401), 5, ["damaged", "byte 401"]),
]


@test
def damaged_tails():
    for what, content, left, words in DAMAGED:
        try:
            data = report((SEGMENT, rec.header() + b"".join(calls(5))), (TAIL, content))
            equal(data["by_name"]["0x1000"]["calls"], left, "calls")
            equal((data["unmatched_exits"], data["repaired"], data["clamped"]), (0, 0, 0), "well formed")
            noticed(data, TAIL, *words)
        except AssertionError as error:
            raise AssertionError("a tail %s: %s" % (what, error)) from error


@test
def a_damaged_tail_alone_is_refused():
    with Folder() as folder:
        rec.write(folder, TAIL, rec.tail(BUFFER, used=1 << 40))
        result = rec.analyze(folder, check=2)
        equal((result.stdout, len(result.stderr.splitlines())), ("", 1), result.stderr)
        true(TAIL in result.stderr and "damaged" in result.stderr, result.stderr)


@test
def what_is_no_regular_file_is_no_tail():
    with Folder() as folder:
        rec.write(folder, SEGMENT, rec.header(), *calls(5))
        os.mkdir(os.path.join(folder, TAIL))
        os.mkfifo(os.path.join(folder, "trace.1.2.0.tail"))
        data = rec.report(folder)
        whole(data, 5)
        noticed(data, TAIL, "not a regular file")
        noticed(data, "trace.1.2.0.tail", "not a regular file")


@test
def events_missing_before_a_tail():
    opened = rec.event(ENTER, 0, 0x3000)
    data = report((SEGMENT, rec.header() + opened), (TAIL, rec.tail(*calls(2, 5), offset=80 + 320)))
    equal((data["events"], data["repaired"]), (5, 1), "what was open at the gap ends after it")
    noticed(data, TAIL, "byte 400", "ends at 112", "missing")
    data = report((TAIL, rec.tail(*calls(2, 5), seq=3, offset=80 + 320)))
    equal(data["by_name"]["0x1000"]["calls"], 2, "the tail alone")
    noticed(data, TAIL, "byte 400", "is not there", "missing")


@test
def events_missing_before_a_tail_that_tells_its_index():
    opened = rec.event(ENTER, 0, 0x3000)
    tail = rec.tail(*calls(2, 5), offset=80 + 320, first_index=11)
    for files, lost in (([(SEGMENT, rec.header(first_index=1) + opened)], 9), ([], 10)):
        data = report(*files, (TAIL, tail))
        equal((data["lost"], data["repaired"], data["by_name"]["0x1000"]["calls"]), (lost, len(files), 2), "counted")
        noticed(data, "%d events of 1 threads are missing" % lost)
        silent(data, "is not there", "ends at")


@test
def a_flush_into_a_new_segment_that_stopped_at_any_step():
    old = ("trace.1.1.0.bin", rec.header(first_index=1, flags=THREAD_START) + b"".join(calls(5)))
    head = rec.header(seq=1, first_index=11)
    markers = b"".join(rec.event(MARKER, 90, rec.ON, i) for i in range(2))
    buffer = b"".join(calls(3, 5))

    def check(segment, what, **where):
        files = [old] + ([("trace.1.1.1.bin", segment)] if segment is not None else [])
        data = report(*files, (TAIL, rec.tail(buffer, first_index=11, **where)))
        whole(data, 8, what)
        silent(data, "missing", "damaged", "skipped", "middle of a record")

    before, half, after = dict(seq=0, offset=400), dict(seq=1, offset=400), dict(seq=1, offset=80 + 64)
    check(None, "before it", **before)
    for n in (0, 15, 16, 79):
        check(head[:n], "%d bytes of a header" % n, **before)
    check(head, "a header", **before)
    for generation in (5, 6):
        check(head, "the number", generation=generation, **half)
        check(head, "the offset", generation=generation, **after)
    for n in range(len(markers + buffer) + 1):
        check(head + (markers + buffer)[:n], "%d bytes" % n, **after)
    check(head + markers + buffer, "freed", used=0, **after)


@test
def random_damage():
    """Whatever bytes are wrong: a report or one sentence."""
    rand = random.Random(4)
    for _ in range(150):
        content = bytearray(rec.tail(*calls(3, 5), offset=400, flags=TICKS, tick_hz=10 ** 9))
        for _ in range(rand.randint(1, 4)):
            content[rand.randrange(140)] = rand.choice([0, 1, 127, 128, 255, rand.randrange(256)])
        with Folder() as folder:
            if rand.random() < 0.7:
                rec.write(folder, SEGMENT, rec.header(flags=TICKS, tick_hz=10 ** 9), *calls(5))
            rec.write(folder, TAIL, content[:rand.choice([len(content), rand.randrange(len(content))])])
            result = rec.analyze(folder, check=None)
            equal((result.returncode, len(result.stderr.splitlines())) in ((0, 0), (2, 1)), True, result.stderr)


@test
def single_files():
    with Folder() as folder:
        segment = rec.write(folder, SEGMENT, rec.header(), *calls(5))
        tail = rec.write(folder, TAIL, rec.tail(*calls(3, 4), offset=80 + 8 * 32))
        whole(rec.report(segment), 5)
        whole(rec.report(segment, tail), 7)
        whole(rec.report(tail, segment), 7)
        whole(rec.report(folder, tail, segment), 7)


class Thread:
    """The same random events twice: in segments, and as a kill at a random moment leaves them."""

    def __init__(self, rand, tid, head, order):
        self.rand = rand
        self.tid, self.head, self.order = tid, head, order
        self.stack = []
        self.now = rand.randrange(100)
        self.count = 0

    def records(self, n):
        for _ in range(n):
            self.now += self.rand.choice([0, 1, 100])
            enter = not self.stack or len(self.stack) < 9 and self.rand.random() < 0.5
            func = 0x1000 + 16 * self.rand.randrange(8) if enter else self.stack.pop()
            if enter:
                self.stack.append(func)
            self.count += 1
            yield rec.event(ENTER if enter else EXIT, self.now, func, func + 4, self.tid, self.order)
            if self.rand.random() < 0.05:
                yield rec.event(rec.COUNTERS, 1, 2, 3, self.tid, self.order)

    def write(self, plain, cut):
        rand = self.rand
        segments = rand.randint(1, 12)
        for seq in range(segments):
            first_index = self.count + 1
            head = rec.header(self.order, seq=seq, first_index=first_index, **dict(
                self.head, flags=self.head["flags"] | (THREAD_START if seq == 0 else 0)))
            records = list(self.records(rand.choice([0, 1, 10, 200])))
            name = "trace.1.%d.%d" % (self.tid, seq)
            rec.write(plain, name + ".bin", head, *records)
            if seq < segments - 1:
                rec.write(cut, name + ".bin", head, *records)
                continue
            # The buffer began at a record that had been flushed up to; then some bytes of it
            # were written; it may have been freed, or hold older bytes behind what is used.
            start = rand.randint(0, len(records))
            whole_bytes = b"".join(records)
            written = rand.randint(32 * start, len(whole_bytes))
            if start > 0 or rand.random() < 0.5:
                rec.write(cut, name + ".bin", head, whole_bytes[:written])
            first = rand.choice([0, seq])
            rec.write(cut, "trace.1.%d.%d.tail" % (self.tid, first),
                      rec.tail(*records[start:], order=self.order, seq=seq, offset=80 + 32 * start,
                               capacity=len(whole_bytes) + 3200, generation=2 * rand.randrange(9),
                               first_index=first_index, **self.head))


def without_notices(folder):
    data = json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)
    del data["notices"]
    return data


@test
def random_kills():
    for seed in range(60):
        rand = random.Random(seed)
        order = rand.choice("<>")
        with Folder() as plain, Folder() as cut:
            for tid in range(1, rand.randint(2, 5)):
                Thread(rand, tid, dict(flags=0, t0_ns=5), order).write(plain, cut)
            try:
                got, wanted = without_notices(cut), without_notices(plain)
                for key in wanted:
                    equal(got[key], wanted[key], key)
                for name in ("folded", "chrome"):
                    true(rec.analyze(cut, "--format", name).stdout == rec.analyze(plain, "--format", name).stdout, name)
            except AssertionError as error:
                raise AssertionError("seed %d: %s" % (seed, error)) from error


# Records calls as a thread does: a mapped tail, flushes, new segments.  Each event has the time
# of its number, so that every lost or doubled one shows, and the number of complete ones stands
# in a mapped file.
LIVING = r"""
import mmap, os, sys, time
sys.path.insert(0, sys.argv[2])
import recordings as rec
os.chdir(sys.argv[1])
CAPACITY, SEGMENT, ORDER = 32 * 300, 32 * 1500, "<" if sys.byteorder == "little" else ">"
def mapped(name, content):
    with open(name, "w+b") as file:
        file.write(content)
        file.flush()
        return mmap.mmap(file.fileno(), 0)
tail = mapped("trace.1.1.0.tail", rec.tail(order=ORDER, capacity=CAPACITY, flags=rec.THREAD_START, first_index=1))
# Through these a number is stored at once.  struct.pack_into () would clear it first.
count = memoryview(mapped("count", bytes(8))).cast("Q")
fields, halves = memoryview(tail).cast("Q"), memoryview(tail).cast("I")
GENERATION, SEQ, USED, OFFSET = 120 // 4, 80 // 4, 96 // 8, 88 // 8
seq, offset, used, number, out = 0, 80, 0, 0, None
print("ready", flush=True)
while True:
    if used == CAPACITY:
        if out is None:
            out = open("trace.1.1.%d.bin" % seq, "wb", buffering=0)
            out.write(rec.header(ORDER, seq=seq))
        out.write(tail[128:128 + 1000])
        out.write(tail[128 + 1000:128 + used])
        offset, used = offset + used, 0
        halves[GENERATION] += 1
        fields[USED] = 0
        if offset > SEGMENT:
            seq, offset = seq + 1, 80
            out = open("trace.1.1.%d.bin" % seq, "wb", buffering=0)
            out.write(rec.header(ORDER, seq=seq, first_index=number + 1))
        halves[SEQ], fields[OFFSET] = seq, offset
        halves[GENERATION] += 1
        time.sleep(0.001)
    tail[128 + used:128 + used + 32] = rec.event(number % 2, number, 0x1000 + number % 14 // 2 * 16, order=ORDER)
    used, number = used + 32, number + 1
    fields[USED] = used
    count[0] = number
"""


class Living:
    """A process that records into a folder until it is killed."""

    def __init__(self, folder):
        self.process = subprocess.Popen([sys.executable, "-c", LIVING, folder, os.path.join(tap.TOP, "tests")],
                                        stdout=subprocess.PIPE)

    def __enter__(self):
        self.process.stdout.readline()
        return self.process

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def first_events(folder):
    """Checks that the report has each event from the first on, once; how many they are."""
    data = rec.report(folder)
    equal([data[key] for key in ("unmatched_exits", "repaired", "clamped", "lost")], [0] * 4, "well formed")
    if data["events"] > 0:
        equal(round(data["span_ms"] * 1e6), data["events"] - 1, "each event from the first on, once")
    silent(data, "missing", "damaged", "middle of a record", "faster")
    return data["events"]


@test
def a_living_process():
    with Folder() as folder, Living(folder):
        seen = 0
        for _ in range(40):
            events = first_events(folder)
            true(events >= seen, "it only grows")
            seen = events
            time.sleep(0.01)
        true(seen > 1500, "%d events seen" % seen)


@test
def a_process_killed_at_any_moment():
    rand = random.Random(3)
    for _ in range(12):
        with Folder() as folder:
            with Living(folder):
                time.sleep(rand.random() * 0.05)
            with open(os.path.join(folder, "count"), "rb") as file:
                count = int.from_bytes(file.read(), sys.byteorder)
            events = first_events(folder)
            true(events in (count, count + 1), "%d events of %d" % (events, count))


def counted(folder):
    """Builds the program that counts its own calls, into a folder where tails can be."""
    tap.run("gcc", "-O1", "-g", "-finstrument-functions", "-pthread", "-I" + tap.RUNTIME,
            os.path.join(tap.TOP, "tests", "cli", "programs", "counted.c"), compiled.runtime("gcc"),
            "-finstrument-functions-exclude-file-list=trace", "-o", folder + "/counted", check=0)


def returned(folder):
    """How many calls have returned, of each thread."""
    try:
        with open(folder + "/counts", "rb") as file:
            return list(memoryview(file.read(16).ljust(16, b"\0")).cast("Q"))
    except FileNotFoundError:
        return [0, 0]


@test
def a_real_program_killed_at_any_moment():
    rand = random.Random(6)
    with Folder() as folder:
        counted(folder)
        for _ in range(8):
            rec.write(folder, "counts")
            # Reserved space is kept there, so that buffers are tails.
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as traces:
                environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
                environ.update(TRACE_ENABLE="1", TRACE_DIR=traces, TRACE_SEG_MB="256K")
                with subprocess.Popen([folder + "/counted", folder + "/counts"], env=environ) as process:
                    while process.poll() is None and not all(returned(folder)):
                        time.sleep(0.005)
                    time.sleep(rand.random() * 0.1)
                    process.kill()
                if not any(name.endswith(".tail") for name in os.listdir(traces)):
                    raise Skip("no file system here keeps reserved space")
                counts = returned(folder)
                data = rec.report(traces)
                for name, count in zip(("first", "second"), counts):
                    seen = data["by_name"][name]["calls"]
                    true(seen in (count, count + 1), "%s: %d calls of %d" % (name, seen, count))
                equal([data[key] for key in ("unmatched_exits", "repaired", "clamped", "lost")], [0] * 4, "well formed")
                silent(data, "missing", "damaged", "skipped", "middle of a record", "no closing clock anchor")


main()
