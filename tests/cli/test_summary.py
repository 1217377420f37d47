# SPDX-License-Identifier: MIT
"""Summary files of both versions and byte orders, against a model and one by one."""

import collections
import os
import random
import subprocess
import tempfile
import time

import compiled
import recordings as rec
import tap
from recordings import CLOCK, ENTER, EXIT, MARKER, TICKS
from tap import RUNTIME, TOP, Folder, Skip, equal, main, run, test, true

NAME = "trace.summary.1.1.bin"
A, B = 0x1000, 0x2000


def summary(*functions, order="<", version=2, **header):
    """The bytes of a summary file with functions (address, durations, self time)."""
    header.setdefault("records", len(functions))
    return rec.summary_header(order, version=version, **header) + b"".join(
        rec.summary_record(*function, order=order, version=version) for function in functions)


def refused(result, *words):
    """One line on stderr with these words, nothing on stdout."""
    equal((result.returncode, result.stdout, len(result.stderr.splitlines())), (2, "", 1), result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


def noticed(data, *words):
    found = [text for text in data["notices"] if all(word in text for word in words)]
    equal(len(found), 1, "notices with %r in %r" % (words, data["notices"]))


@test
def one_function_to_the_nanosecond():
    for order in "<>":
        for version in (1, 2):
            with Folder() as folder:
                rec.write(folder, NAME, summary((A, [5, 100, 1000], 900), order=order, version=version, span=5000,
                                                hook_ns=17, pid=7, tid=8))
                data = rec.report(folder)
                row = data["by_name"]["0x1000"]
                equal([row[key] for key in ("calls", "incl_ns", "self_ns", "min_ns", "max_ns", "threads", "total_ns",
                                            "total_ms", "open", "repaired")],
                      [3, 1105, 900, 5, 1000, 1, None, None, None, None], "row")
                equal([data[key] for key in ("mode", "events", "threads", "functions", "span_ms", "hook_ns", "pids",
                                             "self_ns", "unmatched_exits", "unclosed_enters", "repaired", "lost")],
                      ["summary", 6, 1, 1, 0.005, 17, [7], 900, 0, 0, None, None], "totals")
                thread = data["per_thread"][0]
                equal([thread[key] for key in ("pid", "tid", "events", "span_ms", "self_ns", "lost")],
                      [7, 8, 6, 0.005, 900, None], "thread")
                equal(len(data["notices"]), 1, "only that nothing is named: %r" % data["notices"])


class Model:
    """What summaries must be reported as: sums of ticks, each made ns once."""

    def __init__(self):
        self.functions = {}
        self.threads = {}
        self.truncated = 0

    def end_process(self, ticks, rate):
        def to_ns(duration):
            return duration * rate[0] // rate[1]

        for (pid, tid), (calls, own, span) in ticks["threads"].items():
            self.threads[pid, tid] = (2 * calls, to_ns(own), to_ns(span))
        for func, (calls, incl, own, durations, tids) in ticks["functions"].items():
            row = self.functions.setdefault(func, [0, 0, 0, [], 0, -(-rate[0] // rate[1])])
            row[0] += calls
            row[1] += to_ns(incl)
            row[2] += to_ns(own)
            row[3] += [to_ns(duration) for duration in durations]
            row[4] += len(tids)


def write_process(folder, rand, model, pid):
    order, version = rand.choice("<>"), rand.choice([1, 2])
    ticks = rand.random() < 0.6
    hz = rand.choice([1000000, 19200000, 2095443451, 10 ** 9])
    rate = (10 ** 9, hz) if ticks else (1, 1)
    sums = {"threads": {}, "functions": {}}
    for tid in range(pid, pid + rand.randint(1, 4)):
        functions = []
        for func in rand.sample(range(0x1000, 0x1200, 16), rand.randint(0, 12)):
            func += pid << 20
            bits = rand.randint(1, 41)
            durations = [rand.randrange(1 << bits) for _ in range(rand.choice([1, 2, 50]))]
            functions.append((func, durations, rand.randint(0, sum(durations))))
            row = sums["functions"].setdefault(func, [0, 0, 0, [], set()])
            row[0] += len(durations)
            row[1] += sum(durations)
            row[2] += functions[-1][2]
            row[3] += durations
            row[4].add(tid)
        span = rand.randrange(1 << 32)
        truncated = rand.choice([0, 0, 3])
        model.truncated += truncated
        sums["threads"][pid, tid] = (sum(len(f[1]) for f in functions), sum(f[2] for f in functions), span)
        size = rand.choice([0, 0, 8, 1000]) + (96 if version == 1 else 192)
        number = rand.choice(["", "", ".1", ".12"])
        rec.write(folder, "trace.summary.%d.%d%s.bin" % (pid, tid, number),
                  summary(*functions, order=order, version=version, header_size=size, pid=pid, tid=tid, span=span,
                          truncated=truncated, t0_ns=pid, t0_ticks=5 if ticks else 0, tick_hz=hz if ticks else 0,
                          flags=TICKS if ticks else 0))
    model.end_process(sums, rate)


@test
def random_summaries():
    for seed in range(60):
        rand = random.Random(seed)
        model = Model()
        with Folder() as folder:
            for pid in rand.sample([100, 2000, 30000], rand.randint(1, 3)):
                write_process(folder, rand, model, pid)
            data = rec.report(folder)
            try:
                compare(data, model)
            except AssertionError as error:
                raise AssertionError("seed %d: %s" % (seed, error)) from error


def compare(data, model):
    equal(set(data["by_name"]), {"0x%x" % func for func in model.functions}, "functions")
    for func, (calls, incl, own, durations, threads, tick_ns) in model.functions.items():
        row = data["by_name"]["0x%x" % func]
        equal([row[key] for key in ("calls", "incl_ns", "self_ns", "min_ns", "max_ns", "threads")],
              [calls, incl, own, min(durations), max(durations), threads], "0x%x" % func)
        true(row["min_ns"] <= row["p50_ns"] <= row["p90_ns"] <= row["p99_ns"] <= row["max_ns"], "monotone")
        ordered = sorted(durations)
        for key, per_mille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990)):
            exact = ordered[max(1, (len(ordered) * per_mille + 999) // 1000) - 1]
            # The middle of a bucket is an eighth from its ends, the report's own buckets add 1/64.
            # Short ones are a tick wide.
            true(abs(row[key] - exact) <= exact * 0.15 + tick_ns, "%s: %d, %d" % (key, row[key], exact))
    equal({(row["pid"], row["tid"]): (row["events"], row["self_ns"], round(row["span_ms"] * 1e6))
           for row in data["per_thread"]}, model.threads, "threads")
    equal(data["events"], sum(thread[0] for thread in model.threads.values()), "events")
    equal(data["self_ns"], sum(row["self_ns"] for row in data["rows"]), "Σ self")
    told = sum(int(text.split()[0]) for text in data["notices"] if "lay deeper" in text)
    equal(told, model.truncated, "truncated calls")


@test
def percentiles_within_a_bucket():
    # In ns, without a rate: each percentile is in the bucket of the exact one.
    rand = random.Random(1)
    for _ in range(20):
        durations = sorted(rand.randrange(1 << rand.randint(1, 40)) for _ in range(rand.randint(1, 500)))
        with Folder() as folder:
            rec.write(folder, NAME, summary((A, durations, 0)))
            row = rec.report(folder)["by_name"]["0x1000"]
            for key, per_mille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990)):
                exact = durations[max(1, (len(durations) * per_mille + 999) // 1000) - 1]
                true(abs(row[key] - exact) <= exact * 0.15 + 1, "%s: %d for %d" % (key, row[key], exact))


@test
def all_calls_beyond_the_last_bucket():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [1 << 45, 1 << 46], 0)))
        row = rec.report(folder)["by_name"]["0x1000"]
        equal((row["min_ns"], row["max_ns"]), (1 << 45, 1 << 46), "ends")
        true(1 << 45 <= row["p50_ns"] <= row["p99_ns"] <= 1 << 46, "percentiles between them")


@test
def sums_become_ns_once():
    # Three thirds of a ns are one; each floored alone would be none.
    with Folder() as folder:
        for tid in (1, 2, 3):
            rec.write(folder, "trace.summary.1.%d.bin" % tid,
                      summary((A, [1], 1), tid=tid, flags=TICKS, tick_hz=3 * 10 ** 9, t0_ns=1))
        row = rec.report(folder)["by_name"]["0x1000"]
        equal((row["calls"], row["incl_ns"], row["self_ns"]), (3, 1, 1), "row")


@test
def one_function_of_two_processes_with_one_binary():
    with Folder() as folder:
        for pid, bias in ((1, 0x10000), (2, 0x50000)):
            rec.write(folder, "trace.summary.%d.%d.bin" % (pid, pid),
                      summary((bias + 0x100, [10], 10), pid=pid, tid=pid, load_bias=bias, t0_ns=5))
            rec.write(folder, "trace.%d.process" % pid,
                      b"CALLSIGHT-PROCESS 1\npid %d\nexe /nowhere/exe\nstart-monotonic-ns 5\n"
                      b"module 5 %x %x %x - /nowhere/exe\nthread %d 0 worker\n"
                      % (pid, bias, bias, bias + 0x1000, pid))
        data = rec.report(folder)
        row = data["by_name"]["exe+0x100"]
        equal((row["calls"], row["threads"], row["module"]), (2, 2, "/nowhere/exe"), "row")
        equal([row["name"] for row in data["per_thread"]], ["worker", "worker"], "names")


@test
def libraries_in_turn_at_one_address():
    with Folder() as folder:
        rec.write(folder, NAME, summary((0x5100, [10], 10), (A, [10], 10), t0_ns=5))
        rec.write(folder, "trace.1.process",
                  b"CALLSIGHT-PROCESS 1\npid 1\nexe /nowhere/exe\nstart-monotonic-ns 5\n"
                  b"module 5 0 100 2000 - /nowhere/exe\n"
                  b"module 5 5000 5000 6000 - /nowhere/one.so\nmodule-gone 500 5000\n"
                  b"module 600 5000 5000 6000 - /nowhere/two.so\n")
        data = rec.report(folder)
        equal(data["by_name"]["two.so+0x100"]["calls"], 1, "the last library's")
        noticed(data, "1 function lies where several libraries lay in turn")


@test
def the_rate_of_event_files_beside_them():
    # A closing anchor says 3 ns a tick, the coarse rate 10.
    head = dict(flags=TICKS, tick_hz=10 ** 8, t0_ticks=1000, t0_ns=50)
    for events, wanted in ((True, 300), (False, 1000)):
        with Folder() as folder:
            path = rec.write(folder, NAME, summary((A, [100], 100), **head))
            if events:
                rec.write(folder, "trace.1.1.0.bin", rec.header(**head), rec.event(ENTER, 1001, B),
                          rec.event(EXIT, 1002, B), rec.event(MARKER, 2000, CLOCK, 3050))
                rec.write(folder, "trace.1.2.0.bin", rec.header(**dict(head, t0_ns=51)),
                          rec.event(MARKER, 2000, CLOCK, 9999))
            data = rec.report(path)
            equal(data["by_name"]["0x1000"]["incl_ns"], wanted, "inclusive time")
            true(not [text for text in data["notices"] if "rate" in text], "a summary never has an anchor of its own")


@test
def ticks_without_a_rate():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [100], 100), flags=TICKS, t0_ticks=5))
        refused(rec.analyze(folder, check=None), "raw ticks", "TRACE_CLOCK=mono")
        rec.write(folder, "trace.summary.2.2.bin", summary((B, [100], 100), pid=2, tid=2))
        data = rec.report(folder)
        equal(set(data["by_name"]), {"0x2000"}, "the other process")
        noticed(data, "process 1", "raw ticks")


