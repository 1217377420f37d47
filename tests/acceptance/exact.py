#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A real program is built with hooks, recorded and reported by one command, and every number of the report is right."""

import json
import os
import re
import shutil
import time

from promises import CLI, SMALL, TESTS, TOP, Folder, Promise, cases, judges, main, need, run, tell
import callgrind_counts
import sources

tried = Promise("the sample is built, recorded and reported from a fresh clone by build-aux/try.sh",
                "at most 5 minutes, installing not counted")
counts = Promise("calls of every function are those that Callgrind counts", "every function of the sample, gcc and clang")
sums = Promise("Σ self of rows = Σ folded = Σ self in chrome's nesting", "to the nanosecond; a thread with 12 segments and more")
addresses = Promise("functions, files and lines are those of binutils' addr2line",
                    "every entry and call site of the sample, PIE and not, DWARF 4 and 5")
reference = Promise("recordings of five architectures give the counts that are expected of them",
                    "x86-64, aarch64, armhf, powerpc, s390x")
stranger = Promise("a program that nobody here wrote is recorded, its calls are Callgrind's", "zlib's minigzip, every function")
bad = Promise("each bad recording and program has its one sentence and exit status, and the rest is read",
              "every kind of it")


@judges(tried)
def fresh_clone():
    need("git")
    with Folder(1) as folder:
        clone = folder + "/clone"
        run("git", "clone", "-q", TOP, clone)
        start = time.monotonic()
        # Nothing that was compiled before, no display to open the app on.
        result = run("sh", "build-aux/try.sh", cwd=clone, quiet=True, timeout=600,
                     env={"CCACHE_DISABLE": "1", "DISPLAY": "", "WAYLAND_DISPLAY": ""})
        seconds = time.monotonic() - start
        wanted = sum(callgrind_counts.read(os.path.join(clone, "tests/workloads/lab/expected-counts.txt")).values())
        # Inlined functions have hooks of their own: optimised, every function is called as often.
        events = [int(n) for n in re.findall(r"\bevents=(\d+)", result.stdout)]
        rows = re.findall(r"^ +[\d,.]+", result.stdout, re.MULTILINE)
        tell("\n".join(result.stdout.splitlines()[-40:]))
        if events != [2 * wanted] or len(rows) < 15:
            tried.holds(False, "%s events in %d rows, not %d" % (events, len(rows), 2 * wanted))
        tried.at_most(seconds, 300, "%.0f s")


@judges(counts, at_once=True)
def against_callgrind():
    counts.tested(cases("workloads/test_callgrind.py", "calls"), least=2)


@judges(sums, at_once=True)
def every_format():
    sums.tested(cases("cli/test_formats.py", "the_lab_in_every_format"))


@judges(addresses, at_once=True)
def against_addr2line():
    addresses.tested(cases("workloads/test_addresses.py", env={"WAYS": "all"}), least=4)


@judges(reference, at_once=True)
def five_architectures():
    reference.tested(cases("cli/test_reference.py"), least=5)


@judges(stranger, at_once=True)
def minigzip():
    need("gcc", "valgrind")
    with Folder(1) as folder:
        zlib = sources.unpack("zlib", folder)
        names = [name for name in os.listdir(zlib) if name.endswith(".c")] + ["test/minigzip.c"]
        run("gcc", "-std=c11", "-O2", "-c", os.path.join(TOP, "runtime", "trace.c"), "-o", folder + "/trace.o")
        run("gcc", "-O1", "-g", "-fno-inline", "-finstrument-functions", "-D_GNU_SOURCE", "-DHAVE_UNISTD_H", "-I.", *names,
            folder + "/trace.o", "-o", "minigzip", cwd=zlib)
        text = b"".join(open(os.path.join(TESTS, name), "rb").read() for name in sorted(os.listdir(TESTS)) if name.endswith(".py"))
        text *= 2 if SMALL else 20
        program = zlib + "/minigzip"

        def again():
            with open(folder + "/text", "wb") as file:
                file.write(text)

        again()
        result, counted = callgrind_counts.count([program, "-9", folder + "/text"])
        compressed = open(folder + "/text.gz", "rb").read()
        again()
        run(CLI, "run", "--dir", folder + "/traces", "--out", folder + "/report.json", "--format", "json", "--top", "0", "--",
            program, "-9", folder + "/text")
        stranger.holds(result.returncode == 0 and open(folder + "/text.gz", "rb").read() == compressed, "same output")
        wanted = callgrind_counts.under(counted, zlib)
        with open(folder + "/report.json", encoding="utf-8") as file:
            report = json.load(file)
        got = {}
        for row in report["rows"]:
            got[row["function"]] = got.get(row["function"], 0) + row["calls"]
        by_name = {}
        for (function, _file), calls in wanted.items():
            by_name[function] = by_name.get(function, 0) + calls
        different = ["%s %d, not %d" % (name, got.get(name, 0), by_name.get(name, 0))
                     for name in sorted(set(got) | set(by_name)) if got.get(name, 0) != by_name.get(name, 0)]
        stranger.holds(not different and len(got) > 30, "%d functions, %d calls%s" % (
            len(got), sum(got.values()), ", but " + ", ".join(different[:5]) if different else ""))
        shutil.rmtree(folder + "/traces")


@judges(bad, at_once=True)
def bad_input():
    bad.tested(cases("cli/test_analyze.py"), least=36)
    bad.tested(cases("cli/test_run.py", "cannot_be", "stripped", "another_binary", "timeout", "stale"), least=7)


main(30)
