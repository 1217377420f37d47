# SPDX-License-Identifier: MIT
"""Recordings that no program means to leave: what is right of them is reported exactly, and what
is missing is told.

CALLSIGHT_TEST_DEEP=10000000 opens as many calls in one thread (3 GB of memory); 500,000 otherwise.
"""

import array
import json
import os

import recordings as rec
from recordings import CLOCK, ENTER, EXIT, MARKER, THREAD_START, TICKS
from tap import CLI, Folder, equal, main, run, test, true

A, B, C, D = 0x1000, 0x2000, 0x3000, 0x4000
DEEP = int(os.environ.get("CALLSIGHT_TEST_DEEP", "500000"))
LONG = 2 ** 40


def enter(ts, func, tid=1):
    return rec.event(ENTER, ts, func, 0, tid)


def leave(ts, func, tid=1):
    return rec.event(EXIT, ts, func, 0, tid)


def many(kind, n, first, step, func, tid=1):
    """The bytes of n events of a function, quickly."""
    words = array.array("Q", bytes(32 * n))
    words[0::4] = array.array("Q", range(first, first + step * n, step) if step else [first]) * (1 if step else n)
    words[1::4] = array.array("Q", [func]) * n
    words[3::4] = array.array("Q", [tid | kind << 32]) * n
    if memoryview(words).tobytes()[:32] != rec.event(kind, first, func, 0, tid):
        words.byteswap()
    return words.tobytes()


def report(*files, every_format=True):
    """The JSON report of (name, bytes…). Its sums agree, and those of the other formats with them."""
    with Folder() as folder:
        for name, *parts in files:
            rec.write(folder, name, *parts)
        data = rec.report(folder)
        equal(sum(row["self_ns"] for row in data["rows"]), data["self_ns"], "Σ rows = Σ self")
        equal(sum(thread["self_ns"] for thread in data["per_thread"]), data["self_ns"], "Σ threads = Σ self")
        if every_format:
            equal(sum(rec.folded(folder).values()), data["self_ns"], "Σ folded = Σ self")
            equal(rec.nested_self(rec.chrome_events(folder)), data["self_ns"], "Σ chrome = Σ self")
            for name in ("text", "callers"):
                true(rec.analyze(folder, "--format", name).stdout.strip(), name)
        return data


def row(data, func, *keys):
    return tuple(data["by_name"][func if isinstance(func, str) else "0x%x" % func][key] for key in keys)


def noticed(data, *words):
    true(any(all(word in text for word in words) for text in data["notices"]), "%r in %r" % (words, data["notices"]))


def silent(data, *words):
    for text in data["notices"]:
        true(not any(word in text for word in words), text)


# A thread of 14 events in three segments, of which the second is gone with 6 events.
#   0 A( 10 B( 20 )B 30 B(  |  40 )B 50 C( 60 C( 70 )C 80 B( 90 )B  |  100 )C 110 B( 130 )B 200 )A
FIRST = enter(0, A) + enter(10, B) + leave(20, B) + enter(30, B)
LAST = leave(100, C) + enter(110, B) + leave(130, B) + leave(200, A)


def check_gap(data):
    # A and the second B were open at the gap and end at the first event behind it; the exits of
    # C and A behind it have no open call any more.
    equal((data["events"], data["repaired"], data["unmatched_exits"], data["unclosed_enters"]), (8, 2, 2, 0), "events")
    equal(row(data, A, "calls", "repaired", "incl_ns", "self_ns"), (1, 1, 100, 20), "A")
    equal(row(data, B, "calls", "repaired", "incl_ns", "self_ns", "min_ns", "max_ns"), (3, 1, 100, 100, 10, 20), "B")
    equal((data["functions"], data["self_ns"]), (2, 120), "functions and self time")


