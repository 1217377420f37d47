# SPDX-License-Identifier: MIT
"""Which functions of a unit get hooks: chosen ones, however the compile spells its paths."""

import os
import shutil

import tap
from launching import Project, arguments, fake_compiler, hooked, read, write
from tap import Skip, equal, main, test, true

# A unit with a header beside it, one found by a relative name, one of an -I folder, one that
# another header includes, and a chosen one; and what is chosen of them.
UNIT = """
#include "beside.h"
#include "../common/common.h"
#include <lib/listed.h>
#include "taken.h"
#include <string.h>
static int own (void) { return beside () + common () + listed () + deeper () + taken () + elsewhere (); }
int unit (void) { return own (); }
"""
FILES = {
    "src/unit.c": UNIT,
    "src/beside.h": "static int beside (void) { return 1; }\n",
    "common/common.h": '#include "deep/deeper.h"\nstatic int common (void) { return 1; }\n',
    "common/deep/deeper.h": '#include "../taken2.h"\nstatic int deeper (void) { return 1; }\n',
    "common/taken2.h": "static int elsewhere (void) { return 1; }\n",
    "include/lib/listed.h": "static inline int listed (void) { return 1; }\n",
    "include/taken.h": "static inline int taken (void) { return 1; }\n",
}
CHOSEN = {
    "src/unit.c": ("+", "+own +unit"),
    "src/beside.h": ("-", "-beside"),
    "common/common.h": ("-", "-common"),
    "common/deep/deeper.h": ("-", "-deeper"),
    "common/taken2.h": ("+", "+elsewhere"),
    "include/lib/listed.h": ("-", "-listed"),
    "include/taken.h": ("+", "+taken"),
}
WANTED = ["elsewhere", "own", "taken", "unit"]

# The folder of the command, and its words; {root} is the project's path.
SPELLINGS = [
    ("", "-Iinclude -c src/unit.c"),
    ("", "-I include -c src/unit.c"),
    ("", "-I./include -c ./src/unit.c"),
    ("", "-Iinclude/ -c .//src/unit.c"),
    ("", "-I{root}/include -c src/unit.c"),
    ("", "-I{root}/include -c {root}/src/unit.c"),
    ("", "-I{root}/src/../include -c {root}/common/../src/unit.c"),
    ("", "-isystem include -c src/unit.c"),
    ("", "-isystem{root}/common/../include -c src/unit.c"),
    ("", "-idirafter include -c src/unit.c"),
    ("", "-iprefix {root}/ -iwithprefix include -c src/unit.c"),
    ("", "-Iinclude -isystem ./include -c src/unit.c"),
    ("", "-Icommon -Isrc -Iinclude -c src/unit.c"),
    ("", "--include-directory include -c src/unit.c"),
    ("", "-iquote include -Iinclude -c src/unit.c"),
    ("", "-Iinclude --sysroot=/ -c src/unit.c"),
    ("src", "-I../include -c unit.c"),
    ("src", "-I../include -c ./unit.c"),
    ("src", "-I../../project/include -c ../src/unit.c"),
    ("common", "-I../include -c ../src/unit.c"),
    ("common/deep", "-I{root}/include -c ../../src/unit.c"),
]


def compilers_with(*names):
    return [cc for cc in names if shutil.which(cc)]


@test
def every_spelling_of_the_paths():
    with Project(FILES, CHOSEN) as project:
        everything = os.path.join(project.outer, "all.o")
        tap.run("gcc", "-finstrument-functions", "-Iinclude", "-c", "src/unit.c", "-o", everything,
                cwd=project.root, check=0)
        equal(len(hooked.functions(everything)), 8, "functions of the unit")
        for cwd, words in SPELLINGS:
            argv = [word.replace("{root}", project.root) for word in words.split()]
            equal(project.hooks("gcc", *argv, cwd=cwd), WANTED, "%s in %r" % (words, cwd))


