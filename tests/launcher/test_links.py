# SPDX-License-Identifier: MIT
"""The runtime at the link: where hooks are, once, and nowhere else."""

import os
import re
import shutil
import subprocess

import tap
from launching import LAUNCHER, RUNTIME, Project, arguments, fake_compiler, read, write
from tap import Skip, equal, main, test, true

FILES = {
    "main.c": "int f (void), g (void); int main (void) { return f () + g () - 3; }\n",
    "f.c": "int f (void) { return 1; }\n",
    "g.c": "int g (void) { return 2; }\n",
}
CHOSEN = {"main.c": "-", "f.c": ("+", "+f"), "g.c": "-"}
# A runtime that is quickly compiled.
SMALL = "#include \"trace_hook.h\"\nHOOK void __cyg_profile_func_enter (void *f, void *c) { }\n" \
        "HOOK void __cyg_profile_func_exit (void *f, void *c) { }\n"
SMALL_HEADER = "#define HOOK __attribute__ ((no_instrument_function))\n"
HOOKS = "#include <stdio.h>\nvoid __cyg_profile_func_enter (void *f, void *c) { puts (\"own\"); }\n" \
        "void __cyg_profile_func_exit (void *f, void *c) { }\n"


def has_runtime(path):
    # On 64-bit PowerPC a function's name is that of data.
    return re.search(" [TD] __cyg_profile_func_enter", tap.run("nm", path, check=0).stdout) is not None


def linked(project, output, runtime, *argv, cwd="", env=None):
    """Links, and looks at the file, the log, and what a run records."""
    project.log()
    project.quiet(*argv, "-o", output, cwd=cwd, env=env)
    path = os.path.join(project.root, cwd, output)
    equal(project.log()[-1], "link %d %s" % (runtime, path), " ".join(argv))
    equal(has_runtime(path), runtime == 1, " ".join(argv))
    traces = os.path.join(project.outer, "traces")
    shutil.rmtree(traces, ignore_errors=True)
    tap.run(path, check=0, env={"TRACE_ENABLE": "1", "TRACE_DIR": traces, "LD_LIBRARY_PATH": project.root})
    equal(os.path.isdir(traces) and any(name.endswith(".bin") for name in os.listdir(traces)), runtime == 1, "a recording")


def small_runtime(project, name="small"):
    folder = os.path.join(project.outer, name)
    write(os.path.join(folder, "trace.c"), SMALL)
    write(os.path.join(folder, "trace_hook.h"), SMALL_HEADER)
    return folder


@test
def executables():
    with Project(FILES, CHOSEN) as project:
        for cc in tap.compilers():
            project.quiet(cc, "-c", "main.c", "f.c", "g.c")
            linked(project, "prog", 1, cc, "main.o", "f.o", "g.o")
            linked(project, "prog", 1, cc, "main.c", "f.c", "g.c")
            if cc == "gcc":
                linked(project, "prog", 1, cc, "-no-pie", "-x", "c", "main.c", "f.c", "g.c")
                linked(project, "prog", 1, cc, "-flto", "main.c", "f.c", "g.c")
                linked(project, "prog", 1, cc, "-static", "main.o", "f.o", "g.o")
                linked(project, "prog", 1, cc, "-pthread", "-pie", "main.o", "f.o", "g.o")
            project.quiet(cc, "-flto", "-c", "main.c", "f.c", "g.c")
            linked(project, "prog", 1, cc, "-flto", "-O2", "main.o", "f.o", "g.o")
            project.select({path: "-" for path in CHOSEN})
            project.quiet(cc, "-c", "f.c")
            linked(project, "prog", 0, cc, "main.c", "f.o", "g.c")
            project.select(CHOSEN)
        project.no_leftovers()


