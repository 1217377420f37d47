# SPDX-License-Identifier: MIT
"""flags: what a compiler hooks with the options is what is chosen; read from the objects."""

import json
import os
import random
import re
import shlex
import shutil
import stat

import hooked
import tap
from tap import Folder, Skip, equal, main, test, true

LONG = 120 * 1024


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(program + " is not installed")


def write(folder, files):
    for path, text in files.items():
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)


def flags(cwd, config, sources, *arguments, check=0, env=None):
    """The options as words, and what standard error says."""
    write(cwd, {"trace.config": config} if config is not None else {})
    result = tap.run(tap.CLI, "flags", "--format", "raw", *arguments, "--", *sources, cwd=cwd, check=check, env=env)
    true("CRITICAL" not in result.stderr and "WARNING" not in result.stderr, result.stderr)
    if check:
        equal(result.stdout, "", "standard output of a failure")
    return shlex.split(result.stdout), result.stderr


def compile_units(cwd, sources, words, options=(), compiler="gcc"):
    """{source: set of the functions that carry hooks}."""
    found = {}
    with Folder() as objects:
        for number, source in enumerate(sources):
            path = os.path.join(objects, "%d.o" % number)
            cc = compiler.replace("gcc", "g++") if not source.endswith(".c") else compiler
            tap.run(cc, "-O0", *options, *words, "-c", source, "-o", path, cwd=cwd, check=0)
            found[source] = set(hooked.functions(path))
    return found


def hooks(cwd, config, sources, options=(), arguments=(), warned=()):
    """All functions with hooks, over units that are compiled with the options of all of them."""
    words, told = flags(cwd, config, sources, "--compiler", "gcc", *arguments)
    for word in warned:
        true(word in told, "%r is not in %r" % (word, told))
    if not warned:
        equal(told, "", "warnings")
    found = compile_units(cwd, sources, words, options)
    return set().union(*found.values()), words


NET = {
    "src/net/parse.c": '#include "n.h"\n#include "../util.h"\n#include <api.h>\n#include <top.h>\n#include "net/deep/d.h"\n'
                       "static int hidden (void) { return in_n () + in_util () + in_api () + in_top () + in_d (); }\n"
                       "int parse (void) { return hidden (); }\n",
    "src/net/n.h": "static inline int in_n (void) { return 1; }\n",
    "src/net/deep/d.h": '#include "../../other/o.h"\nstatic inline int in_d (void) { return in_o (); }\n',
    "src/other/o.h": "static inline int in_o (void) { return 1; }\n",
    "src/other/rest.c": '#include "o.h"\n#include "../net/n.h"\nint rest (void) { return in_o () + in_n (); }\n',
    "src/util.h": "static inline int in_util (void) { return 1; }\n",
    "include/api.h": "static inline int in_api (void) { return 1; }\n",
    "top.h": "static inline int in_top (void) { return 1; }\n",
    "main.c": '#include "top.h"\n#include "src/net/n.h"\nint main (void) { return in_top () + in_n (); }\n',
}
NET_CHOSEN = {"hidden", "parse", "in_n", "in_d"}


@test
def a_folder_is_hooked_and_nothing_else_however_files_are_spelled():
    need("gcc")
    with Folder() as folder:
        write(folder, NET)
        write(folder, {"trace.config": "include src/net/\n", "build/x": ""})
        config = os.path.join(folder, "trace.config")
        for cwd, prefix, options in (
                ("", "", ["-Isrc", "-Iinclude", "-I."]),
                ("", "./", ["-Isrc/", "-I./include", "-I."]),
                ("", folder + "/", ["-I" + folder + "/src", "-I" + folder + "/include", "-I" + folder]),
                ("build", "../", ["-I../src", "-I../include", "-I.."]),
                ("src", "../", ["-I.", "-I../include", "-I.."]),
                ("src", "../src/../", ["-I../src", "-I../include", "-I../"]),
                ("", "../%s/" % os.path.basename(folder), ["-I../%s/src" % os.path.basename(folder), "-Iinclude", "-I."])):
            sources = [prefix + path for path in ("src/net/parse.c", "src/other/rest.c", "main.c")]
            found, _words = hooks(os.path.join(folder, cwd), None, sources, options, ["--config", config])
            equal(found, NET_CHOSEN, "in %r with %r" % (cwd, prefix))
        # Beside the file nothing stands in front of a name.
        found, _words = hooks(os.path.join(folder, "src", "net"), None, ["parse.c"], ["-I..", "-I../../include", "-I../.."],
                              ["--config", config])
        equal(found, NET_CHOSEN, "beside the file")
        found, _words = hooks(os.path.join(folder, "src", "other"), None, ["rest.c"], [], ["--config", config])
        equal(found, {"in_n"}, "beside a file that isn't chosen")
        found, _words = hooks(folder, None, ["main.c"], [], ["--config", config])
        equal(found, {"in_n"}, "beside a file in the root")