@test
def names_with_blanks_commas_and_other_letters():
    for name in ["with blank", "a,b", "übung", "quote'd", "back\\slash", "per%cent", "dollar$", "tab\tbed", "\udcff"]:
        files = {path.replace("src/", name + "/"): text for path, text in FILES.items()}
        chosen = {path.replace("src/", name + "/"): choice for path, choice in CHOSEN.items()}
        with Project(files, chosen) as project:
            equal(project.hooks("gcc", "-Iinclude", "-c", name + "/unit.c"), WANTED, name)
            equal(project.hooks("gcc", "-I../include", "-c", "unit.c", cwd=name), WANTED, name)


@test
def commas_in_an_include_folder():
    with Project(FILES, CHOSEN) as project:
        os.rename(os.path.join(project.root, "include"), os.path.join(project.root, "in,c lude"))
        project.select({path.replace("include/", "in,c lude/"): choice for path, choice in CHOSEN.items()})
        equal(project.hooks("gcc", "-Iin,c lude", "-c", "src/unit.c"), WANTED)


@test
def paths_through_symbolic_links():
    with Project(FILES, CHOSEN) as project:
        other = os.path.join(project.outer, "elsewhere")
        os.symlink(project.root, other)
        os.symlink("src", os.path.join(project.root, "link"))
        os.symlink("../src/unit.c", os.path.join(project.root, "common", "linked.c"))
        equal(project.hooks("gcc", "-Iinclude", "-c", "src/unit.c", cwd=other), WANTED, "working directory")
        equal(project.hooks("gcc", "-I" + other + "/include", "-c", other + "/src/unit.c"), WANTED, "absolute")
        equal(project.hooks("gcc", "-Iinclude", "-c", "link/unit.c"), WANTED, "folder")
        equal(project.hooks("gcc", "-Iinclude", "-I../src", "-Isrc", "-c", "common/linked.c"), WANTED, "file")


@test
def a_copy_of_the_tree():
    with Project(FILES, CHOSEN) as project:
        copy = os.path.join(project.root, "build-instr")
        for folder in ("src", "common", "include"):
            shutil.copytree(os.path.join(project.root, folder), os.path.join(copy, folder))
        project.select(CHOSEN, path=os.path.join(copy, "callsight", "selection"), lines=["mirror " + copy])
        equal(project.hooks("gcc", "-Iinclude", "-c", "src/unit.c", cwd="build-instr"), WANTED)
        for cc in tap.compilers():
            project.quiet(cc, "-g", "-Iinclude", "-c", "src/unit.c", "-o", "unit.o", cwd="build-instr")
            info = tap.run("readelf", "--debug-dump=info", "unit.o", cwd=copy, check=0).stdout
            true("DW_AT_comp_dir" in info, cc + ": debug information")
            true("build-instr" not in info, cc + ": the copy's folder in debug information")


@test
def files_outside_the_root():
    outside = "static inline int outside (void) { return 1; }\n"
    with Project(dict(FILES, **{"src/unit.c": UNIT + '#include "outer.h"\nint more (void) { return outside (); }\n'}),
                 CHOSEN) as project:
        write(os.path.join(project.outer, "lib", "outer.h"), '#include "sub/inner.h"\n' + outside)
        write(os.path.join(project.outer, "lib", "sub", "inner.h"), "static int inner (void) { return 1; }\n"
              "int call_inner (void) { return inner (); }\n")
        for spelling in ("-I../lib", "-I" + project.outer + "/lib", "-isystem../lib", "-I../lib/", "-I../project/../lib"):
            equal(project.hooks("gcc", "-Iinclude", spelling, "-c", "src/unit.c"), WANTED[:1] + ["more"] + WANTED[1:],
                  spelling)
        equal(project.hooks("gcc", "-Iinclude", "-iquote", "../lib", "-c", "src/unit.c"),
              WANTED[:1] + ["more"] + WANTED[1:], "-iquote")
        write(os.path.join(project.outer, "other.c"), "int other (void) { return 1; }\n")
        equal(project.hooks("gcc", "-c", "../other.c"), [], "a unit outside")


