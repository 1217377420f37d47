#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every call of the sample program is recorded: against Callgrind's counts."""

import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import Folder, Skip, equal, run, test, true

import callgrind_counts
from lab_build import LAB, make, record

EXPECTED = callgrind_counts.read(os.path.join(LAB, "expected-counts.txt"))


def compare(got, wanted, what):
    """Both have the same functions with the same calls."""
    wrong = ["%s (%s): %d, not %d" % (function, file, got[function, file], wanted[function, file])
             for function, file in sorted(set(got) | set(wanted), key=lambda key: key[::-1])
             if got[function, file] != wanted[function, file]]
    if wrong:
        raise AssertionError("%s: %d of %d functions differ:\n%s"
                             % (what, len(wrong), len(wanted), "\n".join(wrong[:40])))


def report(program, folder):
    """The CLI's report of a recording."""
    result = run(tap.CLI, "analyze", folder, "--exe", program, "--format", "json", "--top", "0",
                 check=0)
    return json.loads(result.stdout)


def report_counts(rows):
    """{(function, file): calls} of a report; copies of one function are added up."""
    counts = callgrind_counts.collections.Counter()
    for row in rows:
        path = os.path.normpath(os.path.join(LAB, row["location"].rpartition(":")[0]))
        counts[row["function"], path] += row["calls"]
    return callgrind_counts.under(counts, LAB)


def check_lab(cc, symbols):
    for program in (cc, "make", "valgrind"):
        if not shutil.which(program):
            raise Skip(program + " is not installed")
    with Folder() as folder:
        make(folder, "instrument", "INSTR_CFLAGS=-O1 -fno-inline",
             "CFLAGS_SYMBOLS=-g " + symbols, cc=cc)
        program = folder + "/bin/lab.instr"

        result, counts = callgrind_counts.count([program])
        equal(result.returncode, 0, "lab under callgrind: " + result.stderr)
        counts = callgrind_counts.under(counts, LAB)
        compare(counts, EXPECTED, "callgrind and expected-counts.txt")

        equal(record(program, folder + "/traces"), result.stdout, "the output")
        data = report(program, folder + "/traces")
        compare(report_counts(data["rows"]), counts, "the report and callgrind")
        equal(sum(row["calls"] for row in data["rows"]), sum(counts.values()), "all calls")
        equal(data["events"], 2 * sum(counts.values()), "events")
        equal(data["unmatched_exits"], 0, "unmatched exits")
        equal(data["unclosed_enters"], 0, "unclosed enters")
        threads = data["threads"]
        equal(threads if isinstance(threads, int) else len(threads), 26, "threads, with main's")


@test
def calls_of_every_function_gcc():
    check_lab("gcc", "-gdwarf-5")


@test
def calls_of_every_function_clang():
    # There are versions of Valgrind that cannot read Clang's DWARF 5.
    check_lab("clang", "-gdwarf-4")


@test
def files_of_every_function_with_dwarf_5_clang():
    """Functions of headers are the header's: with DWARF 5, whose file numbers start at 0."""
    if not shutil.which("clang") or not shutil.which("make"):
        raise Skip("clang or make is not installed")
    with Folder() as folder:
        make(folder, "instrument", "INSTR_CFLAGS=-O1 -fno-inline", "CFLAGS_SYMBOLS=-g -gdwarf-5", cc="clang")
        program = folder + "/bin/lab.instr"
        record(program, folder + "/traces")
        compare(report_counts(report(program, folder + "/traces")["rows"]), EXPECTED,
                "the report and expected-counts.txt")


@test
def counts_are_read_from_callgrinds_format():
    # Names are given once; a callee without a file is in the caller's; 'N is recursion;
    # callee files last for one call; a function's lines may come from other files.
    counts = callgrind_counts.parse("""\
version: 1
positions: line
events: Ir

ob=(1) /bin/x
fl=(1) /s/a.c
fn=(1) main
3 10
cfn=(2) swap
calls=5 7
4 20
cfi=(2) /s/b.c
cfn=(3) swap
calls=2 9
5 20
cfn=(2)
calls=1 7
6 20

fn=(4) walk
9 4
cfn=(5) walk'2
calls=1 9
9 4

fn=(5)
9 4
cfn=(5)
calls=3 +9
9 4
cob=(2) /lib/libc.so
cfi=(3) ???
cfn=(6) malloc
calls=8 0
9 4

fl=(2)
fn=(3)
1 1
cfi=(1)
cfn=(4)
calls=7 9
1 1

totals: 10
""".splitlines())
    equal(dict(counts), {("swap", "/s/a.c"): 6, ("swap", "/s/b.c"): 2, ("walk", "/s/a.c"): 11,
                         ("malloc", "???"): 8})


tap.main()