def leaf(*names):
    return "".join("int %s (void) { return 1; }\n" % name for name in names)


@test
def a_file_whose_path_is_part_of_a_chosen_one_is_left_out_by_function():
    need("gcc", "g++")
    with Folder() as folder:
        write(folder, {"src/a.c": leaf("a_one", "a_two"), "src/a.cpp": leaf("cpp"), "lib/src/a.c": leaf("lib_one"),
                       "src/b.c": leaf("b_one")})
        sources = ["src/a.c", "src/a.cpp", "lib/src/a.c", "src/b.c"]
        found, words = hooks(folder, "exclude /%s/src/a.c\n" % folder.strip("/"), sources)
        true("a_one" in words[2].split("=")[1].split(","), words)
        equal(found, {"cpp", "lib_one", "b_one"}, "all but one file")
        # The other way round nothing is in the way.
        found, _words = hooks(folder, "include /%s/src/a.c\n" % folder.strip("/"), sources)
        equal(found, {"a_one", "a_two"}, "one file alone")
        # A name that something chosen has can't be left out either: rather a hook too many.
        write(folder, {"src/a.c": leaf("a_one", "lib")})
        found, _words = hooks(folder, "exclude /%s/src/a.c\n" % folder.strip("/"), sources, warned=["lib", "lib_one", "src/a.c"])
        equal(found, {"cpp", "lib_one", "b_one", "lib"}, "with a name in the way")


@test
def a_header_is_left_out_by_as_much_of_its_path_as_it_takes():
    need("gcc")
    files = {"src/util.h": "static inline int in_src (void) { return 1; }\n",
             "net/util.h": "static inline int in_net (void) { return 1; }\n",
             "main.c": '#include "src/util.h"\n#include "net/util.h"\nint main (void) { return in_src () + in_net (); }\n',
             "myutil.h": ""}
    with Folder() as folder:
        write(folder, files)
        found, words = hooks(folder, "exclude src/util.h\n", ["main.c"])
        equal(found, {"in_net", "main"}, "one of two")
        equal(len(words), 2, "no list of functions: %r" % words)
        # Where a file goes up to it, its folder isn't in its path: its functions' names are.
        write(folder, {"src/deep/x.c": '#include "../util.h"\nint x (void) { return in_src (); }\n'})
        found, words = hooks(folder, "exclude src/util.h\n", ["main.c", "src/deep/x.c"])
        equal(found, {"in_net", "main", "x"}, "one of two, reached through ..")
        true(words[2].endswith("=in_src"), words)


@test
def a_long_line_with_dots_is_read_once():
    """Asked of each "../" where its line begins, a scan of this line would take hours."""
    with Folder() as folder:
        write(folder, {"a/x.h": "static inline int in_a (void) { return 1; }\n",
                       "b/x.h": "static inline int in_b (void) { return 1; }\n",
                       "main.c": '#include "a/x.h"\nint main (void) { return in_a (); }\n',
                       "table.c": 'const char *text = "%s";\n  #  include "../b/x.h" // ../../\n' % ("../" * 1000000)})
        words, told = flags(folder, "include a/\ninclude main.c\n", ["main.c"], "--compiler", "gcc")
        true("b/x.h" in words[1].split(","), "%r %s" % (words, told))
        equal(told, "", "warnings")


