#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""symbols.py [BINARY]: 5,000 random addresses, beside addr2line, eu-addr2line and llvm-symbolizer.

Needs a build in _build (CALLSIGHT_BUILD names another one). Without BINARY a C++ program of many
templates is made, with some MB of .debug_info; a larger BINARY tells more. Each round starts every program once, in turns: files in the
page cache, processes cold. Everybody tells the function, what was inlined there, file and line, C++ names
as in the source; but eu-addr2line only the function, since it takes minutes with -i. Whoever needs more than
PATIENCE seconds is left out. Ours is looked up all at once and one by one, and answered from the cache of an
earlier run. Seven rounds; medians, ratios to the fastest of the others.
"""

import concurrent.futures
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
TOOL = os.path.join(BUILD, "tests", "engine", "symbols", "lookup-tool")
ADDRESSES = 5000
ROUNDS = 7
PATIENCE = 15
UNITS = 6

UNIT = """#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
template <int N> struct Tag
{
  int value;
  bool operator< (const Tag &other) const { return value + N < other.value + N; }
  bool operator== (const Tag &other) const { return value == other.value; }
};
template <int N> int work (int seed)
{
  std::map<Tag<N>, std::vector<std::string>> map;
  std::set<std::pair<Tag<N>, std::string>> set;
  std::unordered_map<std::string, std::shared_ptr<std::vector<Tag<N>>>> names;
  std::function<int (Tag<N>)> ask = [&] (Tag<N> t) { return t.value + (int) map[t].size (); };
  for (int i = 0; i < seed; i++)
    {
      Tag<N> tag {i};
      map[tag].push_back (std::to_string (i));
      set.emplace (tag, std::to_string (seed));
      names["x"] = std::make_shared<std::vector<Tag<N>>> (3, tag);
      std::sort (names["x"]->begin (), names["x"]->end ());
      seed += ask (tag);
    }
  return seed + (int) set.size ();
}
int unit%d (int seed) { return %s; }
"""


def make_binary(folder):
    """The same kind of program on every machine; made on all processors."""
    def compile_unit(number):
        with open("%s/u%d.cc" % (folder, number), "w", encoding="utf-8") as file:
            file.write(UNIT % (number, " + ".join("work<%d> (seed)" % (100 * number + i) for i in range(8))))
        subprocess.run(["g++", "-O1", "-g", "-c", "u%d.cc" % number], cwd=folder, check=True)

    with open(folder + "/main.cc", "w", encoding="utf-8") as file:
        file.write("".join("int unit%d (int);\n" % i for i in range(UNITS)) +
                   "int main (int argc, char **) { return %s; }\n" % " + ".join("unit%d (argc)" % i for i in range(UNITS)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_unit, range(UNITS)))
    subprocess.run(["g++", "-g", "-o", "big", "main.cc"] + ["u%d.o" % i for i in range(UNITS)], cwd=folder, check=True)
    return folder + "/big"


def choose_addresses(binary):
    sections = subprocess.run(["readelf", "-SW", binary], stdout=subprocess.PIPE, text=True, check=True).stdout
    start, size = re.search(r" \.text +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", sections).groups()
    chance = random.Random(5)
    return "".join("0x%x\n" % (int(start, 16) + chance.randrange(int(size, 16))) for _ in range(ADDRESSES)).encode()


def measure(argv, text):
    """Wall and processor seconds; None: it takes too long."""
    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        before = time.perf_counter()
        process = subprocess.Popen(argv, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, DEBUGINFOD_URLS=""))
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        _pid, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -9:
        return None
    if process.returncode:
        sys.exit("%s: exit status %d" % (argv[0], process.returncode))
    return time.perf_counter() - before, usage.ru_utime + usage.ru_stime


def main():
    with tempfile.TemporaryDirectory(prefix="callsight-bench-") as folder:
        binary = sys.argv[1] if len(sys.argv) > 1 else make_binary(folder)
        text = choose_addresses(binary)
        cache = os.path.join(folder, "cache")
        rows = {"addr2line": ["addr2line", "-f", "-i", "-C", "-e", binary],
                "eu-addr2line": ["eu-addr2line", "-f", "-C", "-e", binary],
                "llvm-symbolizer": ["llvm-symbolizer", "--obj=" + binary],
                "callsight": [TOOL, "-c", "-i", binary],
                "  one by one": [TOOL, "-c", "-i", "-s", binary],
                "  from the cache": [TOOL, "-c", "-i", "--cache", cache, binary]}
        rows = {name: argv for name, argv in rows.items() if shutil.which(argv[0])}
        for name, argv in list(rows.items()):
            if measure(argv, text) is None:
                print("%s needs more than %d seconds, and is left out" % (name, PATIENCE))
                del rows[name]
        results = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, argv in rows.items():
                results[name].append(measure(argv, text) or (PATIENCE, PATIENCE))
        medians = {name: [statistics.median(column) for column in zip(*values)] for name, values in results.items()}
        others = [name for name in ("addr2line", "eu-addr2line", "llvm-symbolizer") if name in rows]
        fastest = [min(medians[name][i] for name in others) for i in range(2)]
        print("%-18s %10s %10s %14s %14s" % ("", "wall s", "cpu s", "wall, ratio", "cpu, ratio"))
        for name, (wall, cpu) in medians.items():
            print("%-18s %10.3f %10.3f %14.2f %14.2f" % (name, wall, cpu, wall / fastest[0], cpu / fastest[1]))
        print("from the cache: %.3f of the time without it (cpu %.3f)" % tuple(
            medians["  from the cache"][i] / max(medians["callsight"][i], 1e-9) for i in range(2)))


main()
