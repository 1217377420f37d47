# SPDX-License-Identifier: MIT
"""Single rules of exactness on recordings written by hand; the model does them in bulk."""

import os

import recordings as rec
from recordings import CONTEXT, DEPTH, ENTER, EXIT, JUMPED, LANDED, MARKER, OFF, ON, THREAD_START
from tap import Folder, equal, main, test, true

A, B, C = 0x1000, 0x2000, 0x3000


def report(*records, name="trace.1.1.0.bin", more=(), **header):
    """The report of a recording of one file, and of `more` files: (name, header, records)."""
    with Folder() as folder:
        rec.write(folder, name, rec.header(**header), *records)
        for other, head, events in more:
            rec.write(folder, other, rec.header(**head), *events)
        data = rec.report(folder)
        equal(sum(rec.folded(folder).values()), data["self_ns"], "Σ folded = Σ self")
        equal(sum(row["self_ns"] for row in data["rows"]), data["self_ns"], "Σ rows = Σ self")
        return data


def enter(ts, func, tid=1, caller=0):
    return rec.event(ENTER, ts, func, caller, tid)


def leave(ts, func, tid=1):
    return rec.event(EXIT, ts, func, 0, tid)


def mark(ts, code, payload=0, tid=1):
    return rec.event(MARKER, ts, code, payload, tid)


def row(data, func, *keys):
    return tuple(data["by_name"]["0x%x" % func][key] for key in keys)


@test
def the_latest_time_and_no_caller():
    data = report(rec.event(ENTER, 2 ** 63 - 1, A, 0), rec.event(EXIT, 2 ** 63 - 1, A, 0))
    equal(row(data, A, "calls", "incl_ns"), (1, 0), "a call")


@test
def times_beyond_63_bits_do_nothing_worse_than_nonsense():
    report(rec.event(ENTER, 2 ** 63, A), rec.event(EXIT, 2 ** 63 - 1, A), rec.event(ENTER, 2 ** 64 - 1, B))


@test
def two_recordings_with_equal_pids_and_tids():
    # As of containers, in which everything is process 1.
    with Folder() as folder:
        for sub, t0 in (("one", 1000), ("two", 2000)):
            os.mkdir(os.path.join(folder, sub))
            rec.write(os.path.join(folder, sub), "trace.1.1.0.bin", rec.header(t0_ns=t0), enter(t0, A))
            rec.write(os.path.join(folder, sub), "trace.1.1.1.bin", rec.header(t0_ns=t0, seq=1), leave(t0 + 5, A))
        data = rec.analyze(os.path.join(folder, "one"), os.path.join(folder, "two")).stdout
        true(data.startswith("events=4 threads=2 functions=2 "), data)
        true("unmatched_exits=0 unclosed_enters=0" in data, data)


@test
def version_1_files_of_two_folders_are_two_processes():
    with Folder() as folder:
        for sub in ("one", "two"):
            os.mkdir(os.path.join(folder, sub))
            rec.write(os.path.join(folder, sub), "trace.1.1.0.bin", rec.header(version=1), enter(1, A), leave(2, A))
        data = rec.analyze(os.path.join(folder, "one"), os.path.join(folder, "two")).stdout
        true(data.startswith("events=4 threads=2 "), data)


@test
def a_strangers_marker_does_not_hide_a_gap_or_a_new_thread():
    data = report(enter(1, A), enter(2, B), mark(3, ON, tid=9),
                  more=[("trace.1.1.1.bin", dict(seq=1, first_index=103), [enter(50, C), leave(60, C)])])
    equal((data["lost"], data["repaired"], data["threads"]), (100, 2, 1), "gap")
    data = report(enter(1, A), leave(2, A), enter(3, A), mark(3, ON, tid=9),
                  more=[("trace.1.1.1.bin", dict(seq=1, flags=THREAD_START), [enter(50, C), leave(60, C)])])
    equal((data["threads"], data["unclosed_enters"]), (2, 1), "a new thread")
    equal(row(data, A, "calls", "open", "incl_ns"), (1, 1, 1), "the old one's frame ends with it")


