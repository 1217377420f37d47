#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of any size are read fast, in little memory, and every format is what others read, too."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

from promises import BENCH, CLI, SMALL, TESTS, Folder, Missing, Promise, bench, cases, judges, lab, main, need, numbers, registered, run, tell
import sources

sys.path.append(os.path.join(TESTS, "bench"))
import measure  # noqa: E402

a_core = Promise("events a second that analyze reads a core, beside a naive single-threaded pass in C", "at least 0.7 of it, of 600 MB of the sample")
absolute = Promise("events a second that analyze reads a core", "at least 42 M")
packed_core = Promise("events a second that analyze reads of packed recordings a core", "at least 60 M")
packed_bytes = Promise("bytes an event of the sample, packed", "at most 4")
shapes = Promise("events a second of recordings of every shape (threads, depth, 50 to 50,000 functions), a core", "at least 0.7 of a naive pass, the worst")
memory = Promise("memory of analyze on 100 M events", "under 64 MB")
cores = Promise("analyze with two cores, beside one", "scales: at least 1.5 times as fast")
indexed = Promise("events a second with an index of time, a core, beside a naive pass", "at least 0.5 of it")
index_size = Promise("bytes of index an event", "at most 0.25")
index_query = Promise("a viewport of 50 rows and 1,200 pixels of 100 M events, p99", "under 4 ms")
again = Promise("opening a recording of 3 GB again, with its index kept", "under 0.3 s")
live = Promise("a refresh of a growing recording costs the new events alone: at 100 M events beside 1 M", "flat: at most 1.5 ×")
whole = Promise("a recording that was read while it grew has the report of one that is read at its end", "the same")
chrome = Promise("calls a second that are written as chrome", "at least 2 M")
bounded = Promise("memory of writing 10 M calls as chrome, perfetto and speedscope", "bounded: under 64 MB")
symbols = Promise("5,000 addresses of a large binary, cold, beside the fastest of addr2line, eu-addr2line, llvm-symbolizer", "at most 1 × that")
cached = Promise("5,000 addresses of a large binary from the cache, beside cold", "at most 0.1 of it")
read_back = Promise("perfetto is read by protoc, callgrind by callgrind_annotate, chrome nests in every thread", "the numbers of the JSON report")
schema = Promise("speedscope is valid by its published schema", "no error")
percentiles = Promise("percentiles, beside the sorted durations", "within 1.6 %, p50 ≤ p90 ≤ p99 ≤ max")
filters = Promise("a part of the time costs what lies in it, and is right at its edges", "the model's, and its share of the bytes")
bad = Promise("damaged and absurd recordings, reports, caches are handled", "lost segments, 2^40 ns, 10 M open calls, one pid twice, other versions")


@judges(a_core, absolute, packed_core, packed_bytes)
def reading():
    text = bench("analysis.py", "2" if SMALL else "16")
    one, ratio, without, ratio_without = numbers(r"analyze ([\d.]+) \(([\d.]+)\), without symbols ([\d.]+) \(([\d.]+)\)", text)
    a_core.at_least(ratio, 0.7, "%.2f (without symbols {:.2f})".format(ratio_without))
    absolute.at_least(one, 42, "%.1f M (without symbols {:.1f})".format(without))
    one, without = numbers(r"packed ([\d.]+) \([\d.]+\), without symbols ([\d.]+) \(", text)
    packed_core.at_least(one, 60, "%.1f M (without symbols {:.1f})".format(without))
    packed_bytes.at_most(numbers(r"([\d.]+) bytes an event", text), 4, "%.2f", timed=False)


@judges(shapes)
def every_shape():
    made = ["1M:26:5:50", "1M:26:5:50000"] if SMALL else []
    with Folder(1) as folder:
        text = bench("scale.py", "--set", "small", "--rounds", "1" if SMALL else "3", "--folder", folder, *made)
        rows = re.findall(r"^ +(\d+M) +(\d+) +(\d+) +(\d+) +\d+ +[\d.]+ +[\d.]+ +([\d.]+)", text, re.MULTILINE)
        assert len(rows) == (2 if SMALL else 6), "rows of scale.py: %d" % len(rows)
        worst = min(rows, key=lambda row: float(row[4]))
        few = min(float(row[4]) for row in rows if int(row[3]) <= 1000)
        shapes.at_least(float(worst[4]), 0.7, "%.2f ({} threads, depth {}, {} functions; with 50 functions {:.2f})".format(*worst[1:4], few))


