#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scan.py [DIR]: a scan of a source tree beside plain ctags.

Needs a build in _build (CALLSIGHT_BUILD names another one). Without DIR a tree of 5,000 files is made, a third of them
headers and a tenth C++, most some KB and a few hundreds of KB, half of the text comments and expressions. Each round
runs all programs once, in turns, files in the page cache: `ctags -R` with JSON, a first scan, a scan with nothing
changed, a scan with a hundredth of the files changed, and the built-in scan alone. Medians of five rounds, ratios to
plain ctags; and how many functions each finds.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
TOOL = os.path.join(BUILD, "tests", "engine", "selection", "list-functions")
FILES = 5000
ROUNDS = 5

BODY = """/* %(name)s: keeps the %(n)dth of its arguments, as long as there is room for it.
 * What doesn't fit is dropped; whoever calls this looks at the result.
 */
%(head)s
{
  struct entry *entry = NULL;
  const char *text = "a \\"string\\" with { braces";

  for (size_t i = 0; i < count && text[i] != '\\0'; i++)
    {
      if (values[i] > limit * %(n)d)
        continue;
      switch (values[i] %% 4)
        {
        case 0: entry = lookup (table, values[i]); break;
        case 1: total += (values[i] << 2) ^ 0x%(n)x; break;
        default: log_debug ("%%s: %%zu of %%d", text, i, total); /* rare } */
        }
      // another comment
      if (entry != NULL && entry->next != NULL)
        total += entry->next->value;
    }
#ifdef DEBUG_%(n)d
  dump_table (table);
#endif
  return total;
}

"""


def make_file(path, chance, functions):
    cplusplus = path.endswith(".cpp")
    guard = os.path.basename(path).replace(".", "_").upper()
    parts = ["/* SPDX-License-Identifier: MIT */\n#include <stddef.h>\n#include \"table.h\"\n\n"]
    if path.endswith(".h"):
        parts.append("#ifndef %s\n#define %s\n" % (guard, guard))
        parts += ["/* Adds to the table. */\nint declared_%d (struct table *table, int value, size_t count);\n#define LIMIT_%d 0x%x\n"
                  "struct entry_%d { int a; char b[%d]; struct entry_%d *next; };\n" % ((n,) * 6) for n in range(functions * 3)]
        functions //= 8
    if cplusplus:
        parts.append("namespace app { class Worker_%d {\n public:\n" % functions)
    for n in range(functions):
        name = "work_%d_%s" % (n, chance.choice(("read", "write", "look", "keep")))
        head = "int\n%s (struct table *table, const int *values, size_t count, int limit, int total)" % name
        if chance.random() < 0.4:
            head = "static " + head
        parts.append(BODY % {"name": name, "n": n + 1, "head": head})
    if cplusplus:
        parts.append("}; }\n")
    if path.endswith(".h"):
        parts.append("#endif\n")
    with open(path, "w") as file:
        file.write("".join(parts))
    os.utime(path, (1700000000, 1700000000))


def make_tree(root):
    chance = random.Random(1)
    for number in range(FILES):
        folder = os.path.join(root, "module%02d" % (number % 50), "part%d" % (number % 7))
        os.makedirs(folder, exist_ok=True)
        suffix = ".h" if number % 3 == 0 else ".cpp" if number % 10 == 1 else ".c"
        make_file(os.path.join(folder, "file%d%s" % (number, suffix)), chance,
                  max(1, min(400, int(chance.lognormvariate(2.2, 1.0)))))


def measure(command):
    start = time.monotonic()
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    took = time.monotonic() - start
    for line in output.split(b"\n"):
        if line.startswith(b"count\t"):
            return took, int(line[6:])
    return took, output.count(b'"_type": "tag"')


def sources(root):
    for where, _, names in os.walk(root):
        yield from (os.path.join(where, name) for name in names
                    if name.endswith((".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh")))


def rounds(root, work, may_change):
    cache = os.path.join(work, "cache")
    every = sorted(sources(root))
    plain = ["ctags", "--options=NONE", "-R", "--languages=C,C++", "--output-format=json", "--fields=+neKSlfst",
             "--fields-C=+{properties}", "--kinds-C=f", "--kinds-C++=f", "-f", "-", root]
    scan = [TOOL, "--quiet", "--cache", cache, root]
    times, counts = {}, {}
    for number in range(ROUNDS):
        shutil.rmtree(cache, ignore_errors=True)
        for name, command in (("plain ctags -R", plain), ("first scan", scan), ("nothing changed", scan),
                              ("1 % changed", scan), ("built-in scan", [TOOL, "--quiet", "--built-in", root])):
            if name == "1 % changed":
                if not may_change:
                    continue
                for path in every[number::100]:
                    os.utime(path, (1700000000 + number + 1,) * 2)
            took, counts[name] = measure(command)
            times.setdefault(name, []).append(took)
    size = sum(os.path.getsize(path) for path in every)
    print("%d files, %.1f MB" % (len(every), size / 1e6))
    reference = statistics.median(times["plain ctags -R"])
    for name, took in times.items():
        median = statistics.median(took)
        print("%-16s %7.3f s   %5.2f of plain ctags   %d functions" % (name, median, median / reference, counts[name]))


def main():
    with tempfile.TemporaryDirectory(prefix="callsight-scan-") as work:
        root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(work, "tree")
        if len(sys.argv) < 2:
            make_tree(root)
        rounds(root, work, len(sys.argv) < 2)


if __name__ == "__main__":
    main()