@test
def events_and_summaries_in_one_folder():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(ENTER, 1, B), rec.event(EXIT, 2, B))
        for tid in (1, 2):
            rec.write(folder, "trace.summary.1.%d.bin" % tid, summary((A, [5], 5), tid=tid))
        data = rec.report(folder)
        equal((data["mode"], set(data["by_name"])), ("events", {"0x2000"}), "events are reported")
        noticed(data, "2 summary files are left out")
        data = rec.report(os.path.join(folder, NAME))
        equal((data["mode"], set(data["by_name"])), ("summary", {"0x1000"}), "the file alone")
        rec.write(folder, "trace.1.1.0.bin", b"")
        data = rec.report(folder)
        equal((data["mode"], data["threads"]), ("summary", 2), "no event file can be read")
        noticed(data, "trace.1.1.0.bin is empty")


@test
def formats_that_need_call_paths():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [5], 5)))
        result = tap.run(tap.CLI, "slowest", folder, check=None)
        refused(result, "no single calls", "TRACE_MODE=events")
        true("--format" not in result.stderr, result.stderr)
        for name in ("folded", "chrome", "callers"):
            refused(rec.analyze(folder, "--format", name, check=None), name, "no call paths", "TRACE_MODE=events")
            out = rec.write(folder, "out", b"before")
            refused(rec.analyze(folder, "--format", name, "--out", out, check=None), name)
            with open(out, "rb") as file:
                equal(file.read(), b"before", "what was there stays")


