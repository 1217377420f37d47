# SPDX-License-Identifier: MIT
"""Bad input: one sentence, the right exit status, and the readable rest in the report."""

import os
import shutil
import signal
import struct
import subprocess
import time

import recordings as rec
import tap
from recordings import CLOCK, ENTER, EXIT, MARKER
from tap import Folder, equal, main, test, true

GOOD = "trace.1.1.0.bin"


def calls(n, func=0x1000, tid=1, start=0, order="<"):
    return b"".join(rec.event(kind, start + 10 * i + kind, func, 0x2000, tid, order)
                    for i in range(n) for kind in (ENTER, EXIT))


def refused(result, *words, status=2):
    """One line on stderr with these words, nothing on stdout."""
    equal(result.returncode, status, "exit status (%s)" % result.stderr)
    equal(result.stdout, "", "stdout")
    equal(len(result.stderr.splitlines()), 1, "lines on stderr: " + result.stderr)
    true(result.stderr.startswith("callsight-cli: "), result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


def kept(folder, *words, calls_wanted=5):
    """The readable rest is reported, and one notice has these words."""
    result = rec.analyze(folder)
    equal(result.stderr, "", "stderr")
    notices = [line for line in result.stdout.splitlines() if line.startswith("! ")]
    found = [line for line in notices if all(word in line for word in words)]
    equal(len(found), 1, "notices with %r in %r" % (words, notices))
    data = rec.report(folder)
    equal(data["by_name"]["0x1000"]["calls"], calls_wanted, "calls of the readable rest")
    true(found[0][2:] in data["notices"], "the JSON report has the same sentence")
    return data


@test
def no_such_folder():
    refused(rec.analyze("/no/such/folder", check=None), "/no/such/folder", "no such file or folder")


@test
def no_recording_in_the_folder():
    with Folder() as folder:
        rec.write(folder, "notes.txt", b"hello")
        refused(rec.analyze(folder, check=None), folder, "no recording")


@test
def no_recording_in_the_default_folder():
    with Folder() as folder:
        refused(tap.run(tap.CLI, "analyze", cwd=folder), "traces")


# What an event file may be instead of a good one, and words that the sentence must have.
BAD_FILES = [
    ("empty", b"", ["is empty"]),
    ("shorter than the first 16 bytes", rec.header()[:9], ["9 bytes", "header"]),
    ("shorter than a header", rec.header()[:79], ["79 bytes", "header"]),
    ("of another magic", b"XLTRACE\0" + rec.header()[8:] + calls(1), ["no event file"]),
    ("of version 9", rec.header(version=9) + calls(1), ["version 9"]),
    ("of version 9 and the other byte order", rec.header(order=">", version=9), ["version 9"]),
    ("of version 0", rec.header(version=0) + calls(1), ["version 0"]),
    ("packed with events of 32 bytes", rec.header(version=3), ["32 bytes", "2 in version 3"]),
    ("of version 4", rec.header(version=4), ["version 4", "1, 2 and 3"]),
    ("with events of 64 bytes", rec.header(event_size=64) + calls(2), ["64 bytes"]),
    ("with a header size below 80", rec.header(header_size=16) + calls(1), ["damaged", "16 bytes"]),
    ("with a header size beyond its end", rec.header()[:16] + struct.pack("<I", 1 << 31) + rec.header()[20:],
     ["damaged", "2147483648"]),
]


@test
def bad_files_alone_are_refused():
    for what, content, words in BAD_FILES:
        with Folder() as folder:
            rec.write(folder, GOOD, content)
            try:
                refused(rec.analyze(folder, check=None), GOOD, *words)
            except AssertionError as error:
                raise AssertionError("a file that is %s: %s" % (what, error)) from error


@test
def bad_files_beside_a_good_one_are_skipped():
    for what, content, words in BAD_FILES:
        with Folder() as folder:
            rec.write(folder, GOOD, rec.header(), calls(5))
            rec.write(folder, "trace.1.2.0.bin", content)
            try:
                kept(folder, "trace.1.2.0.bin", "skipped", *words)
            except AssertionError as error:
                raise AssertionError("a file that is %s: %s" % (what, error)) from error


@test
def what_is_no_regular_file_is_skipped():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        os.mkdir(os.path.join(folder, "trace.1.2.0.bin"))
        os.mkfifo(os.path.join(folder, "trace.1.3.0.bin"))
        kept(folder, "trace.1.2.0.bin", "not a regular file")
        kept(folder, "trace.1.3.0.bin", "not a regular file")


@test
def many_bad_files_are_counted():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        for tid in range(100, 120):
            rec.write(folder, "trace.1.%d.0.bin" % tid, b"")
        kept(folder, "and 12 more like these")


@test
def ending_in_the_middle_of_a_record():
    for cut in (1, 16, 31):
        with Folder() as folder:
            rec.write(folder, GOOD, rec.header(), calls(5), rec.event(ENTER, 99, 0x1000)[:cut])
            data = kept(folder, GOOD, "middle of a record", "last %d bytes" % cut)
            equal(data["events"], 10, "events")


@test
def a_header_of_96_bytes_reads():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(header_size=96), calls(5))
        data = rec.report(folder)
        equal(data["by_name"]["0x1000"]["calls"], 5, "calls")
        equal(len(data["notices"]), 1, "only that nothing is named: %r" % data["notices"])