@test
def headers_that_the_selection_does_not_know():
    files = dict(FILES, **{"build/config.h": "static int config (void) { return 1; }\n",
                           "src/unit.c": UNIT + "#include <config.h>\nint more (void) { return config (); }\n"})
    with Project(files, CHOSEN) as project:
        wanted = sorted(WANTED + ["more"])
        equal(project.hooks("gcc", "-Ibuild", "-Iinclude", "-c", "src/unit.c"), wanted, "-I")
        equal(project.hooks("gcc", "-I.", "-I../include", "-c", "../src/unit.c", cwd="build"), wanted, "in a build folder")


@test
def includes_of_every_form():
    unit = """
# include   "one.h"
  #  /* why */ include <two.h>
#if 0
#include "never.h"
#endif
/* # */ #include "three.h"
#import "four.h"
#include FIVE
#define SIX_H "six.h"
#include SIX_H
#include SEVEN
int unit (void) { return one () + two () + three () + four () + five () + six () + seven () + forced (); }
"""
    names = ["one", "two", "three", "four", "five", "six", "seven", "forced"]
    files = {"inc/%s.h" % name: "static int %s (void) { return 1; }\n" % name for name in names}
    files.update({"src/unit.c": unit, "first/seven.h": "#include_next <seven.h>\n"})
    chosen = {path: ("-", "-" + os.path.basename(path)[:-2]) for path in files if path.startswith("inc/")}
    chosen["src/unit.c"] = ("+", "+unit")
    with Project(files, chosen) as project:
        argv = ["-Ifirst", "-Iinc", "-DFIVE=\"five.h\"", "-D", "SEVEN=<seven.h>", "-include", "inc/forced.h", "-w",
                "-c", "src/unit.c"]
        equal(project.hooks("gcc", *argv), ["unit"])
        chosen["inc/seven.h"] = ("+", "+seven")
        chosen["inc/forced.h"] = ("+", "+forced")
        chosen["src/unit.c"] = "-"
        project.select(chosen)
        equal(project.hooks("gcc", *argv), ["forced", "seven"])


@test
def headers_that_include_each_other_by_relative_names():
    """There are endless ways to spell them."""
    names = ["d%d/h%d.h" % (i % 4, i) for i in range(12)]
    files = {name: "#ifndef H%d\n#define H%d\n" % (i, i) + "".join('#include "../%s"\n' % other for other in names) +
             "static int f%02d (void) { return 1; }\nint u%02d (void) { return f%02d (); }\n#endif\n" % (i, i, i)
             for i, name in enumerate(names)}
    files["src/unit.c"] = '#include "../%s"\nint unit (void) { return 1; }\n' % names[0]
    chosen = {name: ("-", "-f%02d -u%02d" % (i, i)) if i % 3 else ("+", "+f%02d +u%02d" % (i, i))
              for i, name in enumerate(names)}
    chosen["src/unit.c"] = ("+", "+unit")
    with Project(files, chosen) as project:
        wanted = sorted(["unit"] + ["%s%02d" % (c, i) for c in "fu" for i in range(0, 12, 3)])
        equal(project.hooks("gcc", "-c", "src/unit.c"), wanted)
        equal(project.hooks("gcc", "-c", "unit.c", cwd="src"), wanted)


@test
def many_headers_in_many_folders():
    """Folders that are listed, a folder that has a header's name, links, a header beside the one that includes it."""
    body = "#pragma once\nstatic int h%02d (void) { return 1; }\nint call_h%02d (void) { return h%02d (); }\n"
    where = ["a", "b", "b/sub", "far"]
    files = {"%s/h%02d.h" % (where[i % 4], i): body % (i, i, i) for i in range(24)}
    chosen = {path: ("-", "-%s -call_%s" % (path[-5:-2], path[-5:-2])) for path in files}
    names = ["sub/h%02d.h" % i if i % 4 == 2 else "h%02d.h" % i for i in range(24)]
    files["b/all.h"] = "".join('#include "%s"\n' % name for name in names)
    files["unit.c"] = "#include <all.h>\nint unit (void) { return 1; }\n"
    files["a/h01.h/x"] = files["src/x"] = ""
    with Project(files, dict(chosen, **{"unit.c": ("+", "+unit"), "b/all.h": "-"})) as project:
        for i in range(3, 24, 4):
            os.symlink("../far/h%02d.h" % i, project.root + "/a/h%02d.h" % i)
        for cwd, words in [("", "-Ia -Ib -Iempty -c unit.c"), ("", "-I none -I./a -Ib/ -c ./unit.c"),
                           ("src", "-I../src -I../a -I ../src/../b -c ../unit.c")]:
            equal(project.hooks("gcc", *words.split(), cwd=cwd), ["unit"], words)


