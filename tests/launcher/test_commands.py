# SPDX-License-Identifier: MIT
"""What reaches the compiler, and what comes back from it."""

import os
import signal
import subprocess

import tap
from launching import LAUNCHER, Project, arguments, fake_compiler, hooked, read, write
from tap import equal, main, test, true

ADDED = b"-finstrument-functions"
FILES = {"a.c": "int a (void) { return 1; }\n", "b.c": "int b (void) { return 2; }\n",
         "other.c": "int other (void) { return 3; }\n", "a.s": "", "a.m": "", "a.f90": "", "a.h": ""}
CHOSEN = {"a.c": ("+", "+a"), "b.c": ("+", "+b"), "other.c": "-", "a.h": "-"}


@test
def usage_and_version():
    result = tap.run(LAUNCHER, check=2)
    true(result.stderr.startswith("Usage: callsight-cc COMPILER"), result.stderr)
    equal(result.stdout, "", "stdout")
    result = tap.run(LAUNCHER, "--help", check=0)
    true(result.stdout.startswith("Usage: callsight-cc COMPILER"), result.stdout)
    true(tap.run(LAUNCHER, "--version", check=0).stdout.startswith("callsight-cc "), "version")
    tap.run(LAUNCHER, "-c", "x.c", check=2)


@test
def a_compiler_that_cannot_be_run():
    with Project(FILES, CHOSEN) as project:
        write(os.path.join(project.root, "text"), "no program")
        for argv, status, words in [(["no-such-compiler", "-c", "a.c"], 127, "no-such-compiler: No such file"),
                                    (["/no/such", "-c", "other.c"], 127, "/no/such: No such file"),
                                    (["./text", "-c", "a.c"], 126, "./text: Permission denied"),
                                    (["no-such-compiler", "a.c", "other.c"], 127, "no-such-compiler: No such file")]:
            result = project.launch(*argv, check=status)
            true("callsight-cc: " + words in result.stderr, result.stderr)
        project.no_leftovers()


@test
def what_passes_through_byte_for_byte():
    odd = ["", "a b", "new\nline", "\udcff\udc80", "-DX=\"y z\"", "quote'", "back\\slash", "*", "$HOME", "-", "@none"]
    table = [
        ["--version"], ["-v"], ["-print-file-name=libc.so"], ["-dumpmachine"], ["a.o"], ["-E", "a.c"], ["-M", "a.c"],
        ["-MM", "a.c"], ["-E", "-c", "a.c"], ["-fsyntax-only", "a.c"], ["-c", "other.c"], ["-c", "missing.c"],
        ["-c", "a.s"], ["-x", "assembler", "-c", "a.c"], ["-xassembler-with-cpp", "-c", "a.c"], ["-c", "a.m"],
        ["-c", "a.f90"], ["-x", "c-header", "a.h"], ["a.h"], ["-x", "c++-header", "a.c"], ["-x", "c", "-c", "-"],
        ["-###", "-c", "a.c"], ["-shared", "a.o", "-o", "a.so"], ["-r", "a.o", "-o", "r.o"], ["-c", "-o", "a.c", "other.c"],
        ["-c", "other.c", "-I", "a.c"], ["-c", "other.c", "-include", "a.h", "-D", "a.c", "-MF", "a.c", "-MT", "a.c"],
        ["-c", "other.c", "-Xlinker", "a.c", "-Xassembler", "a.c", "-Xpreprocessor", "a.c", "-Xclang", "a.c"],
        ["-c", "other.c", "-U", "a.c", "-L", "a.c", "-T", "a.c", "-u", "a.c", "-z", "a.c", "-imacros", "a.c"],
        ["-c", "other.c", "-isystem", "a.c", "-iquote", "a.c", "-idirafter", "a.c", "-isysroot", "a.c", "-target", "a.c"],
        ["-c", "other.c", "-B", "a.c", "-A", "a.c", "-MQ", "a.c", "-mllvm", "a.c", "--param", "a.c", "-aux-info", "a.c"],
        ["-c", "other.c", "a.c", "-o", "out"], ["@words", "-c", "other.c"],
        ["-c", "other.c"] + odd,
    ]
    with Project(FILES, CHOSEN) as project:
        write(os.path.join(project.root, "words"), "-DX '-DY=a b'\n")
        compiler = fake_compiler(project)
        for argv in table:
            project.quiet(compiler, *argv)
            equal(arguments(project), [os.fsencode(word) for word in argv], repr(argv))
        # Where there is no selection, all of it.
        os.unlink(project.selection)
        for argv in table + [["-c", "a.c"], ["a.c", "other.c"]]:
            project.quiet(compiler, *argv)
            equal(arguments(project), [os.fsencode(word) for word in argv], "no selection: " + repr(argv))


