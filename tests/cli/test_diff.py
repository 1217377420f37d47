# SPDX-License-Identifier: MIT
"""diff: reports made by hand, in our form and in the reference implementation's, and of recordings.

What must come out is worked out here from the numbers that went in, in whole ns."""

import csv
import io
import json
import os
import pty
import random
import subprocess
from decimal import Decimal

import recordings as rec
from tap import CLI, Folder, equal, main, run, test, true

SUFFIX = " — write it with callsight-cli analyze --format json --top 0"


def theirs(function, self_ns, location="work.c:1", calls=1, counters=None, **more):
    """A row as the reference implementation writes it: floating point, no modules."""
    row = {"function": function, "location": location, "calls": calls, "incl_ms": self_ns / 1e6, "self_ms": self_ns / 1e6,
           "max_ms": self_ns / 1e6, "min_ns": 1, "max_ns": self_ns, "p50_ns": 2, "p90_ns": 3, "p99_ns": 4}
    if counters:
        row["counters"] = {event: {"calls": calls, "total": total, "self": own, "per_call": total / calls}
                           for event, (total, own) in counters.items()}
    return dict(row, **more)


def ours(function, self_ns, location=None, module=None, **more):
    return dict(theirs(function, self_ns, location), module=module, address="0x1", counters={},
                total_ms=None, total_ns=None, **more)


def report(*rows, **more):
    return dict({"events": 4, "threads": 1, "functions": len(rows), "span_ms": 1.5, "unmatched_exits": 0,
                 "unclosed_enters": 0, "mode": "events", "notices": [], "rows": list(rows), "per_thread": [],
                 "tool": "callsight", "version": "0.3.0"}, **more)


