# SPDX-License-Identifier: MIT
"""convert: recordings of records become packed ones and back, and say the same."""

import json
import os
import random
import struct
import subprocess
import tempfile
import time

import compiled
import packed
import recordings as rec
import tap
from converting import EVENTS, contents, convert, fill, random_calls, refused
from packed_reports import ENTER, EXIT, LEAF, MAIN, MARKER, NAME, TAIL, as_records, calls
from tap import Folder, Skip, equal, main, test, true

COUNTERS = rec.COUNTERS


def report(folder, size=False):
    """The JSON report without what may differ: bytes, and numbers of bytes in notices."""
    data = json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)
    data.pop("recorded_bytes", None)
    if not size:
        data["notices"] = ["".join("#" if c.isdigit() else c for c in notice.replace("block", "record"))
                           for notice in data["notices"]]
        while any("##" in notice for notice in data["notices"]):
            data["notices"] = [notice.replace("##", "#") for notice in data["notices"]]
    return data


def same_reports(got, wanted, what=""):
    for key in sorted(set(got) | set(wanted)):
        equal(got.get(key), wanted.get(key), "%s %s" % (what, key))


def check_blocks(data, order):
    """What the headers of the blocks of a packed file say."""
    index, at = struct.unpack(order + "Q", data[72:80])[0], struct.unpack(order + "I", data[16:20])[0]
    while at < len(data):
        (magic, size, length, records, events, _tid, flags, told, _base, first_site, sites, check,
         zero) = struct.unpack(order + "8s6I2Q4I", data[at:at + 64])
        equal((magic, size, flags, zero), (b"CSBLOCK\0", 64, 0, 0), "header")
        true(64 + 16 * sites <= length <= min(262144, len(data) - at) and events <= records and records > 0, "sizes")
        equal(told, index, "index")
        if length < 20000:  # Python takes long
            words = data[at + 64:at + length - 16 * sites]
            parts = [data[at:at + 56] + bytes(8), words, data[at + 64 + len(words):at + length]]
            equal(check, packed.check(parts, order), "check")
        index += events if index else 0
        at += length


def there_and_back(files, identical=True, quiet=True, what=""):
    """Converts records to packed and back: equal bytes where `identical`, and equal reports.  The bytes between."""
    with Folder() as folder:
        source, there, back = folder + "/traces", folder + "/traces.packed", folder + "/back"
        fill(source, files)
        before = contents(source)
        first = convert(source, "--to", "packed")
        second = convert(there, "--to", "records", "--out", back)
        if quiet:
            equal((first.stderr, second.stderr), ("", ""), "stderr")
        equal(contents(source), before, "the source")
        between, after = contents(there), contents(back)
        # Those that were begun, no more, say nothing.
        before = {name: data for name, data in before.items() if not name.endswith((".tail", ".1.bin")) or
                  (len(data) >= 80 and any(data))}
        equal(sorted(between), sorted(before), "names")
        for name, data in before.items():
            if data[:8] == b"MLTRACE\0" and len(data) >= 80 and 32 in data[12:16]:
                order = "<" if data[8] else ">"
                equal(struct.unpack(order + "2I", between[name][8:16]), (3, 2), "version and size")
                if not name.endswith(".tail"):
                    equal(between[name][16:80], data[16:80], "the rest of the header")
                    check_blocks(between[name], order)
            if identical:
                equal(after[name], data, "%s %s" % (what, name))
        wanted = report(source)
        same_reports(report(there), wanted, what + " packed")
        same_reports(report(back), wanted, what + " back")
        return between


