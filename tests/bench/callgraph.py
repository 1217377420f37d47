#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long the call graph of a large source tree takes, beside the plainest program that reads its files.

    tests/bench/callgraph.py [FUNCTIONS [FILES]]

Generates sources, 100,000 functions in 2,000 files unless told otherwise: C with statics of the same names in every file,
and C++ with classes that have the same methods.  Needs a build with -Dbench=true (CALLSIGHT_BUILD, or _build).
"""

import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure

TOOL = os.path.join(measure.BUILD, "tests", "engine", "selection", "graph-tool")
ROUNDS = 3


def c_file(number, functions, total, rand):
    lines = ["/* Part %d: f_1 () is no call here. */" % number, "#include <stdio.h>", "#define PART %d" % number,
             "static int helper (int x)\n{\n  return x + 1;\n}\n"]
    for i in range(functions - 1):
        me = number * functions + i
        lines.append("/* Adds what others return, as \"f_%d (x)\" does. */\nint f_%d (int x, const char *text)\n{\n"
                     "  int sum = helper (x);\n" % (me, me))
        for _ in range(rand.randrange(2, 6)):
            lines.append("  if (x > %d && text[%d] != '(')\n    sum += f_%d (x - 1, text) * %d; /* (x) */\n"
                         "  printf (\"%%d of f_%d ()\\n\", sum);\n" % (rand.randrange(100), rand.randrange(9),
                                                                 rand.randrange(total), rand.randrange(9), me))
        lines.append("  return sum;\n}\n")
    return "\n".join(lines)


def cpp_file(number, functions, total, rand):
    lines = ["namespace part%d {" % (number % 50), "class Shape%d : public Shape {\npublic:\n  Shape%d ();" % (number, number)]
    lines += ["  int m%d (int x);" % i for i in range(functions - 1)] + ["};\n", "Shape%d::Shape%d () { }\n" % (number, number)]
    for i in range(functions - 1):
        lines.append("int Shape%d::m%d (int x)\n{\n  std::vector<int> list;\n  Shape%d other;\n" % (number, i, number))
        for _ in range(rand.randrange(2, 6)):
            lines.append("  for (auto &shape : shapes<Shape> ())\n    x += shape->m%d (x) + m%d (list.size ()) + f_%d (x, \"\");\n"
                         % (rand.randrange(functions - 1), rand.randrange(functions - 1), rand.randrange(total)))
        lines.append("  return x;\n}\n")
    return "\n".join(lines + ["}"])


def generate(folder, functions, files):
    rand = random.Random(1)
    size, each = 0, functions // files
    for number in range(files):
        cpp = number % 4 == 3
        text = (cpp_file if cpp else c_file)(number, each, functions, rand)
        path = os.path.join(folder, "part%02d" % (number % 40), "f%d.%s" % (number, "cpp" if cpp else "c"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        size += len(text)
    return size


def read_all(folder):
    start = time.perf_counter()
    for base, _folders, names in os.walk(folder):
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                file.read()
    return time.perf_counter() - start


def main():
    functions = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as folder:
        size = generate(folder, functions, files)
        print("%.0f MB of sources; reading them takes %.2f s" % (size / 1e6, min(read_all(folder) for _ in range(2))))
        with tempfile.TemporaryDirectory(prefix="callsight-bench-") as cache:
            for _ in range(ROUNDS):
                print(subprocess.run([TOOL, folder, "quiet"], check=True, stderr=subprocess.PIPE, text=True, timeout=300,
                                     env=dict(os.environ, XDG_CACHE_HOME=cache)).stderr.strip())


if __name__ == "__main__":
    main()
