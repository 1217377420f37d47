# SPDX-License-Identifier: MIT
"""The csv format."""

import readers
import recordings as rec
from tap import Folder, equal, main, test, true


@test
def rows_are_those_of_the_json_report():
    with Folder() as folder:
        readers.random_calls(folder, functions=30)
        rows = readers.table(folder)
        report = rec.report(folder)
        equal([row["function"] for row in rows], [row["function"] for row in report["rows"]], "all of them, in the same order")
        for row, told in zip(rows, report["rows"]):
            for column, text in row.items():
                if column in told and text:
                    wanted = "%.3f" % told[column] if column in ("mean_ns", "stddev_ns") else str(told[column])
                    equal(text, wanted, "%s of %s" % (column, row["function"]))
        for column in ("calls", "incl_ns", "self_ns", "total_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns", "threads"):
            true(rows[0][column], column)
        equal(len(readers.table(folder, "--top", "3", "--sort", "calls")), 3, "--top")
        calls = [int(row["calls"]) for row in readers.table(folder, "--sort", "calls")]
        equal(calls, sorted(calls, reverse=True), "--sort")
        for sort, column in (("min", "min_ns"), ("mean", "mean_ns"), ("stddev", "stddev_ns"), ("p99.9", "p999_ns"),
                             ("threads", "threads"), ("callers", "callers"), ("callees", "callees")):
            # Equal ones to a nanosecond are in the order of their inclusive time.
            values = [int(float(row[column] or 0)) for row in readers.table(folder, "--sort", sort)]
            equal(values, sorted(values, reverse=True), "--sort " + sort)


@test
def what_is_not_known_is_empty():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(0, 10, 0x1000), rec.event(0, 20, 0x2000))
        row = readers.table(folder)[0]
        equal((row["calls"], row["open"], row["min_ns"], row["p50_ns"], row["max_ns"], row["file"], row["line"]),
              ("0", "1", "", "", "", "", ""), "an open call")


@test
def lines_end_as_the_rules_say():
    with Folder() as folder:
        readers.random_calls(folder)
        data = readers.write(folder, "csv")
        equal(data.count(b"\n"), data.count(b"\r\n"), "CR LF")
        true(data.endswith(b"\r\n") and not data.startswith(b"\xef\xbb\xbf"), "the last line too; no byte order mark")


@test
def summaries_have_rows():
    with Folder() as folder:
        rec.write(folder, "trace.summary.1.1.bin", rec.summary_header(records=1, span=1000),
                  rec.summary_record(0x1000, [10, 20, 30], 55))
        row = readers.table(folder)[0]
        equal((row["calls"], row["incl_ns"], row["self_ns"], row["total_ns"], row["open"], row["repaired"]),
              ("3", "60", "55", "", "", ""), "a summary")
        for form in ("tree", "svg", "callgrind", "perfetto", "speedscope"):
            result = rec.analyze(folder, "--format", form, check=2)
            true("--format %s: this recording is a summary" % form in result.stderr and "csv" in result.stderr, result.stderr)
            equal(result.stdout, "", "nothing is written")


main()
