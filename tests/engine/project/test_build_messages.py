# SPDX-License-Identifier: MIT
"""Messages of real tools: mistakes are planted at known places of a project, and must be told there."""

import os
import shutil
import subprocess

import tap
from tap import equal, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "project", "messages-tool")
C = {"LC_ALL": "C.UTF-8", "GCC_COLORS": "", "CLICOLOR_FORCE": ""}


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise tap.Skip("no " + tool)


def write(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w") as file:
        file.write(text)


def log_of(*command, cwd, fails=True, env=None):
    result = subprocess.run(command, cwd=cwd, env=dict(os.environ, **C, **(env or {})), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    equal(result.returncode != 0, fails, result.stdout.decode(errors="replace"))
    return result.stdout


def messages(log, root, build=None):
    """[(severity, path in the project, line, column, text)] of a log."""
    result = subprocess.run([TOOL, root, build or root], input=log, stdout=subprocess.PIPE, check=True, timeout=60)
    found = []
    for line in result.stdout.decode().splitlines():
        severity, path, number, column, text = line.split("\t")
        path = os.path.relpath(path, root) if path.startswith(root + "/") else path
        found.append((severity, path, int(number), int(column), text))
    return found


def places(found, severity):
    return [(m[1], m[2]) for m in found if m[0] == severity and m[1] != "-"]


@test
def compilers():
    for cc in tap.compilers():
        for colour in (False, True):
            with tap.Folder() as root:
                write(root, "src/bad.c", "int one;\nint f (void)\n{\n  return two;\n}\nint g (void) { 1; return 1; }\n")
                write(root, "src/deep.h", "int h (void);\nint i (;\n")
                write(root, "src/over.c", "\n\n#include \"deep.h\"\n#include \"none.h\"\n")
                options = ["-Wunused-value", "-c"]
                if colour:
                    options.append("-fdiagnostics-color=always")
                    if cc == "gcc":
                        options.append("-fdiagnostics-urls=always")
                found = messages(log_of(cc, *options, "src/bad.c", cwd=root), root)
                equal(places(found, "E"), [("src/bad.c", 4)], cc)
                equal(places(found, "W"), [("src/bad.c", 6)], cc)
                equal([m[3] for m in found if m[0] == "E" and m[1] != "-"], [10], cc)
                found = messages(log_of(cc, *options, os.path.join(root, "src/over.c"), cwd="/"), root)
                true(("src/deep.h", 2) in places(found, "E"), found)
                true(("src/over.c", 4) in places(found, "E"), found)
                true(("src/over.c", 3) in places(found, "N"), found)


@test
def linkers():
    linkers = [("gcc", None)] + ([("clang", "lld")] if shutil.which("ld.lld") and shutil.which("clang") else [])
    for cc, linker in linkers:
        need(cc)
        with tap.Folder() as root:
            write(root, "a.c", "int missing (void);\nint\nmain (void)\n{\n  return missing ();\n}\n")
            write(root, "b.c", "\nint main (void) { return 0; }\n")
            chosen = ["-fuse-ld=" + linker] if linker else []
            found = messages(log_of(cc, "-g", *chosen, "a.c", cwd=root), root)
            true(("a.c", 5) in places(found, "E") + places(found, "N"), found)
            true(any("undefined" in m[4] and m[0] == "E" for m in found), found)
            if not linker:
                equal(places(messages(log_of(cc, "a.c", cwd=root), root), "E"), [("a.c", 0)])
                found = messages(log_of(cc, "-g", "b.c", "b.c", cwd=root), root)
                equal(places(found, "E"), [("b.c", 2)], found)
            found = messages(log_of(cc, *chosen, "b.c", "-lnowhere", cwd=root), root)
            true(any(m[0] == "E" and "nowhere" in m[4] for m in found), found)


@test
def makes():
    need("make", "gcc")
    with tap.Folder() as root:
        write(root, "Makefile", "all:\n\t$(MAKE) -C sub/one\n\nskip:\n\t-false\n")
        write(root, "sub/one/Makefile", "x.o: x.c\n\tgcc -c x.c\n")
        write(root, "sub/one/x.c", "int x\n= ;\n")
        write(root, "x.c", "")
        write(root, "broken/Makefile", "all:\n        spaces\n")
        found = messages(log_of("make", cwd=root), root)
        equal(places(found, "E"), [("sub/one/x.c", 2), ("sub/one/Makefile", 2), ("Makefile", 2)])
        found = messages(log_of("make", "skip", cwd=root, fails=False), root)
        equal(places(found, "W"), [("Makefile", 5)])
        found = messages(log_of("make", "-C", "broken", cwd=root), root)
        equal(places(found, "E"), [("broken/Makefile", 2)])
        found = messages(log_of("make", "nothing", cwd=root), root)
        equal([m[0] for m in found], ["E"])


@test
def copies():
    """A Makefile that builds in a copy: the project's file is meant."""
    need("make", "gcc")
    with tap.Folder() as root:
        for folder in (root, os.path.join(root, "build")):
            write(folder, "Makefile", "a.o:\n\tgcc -c src/a.c made.c\n")
            write(folder, "src/a.c", "\n\nint a = ;\n")
        write(root, "build/made.c", "int b = ;\n")
        build = os.path.join(root, "build")
        found = messages(log_of("make", cwd=build), root, build)
        equal(places(found, "E"), [("src/a.c", 3), ("build/made.c", 1), ("Makefile", 2)])


@test
def cmake_and_ninja():
    need("cmake", "ninja", "gcc")
    with tap.Folder() as root:
        build = os.path.join(root, "build")
        write(root, "CMakeLists.txt", "cmake_minimum_required (VERSION 3.10)\nproject (p C)\nadd_subdirectory (sub)\n"
                                      "message (WARNING \"careful\")\n")
        write(root, "sub/CMakeLists.txt", "\n\nmessage (FATAL_ERROR\n  \"it is so\")\n")
        found = messages(log_of("cmake", "-S", root, "-B", build, "-G", "Ninja", cwd=root), root, build)
        equal([m for m in found if m[1] != "-"], [("E", "sub/CMakeLists.txt", 3, 0, "it is so")])
        write(root, "sub/CMakeLists.txt", "add_executable (x x.c)\n")
        write(root, "sub/x.c", "int main (void)\n{\n  return y;\n}\n")
        found = messages(log_of("cmake", "-S", root, "-B", build, "-G", "Ninja", cwd=root, fails=False), root, build)
        equal(found, [("W", "CMakeLists.txt", 4, 0, "careful")])
        found = messages(log_of("ninja", "-C", build, cwd=root), root, build)
        equal(places(found, "E"), [("sub/x.c", 3)])


@test
def meson():
    need("meson", "ninja", "gcc")
    with tap.Folder() as root:
        build = os.path.join(root, "build")
        write(root, "meson.build", "project ('p', 'c')\nsubdir ('sub')\n")
        write(root, "sub/meson.build", "\n\nnothing ()\n")
        found = messages(log_of("meson", "setup", build, cwd=root), root, build)
        true(("sub/meson.build", 3) in places(found, "E"), found)
        shutil.rmtree(build)
        write(root, "sub/meson.build", "executable ('x', 'x.c')\n")
        write(root, "sub/x.c", "int main (void)\n{\n  return y;\n}\n")
        equal(messages(log_of("meson", "setup", build, cwd=root, fails=False), root, build), [])
        found = messages(log_of("ninja", "-C", build, cwd=root), root, build)
        equal(places(found, "E"), [("sub/x.c", 3)])


tap.main()