@test
def a_file_under_another_name_tells_its_gap_too():
    with Folder() as folder:
        path = rec.write(folder, "x.bin", rec.header(first_index=1001), enter(1, A), leave(2, A))
        equal(rec.report(path)["lost"], 1000, "lost")


@test
def a_thread_that_wrote_no_event_is_no_row():
    data = report(enter(1, A), leave(2, A), more=[("trace.1.2.0.bin", {}, [mark(9, ON, tid=2)]),
                                                  ("trace.1.3.0.bin", {}, [])])
    equal((data["threads"], len(data["per_thread"])), (1, 1), "threads")


@test
def threads_of_a_function_are_counted_once_each():
    events = []
    for i in range(100):
        events += [enter(10 * i, A, tid=1 + i % 2), leave(10 * i + 5, A, tid=1 + i % 2)]
    data = report(*events, name="trace.stream.board.0.bin")
    equal(row(data, A, "calls", "threads"), (100, 2), "alternating threads")


@test
def off_ends_the_calls_of_all_contexts_and_moves_time_on():
    data = report(enter(10, A), mark(20, CONTEXT, 7), enter(30, B), mark(1000, OFF), mark(2000, ON),
                  mark(2000, CONTEXT, 0), enter(2000, C), leave(2010, C))
    equal((data["repaired"], data["unclosed_enters"], data["unmatched_exits"]), (2, 0, 0), "repaired")
    equal(row(data, B, "incl_ns", "self_ns"), (970, 970), "running")
    equal(row(data, A, "incl_ns", "self_ns"), (990, 10), "suspended: its self time stands still")
    equal(row(data, C, "incl_ns", "total_ns"), (10, 10), "afterwards")
    data = report(enter(10, A), mark(1000, OFF), enter(500, B), leave(2000, B))
    equal((data["clamped"], row(data, B, "incl_ns")), (1, (1000,)), "no earlier than the marker")
    equal(data["span_ms"], 0.00199, "span")


@test
def exits_after_off_and_on_are_those_of_calls_that_began_unseen():
    data = report(mark(0, OFF, 1), mark(100, ON, 100), leave(110, A), enter(120, B), leave(130, B),
                  enter(200, A), enter(210, B), mark(300, OFF, 2), mark(400, ON, 200), leave(410, B),
                  leave(420, A), leave(430, C), enter(440, A), leave(445, C), leave(450, A),
                  mark(1000, OFF, 3), mark(1500, 6, 1500))
    equal((data["unmatched_exits"], data["repaired"], data["unclosed_enters"]), (1, 2, 0), "counts")
    equal(row(data, A, "calls", "incl_ns", "repaired"), (2, 110, 1), "cut")
    equal(row(data, B, "calls", "incl_ns", "repaired"), (2, 100, 1), "cut")
    notices = " / ".join(data["notices"])
    true("of process 1 was switched off 3 times, for 0.000001 s in all and to its end" in notices, notices)
    true("2 calls of process 1 were open when recording was switched off and end there; 4 exits" in notices, notices)
    true("1 exits have no enter" in notices and "calls have no exit" not in notices, notices)


@test
def threads_tell_of_the_same_switches():
    def mega(ns):
        return ns * 1000000
    data = report(enter(mega(1), A), mark(mega(10), OFF, 4), mark(mega(510), ON, mega(600)), leave(mega(511), A),
                  more=[("trace.1.2.0.bin", {}, [enter(mega(1), A, tid=2), mark(mega(2), OFF, 3, tid=2),
                                                 mark(mega(9), ON, mega(100), tid=2), leave(mega(9), A, tid=2)]),
                        ("trace.1.3.0.bin", {}, [enter(mega(1), B, tid=3), mark(mega(2), OFF, 5, tid=3)])])
    notices = " / ".join(data["notices"])
    true("was switched off 5 times, for 0.600000 s in all and to its end" in notices, notices)
    data = report(enter(1, A), mark(10, OFF), mark(20, ON), enter(30, B), leave(40, B))
    notices = " / ".join(data["notices"])
    true("threads of process 1 were not recorded under some of their names (1 times" in notices, notices)
    true("was switched off" not in notices.replace("when recording was switched off", ""), notices)