@test
def the_text_report():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [1000000] * 3, 1), (B, [2000000], 2000000), span=3000000))
        text = rec.analyze(folder).stdout
        true("total_ms" not in text, "no total")
        self_rows, incl_rows = [[line.split() for line in part.splitlines() if "  0x" in line]
                                for part in text.split("== TOP BY INCLUSIVE TIME ==")]
        equal([row[-1] for row in self_rows], ["0x2000", "0x1000"], "by self time")
        equal([row[:3] for row in incl_rows], [["3", "3.000", "0.000"], ["1", "2.000", "2.000"]], "by inclusive time")
        true(text.startswith("events=8 threads=1 functions=2 span=3.0ms "), text)


@test
def files_that_are_cut_short():
    whole = summary((A, [5], 5), (B, [6], 6))
    for end, functions in ((len(whole) - 1, 1), (192 + 744, 1), (192 + 743, 0), (192, 0)):
        with Folder() as folder:
            rec.write(folder, NAME, whole[:end])
            data = rec.report(folder)
            equal(data["functions"], functions, "whole records are kept")
            noticed(data, NAME, "cut short", "%d of its 2 functions" % functions)


@test
def files_that_are_longer_than_they_say():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [5], 5), (B, [6], 6), records=1), bytes(10))
        data = rec.report(folder)
        equal(set(data["by_name"]), {"0x1000"}, "functions")
        noticed(data, NAME, "1 records more")


