# SPDX-License-Identifier: MIT
"""What was chosen, what has hooks, and how reports tell: after a build, in reports, and before a run."""

import json
import os
import shutil

import tap
from tap import Folder, equal, main, run, test, true

MAKEFILE = """\
CFLAGS = -O2 -g
OBJECTS = src/main.o src/net.o src/quiet.o
prog: $(OBJECTS)
\t$(CC) -o $@ $(OBJECTS)
"""
# "volatile" keeps calls that an optimizer would compute.
FILES = {
    "Makefile": MAKEFILE,
    "src/main.c": """\
#include "net.h"
int quiet (int);
volatile int seed = 3;
static int step (int x) { return x + seed; }
static int unused (int x) { return x; }
#ifdef NEVER
int never (void) { return 1; }
#endif
int work (int n) { int s = 0; for (int i = 0; i < n; i++) s += step (i) + twice (i) + net_send (i); return s; }
int main (void) { return (work (seed) + quiet (seed)) & 0; }
""",
    "src/net.c": """\
#include "net.h"
extern volatile int seed;
static int net_check (int x) { return x ^ seed; }
int net_send (int x) { return net_check (x) - 1; }
""",
    "src/net.h": "int net_send (int x);\nextern volatile int seed;\nstatic inline int twice (int x) { return 2 * x + seed; }\n",
    "src/quiet.c": "extern volatile int seed;\nint quiet (int x) { return x * seed; }\n",
    "src/other.c": "int other (int x) { return x; }\n",
}


def make(folder, config, *options, compiler="gcc", check=0, more=None):
    """A project, built with hooks in what the config chooses. What the build said."""
    for name, text in {**FILES, **(more or {}), "trace.config": config}.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return run(tap.CLI, "build", "--compiler", compiler, *options, cwd=folder, check=check).stdout


def fates(folder):
    """{fate: {name}} as the build stored it."""
    found = {}
    with open(os.path.join(folder, "build-instr", "callsight", "hooks"), encoding="utf-8") as file:
        equal(file.readline(), "CALLSIGHT-HOOKS 1\n")
        for line in file:
            fate, rest = line.rstrip("\n").split(" ", 1)
            name, path = rest.split("\t")
            found.setdefault(fate, {})[name] = path
    return found


def record(folder, *options, check=0):
    return run(tap.CLI, "run", "--dir", os.path.join(folder, "traces"), *options, "--", "build-instr/prog", cwd=folder, check=check)


def rows(folder, *options):
    report = json.loads(run(tap.CLI, "analyze", os.path.join(folder, "traces"), "--format", "json", "--top", "0", *options,
                            cwd=folder, check=0).stdout)
    return report, {row["function"]: row for row in report["rows"]}


def notices(text):
    return [line[2:] for line in text.splitlines() if line.startswith("! ")]


@test
def after_a_build():
    """Hooked, not compiled, no code: by construction."""
    with Folder() as folder:
        said = make(folder, "exclude src/quiet.c\n")
        found = fates(folder)
        equal(found, {
            "hooked": {"step": "src/main.c", "work": "src/main.c", "main": "src/main.c", "net_check": "src/net.c",
                       "net_send": "src/net.c", "twice": "src/net.h"},
            "left-out": {"unused": "src/main.c", "never": "src/main.c"},
            "not-compiled": {"other": "src/other.c"},
        })
        true("9 functions chosen, 6 of them with hooks\n" in said, said)
        true("  chosen, but not compiled: 1 (other)\n" in said, said)
        true("  chosen, but there is no code of it: 2 (never, unused)\n" in said, said)
        # A run says that trace.config has changed since the build, and so does an analysis.
        true(not [line for line in notices(record(folder).stdout) if "trace.config" in line])
        with open(os.path.join(folder, "trace.config"), "a", encoding="utf-8") as file:
            file.write("# a comment\n")
        told = [line for line in notices(record(folder).stdout) if "trace.config" in line]
        equal(len(told), 1, told)
        true("callsight-cli build" in told[0], told)
        text = run(tap.CLI, "analyze", os.path.join(folder, "traces"), check=0).stdout
        equal([line for line in notices(text) if "trace.config" in line], told)
        # What callsight-cli build didn't make it doesn't make anew.
        marker = os.path.join(folder, "build-instr", ".callsight-build")
        os.rename(marker, marker + "-away")
        text = run(tap.CLI, "analyze", os.path.join(folder, "traces"), check=0).stdout
        (line,) = [line for line in notices(text) if "trace.config" in line]
        true(line.endswith(" — build it again"), line)
        os.rename(marker + "-away", marker)

        # Nothing to build leaves what is known.
        run(tap.CLI, "build", cwd=folder, check=0)
        equal(fates(folder), found)


