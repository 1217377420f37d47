# SPDX-License-Identifier: MIT
"""--addr2line, --source-map and --template-depth: whose names, which paths, how much of a name."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import named
import recordings as rec
import tap
from recordings import ENTER, EXIT
from tap import Folder, Skip, equal, main, run, test, true

OPTIONS = {"DEBUGINFOD_URLS": "", "CALLSIGHT_ADDR2LINE": "", "XDG_CACHE_HOME": "/dev/null/none"}


def script(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def refused(result, *words):
    equal(result.returncode, 2, "exit status (%s)" % result.stderr)
    equal(result.stdout, "", "stdout")
    equal(len(result.stderr.splitlines()), 1, "lines on stderr: " + result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


TOOLS = ("addr2line", "eu-addr2line", "llvm-addr2line", "llvm-symbolizer --output-style=GNU")


@test
def each_addr2line_names_functions_and_call_sites():
    with Folder() as folder:
        named.record(folder)
        log = folder + "/log"
        for tool in TOOLS:
            if not shutil.which(tool.split()[0]):
                raise Skip("no " + tool)
            # That it is asked shows in a log, and that it asks no server in its environment.
            asked = script(folder, "asked tool", 'echo "${DEBUGINFOD_URLS-none} $*" >>"%s"\nexec %s "$@"\n' % (log, tool))
            env = dict(OPTIONS, DEBUGINFOD_URLS="http://127.0.0.1:9/")
            data, found = named.rows(folder + "/traces", "--addr2line", "'%s'" % asked, env=env)
            equal(found, named.lines(folder + "/build/src/"), tool)
            equal(data["notices"], [], tool)
            with open(log, encoding="utf-8") as file:
                starts = file.read().splitlines()
            equal(len(starts), 2, "one child a file: %r" % starts)
            true(all(line.startswith("none -e ") for line in starts), "%r" % starts)
            os.remove(log)

            text = run(tap.CLI, "analyze", folder + "/traces", "--format", "callers", env=dict(OPTIONS, CALLSIGHT_ADDR2LINE=tool),
                       check=0).stdout
            for (caller, callee), line in named.CALLS.items():
                true(re.search(r"\b%s\b.*\b%s\b.*main\.c:%d\b" % (callee, caller, line), text),
                     "%s: %s from %s at line %d in\n%s" % (tool, callee, caller, line, text))


@test
def what_addr2line_does_not_know_has_module_and_offset():
    with Folder() as folder:
        named.record(folder)
        tool = script(folder, "tool", "while read a; do echo $a; echo '??'; echo '??:0'; done\n")
        data, found = named.rows(folder + "/traces", "--addr2line", tool, env=OPTIONS)
        equal(len(found), 4, "rows")
        for row in data["rows"]:
            equal(row["function"], "%s+%s" % (os.path.basename(row["module"]), row["address"]), "name")
        text = run(tap.CLI, "analyze", folder + "/traces", "--addr2line", tool, "--format", "callers", env=OPTIONS,
                   check=0).stdout
        true("??" not in text, text)


@test
def an_addr2line_that_fails_is_told_once_and_the_rest_is_read_here():
    with Folder() as folder:
        named.record(folder)
        for text, word in (("exit 3\n", "ended"), ("echo of no use >&2; exit 1\n", "of no use"),
                           ("exec cat\n", "empty"), ("read a; read b; echo $a; kill -9 $$\n", "ended"),
                           ("while read a; do echo nonsense; done\n", "begins with"), (None, "format not recognized")):
            tool = script(folder, "tool", text) if text else "arm-linux-gnueabihf-addr2line"
            if not text and not shutil.which(tool):
                continue
            data, found = named.rows(folder + "/traces", "--addr2line", tool, env=OPTIONS)
            equal(found, named.lines("src/"), "names and lines with %r" % text)
            equal(len(data["notices"]), 1, "notices: %r" % data["notices"])
            true("2 files were read in process" in data["notices"][0], data["notices"][0])
            true(word in data["notices"][0], data["notices"][0])


@test
def an_addr2line_that_fails_on_one_file_is_used_for_the_others():
    with Folder() as folder:
        named.record(folder)
        tool = script(folder, "tool", 'case "$2" in *.so) exit 1;; esac\nexec addr2line "$@"\n')
        data, found = named.rows(folder + "/traces", "--addr2line", tool, env=OPTIONS)
        wanted = named.lines(folder + "/build/src/")
        wanted["third"] = named.lines("src/")["third"]
        equal(found, wanted, "names and lines")
        equal(len(data["notices"]), 1, "notices: %r" % data["notices"])
        true("1 file was read in process" in data["notices"][0], data["notices"][0])


@test
def an_addr2line_that_is_not_there_is_refused_before_anything_runs():
    with Folder() as folder:
        for arguments, env, option in ((["--addr2line", "no-such-tool"], OPTIONS, "--addr2line: no-such-tool"),
                                       ([], dict(OPTIONS, CALLSIGHT_ADDR2LINE="no-such-tool"), "CALLSIGHT_ADDR2LINE: no-such-tool"),
                                       (["--addr2line", ""], OPTIONS, "--addr2line: "),
                                       (["--addr2line", "'a"], OPTIONS, "--addr2line: ")):
            refused(run(tap.CLI, "analyze", folder, *arguments, env=env), option)
            refused(run(tap.CLI, "run", "--dir", folder + "/t", *arguments, "--", "touch", folder + "/ran", env=env), option)
        equal(os.listdir(folder), [], "nothing ran")


@test
def an_interrupt_does_not_wait_for_an_addr2line_that_is_silent():
    with Folder() as folder:
        named.record(folder)
        tool = script(folder, "tool", "touch '%s/started'\nexec sleep 50\n" % folder)
        process = subprocess.Popen([tap.CLI, "analyze", folder + "/traces", "--addr2line", tool], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=dict(os.environ, **OPTIONS))
        while not os.path.exists(folder + "/started"):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        equal((process.returncode, out, err), (-signal.SIGINT, b"", b""), "ended by the signal, quietly")


def write_recording(folder, module, build_id, addresses, bias=0x10000):
    """Two calls of each function of a module, as another machine may have recorded them."""
    os.mkdir(folder + "/traces")
    records = [rec.event(kind, 10 * i + kind, bias + address) for i, address in enumerate(addresses)
               for kind in (ENTER, EXIT)]
    rec.write(folder + "/traces", "trace.1.1.0.bin", rec.header(t0_ns=5, load_bias=bias), *records)
    rec.write(folder + "/traces", "trace.1.process",
              ("CALLSIGHT-PROCESS 1\npid 1\nexe %s\nstart-monotonic-ns 5\nmodule 5 %x %x %x %s %s\n"
               % (module, bias, bias, bias + 0x100000, build_id, module)).encode())
    return folder + "/traces"


@test
def the_addr2line_of_another_machine():
    tool = "arm-linux-gnueabihf-addr2line"
    if not (shutil.which(tool) and shutil.which("arm-linux-gnueabihf-gcc")):
        raise Skip("no arm-linux-gnueabihf-gcc")
    with Folder() as folder:
        named.build(folder)
        program = folder + "/build/arm"
        run("arm-linux-gnueabihf-gcc", "-g", "-O0", "-mthumb", "-shared", "-fPIC", "-nostdlib", "-Wl,--build-id", "-o",
            program, "src/main.c", "src/library.c", cwd=folder + "/build", check=0)
        symbols = run("arm-linux-gnueabihf-nm", program, check=0).stdout
        # As a function pointer has it: bit 0 says Thumb.
        addresses = [int(line.split()[0], 16) | 1 for line in symbols.splitlines() if line.split()[-1] in named.LINES]
        equal(len(addresses), 4, "functions")
        traces = write_recording(folder, program, named.build_id(program), addresses)
        data, found = named.rows(traces, "--addr2line", tool, env=OPTIONS)
        equal(found, named.lines(folder + "/build/src/"), "names and lines")
        equal(data["notices"], [], "notices")


@test
def a_file_of_another_format_is_left_to_addr2line():
    with Folder() as folder:
        program = rec.write(folder, "firmware", b"S0 no ELF file\n")
        tool = script(folder, "tool", "while read a; do echo $a\n case $a in 0x40) echo start; echo /fw/start.s:9;; "
                      "*) echo '??'; echo '??:0';; esac; done\n")
        traces = write_recording(folder, program, "-", [0x40, 0x80])
        data, found = named.rows(traces, "--addr2line", tool, env=OPTIONS)
        equal(found, {"start": "/fw/start.s:9", "firmware+0x80": None}, "names")
        equal(data["notices"], [], "notices")
        # One that is not the recorded file isn't trusted, whoever reads it.
        shutil.rmtree(traces)
        write_recording(folder, program, "aabbccdd", [0x40])
        equal(list(named.rows(traces, "--addr2line", tool, env=OPTIONS)[1]), ["firmware+0x40"], "names")


@test
def a_source_map_applies_wherever_a_file_is_shown():
    with Folder() as folder:
        named.record(folder)
        build = folder + "/build"
        for maps, prefix in ((["%s=/new" % build], "/new/src/"), ([build + "/=/new/"], "/new/src/"),
                             ([build + "/src="], ""), (["src=lib"], "lib/"), (["/=/x"], "/x%s/src/" % build),
                             (["/nowhere=/x", build + "/src=/y", build + "=/z"], "/y/"),
                             ([build + "/sr=/x"], "src/"), (["rc=/x"], "src/")):
            options = [word for text in maps for word in ("--source-map", text)]
            _data, found = named.rows(folder + "/traces", *options, env=OPTIONS)
            equal(found, named.lines(prefix), "JSON with %r" % maps)
            text = run(tap.CLI, "analyze", folder + "/traces", *options, env=OPTIONS, check=0).stdout
            for function, location in named.lines(prefix).items():
                true("%s (%s)\n" % (function, location) in text, "%s at %s in\n%s" % (function, location, text))
            callers = run(tap.CLI, "analyze", folder + "/traces", "--format", "callers", *options, env=OPTIONS,
                          check=0).stdout
            for line in named.CALLS.values():
                true("%smain.c:%d" % (prefix, line) in callers, callers)


@test
def a_source_map_that_is_none():
    with Folder() as folder:
        for text in ("", "old", "=new", "/a/b"):
            refused(run(tap.CLI, "analyze", folder, "--source-map", text), "--source-map", "OLD=NEW")


TEMPLATES = """\
namespace ns {
template <class T> struct box { T value; };
template <class T> int count (box<T>) { return 1; }
}
int main ()
{
  return ns::count (ns::box<ns::box<int>> ()) + ns::count (ns::box<char> ()) + ns::count (ns::box<long> ()) == 3 ? 0 : 1;
}
"""


@test
def templates_are_collapsed_and_their_functions_stay_apart():
    if not shutil.which("g++"):
        raise Skip("no g++")
    with Folder() as folder:
        rec.write(folder, "t.cc", TEMPLATES.encode())
        run("g++", "-g", "-O0", "-finstrument-functions", "-o", "app", "t.cc", cwd=folder, check=0)
        run(tap.CLI, "run", "--dir", "traces", "--out", os.devnull, "--", "./app", cwd=folder, check=0)
        for depth, wanted in ((None, {"int ns::count<ns::box<int> >(ns::box<ns::box<int> >)",
                                      "int ns::count<char>(ns::box<char>)", "int ns::count<long>(ns::box<long>)", "main"}),
                              (0, {"int ns::count<…>(ns::box<…>)", "main"}),
                              (1, {"int ns::count<ns::box<…> >(ns::box<ns::box<…> >)",
                                   "int ns::count<char>(ns::box<char>)", "int ns::count<long>(ns::box<long>)", "main"})):
            options = [] if depth is None else ["--template-depth", depth]
            report = json.loads(run(tap.CLI, "analyze", "traces", "--format", "json", *options, cwd=folder, check=0).stdout)
            equal({row["function"] for row in report["rows"]}, wanted, "names at depth %r" % depth)
            equal([row["calls"] for row in report["rows"]], [1] * 4, "four functions, whatever their names")
            paths = run(tap.CLI, "analyze", "traces", "--format", "folded", *options, cwd=folder, check=0).stdout
            equal({line.rsplit(" ", 1)[0].split(";")[-1].replace(":", "") for line in paths.splitlines()},
                  {name.replace(":", "") for name in wanted}, "folded")
        for depth in ("-1", "-2"):
            refused(run(tap.CLI, "analyze", "traces", "--template-depth", depth, cwd=folder), "--template-depth " + depth)
        refused(run(tap.CLI, "analyze", "traces", "--template-depth", "x", cwd=folder), "--template-depth")


main()