@judges(memory, cores, indexed, index_size, index_query, again)
def a_hundred_million():
    with Folder(0.2 if SMALL else 3.5) as folder:
        tell(run(os.path.join(BENCH, "generate"), folder, "events=" + ("2M" if SMALL else "100M"), "threads=26", "depth=24",
                 "functions=500", quiet=True).stdout)
        files = sorted(glob.glob(folder + "/*.bin"))
        medians = measure.in_turns({"naive": ([measure.NAIVE, *files], measure.ONE_CORE),
                                    "one": ([CLI, "analyze", folder], measure.ONE_CORE),
                                    "all": ([CLI, "analyze", folder], None)}, 1 if SMALL else 3)
        events = sum(os.path.getsize(path) - 80 for path in files) / 32
        memory.at_most(max(medians["one"][2], medians["all"][2]), 64, "%.0f MB", timed=False)
        if (os.cpu_count() or 1) < 2:
            cores.missing("there is one core")
        else:
            cores.at_least(medians["one"][0] / medians["all"][0], 1.5, "%.2f times, with {}".format(os.cpu_count()))
        with Folder() as cache:
            text = run(os.path.join(BENCH, "bench-timeline"), *(["--windows", "200"] if SMALL else []), folder,
                       env={"XDG_CACHE_HOME": cache}).stdout
        naive = events / medians["naive"][1] / 1e6
        tell("naive pass: %.1f M events a second of processor time" % naive)
        rate = numbers(r"CPU time without an index, ([\d.]+) with one", text)
        indexed.at_least(rate / naive, 0.5, "%.2f ({:.1f} M of {:.1f})".format(rate, naive))
        index_size.at_most(numbers(r"index: [\d.]+ MB, ([\d.]+) byte an event", text), 0.25, "%.3f", timed=False)
        index_query.at_most(numbers(r"^warm: .* p99 ([\d.]+) ms", text), 4, "%.2f ms")
        again.at_most(numbers(r"second opening: ([\d.]+) s", text), 0.3, "%.3f s")


@judges(live)
def growing():
    with Folder(0.2 if SMALL else 3.5) as folder:
        text = run(os.path.join(BENCH, "live"), folder, *(("1", "2") if SMALL else ("1", "10", "100"))).stdout
        costs = [float(ms) for ms in re.findall(r"new ones +([\d.]+) ms", text)]
        assert len(costs) == (2 if SMALL else 3), "sizes: %r" % costs
        live.at_most(costs[-1] / costs[0], 1.5, "%.2f × ({:.2f} ms of {:.2f})".format(costs[-1], costs[0]))


@judges(whole, at_once=True)
def grown():
    whole.tested(cases("engine/profile/test_live.py"), least=9)


@judges(chrome, bounded)
def writing():
    text = bench("formats.py", "1" if SMALL else "17")
    calls = numbers(r"MB, ([\d.]+) M calls", text)
    rows = {name: list(map(float, rest.split()[:6])) for name, rest in re.findall(r"^([a-z]+) +([\d.]+ .*)$", text, re.MULTILINE)}
    assert len(rows) == 11, "formats: %s" % ", ".join(rows)
    chrome.at_least(rows["chrome"][4], 2, "%.2f M a second, all in")
    bounded.at_most(max(rows[name][2] for name in ("chrome", "perfetto", "speedscope")), 64, "%.1f MB, {:.1f} M calls".format(calls), timed=False)


@judges(symbols, cached)
def addresses():
    need("addr2line", "readelf", "g++")
    for name, binary in (("C++", None), ("libc", "/lib/x86_64-linux-gnu/libc.so.6")):
        if binary and not os.path.exists(binary):
            continue
        text = bench("symbols.py", *([binary] if binary else []))
        symbols.at_most(numbers(r"^callsight .* ([\d.]+) +[\d.]+$", text), 1, name + " %.2f ×")
        cached.at_most(numbers(r"^from the cache: ([\d.]+)", text), 0.1, name + " %.3f")