@test
def version_1_reads_in_both_byte_orders():
    for order in "<>":
        with Folder() as folder:
            rec.write(folder, "trace.7.8.0.bin", rec.header(order, version=1), calls(5, tid=8, order=order))
            data = rec.report(folder)
            equal(data["by_name"]["0x1000"]["calls"], 5, "calls")
            equal(data["pids"], [7], "pids")
            equal(data["per_thread"][0]["tid"], 8, "tid")


@test
def an_unknown_kind_of_record():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(3), rec.event(7, 35, 0x1000), calls(2, start=40))
        data = kept(folder, "kind unknown", "7")
        equal(data["unmatched_exits"], 0, "unmatched")


@test
def an_unknown_marker():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(3), rec.event(MARKER, 35, 7777, 1), calls(2, start=40))
        kept(folder, "markers", "unknown", "7777")


@test
def counter_records_are_known_and_no_exits():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5), rec.event(rec.COUNTERS, 1, 0x1000, 3))
        data = rec.report(folder)
        equal(data["events"], 10, "events")
        equal(len(data["notices"]), 1, "only that nothing is named: %r" % data["notices"])


@test
def an_exit_without_enter():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), rec.event(EXIT, 0, 0x3000), calls(5))
        data = kept(folder, "1 exits have no enter")
        equal(data["unmatched_exits"], 1, "unmatched")
        true("0x3000" not in data["by_name"], "no row for a call that was never seen")


@test
def an_enter_without_exit():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), rec.event(ENTER, 0, 0x3000), rec.event(ENTER, 1, 0x4000),
                  rec.event(EXIT, 5, 0x3000), calls(5, start=10), rec.event(ENTER, 100, 0x5000),
                  rec.event(ENTER, 130, 0x6000))
        data = kept(folder, "1 calls have no exit")
        row = data["by_name"]["0x4000"]
        equal((row["calls"], row["repaired"], row["incl_ns"], row["max_ns"]), (1, 1, 4, 0), "repaired")
        row = data["by_name"]["0x5000"]
        equal((row["calls"], row["open"], row["incl_ns"], row["self_ns"]), (0, 1, 30, 30), "open")
        equal(data["unclosed_enters"], 2, "unclosed")


@test
def timestamps_that_go_backwards():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5), rec.event(ENTER, 20, 0x3000), rec.event(EXIT, 60, 0x3000))
        data = kept(folder, "1 timestamps went backwards")
        equal(data["by_name"]["0x3000"]["incl_ns"], 60 - 41, "taken as equal to the one before")


@test
def raw_ticks_without_a_rate():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(flags=rec.TICKS, t0_ticks=5), calls(5))
        refused(rec.analyze(folder, check=None), "raw ticks", "TRACE_CLOCK=mono")