@test
def functions_without_calls_are_no_rows():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [], 0), (0, [7], 7), (B, [6], 6)))
        equal(set(rec.report(folder)["by_name"]), {"0x2000"}, "functions")


BAD_FILES = [
    ("empty", b"", ["is empty"]),
    ("shorter than a header", summary()[:95], ["95 bytes", "header"]),
    ("of another magic", b"XLSUMRY\0" + summary()[8:], ["no summary file"]),
    ("of version 3", summary(version=3), ["version 3"]),
    ("of version 0", summary(version=0), ["version 0"]),
    ("of version 9 and the other byte order", summary(version=9, order=">"), ["version 9"]),
    ("with records of 700 bytes", summary(record_size=700), ["700 bytes", "744"]),
    ("of version 1 with records of version 2", summary(version=1, record_size=744), ["744 bytes", "688"]),
    ("with a header size below its own", summary(header_size=96), ["damaged", "96 bytes"]),
    ("shorter than the header it tells of", summary()[:100], ["damaged", "192 bytes"]),
]


@test
def bad_files():
    for what, content, words in BAD_FILES:
        with Folder() as folder:
            try:
                rec.write(folder, NAME, content)
                refused(rec.analyze(folder, check=None), NAME, *words)
                rec.write(folder, "trace.summary.1.2.bin", summary((A, [5], 5), tid=2))
                data = rec.report(folder)
                equal(data["by_name"]["0x1000"]["calls"], 1, "the good one is reported")
                noticed(data, NAME, "skipped", *words)
            except AssertionError as error:
                raise AssertionError("a file that is %s: %s" % (what, error)) from error


