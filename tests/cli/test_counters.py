# SPDX-License-Identifier: MIT
"""counters: the address map, against what nm says of the program."""

import os
import re
import shutil

import tap
from tap import Folder, Skip, equal, main, run, test, true

MAIN = """\
int outer (int x);
int twin_of_a (int x);
int twin_of_b (int x);
int main (void) { return outer (1) + twin_of_a (1) + twin_of_b (1) == 0; }
"""
A = """\
static __attribute__ ((noinline)) int twin (int x) { return x + 1; }
static inline __attribute__ ((always_inline)) int swallowed (int x) { return x + 5; }
static __attribute__ ((noinline)) int middle (int x) { return twin (x) + swallowed (x); }
#ifdef NEVER
int never_built (int x) { return x; }
#endif
int outer (int x) { return middle (x) + 2; }
int twin_of_a (int x) { return twin (x); }
"""
B = """\
static __attribute__ ((noinline)) int twin (int x) { return x * 3; }
int twin_of_b (int x) { return twin (x); }
"""
CPP = """\
namespace geo
{
template <typename T> struct Box
{
  T value;
  __attribute__ ((noinline)) T get () const { return value; }
};
struct Point
{
  int x;
  __attribute__ ((noinline)) int scale (int by) { return x * by; }
  __attribute__ ((noinline)) int
  scale (double by)
  {
    return (int) (x * by);
  }
};
}
int
main ()
{
  geo::Point point { 2 };
  geo::Box<int> box { 1 };
  geo::Box<long> other { 1 };
  return point.scale (2) + point.scale (1.0) + box.get () + (int) other.get () == 0;
}
"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def project(folder, config):
    write(folder, "main.c", MAIN)
    write(folder, "a.c", A)
    write(folder, "b.c", B)
    write(folder, "trace.config", config)


def build(folder, *flags, compiler="gcc", sources=("main.c", "a.c", "b.c")):
    run(compiler, "-O1", "-g", "-Wl,--build-id", "-finstrument-functions", *flags, *sources, "-o", "app", cwd=folder, check=0)


def symbols(folder, demangle=False):
    """nm's functions: [(address, name)]."""
    lines = run("nm", *(["-C"] if demangle else []), "app", cwd=folder, check=0).stdout.splitlines()
    return [(line[:16], line[19:]) for line in lines if line[17] in "tTW"]


def counters(folder, *arguments, check=0):
    return run(tap.CLI, "counters", "--exe", "app", *arguments, cwd=folder, check=check)


def read(folder, path="traces/callsight.counters"):
    """The map: the lines before the addresses, and these."""
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line for line in lines if not re.match("[0-9a-f]{16} ", line)]
    return head, [(line[:16], line[17:]) for line in lines[len(head):]]


@test
def events_and_functions():
    with Folder() as folder:
        folder = os.path.realpath(folder)
        project(folder, "counter cycles, task-clock\ncounter r01c2 # raw\ncounter-func outer 1\ncounter-file b.c\ncounter-min 2us\n")
        for flags in ([], ["-no-pie"], ["-static"], ["-fPIC", "-fno-plt"]):
            build(folder, *flags)
            result = counters(folder)
            equal((result.stdout, result.stderr), ("traces/callsight.counters: 4 functions to count in\n", ""), "told")
            head, functions = read(folder)
            build_id = [line.split()[-1] for line in run("readelf", "-n", "app", cwd=folder, check=0).stdout.splitlines()
                        if "Build ID" in line][0]
            # The numbers are those of linux/perf_event.h.
            equal(head, ["CALLSIGHT-COUNTERS 1", "build-id " + build_id, "exe %s/app" % folder, "min 2000",
                         "event cycles 0 0", "event task-clock 1 1", "event r01c2 4 450"], "head")
            known = symbols(folder)
            twins = {address for address, name in known if name == "twin"}
            of_b = [line.split() for line in run("objdump", "-d", "--no-show-raw-insn", "app", cwd=folder, check=0)
                    .stdout.split("<twin_of_b>:")[1].split("\n\n")[0].splitlines() if "<twin>" in line]
            of_b = {line[-2].rjust(16, "0") for line in of_b} & twins
            equal(len(of_b), 1, "twin_of_b calls one of the twins")
            wanted = {(address, name) for address, name in known if name in ("outer", "middle", "twin_of_b")}
            equal(set(functions), wanted | {(of_b.pop(), "twin")}, "functions, by nm " + " ".join(flags))
            equal(functions, sorted(functions), "order")
        listed = counters(folder, "-l").stdout.splitlines()
        equal([line.rsplit(" ", 1)[0] for line in listed], ["%s %s" % item for item in functions], "-l")
        true(any(line.endswith(" middle (a.c:3)") for line in listed), listed)