@test
def self_time_of_contexts_adds_up_to_the_time_with_a_call_open():
    data = report(enter(0, A), mark(5, CONTEXT, 7), enter(10, B), leave(20, B), mark(21, CONTEXT, 0), leave(30, A))
    equal(row(data, A, "incl_ns", "self_ns"), (30, 14), "suspended from 5 to 21")
    equal(row(data, B, "incl_ns", "self_ns"), (10, 10), "the other context")
    equal(data["self_ns"], 24, "from 5 to 10 and from 20 to 21 nothing that runs has a call open")
    data = report(enter(0, A), mark(5, CONTEXT, 7), enter(10, B), leave(20, B))
    equal(row(data, A, "open", "incl_ns", "self_ns"), (1, 20, 5), "never resumed")


@test
def depth_closes_what_lies_above():
    data = report(enter(0, A), enter(1, B), enter(2, C), mark(10, DEPTH, 1), leave(20, A))
    equal(data["repaired"], 2, "repaired")
    equal(row(data, B, "incl_ns"), (9,), "ends at the landing")
    equal(row(data, A, "calls", "self_ns"), (1, 11), "goes on")


@test
def two_depths_about_one_landing_say_how_many_calls_it_ended():
    # Of the calls that are open below, the reader has seen one only.
    data = report(enter(0, A), enter(1, B), enter(2, C), mark(10, DEPTH, 9), mark(10, JUMPED, 0x500),
                  mark(10, DEPTH, 7), enter(12, B), leave(13, B), leave(20, A))
    equal((data["repaired"], data["unmatched_exits"]), (2, 0), "ends")
    equal(row(data, B, "calls", "incl_ns"), (2, 10), "one ends at the landing")
    equal(row(data, A, "calls", "self_ns"), (1, 10), "goes on")
    true(any("no debug information" in notice for notice in data["notices"]), data["notices"])


@test
def depths_about_two_landings_are_no_pair():
    data = report(enter(0, A), enter(1, B), mark(2, LANDED, 0x500), mark(2, DEPTH, 2), enter(3, C),
                  mark(4, LANDED, 0x500), mark(4, DEPTH, 1), leave(20, A))
    equal((data["repaired"], data["unmatched_exits"]), (2, 0), "ends")
    equal(row(data, C, "incl_ns"), (1,), "ends at the second")


@test
def a_landing_below_all_that_is_known():
    data = report(enter(0, A), mark(2, DEPTH, 20), mark(2, DEPTH, 0), leave(5, A), enter(6, B), leave(7, B))
    equal((data["repaired"], data["unmatched_exits"]), (1, 1), "ends")
    equal(row(data, B, "calls", "incl_ns"), (1, 1), "a new beginning")


@test
def a_gap_in_a_stream_concerns_all_its_threads():
    data = report(enter(0, A, tid=5), enter(1, B, tid=6), mark(2, 263, 64, tid=0), leave(100, A, tid=5),
                  leave(101, B, tid=6), name="trace.stream.board.0.bin")
    equal((data["repaired"], data["unmatched_exits"]), (2, 2), "nothing is taken for a clean call")
    true([text for text in data["notices"] if text.startswith("64 bytes of the stream")], data["notices"])


@test
def thread_names_survive_rotated_files():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.3.bin", rec.header(t0_ns=5, seq=3), enter(10, A), leave(20, A))
        rec.write(folder, "trace.1.1.9.bin", rec.header(t0_ns=5, seq=9, flags=THREAD_START), enter(30, A), leave(40, A))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\n"
                  b"thread 1 0 first\nthread 1 0 renamed\nthread 1 9 second\n")
        equal([thread["name"] for thread in rec.report(folder)["per_thread"]], ["renamed", "second"], "names")


@test
def a_wrapped_recording_tells_its_loss_once():
    data = report(mark(0, rec.WRAP, 100), enter(1, A), leave(2, A), first_index=101)
    lost = [text for text in data["notices"] if "100 events" in text]
    equal(len(lost), 1, data["notices"])
    true("1 segments" in lost[0], lost)


@test
def discarded_segments_that_were_left_out_are_counted():
    data = report(mark(0, rec.WRAP, 5000), mark(0, rec.WRAP, 0), mark(0, 265, 44), enter(1, A), leave(2, A),
                  first_index=5001)
    equal([text for text in data["notices"] if "discarded" in text],
          ["process 1 kept the end of its run only (TRACE_FULL=wrap): 46 segments with 5000 events were discarded"],
          "notice")


