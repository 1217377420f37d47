#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which functions of an object file carry hooks: what the source says, for several machines, compilers and levels, and
what the disassembly says of C++ objects."""

import os
import re
import shutil
import subprocess

import hooked
import tap
from tap import Folder, Skip, equal, main, run, test, true

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(tap.BUILD, "tests", "engine", "symbols", "hooks-tool")
HOOKS = "-finstrument-functions"

# plain has no hooks, but those of what is inlined into it; it takes the address of another function. rec calls
# itself, bare too, which has hooks inlined and isn't global.
SOURCE = r"""
#define NO __attribute__ ((no_instrument_function))
extern int ext (int);
extern void use (int (*) (int));
static int cmp (int a) { return a * 3; }
static int helper (int a) { int s = 0; for (int i = 0; i < a; i++) s += ext (i); return s; }
static inline __attribute__ ((always_inline)) int forced (int a) { return ext (a) + 1; }
int rec (int n) { return n < 2 ? 1 : rec (n - 1) * n + helper (n) + forced (n); }
int top (int n) { use (cmp); use (rec); return helper (n) + helper (n + 1) + forced (n); }
NO int plain (int n) { use (cmp); return helper (n) + forced (n); }
NO static int bare (int n) { return n < 2 ? forced (n) : bare (n - 1) + bare (n - 2) + ext (n); }
NO int calls_bare (int n) { return bare (n) + plain (n); }
"""
HOOKED = {"cmp", "helper", "forced", "rec", "top"}
NOT_HOOKED = {"plain", "bare", "calls_bare"}

MACHINES = [
    ("gcc",), ("gcc", "-fno-pic"), ("gcc", "-fPIC", "-fno-plt"), ("gcc", "-m32", "-fno-pic"), ("gcc", "-m32", "-fpic"),
    ("aarch64-linux-gnu-gcc",), ("arm-linux-gnueabihf-gcc",), ("arm-linux-gnueabihf-gcc", "-marm"),
    ("arm-linux-gnueabihf-gcc", "-marm", "-fno-pic"), ("powerpc-linux-gnu-gcc",), ("powerpc-linux-gnu-gcc", "-fno-pic"),
    ("powerpc64-linux-gnu-gcc",), ("clang",), ("clang", "-fPIC"), ("clang", "--target=riscv64-linux-gnu"),
    ("clang", "--target=s390x-linux-gnu"), ("clang", "--target=powerpc64le-linux-gnu"),
    ("clang", "--target=arm-linux-gnueabihf", "-fPIC"),
]
LEVELS = [("-O2",), ("-O3", "-ffunction-sections")]


def read(*objects):
    """The names of functions with hooks, and without; None for what isn't known."""
    output = run(TOOL, *objects, check=0).stdout.splitlines()
    if any(line.startswith("?") for line in output):
        return None
    return ({line[2:] for line in output if line[0] == "+"}, {line[2:] for line in output if line[0] == "-"})


def own(names):
    """Without clones, aliases and what compilers add."""
    return {name for name in names if "." not in name and not name.startswith("_")}