@test
def other_targets():
    with Project(FILES, CHOSEN) as project:
        tried = 0
        project.select(CHOSEN, runtime=small_runtime(project))
        for compiler in ("aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "powerpc-linux-gnu-gcc", "powerpc64-linux-gnu-gcc",
                         "musl-gcc"):
            if shutil.which(compiler):
                write(project.root + "/own.c", HOOKS)
                project.quiet(compiler, "-c", "main.c", "f.c", "g.c", "own.c")
                for argv in ([], ["-static"], ["own.o"]):
                    project.quiet(compiler, "main.o", "f.o", "g.o", *argv, "-o", "prog")
                    equal(project.log()[-1], "link 1 %s/prog" % project.root, compiler)
                    true(has_runtime(project.root + "/prog"), compiler)
                tried += 1
        if not tried:
            raise Skip("no cross compiler")


@test
def archives():
    with Project(FILES, CHOSEN) as project:
        project.quiet("gcc", "-c", "main.c", "f.c", "g.c")
        os.mkdir(project.root + "/lib")
        for kind, names in [("rcs", ["g.o", "f.o"]), ("rcsT", ["g.o", "f.o"])]:
            for path in ("lib/libfg.a", "libfg.a"):
                if os.path.exists(project.root + "/" + path):
                    os.unlink(project.root + "/" + path)
                tap.run("ar", kind, path, *names, cwd=project.root, check=0)
            ways = (["main.o", "lib/libfg.a"], ["main.o", "-Llib", "-lfg"], ["main.o", "-L", "lib", "-l", "fg"],
                         ["main.o", "-Llib", "-l:libfg.a"], ["-Llib", "main.o", "-Wl,-lfg"],
                         ["main.o", "-Wl,--start-group,lib/libfg.a,--end-group"], ["main.o", "-Xlinker", "lib/libfg.a"],
                         ["-Wl,--whole-archive", "lib/libfg.a", "-Wl,--no-whole-archive", "main.c"], ["@objects"])
            for argv in ways if kind == "rcs" else ways[:2]:
                write(project.root + "/objects", "main.o lib/libfg.a")
                project.quiet("gcc", *argv, "-o", "prog")
                true(has_runtime(project.root + "/prog"), "%s: %r" % (kind, argv))
        # Names that are longer than an archive's header holds.
        long_name = "a_long_name_of_an_object.o"
        os.rename(project.root + "/f.o", project.root + "/" + long_name)
        tap.run("ar", "rcsT", "lib/liblong.a", long_name, "g.o", cwd=project.root, check=0)
        linked(project, "prog", 1, "gcc", "main.o", "lib/liblong.a")


@test
def shared_libraries():
    with Project(FILES, CHOSEN) as project:
        for cc in tap.compilers():
            project.log()
            project.quiet(cc, "-shared", "-fPIC", "f.c", "g.c", "-o", "libfg.so")
            equal(project.log()[-1], "link 0 %s/libfg.so" % project.root, "library")
            true(not has_runtime(project.root + "/libfg.so"), "no runtime in a library")
            linked(project, "prog", 1, cc, "main.c", *(["-L.", "-lfg"] if cc == "gcc" else ["libfg.so"]))
        # Hooks of libraries outside the project are none of ours.
        os.mkdir(project.outer + "/lib")
        os.rename(project.root + "/libfg.so", project.outer + "/lib/libfg.so")
        project.quiet("gcc", "main.c", "-L../lib", "-lfg", "-o", "prog")
        equal(project.log()[-1], "link 0 %s/prog" % project.root, "outside")


@test
def programs_of_cpp():
    files = {"main.cpp": "int f (int);\nint main () { try { return f (1); } catch (int x) { return x - 1; } }\n",
             "f.cc": "int f (int x) { throw x; }\n"}
    with Project(files, {"main.cpp": "-", "f.cc": ("+", "+f")}) as project:
        for cc in [name for name in ("g++", "clang++") if shutil.which(name)]:
            project.quiet(cc, "-c", "main.cpp", "f.cc")
            linked(project, "prog", 1, cc, "main.o", "f.o")
        linked(project, "prog", 1, "g++", "main.cpp", "f.cc", "-static")