@test
def libraries_in_turn_at_one_address_by_the_hundred():
    with Folder() as folder:
        text = ["CALLSIGHT-PROCESS 1", "pid 1", "start-monotonic-ns 5", "exe /x/exe"]
        events = []
        for i in range(300):
            text += ["module %d 5000 5000 6000 - /x/p%03d.so" % (1000 * i + 5, i), "module-gone %d 5000" % (1000 * i + 900)]
            events += [enter(1000 * i + 100, 0x5100), leave(1000 * i + 200, 0x5100)]
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), *events)
        rec.write(folder, "trace.1.process", "\n".join(text).encode() + b"\n")
        data = rec.report(folder)
        equal({name: item["calls"] for name, item in data["by_name"].items()},
              {"p%03d.so+0x100" % i: 1 for i in range(300)}, "each its call")


@test
def times_of_libraries_are_told_in_the_clock_of_events():
    """A tick is a ns on the whole, but not in between: at 500 ns the events' clock showed 900."""
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5, t0_ticks=5, tick_hz=10 ** 9, flags=rec.TICKS),
                  enter(800, 0x5100), leave(899, 0x5100), enter(900, 0x5100), leave(950, 0x5100))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/exe\n"
                  b"module 5 5000 5000 6000 - /x/a.so\nclock 500 900\nmodule-gone 500 5000\n"
                  b"module 500 5000 5000 6000 - /x/b.so\n")
        data = rec.report(folder)
        equal({name: item["calls"] for name, item in data["by_name"].items()}, {"a.so+0x100": 1, "b.so+0x100": 1}, "calls")
        true(not [text for text in data["notices"] if "wrong one" in text], data["notices"])


@test
def libraries_side_by_side_are_not_in_each_others_place():
    """a and b lie side by side, c where both have been: nothing of that is unclear."""
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), enter(100, 0x5100), leave(110, 0x5100),
                  enter(120, 0x6100), leave(130, 0x6100), enter(700, 0x5900), leave(710, 0x5900),
                  enter(720, 0x6100), leave(730, 0x6100))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/exe\n"
                  b"module 5 5000 5000 6000 - /x/a.so\nmodule 5 6000 6000 7000 - /x/b.so\nmodule-gone 500 5000\n"
                  b"module-gone 500 6000\nmodule 500 5800 5800 6800 - /x/c.so\n")
        data = rec.report(folder)
        equal({name: item["calls"] for name, item in data["by_name"].items()},
              {"a.so+0x100": 1, "b.so+0x100": 1, "c.so+0x100": 1, "c.so+0x900": 1}, "calls")
        true(not [text for text in data["notices"] if "wrong one" in text], data["notices"])


@test
def one_library_at_two_places_is_one_library():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), enter(100, 0x5100), leave(200, 0x5100),
                  enter(1000, 0x8100), leave(1100, 0x8100))
        rec.write(folder, "trace.1.2.0.bin", rec.header(t0_ns=5), enter(1000, 0x8100, tid=2), leave(1100, 0x8100, tid=2))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/exe\n"
                  b"module 5 5000 5000 6000 ab /x/a.so\nmodule-gone 500 5000\nmodule 600 8000 8000 9000 ab /x/a.so\n")
        data = rec.report(folder)
        equal({name: (item["calls"], item["threads"]) for name, item in data["by_name"].items()},
              {"a.so+0x100": (3, 2)}, "one function, each thread once")


@test
def a_call_spans_the_noted_end_of_its_module():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), enter(100, 0x5100), leave(300, 0x5100),
                  enter(400, 0x5100), leave(500, 0x5100))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/exe\n"
                  b"module 5 5000 5000 6000 - /x/a.so\nmodule-gone 200 5000\nmodule 90 5000 5000 6000 - /x/b.so\n")
        data = rec.report(folder)
        equal((data["unmatched_exits"], data["unclosed_enters"]), (0, 0), "matched")
        true([text for text in data["notices"] if "bear the name of the wrong one" in text], data["notices"])