@test
def a_middle_segment_is_gone():
    other = ("trace.1.2.0.bin", rec.header(first_index=1, flags=THREAD_START), enter(5, D, tid=2), leave(95, D, tid=2))
    data = report(("trace.1.1.0.bin", rec.header(first_index=1, flags=THREAD_START), FIRST),
                  ("trace.1.1.2.bin", rec.header(seq=2, first_index=11), LAST))
    check_gap(data)
    equal(data["lost"], 6, "lost")
    noticed(data, "6 events of 1 threads are missing")
    data = report(("trace.1.1.0.bin", rec.header(first_index=1, flags=THREAD_START), FIRST),
                  ("trace.1.1.2.bin", rec.header(seq=2, first_index=11), LAST), other)
    equal((data["lost"], data["unmatched_exits"], data["threads"]), (6, 2, 2), "beside a whole thread")
    equal(row(data, D, "calls", "repaired", "incl_ns"), (1, 0, 90), "the other thread")


@test
def a_middle_segment_is_gone_and_nothing_tells_how_much_it_held():
    # Files that don't tell the index of their first event: the numbers of the segments do.
    first = ("trace.1.1.0.bin", rec.header(), FIRST)
    data = report(first, ("trace.1.1.2.bin", rec.header(seq=2), LAST))
    check_gap(data)
    equal(data["lost"], 0, "not known")
    noticed(data, "1 segments between trace.1.1.0.bin and trace.1.1.2.bin", "missing")
    check_gap(report(first, ("trace.1.1.12.bin", rec.header(seq=12), LAST)))

    # One that can't be read is no better than one that isn't there.
    data = report(first, ("trace.1.1.1.bin", b"MLTR"), ("trace.1.1.2.bin", rec.header(seq=2), LAST))
    check_gap(data)
    noticed(data, "trace.1.1.1.bin", "skipped")

    # A thread that begins with its file, and a capture that rotated and tells so itself.
    data = report(("trace.1.1.0.bin", rec.header(), enter(0, A), leave(10, A)),
                  ("trace.1.1.2.bin", rec.header(seq=2, flags=THREAD_START), enter(20, A), leave(25, A)),
                  ("trace.1.1.4.bin", rec.header(seq=4, flags=rec.ROTATED), enter(30, A), leave(35, A)))
    silent(data, "segments")
    equal(row(data, A, "calls", "repaired", "incl_ns"), (3, 0, 20), "A")


@test
def several_segments_are_gone_here_and_there():
    files = [("trace.1.1.%d.bin" % seq, rec.header(seq=seq, first_index=1 + 4 * seq),
              *[event for i in range(2) for event in (enter(100 * seq + 10 * i, A), leave(100 * seq + 10 * i + 3, A))])
             for seq in range(40) if seq not in (3, 4, 5, 17, 38)]
    data = report(*files)
    equal((data["events"], data["lost"], data["repaired"], data["unmatched_exits"]), (140, 20, 0, 0), "counts")
    equal(row(data, A, "calls", "incl_ns", "p99_ns"), (70, 210, 3), "A")
    noticed(data, "20 events of 1 threads are missing")


@test
def calls_of_18_minutes():
    # 2^40 ns, and more of them than 2^53 ns.
    n = 10000
    parts = [event for i in range(n) for event in (
        enter(4 * LONG * i, A), enter(4 * LONG * i + 5, B), leave(4 * LONG * i + 5 + LONG, B), leave(4 * LONG * i + 10 + LONG, A))]
    data = report(("trace.1.1.0.bin", rec.header(), *parts))
    equal(row(data, B, "calls", "incl_ns", "self_ns", "min_ns", "p50_ns", "p99_ns", "max_ns"),
          (n, n * LONG, n * LONG, LONG, LONG, LONG, LONG), "B")
    equal(row(data, A, "calls", "incl_ns", "self_ns", "total_ns", "min_ns", "max_ns"),
          (n, n * (LONG + 10), n * 10, n * (LONG + 10), LONG + 10, LONG + 10), "A")
    equal(data["self_ns"], n * (LONG + 10), "self")
    equal(round(data["span_ms"] * 1e6, -6), round(4 * LONG * (n - 1) + LONG + 10, -6), "span")
    silent(data, "backwards", "no exit")


