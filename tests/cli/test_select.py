# SPDX-License-Identifier: MIT
"""callsight-cli select: subtrees, the lines that choose them, and calls that only a recording tells of."""

import json
import os
import re
import shlex

import compiled
import tap
from projects import write
from tap import CLI, Folder, equal, main, run, test, true

SORT = {
    "src/sort/sort.c": """
#include "sort.h"
static int compare (int a, int b)
{
  return swap_count (a) - b;
}

int workload_sort (int n)
{
  return n > 0 ? compare (n, 1) + helper (n) : 0;
}
""",
    "src/sort/swap.c": """
static int helper (int n)
{
  return n;
}

int swap_count (int n)
{
  return helper (n);
}
""",
    "src/util.c": """
int helper (int n)
{
  return n;
}

int unused (void)
{
  return 1;
}
""",
}

# Calls over a table, to a virtual function and from a lambda; none is seen in the text.
INDIRECT = {
    "main.cpp": """
#include <cstdio>
struct Shape { virtual int area (int n) = 0; virtual ~Shape () {} };
namespace ns {
struct Square : Shape { int area (int n) override; };
static int deeper (int n) { return n + 1; }
static int deep (int n) { return deeper (n) + 1; }
int Square::area (int n) { return deep (n) * n; }
}
static int one_below (int n) { return n; }
static int one (int n) { return one_below (n); }
static int two (int n) { return n + 2; }
static int never (int n) { return n + 3; }
typedef int (*op) (int);
static op const table[] = { one, two, never };
int choose (int i, int n) { return table[i] (n); }
int with_lambda (int n) { auto l = [] (op f, int x) { return f (x); }; return l (two, n); }
int start (int n) { ns::Square square; Shape *shape = &square; return choose (0, n) + with_lambda (n) + shape->area (n); }
int main () { return start (4) == 0; }
""",
}


def select(*arguments, check=0, env=None):
    return run(CLI, "select", *arguments, check=check, env=env)


def as_json(*arguments):
    return json.loads(select(*arguments, "--format", "json").stdout)


def names(subtree):
    return [function["name"] for function in subtree["functions"]]


def places(subtrees):
    return {(f["name"], f["file"], f["line"]) for subtree in subtrees for f in subtree["functions"]}