@test
def not_chosen_but_hooked():
    """A header's function has hooks when a compiler without lists takes a file; reports mark it."""
    with Folder() as folder:
        said = make(folder, "include src/main.c\ninclude src/quiet.c\n", compiler="clang")
        true("  hooked, but not chosen: 1 (twice)\n" in said, said)
        equal(fates(folder)["not-chosen"], {"twice": "src/net.h"})
        text = record(folder).stdout
        true("1 function was hooked, but not chosen: twice" in notices(text), text)
        marked = {line.split("  ")[-2].split()[0] for line in text.splitlines() if line.endswith("  not chosen")}
        equal(marked, {"twice"}, text)
        report, functions = rows(folder)
        equal({name: row["chosen"] for name, row in functions.items()},
              {"main": True, "work": True, "step": True, "quiet": True, "twice": False})
        true("1 function was hooked, but not chosen: twice" in report["notices"])
        table = [line.split(",") for line in run(tap.CLI, "analyze", os.path.join(folder, "traces"), "--format", "csv",
                                                 cwd=folder, check=0).stdout.splitlines()]
        equal(table[0][-1], "chosen")
        equal({row[0]: row[-1] for row in table[1:]}["twice"], "false")


@test
def which_selection():
    """That of the program's build, or the one that is named; without one reports are as ever."""
    with Folder() as folder:
        make(folder, "include src\n")
        record(folder)
        selection = os.path.join(folder, "build-instr", "callsight", "selection")
        plain = run(tap.CLI, "analyze", os.path.join(folder, "traces"), "--format", "json", "--selection", "none", check=0).stdout
        true("chosen" not in plain and '"hooks":' not in plain)
        _report, functions = rows(folder)
        true(all(row["chosen"] is True for row in functions.values()))

        # Another one: a file of it that is named so is the same file.
        with open(os.path.join(folder, "trace.config"), "w", encoding="utf-8") as file:
            file.write("include src/net.c\nexclude-func net_check\n")
        other = os.path.join(folder, "other")
        run(tap.CLI, "scan", folder, "--write", other, check=0)
        _report, functions = rows(folder, "--selection", other)
        equal({name for name, row in functions.items() if row["chosen"]}, {"net_send"})

        # Where it can't be read there is no error, unless it was named.
        with open(selection, encoding="utf-8") as file:
            text = file.read()
        for changed in (text[:-1], ""):
            with open(selection, "w", encoding="utf-8") as file:
                file.write(changed)
            equal(run(tap.CLI, "analyze", os.path.join(folder, "traces"), "--format", "json", check=0).stdout, plain)
            result = run(tap.CLI, "analyze", os.path.join(folder, "traces"), "--selection", selection, check=2)
            equal(len(result.stderr.splitlines()), 1, result.stderr)
            true(selection in result.stderr, result.stderr)

        # A program elsewhere in the project is taken for one of its build; one of another project isn't.
        os.makedirs(os.path.join(folder, "bin"))
        shutil.copy2(os.path.join(folder, "build-instr", "prog"), os.path.join(folder, "bin", "prog"))
        run(tap.CLI, "run", "--dir", "traces", "--", "bin/prog", cwd=folder, check=0)
        for place, known in ((folder, True), ("/nowhere", False)):
            with open(selection, "w", encoding="utf-8") as file:
                file.write("".join("root %s\n" % place if line.startswith("root ") else line
                                   for line in text.splitlines(True) if not line.startswith("mirror ")))
            equal("chosen" in rows(folder)[1]["main"], known, place)
        shutil.rmtree(os.path.dirname(selection))
        true("chosen" not in rows(folder)[1]["main"])


@test
def a_selection_of_another_build():
    """What was built later than trace.config changed, with a selection from before, wasn't built with that selection."""
    with Folder() as folder:
        make(folder, "include src\nexclude src/net.c\n")
        config = os.path.join(folder, "trace.config")
        program = os.path.join(folder, "build-instr", "prog")
        with open(config, "w", encoding="utf-8") as file:
            file.write("include src/net.c\n")
        changed = os.stat(config).st_ctime
        for newer in (False, True):
            os.utime(program, (changed + 9, changed + 9) if newer else (changed - 9, changed - 9))
            text = record(folder).stdout
            equal("was built before" in text, not newer, text)
            equal("chosen" not in rows(folder)[1]["main"], newer)


