# SPDX-License-Identifier: MIT
"""Each format is valid whatever the names are, and all of them tell the same numbers."""

import json
import os
import subprocess

import compiled
import readers
import recordings as rec
import tap
from tap import Folder, equal, main, run, test, true

LAB = os.path.join(tap.TOP, "tests", "workloads", "lab")

# Symbol names that no compiler makes; the last is not UTF-8.
NAMES = ["semi;colon;;", 'quo"te"quote', "back\\slash\\n", "spa ce  space", "new\nline\nline", "esc\033[31mred",
         "utf8-\u00fc\u2192\u00fc\u2192", "per%cent%s%n", "<&>&amp;</b>", "bad-\udcff\udcfe-\udcff-bad"]


def hostile_program(folder):
    """A program whose functions have the names above, written over others of equal length."""
    names = [name.encode("utf-8", "surrogateescape") for name in NAMES]
    plain = [b"f%02d" % number + b"x" * (len(name) - 3) for number, name in enumerate(names)]
    source = "static volatile int sink;\n"
    for name in plain:
        source += "void %s(void);\nvoid %s(void) { sink++; }\n" % (name.decode(), name.decode())
    source += "int main(void) { %s return 0; }\n" % " ".join("%s();" % name.decode() for name in plain)
    path = rec.write(folder, "names.c", source.encode())
    run("gcc", "-O0", "-g", "-finstrument-functions", path, compiled.runtime("gcc"), "-o", folder + "/names", "-pthread",
        check=0)
    with open(folder + "/names", "rb") as file:
        binary = file.read()
    for name, hostile in zip(plain, names):
        true(name in binary, name)
        binary = binary.replace(name, hostile)
    rec.write(folder, "names", binary)
    run(folder + "/names", env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
    return folder + "/traces"


@test
def hostile_names():
    with Folder() as folder:
        traces = hostile_program(folder)
        valid = [name.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for name in NAMES]
        equal({row["function"] for row in rec.report(traces)["rows"]}, set(valid) | {"main"}, "JSON")
        equal({call[4] for call in rec.chrome_events(traces)}, set(valid) | {"main"}, "chrome")

        plain = [name.replace("\n", "?").replace("\033", "?") for name in valid]
        paths = {path.split(";", 1)[-1] for path in rec.folded(traces)}
        true(paths <= {"main"} | {name.replace(";", ":") for name in plain}, "folded: %r" % paths)
        text = rec.analyze(traces).stdout
        for name in plain:
            true("  %s (names.c:" % name in text or "  %s (" % name in text, "%r in the text" % name)
        for line in text.splitlines() + rec.analyze(traces, "--format", "callers").stdout.splitlines():
            true(all(c >= " " for c in line), "control characters in %r" % line)


@test
def hostile_names_in_the_other_formats():
    with Folder() as folder:
        traces = hostile_program(folder)
        wanted = {name.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for name in NAMES} | {"main"}
        plain = {name.replace("\n", "?").replace("\033", "?") for name in wanted}
        equal({row["function"] for row in readers.table(traces)}, wanted, "csv")
        equal({call[2] for call in readers.perfetto(traces)[0]}, wanted, "perfetto")
        equal({frame["name"] for frame in readers.speedscope(traces)[0]}, wanted, "speedscope")
        equal(set(readers.callgrind_totals(traces, "yes")) - {"(threads)"}, plain, "callgrind")
        equal({path[-1] for path, *_rest in readers.svg(traces)[0][1:]}, plain, "svg")
        tree = rec.analyze(traces, "--format", "tree").stdout.splitlines()
        for name in plain:
            true([line for line in tree if "  %s (" % name in line], "%r in the tree" % name)
        true(all(c >= " " for line in tree for c in line), "control characters")


@test
def hostile_thread_and_module_names():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), rec.event(0, 10, 0x1000), rec.event(1, 20, 0x1000))
        rec.write(folder, "trace.1.process",
                  b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/\"q\\n;\n"
                  b"module 5 0 1000 2000 - /x/\\x1b[31m\"red;\\n\n"
                  b"thread 1 0 \\x1b]0;title\\x07 \xff \xc2\x9b31m\n")
        data = rec.report(folder)
        equal(data["per_thread"][0]["name"], "\033]0;title\007 \ufffd \x9b31m", "JSON holds the name")
        equal(data["rows"][0]["module"], "/x/\033[31m\"red;\n", "JSON holds the path")
        text = rec.analyze(folder).stdout
        true(not [c for c in text if c in "\033\007\x9b"], "the terminal gets none of it")
        equal(len(rec.folded(folder)), 1, "one line")
        names = [item for item in json.loads(rec.analyze(folder, "--format", "chrome").stdout)["traceEvents"]
                 if item["ph"] == "M"]
        equal([item["name"] for item in names], ["process_name", "thread_name"], "chrome")