@test
def functions_of_a_partly_chosen_file_are_left_out_by_name():
    need("gcc")
    with Folder() as folder:
        write(folder, {"a.c": "int push_all (void);\nstatic int helper (void) { return 1; }\n"
                              "int push (void) { return helper (); }\nint pop (void) { return push () + push_all (); }\n"
                              "int idle (void) { return 1; }\n",
                       "b.c": "int push (void);\nint push_all (void) { return push (); }\n"
                              "int lonely (void) { return 1; }\n"})
        found, words = hooks(folder, "include-func pop\n", ["a.c", "b.c"])
        equal(found, {"push", "push_all", "helper", "pop"}, "a subtree")
        equal(sorted(words[2].split("=")[1].split(",")), ["idle", "lonely"], "the list")
        found, _words = hooks(folder, "include-func push_all 0\n", ["a.c", "b.c"])
        equal(found, {"push_all"}, "one function; the other file isn't listed by name")
        # push can't be left out without push_all.
        found, _words = hooks(folder, "include-func push_all 0\ninclude-func idle 0\n", ["a.c", "b.c"],
                              warned=["push", "push_all"])
        equal(found, {"push_all", "push", "idle"}, "a name that is part of a chosen one")


@test
def an_exclude_func_rule_is_passed_on_as_it_is():
    need("gcc")
    with Folder() as folder:
        write(folder, {"a.c": leaf("log", "dialog", "log_open", "other")})
        found, words = hooks(folder, "exclude-func log\n", ["a.c"])
        equal(found, {"other"}, "what contains it")
        equal(words[2], "-finstrument-functions-exclude-function-list=log", "the list")


STRANGE = ["plain.c", "with space.c", "comma,name.c", "ümläut.c", "dollar$x.c", "hash#x.c", "quote's.c", 'double".c',
           "semi;colon.c", "par(en).c", "tick`.c", "a&b.c", "star*.c", "back\\slash.c"]


@test
def names_of_every_kind_are_matched():
    need("gcc")
    with Folder() as folder:
        write(folder, {name: leaf("f%d" % number) for number, name in enumerate(STRANGE)})
        write(folder, {"sub dir, é/x.c": leaf("x"), "chosen.c": leaf("chosen")})
        sources = STRANGE + ["sub dir, é/x.c", "chosen.c"]
        found, _words = hooks(folder, "include chosen.c\n", sources)
        equal(found, {"chosen"}, "all others left out")


@test
def make_gets_a_line_that_it_can_read():
    need("gcc", "make")
    names = [name for name in STRANGE if not any(c in name for c in " \\")]
    with Folder() as folder:
        write(folder, {name: leaf("f%d" % number) for number, name in enumerate(names)})
        write(folder, {"chosen.c": leaf("chosen"), "trace.config": "include chosen.c\n", "sub $#, dir/x.c": leaf("x")})
        sources = names + ["sub $#, dir/x.c", "chosen.c"]
        lines = ["CFLAGS_SYMBOLS = -g -DX=1", "LIST = %s" % shlex.quote("list")]
        lines.append("$(eval $(shell '%s' flags --config trace.config --format make --compiler gcc -- `cat list`))" % tap.CLI)
        write(folder, {"flags.sh": "eval set -- $(cat list)\nexec '%s' flags --config trace.config --compiler gcc -- \"$@\"\n"
                                   % tap.CLI,
                       "list": " ".join(shlex.quote(source) for source in sources),
                       "compile.sh": 'eval set -- "$1" "$(cat list)"\nfor w in "$@"; do printf "%s\\0" "$w"; done >words\n',
                       "Makefile": "CFLAGS_SYMBOLS = -g -DX=1\n$(eval $(shell sh flags.sh))\nall:\n"
                                   "\t@for w in $(CFLAGS_INSTRUMENT); do echo \"$$w\"; done >words\n"})
        tap.run("make", cwd=folder, check=0)
        with open(os.path.join(folder, "words"), encoding="utf-8") as file:
            words = file.read().splitlines()
        equal(words[:3], ["-g", "-DX=1", "-finstrument-functions"], "the first words")
        found = compile_units(folder, sources, words)
        equal(set().union(*found.values()), {"chosen"}, "hooks")