@test
def what_is_added_stands_in_front():
    table = [
        ["-c", "a.c"], ["a.c", "-c", "-o", "x.o"], ["-S", "a.c"], ["-xc", "-c", "a.c"], ["-x", "none", "-c", "a.c"],
        ["-c", "-MD", "-MF", "deps", "a.c"], ["-c", "a.c", "b.c"], ["-c", "--", "a.c"], ["-flto", "-c", "a.c", ""],
        ["-c", "-D", "other.c", "a.c"], ["-c", "-undef", "a.c"], ["-c", "./a.c", "-DX=\n"], ["@words"], ["-c", "@nested"],
        ["-c", "a.c", "b.o", "-o", "x.o"],  # of which the compiler says that it isn't linked
    ]
    with Project(FILES, CHOSEN) as project:
        write(os.path.join(project.root, "words"), "-c \"a.c\"\n -DX\\ Y 'a'\\''b'")
        write(os.path.join(project.root, "nested"), "@words")
        compiler = fake_compiler(project)
        for argv in table:
            project.quiet(compiler, *argv)
            got = arguments(project)
            equal(got[0], ADDED, repr(argv))
            true(got[1].startswith(b"-finstrument-functions-exclude-file-list="), repr(got))
            # And debug information, for lines, unless the command says what it wants of it.
            added = 2 if "-S" in argv else 3
            equal(got[2:added], [b"-g"][:added - 2], repr(argv))
            equal(got[added:], [os.fsencode(word) for word in argv], repr(argv))
        for debug in ["-g", "-g0", "-ggdb3", "-gsplit-dwarf", "-gdwarf-4"]:
            project.quiet(compiler, "-c", debug, "a.c")
            equal(arguments(project)[2:], [b"-c", os.fsencode(debug), b"a.c"], debug)


@test
def response_files():
    files = dict(FILES, **{"dir with space/a.c": "int spaced (void) { return 1; }\n"})
    with Project(files, dict(CHOSEN, **{"dir with space/a.c": ("+", "+spaced")})) as project:
        for text in ["-c 'dir with space/a.c'", '-c "dir with space/a.c"', "-c dir\\ with\\ space/a.c", "-c\n\n\tdir' 'with\" \"space/a.c\n",
                     "-c \"dir with \\space/a.c\"", "'-c' dir\\ with' space'/a.c ''"]:
            if text.endswith("''"):
                text = text[:-2]
            write(os.path.join(project.root, "words"), text)
            equal(project.hooks("gcc", "@words"), ["spaced"], text)
        write(os.path.join(project.root, "loop"), "-c a.c @loop")
        project.launch("gcc", "@loop", check=1)
        write(os.path.join(project.root, "words"), "-o 'out dir/b.o' -c b.c")
        os.mkdir(os.path.join(project.root, "out dir"))
        project.log()
        project.quiet("gcc", "@words")
        line = project.log()[0]
        true(line.startswith("compile ") and line.split(" ", 2)[2] ==
             "%s/out dir/b.o\t%s/b.c" % (project.root, project.root), line)