@test
def random_damage():
    """Whatever bytes are wrong: a report or one sentence."""
    rand = random.Random(5)
    for _ in range(150):
        content = bytearray(summary((A, [5, 100], 50), (B, [7], 7), flags=TICKS, tick_hz=10 ** 9, span=100))
        for _ in range(rand.randint(1, 4)):
            content[rand.choice([rand.randrange(96), rand.randrange(len(content))])] = rand.choice([0, 1, 128, 255])
        with Folder() as folder:
            rec.write(folder, rand.choice([NAME, "trace.summary.1.1.tail"]),
                      content[:rand.choice([len(content), rand.randrange(len(content))])])
            result = rec.analyze(folder, check=None)
            equal((result.returncode, len(result.stderr.splitlines())) in ((0, 0), (2, 1)), True, result.stderr)


@test
def the_table_of_a_process_that_was_killed():
    free = bytes(744)
    table = rec.summary_header(records=4, span=100) + free + rec.summary_record(A, [5, 6], 11) + free + \
        rec.summary_record(B, [7], 7)
    with Folder() as folder:
        rec.write(folder, "trace.summary.1.1.tail", table)
        data = rec.report(folder)
        equal({name: row["calls"] for name, row in data["by_name"].items()}, {"0x1000": 2, "0x2000": 1}, "calls")
        noticed(data, "process 1 was killed or still runs", "in part")
        # While the thread ends both are there: the file where it is whole, else the table.
        rec.write(folder, NAME, summary((A, [5, 6], 11), (B, [7], 7), span=100))
        data = rec.report(folder)
        equal((data["threads"], data["events"]), (1, 6), "once")
        true(not [text for text in data["notices"] if "killed" in text], data["notices"])
        rec.write(folder, NAME, summary((A, [5, 6], 11), (B, [7], 7), span=100)[:-1])
        data = rec.report(folder)
        equal((data["threads"], data["events"]), (1, 6), "once")
        noticed(data, "process 1 was killed or still runs")


@test
def a_table_in_which_a_call_is_half_counted():
    for order in "<>":
        for part, incl, own in (("times", 18, 12), ("inclusive time", 18, 11), ("histogram", 18, 18)):
            done = bytearray(rec.summary_record(A, [5, 6], 11, order=order, version=1))
            # A call of 7: inclusive, self, minimum and maximum, histogram; what is missing is `calls`.
            fields = memoryview(done)
            put = lambda at, value, size=8: fields.__setitem__(
                slice(at, at + size), value.to_bytes(size, "little" if order == "<" else "big"))
            put(16, 18)
            put(24, 11 if part == "inclusive time" else 18)
            put(40, 7)
            if part == "histogram":
                put(48 + 4 * 7, 1, 4)
            table = rec.summary_header(order, version=1, records=2, span=100) + bytes(done) + bytes(688)
            with Folder() as folder:
                rec.write(folder, "trace.summary.1.1.tail", table)
                data = rec.report(folder)
                row = data["by_name"]["0x1000"]
                equal((row["calls"], row["incl_ns"]), (3 if part == "histogram" else 2, incl), part)
                true(row["self_ns"] <= row["incl_ns"] and row["min_ns"] == 5 and row["max_ns"] == 7, part)
                equal(data["events"], 2 * row["calls"], part)


@test
def tables_that_were_not_begun():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [5], 5), span=100))
        for n, content in enumerate((b"", bytes(96), bytes(96 + 64 * 688))):
            rec.write(folder, "trace.summary.1.%d.tail" % (n + 2), content)
        data = rec.report(folder)
        equal((data["threads"], len(data["notices"])), (1, 1), "only that nothing is named: %r" % data["notices"])


@test
def a_summary_that_was_not_begun_beside_its_table():
    table = rec.summary_header(version=1, records=1, span=100) + rec.summary_record(A, [5, 6], 11, version=1)
    for size in (0, 50, 96, 97):
        with Folder() as folder:
            rec.write(folder, "trace.summary.1.1.tail", table)
            rec.write(folder, NAME, summary((A, [5, 6], 11), version=1, span=100)[:size])
            data = rec.report(folder)
            equal((data["events"], data["threads"]), (4, 1), "once")
            equal(len(data["notices"]), 2, data["notices"])
            noticed(data, "process 1 was killed or still runs")


