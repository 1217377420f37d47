# SPDX-License-Identifier: MIT
"""counted.py SOURCES COUNTED: what gcc's counters below the folder COUNTED say of the sources in the folder SOURCES.

Prints of each file how many of its lines and branches were run, and the lines that weren't. A line counts as run where
it was in any of the objects that were compiled of it.
"""

import collections
import json
import os
import subprocess
import sys


def reports(folder):
    """What gcov tells of each object."""
    for path, _folders, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".gcda"):
                result = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", name], cwd=path,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
                for line in result.stdout.splitlines():
                    if line.strip():
                        yield json.loads(line)


def read(sources, folder):
    """{file: {line: count}}, {file: {line: counts of its branches}}."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(dict)
    for report in reports(folder):
        for file in report["files"]:
            path = os.path.join(report["current_working_directory"], file["file"])
            if os.path.dirname(os.path.realpath(path)) != os.path.realpath(sources):
                continue
            name = os.path.basename(path)
            for line in file["lines"]:
                number = line["line_number"]
                # What threads count while it is written may come out below 0.
                lines[name][number] += abs(line["count"])
                counts = [abs(branch["count"]) for branch in line["branches"] if not branch["throw"]]
                known = branches[name].get(number, [])
                if len(known) == len(counts):
                    counts = [a + b for a, b in zip(known, counts)]
                elif len(known) > len(counts):
                    continue  # of a copy in which the compiler knew more
                branches[name][number] = counts
    return lines, branches


def ranges(numbers, known):
    """Numbers as text, with those between that are no code taken in."""
    found, last = [], None
    order = sorted(known)
    for at, number in enumerate(order):
        if number not in numbers:
            continue
        if found and at and order[at - 1] == last:
            found[-1][1] = number
        else:
            found.append([number, number])
        last = number
    return " ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in found)


def share(run, of):
    return "%5d of %5d %5.1f %%" % (run, of, 100 * run / of if of else 100)


def main():
    sources, folder = sys.argv[1:]
    lines, branches = read(sources, folder)
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    print("%-20s %-22s  %-22s  %s" % ("", "lines", "branches", "lines not run"))
    for name in sorted(lines):
        counts = [count for per_line in branches[name].values() for count in per_line]
        numbers = (sum(map(bool, lines[name].values())), len(lines[name]), sum(map(bool, counts)), len(counts))
        kind = "launcher" if name.startswith(("cc_", "callsight-cc")) else "runtime"
        for total in (totals[kind], totals["all"]):
            total[:] = [a + b for a, b in zip(total, numbers)]
        missed = {number for number, count in lines[name].items() if not count}
        print("%-20s %s  %s  %s" % (name, share(*numbers[:2]), share(*numbers[2:]), ranges(missed, lines[name])))
    for kind in ("launcher", "runtime", "all"):
        print("%-20s %s  %s" % (kind, share(*totals[kind][:2]), share(*totals[kind][2:])))


if __name__ == "__main__":
    main()
