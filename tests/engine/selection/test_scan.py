#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions of a source tree: both scans against what the compiler says, the cache, and programs that are no ctags."""

import os
import random
import re
import shutil
import stat
import sys
import time

import dwarf
import tap
from tap import Folder, Skip, equal, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "selection", "list-functions")
HERE = os.path.dirname(os.path.abspath(__file__))
SCANNED = os.path.join(HERE, "scanned")
LAB = os.path.join(tap.TOP, "tests", "workloads", "lab")
SCANS = {"ctags": [], "built-in": ["--built-in"]}


class Scan:
    """What list-functions prints."""

    def __init__(self, folder, *options, env=None):
        result = tap.run(TOOL, *options, folder, env=env, check=0)
        self.warnings, self.functions, self.progress = [], [], []
        for line in result.stdout.split("\n"):
            fields = line.split("\t")
            if fields[0] == "scanner":
                self.scanner = fields[1]
            elif fields[0] == "warning":
                self.warnings.append(unescaped(fields[1]))
            elif len(fields) == 6:
                self.functions.append((unescaped(fields[0]), unescaped(fields[1]), int(fields[3]), int(fields[4]),
                                       fields[5], unescaped(fields[2])))
        self.progress = [tuple(map(int, line.split()[1:])) for line in result.stderr.splitlines()
                         if line.startswith("progress ")]

    def names(self):
        return {name for _, name, *_ in self.functions}

    def places(self):
        return {(name, path, line) for path, name, line, *_ in self.functions}