@test
def folders_that_are_searched_for_more_than_one_kind_of_name():
    """gcc searches a folder once; which of its spellings that is tells the header's."""
    header = "#pragma once\nstatic int %s (void) { return 1; }\nint call_%s (void) { return %s (); }\n"
    files = {"a/x.h": '#include "y.h"\n' + header % (("x",) * 3), "a/y.h": header % (("y",) * 3),
             "b/x.h": "#include_next <x.h>\n", "src/unit.c": '#include "x.h"\nint unit (void) { return 1; }\n'}
    chosen = {"src/unit.c": ("+", "+unit"), "a/x.h": ("-", "-x -call_x"), "a/y.h": ("-", "-y -call_y"), "b/x.h": "-"}
    with Project(files, chosen) as project:
        for words in ["-Ia", "-iquote ./a -I a", "-iquote a -I./a", "-I a -isystem {root}/a", "-Ib -Ia", "-iquote b -Ib -I./a",
                      "-isystem {root}/src/../a", "-Ib -idirafter {root}/src/../a", "-I{root}/b -isystem {root}/a/../a", "-Isrc/.. -Ib -Ib/ -I a/"]:
            for source in ("src/unit.c", "{root}/src/unit.c"):
                argv = [word.replace("{root}", project.root) for word in words.split() + ["-c", source]]
                equal(project.hooks("gcc", *argv), ["unit"], words)


@test
def names_that_line_directives_give():
    grammar = '#line 3 "gram.y"\nint parse (void) { return taken (); }\n# 9 "gram.c"\nint rest (void) { return 1; }\n'
    files = {"gram.c": '#include "taken.h"\n' + grammar, "taken.h": "static int taken (void) { return 1; }\n"}
    with Project(files, {"gram.c": "-", "taken.h": ("+", "+taken")}) as project:
        equal(project.hooks("gcc", "-c", "gram.c"), ["taken"], "header")
        project.select({"gram.c": ("+", "+parse +rest"), "taken.h": ("-", "-taken")})
        equal(project.hooks("gcc", "-c", "gram.c"), ["parse", "rest"], "unit")


@test
def units_by_choice():
    with Project(FILES, CHOSEN) as project:
        argv = ["-Iinclude", "-c", "src/unit.c"]
        for choice, functions, wanted in [
                ("+", "+own +unit", WANTED),
                ("%", "-own +unit", ["elsewhere", "taken", "unit"]),
                ("-", "", ["elsewhere", "taken"])]:
            project.select(dict(CHOSEN, **{"src/unit.c": (choice, functions)}))
            equal(project.hooks("gcc", *argv), wanted, choice)
        project.select(dict(CHOSEN, **{"src/unit.c": "-"}), headers=0)
        equal(project.hooks("gcc", *argv), [], "no header is chosen")
        project.select(dict(CHOSEN, **{"include/taken.h": ("%", "-taken +other")}))
        equal(project.hooks("gcc", *argv), ["elsewhere", "own", "unit"], "a header partly")
        project.select({path: "-" for path in CHOSEN})
        equal(project.hooks("gcc", *argv), [], "nothing")


@test
def rules_that_go_to_the_compiler_whatever_they_match():
    with Project(FILES, CHOSEN, lines=["exclude-func taken", "exclude-func x,y", "exclude-func "]) as project:
        equal(project.hooks("gcc", "-Iinclude", "-c", "src/unit.c"), ["elsewhere", "own", "unit"])