@test
def the_lab_in_every_format():
    """One real recording: Σ self over rows = Σ folded = Σ self in chrome nesting, to the ns."""
    with Folder() as folder:
        run("make", "-s", "-j2", "-C", LAB, "instrument", "BUILDDIR=" + folder + "/build", "BINDIR=" + folder,
            "RUNTIME=" + tap.RUNTIME, check=0)
        traces = folder + "/traces"
        # Small segments: the threads with most events write far more than a dozen.
        run(folder + "/lab.instr", env={"TRACE_ENABLE": "1", "TRACE_DIR": traces, "TRACE_SEG_MB": "256K"}, check=0)
        segments = {}
        for name in os.listdir(traces):
            if name.endswith(".bin"):
                segments[name.split(".")[2]] = segments.get(name.split(".")[2], 0) + 1
        true(max(segments.values()) >= 12, "segments of a thread: %r" % segments)

        data = json.loads(rec.analyze(traces, "--format", "json", "--top", "0").stdout)
        equal((data["unmatched_exits"], data["unclosed_enters"], data["repaired"], data["lost"]), (0, 0, 0, 0), "whole")
        equal(data["notices"], [], "notices")
        equal(data["threads"], 26, "threads")
        total = sum(row["self_ns"] for row in data["rows"])
        equal(sum(rec.folded(traces).values()), total, "Σ folded = Σ self")
        calls = rec.chrome_events(traces)
        equal(rec.nested_self(calls), total, "Σ self in chrome nesting = Σ self")
        equal(len(calls), sum(row["calls"] for row in data["rows"]), "a chrome event a call")
        by_function = {}
        for _pid, _tid, start, end, name in calls:
            by_function.setdefault(name, []).append(end - start)
        rows = {}
        for row in data["rows"]:
            rows.setdefault(row["function"], []).append(row)
        for name, same in rows.items():
            equal(sum(by_function[name]), sum(row["incl_ns"] for row in same), "inclusive time of " + name)
            equal(max(by_function[name]), max(row["max_ns"] for row in same), "maximum of " + name)
            if len(same) == 1:
                ordered = sorted(by_function[name])
                for key, per_mille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990)):
                    exact = ordered[max(1, (len(ordered) * per_mille + 999) // 1000) - 1]
                    true(abs(same[0][key] - exact) <= exact / 64, "%s of %s" % (key, name))
        callers = rec.analyze(traces, "--format", "callers", "--top", "0").stdout.splitlines()[2:]
        equal(sum(int(line.split()[0]) for line in callers), len(calls), "calls of all call sites")


@test
def chrome_keeps_stacks_apart_and_marks_ends():
    with Folder() as folder:
        told = readers.odd_ends(folder)
        data = json.loads(readers.write(folder, "chrome"), parse_float=lambda text: int(text.replace(".", "")))
        calls = [(2 if item["tid"] == 2 else 1, item["name"], item["ts"], item["ts"] + item["dur"],
                  item.get("args", {}).get("end", "exited")) for item in data["traceEvents"] if item["ph"] == "X"]
        equal(sorted(calls), sorted((2 if stack else 1, *call) for stack, *call in told), "calls")
        rec.nested_self(rec.chrome_events(folder))
        names = [item["args"]["name"] for item in data["traceEvents"] if item["name"] == "thread_name"]
        equal(names, ["thread 1, stack 0x7"], "what the further stack is called")


@test
def times_of_any_length_are_exact():
    with Folder() as folder:
        spans = [10 ** digits for digits in range(19)] + [2 ** 40, 2 ** 62 + 1]
        for number, span in enumerate(spans):
            rec.write(folder, "trace.1.%d.0.bin" % (number + 1), rec.header(),
                      rec.event(0, 1, 0x1000 + number, 0, number + 1), rec.event(1, 1 + span, 0x1000 + number, 0, number + 1))
        wanted = {"0x%x" % (0x1000 + number): span for number, span in enumerate(spans)}
        equal({call[4]: call[3] - call[2] for call in rec.chrome_events(folder)}, wanted, "chrome")
        equal({call[2]: call[4] - call[3] for call in readers.perfetto(folder)[0]}, wanted, "perfetto")
        equal({call[0]: call[2] - call[1] for _name, calls in readers.speedscope(folder)[1] for call in calls}, wanted,
              "speedscope")
        equal({row["function"]: int(row["max_ns"]) for row in readers.table(folder)}, wanted, "csv")
        equal({path[-1]: ns for path, ns, *_rest in readers.svg(folder)[0][1:]}, wanted, "svg")
        own = readers.callgrind_totals(folder, "no")
        equal({name: own[name][0] for name in wanted}, wanted, "callgrind")


@test
def text_says_nothing_that_json_does_not():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(0, 10, 0x1000), rec.event(1, 1234577, 0x1000),
                  rec.event(0, 1300000, 0x2000))
        data = rec.report(folder)
        lines = rec.analyze(folder).stdout.splitlines()
        equal(lines[0], "events=%d threads=%d functions=%d span=%.1fms unmatched_exits=%d unclosed_enters=%d" % (
            data["events"], data["threads"], data["functions"], data["span_ms"], data["unmatched_exits"],
            data["unclosed_enters"]), "summary line")
        row = data["by_name"]["0x1000"]
        true("%10d %12.3f %12.3f" % (row["calls"], row["incl_ms"], row["self_ms"]) in "\n".join(lines), "columns")
        true("  0x2000  +1 open" in "\n".join(lines), "open")
        true([line for line in lines if line.split()[-3:] == ["%.3f" % data["per_thread"][0]["span_ms"],
                                                              "%.3f" % data["per_thread"][0]["self_ms"], "-"]], "thread")


@test
def what_has_no_place_is_told_by_its_module():
    with Folder() as folder:
        flags = ("-O0", "-finstrument-functions")
        rec.write(folder, "one.c", b"void one (void) {}\n")
        rec.write(folder, "two.c", b"void one (void);\nstatic void two (void) { one (); }\nint main (void) { two (); return 0; }\n")
        run("gcc", *flags, "-fPIC", "-shared", "one.c", "-o", "libone.so.1", cwd=folder, check=0)
        run("gcc", *flags, "-g", "two.c", compiled.runtime("gcc"), "./libone.so.1", "-o", "app", "-pthread", cwd=folder, check=0)
        run("./app", cwd=folder, env={"TRACE_ENABLE": "1"}, check=0)
        for form, wanted in (("text", "  one (in libone.so.1)"), ("tree", "  one (in libone.so.1)"), ("callers", "  one <- two (two.c:2)")):
            lines = rec.analyze(folder + "/traces", "--format", form).stdout.splitlines()
            true([line for line in lines if line.endswith(wanted)], "%r in %s" % (wanted, lines))
            true(not [line for line in lines if "two.c" in line and "(in app)" in line], "a place is enough: %s" % lines)
        text = rec.analyze(folder + "/traces", "--details", "one").stdout
        true("\n== one (in libone.so.1) ==\n" in text, text)
        # A site of a file without lines, and a name that has the module already.
        run("strip", "app", cwd=folder, check=0)
        lines = rec.analyze(folder + "/traces", "--format", "callers").stdout.splitlines()
        site = [line for line in lines if "  one <- app+0x" in line]
        equal(len(site), 1, lines)
        true("(in" not in site[0], site)


@test
def every_format_tells_the_notices():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(rec.ENTER, 10, 0x1000), rec.event(rec.EXIT, 30, 0x1000))
        for form in ("text", "json", "csv", "tree", "folded", "callers", "callgrind", "svg", "chrome", "perfetto", "speedscope"):
            result = subprocess.run([tap.CLI, "analyze", folder, "--to", "15ns", "--format", form], capture_output=True, check=True)
            here = b"this is a part of the recording" in result.stdout
            there = [line for line in result.stderr.splitlines() if line.startswith(b"! this is a part of the recording")]
            equal(len(there), 0 if here else 1, "%s: lines on stderr: %r" % (form, result.stderr))
            equal(form in ("csv", "folded", "chrome", "perfetto", "speedscope"), not here, form)


main()