@test
def calls_of_18_minutes_inside_each_other():
    # A thousand frames of the same function: their inclusive times add up to 2^50 ns.
    data = report(("trace.1.1.0.bin", rec.header(), many(ENTER, 1024, 7, 0, A), many(EXIT, 1024, 7 + LONG, 0, A)))
    equal(row(data, A, "calls", "incl_ns", "self_ns", "total_ns", "max_ns"), (1024, 1024 * LONG, LONG, LONG, LONG), "A")


@test
def calls_of_18_minutes_in_ticks():
    # 3 ticks a ns; the anchor lies 2^42 ns after the start.
    head = rec.header(flags=TICKS, tick_hz=10 ** 9, t0_ticks=500, t0_ns=10 ** 15)
    data = report(("trace.1.1.0.bin", head, enter(500, A), enter(503, B), leave(503 + 3 * LONG, B), leave(505 + 3 * LONG, A),
                   rec.event(MARKER, 500 + 12 * LONG, CLOCK, 10 ** 15 + 4 * LONG)))
    equal(row(data, B, "calls", "incl_ns", "p50_ns"), (1, LONG, LONG), "B")
    equal(row(data, A, "calls", "incl_ns", "self_ns"), (1, LONG + 1, 1), "A")


@test
def very_many_open_calls():
    # They end at the thread's last event: the outermost lasts DEEP, the innermost 0.
    data = report(("trace.1.1.0.bin", rec.header(), many(ENTER, DEEP, 1, 1, A), enter(DEEP + 1, B), leave(DEEP + 1, B)),
                  every_format=False)
    equal((data["events"], data["unclosed_enters"], data["repaired"], data["unmatched_exits"]), (DEEP + 2, DEEP, 0, 0), "counts")
    equal(row(data, A, "calls", "open", "self_ns", "total_ns", "incl_ns"),
          (0, DEEP, DEEP, DEEP, DEEP * (DEEP + 1) // 2), "A")
    equal(row(data, B, "calls", "open", "incl_ns"), (1, 0, 0), "B")


@test
def very_many_calls_are_closed():
    # By their own exits; and all at once, by the exit of the outermost.
    n = DEEP // 2
    data = report(("trace.1.1.0.bin", rec.header(), many(ENTER, n, 0, 1, A), many(EXIT, n, n, 1, A)), every_format=False)
    equal((data["unclosed_enters"], data["repaired"], data["unmatched_exits"]), (0, 0, 0), "counts")
    equal(row(data, A, "calls", "self_ns", "incl_ns", "min_ns", "max_ns"), (n, 2 * n - 1, n * n, 1, 2 * n - 1), "A")
    data = report(("trace.1.1.0.bin", rec.header(), enter(0, B), many(ENTER, n, 0, 0, A), leave(9, B)))
    equal((data["unclosed_enters"], data["repaired"]), (0, n), "counts, all at once")
    equal(row(data, A, "calls", "repaired", "self_ns", "incl_ns", "total_ns"), (n, n, 9, 9 * n, 9), "A, all at once")
    equal(row(data, B, "calls", "self_ns", "incl_ns"), (1, 0, 9), "B, all at once")
    noticed(data, "%d calls have no exit" % n)


@test
def very_many_exits_of_calls_that_are_not_open():
    # Each in a stack that is deeper than at the one before; to look for each down to the bottom
    # would take minutes.
    n = DEEP // 2
    pairs = bytearray(2 * 32 * n)
    for place, data in ((0, many(ENTER, n, 9, 0, A)), (4, many(EXIT, n, 9, 0, B))):
        for word in range(4):
            memoryview(pairs).cast("Q")[place + word::8] = memoryview(data).cast("Q")[word::4]
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), enter(0, B), leave(1, B), enter(2, C), many(ENTER, 1000, 3, 0, A),
                  bytes(pairs), leave(20, C))
        data = json.loads(run(CLI, "analyze", folder, "--format", "json", "--top", "0", check=0, timeout=120).stdout)
    data["by_name"] = {row["function"]: row for row in data["rows"]}
    equal((data["events"], data["unmatched_exits"], data["repaired"]), (2 * n + 1004, n, n + 1000), "counts")
    equal(row(data, A, "calls", "incl_ns"), (n + 1000, 1000 * 17 + n * 11), "A")
    equal(row(data, B, "calls", "incl_ns"), (1, 1), "B")
    equal(row(data, C, "calls", "repaired", "incl_ns"), (1, 0, 18), "C")