@test
def entries_that_are_part_of_something_chosen():
    """What isn't chosen, what is, and the functions that carry hooks then."""
    header = "static int %s (void) { return 1; }\n"
    table = [
        # A header whose name is part of the unit's, and of another header's.
        ({"it.c": ("+", "+f"), "t.h": ("-", "-g")}, {"it.c": '#include "t.h"\nint f (void) { return g (); }\n',
                                                     "t.h": header % "g"}, "it.c", ["f"]),
        ({"u.c": ("+", "+f"), "a.h": ("-", "-g"), "data.h": ("+", "+h")},
         {"u.c": '#include "a.h"\n#include "data.h"\nint f (void) { return g () + h (); }\n',
          "a.h": header % "g", "data.h": header % "h"}, "u.c", ["f", "h"]),
        ({"u.c": ("+", "+f"), "a.h": ("-", "-g"), "sub/a.h": ("+", "+h")},
         {"u.c": '#include "a.h"\n#include "sub/a.h"\nint f (void) { return g () + h (); }\n',
          "a.h": header % "g", "sub/a.h": header % "h"}, "u.c", ["f", "h"]),
        # …whose functions' names are part of chosen ones: hooked, since what is chosen must be.
        ({"u.c": ("+", "+f +gg"), "a.h": ("-", "-g"), "data.h": ("+", "+h")},
         {"u.c": '#include "a.h"\n#include "data.h"\nint gg (void) { return 1; }\nint f (void) { return g () + h (); }\n',
          "a.h": header % "g", "data.h": header % "h"}, "u.c", ["f", "g", "gg", "h"]),
        # A unit that isn't chosen with a name that is part of a chosen header's.
        ({"u.c": "-", "u.c.h": ("+", "+h")},
         {"u.c": '#include "u.c.h"\nint f (void) { return h (); }\n', "u.c.h": header % "h"}, "u.c", ["f", "h"]),
        # Functions.
        ({"u.c": ("%", "-parse +parse_line -line +other -other_line")},
         {"u.c": "".join("int %s (void) { return 1; }\n" % name
                         for name in ["parse", "parse_line", "line", "other", "other_line"])},
         "u.c", ["line", "other", "parse", "parse_line"]),
        # A folder of the system's in the project.
        ({"usr/include/u.c": ("+", "+f")}, {"usr/include/u.c": "int f (void) { return 1; }\n"},
         "../project/usr/include/u.c", ["f"]),
        # A file of which nothing is known, whose name is part of a chosen one's.
        ({"u.c": ("+", "+f"), "data.h": ("+", "+h")},
         {"u.c": '#include "a.h"\n#include "data.h"\nint f (void) { return g () + h (); }\n',
          "a.h": header % "g", "data.h": header % "h"}, "u.c", ["f", "g", "h"]),
    ]
    for chosen, files, source, wanted in table:
        with Project(files, chosen) as project:
            equal(project.hooks("gcc", "-c", source), wanted, repr(chosen))
            found = project.hooks("gcc", "-c", os.path.join(project.root, source))
            for _choice, functions in (choice for choice in chosen.values() if isinstance(choice, tuple)):
                for function in functions.split():
                    true(function[0] == "-" or function[1:] in found, "absolute: " + repr(chosen))


@test
def names_of_cpp():
    unit = """
namespace net {
template <class T> struct Ring {
  Ring () {}
  int push (T) { return 1; }
  int pop (T) { return 2; }
  template <class U> int both (U) { return 3; }
};
struct Plain { int a () { return 1; } int b () { return 2; } bool operator, (int) { return true; } };
namespace { int hidden (int x) { return x; } int shown (int x) { return x; } }
}
template <class T> int generic (T) { return 1; }
template <class T> int special (T) { return 1; }
int use () {
  net::Ring<int> r; net::Ring<char *> s; net::Plain p;
  return r.push (1) + r.pop (1) + s.pop (nullptr) + s.both (1) + p.a () + p.b () + (p, 1) + net::hidden (1)
    + net::shown (1) + generic (1) + special (net::Ring<int> ());
}
"""
    functions = ("-net::Ring<>::Ring +net::Ring<>::push -net::Ring<>::pop -net::Ring<>::both +net::Plain::a "
                 "-net::Plain::b -net::Plain::operator, -net::{anonymous}::hidden +net::{anonymous}::shown "
                 "-generic +special +use")
    with Project({"src/unit.cpp": unit}, {"src/unit.cpp": ("%", functions)}) as project:
        for argv in (["g++", "-c", "src/unit.cpp"], ["gcc", "-x", "c++", "-c", "src/unit.cpp"]):
            equal(project.hooks(*argv), ["net::Plain::a", "net::Ring<>::push", "net::{anonymous}::shown", "special", "use"],
                  " ".join(argv))