CPP = """
namespace ns {
template <class T> struct Ring { void push (T) {} void pop (); struct Inner { void turn () {} }; };
template <class T> void Ring<T>::pop () {}
struct Plain { Plain () {} ~Plain () {} void go (); Plain &operator+ (int) { return *this; } void operator() (int) {} };
void Plain::go () {}
template <class T> void generic (T) {}
void go_on () {}
}
namespace { void hidden () {} struct Unnamed { void act () {} }; }
extern "C" void plain_c () {}
void last () { ns::Ring<int> r; r.push (1); r.pop (); ns::Ring<int>::Inner ().turn (); ns::Plain p; p.go (); p + 1; p (2);
               ns::generic (1); ns::generic ("x"); ns::go_on (); hidden (); Unnamed ().act (); plain_c (); }
"""
CPP_ALL = {"ns::Ring<>::push", "ns::Ring<>::pop", "ns::Ring<>::Inner::turn", "ns::Plain::Plain", "ns::Plain::~Plain",
           "ns::Plain::go", "ns::Plain::operator+", "ns::Plain::operator()", "ns::generic", "ns::go_on",
           "{anonymous}::hidden", "{anonymous}::Unnamed::act", "plain_c", "last"}


@test
def cplusplus_functions_are_left_out_one_by_one():
    need("g++")
    with Folder() as folder:
        write(folder, {"a.cpp": CPP, "b.cpp": "int unrelated () { return 1; }\n"})
        found, _words = hooks(folder, "", ["a.cpp", "b.cpp"])
        equal(found, CPP_ALL | {"unrelated"}, "everything")
        for names in (["last"], ["pop", "last"], ["Ring::push"], ["ns::Plain::go"], ["ns::generic"], ["Plain::operator+"],
                      ["operator()", "turn"], ["hidden"], ["{anonymous}::Unnamed::act", "plain_c"], ["~Plain"]):
            config = "".join("include-func %s 0\n" % name for name in names)
            chosen = {one for one in CPP_ALL for name in names
                      if one.replace("<>", "") == name or one.replace("<>", "").endswith("::" + name)}
            equal(len(chosen), len(names), "the test's own choice")
            words, told = flags(folder, config, ["a.cpp", "b.cpp"], "--compiler", "gcc")
            found = set().union(*compile_units(folder, ["a.cpp", "b.cpp"], words).values())
            true(chosen <= found, "%r: %r is missing" % (names, chosen - found))
            # What is hooked without being chosen has been told.
            for name in found - chosen:
                true(name.replace("<>", "") + " isn't chosen, but is hooked" in told, "%r: %r: %s" % (names, name, told))


OPERATORS = """
namespace n { struct Far { int far; }; }
struct S {
  typedef int (*Function) (int);
  enum Kind { one };
  operator Function () { return 0; }
  operator Kind () { return one; }
  operator unsigned () { return 1; }
  operator unsigned long long () { return 1; }
  operator char const * () { return 0; }
  operator n::Far () { return n::Far (); }
  operator bool () { return true; }
  void *operator new (unsigned long n) { return __builtin_malloc (n); }
  void *operator new[] (unsigned long n) { return __builtin_malloc (n); }
  void operator delete [] (void *p) { __builtin_free (p); }
};
template <class T> struct Box { operator T () { return T (); } operator T * () { return 0; } };
int größe () { return 1; }
int höhe () { return 1; }
int use () { S *s = new S, *a = new S[2]; Box<long> box; long l = box; long *p = box; n::Far far = *s; delete[] a;
             return (bool) *s + (int) (unsigned) *s + (int) (unsigned long long) *s + ((const char *) *s != 0) + far.far +
                    ((S::Function) *s != 0) + (S::Kind) *s + (int) l + (p != 0) + größe () + höhe (); }
"""