@test
def a_pid_is_used_again():
    lines = "".join("CALLSIGHT-PROCESS 1\npid 7\nexe /nowhere/%s\nstart-monotonic-ns %d\n"
                    "module %d 0 0 100000 - /nowhere/%s\nthread 7 %d %s\n" % (name, start, start, name, seq, name)
                    for name, start, seq in (("one", 1000, 0), ("two", 5000, 1)))
    first = rec.header(pid=7, t0_ns=1000, first_index=1, flags=THREAD_START)
    second = rec.header(pid=7, t0_ns=5000, first_index=1, flags=THREAD_START, seq=1)
    data = report(("trace.7.process", lines.encode()),
                  ("trace.7.7.0.bin", first, enter(1000, A, tid=7), enter(1010, B, tid=7)),
                  ("trace.7.7.1.bin", second, enter(5000, A, tid=7), leave(5100, A, tid=7), leave(5100, B, tid=7)))
    equal((data["pids"], data["threads"], data["functions"], data["events"]), ([7], 2, 3, 5), "counts")
    equal((data["unclosed_enters"], data["unmatched_exits"], data["repaired"], data["lost"]), (2, 1, 0, 0), "ends")
    equal([(p["pid"], p["exe"], p["start_ns"], p["events"], p["self_ns"]) for p in data["processes"]],
          [(7, "/nowhere/one", 1000, 2, 10), (7, "/nowhere/two", 5000, 3, 100)], "processes")
    equal(sorted((t["name"], t["self_ns"], t["unclosed_enters"], t["unmatched_exits"]) for t in data["per_thread"]),
          [("one", 10, 2, 0), ("two", 100, 0, 1)], "threads")
    equal(row(data, "one+0x1000", "calls", "open", "total_ns"), (0, 1, 10), "A of the first")
    equal(row(data, "two+0x1000", "calls", "open", "total_ns"), (1, 0, 100), "A of the second")
    equal(row(data, "one+0x2000", "calls", "open", "total_ns"), (0, 1, 0), "B of the first")


@test
def a_pid_is_used_again_and_nothing_tells_by_whom():
    # One address is then two functions: whether both are the same program is not known.
    with Folder() as folder:
        for seq, t0 in ((0, 1000), (1, 5000)):
            rec.write(folder, "trace.7.7.%d.bin" % seq, rec.header(pid=7, t0_ns=t0, seq=seq, flags=THREAD_START, first_index=1),
                      enter(t0, A, tid=7), leave(t0 + 10 + seq, A, tid=7))
        lines = rec.analyze(folder).stdout.splitlines()
    true(lines[0].startswith("events=4 threads=2 functions=2 "), lines[0])
    true("unmatched_exits=0 unclosed_enters=0" in lines[0], lines[0])


@test
def calls_of_no_length():
    n = 1000
    for head in (rec.header(), rec.header(flags=TICKS, tick_hz=2 * 10 ** 9, t0_ticks=0, t0_ns=1)):
        data = report(("trace.1.1.0.bin", head, *[event for _ in range(n) for event in (
            enter(77, A), enter(77, B), leave(77, B), leave(77, A))]))
        equal((data["events"], data["self_ns"], data["span_ms"], data["repaired"]), (4 * n, 0, 0, 0), "counts")
        for func in (A, B):
            equal(row(data, func, "calls", "incl_ns", "self_ns", "total_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns"),
                  (n, 0, 0, 0, 0, 0, 0, 0, 0), "0x%x" % func)


main()