def unescaped(text):
    return re.sub(r"\\([0-7]{3}|.)", lambda m: chr(int(m[1], 8)) if len(m[1]) == 3
                  else {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def write(folder, name, text, old=True):
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    if old:
        os.utime(path, (1700000000, 1700000000))
    return path


def need_ctags():
    found = tap.run(TOOL, "--find")
    if found.returncode != 0:
        raise Skip("there is no Universal Ctags: " + found.stderr.strip())
    return found.stdout.strip().split("\t")


def compiled(folder, root, source, *options):
    output = os.path.join(folder, "out.o")
    compiler = "gcc" if source.endswith(".c") else "g++"
    if shutil.which(compiler) is None or shutil.which("readelf") is None:
        raise Skip("there is no %s or readelf" % compiler)
    tap.run(compiler, "-gdwarf-5", "-O0", "-w", "-fkeep-inline-functions", "-c", source, "-o", output, *options,
            cwd=root, check=0)
    root = os.path.realpath(root) + "/"
    return {(name, path[len(root):], line) for name, path, line in dwarf.functions(output) if path.startswith(root)}


# What only the preprocessor knows: a name on two lines, and one that is made.
UNKNOWN = {"continued_name", "call_made_of_macro"}
# What stands there and isn't compiled, or isn't called so.
NOT_COMPILED = {"twin_never", "other_header", "open_brace_never", "stdarg_never", "name", "CALL", "made_of_macro"}


def check_constructs(scan_name, source, standard):
    if scan_name == "ctags":
        need_ctags()
    with Folder() as folder:
        wanted = compiled(folder, SCANNED, source, standard)
    wanted = {(name.replace("char const*", "const char*"), path, line) for name, path, line in wanted}
    true(len(wanted) > 25, "the compiler says %d functions" % len(wanted))
    found = {place for place in Scan(SCANNED, *SCANS[scan_name]).places() if place[1] == source}
    equal({place for place in wanted - found if place[0] not in UNKNOWN}, set(), "not found")
    equal({place for place in found - wanted if place[0] not in NOT_COMPILED}, set(), "found, and no function")


@test
def constructs_of_C_by_ctags():
    check_constructs("ctags", "constructs.c", "-std=gnu11")


@test
def constructs_of_C_by_the_built_in_scan():
    check_constructs("built-in", "constructs.c", "-std=gnu11")


@test
def constructs_of_Cplusplus_by_ctags():
    check_constructs("ctags", "constructs.cpp", "-std=gnu++17")


@test
def constructs_of_Cplusplus_by_the_built_in_scan():
    check_constructs("built-in", "constructs.cpp", "-std=gnu++17")


@test
def the_lab_agrees_with_its_debug_information():
    need_ctags()
    units = [os.path.join(where, name) for where, _, names in os.walk(os.path.join(LAB, "src")) for name in names
             if name.endswith(".c")]
    wanted = set()
    with Folder() as folder:
        for unit in sorted(units):
            wanted |= compiled(folder, LAB, os.path.relpath(unit, LAB), "-Isrc")
    true(len(wanted) > 100, "the compiler says %d functions" % len(wanted))
    for name, options in SCANS.items():
        equal(wanted - Scan(LAB, *options).places(), set(), name)


@test
def ends_and_flags():
    source = """template <class T> struct Box
{
  void put (T t)
  {
  }
  template <class U> void other (U) { }
  static void in_class () { }
};
namespace { void hidden ()
{
} }
static void local ()
  {
  }
template <> void Box<int>::put (int) { }
template <class T> void free (T)
{

}
void
two_lines (int a,
           int b) { }
"""
    wanted = [("Box::put", 3, 5, "cT"), ("Box::other", 6, 6, "ctT"), ("Box::in_class", 7, 7, "cT"),
              ("{anonymous}::hidden", 9, 11, "sc"), ("local", 12, 14, "sc"), ("Box::put", 15, 15, "cT"),
              ("free", 16, 19, "ct"), ("two_lines", 21, 22, "c")]
    with Folder() as folder:
        write(folder, "a.cpp", source)
        for name, options in SCANS.items():
            if name == "ctags":
                need_ctags()
            scan = Scan(folder, *options)
            equal([f[1:5] for f in scan.functions], wanted, name)
            equal(re.sub(r", ?", ",", scan.functions[-1][5]), "(int a,int b)", name)


@test
def a_static_function_of_C_has_its_flag():
    with Folder() as folder:
        write(folder, "a.c", "static int f (void) { return 1; }\nint g (void) { return 2; }\n")
        write(folder, "a.h", "static inline int h (void) { return 3; }\n")
        for options in SCANS.values():
            equal([(f[1], f[4]) for f in Scan(folder, *options).functions], [("f", "s"), ("g", ""), ("h", "s")])


@test
def what_ctags_swallows_is_found():
    need_ctags()
    with Folder() as folder:
        path = write(folder, "a.c", "DEFINE_TYPE (Thing, thing)\n\nstatic void\nthing_init (Thing *t)\n{\n}\n\n"
                                    "int after (void) { return 1; }\nDEFINE_FUNCTION (made)\n{\n}\n")
        told = tap.run("ctags", "--options=NONE", "-x", "--kinds-C=f", path).stdout
        true("thing_init" not in told, "this ctags isn't misled: " + told)
        equal([f[1:4] for f in Scan(folder).functions],
              [("thing_init", 4, 6), ("after", 8, 8), ("DEFINE_FUNCTION", 9, 11)])


@test
def headers_are_of_the_language_that_they_look_like():
    plain = "int f (int class) { return class; }\n#ifdef __cplusplus\nnamespace x { int hidden () { return 1; } }\n#endif\n"
    with Folder() as folder:
        write(folder, "c/a.c", "int a (void) { return 1; }\n")
        write(folder, "c/plain.h", plain)
        write(folder, "c/plus.h", "// class in a comment\nclass C { int m () { return 1; } };\n")
        write(folder, "c/space.h", "namespace n { int f () { return 1; } }\n")
        write(folder, "both/a.cc", "int a () { return 1; }\n")
        write(folder, "both/s.h", "struct S { int m () { return 1; } };\n")
        for options in SCANS.values():
            found = {f[1]: f[4] for f in Scan(os.path.join(folder, "c"), *options).functions}
            found.pop("hidden", None)
            equal(found, {"a": "", "f": "", "C::m": "c", "n::f": "c"})
            equal({f[1]: f[4] for f in Scan(os.path.join(folder, "both"), *options).functions}, {"a": "c", "S::m": "c"})


ODD = ["with space.c", 'quo"te.c', "back\\slash.c", "new\nline.c", "tab\t.c", "-dash.c", "--options=x.c", "ä😀.c",
       b"latin\xe9.c", "|pipe.c", "$(touch evil).c", "d" * 200 + "/" + "e" * 200 + "/" + "f" * 200 + "/" + "g" * 200 +
       "/" + "h" * 200 + "/x.c"]


@test
def names_of_files_can_be_anything():
    with Folder() as folder:
        for number, name in enumerate(ODD):
            write(folder, name, "int f%d (void) { return 1; }\n" % number)
        for options in SCANS.values():
            scan = Scan(folder, *options)
            equal(scan.names(), {"f%d" % number for number in range(len(ODD))})
        equal([name for name in os.listdir(folder) if name in ("evil", "tags")], [])


@test
def names_may_have_letters_beyond_ASCII():
    text = ("namespace größe { struct Übung { int höhe () { return 1; } int e () { return 2; } }; int e () { return 3; } }\n"
            "int plain (void) { return 5; }\n")
    with Folder() as folder:
        write(folder, "a.cpp", text)
        write(folder, "b.c", "static int naïve_way (int x) { return x; }\nint é (void) { return 4; }\n")
        for options in SCANS.values():
            equal(sorted(name.encode("latin-1").decode() for name in Scan(folder, *options).names()),
                  sorted(["größe::Übung::höhe", "größe::Übung::e", "größe::e", "naïve_way", "é", "plain"]), repr(options))


@test
def both_scans_spell_operators_in_one_way():
    text = ("struct S { void *operator new[] (unsigned long); void operator delete [] (void *); int operator [] (int); };\n"
            "void *S::operator new  [] (unsigned long) { return 0; }\nvoid S::operator delete[] (void *) { }\n"
            "int S::operator [] (int) { return 1; }\n")
    with Folder() as folder:
        write(folder, "a.cpp", text)
        for options in SCANS.values():
            equal(Scan(folder, *options).names(), {"S::operator new[]", "S::operator delete[]", "S::operator[]"}, repr(options))


@test
def names_of_functions_need_not_be_UTF_8():
    with Folder() as folder:
        write(folder, "a.c", b"int f\xe9 (int \xe9) { return 1; }\nint g (void) { return 2; }\n")
        for options in SCANS.values():
            equal({f[2] for f in Scan(folder, *options).functions}, {1, 2})


@test
def options_of_the_project_are_not_read():
    need_ctags()
    with Folder() as folder:
        write(folder, "a.c", "/* -*- mode: python -*- */\nint f (void) { return 1; }\n"
              "#if 0\nint disabled (void) { return 1; }\n#endif\n")
        for name in (".ctags.d/x.ctags", "ctags.d/x.ctags", ".ctags"):
            write(folder, name, "--languages=C,Python\n--kinds-C=v\n--if0=yes\n")
        equal(Scan(folder, env={"CTAGS": "--languages=Python", "HOME": folder}).names(), {"f"})


@test
def an_empty_tree_and_empty_files():
    with Folder() as folder:
        for options in SCANS.values():
            equal(Scan(folder, *options).functions, [])
        write(folder, "a.c", "")
        write(folder, "b.c", "\n")
        write(folder, "c.c", b"\0\0int f (void) { return 1; }\0")
        for options in SCANS.values():
            equal(Scan(folder, *options).names() - {"f"}, set())


@test
def progress_reaches_all_files():
    with Folder() as folder:
        for number in range(30):
            write(folder, "a%d.c" % number, "int f%d (void) { return 1; }\n" % number)
        for options in SCANS.values():
            told = Scan(folder, "--progress", *options).progress
            equal(told, sorted(told))
            equal(told[-1], (30, 30))


@test
def a_second_scan_reads_only_what_changed():
    with Folder() as folder, Folder() as cache:
        for number in range(5):
            write(folder, "a%d.c" % number, "int f%d (void) { return 1; }\n" % number)
        for options in SCANS.values():
            options = [*options, "--cache", cache]
            first = Scan(folder, *options)
            # A file of the same time, size and inode is taken for the same: that shows that it isn't read.
            path = os.path.join(folder, "a0.c")
            with open(path, "r+") as file:
                file.write("int F0")
            os.utime(path, (1700000000, 1700000000))
            equal(Scan(folder, *options).functions, first.functions)
            os.utime(path, (1700000001, 1700000001))
            equal(Scan(folder, *options).names(), (first.names() - {"f0"}) | {"F0"})
            write(folder, "a0.c", "int f0 (void) { return 1; }\n")
            write(folder, "b.c", "int b (void) { return 1; }\n")
            equal(Scan(folder, *options).names(), first.names() | {"b"})
            os.unlink(os.path.join(folder, "b.c"))
            equal(Scan(folder, *options).names(), first.names())
            equal(len(os.listdir(cache)), 1)


@test
def a_file_that_changes_during_a_scan_is_read_again():
    with Folder() as folder, Folder() as cache:
        now = time.time_ns() + 10 ** 9
        path = write(folder, "a.c", "int f (void) { return 1; }\n")
        os.utime(path, ns=(now, now))
        Scan(folder, "--built-in", "--cache", cache)
        with open(path, "r+") as file:
            file.write("int g")
        os.utime(path, ns=(now, now))
        equal(Scan(folder, "--built-in", "--cache", cache).names(), {"g"})


@test
def a_damaged_cache_is_no_cache():
    chance = random.Random(5)
    with Folder() as folder, Folder() as cache:
        for number in range(4):
            write(folder, "a%d.cpp" % number, "namespace n%d { int f (int x) { return x; } }\n" % number)
        wanted = Scan(folder, "--built-in", "--cache", cache).functions
        path = os.path.join(cache, os.listdir(cache)[0])
        with open(path, "rb") as file:
            whole = file.read()
        for attempt in range(60):
            if attempt % 3 == 0:
                damaged = whole[:chance.randrange(len(whole))]
            else:
                at = chance.randrange(len(whole))
                damaged = whole[:at] + bytes([chance.randrange(256)]) + whole[at + attempt % 2:]
            with open(path, "wb") as file:
                file.write(damaged)
            equal(Scan(folder, "--built-in", "--cache", cache).functions, wanted, "damage %d" % attempt)
        # Nothing but files of the cache is ever removed, and a folder in its place is no matter.
        os.unlink(path)
        os.mkdir(path)
        write(cache, "mine.scan", "not of the cache\n")
        os.utime(os.path.join(cache, "mine.scan"), (0, 0))
        equal(Scan(folder, "--built-in", "--cache", cache).functions, wanted)
        true(os.path.exists(os.path.join(cache, "mine.scan")))


@test
def old_files_of_the_cache_are_removed():
    with Folder() as folder, Folder() as cache:
        write(folder, "one/a.c", "int f (void) { return 1; }\n")
        write(folder, "two/a.c", "int g (void) { return 1; }\n")
        Scan(os.path.join(folder, "one"), "--built-in", "--cache", cache)
        old = os.path.join(cache, os.listdir(cache)[0])
        os.utime(old, (1700000000, 1700000000))
        Scan(os.path.join(folder, "two"), "--built-in", "--cache", cache)
        true(not os.path.exists(old), "it is still there")
        equal(len(os.listdir(cache)), 1)


@test
def a_cache_that_cannot_be_written_is_no_matter():
    with Folder() as folder:
        write(folder, "a.c", "int f (void) { return 1; }\n")
        equal(Scan(folder, "--built-in", "--cache", "/proc/none/cache").names(), {"f"})


def fake(folder, script):
    """A program that says that it is Universal Ctags, and then does something else."""
    path = os.path.join(folder, "fake-ctags")
    with open(path, "w") as file:
        file.write("#!%s\nimport sys, time, os\nif '--version' in sys.argv:\n"
                   "    print('Universal Ctags 6.0.0, Copyright')\n"
                   "    print('  Optional compiled features: +json, +interactive')\n    sys.exit(0)\n%s\n"
                   % (sys.executable, script))
    os.chmod(path, stat.S_IRWXU)
    return path


ANSWER = """import json
print(json.dumps({'_type': 'program', 'name': 'Universal Ctags', 'version': '6'}), flush=True)
for line in sys.stdin:
    name = json.loads(line)['filename']
    %s
    print(json.dumps({'_type': 'tag', 'name': 'told', 'path': name, 'line': 9, 'kind': 'function', 'end': 9}))
    print(json.dumps({'_type': 'completed', 'command': 'generate-tags'}), flush=True)
"""

HANGS = "time.sleep(100)"
# What a program does, whether it is given up, and what its trouble is called.
BROKEN = [
    ("sys.exit(1)", True, "it ended"),
    ("print('tags')", True, "what no ctags writes"),
    ("print('x' * 3000000)", True, "without an end"),
    ("os.write(1, bytes(range(256)) * 100)", True, "what no ctags writes"),
    (HANGS, True, "no answer in time"),
    (ANSWER % "print('{\"_type\": \"tag\", \"name\": ')", True, "what no ctags writes"),
    (ANSWER % "print(json.dumps({'_type': 'error', 'message': 'x', 'fatal': True}), flush=True); continue", True,
     "what no ctags writes"),
    (ANSWER % "name = 'other.c'", True, "what no ctags writes"),
    (ANSWER % "os.kill(os.getpid(), 11)", True, "it ended"),
    (ANSWER % "name == 'a3.c' and sys.exit(1)", False, "a3.c: it ended"),
    (ANSWER % "name == 'a3.c' and time.sleep(100)", False, "a3.c: it gave no answer in time"),
    (ANSWER % "name == 'a3.c' and print('{}')", False, "a3.c: it wrote what no ctags writes"),
]


@test
def programs_that_are_no_ctags():
    with Folder() as folder, Folder() as programs:
        for number in range(8):
            write(folder, "a%d.c" % number, "int f%d (void) { return 1; }\n" % number)
        for script, given_up, trouble in BROKEN:
            # Where it matters what it answers in time, it has time to start.
            timeout = "300" if script == HANGS else "4000" if HANGS in script else "60000"
            scan = Scan(folder, "--ctags", fake(programs, script), "--timeout", timeout, "--workers", "1")
            true({"f%d" % number for number in range(8)} <= scan.names(), (script, scan.names()))
            equal(len(scan.warnings), 1, script)
            true(trouble in scan.warnings[0], (script, scan.warnings))
            equal("again and again" in scan.warnings[0], given_up, script)
            equal("told" in scan.names(), not given_up, script)


@test
def programs_that_do_not_serve():
    with Folder() as folder, Folder() as programs:
        write(folder, "a.c", "int f (void) { return 1; }\n")
        for says, why in (("echo Exuberant Ctags 5.8", "no Universal Ctags"),
                          ("echo Universal Ctags 5.9.0, Copyright", "without JSON"),
                          ("echo ctags: illegal option >&2; exit 1", "no Universal Ctags"),
                          ("echo 'ctags (GNU Emacs 28.2)'", "no Universal Ctags")):
            path = os.path.join(programs, "ctags")
            with open(path, "w") as file:
                file.write("#!/bin/sh\n%s\n" % says)
            os.chmod(path, stat.S_IRWXU)
            scan = Scan(folder, "--ctags", path)
            equal((scan.scanner, scan.names(), len(scan.warnings)), ("built-in scan", {"f"}, 1), says)
            true(why in scan.warnings[0], scan.warnings)
            found = tap.run(TOOL, "--find", env={"CALLSIGHT_CTAGS": path}, check=2)
            true(why in found.stderr, found.stderr)
        scan = Scan(folder, env={"CALLSIGHT_CTAGS": "/nonexistent/ctags"})
        true("there is no such program" in scan.warnings[0], scan.warnings)
        equal(Scan(folder, "--built-in").warnings, [])
        # Of PATH, the first that serves.
        real = need_ctags()[0]
        os.symlink(real, os.path.join(programs, "universal-ctags"))
        found = tap.run(TOOL, "--find", env={"PATH": programs, "CALLSIGHT_CTAGS": ""}, check=0)
        equal(found.stdout.split("\t")[0], os.path.join(programs, "universal-ctags"))


@test
def what_cannot_be_read_is_told():
    with Folder() as folder:
        write(folder, "a.c", "int f (void) { return 1; }\n")
        big = write(folder, "big.c", "int g (void) { return 1; }\n")
        os.truncate(big, 100 * 1024 * 1024)
        for options in SCANS.values():
            scan = Scan(folder, *options)
            equal(scan.names(), {"f"})
            true(any("big.c" in warning and "larger" in warning for warning in scan.warnings), scan.warnings)


PIECES = ["{", "}", "(", ")", "[", "]", "<", ">", ";", ":", "::", ",", "=", "*", "~", "\"", "'", "/*", "*/", "//", "\\\n",
          "#if X\n", "\n#else\n", "\n#elif Y\n", "\n#endif\n", "\n#if 0\n", "#ifdef __cplusplus\n", "#define X {\n",
          "R\"x(", ")x\"", "template <", "operator", "operator()", "namespace", "class X", "struct", "enum", "extern \"C\" {",
          "catch (...)", "int f (int x)", "X::X ()", "requires", "friend", "\n", "\n}\n", "\0", "\xff", "a", "1'0", "->"]


@test
def damaged_text_does_no_harm():
    chance = random.Random(11)
    with open(os.path.join(SCANNED, "constructs.cpp")) as file:
        real = file.read()
    with Folder() as folder:
        for number in range(300):
            if number % 2:
                text = "".join(chance.choice(PIECES) + chance.choice(("", " ")) for _ in range(chance.randrange(400)))
            else:
                text = real
                for _ in range(chance.randrange(1, 12)):
                    at = chance.randrange(len(text))
                    text = text[:at] + chance.choice(PIECES) + text[at + chance.randrange(40):]
            write(folder, "a%d.%s" % (number, chance.choice(("c", "cpp"))), text.encode("latin-1", "replace"))
        scan = Scan(folder, "--built-in")
        true(all(0 < line <= end or end == 0 for _, _, line, end, *_ in scan.functions), "an end before its line")


@test
def long_text_takes_linear_time():
    hostile = ["{", "(", "f(", "<", "a<", "a<b>", "template<", "#if X\n", "#if X\n#else\n", "namespace a {", "class a {",
               "f(){", "f() : a{1}, ", "\"", "'", "1'", "R\"x(", "/*", "//\\\n", "int f(a, b) int a; ", "operator ",
               "requires ", "#if 0\n", "catch(...) {", "x::", "namespace " + "n" * 1000 + " { namespace b { void f(){} }"]
    with Folder() as folder:
        for number, piece in enumerate(hostile):
            for suffix in ("c", "cpp"):
                write(folder, "a%d.%s" % (number, suffix), piece * (200000 // len(piece)))
        Scan(folder, "--built-in")


if __name__ == "__main__":
    tap.main()