@test
def text_that_is_preprocessed_or_assembled():
    """-E as without the launcher, -S as with the options, a .i file as the source it was made of."""
    with Project(FILES, CHOSEN) as project:
        for cc in tap.compilers():
            for argv in (["-E", "a.c"], ["-E", "-dD", "b.c"], ["-M", "a.c"]):
                equal(project.launch(cc, *argv).stdout, tap.run(cc, *argv, cwd=project.root, check=0).stdout, repr(argv))
            project.quiet(cc, "-S", "a.c", "-o", "got.s")
            tap.run(cc, "-S", "-finstrument-functions", "a.c", "-o", "wanted.s", cwd=project.root, check=0)
            equal(read(project.root + "/got.s"), read(project.root + "/wanted.s"), "-S")
            project.quiet(cc, "-S", "other.c", "-o", "got.s")
            tap.run(cc, "-S", "other.c", "-o", "wanted.s", cwd=project.root, check=0)
            equal(read(project.root + "/got.s"), read(project.root + "/wanted.s"), "-S, not chosen")
            for source, wanted in [("a.c", ["a"]), ("other.c", [])][:2 if cc == "gcc" else 1]:
                tap.run(cc, "-E", source, "-o", "/".join([project.outer, "x.i"]), cwd=project.root, check=0)
                equal(project.hooks(cc, "-c", "../x.i"), wanted, cc + " " + source)
                equal(project.hooks(cc, "-x", "cpp-output", "-c", "../x.i"), wanted, cc + " " + source)


@test
def preprocessed_headers():
    files = {"a.c": '#include "taken.h"\n#include "left.h"\n#include <stdlib.h>\nint a (void) { return taken () + left () + atoi ("1"); }\n',
             "taken.h": "static int taken (void) { return 1; }\n", "left.h": "static int left (void) { return 1; }\n"}
    with Project(files, {"a.c": ("+", "+a"), "taken.h": ("+", "+taken"), "left.h": ("-", "-left")}) as project:
        tap.run("gcc", "-O1", "-E", "a.c", "-o", "a.i", cwd=project.root, check=0)
        equal(project.hooks("gcc", "-c", "a.i"), ["a", "taken"])
        equal(project.hooks("gcc", "-save-temps=obj", "-c", "a.c"), ["a", "taken"])


@test
def precompiled_headers():
    files = {"all.h": "static int all (void) { return 1; }\n", "a.c": '#include "all.h"\nint a (void) { return all (); }\n'}
    with Project(files, {"all.h": ("-", "-all"), "a.c": ("+", "+a")}) as project:
        for cc, name in [("gcc", "all.h.gch"), ("clang", "all.h.pch")]:
            if cc in tap.compilers():
                project.quiet(cc, "-x", "c-header", "all.h", "-o", name)
        equal(project.hooks("gcc", "-c", "a.c"), ["a"])


@test
def depfiles():
    unit = '#include "a.h"\n#include <stddef.h>\nint %s (void) { return 1; }\n'
    with Project({"a.c": unit % "a", "b.c": unit % "b", "other.c": unit % "other", "a.h": ""}, CHOSEN) as project:
        plain = os.path.join(project.outer, "plain")
        through = os.path.join(project.outer, "through")
        for cc in tap.compilers():
            for words in ["-c a.c -MD -MF y.d -MT z", "-c a.c other.c -MD",
                          "-c a.c b.c -MMD -MP", "-shared -fPIC a.c other.c -MD -o lib.so", "-shared -fPIC a.c other.c -MD",
                          "-shared -fPIC a.c other.c -MD -MF w.d -o lib.so", "-shared -fPIC a.c other.c -MD -MT t -o l.x.so"]:
                if cc != "gcc" and "-MP" not in words and not words.endswith("-MD -o lib.so"):
                    continue
                found = []
                for folder, argv in ((plain, [cc]), (through, [LAUNCHER, cc])):
                    for name in ("a.c", "b.c", "other.c", "a.h"):
                        write(os.path.join(folder, name), read(os.path.join(project.root, name)))
                    project.select(CHOSEN, lines=["mirror " + through])
                    tap.run(*argv, *words.split(), cwd=folder, check=0,
                            env={"CALLSIGHT_SELECTION": project.selection, "TMPDIR": project.scratch})
                    found.append({name: read(os.path.join(folder, name)) for name in os.listdir(folder)
                                  if name.endswith(".d")})
                    tap.run("rm", "-r", folder, check=0)
                equal(found[1], found[0], cc + " " + words)
                true(found[0], cc + " " + words)
        project.no_leftovers()


