# SPDX-License-Identifier: MIT
"""Build systems and compiler caches, with no file of theirs edited."""

import os
import shutil

import tap
from launching import LAUNCHER, Project, hooked, read, write
from tap import Skip, equal, main, test, true

FILES = {
    "src/main.c": '#include "util.h"\nint f (int); int main (void) { return f (util (1)) - 1; }\n',
    "src/f.c": '#include "util.h"\nint f (int x) { return util (x); }\n',
    "include/util.h": "static inline int util (int x) { return x; }\n",
    "lib/plain.c": "int plain (void) { return 1; }\n",
}
CHOSEN = {"src/main.c": ("%", "+main -x"), "src/f.c": ("+", "+f"), "include/util.h": ("-", "-util"), "lib/plain.c": "-"}
WANTED = ["f", "main"]


def recorded(project, program):
    traces = os.path.join(project.outer, "traces")
    shutil.rmtree(traces, ignore_errors=True)
    tap.run(program, check=0, env={"TRACE_ENABLE": "1", "TRACE_DIR": traces})
    return any(name.endswith(".bin") for name in os.listdir(traces))


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip("no " + program)


@test
def make():
    need("make")
    makefile = "CFLAGS = -Iinclude -MMD\nprog: src/main.o src/f.o lib/plain.o\n\t$(CC) -o $@ $^\n-include src/*.d\n"
    with Project(dict(FILES, Makefile=makefile), CHOSEN) as project:
        for cc in ("gcc", "ccache gcc"):
            if not shutil.which(cc.split()[0]):
                continue
            env = {"CALLSIGHT_LOG": project.log_path, "CCACHE_DIR": project.outer + "/ccache"}
            tap.run("make", "-B", "-s", "-j4", "CC=%s %s" % (LAUNCHER, cc), cwd=project.root, env=env, check=0)
            equal(sorted(hooked.functions(*hooked.objects(project.root))), WANTED, cc)
            true(recorded(project, project.root + "/prog"), cc)
            log = project.log()
            equal(sorted(line.split(" ")[0] for line in log), ["compile"] * 3 + ["link"], repr(log))
            true("link 1 %s/prog" % project.root in log, repr(log))


@test
def cmake():
    need("cmake", "make")
    lists = """cmake_minimum_required (VERSION 3.21)
project (p C)
include_directories (include)
add_library (plain SHARED lib/plain.c)
add_executable (prog src/main.c src/f.c)
target_link_libraries (prog plain)
add_executable (other lib/main.c)
"""
    files = dict(FILES, **{"CMakeLists.txt": lists, "lib/main.c": "int main (void) { return 0; }\n"})
    with Project(files, CHOSEN) as project:
        build = os.path.join(project.root, "build")
        launchers = ["-DCMAKE_C_%s_LAUNCHER=%s" % (kind, LAUNCHER) for kind in ("COMPILER", "LINKER")]
        for cc in tap.compilers()[:1]:
            shutil.rmtree(build, ignore_errors=True)
            tap.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_C_COMPILER=" + cc, *launchers, cwd=project.root, check=0)
            result = tap.run("cmake", "--build", "build", "-j2", cwd=project.root, check=0, env={"CALLSIGHT_LOG": project.log_path})
            equal(result.stderr, "", "stderr")
            equal(sorted(hooked.functions(*hooked.objects(build))), WANTED, cc)
            true(recorded(project, build + "/prog"), cc)
            log = project.log()
            for line in ("link 1 %s/prog" % build, "link 0 %s/other" % build, "link 0 %s/libplain.so" % build):
                true(line in log, "%r in %r" % (line, log))