@test
def hooks_of_the_projects_own():
    """No second definition."""
    with Project(dict(FILES, **{"own.c": HOOKS}), CHOSEN) as project:
        project.select(CHOSEN, runtime=small_runtime(project))
        project.quiet("gcc", "-c", "main.c", "f.c", "g.c", "own.c")
        tap.run("ar", "rcs", "libown.a", "own.o", cwd=project.root, check=0)
        tap.run("gcc", "-flto", "-c", "own.c", "-o", "slim.o", cwd=project.root, check=0)
        objects, sources = ["main.o", "f.o", "g.o"], ["main.c", "f.c", "g.c"]
        for argv in (objects + ["own.o"], sources + ["libown.a"], objects + ["-L.", "-lown"], ["-flto", "slim.o"] + sources):
            project.log()
            project.quiet("gcc", *argv, "-o", "prog")
            equal(tap.run(project.root + "/prog", check=0).stdout, "own\n", repr(argv))
            equal(project.log()[-1], "link 1 %s/prog" % project.root, repr(argv))


@test
def links_that_get_no_runtime():
    with Project(dict(FILES, **{"start.c": "void _start (void) { for (;;) ; }\n"}), CHOSEN) as project:
        project.quiet("gcc", "-c", "f.c", "g.c", "start.c", "main.c")
        project.log()
        project.quiet("gcc", "-r", "-nostdlib", "f.o", "g.o", "-o", "fg.o")
        equal(project.log(), [], "a relocatable object is no program")
        project.quiet("gcc", "-nostdlib", "-no-pie", "-Wl,-r", "f.o", "g.o", "-o", "again.o")
        equal(project.log(), [], "nor is it where the linker is told by itself")
        true(not has_runtime(project.root + "/again.o"), "a runtime in a relocatable object")
        linked(project, "prog", 1, "gcc", "main.o", "fg.o")
        for option in ("-nostdlib", "-nostartfiles"):
            project.quiet("gcc", option, "start.o", "f.o", "g.o", "-lc", "-o", "bare")
            equal(project.log(), ["link 2 %s/bare" % project.root], option)


@test
def the_compiled_runtime_is_kept():
    with Project(FILES, CHOSEN) as project:
        cache = os.path.join(project.outer, "cache")
        kept = os.path.join(cache, "callsight", "runtime")
        runtime = small_runtime(project)
        project.select(CHOSEN, runtime=runtime)
        project.quiet("gcc", "-c", "main.c", "f.c", "g.c")

        def link(*options):
            project.quiet("gcc", *options, "main.o", "f.o", "g.o", "-o", "prog", env={"XDG_CACHE_HOME": cache})
            true(has_runtime(project.root + "/prog"), repr(options))
            return {name: os.stat(os.path.join(kept, name)).st_ino for name in os.listdir(kept)}

        first = link()
        equal(len(first), 1, repr(first))
        equal(link("-O2", "-g"), first, "kept")
        equal(len(link("-march=x86-64-v2")), 2, "other options, another object")
        project.select(CHOSEN, runtime=small_runtime(project, "copy"))
        equal(len(link()), 3, "another runtime")
        write(os.path.join(project.outer, "copy", "trace_hook.h"), SMALL_HEADER + "\n")
        equal(len(link()), 4, "a changed runtime")
        equal(len(link()), 4, "kept")
        # Many at once: each gets a whole one.
        shutil.rmtree(cache)
        processes = [subprocess.Popen([LAUNCHER, "gcc", "main.o", "f.o", "g.o", "-o", "prog%d" % i], cwd=project.root,
                                      env=dict(os.environ, XDG_CACHE_HOME=cache)) for i in range(4)]
        equal([process.wait(60) for process in processes], [0] * 4, "many at once")
        true(all(has_runtime("%s/prog%d" % (project.root, i)) for i in range(4)), "many at once")
        equal(len(os.listdir(kept)), 1, "many at once")
        # A launcher before a launcher adds once.
        project.log()
        project.quiet(LAUNCHER, "gcc", "main.o", "f.o", "g.o", "-o", "prog", env={"XDG_CACHE_HOME": cache})
        equal(project.log(), ["link 1 %s/prog" % project.root], "a launcher before a launcher")