@test
def threads_and_segments_of_both_byte_orders():
    rand = random.Random(1)
    for order in "<>":
        files = []
        for tid in (1, 2, 77):
            index = 1
            for seq in range(3):
                events = random_calls(rand, rand.choice((1, 40, 9000)), tid, seq << 36)
                flags = rec.THREAD_START if seq == 0 else 0
                files.append(("trace.5.%d.%d.bin" % (tid, seq),
                              rec.header(order, pid=5, seq=seq, flags=flags, t0_ns=7, load_bias=0x1234, hook_ns=3,
                                         first_index=index), as_records(events, order)))
                index += sum(event[0] <= EXIT for event in events)
        between = there_and_back(files, what=order)
        size = sum(map(len, between.values()))
        true(size < sum(len(b"".join(parts)) for _name, *parts in files) / 3, "%d bytes" % size)


@test
def every_marker_and_kind():
    events = [(ENTER, 1, MAIN, 0, 1)]
    for code in list(range(0, 13)) + list(range(255, 270)) + [4711, 1 << 63]:
        for payload in (0, 1, (1 << 64) - 1):
            events.append((MARKER, len(events), code, payload, 1))
            events += [(ENTER, len(events), LEAF, 5, 1), (EXIT, len(events) + 1, LEAF, 5, 1)]
    events += [(COUNTERS, 3, 4, 5, 1), (4, 3, 4, 5, 1), (255, 3, 4, 5, 9)]
    for order in "<>":
        there_and_back([(NAME, rec.header(order), as_records(events, order))])


@test
def what_hooks_do_not_write():
    high = (1 << 64) - 1
    events = [(ENTER, 1, 0, 0, 1), (ENTER, 5, 1 << 48, 1, 1), (ENTER, 6, high, high, 1), (EXIT, 3, high, high, 1),
              (EXIT, high, 1 << 48, 1, 1), (EXIT, 0, 0, 0, 1), (EXIT, 2, LEAF, 1, 1)]
    for order in "<>":
        data = bytearray(as_records(events, order))
        for at, byte in ((29, 1), (32 + 30, 255), (6 * 32 + 31, 7)):
            data[at] = byte
        there_and_back([(NAME, rec.header(order), bytes(data))])
        there_and_back([(NAME, rec.header(order, header_size=112)[:80] + bytes(range(32)), bytes(data))])


@test
def streams_with_threads_in_turn():
    rand = random.Random(2)
    for order in "<>":
        threads = {tid: random_calls(rand, 900, tid) for tid in (3, 4, 5)}
        merged = []
        while any(threads.values()):
            tid = rand.choice([tid for tid in threads if threads[tid]])
            n = rand.choice((1, 2, 30))
            merged += threads[tid][:n]
            threads[tid] = threads[tid][n:]
        merged.insert(100, (MARKER, 1, 263, 4096, 3))
        merged.insert(200, (MARKER, 1, 256, 0, 4))
        there_and_back([("trace.stream.dev.%d.bin" % i, rec.header(order, pid=9, seq=i), as_records(merged[i * 1000:i * 1000 + 1000], order))
                        for i in range(3)])


@test
def wrapped_segments():
    events = calls(300)
    there_and_back([
        (NAME, rec.header(flags=rec.THREAD_START | rec.ROTATED, first_index=1), as_records(events[:100])),
        ("trace.1.1.3.bin", rec.header(flags=rec.ROTATED, seq=3, first_index=301),
         as_records([(MARKER, 2000, rec.WRAP, 100, 1), (MARKER, 2000, 265, 1, 1)] + events[300:450])),
        ("trace.1.1.5.bin", rec.header(flags=rec.ROTATED, seq=5), as_records(events[500:]))])


@test
def files_without_events():
    there_and_back([(NAME, rec.header(flags=rec.THREAD_START)), ("trace.1.2.0.bin", rec.header(), as_records(calls(3, tid=2)))])


@test
def anchors_and_ticks():
    head = dict(flags=rec.TICKS, t0_ticks=1000, t0_ns=5000, tick_hz=10 ** 9)
    there_and_back([(NAME, rec.header(**head), as_records([(ENTER, 2000, MAIN, 0, 1), (EXIT, 9000, MAIN, 0, 1),
                                                           (MARKER, 10000, rec.CLOCK, 9000, 1)]))])