@test
def marks_of_the_process_file():
    with Folder() as folder:
        rec.write(folder, NAME, summary((A, [5], 5), t0_ns=5))
        rec.write(folder, "trace.1.process",
                  b"CALLSIGHT-PROCESS 1\npid 1\nexe /nowhere/exe\nstart-monotonic-ns 5\n"
                  b"mark 1 261 30\nmark 2 261 12\nmark 1 1 65536\nmark 1 9999 5\nmark 1 2\nmark\nmark x 3 5\n")
        data = rec.report(folder)
        noticed(data, "42 hooks of process 1 came while another hook")
        noticed(data, "1 threads of process 1 are not in this report")
        true(not [text for text in data["notices"] if "bytes free" in text or "write error" in text], data["notices"])


def tables(folder):
    """Builds the program that counts what returned of its calls."""
    program = os.path.join(folder, "tables")
    run("gcc", "-O1", "-pthread", "-I" + RUNTIME, os.path.join(TOP, "tests", "runtime", "programs", "tables.c"),
        compiled.runtime("gcc"), "-o", program, check=0)
    return program


class Running:
    """A program in summary mode with two threads and 300 functions, until it is killed."""

    def __init__(self, program, folder, traces, how):
        environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
        environ.update(TRACE_ENABLE="1", TRACE_MODE="summary", TRACE_DIR=traces)
        self.path = os.path.join(folder, "counters")
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.process = subprocess.Popen([program, how, self.path, "2", "300", str(10 ** 7)], env=environ,
                                        stdout=subprocess.PIPE)
        equal(self.process.stdout.readline(), b"begun\n", "its line")
        if not any(name.endswith(".tail") for name in os.listdir(traces)):
            self.kill()
            raise Skip("no file system here keeps reserved space")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def returned(self):
        """tid → calls that returned; and name → the same of both."""
        with open(self.path, "rb") as file:
            words = memoryview(file.read()).cast("Q")
        threads, functions = {}, collections.Counter()
        for i in (0, 301):
            threads[words[i]] = sum(words[i + 1:i + 301])
            functions.update({"0x%x" % (0x10000 + 64 * k): n for k, n in enumerate(words[i + 1:i + 301]) if n})
        return threads, functions


def compare_running(data, before, after, more):
    """Whether the report is of a moment between these."""
    for row in data["per_thread"]:
        true(before[0][row["tid"]] <= row["events"] // 2 <= after[0][row["tid"]] + more, "thread %r" % row)
    equal(len(data["per_thread"]), 2, "threads")
    for name, row in data["by_name"].items():
        true(before[1][name] <= row["calls"] <= after[1][name] + 2 * more, "%s: %r" % (name, row))
        true(row["min_ns"] <= row["p50_ns"] <= row["p99_ns"] <= row["max_ns"], name)
        true(row["self_ns"] <= row["incl_ns"], name)
    true(set(before[1]) <= set(data["by_name"]), "functions")
    noticed(data, "was killed or still runs", "of each thread one call may be counted in part")
    true(not [text for text in data["notices"] if "skipped" in text or "damaged" in text], data["notices"])


@test
def a_real_program_killed_at_any_moment():
    rand = random.Random(8)
    with Folder() as folder:
        program = tables(folder)
        for i in range(10):
            # Reserved space is kept there, so that tables are files.
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as traces:
                running = Running(program, folder, traces, "loop")
                time.sleep(rand.random() * (0.001, 0.05)[i % 2])
                running.kill()
                counts = running.returned()
                compare_running(rec.report(traces), counts, counts, 1)


@test
def a_real_program_that_runs():
    with Folder() as folder:
        program = tables(folder)
        for how in ("slow", "loop"):
            with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as traces:
                running = Running(program, folder, traces, how)
                try:
                    for _ in range(10):
                        before = running.returned()
                        data = rec.report(traces)
                        compare_running(data, before, running.returned(), 1)
                        time.sleep(0.02)
                finally:
                    running.kill()


main()