@test
def a_runtime_that_cannot_be_compiled():
    with Project(FILES, CHOSEN) as project:
        broken = os.path.join(project.outer, "broken")
        write(os.path.join(broken, "trace.c"), "#include <stdio.h>\n#error broken here\n")
        project.quiet("gcc", "-c", "main.c", "f.c", "g.c")
        project.log()
        for runtime, words in [(broken, "broken here")]:
            project.select(CHOSEN, runtime=runtime)
            result = project.launch("gcc", "main.o", "f.o", "g.o", "-o", "prog", env={"XDG_CACHE_HOME": project.outer})
            equal(len(result.stderr.splitlines()), 1, result.stderr)
            true(words in result.stderr and "callsight-cc: " in result.stderr, result.stderr)
            equal(project.log(), ["link 2 %s/prog" % project.root], words)
            tap.run(project.root + "/prog", check=0)
            equal(os.listdir(os.path.join(project.outer, "callsight", "runtime")), [], "leftovers")


@test
def no_folder_for_the_cache():
    """Then the runtime lies beside the selection."""
    with Project(FILES, CHOSEN) as project:
        write(os.path.join(project.outer, "file"), "")
        project.select(CHOSEN, runtime=small_runtime(project))
        project.quiet("gcc", "main.c", "f.c", "g.c", "-o", "prog",
                      env={"XDG_CACHE_HOME": project.outer + "/file/x", "HOME": project.outer + "/file"})
        true(has_runtime(project.root + "/prog"), "the runtime")


@test
def options_of_the_runtime():
    with Project(FILES, CHOSEN, lines=["hooks after-inlining"]) as project:
        compiler = write(os.path.join(project.outer, "bin", "clang"),
                         "#!/bin/sh\nfor a; do case $p in -o) echo x >\"$a\";; esac; p=$a; done\n"
                         "printf '%%s\\n' \"$*\" >>%s/calls\n" % project.outer, executable=True)
        tap.run("gcc", "-finstrument-functions", "-c", "f.c", cwd=project.root, check=0)
        project.quiet(compiler, "-m32", "-march=i686", "--target=x", "-target", "y", "--sysroot", "/s", "-isysroot/t", "-O3",
                      "-fsanitize=address", "-flto", "-g", "-DNDEBUG", "-Iinc", "f.o", "-o", "prog",
                      env={"XDG_CACHE_HOME": project.outer})
        compile, link = read(project.outer + "/calls").decode().splitlines()
        true(compile.startswith("-m32 -march=i686 --target=x -target y --sysroot /s -isysroot/t -x c -std=c11 -O2 "), compile)
        true(" -DTRACE_HOOKS_AFTER_INLINING " in compile, compile)
        for word in ("sanitize", "-flto", "-O3", "-DNDEBUG", "-Iinc"):
            true(word not in compile, compile)
        true(" -lpthread -m32 -march=i686 " in link and link.endswith("-Iinc f.o -o prog"), link)


@test
def damaged_objects():
    """Whatever the linker says, the launcher comes to its end."""
    with Project(FILES, CHOSEN) as project:
        project.quiet("gcc", "-c", "f.c", "g.c")
        tap.run("ar", "rcs", "lib.a", "g.o", "f.o", cwd=project.root, check=0)
        compiler = fake_compiler(project)
        for name in ("f.o", "lib.a"):
            whole = read(project.root + "/" + name)
            for at in list(range(0, 64, 3)) + list(range(64, len(whole), max(1, len(whole) // 20))):
                for damaged in (whole[:at], whole[:at] + b"\xff\xff\xff\x7f" + whole[at + 4:]):
                    write(project.root + "/damaged" + name[-2:], damaged)
                    project.launch(compiler, "damaged" + name[-2:])
                    true(arguments(project)[-1] == b"damaged" + name[-2:].encode(), "the command")


if __name__ == "__main__":
    main()