@test
def tails_in_each_state():
    for order in "<>":
        records = [rec.event(*event, order) for event in EVENTS]
        for flushed, partial in ((0, 0), (0, 5), (100, 0), (100, 1), (100, 31), (101, 0), (140, 3), (len(records), 0)):
            segment = b"".join(records[:flushed]) + (records[flushed][:partial] if partial else b"")
            offset = min(flushed, 100)
            for end in {"<": (offset + 1, len(records)), ">": (150,)}[order]:
                tail = rec.tail(*records[offset:end], order=order, offset=80 + 32 * offset, first_index=1 + offset)
                files = [(NAME, rec.header(order, first_index=1, flags=rec.THREAD_START), segment), (TAIL, tail)]
                # What is half of a record, and not in the tail, isn't in the copy.
                whole = partial == 0 or end > flushed
                with Folder() as folder:
                    fill(folder + "/a", files)
                    first = convert(folder + "/a", "--to", "packed")
                    equal("middle of a record" in first.stderr, not whole, first.stderr)
                    second = convert(folder + "/a.packed", "--to", "records")
                    equal(second.stderr, "", "stderr")
                    wanted = report(folder + "/a")
                    for other in ("/a.packed", "/a.packed.records"):
                        got = report(folder + other)
                        if not whole:
                            wanted["notices"] = got["notices"] = None
                        same_reports(got, wanted, "%s %d+%d, %d" % (other, flushed, partial, end))


@test
def tails_and_what_they_say():
    data = as_records(EVENTS)
    tail = lambda *parts, **fields: (TAIL, rec.tail(*parts, **fields))
    segment = (NAME, rec.header(flags=rec.THREAD_START, first_index=1), data[:3200])
    ticks = dict(flags=rec.TICKS, tick_hz=10 ** 9, t0_ticks=1000, t0_ns=5000)
    clock = as_records([(kind, ts + 2000, *rest) for kind, ts, *rest in EVENTS])
    for files in (
            [tail(data)],  # alone
            [tail(data, first_index=1, flags=rec.THREAD_START)],
            [tail(data, offset=80 + 3200)],  # its segment is gone
            [tail(data, offset=80 + 3200, first_index=101)],
            [segment, tail(data[3200:], offset=80 + 3200 + 320)],  # more is missing
            [segment, tail(data[3200:], offset=80 + 3200 + 320, first_index=111)],
            [segment, tail(data[3200:], offset=80 + 3200, generation=3)],  # killed in a flush
            [segment, tail(data[3200:], seq=1, first_index=101)],  # for a segment that was not begun
            [segment, ("trace.1.1.1.bin", rec.header(seq=1)[:40]), tail(data[3200:], seq=1, first_index=101)],
            [segment, tail(data[3200:], offset=80 + 3201)],  # damaged
            [segment, tail(data[3200:], offset=40)],
            [segment, tail(offset=80 + 3200)],  # empty
            [segment, (TAIL, bytes(5000))],  # not begun
            [segment, tail(data[3200:], offset=80 + 3200, event_size=16)],  # of no known kind
            [tail(clock, anchor=(3000, 9000), **ticks)],
            [tail(clock, anchor=(3000, 9000), generation=5, **ticks)]):
        what = "tail %s" % (files,)
        there_and_back(files, identical=False, quiet=False, what=what[:200])


@test
def a_tail_of_more_than_a_block():
    events = [(MARKER, i, 4711, i, 1) for i in range(12000)]
    data = as_records(events)
    there_and_back([(NAME, rec.header(), data[:320]), (TAIL, rec.tail(data[320:], offset=400))], identical=False)
    with Folder() as folder:
        fill(folder + "/a", [(TAIL, rec.tail(data))])
        result = convert(folder + "/a", "--to", "packed", check=2)
        true("holds more than fits into a packed block" in result.stderr, result.stderr)
        equal(os.listdir(folder), ["a"], "what is left")