@test
def meson():
    need("meson", "ninja")
    build_file = "project('p', 'c')\nexecutable('prog', 'src/main.c', 'src/f.c', include_directories: 'include')\n"
    with Project(dict(FILES, **{"meson.build": build_file}), CHOSEN) as project:
        write(project.root + "/native.ini", "[binaries]\nc = ['%s', 'gcc']\n" % LAUNCHER)
        tap.run("meson", "setup", "build", "--native-file", "native.ini", cwd=project.root, check=0)
        tap.run("ninja", "-C", "build", "-j2", cwd=project.root, check=0)
        equal(sorted(hooked.functions(*hooked.objects(project.root + "/build"))), WANTED)
        true(recorded(project, project.root + "/build/prog"), "a recording")


@test
def ccache_behind():
    """A second build is from the cache, and another selection is not."""
    need("ccache")
    with Project(FILES, CHOSEN) as project:
        env = {"CCACHE_DIR": project.outer + "/ccache", "CCACHE_STATSLOG": project.outer + "/stats"}
        for direct in ("CCACHE_NODIRECT", "CCACHE_DIRECT"):
            shutil.rmtree(project.outer + "/ccache", ignore_errors=True)
            wanted = None
            for choice, functions, hooks, hit in [("+", "+f", ["f"], False), ("+", "+f", ["f"], True),
                                                  ("-", "", [], False), ("+", "+f", ["f"], True)]:
                project.select(dict(CHOSEN, **{"src/f.c": (choice, functions)}))
                write(project.outer + "/stats", "")
                equal(project.hooks("ccache", "gcc", "-Iinclude", "-c", "src/f.c", env=dict(env, **{direct: "1"})), hooks,
                      direct)
                equal("cache_hit" in read(project.outer + "/stats").decode() and
                      "cache_miss" not in read(project.outer + "/stats").decode().splitlines(), hit, direct)


@test
def ccache_in_front():
    """It must be told of the selection: it knows nothing of what the launcher adds."""
    need("ccache")
    with Project(FILES, CHOSEN) as project:
        env = dict(os.environ, CCACHE_DIR=project.outer + "/ccache", CCACHE_PREFIX=LAUNCHER,
                   CCACHE_EXTRAFILES=project.selection)
        out = project.root + "/f.o"
        for choice, functions, hooks in [("+", "+f", ["f"]), ("-", "", []), ("+", "+f", ["f"]), ("%", "-f +x", [])]:
            project.select(dict(CHOSEN, **{"src/f.c": (choice, functions)}))
            for _time in range(2):
                tap.run("ccache", "gcc", "-Iinclude", "-c", "src/f.c", "-o", out, cwd=project.root, env=env, check=0)
                equal(sorted(hooked.functions(out)), hooks, choice)


@test
def configure_scripts():
    """What they try to compile and link comes out as it does without the launcher."""
    tries = [("int main (void) { return 0; }\n", []), ("#include <no_such.h>\n", ["-c"]), ("int main (void) { nothing (); }\n", ["-Werror"]),
             ("char f (); int main (void) { return f (); }\n", []), ("#error no\n", ["-E"]), ("int x;\n", ["-c"]),
             ("#include <pthread.h>\nint main (void) { return pthread_self () == 0; }\n", ["-pthread"])]
    with Project(FILES, CHOSEN) as project:
        for text, words in tries:
            write(project.root + "/conftest.c", text)
            for cc in tap.compilers() if not words else tap.compilers()[:1]:
                got = project.launch(cc, *words, "conftest.c", "-o", "conftest", check=None)
                wanted = tap.run(cc, *words, "conftest.c", "-o", "conftest", cwd=project.root)
                equal(got.returncode, wanted.returncode, text)
                equal(got.stdout, wanted.stdout, text)
        for cc in tap.compilers():
            for word in ("-v", "-V", "-qversion", "--version", "-print-search-dirs", "-dumpmachine", "-print-prog-name=ld"):
                got, wanted = project.launch(cc, word, check=None), tap.run(cc, word, cwd=project.root)
                equal((got.returncode, got.stdout, got.stderr), (wanted.returncode, wanted.stdout, wanted.stderr), cc + " " + word)


if __name__ == "__main__":
    main()