@judges(read_back, at_once=True)
def others_read():
    need("protoc", "callgrind_annotate")
    read_back.tested(cases("cli/test_perfetto.py"), least=4)
    read_back.tested(cases("cli/test_callgrind_format.py"), least=3)
    read_back.tested(cases("cli/test_formats.py", "hostile", "lab", "chrome", "notices"), least=5)
    with Folder() as folder:
        program = lab(folder)
        run(program, env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, quiet=True)

        def write(form):
            return run(CLI, "analyze", folder + "/traces", "--format", form, "--top", "0", "--out", folder + "/report." + form, quiet=True)

        for form in ("json", "perfetto", "callgrind"):
            write(form)
        with open(folder + "/report.json", encoding="utf-8") as file:
            report = json.load(file)
        calls, self_ns = sum(row["calls"] for row in report["rows"]), sum(row["self_ns"] for row in report["rows"])
        with open(folder + "/report.perfetto", "rb") as file:
            raw = subprocess.run(["protoc", "--decode_raw"], stdin=file, stdout=subprocess.PIPE, check=True, timeout=120).stdout.decode()
        # TracePacket 11: track_event, of which 9 is the type: 1 a slice begins, 2 it ends.
        begins, ends = [len(re.findall(r"^    9: %d$|^  9: %d$" % (kind, kind), raw, re.MULTILINE)) for kind in (1, 2)]
        total = run("callgrind_annotate", folder + "/report.callgrind", quiet=True).stdout
        totals = [int(n.replace(",", "")) for n in re.findall(r"([\d,]{4,})(?: \([\d.]+%\))?", re.search(r"^.*PROGRAM TOTALS.*$", total, re.MULTILINE).group())]
        read_back.holds(begins == ends == calls and totals[:2] == [self_ns, calls],
                        "protoc %d begins and %d ends, callgrind_annotate %s, JSON %d ns and %d calls" % (
                            begins, ends, " ns and ".join(map(str, totals[:2])), self_ns, calls))


@judges(schema, at_once=True)
def published_schema():
    try:
        import jsonschema
    except ImportError:
        raise Missing("python3-jsonschema is not installed") from None
    path = os.path.join(sources.KEPT, "speedscope")
    published = os.path.join(path, "package", "dist", "release", "file-format-schema.json")
    if not glob.glob(published):
        need("npm")
        os.makedirs(path, exist_ok=True)
        if run("npm", "pack", "--silent", "speedscope@1.20.0", cwd=path, check=None, timeout=120).returncode != 0:
            raise Missing("npm can't fetch speedscope, which holds the schema")
        (archive,) = glob.glob(path + "/*.tgz")
        run("tar", "-xzf", archive, "-C", path)
        found = glob.glob(path + "/package/**/*schema*.json", recursive=True)
        if published not in found:
            os.makedirs(os.path.dirname(published), exist_ok=True)
            shutil.copy(found[0], published)
    with Folder() as folder:
        program = lab(folder)
        # The whole sample has a million events, for which this validator takes minutes.
        run(program, env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces", "TRACE_MAX": "40000"}, quiet=True)
        run(CLI, "analyze", folder + "/traces", "--format", "speedscope", "--out", folder + "/report.json", quiet=True)
        with open(folder + "/report.json", encoding="utf-8") as file:
            document = json.load(file)
        with open(published, encoding="utf-8") as file:
            rules = json.load(file)
        n = sum(len(profile["events"]) for profile in document["profiles"])
        validator = jsonschema.validators.validator_for(rules)(rules)
        errors = [error.message[:100] for error in validator.iter_errors(document)]
        document["profiles"][0]["events"][0].pop("at")
        assert not validator.is_valid(document), "the schema finds an event without its time"
        schema.holds(not errors and n >= 20000, "%d profiles, %d events%s" % (len(document["profiles"]), n, "".join("; " + e for e in errors[:2])))


@judges(percentiles, at_once=True)
def sorted_durations():
    percentiles.tested(cases("engine/profile/test_percentiles.py"), least=5)


@judges(filters, at_once=True)
def parts():
    filters.tested(cases("engine/profile/test_filter.py"), least=5)


@judges(bad, at_once=True)
def bad_input():
    bad.tested(cases("cli/test_bad_recordings.py", env={} if SMALL else {"CALLSIGHT_TEST_DEEP": "10000000"}), least=12)
    bad.tested(cases("cli/test_diff.py", "bad_reports", "every_cut", "over_256"), least=3)
    bad.tested(cases("engine/symbols/test_files.py", "damaged", "where_nothing"), least=3)
    bad.tested(registered("timeline cache"), least=3)


main(30)