@test
def packed_ones_of_another_packer():
    rand = random.Random(4)
    for order in "<>":
        events = random_calls(rand, 3000)
        for per_block, chain in ((50, 1), (50, 1 << 30), (7, 3)):
            blocks = packed.blocks(events, per_block, order, chain=chain)
            data = [block.data() for block in blocks]
            k = len(blocks) // 2
            others = [event[:4] + (2,) for event in events]
            again = packed.blocks(others, per_block, order, chain=chain)
            with Folder() as folder:
                offset = 80 + sum(map(len, data[:k]))
                fill(folder + "/a", [(NAME, packed.header(order, flags=rec.THREAD_START, first_index=1), *data[:k]),
                                     (TAIL, packed.tail(blocks[k], order, offset, first_index=blocks[k].index)),
                                     ("trace.1.2.0.bin", packed.header(order, first_index=1), *[block.data() for block in again])])
                equal(convert(folder + "/a", "--to", "records").stderr, "", "stderr")
                found = contents(folder + "/a.records")
                equal(found["trace.1.2.0.bin"], rec.header(order, first_index=1) + as_records(others, order), "the whole file")
                done = k * per_block
                equal(found[NAME][80:], as_records(events[:done], order), "the segment")
                head = found[TAIL][:128]
                equal(struct.unpack(order + "QQ", head[88:104]), (80 + 32 * done, 32 * per_block), "where the tail belongs")
                equal(found[TAIL][128:128 + 32 * per_block], as_records(events[done:done + per_block], order), "the tail")
                convert(folder + "/a.records", "--to", "packed", "--out", folder + "/b")
                wanted = report(folder + "/a")
                same_reports(report(folder + "/a.records"), wanted)
                same_reports(report(folder + "/b"), wanted)


@test
def damaged_blocks():
    blocks = packed.blocks(EVENTS, 20)
    data = [block.data() for block in blocks]
    data[3] = data[3][:70] + bytes([data[3][70] ^ 1]) + data[3][71:]
    with Folder() as folder:
        fill(folder + "/a", [(NAME, packed.header(first_index=1), *data)])
        result = convert(folder + "/a", "--to", "records")
        equal(result.stderr, "! 1 block of %s is damaged: 20 events are lost\n" % NAME, "stderr")
        kept = EVENTS[:60] + [(MARKER, EVENTS[80][1], 263, 640, 1)] + EVENTS[80:]
        equal(contents(folder + "/a.records")[NAME], rec.header(first_index=1) + as_records(kept), "what is left")
        # Reports of both count the same.
        before, after = report(folder + "/a", size=True), report(folder + "/a.records", size=True)
        for key in ("events", "lost", "repaired", "unmatched_exits", "unclosed_enters"):
            equal(after[key], before[key], key)
        equal(before["lost"], 20, "lost")
        equal([notice for notice in after["notices"] if "are lost" in notice or "missing" in notice],
              ["20 events of process 1 are lost: they were damaged where its files were packed"], "a gap is told")
        # Indices of a next file that tell the same don't count it again.
        fill(folder + "/e", [(NAME, packed.header(first_index=1), *data[:4]),
                             ("trace.1.1.1.bin", packed.header(first_index=81), packed.blocks(calls(9, start=5000), 20)[0].data())])
        convert(folder + "/e", "--to", "records")
        equal([report(folder + "/" + name)["lost"] for name in ("e", "e.records")], [20, 20], "lost")
        # Of one that is not there at all only the index of the next tells.
        alone = [block.data() for block in packed.blocks(EVENTS, 20, chain=1)]
        fill(folder + "/d", [(NAME, packed.header(first_index=1), *alone[:3], *alone[4:])])
        convert(folder + "/d", "--to", "records")
        equal(contents(folder + "/d.records")[NAME], rec.header(first_index=1) + as_records(kept), "what is left")
        # Torn at the end.
        fill(folder + "/b", [(NAME, packed.header(first_index=1), *data[:3], data[4][:-5])])
        result = convert(folder + "/b", "--to", "records")
        equal(result.stderr, "! %s ends in the middle of a block: the last %d bytes are left out\n" % (NAME, len(data[4]) - 5),
              "stderr")
        equal(contents(folder + "/b.records")[NAME][80:], as_records(EVENTS[:60]), "what is left")
        # Records that are torn.
        fill(folder + "/c", [(NAME, rec.header(), as_records(EVENTS)[:-3])])
        result = convert(folder + "/c", "--to", "packed")
        equal(result.stderr, "! %s ends in the middle of a record: the last 29 bytes are left out\n" % NAME, "stderr")