@test
def raw_ticks_with_the_coarse_rate_alone():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(flags=rec.TICKS, tick_hz=10 ** 8, t0_ticks=5), calls(5, start=5))
        data = kept(folder, "did not come to its end", "rate")
        equal(data["by_name"]["0x1000"]["incl_ns"], 5 * 10, "10 ns a tick")


@test
def an_anchor_far_from_the_end_counts():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(flags=rec.TICKS, tick_hz=10 ** 8, t0_ticks=0, t0_ns=0),
                  calls(5), rec.event(MARKER, 10 ** 6, CLOCK, 3 * 10 ** 6), calls(2000, func=0x3000, start=100))
        data = rec.report(folder)
        equal(data["by_name"]["0x1000"]["incl_ns"], 5 * 3, "3 ns a tick")
        true(not [text for text in data["notices"] if "did not come to its end" in text], data["notices"])


# Why a capture stopped or what it lost: marker, payload, words of the sentence.
CUTS = [
    (rec.BUDGET, 536870912, ["stopped", "536870912 bytes", "TRACE_MAX_MB"]),
    (rec.NOSPACE, 1000, ["stopped", "1000 bytes free", "TRACE_MIN_FREE_MB"]),
    (rec.WRITE_ERROR, 28, ["stopped", "No space left on device"]),
    (rec.MAX_EVENTS, 10, ["stopped", "10 events", "TRACE_MAX"]),
    (rec.SKIPPED, 12, ["12 hooks"]),
]


@test
def a_capture_that_was_cut_short_says_so():
    for code, payload, words in CUTS:
        with Folder() as folder:
            rec.write(folder, GOOD, rec.header(), calls(5), rec.event(MARKER, 60, code, payload))
            kept(folder, *words)


@test
def wrap_markers_are_added_up():
    with Folder() as folder:
        for seq in range(46):
            rec.write(folder, "trace.1.1.%d.bin" % (seq + 3), rec.header(seq=seq + 3),
                      rec.event(MARKER, 0, rec.WRAP, 1000), calls(5 if seq == 0 else 0))
        kept(folder, "46 segments", "46000 events")


@test
def segments_are_read_in_the_order_of_their_numbers():
    # In the order of their names, 10 comes before 2 and every pair is torn apart.
    with Folder() as folder:
        events = [rec.event(kind, ts, 0x1000 + 16 * depth)
                  for ts, (kind, depth) in enumerate([(ENTER, d) for d in range(15)] +
                                                     [(EXIT, d) for d in reversed(range(15))])]
        for seq in range(15):
            rec.write(folder, "trace.1.1.%d.bin" % seq, rec.header(seq=seq), *events[2 * seq:2 * seq + 2])
        data = rec.report(folder)
        equal((data["unmatched_exits"], data["unclosed_enters"], data["repaired"]), (0, 0, 0), "well formed")
        equal(data["by_name"]["0x1000"]["incl_ns"], 29, "outermost")


@test
def a_missing_segment_is_counted():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(first_index=1), calls(5))
        rec.write(folder, "trace.1.1.2.bin", rec.header(first_index=31), calls(5, func=0x3000, start=900))
        data = kept(folder, "20 events of 1 threads are missing")
        equal(data["lost"], 20, "lost")


@test
def two_images_of_one_pid_are_two_processes():
    # The bias of the second is another one: with one process for both its names would be wrong.
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(t0_ns=1, load_bias=0), calls(5))
        rec.write(folder, "trace.1.1.1.bin", rec.header(t0_ns=9, seq=1, load_bias=0x9000), calls(3, func=0xa000))
        data = rec.report(folder)
        equal(data["pids"], [1], "pids")
        equal(data["threads"], 2, "threads")


@test
def several_threads_in_one_stream():
    with Folder() as folder:
        batches = [calls(3, tid=5), calls(2, tid=6, func=0x3000), rec.event(ENTER, 50, 0x1000, 0, 5)]
        rec.write(folder, "trace.stream.board.0.bin", rec.header(), *batches)
        rec.write(folder, "trace.stream.board.10.bin", rec.header(seq=10), rec.event(EXIT, 70, 0x4000, 0, 6))
        rec.write(folder, "trace.stream.board.2.bin", rec.header(seq=2), rec.event(ENTER, 60, 0x4000, 0, 6),
                  rec.event(EXIT, 61, 0x1000, 0, 5))
        data = rec.report(folder)
        equal(data["by_name"]["0x1000"]["calls"], 4, "calls")
        equal(data["by_name"]["0x4000"]["incl_ns"], 10, "across segments, in the order of their numbers")
        equal(data["threads"], 2, "threads")
        equal(data["unmatched_exits"], 0, "unmatched")


