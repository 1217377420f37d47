# SPDX-License-Identifier: MIT
"""What the launcher costs: ms of a command through it over the command alone, in turns, by the clock and
of the processor (user and system).  Of each the tenth that is fastest is left at its upper end, since a
busy machine only adds.  The compiler is a program that does nothing (/bin/true, named gcc), and beside it
gcc itself, whose time gives the scale.

Usage: CALLSIGHT_BUILD=_build python3 tests/bench/launcher.py [ROUNDS]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from measure import BUILD

LAUNCHER = os.path.join(BUILD, "runtime", "callsight-cc")
FILES, FUNCTIONS, HEADERS = 5000, 20, 100


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as stream:
        stream.write(text)


def make_project(root):
    """A selection of 5,000 files with 100,000 functions, and two units that include 100 of its headers."""
    lines = []
    for i in range(FILES):
        folder = "lib%02d" % (i % 50)
        name = "%s/%s%04d.h" % (folder, "taken" if i % 10 == 0 else "left", i)
        chosen = "+" if i % 10 == 0 else "-"
        lines.append("%s 0 0 %s\n" % (chosen, name) +
                     "".join("\t%sfunction_%d_of_file_%d\n" % (chosen, k, i) for k in range(FUNCTIONS)))
        if i < HEADERS:
            write(os.path.join(root, name), "#include <stdio.h>\n" + "".join(
                "/* What it does. */\nstatic inline int function_%d_of_file_%d (int x)\n{\n  return x * %d;\n}\n\n" % (k, i, k)
                for k in range(FUNCTIONS)))
            if i == 0:
                wanted = []
            wanted.append('#include "%s"\n' % name if i % 2 else "#include <%s>\n" % os.path.basename(name))
    for name, choice in [("chosen.c", "+"), ("includer.c", "-"), ("left.c", "-")]:
        write(os.path.join(root, "src", name), ("" if name == "left.c" else "".join(wanted)) + "int unit (void) { return 1; }\n")
        lines.append("%s 0 0 src/%s\n" % (choice, name) + "\t+unit\n" * (choice == "+"))
    lines.sort(key=lambda text: os.fsencode(text.split("\n")[0].split(" ", 3)[3]))
    head = "CALLSIGHT-SELECTION 1\nroot %s\nheaders 500\nfiles\n" % root
    write(os.path.join(root, "callsight", "selection"), head + "".join(lines))


def milliseconds(argv, cwd, env):
    """By the clock, and of the processor."""
    before = time.perf_counter()
    process = subprocess.Popen(argv, cwd=cwd, env=env, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: exit status %d" % (argv[0], process.returncode))
    return (time.perf_counter() - before) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def fast(pairs):
    """The first decile of each."""
    return [sorted(column)[len(column) // 10] for column in zip(*pairs)]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        root, bare = os.path.join(folder, "project"), os.path.join(folder, "bare")
        os.makedirs(bare)
        make_project(root)
        # Not named after what it is: the launcher takes what it doesn't know for gcc.
        nothing = os.path.join(folder, "bin", "gcc")
        os.makedirs(os.path.dirname(nothing))
        shutil.copy("/bin/true", nothing)
        env = {name: value for name, value in os.environ.items() if not name.startswith("CALLSIGHT_")}
        include = ["-I."] + ["-Ilib%02d" % i for i in range(50)]
        rows = {
            "no selection": (bare, ["-c", "left.c"]),
            "a unit that isn't chosen": (root, include + ["-c", "src/left.c"]),
            "the same, including chosen headers": (root, include + ["-c", "src/includer.c"]),
            "a chosen unit of %d headers" % HEADERS: (root, include + ["-c", "src/chosen.c"]),
            "a command that compiles nothing": (root, ["--version"]),
        }
        times = {name: ([], []) for name in rows}
        for _ in range(rounds):
            for name, (cwd, argv) in rows.items():
                times[name][0].append(milliseconds([nothing] + argv, cwd, env))
                times[name][1].append(milliseconds([LAUNCHER, nothing] + argv, cwd, env))
        gcc = fast([milliseconds(["gcc"] + include + ["-c", "src/chosen.c", "-o", "/dev/null"], root, env)
                    for _ in range(max(3, rounds // 20))])
        print("%-34s %26s %26s" % ("", "ms by the clock", "ms of the processor"))
        print("%-34s %8s %8s %8s %8s %8s %8s %10s" % ("", *(["plain", "through", "more"] * 2), "of a gcc"))
        for name, (plain, through) in times.items():
            (plain_wall, plain_used), (wall, used) = fast(plain), fast(through)
            print("%-34s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %9.1f%%"
                  % (name, plain_wall, wall, wall - plain_wall, plain_used, used, used - plain_used,
                     100 * (used - plain_used) / gcc[1]))
        print("gcc -c of the chosen unit: %.1f ms of the processor; selection: %d files, %d functions, %.1f MB"
              % (gcc[1], FILES, FILES * FUNCTIONS, os.path.getsize(os.path.join(root, "callsight", "selection")) / 1e6))


if __name__ == "__main__":
    main()