@test
def sources_of_one_command():
    with Project(dict(FILES, **{"main.c": "int a (void), other (void); int main (void) { return a () + other () - 4; }\n"}),
                 dict(CHOSEN, **{"main.c": ("%", "-main +x")})) as project:
        project.quiet("gcc", "-c", "a.c", "other.c", "b.c")
        for name, wanted in [("a", ["a"]), ("b", ["b"]), ("other", [])]:
            equal(sorted(hooked.functions("%s/%s.o" % (project.root, name))), wanted, name)
        log = project.log()
        equal([line.split("\t")[1] for line in log], ["%s/%s.c" % (project.root, name) for name in ("a", "other", "b")], "log")
        equal([line.split(" ")[1] == "0" for line in log], [False, True, False], "log: options")
        for argv in (["a.c", "other.c", "main.c", "-o", "prog"], ["-x", "c", "a.c", "other.c", "-x", "none", "main.c", "-o", "prog"],
                     ["-xc", "a.c", "main.c", "-xnone", "other.o", "-o", "prog"], ["-flto", "a.c", "other.c", "main.c", "-o", "prog"],
                     ["@words"]):
            write(os.path.join(project.root, "words"), "a.c other.c 'main.c' -o \"prog\" -DX=\\\"y\\\"")
            project.quiet("gcc", *argv)
            tap.run(project.root + "/prog", check=0)
            equal(project.log()[-1], "link 1 %s/prog" % project.root, repr(argv))
            os.unlink(project.root + "/prog")
        equal([name for name in os.listdir(project.root) if name.endswith(".o")].__len__(), 3, "objects")
        project.no_leftovers()


@test
def a_compile_that_fails():
    with Project(dict(FILES, **{"bad.c": "int bad (\n", "worse.c": "#error worse\n"}),
                 dict(CHOSEN, **{"bad.c": ("+", "+bad"), "worse.c": "-"})) as project:
        for cc in tap.compilers():
            for argv in (["-c", "bad.c"], ["bad.c", "other.c", "-o", "prog"], ["a.c", "other.c", "-o", "no/folder/prog"],
                         ["-c", "a.c", "worse.c", "b.c"], ["-c", "no.c"], ["a.c", "other.c"])[:6 if cc == "gcc" else 2]:
                tap.run("rm", "-f", "a.o", "b.o", cwd=project.root)
                result = project.launch(cc, *argv, check=1)
                true("error" in result.stderr, result.stderr)
                for name in ("prog", "bad.o", "a.out"):
                    true(not os.path.exists(project.root + "/" + name), name)
                if "b.c" in argv:
                    true(os.path.exists(project.root + "/b.o"), "the sources behind one that fails are compiled")
                project.no_leftovers()


@test
def exit_status_and_signals():
    with Project(FILES, CHOSEN) as project:
        for source in (["a.c"], ["other.c"], ["a.c", "other.c"]):
            for end, wanted in [("exit 3", 3), ("exit 200", 200), ("kill -TERM $$", -signal.SIGTERM), ("kill -SEGV $$", -signal.SIGSEGV)]:
                compiler = write(os.path.join(project.outer, "bin", "gcc"), "#!/bin/sh\necho out; echo err >&2\n" + end + "\n",
                                 executable=True)
                result = project.launch(compiler, "-c", *source, check=wanted)
                equal(result.stdout, "out\n" * len(source), "stdout")
                true(result.stderr.startswith("err\n" * len(source)), "stderr")