@test
def modules_in_turn_at_one_address():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(t0_ns=5), calls(5, func=0x5100), calls(3, func=0x5100, start=1000))
        rec.write(folder, "trace.1.process",
                  b"CALLSIGHT-PROCESS 1\npid 1\nexe /nowhere/exe\nstart-monotonic-ns 5\n"
                  b"module 5 100 200 300 - /nowhere/exe\n"
                  b"module 5 5000 5000 6000 - /nowhere/one.so\nmodule-gone 500 5000\n"
                  b"module 600 5000 5000 6000 - /nowhere/two.so\n")
        data = rec.report(folder)
        equal(data["by_name"]["one.so+0x100"]["calls"], 5, "first module")
        equal(data["by_name"]["two.so+0x100"]["calls"], 3, "second module")
        true([text for text in data["notices"] if "/nowhere/one.so" in text], data["notices"])


@test
def a_damaged_process_file_is_named():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        rec.write(folder, "trace.1.process", b"\0\1garbage")
        kept(folder, "trace.1.process", "no process file")


@test
def arguments_that_make_no_sense():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        refused(rec.analyze(folder, "--format", "pie", check=None), "pie", "folded")
        refused(rec.analyze(folder, "--top", "-3", check=None), "--top", "-3")
        for top in ("0", "1001"):
            refused(rec.analyze(folder, "--format", "slowest", "--top", top, check=None), "--top " + top, "from 1 to 1000")
        refused(rec.analyze(folder, "--no-such-option", check=None), "--no-such-option", "--help")
        refused(rec.analyze(folder, "--exe", "/no/such/exe", check=None), "/no/such/exe")
        refused(rec.analyze(folder, "--exe", os.path.join(folder, GOOD), check=None), GOOD)
        for option in ("--out", "--bundle", "--exe", "--selection", "--details", "--thread", "--function"):
            refused(rec.analyze(folder, option, "", check=None), option + ": the name is empty", "leave")
        for command, *words in (("run", "--dir", "", "--", "true"), ("run", "--threads", "", "--", "true"),
                                ("slowest", "--function", "", folder), ("diff", "--out", "", "a", "b"),
                                ("counters", "--exe", tap.CLI, "--dir", "")):
            refused(tap.run(tap.CLI, command, *words), "the name is empty")
        refused(tap.run(tap.CLI, "anlyze"), "anlyze", "no such command")
        refused(rec.analyze(folder, "--out", "/no/such/folder/report.txt", check=None), "/no/such/folder")


@test
def out_replaces_the_file_as_a_whole():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        out = rec.write(folder, "report.json", b"the old one")
        rec.analyze(folder, "--format", "json", "--out", out)
        with open(out, encoding="utf-8") as file:
            true(file.read().startswith("{"), "the new one")
        rec.write(folder, "report.json", b"the old one")
        refused(rec.analyze("/no/such/folder", "--out", out, check=None), "no such")
        with open(out, encoding="utf-8") as file:
            equal(file.read(), "the old one", "left whole")
        equal(sorted(os.listdir(folder)), ["report.json", GOOD], "no temporary file")


@test
def a_signal_leaves_nothing_half_written():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5), *[calls(100000, start=1000)] * 10)
        old = rec.write(folder, "old.json", b"the old one")
        os.symlink("old.json", os.path.join(folder, "link.json"))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for name in ("new.json", "old.json", "link.json"):
                process = subprocess.Popen([tap.CLI, "analyze", folder, "--format", "chrome", "--out",
                                            os.path.join(folder, name)], stderr=subprocess.PIPE, text=True)
                deadline = time.monotonic() + 20
                while not [n for n in os.listdir(folder) if n.startswith(".")] and time.monotonic() < deadline:
                    time.sleep(0.002)
                process.send_signal(number)
                equal(process.communicate(timeout=120)[1], "", "stderr")
                equal(process.returncode, -number, "ends by the signal")
                equal(sorted(os.listdir(folder)), ["link.json", "old.json", GOOD], "files")
                with open(old, encoding="utf-8") as file:
                    equal(file.read(), "the old one", "left whole")


