# SPDX-License-Identifier: MIT
"""Compares what a build's objects hold with what its selection chooses.

    PYTHONPATH=tests python3 tests/bench/chosen.py PROJECT/build-instr [REPORT.json]

Reads the selection and the log that `callsight-cli build` left, and the objects themselves with objdump
and nm.  No function that isn't chosen may carry a hook, and each chosen one that is code in an object
must; with a JSON report (--top 0) its functions must be ones with hooks.  Exit status 1 if not.
"""

import collections
import json
import os
import re
import subprocess
import sys

import hooked


def unescape(text):
    return re.sub(r"\\(x[0-9A-F]{2}|.)", lambda m: chr(int(m.group(1)[1:], 16)) if m.group(1)[0] == "x"
                  else {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), text)


def selection(path):
    """({chosen names}, {other names}, {choice: files}); names as gcc prints them."""
    chosen, others, files = set(), set(), {"+": [], "%": [], "-": []}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = iter(file.read().split("\n"))
    for line in lines:
        if line == "files":
            break
    for line in lines:
        if line.startswith("\t"):
            (chosen if line[1] == "+" else others).add(hooked.plain(unescape(line[2:])))
        elif line:
            files[line[0]].append(unescape(line.split(" ", 3)[3]))
    return chosen, others, files


def objects(path):
    """{object: (options were added, source)} by the last line of each."""
    found = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            if line.startswith("compile "):
                _word, hashed, rest = line.rstrip("\n").split(" ", 2)
                name, source = map(unescape, rest.split("\t"))
                if os.path.exists(name):
                    found[name] = (int(hashed, 16) != 0, source)
    return found


def code(*paths):
    """The names of the functions that are code in objects."""
    names = set()
    for path in paths:
        output = subprocess.run(["nm", "-C", "--defined-only", path], stdout=subprocess.PIPE, text=True,
                                errors="surrogateescape").stdout
        names.update(hooked.plain(line[19:]) for line in output.splitlines() if line[17:18] in tuple("tTwWuV"))
    return names


def show(what, names):
    if names:
        print("%s: %d (%s)" % (what, len(names), ", ".join(sorted(names)[:int(os.environ.get("NAMES", "12"))]) + (", …" if len(names) > int(os.environ.get("NAMES", "12")) else "")))


def main():
    folder = os.path.join(sys.argv[1], "callsight")
    chosen, others, files = selection(os.path.join(folder, "selection"))
    compiled = objects(os.path.join(folder, "log"))
    print("files: %d chosen, %d partly, %d not; functions: %d chosen, %d not" %
          (len(files["+"]), len(files["%"]), len(files["-"]), len(chosen), len(others)))
    carry = hooked.functions(*compiled)
    flagged = [name for name, (added, _source) in compiled.items() if added]
    there = code(*flagged)
    print("objects: %d, %d compiled with hooks; functions with hooks: %d" % (len(compiled), len(flagged), len(carry)))
    wrong = {name for name in carry if name not in chosen}
    missing = {name for name in chosen & there if name not in carry}
    show("hooked, but not chosen", wrong)
    show("chosen and code in a hooked unit, but without hooks", missing)
    show("chosen, but no code in any object", chosen - code(*compiled) - set(carry))
    strange = set()
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as file:
            rows = collections.Counter()
            for row in json.load(file)["rows"]:
                rows[hooked.plain(row["function"])] += row["calls"]
        strange = {name for name in rows if name not in carry}
        print("report: %d functions, %d calls" % (len(rows), sum(rows.values())))
        show("in the report, but without hooks", strange)
        show("in the report, but not chosen", {name for name in rows if name not in chosen})
    sys.exit(1 if wrong or missing or strange else 0)


main()