@test
def a_template_whose_name_begins_one_that_is_chosen():
    unit = ("struct S { template <class T> bool is () { return true; } bool is_array () { return is<int> () && is<S> (); } };\n"
            "bool use (S &s) { return s.is_array (); }\n")
    with Project({"unit.cpp": unit}, {"unit.cpp": ("%", "-S::is<> +S::is_array -use")}) as project:
        equal(project.hooks("g++", "-c", "unit.cpp"), ["S::is_array"])


@test
def operators_that_end_like_the_option():
    """The '=' behind a name is not the one that the list begins with."""
    unit = ("struct S { int x; S &operator= (int v) { x = v; return *this; } bool operator== (int v) { return x == v; } "
            "bool operator<= (int v) { return x <= v; } int a () { return x; } int b () { return x; } };\n"
            "int use (S &s) { s = 3; return (s == 3) + (s <= 4) + s.a () + s.b (); }\n")
    for functions, wanted in (("+S::a -S::operator= -S::b -use -S::operator== -S::operator<=", ["S::a"]),
                              ("+S::a -S::operator= -S::b +use -S::operator== +S::operator<=",
                               ["S::a", "S::operator<=", "use"]),
                              ("+S::a +S::b +use +S::operator<= +S::operator= -S::operator==",
                               ["S::a", "S::b", "S::operator<=", "S::operator=", "use"])):
        with Project({"unit.cpp": unit}, {"unit.cpp": ("%", functions)}) as project:
            equal(project.hooks("g++", "-c", "unit.cpp"), wanted, functions)


@test
def clang_by_file():
    if not compilers_with("clang"):
        raise Skip("no clang")
    with Project(FILES, CHOSEN) as project:
        argv = ["clang", "-Iinclude", "-c", "src/unit.c"]
        everything = sorted(WANTED + ["beside", "common", "deeper", "listed"])
        equal(project.hooks(*argv), everything, "chosen")
        project.select(dict(CHOSEN, **{"src/unit.c": "-"}))
        equal(project.hooks(*argv), [], "includes what is chosen")
        for choice, lines in [("%", []), ("+", ["exclude-func wn"])]:
            project.select(dict(CHOSEN, **{"src/unit.c": (choice, "+own +unit")}), lines=lines)
            result = project.launch(*argv, check=1)
            equal(len(result.stderr.splitlines()), 1, result.stderr)
            for words in ("callsight-cc: src/unit.c", "gcc", "--widen"):
                true(words in result.stderr, "%r in %r" % (words, result.stderr))
            project.select(dict(CHOSEN, **{"src/unit.c": (choice, "+own +unit")}), lines=lines + ["functions widen"])
            equal(project.hooks(*argv), everything, "widened")
        project.select(CHOSEN, lines=["exclude-func nothing_here"])
        equal(project.hooks(*argv), everything, "a rule that hits nothing")


@test
def hooks_after_inlining():
    with Project({"a.c": "static int in (void) { return 1; }\nint f (void) { return in (); }\n",
                  "b.c": "int g (void) { return 1; }\n"},
                 {"a.c": ("+", "+f +in"), "b.c": "-"}, lines=["hooks after-inlining"]) as project:
        for cc in tap.compilers():
            if cc == "clang":
                equal(project.hooks(cc, "-O2", "-c", "a.c"), ["f"], cc)
            else:
                result = project.launch(cc, "-c", "a.c", check=1)
                true("clang" in result.stderr and len(result.stderr.splitlines()) == 1, result.stderr)
            equal(project.hooks(cc, "-c", "b.c"), [], cc)


