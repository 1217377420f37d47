#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py SOURCE-FOLDER BUILD-FOLDER [TARGET]: which lines and branches the tests have reached.

What `ninja coverage` runs; needs gcc's gcov and nothing else:

    meson setup _build/coverage -Dcoverage=true -Dbuildtype=debug
    meson test -C _build/coverage --suite engine --suite cli --timeout-multiplier 5
    tests/coverage/runtime.sh _build/coverage
    ninja -C _build/coverage coverage

It reads all .gcno and .gcda files below the build folder, whoever compiled them: meson the engine and callsight-cc,
tests/coverage/runtime.sh the runtime in all the ways in which tests compile it.  A line counts as reached where it was in
one of them.

Prints a row a folder, then each target, or the one that is named, with "reached" or "missed"; the exit code is 1 where one is missed or was not
measured.  The lines that weren't reached are listed in meson-logs/coverage.txt.  To begin anew, delete the .gcda files.
"""

import collections
import concurrent.futures
import json
import os
import subprocess
import sys

# Lines that must be reached, %.
TARGETS = {"src/engine": 90, "runtime": 85}

Counts = collections.namedtuple("Counts", "lines reached branches taken")


def find_notes(folder):
    """The .gcno files below a folder."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".gcno"):
                yield os.path.join(path, name)


def read_notes(path):
    """What gcov says of one unit: [(file, line, times, [times of each branch])]."""
    result = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", path],
                            cwd=os.path.dirname(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    found = []
    for text in result.stdout.splitlines():
        data = json.loads(text)
        for file in data["files"]:
            name = os.path.realpath(os.path.join(data["current_working_directory"], file["file"]))
            # What threads count while it is written may come out below 0.
            found += [(name, line["line_number"], abs(line["count"]), [abs(branch["count"]) for branch in line["branches"]])
                      for line in file["lines"]]
    if (result.returncode != 0 or not found) and os.path.exists(path[:-len("gcno")] + "gcda"):
        print("coverage: not counted, since a program was killed while it wrote its counts: %s" % path, file=sys.stderr)
    elif result.returncode != 0 or not found:
        sys.exit("coverage: gcov can't read %s: %s" % (path, result.stderr.decode(errors="replace").strip()))
    return found


def read_all(source, build):
    """{file: ({line: times}, {line: [times of each branch]})} of the files that have a target."""
    files = {}
    wanted = tuple(os.path.join(source, folder) + os.sep for folder in TARGETS)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit in pool.map(read_notes, find_notes(build)):
            for name, line, times, branches in unit:
                if not name.startswith(wanted):
                    continue
                lines, all_branches = files.setdefault(os.path.relpath(name, source), ({}, {}))
                lines[line] = lines.get(line, 0) + times
                known = all_branches.setdefault(line, branches)
                # Where compilers made different branches of a line, those of the unit that has most are kept.
                if known is not branches and len(branches) == len(known):
                    all_branches[line] = [a + b for a, b in zip(known, branches)]
                elif len(branches) > len(known):
                    all_branches[line] = branches
    return files


def count(files, folder):
    """Counts of the files below a folder."""
    total = [0, 0, 0, 0]
    for name, (lines, branches) in files.items():
        if name.startswith(folder + "/"):
            total[0] += len(lines)
            total[1] += sum(times > 0 for times in lines.values())
            total[2] += sum(len(each) for each in branches.values())
            total[3] += sum(times > 0 for each in branches.values() for times in each)
    return Counts(*total)


def percent(part, whole):
    """To one digit, down: what is missed must not look reached."""
    return int(1000 * part / whole) / 10 if whole else 0.0


def write_missed(files, path):
    """Lists the lines that weren't reached, one run of them a line."""
    with open(path, "w", encoding="utf-8") as file:
        for name in sorted(files):
            lines = files[name][0]
            known = sorted(lines)
            begin = None
            for i, line in enumerate(known):
                if lines[line] > 0:
                    begin = None
                    continue
                begin = line if begin is None else begin
                if i + 1 == len(known) or lines[known[i + 1]] > 0:
                    print("%s:%d-%d" % (name, begin, line), file=file)


def main():
    source, build = (os.path.realpath(path) for path in sys.argv[1:3])
    targets = {folder: TARGETS[folder] for folder in sys.argv[3:]} or TARGETS
    files = read_all(source, build)
    missed = os.path.join(build, "meson-logs", "coverage.txt")
    failed = False

    os.makedirs(os.path.dirname(missed), exist_ok=True)
    write_missed(files, missed)
    print("%-28s %8s %8s %7s %9s %7s" % ("", "lines", "reached", "", "branches", ""))
    for folder in sorted({os.path.dirname(name) for name in files}):
        counts = count(files, folder)
        print("%-28s %8d %8d %6.1f%% %9d %6.1f%%" % (folder, counts.lines, counts.reached,
              percent(counts.reached, counts.lines), counts.branches, percent(counts.taken, counts.branches)))
    for folder, target in targets.items():
        counts = count(files, folder)
        share = percent(counts.reached, counts.lines)
        if counts.reached == 0:
            print("%s: not measured; the target is %d %% of lines" % (folder, target))
        else:
            print("%s: %.1f %% of %d lines, %.1f %% of %d branches; target of %d %% of lines %s" %
                  (folder, share, counts.lines, percent(counts.taken, counts.branches), counts.branches, target,
                   "reached" if share >= target else "missed"))
        failed |= share < target
    print("What wasn't reached: %s" % missed)
    sys.exit(failed)


if __name__ == "__main__":
    main()