@test
def operators_whose_names_gcc_spells_in_its_own_way_are_left_out():
    need("g++")
    with Folder() as folder:
        write(folder, {"a.cpp": OPERATORS})
        everything, _words = hooks(folder, "", ["a.cpp"])
        equal(len(everything), 15, "functions: %r" % everything)
        for name in ("use", "größe", "Box::operator T"):
            words, told = flags(folder, "include-func %s 0\n" % ('"%s"' % name), ["a.cpp"], "--compiler", "gcc")
            found = compile_units(folder, ["a.cpp"], words)["a.cpp"]
            if name.startswith("Box"):
                true({one for one in found if not one.startswith("Box")} == set(), "%r: %s" % (found, told))
                equal(len(found), 2, "the other conversion of the class, too")
                true("Box::operator T* isn't chosen, but is hooked" in told, told)
            else:
                equal(({name if name in one else one for one in found}, told), ({name}, ""), name)
        array = {one for one in everything if "new[]" in one or "new []" in one}
        equal(len(array), 1, "operator new[]")
        for rule in ("S::operator new[]", '"S::operator new []"'):
            equal(hooks(folder, "exclude-func %s\n" % rule, ["a.cpp"])[0], everything - array, rule)
        # Where the rest of a name isn't known, what is chosen keeps its hooks.
        words, told = flags(folder, 'include-func "S::operator new []" 0\n', ["a.cpp"], "--compiler", "gcc")
        found = compile_units(folder, ["a.cpp"], words)["a.cpp"]
        true(array <= found, "chosen: %r" % found)
        for kind in ("unsigned", "unsigned long long", "char const*", "n::Far", "Kind", "Function"):
            true("S::operator %s isn't chosen, but" % kind in told, told)
        equal({one for one in found if not one.startswith("S::operator ")}, set(), "others")


@test
def what_the_compiler_adds_to_classes_carries_no_hooks():
    need("g++")
    source = ("#include <string>\n"
              "struct Plain { std::string text; };\n"
              "template <class T> struct Box { T text; };\n"
              "namespace net { struct Base { virtual ~Base () = default; std::string s; }; "
              "struct Mine { Mine (); std::string s; }; }\n"
              "net::Mine::Mine () : s (\"x\") { }\n"
              "std::string global (\"made before main\");\n"
              "int other () { net::Base base; return base.s.size (); }\n"
              "int wanted () { Plain a; Plain b = a; b = a; Box<std::string> c, d = c; net::Mine mine, copy (mine); "
              "net::Base base; return a.text.size () + mine.s.size () + d.text.size () + global.size (); }\n")
    with Folder() as cwd:
        write(cwd, {"a.cpp": source})
        names, _words = hooks(cwd, "include-func wanted 0\n", ["a.cpp"])
        equal(names, {"wanted"}, "the only function")
        names, _words = hooks(cwd, "include-func wanted 0\ninclude-func net::Mine::Mine 0\n", ["a.cpp"])
        equal(names, {"wanted", "net::Mine::Mine"}, "with a constructor, which has the name of the one that copies")
        names, _words = hooks(cwd, "include a.cpp\n", ["a.cpp"])
        true({"Plain::Plain", "net::Base::~Base", "Box<>::Box"} <= names, "of a chosen file they are hooked: %r" % names)


@test
def lambdas_of_variables_are_left_out_and_those_of_chosen_functions_are_not():
    source = ("struct Wrap { static inline auto member = [] (int x) { return x + 1; }; int m = [] { return 3; } (); };\n"
              "namespace ns { static auto inner = [] (int x) { return x; };\n"
              "int idle () { auto local = [] (int x) { return x; }; return local (1); }\n"
              "int wanted () { Wrap w; auto local = [] (int x) { return x; }; return inner (1) + Wrap::member (2) + local (3) + w.m; } }\n")
    with Folder() as cwd:
        write(cwd, {"a.cpp": source})
        everything, _words = hooks(cwd, "", ["a.cpp"], ["-std=c++17"])
        true({"ns::inner::{lambda", "Wrap::{lambda", "ns::idle"} <= everything, "%r" % everything)
        words, told = flags(cwd, "include-func wanted 0\n", ["a.cpp"], "--compiler", "gcc")
        equal((compile_units(cwd, ["a.cpp"], words, ["-std=c++17"])["a.cpp"], told), ({"ns::wanted"}, ""), "hooks")
        code = tap.run("g++", "-std=c++17", "-O0", *words, "-S", "a.cpp", "-o", "-", cwd=cwd, check=0).stdout
        equal(len(re.findall(r"call\s+__cyg_profile_func_enter", code)), 2, "the function and its lambda")


@test
def the_standard_library_carries_no_hooks():
    need("g++")
    with Folder() as folder:
        write(folder, {"a.cpp": "#include <vector>\n#include <string>\n#include <map>\n"
                                "int use () { std::vector<std::string> v; v.push_back (\"x\"); std::map<int, int> m; m[1] = 2; "
                                "return (int) v.size (); }\n"})
        found, _words = hooks(folder, "", ["a.cpp"])
        equal(found, {"use"}, "hooks")