def check(compiler, level):
    with Folder() as folder:
        source, target = os.path.join(folder, "a.c"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        run(*compiler, *level, HOOKS, "-c", source, "-o", target, check=0)
        with_hooks, without = read(target)
        what = " ".join((*compiler, *level))
        equal(own(with_hooks), HOOKED, what)
        true(own(without) <= NOT_HOOKED, "%s: without hooks: %s" % (what, without))
        true("plain" in without, what)


@test
def linkage_tables():
    """Of a library: the hook is called through an entry of one of three linkage tables, or its slot. The shortest entry
    is 8 bytes, and here the table's only one."""
    if os.uname().machine != "x86_64":
        raise Skip("the code of x86-64 alone is read")
    ways = [("-fcf-protection=none",), ("-fcf-protection",), ("-fno-plt",), ("-DTAKE", "-fcf-protection=none")]
    for way in ways:
        with Folder() as folder:
            source, target = os.path.join(folder, "a.c"), os.path.join(folder, "a.so")
            with open(source, "w", encoding="utf-8") as file:
                file.write("#ifdef TAKE\nextern void __cyg_profile_func_enter (void *, void *);\n"
                           "__attribute__ ((no_instrument_function)) void *taken (void)\n"
                           "{ return (void *) __cyg_profile_func_enter; }\n#endif\n"
                           "int hooked (int x) { return x + 1; }\n"
                           "__attribute__ ((no_instrument_function)) int plain (int x) { return x + 2; }\n")
            run("gcc", *way, "-O1", "-fPIC", "-shared", "-nostdlib", HOOKS, source, "-o", target, check=0)
            lines = run(TOOL, "--linked", target, check=0).stdout.splitlines()
            true("+ hooked" in lines and "- plain" in lines, "%s: %s" % (" ".join(way), lines))


@test
def machines():
    """Each compiler and machine, at levels that inline nothing, much, and more."""
    missing = [compiler[0] for compiler in MACHINES if not shutil.which(compiler[0])]
    if missing:
        raise Skip(", ".join(sorted(set(missing))) + " is not installed")
    for compiler in MACHINES:
        for level in [*LEVELS, *([("-O0",)] if len(compiler) == 1 else [])]:
            check(compiler, level)


@test
def no_hooks():
    """Nothing is hooked without the option; a function without code isn't there."""
    with Folder() as folder:
        source, target = os.path.join(folder, "a.c"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        run("gcc", "-O2", "-c", source, "-o", target, check=0)
        with_hooks, without = read(target)
        equal(with_hooks, set())
        true("top" in without and "forced" not in without)


@test
def after_inlining():
    """Hooks that clang places after inlining: of a function's own code alone."""
    with Folder() as folder:
        source, target = os.path.join(folder, "a.c"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        run("clang", "-O2", HOOKS + "-after-inlining", "-c", source, "-o", target, check=0)
        with_hooks, without = read(target)
        true({"rec", "top"} <= with_hooks, with_hooks)
        true("forced" not in with_hooks | without, with_hooks)
        true("plain" in without, without)


def addresses(target):
    """{name: (section, value)} of an object's functions."""
    output = run("readelf", "-sW", target, check=0).stdout
    return {fields[7]: (fields[6], fields[1]) for fields in (line.split(None, 7) for line in output.splitlines())
            if len(fields) == 8 and fields[3] == "FUNC"}


@test
def cplusplus():
    """As the disassembly tells whose address each hook gets: constructors with two names, templates, inlined members."""
    for compiler in ("g++", "clang++"):
        for level in ("-O0", "-O2"):
            with Folder() as folder:
                target = os.path.join(folder, "a.o")
                run(compiler, level, HOOKS, "-c", os.path.join(HERE, "programs", "shapes.cc"), "-o", target, check=0)
                with_hooks, without = read(target)
                told, _calls = hooked._linkage_names(target)
                where = addresses(target)
                # Names of one place, and only what has code here.
                places = {where[name] for name in told if name in where}
                names = {name for name, place in where.items() if place in places and not re.search(r"\.(cold|part)", name)}
                what = "%s %s" % (compiler, level)
                equal(sorted(names - with_hooks), [], what + ": missed")
                equal(sorted(with_hooks - names), [], what + ": too many")
                true(len(names) > 20, "%d functions" % len(names))


@test
def a_table_of_virtual_functions():
    """A destructor names the table that holds its own address, and has its base's hooks inlined: it isn't hooked."""
    text = ("struct Base { virtual ~Base (); int x; };\nBase::~Base () { x = 0; }\n"
            "struct Derived : Base { ~Derived () override; };\nDerived::~Derived () { }\n")
    with Folder() as folder:
        source, target = os.path.join(folder, "a.cc"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        for flags in (["-O2"], ["-O3", "-fPIC"]):
            run("g++", *flags, HOOKS, HOOKS + "-exclude-function-list=Derived", "-c", source, "-o", target, check=0)
            with_hooks, without = read(target)
            true("_ZN4BaseD2Ev" in with_hooks, with_hooks)
            true("_ZN7DerivedD2Ev" in without, "%s: %r" % (flags, with_hooks))


@test
def link_time_optimization():
    """Objects that hold no machine code tell nothing."""
    for command in (("gcc", "-flto", "-fno-fat-lto-objects"), ("clang", "-flto")):
        with Folder() as folder:
            source, target = os.path.join(folder, "a.c"), os.path.join(folder, "a.o")
            with open(source, "w", encoding="utf-8") as file:
                file.write(SOURCE)
            run(*command, "-O2", HOOKS, "-c", source, "-o", target, check=0)
            equal(read(target), None, command)


@test
def bad_files():
    """What is no object, and objects in which any byte is another, get an answer or a sentence."""
    with Folder() as folder:
        source, target, bad = (os.path.join(folder, name) for name in ("a.c", "a.o", "bad.o"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        run("gcc", "-O2", HOOKS, "-c", source, "-o", target, check=0)
        for path in (source, "/nowhere/a.o", "/dev/null", folder, tap.CLI):
            result = run(TOOL, path, check=2)
            equal(len(result.stderr.splitlines()), 1, result.stderr)
        with open(target, "rb") as file:
            content = file.read()
        changed = []
        for at in range(0, len(content), len(content) // 40):
            changed.append(content[:at])
            changed.append(content[:at] + b"\xff\xff\xff\xff" + content[at + 4:])
        # Each entry of a section's header.
        headers = int.from_bytes(content[0x28:0x30], "little")
        for at in range(headers, len(content), 24):
            changed.append(content[:at] + b"\xff" * 7 + b"\x7f" + content[at + 8:])
        for text in changed:
            with open(bad, "wb") as file:
                file.write(text)
            result = subprocess.run([TOOL, bad], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=False,
                                    env={**os.environ, "G_DEBUG": "fatal-warnings"})
            true(result.returncode in (0, 2), "%d: %s" % (result.returncode, result.stderr[-200:]))


if __name__ == "__main__":
    main()