def save(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(data if isinstance(data, str) else json.dumps(data))
    return path


def diff(base, new, *options, check=0):
    with Folder() as folder:
        return run(CLI, "diff", save(folder, "base.json", base), save(folder, "new.json", new), *options, check=check)


def diff_json(base, new, *options, check=0):
    return json.loads(diff(base, new, "--format", "json", *options, check=check).stdout, parse_float=Decimal)


def brief(data, *more):
    return [(row["function"], row["status"]) + tuple(row[key] for key in more) for row in data["rows"]]


def ms(ns):
    return None if ns is None else Decimal(ns) / 1000000


def table(text):
    """The rows of the table: (base, new, delta, change, function)."""
    lines = text.split("\n\n")[0].splitlines()
    return [tuple(line.split(None, 4)) for line in lines if not line.startswith("!")]


def must_fail(result, *words):
    equal(result.returncode, 2, result.stdout + result.stderr)
    equal(result.stdout, "", "nothing on standard output")
    equal(len(result.stderr.splitlines()), 1, result.stderr)
    true(result.stderr.startswith("callsight-cli: "), result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


# Numbers of which none is a round one in binary.
BASE = report(theirs("deep_compute", 77000), theirs("fill", 1286000), theirs("same", 5), theirs("old", 300001))
NEW = report(theirs("deep_compute", 1181003), theirs("fill", 699001), theirs("same", 5), theirs("fresh", 11))


@test
def a_table_with_the_greatest_rise_first():
    text = diff(BASE, NEW).stdout
    equal(table(text), [
        ("base_self_ms", "new_self_ms", "delta", "change", "function"),
        ("0.077", "1.181", "+1.104", "+1433.8%", "deep_compute (work.c:1)"),
        ("-", "0.000", "+0.000", "new", "fresh (work.c:1)"),
        ("0.300", "-", "-0.300", "gone", "old (work.c:1)"),
        ("1.286", "0.699", "-0.587", "-45.6%", "fill (work.c:1)")], "table")
    equal(text.split("\n\n")[1].splitlines(), [
        "total self_ms: 1.880, was 1.663 (+13.0%)", "functions: 1 new, 1 gone, 1 unchanged",
        "worst regression: +1433.8%  deep_compute (work.c:1)"], "end")


@test
def json_is_exact_to_the_nanosecond():
    data = diff_json(BASE, NEW)
    equal(brief(data, "base", "new", "delta"), [
        ("deep_compute", "changed", ms(77000), ms(1181003), ms(1104003)), ("fresh", "new", None, ms(11), ms(11)),
        ("same", "unchanged", ms(5), ms(5), ms(0)), ("old", "gone", ms(300001), None, ms(-300001)),
        ("fill", "changed", ms(1286000), ms(699001), ms(-586999))], "rows")
    equal((data["base_total"], data["new_total"], data["added"], data["gone"], data["unchanged"], data["failed"]),
          (ms(1663006), ms(1880020), 1, 1, 1, False), "sums")
    equal(data["worst"], data["rows"][0], "worst")
    true(abs(data["worst"]["change_percent"] - Decimal(1104003) / Decimal(77000) * 100) < Decimal("1e-9"), "percent")
    chance = random.Random(1)
    before = [chance.randrange(10 ** chance.randrange(1, 15)) for _ in range(1000)]
    after = [chance.randrange(10 ** chance.randrange(1, 15)) for _ in range(1000)]
    data = diff_json(report(*[theirs("f%d" % i, ns) for i, ns in enumerate(before)]),
                     report(*[theirs("f%d" % i, ns) for i, ns in enumerate(after)]))
    equal(sorted(brief(data, "delta")),
          sorted(("f%d" % i, "changed" if a != b else "unchanged", ms(b - a)) for i, (a, b) in enumerate(zip(before, after))),
          "any numbers")
    long = 2 ** 40 + 1
    data = diff_json(report(theirs("f", long)), report(theirs("f", long + 1)))
    equal(brief(data, "delta"), [("f", "changed", ms(1))], "spans of 2^40 ns")


@test
def our_own_reports_of_two_recordings():
    def recording(folder, sub, *calls):
        path = os.path.join(folder, sub)
        os.mkdir(path)
        events, now = [], 1000
        for func, outer, inner, length in calls:
            events += [rec.event(rec.ENTER, now, func), rec.event(rec.ENTER, now + outer, inner),
                       rec.event(rec.EXIT, now + outer + length, inner), rec.event(rec.EXIT, now + 2 * outer + length, func)]
            now += 3 * outer + length
        rec.write(path, "trace.1.1.0.bin", rec.header(), *events)
        out = os.path.join(folder, sub + ".json")
        rec.analyze(path, "--format", "json", "--top", "0", "--out", out)
        folded = os.path.join(folder, sub + ".folded")
        rec.analyze(path, "--format", "folded", "--out", folded)
        return out, folded

    with Folder() as folder:
        base, base_folded = recording(folder, "base", (0x10, 3, 0x20, 1000), (0x10, 5, 0x30, 50))
        new, new_folded = recording(folder, "new", (0x10, 4, 0x20, 1007), (0x40, 5, 0x20, 60))
        data = json.loads(run(CLI, "diff", base, new, "--format", "json", check=0).stdout, parse_float=Decimal)
        equal(brief(data, "delta"), [("0x20", "changed", ms(67)), ("0x40", "new", ms(10)), ("0x10", "changed", ms(8 - 16)),
                                     ("0x30", "gone", ms(-50))], "deltas")
        # Every number of a row is a key.
        with open(base, encoding="utf-8") as file:
            old = {row["function"]: row for row in json.load(file)["rows"]}
        with open(new, encoding="utf-8") as file:
            now = {row["function"]: row for row in json.load(file)["rows"]}
        keys = [key for key, value in old["0x10"].items() if isinstance(value, (int, float))]
        true(len(keys) > 12, keys)
        for key in keys:
            data = json.loads(run(CLI, "diff", base, new, "--format", "json", "--key", key, check=0).stdout)
            row = {row["function"]: row for row in data["rows"]}["0x10"]
            equal((row["base"], row["new"]), (old["0x10"][key], now["0x10"][key]), key)
        # The folded reports hold the same self time, by path.
        lines = run(CLI, "diff", base_folded, new_folded, "--format", "folded", check=0).stdout.splitlines()
        equal(sorted(lines), ["0x10 16 8", "0x10;0x20 1000 1007", "0x10;0x30 50 0", "0x40 0 10", "0x40;0x20 0 60"], "paths")
        text = [line for line in run(CLI, "diff", base, new, check=0).stdout.splitlines() if line[0:1] != "!"]
        equal(run(CLI, "diff", base_folded, new_folded, check=0).stdout.splitlines(), text, "tables")
        equal(run(CLI, "diff", base_folded, base_folded, check=0).stdout.splitlines()[1:],
              ["", "total self_ms: 0.001, was 0.001 (+0.0%)", "functions: 0 new, 0 gone, 3 unchanged", "worst regression: none"],
              "a report and itself")


@test
def modules_and_files_keep_functions_apart():
    def pairs(base, new, base_head=None, new_head=None):
        data = diff_json(report(*base, **(base_head or {})), report(*new, **(new_head or {})))
        return sorted((row["status"], row["base"] and int(row["base"] * 1000000), row["new"] and int(row["new"] * 1000000))
                      for row in data["rows"])

    one, two, app = "/srv/one.so", "/srv/two.so", "/srv/app"
    # The order in the reports says nothing, and neither do the modules' folders.
    equal(pairs([ours("f", 1, "f.c:1", one), ours("f", 2, "f.c:1", two)],
                [ours("f", 20, "f.c:1", "/new/two.so"), ours("f", 10, "f.c:1", "/new/one.so")]),
          [("changed", 1, 10), ("changed", 2, 20)], "modules")
    equal(pairs([ours("f", 1, "f.c:1", one)], [ours("f", 2, "f.c:1", two)]), [("gone", 1, None), ("new", None, 2)], "another module")
    equal(pairs([ours("f", 1, "a.c:1", app), ours("f", 2, "b.c:7", app)], [ours("f", 20, "b.c:9", app), ours("f", 10, "a.c:3", app)]),
          [("changed", 1, 10), ("changed", 2, 20)], "statics")
    equal(pairs([ours("f", 1, "/v1/src/a.c:1", app), ours("f", 2, "/v1/src/b.c:7", app)],
                [ours("f", 20, "/v2/src/b.c:9", app), ours("f", 10, "/v2/src/a.c:3", app)]),
          [("changed", 1, 10), ("changed", 2, 20)], "another folder of sources")
    # Whole paths on one side, those in the project on the other: files of one name are told by their folders.
    whole = [ours("f", 1, "/v1/x/src/a.c:1", app), ours("f", 2, "/v1/y/src/a.c:7", app), ours("f", 3, "/v1/a.c:2", app)]
    equal(pairs(whole, [ours("f", 20, "y/src/a.c:9", app)]),
          [("changed", 2, 20), ("gone", 1, None), ("gone", 3, None)], "paths in the project")
    equal(pairs([ours("f", 20, "src/y/a.c:9", app), ours("f", 10, "src/x/a.c:9", app)],
                [ours("f", 1, "/v1/src/x/a.c:1", app), ours("f", 2, "/v1/src/y/a.c:7", app)]),
          [("changed", 10, 1), ("changed", 20, 2)], "whole paths again")
    equal(pairs([ours("f", 1, "a.c:1", app), ours("f", 2, "b.c:7", app)], [ours("f", 20, "b.c:9", app)]),
          [("changed", 2, 20), ("gone", 1, None)], "one of two gone")
    equal(pairs([ours("f", 1, "old.c:1", app)], [ours("f", 2, "new.c:1", app)]), [("changed", 1, 2)], "moved to another file")
    equal(pairs([ours("f", 1, "a.c:1", app), ours("f", 2, "b.c:1", app)], [ours("f", 3, "c.c:1", app), ours("f", 4, "d.c:1", app)]),
          [("gone", 1, None), ("gone", 2, None), ("new", None, 3), ("new", None, 4)], "nothing tells which is which")
    # The program is one module, whatever its file is called.
    equal(pairs([ours("f", 1, "f.c:1", "/x/app.old"), ours("f", 2, "f.c:1", one)],
                [ours("f", 10, "f.c:1", "/x/app.new"), ours("f", 20, "f.c:1", one)],
                {"processes": [{"exe": "/x/app.old"}]}, {"processes": [{"exe": "/x/app.new"}, {"exe": "/x/app.new"}]}),
          [("changed", 1, 10), ("changed", 2, 20)], "a program renamed")
    # A report without modules.
    for base, new in (((ours, app), (theirs, None)), ((theirs, None), (ours, app))):
        def rows(side, *numbers):
            make, module = side
            more = {"module": module} if module else {}
            return [make("f", numbers[0], "a.c:1", **more), make("f", numbers[1], "b.c:1", **more), make("g", 3, "c.c:1", **more)]
        equal(pairs(rows(base, 1, 2), list(reversed(rows(new, 10, 20)))),
              [("changed", 1, 10), ("changed", 2, 20), ("unchanged", 3, 3)], "by name and file")
    equal(pairs([ours("f", 1, None, one), ours("g", 2, None, one)], [theirs("f", 5, "??:0"), theirs("g", 6, "g.c:1")]),
          [("changed", 1, 5), ("changed", 2, 6)], "by name alone")
    text = diff(report(ours("f", 1000, "f.c:1", one), ours("f", 2000, "f.c:1", two)),
                report(ours("f", 2000, "f.c:1", one), ours("f", 4000, "f.c:1", two))).stdout
    equal([line[4] for line in table(text)], ["function", "f (f.c:1) in two.so", "f (f.c:1) in one.so"], "the text tells them apart")


@test
def what_a_report_does_not_tell_apart_counts_as_one():
    base = report(theirs("??", 1000, "??:0", calls=2, max_ms=0.5, min_ns=7), theirs("??", 500, "??:0", calls=3, max_ms=0.25, min_ns=3))
    new = report(theirs("??", 4500, "??:0", calls=10, max_ms=0.75, min_ns=2))
    for key, before, after in (("self_ms", ms(1500), ms(4500)), ("calls", 5, 10), ("max_ms", Decimal("0.5"), Decimal("0.75")),
                               ("min_ns", 3, 2)):
        equal(brief(diff_json(base, new, "--key", key), "base", "new"), [("??", "changed", before, after)], key)


@test
def counters_are_keys():
    base = report(theirs("f", 10, calls=4, counters={"instructions": (400, 300)}), theirs("g", 10))
    new = report(theirs("f", 10, calls=8, counters={"instructions": (1000, 600)}), theirs("g", 10))
    for key, row in (("instructions", (400, 1000, 600)), ("instructions_self", (300, 600, 300)),
                     ("instructions_per_call", (100, 125, 25))):
        equal(brief(diff_json(base, new, "--key", key), "base", "new", "delta"), [("f", "changed") + row], key)
    equal(table(diff(base, new, "--key", "instructions_per_call").stdout)[1][:4], ("100.000", "125.000", "+25.000", "+25.0%"), "text")
    true("worst regression: +25.0%  f" in diff(base, new, "--key", "instructions_per_call", "--fail-over", "25").stdout, "worst")
    # Counted in one of them only: nothing can be said.
    other = report(theirs("f", 10), theirs("g", 10, counters={"instructions": (5, 5)}))
    data = diff_json(base, other, "--key", "instructions", "--fail-over", "0")
    equal(sorted(brief(data, "base", "new", "delta")), [("f", "unknown", 400, None, None), ("g", "unknown", None, 5, None)], "unknown")


@test
def a_key_that_is_not_there():
    must_fail(diff(BASE, NEW, "--key", "cycles", check=2), "--key cycles", "base.json",
              "calls, incl_ms, max_ms, max_ns, min_ns, p50_ns, p90_ns, p99_ns, self_ms\n")
    with_counter = report(theirs("fill", 5, counters={"cycles": (5, 5)}))
    must_fail(diff(with_counter, NEW, "--key", "cycles", check=2), "new.json")
    must_fail(diff(report(ours("f", 1)), report(ours("f", 1)), "--key", "total_ms", check=2), "total_ms")
    must_fail(diff(BASE, NEW, "--key", "function", check=2), "--key function")
    must_fail(diff("a;b 5\n", "a;b 6\n", "--key", "calls", check=2), "self_ms, self_ns")


@test
def a_threshold_hides_what_is_smaller():
    base = report(theirs("exact", 1000000), theirs("less", 1000000), theirs("fell", 1000000), theirs("gone", 499999))
    new = report(theirs("exact", 1500000), theirs("less", 1499999), theirs("fell", 500000), theirs("new", 500000))
    shown = [("exact", "changed"), ("new", "new"), ("fell", "changed")]
    data = diff_json(base, new, "--threshold", "0.5")
    equal(brief(data), shown, "0.5 ms")
    equal((data["below_threshold"], data["added"], data["gone"]), (2, 1, 0), "counts")
    text = diff(base, new, "--threshold", "0.5").stdout
    equal([row[4].split()[0] for row in table(text)[1:]], [name for name, _status in shown], "text")
    true(", 2 below the threshold" in text, text)
    # In the unit of the key.
    equal(brief(diff_json(base, new, "--key", "max_ns", "--threshold", "500000")), shown, "ns")
    equal(len(diff_json(base, new, "--threshold", "0.5000005")["rows"]), 0, "above all")
    # 2.007 is a little more in binary.
    equal(len(diff_json(report(theirs("f", 1)), report(theirs("f", 2007001)), "--threshold", "2.007")["rows"]), 1, "exactly")


@test
def fail_over_looks_at_the_worst_regression():
    def status(base, new, limit, *options):
        with Folder() as folder:
            result = run(CLI, "diff", save(folder, "b", base), save(folder, "n", new), "--fail-over", limit, *options)
            equal(len(result.stderr.splitlines()), result.returncode, result.stderr)
            data = json.loads(run(CLI, "diff", os.path.join(folder, "b"), os.path.join(folder, "n"), "--fail-over", limit,
                                  "--format", "json", *options, check=result.returncode).stdout)
            equal(data["failed"], result.returncode == 1, "failed")
            return result.returncode

    base = report(theirs("f", 1000000), theirs("g", 900000))
    for percent in ("10", "0.3", "0.1", "0.7", "33.3", "10.0"):
        edge = 1000000 + int(Decimal(percent) * 10000)
        equal(status(base, report(theirs("f", edge), theirs("g", 1)), percent), 0, "exactly %s %%" % percent)
        equal(status(base, report(theirs("f", edge + 1), theirs("g", 1)), percent), 1, "a ns over %s %%" % percent)
    equal(status(base, base, "0"), 0, "nothing rose")
    equal(status(base, report(theirs("f", 1), theirs("g", 900001)), "0"), 1, "anything at all")
    # The total fell, and yet a function rose.
    equal(status(base, report(theirs("f", 1), theirs("g", 1800001)), "100"), 1, "one function")
    # A function that wasn't there has nothing to rise from; one that took no time has.
    equal(status(base, report(theirs("f", 1000000), theirs("h", 5000000)), "0"), 0, "new")
    equal(status(report(theirs("f", 0)), report(theirs("f", 1)), "1000000"), 1, "from 0")
    true("from 0" in diff(report(theirs("f", 0)), report(theirs("f", 1))).stdout, "from 0, in text")
    # What the threshold ignores doesn't count.
    small = report(theirs("f", 1000000), theirs("g", 1350000))
    equal((status(base, small, "10"), status(base, small, "10", "--threshold", "0.5")), (1, 0), "threshold")
    result = diff(base, small, "--fail-over", "10", check=1)
    true("g (work.c:1)" in result.stdout and result.stderr ==
         "callsight-cli: diff: g: its self_ms rose by 50.0 %, over --fail-over 10 — see what it does now, or take a new base\n",
         result.stderr)


@test
def a_maximum_of_no_calls_is_not_known():
    new = report(theirs("f", 5000000), theirs("g", 10))
    for more in (dict(calls=0), dict(calls=2, repaired=2)):
        base = report(theirs("f", 1000000, max_ns=0, max_ms=0, min_ns=0, p99_ns=0, **more), theirs("g", 10))
        for key in ("max_ns", "max_ms", "min_ns", "p99_ns"):
            data = diff_json(base, new, "--key", key, "--fail-over", "10")
            true(("f", "unknown") in brief(data) and not data["failed"], "%s: %r" % (key, data["rows"]))
        true("f: its self_ms rose" in diff(base, new, "--fail-over", "10", check=1).stderr, "self_ms")
    base = report(theirs("f", 1000000, max_ns=0, calls=2, repaired=1))
    true(diff_json(base, new, "--key", "max_ns", "--fail-over", "10", check=1)["failed"], "a call of 0 ns")


@test
def folded_has_two_columns():
    equal(sorted(diff(BASE, NEW, "--format", "folded", "--threshold", "1").stdout.splitlines()),
          ["deep_compute 77000 1181003", "fill 1286000 699001", "fresh 0 11", "old 300001 0", "same 5 5"], "functions")
    base = "main;a b(int);c 5\nmain 7\n\nmain;a b(int);c 6\nmain;z 0\n"
    new = "main;a b(int);c 12\r\nmain;new;a:b 3"
    equal(diff(base, new, "--format", "folded").stdout.splitlines(),
          ["main 7 0", "main;a b(int);c 11 12", "main;new;a:b 0 3", "main;z 0 0"], "paths")
    equal(diff(report(theirs("c", 5)), new, "--format", "folded").stdout.splitlines(), ["c 5 12", "a:b 0 3"], "of both kinds")
    equal(diff(report(theirs("x;y", 5)), report(theirs("x;y", 6)), "--format", "folded").stdout, "x:y 5 6\n", "a semicolon")


@test
def names_of_any_kind():
    names = ["operator()(char const*)", "a\"b\\c", "line\nbreak\x1b[31m", "naïve λ", "x;y", "std::map<int, std::less<> >::operator[]", " "]
    base = report(*[theirs(name, 10, "dir with space/ä:b.c:12") for name in names])
    new = report(*[theirs(name, 20 + i, "dir with space/ä:b.c:12") for i, name in enumerate(names)])
    data = diff_json(base, new)
    equal([row["function"] for row in data["rows"]], list(reversed(names)), "as they are")
    equal({row["location"] for row in data["rows"]}, {"dir with space/ä:b.c:12"}, "locations")
    text = diff(base, new).stdout
    true("\x1b" not in text and "line?break?[31m (dir with space" in text, text)
    equal(len(table(text)), 1 + len(names), "a line each")
    result = diff(report(theirs("a\x1bb\nc", 1)), report(theirs("a\x1bb\nc", 9)), "--fail-over", "1", check=1)
    true("diff: a?b?c: its" in result.stderr, result.stderr)


@test
def what_to_beware_of_comes_first():
    cut = report(theirs("f", 10), functions=7, notices=["recording stopped early"])
    other = report(theirs("f", 10), theirs("g", 10), mode="summary", overhead_subtracted=True)
    lines = diff(cut, other).stdout.splitlines()
    equal([line[0] for line in lines[:5]], ["!", "!", "!", "!", "b"], "notices")
    true("base.json holds 1 of 7 functions, and the others look new — write it with --top 0" in "\n".join(lines), lines)
    true("! base: recording stopped early" in lines, lines)
    data = diff_json(cut, other)
    equal([notice.split("/")[-1] for notice in data["notices"]], [line[2:].split("/")[-1] for line in lines[:4]], "and in JSON")
    true("look gone" in diff(other, cut).stdout, "the other way round")


ROW = '{"function":"f","calls":1,"incl_ms":1.5,"self_ms":1.5%s}'
BAD = [
    ("", ["it is empty"]), (" \n\t ", ["it is empty"]), ("\ufeff", ["it is empty"]),
    ("hello\n", ["line 1 does not end in a space and a number"]),
    ("a;b 5\na;c -5\n", ["line 2 does not end"]), ("a;b 5.5\n", ["line 1 ends in what is no whole number"]),
    ("a;b 5x\n", ["no whole number"]), ("a;b 9223372036854775808\n", ["too large"]), ("5\n", ["line 1"]), (" 5\n", ["line 1"]),
    ("a 9223372036854775807\na 1\n", ["292 years"]), ("x;a 9223372036854775807\ny;a 1\n", ["292 years"]),
    ("events=4 threads=1 functions=2\n", ["line 1"]),
    ("[]", ['"[" begins no object']), ('{"traceEvents":[]}', ['no array "rows"']), ('{"rows":{}}', ['no array "rows"']),
    ('{"rows":[]}', ["no rows"]), ('{"a":{"rows":[{}]}}', ['no array "rows"']),
    ('{"rows":[1]}', ["row 1", '"1" is no object']), ('{"rows":[[]]}', ["row 1", "no object"]), ('{"rows":["x"]}', ["no object"]),
    ('{"rows":[null]}', ["no object"]), ('{"rows":[{}]}', ["row 1, function is missing, where a string is needed"]),
    ('{"rows":[{"function":"f"}]}', ["row 1, calls is missing, where a number is needed"]),
    ('{"rows":[%s,{"function":"g","calls":1,"incl_ms":1}]}' % (ROW % ""), ["row 2, self_ms is missing"]),
    ('{"rows":[%s,{"function":7}]}' % (ROW % ""), ["row 2, function is a number, where a string is needed"]),
    ('{"rows":[{"function":null}]}', ["function is null"]),
    ('{"rows":[{"function":"f","calls":"1"}]}', ["row 1, calls is a string, where a number is needed"]),
    ('{"rows":[{"function":"f","calls":[1]}]}', ["calls is an array"]), ('{"rows":[{"function":"f","calls":{}}]}', ["calls is an object"]),
    ('{"rows":[{"function":"f","calls":true}]}', ["calls is true or false"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ms":"1"'), ["row 1, max_ms is a string"]),
    ('{"rows":[%s]}' % (ROW % ',"p50_ns":{}'), ["row 1, p50_ns is an object"]),
    ('{"rows":[%s]}' % (ROW % ',"location":5'), ["row 1, location is a number"]),
    ('{"rows":[%s]}' % (ROW % ',"module":[]'), ["row 1, module is an array"]),
    ('{"rows":[%s]}' % (ROW % ',"counters":[]'), ["row 1, counters is an array"]),
    ('{"rows":[%s]}' % (ROW % ',"counters":{"cycles":5}'), ["row 1, counters, cycles is a number, where an object is needed"]),
    ('{"rows":[%s]}' % (ROW % ',"counters":{"cycles":{"calls":1}}'), ["counters, cycles, total is missing"]),
    ('{"rows":[%s]}' % (ROW % ',"counters":{"cycles":{"total":-1}}'), ["cycles is negative"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":-1'), ["row 1, max_ns is negative"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ms":-0.5'), ["row 1, max_ms is negative"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":NaN'), ['row 1, max_ns: "NaN" is not JSON']),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":-Infinity'), ['row 1, max_ns: "-Infinity" is no JSON number']),
    ('{"rows":[%s]}' % (ROW % ',"max_ms":1e400'), ["row 1, max_ms is too large"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ms":1e13'), ["row 1, max_ms is too large"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":9223372036854775808'), ['max_ns: "9223372036854775808" is too large']),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":123456789012345678901234567890'), ["is too large a number"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":0x10'), ["no JSON number"]), ('{"rows":[%s]}' % (ROW % ',"max_ns":010'), ["no JSON number"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":1.'), ["no JSON number"]), ('{"rows":[%s]}' % (ROW % ',"max_ns":+1'), ["not JSON"]),
    ('{"rows":[%s]}' % (ROW % ',"max_ns":1e+'), ["no JSON number"]), ('{"rows":[%s]}' % (ROW % ",'x':1"), ["not JSON"]),
    ('{"rows":[%s,]}' % (ROW % ""), ["a comma comes without a row after it"]),
    ('{"rows":[,%s]}' % (ROW % ""), ["a comma comes without a row before it"]),
    ('{"rows":[%s %s]}' % (ROW % "", ROW % ""), ["without a comma before it"]),
    ('{"rows":[%s],"rows":[]}' % (ROW % ""), ["it is there twice"]),
    ('{"rows":[%s' % (ROW % ""), ["cut off"]), ('{"rows":[{"function":"f', ["a string has no end"]),
    ('{"rows":[{"function":"f\\', ["a string has no end"]), ('{"rows":[%s]}}' % (ROW % ""), ["closes what is not open"]),
    ('{"rows":[%s]} x' % (ROW % ""), ['"x" is no object']), ('{"rows":[%s]} {"rows":[]}' % (ROW % ""), ["twice"]),
    ('{"rows":[%s], "events" 5}' % (ROW % ""), ["Parse error"]), ('{"rows":[{"function":"f" "calls":1}]}', ["row 1: Parse error"]),
    ('{"rows":[%s]}' % (ROW % ',"x":"a\nb"'), ["a control character"]), ('/* x */ {"rows":[]}', ["line 1"]),
    ('{"rows":[%s] /* " */}' % (ROW % ""), ["not JSON"]), ('{"rows":[%s], "events":"many"}' % (ROW % ""), ["events is a string"]),
    ('{"rows":[%s], "functions":[]}' % (ROW % ""), ["functions is an array"]),
    ('{"rows":[%s], "notices":"x"}' % (ROW % ""), ["notices is a string"]), ('{"rows":[%s], "notices":[5]}' % (ROW % ""), ["notices is a number"]),
    ('{"rows":[%s], "processes":[5]}' % (ROW % ""), ["processes is a number"]), ('{"rows":[%s], "mode":5}' % (ROW % ""), ["mode is a number"]),
    ('{"rows":[%s], "processes":[{"exe":5}]}' % (ROW % ""), ["exe is a number"]),
    ('{"rows":[{"function":"f","a":%s' % ("[" * 100000), ["row 1, a:", "nested too deep"]),
    ('{"rows":[%s],"a":%s' % (ROW % "", '{"a":' * 100000), ["nested too deep"]), ("[" * 1000000, ["begins no object"]),
]


@test
def bad_reports_are_refused_with_the_place():
    with Folder() as folder:
        good = save(folder, "good.json", BASE)
        bad = os.path.join(folder, "bad.json")
        for i, (text, words) in enumerate(BAD):
            save(folder, "bad.json", text)
            try:
                must_fail(run(CLI, "diff", *((bad, good) if i % 2 else (good, bad))), "bad.json: is no report", SUFFIX, *words)
            except AssertionError as error:
                raise AssertionError("%r: %s" % (text[:200], error)) from None
        with open(bad, "wb") as file:
            file.write(b'{"rows":[{"function":"f\xff"}]}')
        must_fail(run(CLI, "diff", good, bad), "byte 23 is not UTF-8")
        for name, words in (("nothing.json", ["nothing.json", "No such file"]), (".", ["Is a directory"])):
            must_fail(run(CLI, "diff", good, os.path.join(folder, name)), "can't be read", "--format json --top 0 --out FILE",
                      *words)
        data = save(folder, "diff.json", diff(BASE, NEW, "--format", "json").stdout)
        must_fail(run(CLI, "diff", data, good), "row 1, calls is missing")


@test
def every_cut_of_a_report_is_refused():
    text = json.dumps(report(theirs("f", 5, counters={"cycles": (5, 4)}), theirs("g\"\\é", 6)))
    with Folder() as folder:
        good = save(folder, "good.json", text)
        run(CLI, "diff", good, good, check=0)
        for length in range(0, len(text), 13):
            must_fail(run(CLI, "diff", save(folder, "cut.json", text[:length]), good), "cut.json")


@test
def over_256_mb_is_refused_unread():
    with Folder() as folder:
        good = save(folder, "good.json", BASE)
        path = os.path.join(folder, "big.json")
        with open(path, "wb") as file:
            file.truncate((256 << 20) + 1)
        # With too little memory to read it.
        must_fail(run("sh", "-c", 'ulimit -v 250000 && exec "$@"', "-", CLI, "diff", good, path), "big.json", "256 MB")


@test
def csv_has_the_numbers_of_json():
    base = report(ours("same", 5), ours("risen, \"twice\"", 10, "a b.c:7", "/lib/x.so"), ours("gone", 3))
    new = report(ours("same", 5), ours("risen, \"twice\"", 20, "a b.c:7", "/lib/x.so"), ours("new", 4))
    rows = list(csv.DictReader(io.StringIO(diff(base, new, "--format", "csv").stdout, newline="")))
    wanted = diff_json(base, new)["rows"]
    equal(len(rows), 4)
    for row, other in zip(rows, wanted):
        equal((row["function"], row["status"], row["module"] or None), (other["function"], other["status"], other["module"]))
        equal(f'{row["file"]}:{row["line"]}' if row["file"] else None, other["location"])
        for column, key in (("base_self_ms", "base"), ("new_self_ms", "new"), ("delta_self_ms", "delta"),
                            ("change_percent", "change_percent")):
            equal(Decimal(row[column]) if row[column] else None, other[key])
    equal(rows[0]["function"], 'risen, "twice"')
    equal([row["status"] for row in rows], ["changed", "new", "unchanged", "gone"])
    equal(len(list(csv.DictReader(io.StringIO(diff(base, new, "--format", "csv", "--threshold", "0.000004").stdout)))), 2)


@test
def wrong_usage():
    with Folder() as folder:
        good = save(folder, "good.json", BASE)
        must_fail(run(CLI, "diff"), "two reports", "BASE.json NEW.json")
        must_fail(run(CLI, "diff", good), "two reports")
        must_fail(run(CLI, "diff", good, good, good), "two reports")
        must_fail(run(CLI, "diff", good, good, "--format", "xml"), "text, json or folded")
        must_fail(run(CLI, "diff", good, good, "--nonsense"), "--nonsense", "--help")
        for option in ("--threshold", "--fail-over"):
            for value in ("x", "-1", "nan", "inf", "1e999", "", "5x", "1,5"):
                must_fail(run(CLI, "diff", good, good, option, value), "%s %s" % (option, value), "number from 0")
        text = run(CLI, "diff", "--help", check=0).stdout
        for option in ("--key", "--threshold", "--fail-over", "--format", "--out"):
            true(option in text, option)
        true("\n  diff " in run(CLI, "--help", check=0).stdout, "the list of commands")


@test
def out_is_written_whole_or_not_at_all():
    with Folder() as folder:
        base, new = save(folder, "base.json", BASE), save(folder, "new.json", NEW)
        out = save(folder, "out", "old")
        run(CLI, "diff", base, os.path.join(folder, "none"), "--out", out, check=2)
        run(CLI, "diff", base, new, "--key", "none", "--out", out, check=2)
        with open(out, encoding="utf-8") as file:
            equal(file.read(), "old", "after a failure")
        result = run(CLI, "diff", base, new, "--fail-over", "1", "--out", out, check=1)
        with open(out, encoding="utf-8") as file:
            equal(file.read(), run(CLI, "diff", base, new, check=0).stdout, "the report, over the limit too")
        equal(result.stdout, "", "nothing else")
        equal(sorted(os.listdir(folder)), ["base.json", "new.json", "out"], "nothing left behind")
        must_fail(run(CLI, "diff", base, new, "--out", os.path.join(folder, "no", "where")), "can't be written")


@test
def pipes_are_read_to_their_end():
    with Folder() as folder:
        new = save(folder, "new.json", NEW)
        script = 'cat "$2" | "$1" diff /dev/stdin "$2"'
        true("worst regression: none" in run("sh", "-c", script, "-", CLI, new, check=0).stdout, "a pipe")


def on_a_terminal(*arguments, **environment):
    leader, follower = pty.openpty()
    environ = dict(os.environ, **dict({"TERM": "xterm"}, **environment))
    if "NO_COLOR" not in environment:
        environ.pop("NO_COLOR", None)
    process = subprocess.Popen([CLI, "diff", *arguments], stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE, env=environ)
    os.close(follower)
    text = b""
    try:
        while True:
            block = os.read(leader, 65536)
            if not block:
                break
            text += block
    except OSError:
        pass
    os.close(leader)
    equal((process.wait(60), process.stderr.read()), (0, b""), "exit status and standard error")
    process.stderr.close()
    return text.decode().replace("\r\n", "\n")


@test
def colours_on_a_terminal_only():
    with Folder() as folder:
        base, new = save(folder, "base.json", BASE), save(folder, "new.json", NEW)
        plain = run(CLI, "diff", base, new, check=0).stdout
        true("\x1b" not in plain, "no terminal")
        coloured = on_a_terminal(base, new)
        equal((coloured.count("\x1b[31m"), coloured.count("\x1b[32m"), coloured.count("\x1b[0m")), (2, 2, 4), "red and green")
        equal(coloured.replace("\x1b[31m", "").replace("\x1b[32m", "").replace("\x1b[0m", ""), plain, "the same text")
        equal(on_a_terminal(base, new, NO_COLOR="1"), plain, "NO_COLOR")
        equal(on_a_terminal(base, new, TERM="dumb"), plain, "a terminal without colours")
        true("\x1b" not in on_a_terminal(base, new, "--format", "json"), "json")


@test
def a_closed_pipe_ends_quietly():
    rows = [theirs("function_%d" % i, i + 1) for i in range(4000)]
    with Folder() as folder:
        base = save(folder, "base.json", report(*rows))
        new = save(folder, "new.json", report(*[dict(row, self_ms=row["self_ms"] * 2) for row in rows]))
        for form in ("text", "json", "folded"):
            result = run("sh", "-c", '("$@"; echo "status $?" >&2) | head -n 1', "-", CLI, "diff", base, new, "--format", form)
            equal((len(result.stdout.splitlines()), result.stderr), (1, "status 0\n"), form)


main()