@test
def a_link_to_a_folder_outside_is_left_out_and_one_to_a_folder_inside_is_not():
    need("gcc")
    with Folder() as outside, Folder() as folder:
        write(outside, {"far.h": "__attribute__ ((used)) static int in_far (void) { return 1; }\n"})
        write(folder, {"src/near.h": "__attribute__ ((used)) static int in_near (void) { return 1; }\n",
                       "src/a.c": '#include "near.h"\n#include "far/far.h"\nint f (void) { return 1; }\n',
                       "src/b.c": '#include "again/near.h"\nint g (void) { return 1; }\n'})
        os.symlink(outside, os.path.join(folder, "far"))
        os.symlink("src", os.path.join(folder, "again"))
        os.symlink(".", os.path.join(folder, "self"))
        found, words = hooks(folder, "include src/\n", ["src/a.c", "src/b.c"], ["-I."])
        equal(found, {"f", "g", "in_near"}, "hooks with %r" % words)


@test
def an_absolute_rule_opens_no_more_of_the_system_than_it_names():
    cases = {"/usr/src/project/": {"/usr/include/", "/usr/local/include/", "/usr/lib/", "/opt/"},
             "/usr/include/mine": {"/usr/local/include/", "/usr/lib/", "/opt/"},
             "/usr/*/mine": {"/opt/"}, "/usr": {"/opt/"}, "/opt/mine/**": {"/usr/"}, "/home/me/**": {"/usr/", "/opt/"}}
    with Folder() as folder:
        write(folder, {"a.c": leaf("f")})
        for rule, wanted in cases.items():
            words, _told = flags(folder, "include %s\ninclude a.c\n" % rule, ["a.c"], "--compiler", "gcc")
            left_out = words[1].split("=")[1].split(",") if len(words) > 1 else []
            equal({entry for entry in left_out if entry.startswith(("/usr/", "/opt/"))}, wanted, rule)


FOLDERS = ["", "src", "lib/src", "src/net", "net", "src/a.c.d", "mysrc"]
NAMES = ["a.c", "ba.c", "a.cpp", "aa.c", "util.h", "myutil.h", "a.h", "util.hpp", "x,y.c", "a.c.c"]


class RandomProject:
    """Files whose paths and functions are parts of each other; units include headers in one of several ways."""

    def __init__(self, rand):
        paths = [os.path.join(folder, name) for folder in FOLDERS for name in NAMES]
        self.paths = rand.sample(paths, rand.randint(4, 14))
        headers = [path for path in self.paths if path.split(".")[-1].startswith("h")]
        self.units = [path for path in self.paths if path not in headers]
        self.functions, self.files, self.includes, number = {}, {}, {}, 0
        numbers = rand.sample(range(1, 130), 2 * len(self.paths))
        for path in self.paths:
            names = ["f%d" % numbers[number + at] for at in range(2)]
            number += 2
            text = "".join("__attribute__ ((used)) static int %s (void) { return 1; }\n" % name for name in names)
            self.includes[path] = []
            if path in self.units:
                for header in rand.sample(headers, min(len(headers), rand.randint(0, 3))):
                    beside = os.path.relpath(header, os.path.dirname(path) or ".")
                    text = "#include %s\n" % rand.choice(['"%s"' % beside, "<%s>" % header]) + text
                    self.includes[path].append(header)
            else:
                text = "#pragma once\n" + text
            self.functions[path] = names
            self.files[path] = text

    def config(self, rand):
        """Rules of every kind."""
        lines = []
        for _ in range(rand.randint(1, 3)):
            path = rand.choice(self.paths)
            name = rand.choice(self.functions[path])
            lines.append(rand.choice(["include " + path, "exclude " + path, "include-func %s 0" % name, "exclude-func " + name,
                                      "include " + (os.path.dirname(path) or path), "exclude " + os.path.basename(path)]))
        return "\n".join(lines) + "\n"