@test
def what_lies_beside_is_copied():
    others = {"trace.1.process": b"CALLSIGHT-PROCESS 1\npid 1\n", "callsight.counters": b"\1\2", "recording.ini": b"[a]\n",
              "trace.summary.1.9.bin": rec.summary_header(), "trace.1.9.0.bin": b"MLTRACE\0\1\0\0\0\x20\0\0\0" + as_records(calls(1)),
              "trace.1.8.0.bin": b"no event file at all", "trace.1.7.0.bin": b""}
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(EVENTS))] + list(others.items()))
        rec.write(folder + "/a", "notes.txt", b"mine")
        os.mkdir(folder + "/a/modules")
        rec.write(folder + "/a/modules", "x", b"x")
        result = convert(folder + "/a/", "--to", "packed")
        for words in ("trace.1.9.0.bin is of version 1, which can't be packed — copied as it is",
                      "trace.1.8.0.bin is no event file", "trace.1.7.0.bin is empty — copied as it is"):
            true(words in result.stderr or "is ends" in words, result.stderr)
        found = contents(folder + "/a.packed")
        packed_one = found.pop(NAME)
        equal(found, others, "what was copied")
        true(packed_one.startswith(packed.header()), "what was packed")
        equal(os.stat(folder + "/a.packed").st_mode & 0o777, 0o700, "mode of the folder")
        for name in os.listdir(folder + "/a.packed"):
            equal(os.stat(folder + "/a.packed/" + name).st_mode & 0o777, 0o600, "mode of " + name)
        # A bundle, which says so.
        rec.write(folder + "/a", "bundle", b"CALLSIGHT-BUNDLE 1\n")
        os.mkdir(folder + "/a/sources")
        os.mkdir(folder + "/a/sources/0")
        rec.write(folder + "/a/sources/0", "main.c", b"int main;")
        os.symlink("/etc/passwd", folder + "/a/sources/0/link")
        convert(folder + "/a", "--to", "packed", "--out", folder + "/b")
        found = contents(folder + "/b")
        found.pop(NAME)
        equal(found, dict(others, **{"bundle": b"CALLSIGHT-BUNDLE 1\n", "modules/x": b"x", "sources/0/main.c": b"int main;"}),
              "what was copied")


@test
def what_is_of_the_format_already():
    with Folder() as folder:
        blocks = packed.blocks(EVENTS, 20)
        fill(folder + "/a", [(NAME, packed.header(), *[block.data() for block in blocks[:3]]),
                             (TAIL, packed.tail(blocks[3], offset=80 + sum(len(block.data()) for block in blocks[:3]))),
                             ("trace.1.2.0.bin", rec.header(), as_records(calls(5, tid=2)))])
        before = contents(folder + "/a")
        convert(folder + "/a", "--to", "packed")
        after = contents(folder + "/a.packed")
        equal(after[NAME], before[NAME], "copied")
        equal(after[TAIL][:128], before[TAIL][:128], "what the tail says")
        equal(after["trace.1.2.0.bin"][8], 3, "converted")
        same_reports(report(folder + "/a.packed"), report(folder + "/a"))
        convert(folder + "/a", "--to", "records")
        refused(folder, "a.packed", "--to", "packed", words=["a.packed: it is packed already, no copy was made"])
        refused(folder, "a.records", "--to", "records", words=["a.records: its events are records already, no copy was made"])