@test
def names_that_several_files_have():
    """They are told once, with how many they are."""
    with Folder() as folder:
        files = {"src/%s.c" % name: "static int twin (void) { return 1; }\nint only_%s (void) { return twin (); }\n" % name
                 for name in "abc"}
        said = make(folder, "include src/*\n", more=files)
        true("  chosen, but not compiled: 7 (only_a, twin ×3, only_b, only_c, other)\n" in said, said)
        said = make(folder, "include-func quiet 0\n")
        true("\n1 function chosen, 1 of them with hooks\n" in said, said)


@test
def names_of_cpp():
    """A method of a class in a namespace is one function; an overload of another file isn't taken for it; and gcc compares
    exclude-func with the arguments of templates, too."""
    files = {
        "Makefile": "prog: src/main.o\n\t$(CXX) -o $@ $^\nsrc/main.o: src/main.cpp\n\t$(CXX) -O2 -g -c -o $@ $<\n",
        "src/main.cpp": """\
#include "one.h"
#include "two.h"
int main () {
  lib::Box<int> a {seed};
  lib::Box<lib::Mark> b {{seed}};
  a.put (lib::twice (seed));
  b.drop ();
  return (int) (lib::twice (1.5) + a.value + b.value.n) & 0;
}
""",
        "src/one.h": """\
extern volatile int seed;
volatile int seed;
namespace lib {
  struct Mark { int n; };
  template <class T> struct Box {
    T value;
    void put (T t) { value = t; seed = 1; }
    void drop () { value = T (); seed = 2; }
    void never () { seed = 3; }
  };
  inline int twice (int x) { return 2 * x + seed; }
}
""",
        "src/two.h": "namespace lib { inline double twice (double x) { return 2 * x + seed; } }\n",
    }
    with Folder() as folder:
        said = make(folder, "include src/main.cpp\ninclude src/one.h\nexclude-func Mark\n", more=files)
        equal(fates(folder), {
            "hooked": {"main": "src/main.cpp", "lib::twice": "src/one.h", "lib::Box<>::put": "src/one.h"},
            "left-out": {"lib::Box<>::never": "src/one.h"},
        })
        true("4 functions chosen, 3 of them with hooks\n" in said, said)
        text = record(folder).stdout
        true("inlined" not in text and "not chosen" not in text, text)


@test
def after_inlining():
    """Hooks after inlining are noted by the runtime, and what was inlined by the build."""
    with Folder() as folder:
        said = make(folder, "include src\n", "--after-inlining", compiler="clang")
        inlined = set(fates(folder)["inlined"])
        true({"step", "twice", "net_check"} >= inlined and inlined, inlined)
        true("chosen, but inlined: %d (" % len(inlined) in said, said)
        text = record(folder).stdout
        sentence = "hooks were placed after inlining: calls that the compiler inlined are part of their callers"
        true(sentence in notices(text), text)
        true(any(line.startswith("chosen, but inlined: %d (" % len(inlined)) and "build --no-inline" in line
                 for line in notices(text)), text)
        report, functions = rows(folder)
        equal(report["hooks"], "after-inlining")
        true(not inlined & set(functions), functions.keys())
        record(folder, "--mode", "summary")
        report, _functions = rows(folder, "--selection", "none")
        equal((report["mode"], report["hooks"]), ("summary", "after-inlining"))
        true(sentence in report["notices"])


@test
def lent_runtime():
    """A program with hooks and no runtime is said to get one, unless quiet."""
    with Folder() as folder:
        for name, text in FILES.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        run("gcc", "-g", "-finstrument-functions", "src/main.c", "src/net.c", "src/quiet.c", "-o", "prog", cwd=folder, check=0)
        result = run(tap.CLI, "run", "--", "./prog", cwd=folder, check=0)
        equal(len(result.stderr.splitlines()), 1, result.stderr)
        true("has hooks" in result.stderr and "no runtime is linked" in result.stderr, result.stderr)
        true("work" in result.stdout, result.stdout)
        equal(run(tap.CLI, "run", "-q", "--", "./prog", cwd=folder, check=0).stderr, "")


if __name__ == "__main__":
    main()