def chosen_by(folder, lines):
    """What `scan` says that a trace.config of these lines chooses."""
    config = os.path.join(folder, "lines.config")
    with open(config, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    told = json.loads(run(CLI, "scan", folder, "--config", config, "--list", "--format", "json", check=0).stdout)
    return {(f["name"], file["path"], f["line"]) for file in told["files"] for f in file["names"]}


@test
def a_subtree_and_its_lines():
    with Folder() as folder:
        write(folder, SORT)
        result = select(folder, "--function", "workload_sort")
        true(re.fullmatch(r"""workload_sort: 5 functions across 3 files \(full depth\)
  workload_sort  src/sort/sort.c:8
  compare  src/sort/sort.c:3
  helper  src/util.c:2
  swap_count  src/sort/swap.c:7
  helper  src/sort/swap.c:2

# add to trace.config:
include-func workload_sort

# functions by (Universal Ctags \S+|built-in scan)
# calls through pointers aren't followed; --observed REC adds those that a recording saw
""", result.stdout), result.stdout)
        equal(result.stderr, "", "remarks")
        equal(chosen_by(folder, ["include-func workload_sort"]), places(as_json(folder, "-f", "workload_sort")["subtrees"]),
              "what the line chooses")


@test
def depths():
    with Folder() as folder:
        write(folder, SORT)
        for depth, wanted in ((0, ["workload_sort"]), (1, ["workload_sort", "compare", "helper"]),
                              (2, ["workload_sort", "compare", "helper", "swap_count"])):
            told = as_json(folder, "-f", "workload_sort", "-d", str(depth))
            equal(names(told["subtrees"][0]), wanted, "depth %d" % depth)
            equal(told["lines"], ["include-func workload_sort %d" % depth], "lines")
            equal(chosen_by(folder, told["lines"]), places(told["subtrees"]), "what the line chooses")
        first = select(folder, "-f", "workload_sort", "-d", "1").stdout.splitlines()[0]
        equal(first, "workload_sort: 3 functions across 2 files (depth 1)", "head")
        equal([f["depth"] for f in as_json(folder, "-f", "workload_sort")["subtrees"][0]["functions"]], [0, 1, 1, 2, 3], "depths")


@test
def several_functions_and_several_of_one_name():
    with Folder() as folder:
        write(folder, SORT)
        told = as_json(folder, "-f", "swap_count", "-f", "unused", "-f", "unused")
        equal([s["name"] for s in told["subtrees"]], ["swap_count", "unused", "unused"], "subtrees")
        equal(told["lines"], ["include-func swap_count", "include-func unused"], "each line once")
        result = select(folder, "-f", "helper")
        true("! helper: 2 functions have this name, and all are taken" in result.stderr, result.stderr)
        equal(select(folder, "-f", "helper", "-q").stderr, "", "with -q")


@test
def parts_of_qualified_names():
    with Folder() as folder:
        write(folder, {"a.cpp": "namespace ns { struct C { int m (); }; struct D { int m (); };\nint C::m () { return 1; }\n"
                                "int D::m () { return 1; }\n}\n"})
        for name, wanted in (("m", 2), ("C::m", 1), ("ns::C::m", 1), ("D::m", 1)):
            equal(len(as_json(folder, "-f", name)["subtrees"][0]["functions"]), wanted, name)
        select(folder, "-f", "s::C::m", check=2)


@test
def a_seed_that_is_not_there():
    with Folder() as folder:
        write(folder, SORT)
        equal(select(folder, "-f", "workload_srot", check=2).stderr,
              "callsight-cli: select: no function of the sources is named 'workload_srot' — did you mean workload_sort? — "
              "callsight-cli select %s --list shows all\n" % folder, "near")
        equal(select(folder, "-f", "x" * 500, check=2).stderr.count("did you mean"), 0, "far")
        equal(select(folder, "-f", "", check=2).stderr.count("\n"), 1, "an empty name")


@test
def wrong_usage():
    with Folder() as folder:
        write(folder, SORT)
        for arguments in ([], [folder], [folder, folder, "-f", "x"], ["", "-f", "x"], [folder, "-l", "-f", "helper"],
                          [folder, "-l", "-d", "1"], [folder, "-f", "helper", "-d", "-1"], [folder, "-f", "helper", "-d", "x"],
                          [folder, "-f", "helper", "-t", ""], [folder, "-f", "helper", "--format", "xml"],
                          [folder + "/none", "-f", "helper"], [folder + "/src/util.c", "-f", "helper"],
                          [folder, "-f", "helper", "--observed", folder + "/none"],
                          [folder, "-f", "helper", "--observed", folder],
                          [folder, "-f", "helper", "--config", folder + "/none"], [folder, "--nonsense"]):
            result = select(*arguments, check=2)
            equal(result.stdout, "", arguments)
            true(re.fullmatch(r"callsight-cli: \S[^\n]* — [^\n]*\n", result.stderr), "%s: %s" % (arguments, result.stderr))


@test
def all_functions():
    with Folder() as folder:
        write(folder, SORT)
        write(folder, {"src/c.cpp": "namespace n { struct C { int m (); };\nint C::m () { return 1; } }\n"})
        equal(select(folder, "--list").stdout.splitlines(),
              ["n::C::m  src/c.cpp:2  method", "compare  src/sort/sort.c:3  static", "workload_sort  src/sort/sort.c:8",
               "helper  src/sort/swap.c:2  static", "swap_count  src/sort/swap.c:7", "helper  src/util.c:2",
               "unused  src/util.c:7"], "list")
        equal(len(as_json(folder, "-l")["functions"]), 7, "as JSON")


@test
def functions_of_namespaces_are_no_methods():
    text = """namespace ns { int inside () { return 1; } int before (); class C { public: int m () { return 1; } int o (); friend int fr (C *) { return 2; } }; }
int ns::before () { return 2; }
int ns::C::o () { return 3; }
namespace { int hidden () { return 4; } struct S { int s () { return 5; } }; }
namespace a::b { extern "C" { int linked () { return 6; } } }
int plain () { return 7; }
"""
    wanted = {"inside": False, "before": False, "m": True, "o": True, "hidden": False, "s": True, "linked": False, "plain": False,
              "fr": False}
    with Folder() as folder:
        write(folder, {"a.cpp": text})
        for env in (None, {"CALLSIGHT_CTAGS": "", "PATH": "/nonexistent", "XDG_CACHE_HOME": folder + "/.cache"}):
            told = json.loads(select(folder, "--list", "--format", "json", env=env).stdout)
            equal({f["name"].split("::")[-1]: f["method"] for f in told["functions"]}, wanted, told["scanner"])
            lines = select(folder, "--list", env=env).stdout
            true("ns::inside  a.cpp:1\n" in lines and "ns::C::m  a.cpp:1  method\n" in lines, lines)


@test
def threads_as_the_shell_reads_them():
    with Folder() as folder:
        write(folder, SORT)
        lines = select(folder, "-f", "helper", "-t", "sort-*", "-t", "it's ?").stdout.splitlines()
        line = next(line for line in lines if line.startswith("TRACE_THREADS="))
        equal(shlex.split(line)[0], "TRACE_THREADS=sort-*,it's ?", "threads")


@test
def a_config_that_says_some_of_it():
    with Folder() as folder:
        write(folder, SORT)
        config = write(folder, {"trace.config": "include-func swap_count\nexclude-func compare\nexclude src/util.c\n"}) + "/trace.config"
        told = as_json(folder, "-f", "workload_sort", "-f", "swap_count", "--config", config)
        equal(told["lines"], ["include-func workload_sort"], "lines that it doesn't have")
        equal([(f["name"], f["excluded"]) for f in told["subtrees"][0]["functions"]],
              [("workload_sort", False), ("compare", True), ("helper", True), ("swap_count", False), ("helper", False)], "excluded")
        text = select(folder, "-f", "swap_count", "--config", config).stdout
        true("# %s has these lines already\n" % config in text, text)
        write(folder, {"bad.config": "include-fun x\n"})
        select(folder, "-f", "helper", "--config", folder + "/bad.config", check=2)


_built = {}


def indirect():
    """The folder with the program of INDIRECT and its recording, made once."""
    if "indirect" not in _built:
        _built["indirect"] = Folder()
        record(_built["indirect"].__enter__(), INDIRECT)
    return _built["indirect"].path


def record(folder, files):
    """Builds a program of these files with hooks, runs it; its recording."""
    write(folder + "/p", files)
    sources = [folder + "/p/" + name for name in files]
    cpp = any(name.endswith(".cpp") for name in files)
    run("g++" if cpp else "gcc", "-O0", "-g", "-w", "-finstrument-functions", "-finstrument-functions-exclude-file-list=/usr/",
        *sources, compiled.runtime("gcc"), "-o", folder + "/program", "-pthread", check=0)
    run(folder + "/program", env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
    return folder + "/traces"


@test
def what_only_a_recording_tells():
    """Each line that is printed is read from the text alone, and together they choose what is listed."""
    recording, sources = indirect() + "/traces", indirect() + "/p"
    before = set(names(as_json(sources, "-f", "start")["subtrees"][0]))
    true("one" not in before and "two" not in before and "ns::Square::area" in before, before)
    told = as_json(sources, "-f", "start", "--observed", recording)
    after = set(names(told["subtrees"][0]))
    equal(after - before, {"one", "one_below", "two"}, "added")
    equal(told["lines"], ["include-func start", "include-func one", "include-func two"], "lines")
    equal(chosen_by(sources, told["lines"]), places(told["subtrees"]), "what the lines choose")
    equal(told["observed"]["functions_missing"], 1, "missing: the destructor that the compiler made")
    equal(told["observed"]["calls_added"], 2, "added")
    text = select(sources, "-f", "start", "--observed", recording).stdout
    true(re.search(r"# observed: 2 of \d+ calls are added that the sources' text doesn't show; 1 of \d+ functions", text), text)


@test
def depths_of_what_only_a_recording_tells():
    recording, sources = indirect() + "/traces", indirect() + "/p"
    wanted = {0: [], 1: [], 2: ["include-func one 0", "include-func two 0"], 3: ["include-func one 1", "include-func two 1"],
              9: ["include-func one 7", "include-func two 7"]}
    for depth, lines in wanted.items():
        told = as_json(sources, "-f", "start", "-d", str(depth), "--observed", recording)
        equal(told["lines"], ["include-func start %d" % depth] + lines, "depth %d" % depth)
        equal(chosen_by(sources, told["lines"]), places(told["subtrees"]), "what the lines choose at depth %d" % depth)


@test
def functions_that_share_a_name_with_one_that_was_recorded():
    """A line can't tell statics of one name apart: both are taken, and that is said."""
    files = {"a.c": "static int f (int n) { return n; }\nint (*const a_table[]) (int) = { f };\nint b (int n);\n"
                    "int main (void) { return a_table[0] (0); }\n",
             "b.c": "static int g (int n) { return n; }\nstatic int f (int n) { return g (n); }\nint b (int n) { return f (n); }\n"}
    with Folder() as folder:
        recording = record(folder, files)
        told = as_json(folder + "/p", "-f", "main", "--observed", recording)
        equal(places(told["subtrees"]), {("main", "a.c", 4), ("f", "a.c", 1), ("f", "b.c", 2), ("g", "b.c", 1)}, "chosen")
        equal(chosen_by(folder + "/p", told["lines"]), places(told["subtrees"]), "what the lines choose")
        true("! main: 2 of the functions are taken since a line names them along" in
             select(folder + "/p", "-f", "main", "--observed", recording).stderr, "remark")


@test
def a_recording_of_something_else():
    with Folder() as folder:
        write(folder, SORT)
        result = select(folder, "-f", "helper", "--observed", indirect() + "/traces")
        true(re.search(r"^! none of the \d+ functions of .* is in these sources", result.stderr, re.M), result.stderr)
        run(indirect() + "/program", env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/sums", "TRACE_MODE": "summary"}, check=0)
        true("a summary doesn't tell what called what" in
             select(indirect() + "/p", "-f", "main", "--observed", folder + "/sums", check=2).stderr, "summary")


if __name__ == "__main__":
    try:
        main()
    finally:
        for built in _built.values():
            built.__exit__()