@test
def a_tail_of_the_format_already():
    """It goes with its segment: what that got meanwhile isn't in the copy twice, and what it had isn't missing."""
    data = as_records(EVENTS)
    blocks = packed.blocks(calls(5, tid=2), 20)
    for done in (100, 130, 202):
        with Folder() as folder:
            fill(folder + "/a", [(NAME, rec.header(flags=rec.THREAD_START, first_index=1), data[:32 * done]),
                                 (TAIL, rec.tail(data[3200:], offset=80 + 3200, first_index=101)),
                                 ("trace.1.2.0.bin", packed.header(), *[block.data() for block in blocks])])
            result = convert(folder + "/a", "--to", "records")
            true("event files unpacked: 1 (10 records" in result.stdout and "others copied: 2" in result.stdout, result.stdout)
            found = contents(folder + "/a.records")
            equal(found[NAME], contents(folder + "/a")[NAME], "the segment")
            equal(struct.unpack("<QQ", found[TAIL][88:104]), (80 + 32 * done, 32 * (202 - done)), "where the tail belongs")
            equal(found[TAIL][128:128 + 32 * (202 - done)], data[32 * done:], "the tail")
            same_reports(report(folder + "/a.records"), report(folder + "/a"), done)


@test
def one_file_under_two_names():
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(EVENTS)), ("trace.1.2.0.bin", rec.header(), as_records(calls(3, tid=2)))])
        os.link(folder + "/a/" + NAME, folder + "/a/trace.1.1.1.bin")
        os.symlink("trace.1.2.0.bin", folder + "/a/trace.1.2.1.bin")
        result = convert(folder + "/a", "--to", "packed")
        equal(result.stderr, "! trace.1.1.1.bin is the same file as trace.1.1.0.bin: left out\n"
              "! trace.1.2.1.bin is the same file as trace.1.2.0.bin: left out\n", "stderr")
        equal(sorted(os.listdir(folder + "/a.packed")), [NAME, "trace.1.2.0.bin"], "names")
        equal(report(folder + "/a.packed")["events"], len(EVENTS) + 6, "events")
        # Where they are copied.
        blocks = [block.data() for block in packed.blocks(calls(5, tid=3), 20)]
        rec.write(folder + "/a", "trace.1.3.0.bin", packed.header(), *blocks)
        convert(folder + "/a", "--to", "records")
        equal(sorted(os.listdir(folder + "/a.records")), [NAME, "trace.1.2.0.bin", "trace.1.3.0.bin"], "names")


@test
def an_empty_folder_may_be_there():
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(EVENTS))])
        os.mkdir(folder + "/b")
        convert(folder + "/a", "--to", "packed", "--out", folder + "/b")
        equal(os.listdir(folder + "/b"), [NAME], "what is there")
        convert(".", "--to", "packed", cwd=folder + "/a")
        equal(contents(folder + "/a.packed"), contents(folder + "/b"), "the default place")


