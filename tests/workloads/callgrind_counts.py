#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often a program calls each of its functions, counted by Valgrind's Callgrind.

    callgrind_counts.py [--under FOLDER] PROGRAM [ARG...]

runs the program and prints `function source-file calls`, sorted by file.  With
--under, only the functions whose source is in that folder, with the path inside it.

A function's calls are the sum of the `calls=` lines that name it as the callee, over
all callers, libc included: that is where main and the threads' functions are called
from.  Callgrind counts a call when it is made, so recursive calls, and calls that have
not returned when the program ends, count as well.  Two functions of one name in
different files are two; copies of a header's static function in many objects are one.

What Clang compiled should have DWARF 4 (-gdwarf-4): there are versions of Valgrind, 3.19
among them, that give up on its DWARF 5.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

VALGRIND = ["valgrind", "--tool=callgrind", "--separate-threads=no",
            "--compress-strings=yes", "--compress-pos=yes", "--dump-line=yes"]

SPEC = re.compile(r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)=(?:\((\d+)\))?\s*(.*)")


def parse(lines):
    """{(function, file): calls} of the lines of one callgrind.out file."""
    names = {"file": {}, "function": {}}
    counts = collections.Counter()
    file = callee_file = callee = None

    def function_of(number, name):
        # Callgrind calls a function that is called by itself, over whatever way, name'2.
        return re.sub(r"'\d+$", "", name_of("function", number, name))

    def name_of(kind, number, name):
        if number is None:
            return name
        if name:
            names[kind][number] = name
        return names[kind][number]

    for line in lines:
        if line.startswith("calls="):
            if callee is None:
                raise ValueError("a calls= line without a callee")
            counts[callee, callee_file or file] += int(line[6:].split()[0], 0)
            callee = callee_file = None
            continue
        match = SPEC.match(line)
        if not match:
            continue
        key, number, name = match.groups()
        if key in ("fl", "fi", "fe"):
            file = name_of("file", number, name)
        elif key in ("cfi", "cfl"):
            callee_file = name_of("file", number, name)
        elif key == "fn":
            name_of("function", number, name)
        elif key == "cfn":
            callee = function_of(number, name)
    return counts


def count(argv, timeout=300):
    """Run the program under Callgrind; its CompletedProcess and its counts."""
    folder = tempfile.mkdtemp(prefix="callsight-callgrind-")
    try:
        out = os.path.join(folder, "callgrind.out")
        environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
        result = subprocess.run(VALGRIND + ["--callgrind-out-file=" + out] + list(argv),
                                env=environ, timeout=timeout, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not os.path.exists(out):
            raise RuntimeError("callgrind wrote nothing: " + result.stderr[-2000:])
        with open(out, encoding="utf-8", errors="surrogateescape") as lines:
            return result, parse(line.rstrip("\n") for line in lines)
    finally:
        shutil.rmtree(folder)


def under(counts, folder):
    """Only what is in the folder, with the path inside it."""
    folder = os.path.realpath(folder)
    chosen = collections.Counter()
    for (function, file), calls in counts.items():
        path = os.path.realpath(file) if file.startswith("/") else file
        if path.startswith(folder + os.sep):
            chosen[function, os.path.relpath(path, folder)] += calls
    return chosen


def write(counts, out):
    for (function, file), calls in sorted(counts.items(), key=lambda item: (item[0][1], item[0][0])):
        out.write("%s %s %d\n" % (function, file, calls))


def read(path):
    """The counts that write () wrote; `#` starts a comment."""
    counts = collections.Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split("#")[0].split()
            if fields:
                function, file, calls = fields
                if (function, file) in counts:
                    raise ValueError("%s of %s stands twice in %s" % (function, file, path))
                counts[function, file] = int(calls)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--under", metavar="FOLDER")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("which program?")
    result, counts = count(options.command)
    if result.returncode != 0:
        sys.exit("%s: exit status %d\n%s" % (options.command[0], result.returncode, result.stderr))
    write(under(counts, options.under) if options.under else counts, sys.stdout)


if __name__ == "__main__":
    main()
