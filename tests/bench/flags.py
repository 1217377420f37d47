#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long flags and scan take on a project of so many sources, with the cache of the scan filled.

    tests/bench/flags.py [SOURCES [FUNCTIONS-A-SOURCE]]      (5000 and 20)

Sources are in folders of 50, with as many headers as half of them; every function calls two others.  Each line is the
median of five runs: the whole program, from its start to its end.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from measure import CLI, measure


def make(root, n_sources, n_functions):
    """The project's sources, as they are given."""
    sources = []
    for number in range(n_sources):
        folder = os.path.join(root, "src", "part%03d" % (number // 50))
        os.makedirs(folder, exist_ok=True)
        name = "module%05d" % number
        with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
            for at in range(n_functions):
                file.write("int %s_f%d (int x)\n{\n  return %s_f%d (x) + module%05d_f%d (x);\n}\n\n" % (
                    name, at, name, (at + 1) % n_functions, (number * 7 + at) % n_sources, at))
        if number % 2 == 0:
            with open(os.path.join(folder, name + ".h"), "w", encoding="utf-8") as file:
                file.write("static inline int %s_get (int x) { return x; }\n" % name)
        sources.append(os.path.join("src", os.path.basename(folder), name + ".c"))
    return sources


def main():
    n_sources = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    n_functions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as root:
        os.environ["XDG_CACHE_HOME"] = os.path.join(root, ".cache")
        sources = make(root, n_sources, n_functions)
        os.chdir(root)
        configs = {
            "everything": "",
            "a folder": "include src/part003/\n",
            "without two folders": "exclude src/part003/\nexclude src/part01*\n",
            "without a name": "exclude-func _f1\n",
            "files in each other's way": "exclude src/part001/module0006*\nexclude odule0005\n",
            "one function": "include-func module00001_f1 0\n",
            "a subtree": "include-func module00001_f1 2\n",
            "all of a subtree": "include-func module00001_f1\n",
        }
        print("%d sources, %d functions" % (n_sources, n_sources * n_functions))
        for name, text in configs.items():
            with open("trace.config", "w", encoding="utf-8") as file:
                file.write(text)
            argv = [CLI, "flags", "--compiler", "gcc", "--config", "trace.config", "--quiet", "--", *sources]
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            result = "%7d bytes" % len(done.stdout) if done.returncode == 0 else "refused: " + done.stderr[:60].strip()
            if done.returncode == 0:
                times = [measure(argv) for _ in range(5)]
                result += "  %.3f s, %.3f s of processor, %.0f MB" % tuple(
                    statistics.median(column) for column in zip(*times))
            print("flags, %-26s %s" % (name + ":", result), flush=True)
        with open("trace.config", "w", encoding="utf-8") as file:
            file.write("exclude src/part003/\n")
        argv = [CLI, "scan", ".", "--quiet"]
        for name, more in (("scan", []), ("scan --write", ["--write", "selection"])):
            times = [measure(argv + more) for _ in range(5)]
            print("%-33s %.3f s, %.3f s of processor, %.0f MB" % ((name + ":",) + tuple(
                statistics.median(column) for column in zip(*times))), flush=True)


if __name__ == "__main__":
    main()