@test
def no_inlining():
    with Project({"a.c": "", "b.c": ""}, {"a.c": ("+", "+f"), "b.c": "-"}) as project:
        compiler = fake_compiler(project)
        for lines in [[], ["inlining yes"], ["inlining no"]]:
            project.select(project.chosen, lines=lines)
            for unit in ("a.c", "b.c"):
                project.quiet(compiler, "-c", unit)
                equal(b"-fno-inline" in arguments(project), unit == "a.c" and lines == ["inlining no"], unit)


@test
def compilers_by_name():
    """gcc gets lists, clang none; links and wrappers are seen through."""
    with Project({"a.c": "#include <stdio.h>\nint f (void) { return 1; }\n"}, {"a.c": ("+", "+f")}) as project:
        bin = os.path.join(project.outer, "bin")
        script = "#!/bin/sh\nprintf '%%s\\n' \"$@\" >%s/argv\n" % project.outer
        for name in ["gcc", "g++-12", "arm-linux-gnueabihf-gcc", "clang-14", "clang++", "tcc", "wrap"]:
            write(os.path.join(bin, name), script, executable=True)
        os.symlink("clang-14", os.path.join(bin, "cc"))
        os.symlink("g++-12", os.path.join(bin, "c++"))
        write(os.path.join(bin, "ccache"), '#!/bin/sh\nexec "$@"\n', executable=True)
        path = bin + ":" + os.environ["PATH"]
        for words, clang in [("gcc", False), ("g++-12", False), ("arm-linux-gnueabihf-gcc", False), ("clang-14", True),
                             ("clang++", True), ("cc", True), ("c++", False), ("tcc", False), ("ccache clang++", True),
                             ("ccache gcc", False), (bin + "/cc", True), ("ccache " + bin + "/cc", True)]:
            project.quiet(*words.split(), "-c", "a.c", env={"PATH": path})
            text = read(os.path.join(project.outer, "argv")).decode()
            true("-finstrument-functions\n" in text, words)
            equal("exclude-file-list" not in text, clang, words)
            true(text.endswith("-c\na.c\n"), text)
        masquerade = os.path.join(project.outer, "masquerade")
        os.mkdir(masquerade)
        os.symlink(os.path.join(bin, "ccache"), os.path.join(masquerade, "cc"))
        write(os.path.join(bin, "ccache"), '#!/bin/sh\nprintf "%%s\\n" "$@" >%s/argv\n' % project.outer, executable=True)
        project.quiet("cc", "-c", "a.c", env={"PATH": masquerade + ":" + path})
        text = read(os.path.join(project.outer, "argv")).decode()
        true("-finstrument-functions\n" in text and "exclude-file-list" not in text, text)


@test
def options_that_would_not_fit():
    count = 540
    name = "a_rather_long_name_" * 12 + "of_a_header_%04d.h"
    files = {"inc/" + name % i: "static int f%04d (void) { return 1; }\n" % i for i in range(count)}
    files["u.c"] = "".join('#include "%s"\n' % (name % i) for i in range(count)) + \
        "int unit (void) { return %s; }\n" % " + ".join("f%04d ()" % i for i in range(count))
    # Those that define functions, as far as the selection knows, are listed first.
    chosen = {"inc/" + name % i: ("-", "-f%04d" % i) if i % 2 else "-" for i in range(count)}
    chosen["u.c"] = ("+", "+unit")
    with Project(files, chosen) as project:
        found = project.hooks("gcc", "-Iinc", "-c", "u.c")
        true("unit" in found, "unit")
        true(len(found) < count / 2, "%d carry hooks" % len(found))
        equal([f for f in found if f != "unit" and int(f[1:]) % 2], [], "known functions with hooks")
        project.select({path: ("-", "-x") if path != "u.c" else ("+", "+unit") for path in chosen})
        result = project.launch("gcc", "-Iinc", "-c", "u.c")
        equal(len(result.stderr.splitlines()), 1, result.stderr[-500:])
        true("callsight-cc: u.c: " in result.stderr and "aren't chosen" in result.stderr, result.stderr)


if __name__ == "__main__":
    main()