@test
def of_random_projects_what_is_chosen_is_hooked_and_what_else_is_told():
    need("gcc", "g++")
    told_of = 0
    for seed in (2, 5, 8, 20, 38, 45, 55, 85):
        rand = random.Random(seed)
        project = RandomProject(rand)
        with Folder() as folder:
            write(folder, project.files)
            config = project.config(rand)
            if not project.units:
                continue
            words, told = flags(folder, config, project.units, "--compiler", "gcc")
            data = json.loads(tap.run(tap.CLI, "scan", folder, "--list", "--format", "json", check=0).stdout)
            chosen = {file["path"]: {one["name"] for one in file["names"]} for file in data["files"]}
            found = compile_units(folder, project.units, words, ["-I.", "-w"])
            where = "seed %d: %s %r" % (seed, config, words)
            for unit, hooked_names in found.items():
                seen = [unit] + project.includes[unit]
                wanted = set().union(*(chosen[path] for path in seen))
                true(wanted <= hooked_names, "%s: %s: %s isn't hooked" % (where, unit, wanted - hooked_names))
                for name in hooked_names - wanted:
                    path = next(path for path in seen if name in project.functions[path])
                    told_of += 1
                    true("%s: %s isn't chosen, but is hooked" % (path, name) in told or
                         "%s isn't chosen, but is hooked" % path in told, "%s: %s: %s: %s" % (where, unit, name, told))
    true(told_of > 0, "no project has a name that is in the way")


@test
def clang_is_given_everything_or_refused():
    with Folder() as folder:
        write(folder, {"a.c": leaf("a"), "b.c": leaf("b")})
        words, _told = flags(folder, "", ["a.c", "b.c"], "--compiler", "clang")
        equal(words, ["-finstrument-functions"], "everything")
        words, _told = flags(folder, "", ["a.c", "b.c"], "--compiler", "clang", "--after-inlining")
        equal(words, ["-finstrument-functions-after-inlining"], "after inlining")
        words, _told = flags(folder, "include b.c\n", ["a.c"], "--compiler", "clang")
        equal(words, [], "nothing")
        words, _told = flags(folder, "include b.c\n", ["b.c"], "--compiler", "clang")
        equal(words, ["-finstrument-functions"], "all that is given")
        for config in ("exclude a.c\n", "exclude-func a\n", "include-func a\n"):
            for more in ([], ["--widen"]):
                _words, told = flags(folder, config, ["a.c", "b.c"], "--compiler", "clang", *more, check=2)
                true("clang" in told and "15627" in told and "callsight-cc" in told, told)
                equal(told.count("\n"), 1, "lines")
        _words, told = flags(folder, "", ["a.c"], "--compiler", "gcc", "--after-inlining", check=2)
        true("--after-inlining" in told and "clang" in told, told)
        if shutil.which("clang"):
            found = compile_units(folder, ["a.c", "b.c"], ["-finstrument-functions"], compiler="clang")
            equal(found, {"a.c": {"a"}, "b.c": {"b"}}, "hooks of clang")