@test
def a_signal_while_sources_compile():
    with Project(FILES, CHOSEN) as project:
        compiler = write(os.path.join(project.outer, "bin", "gcc"),
                         "#!/bin/sh\ntouch %s/begun\nexec sleep 60\n" % project.outer, executable=True)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = subprocess.Popen([LAUNCHER, compiler, "a.c", "other.c", "-o", "prog"], cwd=project.root,
                                       env=dict(os.environ, TMPDIR=project.scratch), stderr=subprocess.PIPE,
                                       # One that was ignored when the tests began, as under nohup, would stay so.
                                       preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            while not os.path.exists(project.outer + "/begun") and process.poll() is None:
                pass
            os.unlink(project.outer + "/begun")
            process.send_signal(number)
            _out, errors = process.communicate(timeout=120)
            equal(process.returncode, -number, "end (%r)" % errors)
            project.no_leftovers()


@test
def clangs_working_directory():
    """What is relative begins there; and clang's own inside is left alone."""
    with Project(FILES, CHOSEN) as project:
        compiler = fake_compiler(project, "clang")
        for words in (["-working-directory", "project"], ["-working-directory=project"]):
            for source, wanted in (("a.c", True), ("other.c", False)):
                project.launch(compiler, *words, "-c", source, cwd="..", env={"CALLSIGHT_SELECTION": project.selection})
                equal(b"-finstrument-functions" in arguments(project), wanted, "%r %s" % (words, source))
        for words in (["-cc1", "-emit-obj"], ["-cc1as", "-filetype", "obj"]):
            project.launch(compiler, *words, "a.c")
            equal(arguments(project)[0].decode(), words[0], "first")


@test
def options_with_a_word_behind_them():
    """Which is no input, whatever it is called: of two inputs with one -o the compiler complains, and gets nothing added."""
    with Project(FILES, CHOSEN) as project:
        compiler = fake_compiler(project)
        for option in ("-isystem-after", "-iwithsysroot", "-dependency-file", "--config", "-include-pch", "-wrapper", "-B", "-imultilib",
                       "-specs", "-aux-info", "-Xclang", "-MF", "-dumpbase", "--param", "-T", "-u", "-z", "-Xlinker"):
            project.launch(compiler, option, "b.c", "-c", "a.c", "-o", "x.o")
            true(arguments(project)[0] == b"-finstrument-functions", option)
        for option in ("-MFb.c", "-ob.o", "--output=b.o", "-Wp,-MD,b.d", "-ffile-prefix-map=a=b.c", "-fworking-directory",
                       "-no-canonical-prefixes"):
            project.launch(compiler, option, "-c", "a.c")
            true(arguments(project)[0] == b"-finstrument-functions", option)


@test
def the_log():
    with Project({"a b.c": "int a (void) { return 1; }\n", "new\nline.c": "int n;\n", "other.c": "int main (void) { return 0; }\n"},
                 {"a b.c": ("+", "+a"), "new\nline.c": "-", "other.c": "-"}) as project:
        at = project.root
        project.quiet("gcc", "-c", "./a b.c")
        project.quiet("gcc", "-O2", "-c", "a b.c", "-o", at + "/x.o")
        project.quiet("gcc", "-S", "new\nline.c")
        project.quiet("gcc", "-E", "a b.c", "-o", "none")
        project.quiet("gcc", "other.c")
        project.quiet("gcc", "-shared", "-fPIC", "-w", "other.c", "-o", "x.so")
        log = project.log()
        equal([line.split(" ")[0] for line in log], ["compile"] * 4 + ["link", "compile", "link"], repr(log))
        hashes = [line.split(" ")[1] for line in log[:4]]
        true(len(hashes[0]) == 16 and int(hashes[0], 16), hashes[0])
        equal(hashes[1:], [hashes[0], "0", "0"], "hashes")
        equal([line.split(" ", 2)[2] for line in log[:4]],
              ["%s/a b.o\t%s/./a b.c" % (at, at), "%s/x.o\t%s/a b.c" % (at, at),
               "%s/new\\nline.s\t%s/new\\nline.c" % (at, at), "%s/a.out\t%s/other.c" % (at, at)], "paths")
        equal(log[4::2], ["link 0 %s/a.out" % at, "link 0 %s/x.so" % at], "links")
        # Other options, another hash.
        project.select({"a b.c": ("%", "-a +b"), "new\nline.c": "-"})
        project.quiet("gcc", "-c", "a b.c")
        true(project.log()[0].split(" ")[1] != hashes[0], "the hash follows the options")


if __name__ == "__main__":
    main()
