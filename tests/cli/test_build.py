# SPDX-License-Identifier: MIT
"""callsight-cli build: hooks in what was chosen, and nothing of the normal build touched."""

import atexit
import fcntl
import functools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import projects
import tap
from projects import cli, config, files, hashes, make_project, need, write
from tap import Folder, Skip, equal, main, run, test, true


@functools.cache
def kept():
    """A folder for what several tests use; gone at the end."""
    folder = tempfile.mkdtemp(prefix="callsight-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def build(folder, *arguments, check=0, env=None):
    return cli("build", folder, *arguments, check=check, env=env)


def functions(folder, program):
    """{function: calls} of a recording of a program."""
    out = cli("run", "--dir", os.path.join(kept(), "traces"), "--format", "json", "--top", "0", "--", program, cwd=folder).stdout
    rows = json.loads(out[out.index("{"):])["rows"]
    return {row["function"]: row["calls"] for row in rows}


def log(folder):
    with open(os.path.join(folder, "build-instr", "callsight", "log"), encoding="utf-8") as file:
        return file.read().splitlines()


def changed(before, after):
    """The files that were made again."""
    return sorted(path for path in after if after[path][1] != before.get(path, (0, 0))[1]
                  and not path.startswith(("callsight/", ".callsight-build")))


@functools.cache
def made():
    """A Make project that was built as ever, and then with hooks; the files before."""
    folder = make_project(os.path.join(kept(), "made"))
    run("make", "-s", cwd=folder, check=0)
    before = files(folder)
    config(folder, "include src/")
    told = build(folder).stdout
    return folder, before, told


@test
def test_a_normal_build_stays_as_it_was():
    folder, before, _told = made()
    after = files(folder, without=("build-instr",))
    del after["trace.config"]
    equal(after, before, "files and their times")


@test
def test_a_normal_build_is_the_same_before_and_after():
    with Folder() as top:
        folder = os.path.join(top, "p")
        make_project(folder)
        run("make", "-s", cwd=folder, check=0)
        never = hashes(folder)
        shutil.rmtree(folder)
        make_project(folder)
        config(folder, "include src/util.c")
        build(folder)
        run("make", "-s", cwd=folder, check=0)
        after = hashes(folder, without=("build-instr",))
        del after["trace.config"]
        equal(after, never, "of a tree that never saw Callsight")


@test
def test_what_is_chosen_is_recorded():
    folder, _before, told = made()
    true("built: 2 of 3 units with hooks, 1 program with the runtime" in told, told)
    true("callsight-cli run -- " in told and "build-instr/app" in told, told)
    equal(functions(folder, "build-instr/app"), projects.CALLS)


@test
def test_a_mirror_has_no_objects_of_the_normal_build():
    folder, _before, _told = made()
    with open(os.path.join(folder, "build-instr", "src", "history.txt"), encoding="utf-8") as file:
        # Copied with the line of the normal build; the second is the instrumented build's own.
        equal(file.read(), "built\nbuilt\n")
    with open(os.path.join(folder, "src", "history.txt"), encoding="utf-8") as file:
        equal(file.read(), "built\n")


@test
def test_a_second_build_makes_nothing():
    with Folder() as folder:
        make_project(folder)
        config(folder, "include src/")
        build(folder)
        before = files(os.path.join(folder, "build-instr"))
        lines = log(folder)
        told = build(folder).stdout
        equal(changed(before, files(os.path.join(folder, "build-instr"))), [])
        # Of a log that has grown long only what counts is left.
        path = os.path.join(folder, "build-instr", "callsight", "log")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines * (2 * 1024 * 1024 // len("\n".join(lines))))
        true("built: 2 of 3 units" in told and "built: 2 of 3 units" in build(folder).stdout, told)
        equal(sorted(log(folder)), sorted(lines))


@test
def test_a_changed_config_makes_again_what_it_must():
    with Folder() as folder:
        mirror = os.path.join(folder, "build-instr")
        make_project(folder)
        config(folder, "include src/")
        build(folder)
        before = files(mirror)
        config(folder, "include src/", "exclude src/util.c")
        told = build(folder).stdout
        true("1 object is made again" in told, told)
        after = files(mirror)
        equal(changed(before, after), ["app", "src/history.txt", "src/util.c", "src/util.o", "trace.config"])
        equal(functions(folder, "build-instr/app"), {"main": 1, "twice": 10})
        # A rule for a function of one file: that file's object alone.
        config(folder, "include src/", "exclude src/util.c", "exclude-func twice")
        build(folder)
        equal(functions(folder, "build-instr/app"), {"main": 1})
        # Options for all: all objects that were made.
        before = files(mirror)
        build(folder, "--no-inline")
        equal([p for p in changed(before, files(mirror)) if p.endswith(".o")], ["net/net.o", "src/main.o", "src/util.o"])


@test
def test_a_mirror_follows_its_sources():
    with Folder() as folder:
        mirror = os.path.join(folder, "build-instr")
        make_project(folder, **{"doc/a.txt": "a", "doc/b.txt": "b"})
        os.symlink("src/util.c", os.path.join(folder, "inside"))
        os.symlink("../outside", os.path.join(folder, "outside"))
        os.symlink(os.path.join(folder, "src"), os.path.join(folder, "absolute"))
        os.makedirs(os.path.join(folder, ".git"))
        config(folder, "include src/")
        build(folder)
        equal(os.readlink(os.path.join(mirror, "inside")), "src/util.c")
        equal(os.readlink(os.path.join(mirror, "outside")), os.path.join(os.path.dirname(folder), "outside"))
        equal(os.readlink(os.path.join(mirror, "absolute")), os.path.join(mirror, "src"))
        true(not os.path.exists(os.path.join(mirror, ".git")), "version control is copied")
        times = [os.stat(os.path.join(f, "src/util.c")).st_mtime_ns for f in (folder, mirror)]
        equal(times[0], times[1], "time of a copy")
        shutil.rmtree(os.path.join(folder, "doc"))
        # An older file than the one that was copied is made again, too.
        path = os.path.join(folder, "src", "util.c")
        write(folder, {"src/util.c": projects.UTIL.replace("x + 1", "x + 2")})
        os.utime(path, (1000000000, 1000000000))
        build(folder)
        true(not os.path.exists(os.path.join(mirror, "doc")), "what is gone stays")
        equal(run(os.path.join(mirror, "app"), check=0).stdout, "%d\n" % (sum(2 * (i + 2) + 2 * i for i in range(10)) + 7))


@test
def test_what_became_older_together_stays_in_its_order():
    with Folder() as folder:
        # As of automake: what is generated, and what it is generated of.
        make_project(folder, **{"m4/made.m4": "made", "z.ac": "source", "callsight/recordings/one/recording.ini": "[Recording]\n"})
        config(folder, "include src/")
        build(folder)
        for name in ("m4/made.m4", "z.ac"):
            os.utime(os.path.join(folder, name), (1000000000, 1000000000))
        build(folder)
        times = [os.stat(os.path.join(folder, "build-instr", name)).st_mtime_ns for name in ("m4/made.m4", "z.ac")]
        true(times[0] > 1000000000 * 10 ** 9, "it is newer than what was built of it")
        equal(times[0], times[1], "times of both")
        true(not os.path.exists(os.path.join(folder, "build-instr", "callsight", "recordings")), "recordings are copied")


@test
def test_libraries_that_came_with_the_project_are_copied():
    with Folder() as folder:
        mirror = os.path.join(folder, "build-instr")
        make_project(folder)
        run("gcc", "-shared", "-o", "libold.so", "net/net.c", cwd=folder, check=0)
        run("gcc", "-shared", "-o", "libnew.so", "net/net.c", cwd=folder, check=0)
        run("gcc", "-o", "program", "-x", "c", "-", cwd=folder, stdin="int main (void) { return 0; }", check=0)
        os.symlink("libnew.so", os.path.join(folder, "libnewer.so"))
        os.utime(os.path.join(folder, "libold.so"), (1000000000, 1000000000))
        write(folder, {"mesh.obj": "v 0.123 0.234 0.345 1.0\n", "plain.o": "no ELF file", "traces/trace.1.1.0.bin": "x"})
        config(folder)
        told = build(folder).stdout
        true("left out 3 programs and libraries" in told, told)
        # It isn't said again where nothing is new, and is where something is.
        true("left out" not in build(folder).stdout)
        os.unlink(os.path.join(folder, "libnew.so"))
        os.unlink(os.path.join(folder, "libnewer.so"))
        write(folder, {"new.h": ""})
        told = build(folder).stdout
        true(": 1 file copied" in told and "left out program, which a build made" in told, told)
        there = [n for n in ("libold.so", "libnew.so", "libnewer.so", "program", "mesh.obj", "plain.o",
                                "traces/trace.1.1.0.bin")
                 if os.path.lexists(os.path.join(mirror, n))]
        equal(there, ["libold.so", "mesh.obj"])


@functools.cache
def compiler_script():
    """A compiler that writes down that it was called."""
    path = os.path.join(kept(), "own-gcc")
    write(kept(), {"own-gcc": "#!/bin/sh\necho x >> '%s.calls'\nexec gcc \"$@\"\n" % path})
    os.chmod(path, 0o755)
    return path


@test
def test_the_makefiles_compiler_is_used():
    with Folder() as top:
        own = compiler_script()
        for assignment, env in (("CC := $(shell echo %s) -pipe", {}), ("CC ?= gcc # not %s", {"CC": "callsight-cc " + own})):
            folder = os.path.join(top, "p")
            make_project(folder, Makefile=projects.MAKEFILE.replace("CC = gcc", assignment % own))
            config(folder)
            build(folder, env=env)
            # Three compiles and a link.
            with open(own + ".calls", encoding="utf-8") as file:
                true(len(file.readlines()) >= 4, "calls of the compiler: " + assignment)
            os.unlink(own + ".calls")
            shutil.rmtree(folder)


@test
def test_another_compiler_begins_anew():
    with Folder() as top:
        folder = os.path.join(top, "p")
        own = compiler_script()
        make_project(folder)
        config(folder)
        build(folder)
        write(folder, {"build-instr/left": "", "build-instr/traces/trace.1.1.0.bin": ""})
        told = build(folder, "--compiler", own).stdout
        true("made anew" in told, told)
        true(os.path.exists(own + ".calls") and not os.path.exists(os.path.join(folder, "build-instr", "left")))
        true(os.path.exists(os.path.join(folder, "build-instr", "traces", "trace.1.1.0.bin")), "a recording is gone")
        # As a variable of make, too.
        os.unlink(own + ".calls")
        build(folder, "--clean", "--", "CC=" + own, "app")
        true(os.path.exists(own + ".calls"))
        os.unlink(own + ".calls")


@test
def test_make_builds_in_its_own_build_folder_and_with_arguments():
    makefile = """BUILDDIR = out
$(BUILDDIR)/app: main.c
	mkdir -p $(BUILDDIR)
	$(CC) $(CFLAGS) main.c -o $@
"""
    with Folder() as top:
        folder = os.path.join(top, "a b", "p")
        other = os.path.join(folder, "other")
        write(folder, {"Makefile": makefile, "main.c": "int main (void) { return ANSWER; }\n"})
        config(folder)
        told = build(folder, "--build-dir", other, "-q", "--", "CFLAGS=-DANSWER=3").stdout
        equal(told, "")
        run(os.path.join(other, "out", "app"), check=3)
        equal(sorted(os.listdir(folder)), ["Makefile", "main.c", "other", "trace.config"])
        # Its copies are no sources of the project.
        true(cli("scan", folder).stdout.startswith("1 source"))
        # One command that compiles and links: the program is what another selection makes again.
        config(folder, "include main.c", "exclude-func nothing")
        build(folder, "--build-dir", other, "--", "CFLAGS=-DANSWER=3")
        before = os.stat(os.path.join(other, "out", "app")).st_mtime_ns
        config(folder, "exclude-func main", "include main.c")
        told = build(folder, "--build-dir", other, "--", "CFLAGS=-DANSWER=3", check=1)
        true("1 object is made again" in told.stdout, told.stdout)
        true(os.stat(os.path.join(other, "out", "app")).st_mtime_ns != before)
        build(folder, "--build-dir", other, "--", "CFLAGS=-DANSWER=4", check=1)
        run(os.path.join(other, "out", "app"), check=4)


@test
def test_folders_beside_the_project_are_found_from_a_mirror_beside_it():
    with Folder() as top:
        folder = os.path.join(top, "p")
        make_project(folder, Makefile=projects.MAKEFILE.replace("CC = gcc\n", "include ../common.mk\n"),
                     **{"../common.mk": "CC = gcc\n"})
        config(folder)
        result = build(folder, check=1)
        true("../, which is another folder in the mirror" in result.stdout and "--build-dir" in result.stdout, result.stdout)
        build(folder, "--build-dir", os.path.join(top, "p-instr"))


@test
def test_cmake():
    need("cmake", "g++")
    with Folder() as folder:
        instr = os.path.join(folder, "build-instr")
        projects.cmake_project(folder)
        run("cmake", "-S", folder, "-B", os.path.join(folder, "build"), check=0)
        run("cmake", "--build", os.path.join(folder, "build"), check=0)
        before = files(folder)
        config(folder, "include src/util.c", "include-func geo::Box::area 0")
        told = build(folder).stdout
        true("RelWithDebInfo" in told and "2 of 4 units with hooks" in told, told)
        equal(functions(folder, "build-instr/app"), {"work": 1, "helper": 1})
        equal(functions(folder, "build-instr/app2"), {"work": 1, "helper": 1, "geo::Box::area() const": 1})
        times = files(instr)
        config(folder, "include src/util.c")
        told = build(folder).stdout
        true("1 object is made again" in told, told)
        equal([p for p in changed(times, files(instr)) if p.endswith(".o")], ["CMakeFiles/shape.dir/src/shape.cpp.o"])
        after = files(folder, without=("build-instr",))
        del after["trace.config"]
        equal(after, before, "the normal build")


@test
def test_cmake_with_a_launcher_of_its_own():
    need("cmake", "ccache")
    text = projects.CMAKELISTS.replace("project(demo C CXX)", """set(CMAKE_C_COMPILER_LAUNCHER %s CACHE PATH "" FORCE)
project(demo C)""").replace("add_library(shape SHARED src/shape.cpp)\n", "").split("add_executable(app2")[0]
    with Folder() as folder:
        projects.cmake_project(folder)
        write(folder, {"CMakeLists.txt": text % shutil.which("ccache")})
        config(folder, "include src/util.c")
        told = build(folder).stdout
        true("passes everything on" in told and "1 of 2 units with hooks, 1 program" in told, told)
        equal(functions(folder, "build-instr/app"), {"work": 1, "helper": 1})
        write(folder, {"CMakeLists.txt": text % shutil.which("env")})
        told = build(folder, "--clean", check=1).stderr
        true("CMAKE_C_COMPILER_LAUNCHER itself, to /" in told, told)


@test
def test_meson():
    need("meson", "ninja", "g++")
    with Folder() as folder:
        projects.meson_project(folder)
        config(folder, "include src/")
        true("4 of 4 units with hooks, 2 programs" in build(folder).stdout)
        equal(functions(folder, "build-instr/app2"), {"main": 1, "work": 1, "helper": 1, "surface(int)": 1, "geo::Box::area() const": 1})
        before = files(os.path.join(folder, "build-instr"))
        config(folder, "include src/", "exclude util.c")
        build(folder)
        again = [p for p in changed(before, files(os.path.join(folder, "build-instr"))) if p.endswith(".o")]
        equal(again, ["libutil.a.p/src_util.c.o"])
        equal(functions(folder, "build-instr/app"), {"main": 1})


@test
def test_autotools():
    with Folder() as folder:
        projects.autotools_project(folder)
        config(folder, "include src/util.c")
        before = files(folder)
        true("1 of 2 units with hooks, 1 program" in build(folder).stdout)
        equal(files(folder, without=("build-instr",)), before, "the project")
        true(not [line for line in log(folder) if "conftest" in line], "configure's tests are logged")
        equal(functions(folder, "build-instr/app"), {"work": 10, "helper": 10})
        true(not os.path.exists(os.path.join(folder, "build-instr", "src")), "a mirror was made")


@test
def test_autotools_in_a_folder_that_shells_read_otherwise():
    with Folder() as top:
        folder = projects.autotools_project(os.path.join(top, "a b$x"))
        config(folder, "include src/util.c")
        build(folder)
        equal(functions(folder, "build-instr/app"), {"work": 10, "helper": 10})


@test
def test_autotools_configured_in_its_sources():
    with Folder() as folder:
        projects.autotools_project(folder)
        run("./configure", "CC=gcc", cwd=folder, check=0)
        run("make", cwd=folder, check=0)
        before = files(folder)
        config(folder, "include src/util.c")
        build(folder)
        after = files(folder, without=("build-instr",))
        del after["trace.config"]
        equal(after, before, "the normal build")
        equal(functions(folder, "build-instr/app"), {"work": 10, "helper": 10})
        # Configured again, its Makefile reaches the mirror, and is made again there.
        run("./configure", "CC=gcc", cwd=folder, check=0)
        write(folder, {"src/util.c": projects.UTIL + "\n"})
        build(folder)
        equal(functions(folder, "build-instr/app"), {"work": 10, "helper": 10})


@test
def test_clang_chooses_whole_files():
    need("clang")
    with Folder() as folder:
        make_project(folder)
        config(folder, "include-func work 0")
        told = build(folder, "--compiler", "clang", check=2).stderr
        true("src/util.c" in told and "--widen" in told, told)
        true(told.startswith("callsight-cli: build: clang has no lists") and "to take this file wholly" in told, told)
        true(not os.path.exists(os.path.join(folder, "build-instr", "app")), "it was built")
        build(folder, "--compiler", "clang", "--widen")
        equal(functions(folder, "build-instr/app"), {"work": 10, "helper": 10})
        told = build(folder, "--after-inlining", check=2).stderr
        true("only clang" in told, told)


@test
def test_what_fails_is_said():
    with Folder() as folder:
        config(folder)
        told = build(folder, check=2).stderr
        true("no Makefile, CMakeLists.txt, meson.build or configure" in told, told)
        make_project(folder, **{"src/util.c": "broken\n"})
        result = build(folder, check=1)
        true(result.stderr.splitlines()[-1].startswith("callsight-cli: build: make failed with status 2"), result.stderr)
        result = build(folder, "-q", check=1)
        true("broken" in result.stderr, result.stderr)
        for lines, part in ((("inclood x",), "trace.config:1: 'inclood'"), (("include-func nobody",), "nobody")):
            config(folder, *lines)
            told = build(folder, check=2).stderr
            true(part in told, told)
        config(folder)
        os.unlink(os.path.join(folder, "trace.config"))
        true("callsight-cli init" in build(folder, check=2).stderr)


@test
def test_compiled_and_linked_at_once():
    with Folder() as folder:
        write(folder, {"Makefile": "app: a.c b.c\n\t$(CC) -o $@ a.c b.c\n", "a.c": "int b (void);\nint main (void) { return b (); }\n",
                       "b.c": "int b (void) { return 0; }\n"})
        config(folder)
        told = build(folder, "-j2").stdout
        true("\n2 functions chosen\n" in told and "isn't known" in told and "0 of them" not in told, told)
        equal(functions(folder, "build-instr/app"), {"main": 1, "b": 1})
        # A report says nothing of it: what is recorded has hooks.
        true("isn't known" not in cli("analyze", os.path.join(kept(), "traces"), cwd=folder).stdout)


@test
def test_objects_that_are_moved():
    """One of two objects of a file is enough to tell."""
    with Folder() as folder:
        write(folder, {"Makefile": "app: a.o\n\t$(CC) -c -fPIC -o a.tmp a.c && mv a.tmp a.lo\n\t$(CC) -o $@ a.o\n",
                       "a.c": "#ifdef NEVER\nint never (void) { return 0; }\n#endif\nint main (void) { return 0; }\n"})
        config(folder)
        told = build(folder).stdout
        true("2 functions chosen, 1 of them with hooks" in told and "no code of it: 1 (never)" in told, told)


@test
def test_a_number_may_follow_its_letter():
    folder, _before, _told = made()
    build(folder, "-j2", "-q")
    for arguments in (["-j"], ["-jx"], ["-j2x"]):
        true("for -j" in build(folder, *arguments, check=2).stderr, arguments)
    # What is behind "--" is for make.
    lines = [line for line in build(folder, "-j", "2", "--", "-j1").stdout.splitlines() if line.startswith("callsight: make ")]
    true(" -j2 " in lines[0] and lines[0].endswith(" -j1"), lines)
    equal(cli("select", folder, "-fmain", "-d0", "--format", "json").stdout,
          cli("select", folder, "-f", "main", "-d", "0", "--format", "json").stdout)


@test
def test_bad_usage():
    folder, _before, _told = made()
    for arguments, part in ((["--system", "bazel"], "use one of auto"), (["--system", "cmake"], "nothing here for cmake"),
                            (["--compiler", "no-such-cc"], "no such program"), (["--jobs", "-1"], "--jobs"),
                            (["x"], "one project"), (["--config", "/no/such"], "no such file")):
        result = build(folder, *arguments, check=2)
        true(part in result.stderr and result.stderr.count("\n") == 1, "%s: %s" % (arguments, result.stderr))
    with Folder() as other:
        projects.cmake_project(make_project(other))
        config(other)
        told = build(other, check=2).stderr
        true("--system cmake or --system make" in told, told)
        os.unlink(os.path.join(other, "Makefile"))
        told = build(other, check=2, env={"PATH": os.path.join(other, "nothing")}).stderr
        true("cmake: there is no such program" in told and "install" in told, told)


@test
def test_folders_of_others_are_not_touched():
    with Folder() as folder:
        make_project(folder, **{"build-instr/mine.txt": "mine"})
        config(folder)
        before = files(folder)
        for arguments in ([], ["--clean"], ["--build-dir", folder], ["--build-dir", os.path.dirname(folder)],
                          ["--build-dir", os.path.join(folder, "src"), "--clean"]):
            told = build(folder, *arguments, check=2).stderr
            true("--build-dir" in told, told)
        equal(files(folder), before)


@test
def test_one_build_at_a_time():
    folder, _before, _told = made()
    lock = os.open(os.path.join(folder, "build-instr"), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    told = build(folder, check=2).stderr
    true("another callsight-cli builds there just now" in told and told.count("\n") == 1, told)
    os.close(lock)


@test
def test_the_build_system_is_remembered():
    for first in (("init", "--system", "make"), ("build", "--system", "make")):
        with Folder() as folder:
            write(folder, {"Makefile": "app: app.c\n", "CMakeLists.txt": "", "app.c": "int main (void) { return 0; }\n"})
            config(folder)
            cli(first[0], folder, *first[1:])
            told = build(folder).stdout
            true("make is taken, as before" in told and "1 program with the runtime" in told, told)
            true("nothing here for meson" in build(folder, "--system", "meson", check=2).stderr)
            # init isn't asked a second time, either.
            cli("init", folder, check=0 if first[0] == "init" else 2)
    # Also one that needs no wiring.
    with Folder() as folder:
        rule = "app: app.c\n\t$(CC) -o $@ app.c\n"
        write(folder, {"configure": "#!/bin/sh\necho \"CC = $CC\" >Makefile\ncat rule >>Makefile\n", "rule": rule,
                       "CMakeLists.txt": "", "app.c": "int main (void) { return 0; }\n"})
        config(folder)
        cli("init", folder, "--system", "autotools")
        told = build(folder).stdout
        true("autotools is taken, as before" in told and "1 program with the runtime" in told, told)
        # Who said that there is none is asked.
        cli("init", folder, "--system", "none")
        shutil.rmtree(os.path.join(folder, "build-instr"))
        true("choose with --system" in build(folder, check=2).stderr)


@test
def test_a_mirror_stays_apart_from_what_links_lead_to():
    with Folder() as top:
        folder = os.path.join(top, "p")
        mirror = os.path.join(folder, "build-instr")
        rule = "out/app: out/app.o\n\t$(CC) -o $@ $<\nout/app.o: app.c\n\t$(CC) -c -o $@ $<\n"
        write(folder, {"Makefile": rule, "app.c": "int main (void) { return 0; }\n", "a\nb": "c", ".callsight-build/x": "y"})
        write(top, {"other/file": "mine", "other/link": "", "normal/file": ""})
        # A name that the mirror has a folder of its own under, a pipe, and a folder outside.
        os.symlink(os.path.join(top, "other"), os.path.join(folder, "callsight"))
        os.mkfifo(os.path.join(folder, "pipe"))
        os.symlink("../normal", os.path.join(folder, "out"))
        config(folder)
        others = files(os.path.join(top, "other"))
        result = build(folder)
        true("left out callsight, which is no folder" in result.stdout, result.stdout)
        true("out leads to a folder outside the project" in result.stdout, result.stdout)
        true("2 files that the build made lie outside %s" % mirror in result.stderr, result.stderr)
        true(os.path.isfile(os.path.join(mirror, "a\nb")) and not os.path.lexists(os.path.join(mirror, "pipe")))
        # What lies outside is never removed: neither for another selection, nor because a list of copies names it.
        with open(os.path.join(mirror, "callsight", "mirror"), "a", encoding="utf-8") as file:
            file.write("%d 4 0 %d ../../other/file\n" % ((os.stat(os.path.join(top, "other", "file")).st_mtime_ns,) * 2))
        config(folder, "exclude-func main")
        told = build(folder, check=None).stdout
        true("1 object lies outside" in told, told)
        true(os.path.exists(os.path.join(top, "normal", "app.o")))
        equal(files(os.path.join(top, "other")), others)
        # Nor does it wait for pipes, or follow links, in the place of its own files.
        for name in ("mirror", "log"):
            os.unlink(os.path.join(mirror, "callsight", name))
            os.mkfifo(os.path.join(mirror, "callsight", name))
            build(folder, check=None)
        shutil.rmtree(os.path.join(mirror, "callsight"))
        os.symlink(os.path.join(top, "other"), os.path.join(mirror, "callsight"))
        true("callsight: it is there and no folder" in build(folder, "--clean", check=2).stderr)
        equal(files(os.path.join(top, "other")), others)


@test
def test_a_failed_build_goes_on():
    with Folder() as folder:
        projects.autotools_project(folder)
        config(folder)
        write(folder, {"src/util.c": "broken\n"})
        true("configure" in build(folder, check=1).stdout)
        write(folder, {"src/util.c": projects.UTIL})
        told = build(folder).stdout
        true("configure" not in told and "2 of 2 units" in told, told)


@test
def test_a_link_without_the_runtime_fails_the_build():
    makefile = "app: a.c\n\t$(CC) -c -O0 a.c\n\t$(CC) -nostartfiles -o app a.o\n"
    with Folder() as folder:
        write(folder, {"Makefile": makefile, "a.c": "void _start (void) { for (;;); }\n"})
        config(folder)
        result = build(folder, check=1)
        true("build-instr/app: holds hooks, but was linked without the runtime" in result.stderr, result.stderr)


@test
def test_nothing_with_hooks_is_no_success():
    with Folder() as folder:
        make_project(folder)
        config(folder, "include nothing.c")
        told = build(folder, check=1)
        true("nothing has hooks" in told.stderr, told.stderr)
        write(folder, {"Makefile": "all:\n\tgcc -Iinclude -c src/util.c -o util.o\n"})
        told = build(folder, "--clean", check=1)
        true("nothing was compiled through callsight-cc" in told.stderr, told.stderr)
        # make ignores a failure behind "-".
        write(folder, {"Makefile": "all:\n\t-$(CC) -c broken.c\n", "broken.c": "broken\n"})
        told = build(folder, "--clean", check=1)
        true("nothing was compiled through callsight-cc" in told.stderr and "compiles failed, see above" in told.stderr,
             told.stderr)


@test
def test_a_folder_of_another_user():
    runner = ()
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            raise Skip("needs setpriv")
        runner = ("setpriv", "--reuid=65534", "--clear-groups")
    with Folder() as folder:
        mirror = make_project(folder) + "/build-instr"
        config(folder)
        build(folder)
        os.chmod(folder, 0o755)
        for path in (mirror + "/callsight", mirror):
            os.chmod(path, 0o555)
            told = run(*runner, tap.CLI, "build", folder, env={"HOME": folder, "XDG_CACHE_HOME": folder}, check=2).stderr
            os.chmod(path, 0o755 if os.geteuid() != 0 else 0o777)
            true(told.startswith("callsight-cli: build: %s: can't be written (" % os.path.realpath(mirror)), told)
            true("--build-dir, or remove it" in told and told.count("\n") == 1, told)


@test
def test_an_interrupt_ends_what_was_started():
    with Folder() as folder:
        write(folder, {"Makefile": "all:\n\techo $$$$ > pid\n\tsleep 61 & wait\n", "a.c": "int x (void) { return 0; }\n"})
        config(folder)
        process = subprocess.Popen([tap.CLI, "build", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        path = os.path.join(folder, "build-instr", "pid")
        for _ in range(500):
            if os.path.exists(path) and os.path.getsize(path) > 1:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        equal(process.wait(timeout=120), -signal.SIGINT)
        process.stderr.close()
        sleeping = run("ps", "-eo", "args").stdout
        true("sleep 61" not in [line.strip() for line in sleeping.splitlines()], "a child is left")


if __name__ == "__main__":
    main()