@test
def out_through_a_link_a_colon_and_to_a_device():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(5))
        old = rec.write(folder, "old.txt", b"the old one")
        os.chmod(old, 0o640)
        os.symlink("old.txt", os.path.join(folder, "link.txt"))
        rec.analyze(folder, "--out", os.path.join(folder, "link.txt"))
        true(os.path.islink(os.path.join(folder, "link.txt")), "the link stays")
        with open(old, encoding="utf-8") as file:
            true(file.read().startswith("events=10"), "the file that it names is replaced")
        equal(os.stat(old).st_mode & 0o777, 0o640, "mode")
        tap.run(tap.CLI, "analyze", folder, "--out", "a:b.txt", cwd=folder, check=0)
        true(os.path.exists(os.path.join(folder, "a:b.txt")), "a colon is no URI")
        equal(rec.analyze(folder, "--out", "/dev/null").stdout, "", "a device")
        equal(rec.analyze(folder, "--out", "/dev/stdout").stdout.split()[0], "events=10", "standard output")


@test
def rows_in_the_order_asked_for():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), rec.event(ENTER, 0, 0x9000), calls(5), rec.event(EXIT, 1000, 0x9000))
        for column, first in (("self", "0x9000"), ("calls", "0x1000"), ("max", "0x9000")):
            lines = rec.analyze(folder, "--sort", column).stdout.splitlines()
            true([line for line in lines if line.startswith("== TOP BY")], "tables")
            equal(lines[5].split()[6] if lines[1].startswith("!") else lines[4].split()[6], first, column)
            equal(rec.report(folder, "--sort", column)["rows"][0]["function"], first, column)
        refused(rec.analyze(folder, "--sort", "colour", check=None), "colour", "calls")


@test
def a_closed_pipe_ends_quietly():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), *[calls(1, func=0x1000 + 16 * i, start=20 * i) for i in range(20000)])
        result = tap.run("sh", "-c", '"$0" analyze "$1" --format chrome | head -c 100 >/dev/null', tap.CLI, folder)
        equal((result.returncode, result.stderr), (0, ""), "status and stderr")


@test
def an_output_that_takes_nothing():
    with Folder() as folder:
        rec.write(folder, GOOD, rec.header(), calls(1))
        for redirection, word in ((">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")):
            for form in ("text", "chrome"):
                result = tap.run("sh", "-c", '"$0" analyze "$1" --format %s %s' % (form, redirection), tap.CLI, folder, check=None)
                refused(result, "the report can't be written", word)
        refused(rec.analyze(folder, "--out", "/dev/full", check=None), "the report can't be written", "No space left on device")


@test
def single_files_and_several_folders():
    with Folder() as folder:
        one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
        os.mkdir(one)
        path = rec.write(one, GOOD, rec.header(), calls(5))
        shutil.copytree(one, two)
        equal(rec.report(path)["events"], 10, "one file")
        equal(rec.report(one, one, path)["events"], 10, "the same thing three times")
        rec.write(two, "trace.2.2.0.bin", rec.header(pid=2), calls(4, func=0x3000, tid=2))
        equal(rec.report(one, os.path.join(two, "trace.2.2.0.bin"))["events"], 18, "a folder and a file")


@test
def help_and_version():
    for arguments, word in ((["--help"], "analyze"), (["--version"], "callsight-cli "),
                            (["analyze", "--help"], "--format"), (["run", "--help"], "--timeout")):
        result = tap.run(tap.CLI, *arguments, check=0)
        true(word in result.stdout, result.stdout)
        equal(result.stderr, "", "stderr")
    refused(tap.run(tap.CLI, "run"), "no program given")


main()