@test
def functions_that_can_not_be_counted():
    with Folder() as folder:
        project(folder, "counter cycles\ncounter-file a.c\nexclude-func middle\n")
        build(folder, "-finstrument-functions-exclude-function-list=middle")
        result = counters(folder, "--out", "map")
        lines = result.stderr.splitlines()
        equal([line.startswith("! not counted") for line in lines], [True, True], result.stderr)
        true(lines[0].endswith(": middle") and lines[1].endswith(": never_built"), result.stderr)
        equal(sorted(name for _address, name in read(folder, "map")[1]), ["outer", "swallowed", "twin", "twin_of_a"],
              "functions")
        true(not os.path.exists(folder + "/traces"), "--out makes no trace directory")
        # Nothing is left: the answer is no, and what was there stays.
        write(folder, "trace.config", "counter cycles\ncounter-func middle\n")
        before = read(folder, "map")
        result = counters(folder, "--out", "map", check=1)
        true("nothing can be counted" in result.stderr and "middle" in result.stderr, result.stderr)
        equal(read(folder, "map"), before, "the old map")


@test
def names_of_cplusplus():
    if not shutil.which("g++"):
        raise Skip("no g++")
    with Folder() as folder:
        write(folder, "main.cpp", CPP)
        write(folder, "trace.config", "counter instructions\ncounter-file main.cpp\n")
        build(folder, compiler="g++", sources=["main.cpp"])
        counters(folder)
        wanted = ["main", "geo::Point::scale(int)", "geo::Point::scale(double)", "geo::Box<int>::get() const",
                  "geo::Box<long>::get() const"]
        equal(read(folder)[1], sorted(item for item in symbols(folder, demangle=True) if item[1] in wanted), "functions")
        equal(len(read(folder)[1]), len(wanted), "how many")


@test
def without_debug_information():
    with Folder() as folder:
        project(folder, "counter cycles\ncounter-file b.c\n")
        build(folder, "-g0")
        counters(folder)
        # The symbol table says which file a static function is of.
        equal(sorted(name for _address, name in read(folder)[1]), ["twin", "twin_of_b"], "functions")


@test
def what_is_refused():
    with Folder() as folder:
        project(folder, "counter cycles\ncounter-func outer\n")
        build(folder)

        def refused(words, *arguments, exe="app"):
            result = run(tap.CLI, "counters", *(["--exe", exe] if exe else []), *arguments, cwd=folder, check=2)
            true(words in result.stderr and result.stderr.startswith("callsight-cli: ") and result.stderr.count("\n") == 1,
                 "%r in %r" % (words, result.stderr))
            true(not os.path.exists(folder + "/traces/callsight.counters"), "nothing is written")

        refused("--exe", exe=None)
        refused("none", exe="none")
        refused("not an ELF", exe="main.c")
        refused("no such folder", "nowhere")
        refused("none.config", "--config", "none.config")
        refused("one project", ".", ".")
        refused("can't be written", "--out", "none/map")
        for config, words in (("include a.c\n", "counter"), ("counter-func outer\n", "no events"),
                              ("counter cycles\n", "no functions"), ("counter cycles\ncounter-func nobody\n", "nobody"),
                              ("counter cycle\ncounter-func outer\n", "trace.config:1")):
            write(folder, "trace.config", config)
            refused(words)
        write(folder, "trace.config", "counter cycles\ncounter-func outer\n")
        write(folder, "file", "")
        refused("can't be written", "--dir", "file")


main()