@test
def one_process_without_a_rate_does_not_hide_the_others():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), enter(1, A), leave(2, A))
        rec.write(folder, "trace.2.2.0.bin", rec.header(pid=2, flags=rec.TICKS, t0_ticks=7), enter(9, B, tid=2))
        data = rec.report(folder)
        equal(set(data["by_name"]), {"0x1000"}, "functions")
        true([text for text in data["notices"] if "process 2" in text and "TRACE_CLOCK=mono" in text], data["notices"])


@test
def an_absurd_anchor_is_not_taken():
    ticks = dict(flags=rec.TICKS, tick_hz=10 ** 9, t0_ticks=0, t0_ns=0)
    data = report(enter(10, A), leave(20, A), mark(100, rec.CLOCK, 200), mark(101, rec.CLOCK, 2 ** 64 - 1), **ticks)
    equal(row(data, A, "incl_ns"), (20,), "2 ns a tick")
    data = report(enter(10, A), leave(20, A), mark(10 ** 6, rec.CLOCK, 2 * 10 ** 6), *[enter(30, B), leave(30, B)] * 400,
                  **dict(ticks, tick_hz=0))
    equal(row(data, A, "incl_ns"), (20,), "an anchor far from the end, where nothing else tells the rate")


@test
def deep_stacks_and_unmatched_exits_are_not_quadratic():
    n = 60000
    events = [enter(i, A) for i in range(n)] + [leave(n, B)] * n + [leave(n, 0x9000 + i) for i in range(n)]
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), enter(0, B), leave(0, B), *events)
        data = rec.report(folder)
        equal((data["unmatched_exits"], data["unclosed_enters"]), (2 * n, n), "counted")


@test
def thousands_of_threads_and_contexts_are_not_quadratic():
    n = 20000
    events = []
    for _ in range(3):
        events += [record for tid in range(1, n) for record in (enter(tid, A, tid=tid), leave(tid, A, tid=tid))]
    data = report(*events, name="trace.stream.board.0.bin")
    equal((data["threads"], row(data, A, "calls", "threads")), (n - 1, (3 * (n - 1), n - 1)), "threads")
    data = report(*[record for i in range(n) for record in (mark(i, CONTEXT, i), enter(i, A), leave(i, A))] * 2)
    equal(row(data, A, "calls"), (2 * n,), "contexts")


@test
def reports_repeat_byte_for_byte():
    with Folder() as folder:
        for tid in range(1, 9):
            events = [record for i in range(50) for record in (enter(i, A + 16 * (i % 7), tid), leave(i, A + 16 * (i % 7), tid))]
            rec.write(folder, "trace.1.%d.0.bin" % tid, rec.header(), enter(0, B, tid), *events, leave(77, B, tid))
        for form in ("text", "json", "folded", "callers", "chrome"):
            first = rec.analyze(folder, "--format", form).stdout
            for _ in range(8):
                equal(rec.analyze(folder, "--format", form).stdout, first, form)


@test
def json_has_the_rows_of_both_tables():
    with Folder() as folder:
        events = [enter(0, A)]
        for i in range(30):
            events += [enter(100 * i, B + 16 * i), leave(100 * i + 100, B + 16 * i)]
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *events, leave(3001, A))
        rows = rec.analyze(folder, "--format", "json", "--top", "3").stdout
        true('"0x1000"' in rows, "main leads the table by inclusive time and has next to no self time")


@test
def time_of_contexts_is_their_threads():
    # Two contexts run within a call of the first one; both were left when the thread ended, and one of
    # them when recording was switched off in between.
    data = report(enter(0, A), mark(100, CONTEXT, 7), enter(100, B), leave(130, B), mark(130, CONTEXT, 0), mark(140, OFF),
                  mark(140, ON), enter(200, A), mark(210, CONTEXT, 8), enter(210, C), leave(225, C), mark(225, CONTEXT, 0),
                  leave(230, A))
    equal([data["by_name"]["0x%x" % func]["self_ns"] for func in (A, B, C)], [110 + 15, 30, 15], "self times")
    equal(data["per_thread"][0]["self_ns"], 170, "the thread's")
    equal(data["self_ns"], 170, "Σ self")


main()
