# SPDX-License-Identifier: MIT
"""The callgrind format, read by callgrind_annotate."""

import compiled
import readers
import recordings as rec
import tap
from tap import Folder, equal, main, run, test, true

PROGRAM = """
static volatile int sink;
static void leaf(void) { sink++; }
static void busy(int n) { while (n--) sink++; }
static void odd(int n);
static void even(int n) {
  busy(10);
  if (n)
    odd(n - 1);
}
static void odd(int n) {
  if (n)
    even(n - 1);
}
int main(void) {
  leaf();
  leaf();
  busy(100);
  even(7);
  return 0;
}
"""


@test
def sums_are_those_of_the_json_report():
    """Random calls recurse in every way: what annotate says is self and total, to the ns."""
    with Folder() as folder:
        told = readers.random_calls(folder, functions=6)
        rows = rec.report(folder)["by_name"]
        own = readers.callgrind_totals(folder, "no")
        equal({name: own[name] for name in rows}, {name: (row["self_ns"], row["calls"]) for name, row in rows.items()}, "self")
        inclusive = readers.callgrind_totals(folder, "yes")
        equal({name: inclusive[name][0] for name in rows}, {name: row["total_ns"] for name, row in rows.items()}, "total")
        everything = (sum(call[4] for call in told), len(told))
        equal(inclusive["(threads)"], everything, "what stands for the threads")


@test
def calls_have_their_lines():
    with Folder() as folder:
        path = rec.write(folder, "p.c", PROGRAM.encode())
        run("gcc", "-O0", "-g", "-finstrument-functions", path, compiled.runtime("gcc"), "-o", folder + "/p", "-pthread", check=0)
        run(folder + "/p", env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
        text = readers.write(folder + "/traces", "callgrind").decode("utf-8")
        names, function, callee, count, found = {}, None, None, None, []
        for line in text.splitlines():
            key, equals, value = line.partition("=")
            if key in ("fn", "cfn") and equals:
                number, _space, name = value.partition(" ")
                names.setdefault(number, name)
                true(name in ("", names[number]), "one name a number")
                if key == "fn":
                    function = names[number]
                else:
                    callee = names[number]
            elif key == "calls" and equals:
                count = int(value.split()[0])
            elif count is not None:
                found.append((function, int(line.split()[0]), callee, count))
                count = None
        source = PROGRAM.splitlines()

        def place(text, which=0):
            return [number for number, line in enumerate(source, 1) if text in line][which]

        true(("main", place("leaf();"), "leaf", 1) in found and ("main", place("leaf();", 1), "leaf", 1) in found,
             "two calls, two lines: %r" % found)
        true(("main", place("busy(100)"), "busy", 1) in found, "busy")
        true(("main", place("even(7)"), "even", 1) in found, "even")
        true(("even", place("busy(10)"), "busy", 4) in found, "busy of even")
        true([call for call in found if call[0] == "odd" and call[2:] == ("even", 3)], "recursion: %r" % found)
        own = readers.callgrind_totals(folder + "/traces", "yes")
        rows = rec.report(folder + "/traces")["by_name"]
        equal({name: own[name][0] for name in rows}, {name: row["total_ns"] for name, row in rows.items()}, "total")


@test
def open_and_repaired_calls_count():
    with Folder() as folder:
        readers.odd_ends(folder)
        rows = rec.report(folder)["by_name"]
        own = readers.callgrind_totals(folder, "no")
        equal({name: own[name] for name in rows if name in own},
              {name: (row["self_ns"], row["calls"] + row["open"]) for name, row in rows.items() if row["self_ns"]}, "self")


@test
def calls_that_reach_over_a_part_count():
    """A call line of no calls would be read as the caller's own cost."""
    with Folder() as folder:
        calls = [(0, 1000, 0x10), (100, 900, 0x20), (350, 380, 0x20), (400, 650, 0x30), (450, 550, 0x10)]
        events = sorted([(start, rec.ENTER, func) for start, _end, func in calls] + [(end, rec.EXIT, func) for _start, end, func in calls])
        rec.write(folder, "trace.1.1.0.bin", rec.header(flags=rec.THREAD_START),
                  *(rec.event(kind, time, func) for time, kind, func in events))
        part = ("--from", "300ns", "--to", "600ns")
        rows = rec.report(folder, *part)["by_name"]
        equal({name: (row["calls"], row["clipped"]) for name, row in rows.items()}, {"0x10": (1, 1), "0x20": (1, 1), "0x30": (0, 1)}, "calls")
        equal(readers.callgrind_totals(folder, "no", *part), {"0x10": (100, 2), "0x20": (100, 2), "0x30": (100, 1)}, "self")
        inclusive = readers.callgrind_totals(folder, "yes", *part)
        equal({name: inclusive[name][0] for name in rows}, {"0x10": 300, "0x20": 300, "0x30": 200}, "total")


main()