@test
def a_real_program():
    with Folder() as folder:
        tap.run("gcc", "-O1", "-g", "-finstrument-functions", "-pthread", "-I" + tap.RUNTIME,
                os.path.join(tap.TOP, "tests", "cli", "programs", "counted.c"), compiled.runtime("gcc"),
                "-finstrument-functions-exclude-file-list=trace", "-o", folder + "/counted", check=0)
        for kind, other in (("records", "packed"), ("packed", "records")):
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as place:
                traces = place + "/traces"
                environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
                environ.update(TRACE_ENABLE="1", TRACE_DIR=traces, TRACE_SEG_MB="256K", TRACE_FORMAT=kind)
                rec.write(folder, "counts")
                with subprocess.Popen([folder + "/counted", folder + "/counts"], env=environ) as process:
                    while process.poll() is None and not os.path.getsize(folder + "/counts"):
                        time.sleep(0.001)
                    time.sleep(0.02)
                    process.kill()
                if not any(name.endswith(".tail") for name in os.listdir(traces)):
                    raise Skip("no file system here keeps reserved space")
                equal(convert(traces, "--to", other).stderr, "", "stderr")
                equal(convert(traces + "." + other, "--to", kind, "--out", place + "/back").stderr, "", "stderr")
                wanted = report(traces, size=True)
                true(wanted["events"] > 1000, "%d events" % wanted["events"])
                same_reports(report(traces + "." + other, size=True), wanted, "to " + other)
                same_reports(report(place + "/back", size=True), wanted, "and back")
                before, after = contents(traces), contents(place + "/back")
                before = {name: data for name, data in before.items() if len(data) >= 80}  # others were begun, no more
                equal(sorted(after), sorted(before), "names")
                for name in before:
                    if kind == "records" and name.endswith(".bin"):
                        whole = before[name][:80 + (len(before[name]) - 80) // 32 * 32]
                        true(after[name] in (before[name], whole), "%s: %d bytes, then %d" % (name, len(before[name]), len(after[name])))


RUNNING = r"""
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
static volatile int sum;
static int leaf (int n) { sum += n; return n; }
static int middle (int n) { return leaf (n) + leaf (n + 1); }
static void *brief (void *data) { for (int i = 0; i < 200; i++) middle (i); return data; }
static void *lasting (void *data) { for (;;) { for (int i = 0; i < 300; i++) middle (3); usleep (3000); } return data; }
int main (void)
{
  pthread_t threads[2];
  alarm (30);
  pthread_create (&threads[0], NULL, lasting, NULL);
  for (;;)
    {
      pthread_create (&threads[1], NULL, brief, NULL);
      pthread_join (threads[1], NULL);
      usleep (3000);
    }
}
"""


@test
def a_program_that_runs():
    """The copy is of one format, has no holes and no event twice, and says that there may be more."""
    with Folder() as folder:
        rec.write(folder, "running.c", RUNNING.encode())
        tap.run("gcc", "-O1", "-w", "-g", "-finstrument-functions", "-pthread", "-I" + tap.RUNTIME, folder + "/running.c",
                compiled.runtime("gcc"), "-finstrument-functions-exclude-file-list=trace", "-o", folder + "/running",
                check=0)
        for kind, to, more in (("records", "packed", {}), ("mixed", "records", {}),
                               ("packed", "records", {"TRACE_MAX_MB": "1", "TRACE_FULL": "wrap"})):
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as place:
                traces, copy = place + "/traces", place + "/copy"
                environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
                environ.update(TRACE_ENABLE="1", TRACE_DIR=traces, TRACE_SEG_MB="64K", TRACE_MAX_MB="100",
                               TRACE_FORMAT=to if kind == "mixed" else kind)
                environ.update(more)
                with subprocess.Popen([folder + "/running"], env=environ) as process:
                    try:
                        time.sleep(0.06)
                        if kind == "mixed":  # there is something to convert
                            other = [block.data() for block in packed.blocks(calls(5, tid=2), 20)]
                            rec.write(traces, "trace.1.2.0.bin", *((packed.header(), *other) if to == "records" else
                                                                   (rec.header(), as_records(calls(5, tid=2)))))
                        tails = any(name.endswith(".tail") for name in os.listdir(traces))
                        for _ in range(2 if more else 1):
                            result = convert(traces, "--to", to, "--out", copy)
                            true(not tails or "process %d still runs: what it records" % process.pid in result.stderr, result.stderr)
                            found = contents(copy)
                            equal({data[8] for name, data in found.items() if name.endswith((".bin", ".tail"))},
                                  {2 if to == "records" else 3}, "versions")
                            got = report(copy)
                            true(got["events"] > 1000, "%d events" % got["events"])
                            if not more:
                                equal((got["lost"], got["repaired"]), (0, 0), got["notices"])
                                true(got["unmatched_exits"] == 0, got["unmatched_exits"])
                            tap.run("rm", "-r", copy)
                    finally:
                        process.kill()


main()