def script(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


@test
def the_compiler_is_detected():
    with Folder() as folder, Folder() as bin_folder:
        write(folder, {"a.c": leaf("a"), "trace.config": ""})
        asked = os.path.join(bin_folder, "asked")
        for name in ("gcc", "clang-14", "x86_64-linux-gnu-gcc-12", "aarch64-linux-gnu-clang", "clang++"):
            script(bin_folder, name, "echo asked >>'%s'; exit 1\n" % asked)
        script(bin_folder, "vendor-cc", "echo \"Vendor clang version 17\"; echo asked >>'%s'\n" % asked)
        script(bin_folder, "other-cc", "echo \"other 1.0\"\n")
        script(bin_folder, "broken-cc", "exit 3\n")
        script(bin_folder, "ccache", "exec \"$@\"\n")
        os.mkdir(os.path.join(bin_folder, "links"))
        for link, target in (("cc", "../clang-14"), ("c99", "../gcc"), ("masked", "../ccache")):
            os.symlink(target, os.path.join(bin_folder, "links", link))
        env = {"PATH": bin_folder + ":" + os.path.join(bin_folder, "links") + ":" + os.environ["PATH"]}

        def is_clang(command, env=env, *arguments):
            # With --after-inlining gcc is refused.
            more = ["--compiler-cmd", command] if command is not None else []
            result = tap.run(tap.CLI, "flags", "--after-inlining", *more, *arguments, "--", "a.c", cwd=folder, env=env)
            true(result.returncode in (0, 2), result.stderr)
            return result.returncode == 0

        for command, clang in (("gcc", False), ("clang-14", True), ("x86_64-linux-gnu-gcc-12 -m32", False),
                               ("aarch64-linux-gnu-clang", True), ("clang++", True), ("cc", True), ("c99", False),
                               ("ccache clang-14", True), ("ccache gcc", False), ("env X=1 ccache clang-14", True),
                               ("callsight-cc clang-14", True), (os.path.join(bin_folder, "links", "cc"), True),
                               ("other-cc", False), ("broken-cc", False), ("no-such-compiler", False)):
            equal(is_clang(command), clang, command)
        true(not os.path.exists(asked), "a compiler whose name says what it is was started")
        true(is_clang("vendor-cc"), "vendor-cc")
        equal(open(asked, encoding="utf-8").read(), "asked\n", "asked once")
        true(is_clang(None, dict(env, CC="clang-14")), "CC")
        true(not is_clang(None, dict(env, CC="gcc")), "CC")
        true(not is_clang("clang-14", env, "--compiler", "gcc"), "--compiler wins")


@test
def too_many_options_are_refused():
    with Folder() as folder:
        sources = ["src/%s_%04d.c" % ("long_name" * 4, number) for number in range(4000)]
        os.mkdir(os.path.join(folder, "src"))
        for source in sources:
            open(os.path.join(folder, source), "w", encoding="utf-8").close()
        _words, told = flags(folder, "include src/%s_0001.c\n" % ("long_name" * 4), sources, check=2)
        true("callsight-cc" in told and "120 KiB" in told, told)
        words, _told = flags(folder, "include *_0*.c\n", sources[:2500])
        true(sum(map(len, words)) < LONG, "as long as allowed")


@test
def errors_are_one_sentence_and_exit_2():
    with Folder() as folder:
        write(folder, {"a.c": leaf("alpha", "beta")})
        for config, arguments, words in (
                ("inclde a.c\n", [], ["trace.config:1", "inclde"]),
                ("# x\n\ninclude-func alpah\n", [], ["trace.config:3", "include-func", "alpah", "alpha"]),
                ("include-func nothing_like_it\n", [], ["trace.config:1", "nothing_like_it"]),
                ("counter cycles\ncounter-func betta\n", ["--scan", "."], None),
                ("", ["--format", "xml"], ["--format", "xml", "make", "raw"]),
                ("", ["--compiler-cmd", "'gcc"], ["--compiler-cmd", "'gcc"]),
                ("", ["--compiler", "icc"], ["--compiler", "icc", "gcc"]),
                ("", ["--config", "none.config"], ["none.config", "init"]),
                ("", ["--scan", "nowhere"], ["nowhere", "no such folder"]),
                ("", ["--no-such-option"], ["--no-such-option"])):
            if words is None:
                flags(folder, config, ["a.c"], *arguments)
                continue
            _words, told = flags(folder, config, ["a.c"], *arguments, check=2)
            equal(told.count("\n"), 1, told)
            for word in words + ["callsight-cli: "]:
                true(word in told, "%r: %r" % (word, told))
        _words, told = flags(folder, "", [], check=2)
        true("no sources" in told, told)


@test
def what_was_done_is_told_when_asked_for():
    with Folder() as folder:
        write(folder, {"a.c": leaf("a"), "b.c": leaf("b"), "c.c": leaf("c", "d")})
        _words, told = flags(folder, "exclude b.c\ninclude src/nett/\ninclude a.c\n", ["a.c", "b.c"], "--print")
        for line in ("config: trace.config", "sources: 2 total, 1 instrumented, 1 excluded", "  excluded: b.c",
                     "! trace.config:2: include src/nett/: matches no file"):
            true(line in told.splitlines(), told)
        _words, told = flags(folder, "include-func c\n", ["a.c", "c.c"], "--print")
        true("  of 1 only some functions" in told.splitlines(), told)
        # A file that is made later is chosen by its path.
        words, _told = flags(folder, "include gen/\n", ["gen/made.c", "a.c"])
        equal([entry for entry in words[1].split("=")[1].split(",") if "/" not in entry], ["a.c"], "not there yet")


if __name__ == "__main__":
    main()
