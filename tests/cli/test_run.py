# SPDX-License-Identifier: MIT
"""callsight-cli run on real programs: names, counts, exit statuses, and what goes wrong."""

import atexit
import functools
import glob
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time

import compiled
import recordings as rec
import tap
from tap import Folder, compilers, equal, main, run, test, true
from told import told

PROGRAMS = os.path.join(tap.TOP, "tests", "cli", "programs")
COUNTS = {"main": [1], "work": [3], "step": [12], "apply": [3], "helper": [3], "twin": [6, 12]}


@functools.cache
def kept():
    """A folder for what several tests use; gone at the end."""
    folder = tempfile.mkdtemp(prefix="callsight-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def build(folder, cc="gcc", flags=("-O0", "-g"), name="shapes", sources=("shapes.c", "helper.c"), runtime=True,
          hooks=True):
    """Compiles a test program with hooks and links the runtime."""
    out = os.path.join(folder, name)
    objects = [compiled.runtime("gcc")] if runtime else []
    run(cc, *flags, *(["-finstrument-functions"] if hooks else []), *[os.path.join(PROGRAMS, s) for s in sources], *objects,
        "-o", out, "-pthread", check=0)
    return out


def run_cli(folder, *arguments, check=0, options=(), env=None):
    return run(tap.CLI, "run", "--dir", os.path.join(folder, "traces"), *options, "--", *arguments,
               check=check, cwd=folder, env=env)


def run_json(folder, *arguments, options=()):
    out = os.path.join(folder, "report.json")
    run_cli(folder, *arguments, options=("--format", "json", "--top", "0", "--out", out, *options))
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def counts(data):
    result = {}
    for row in data["rows"]:
        result.setdefault(row["function"], []).append(row["calls"])
    return {name: sorted(calls) for name, calls in result.items()}


def failed(result, status, *words):
    equal(result.returncode, status, "exit status (%s)" % result.stderr)
    equal(len(result.stderr.splitlines()), 1, "lines on stderr: " + result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


@test
def every_compiler_level_and_kind_of_binary():
    for cc in compilers():
        for flags in (["-O0", "-g"], ["-O2", "-g", "-fno-inline"], ["-O1", "-g", "-fno-inline", "-no-pie"],
                      ["-O0", "-gdwarf-4"], ["-O0", "-gdwarf-5", "-no-pie"]):
            with Folder() as folder:
                program = build(folder, cc, flags)
                data = run_json(folder, program)
                equal(counts(data), COUNTS, "%s %s" % (cc, flags))
                equal(data["unmatched_exits"] + data["unclosed_enters"] + data["repaired"], 0, "clean")
                equal(data["notices"], [], "notices")
                for row in data["rows"]:
                    source = "helper.c" if row["function"] == "helper" or row["calls"] == 6 else "shapes.c"
                    true(row["location"].rsplit(":", 1)[0].endswith("programs/" + source), row)


@test
def lines_are_those_of_the_source():
    with Folder() as folder:
        data = run_json(folder, build(folder))
        with open(os.path.join(PROGRAMS, "shapes.c"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for row in data["rows"]:
            if row["function"] in ("step", "work", "apply", "main"):
                number = int(row["location"].rsplit(":", 1)[1])
                equal(lines[number - 1], "{", row["location"])
                true(" %s(" % row["function"] in lines[number - 2], "%s: %s" % (row["location"], lines[number - 2]))


@test
def names_of_cxx_functions():
    for cc in ("g++", "clang++"):
        if not shutil.which(cc):
            continue
        with Folder() as folder:
            data = run_json(folder, build(folder, cc, sources=["shapes.cpp"]))
            wanted = {"main": [1], "run()": [1], "int shapes::twice<int>(int)": [1],
                      "short shapes::twice<short>(short)": [1], "shapes::Point::Point(int)": [3],
                      "shapes::Point::operator+(shapes::Point const&) const": [1]}
            got = counts(data)
            lambdas = [name for name in got if "lambda" in name or "run()::$_0" in name]
            equal([got.pop(name) for name in lambdas], [[2]], "the lambda in %r" % data["rows"])
            equal(got, wanted, cc)


@test
def a_shared_library_is_named():
    with Folder() as folder:
        library = os.path.join(folder, "libhelper.so")
        run("gcc", "-O0", "-g", "-fPIC", "-shared", "-finstrument-functions", os.path.join(PROGRAMS, "helper.c"),
            "-o", library, check=0)
        run("gcc", "-O0", "-g", "-finstrument-functions", os.path.join(PROGRAMS, "shapes.c"), compiled.runtime("gcc"),
            "-L" + folder, "-lhelper", "-Wl,-rpath," + folder, "-o", folder + "/shapes", "-pthread", check=0)
        data = run_json(folder, folder + "/shapes")
        equal(counts(data), COUNTS, "counts")
        modules = {row["function"]: row["module"] for row in data["rows"] if row["function"] in ("helper", "work")}
        equal(modules, {"helper": library, "work": folder + "/shapes"}, "modules")


@test
def exit_status_and_signal_are_in_the_report():
    with Folder() as folder:
        program = build(folder)
        result = run_cli(folder, program, "exit", "7")
        true("exit_status=7" in result.stdout.splitlines()[0], result.stdout)
        data = run_json(folder, program, "exit", "7")
        equal(data["program"], {"command": [program, "exit", "7"], "exit_status": 7, "signal": 0,
                                "timed_out": False}, "program")


@test
def the_program_keeps_its_input_and_output():
    with Folder() as folder:
        program = build(folder)
        lines = run_cli(folder, program).stdout.splitlines()
        true(lines[0].lstrip("-").isdigit(), "the program's own line comes first: %r" % lines[:2])
        equal(lines[2].split()[0], "events=80", "then the report")


@test
def timeout_stops_with_sigterm():
    with Folder() as folder:
        program = build(folder)
        start = time.monotonic()
        data = run_json(folder, program, "sleep", options=("--timeout", "2"))
        true(time.monotonic() - start >= 2, "not before its time")
        equal(data["program"], {"command": [program, "sleep"], "exit_status": int(signal.SIGTERM), "signal": 0,
                                "timed_out": True}, "it could end in its own way")
        equal(counts(data)["work"], [3], "what it did is recorded")


@test
def sigterm_to_the_cli_stops_the_program_and_reports():
    with Folder() as folder:
        program = build(folder)
        process = subprocess.Popen([tap.CLI, "run", "--dir", folder + "/traces", "--", program, "sleep"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        equal(process.stdout.readline(), "asleep\n", "its line")
        process.terminate()
        out, err = process.communicate(timeout=120)
        equal((process.returncode, err), (0, ""), "status and stderr")
        true("exit_status=15" in out and "work" in out, out)


@test
def what_cannot_be_started():
    with Folder() as folder:
        plain = rec.write(folder, "plain.txt", b"hello")
        os.chmod(plain, 0o644)
        failed(run_cli(folder, "./nothing", check=None), 3, "./nothing", "is it built?")
        failed(run_cli(folder, "no-such-program-anywhere", check=None), 3, "PATH")
        failed(run_cli(folder, plain, check=None), 3, plain, "chmod")
        failed(run_cli(folder, folder, check=None), 3, "folder")
        noexec = rec.write(folder, "script", b"#!/no/such/interpreter\n")
        os.chmod(noexec, 0o755)
        failed(run_cli(folder, noexec, check=None), 3, "could not be started")


@test
def a_program_that_cannot_be_started_leaves_the_old_recording():
    with Folder() as folder:
        run_cli(folder, build(folder))
        before = sorted(os.listdir(folder + "/traces"))
        failed(run_cli(folder, "./nothing", check=None), 3, "./nothing")
        equal(sorted(os.listdir(folder + "/traces")), before, "files")


@test
def a_program_without_hooks_or_runtime():
    with Folder() as folder:
        failed(run_cli(folder, "/bin/true", check=None), 2, "/bin/true", "exited with status 0", "recorded nothing",
               "-finstrument-functions")
        program = build(folder, flags=("-O0", "-g"), runtime=False, hooks=False)
        failed(run_cli(folder, program, "signal", "9", check=None), 2, "signal 9", "recorded nothing")


@test
def a_program_with_hooks_alone_gets_the_runtime():
    for cc in compilers():
        for flags in (["-O0", "-g"], ["-O0", "-g", "-no-pie"]):
            with Folder() as folder:
                program = build(folder, cc, flags, runtime=False)
                equal(counts(run_json(folder, program)), COUNTS, "%s %s" % (cc, flags))


@test
def a_preloaded_runtime_beside_a_linked_one_does_nothing():
    library = os.path.join(tap.BUILD, "runtime", "libcallsight-runtime.so")
    for runtime_cc in compilers():
        with Folder() as folder:
            shutil.copy(compiled.runtime(runtime_cc, "-fPIC", "-shared", "-pthread"), folder + "/own.so")
            for cc in compilers():
                program = build(folder, cc)
                for preloaded in (library, folder + "/own.so"):
                    traces = os.path.join(folder, "traces-" + cc + os.path.basename(preloaded))
                    run(program, env={"TRACE_ENABLE": "1", "TRACE_DIR": traces, "LD_PRELOAD": preloaded}, check=0)
                    equal(len(glob.glob(traces + "/*.bin")), 1, "files")
                    with open(glob.glob(traces + "/*.process")[0], encoding="utf-8") as file:
                        equal(file.read().count("CALLSIGHT-PROCESS"), 1, "sections")
                    data = json.loads(rec.analyze(traces, "--format", "json", "--top", "0").stdout)
                    equal(counts(data), COUNTS, "counts")


@test
def instrumented_libraries_reach_the_runtime_of_the_executable():
    """Loaded at the start and by dlopen, from an executable whose own code has no hook."""
    with Folder() as folder:
        # Under one name the linker would make both the same function.
        for name, function in (("liblinked.so", "helper"), ("libopened.so", "plugin")):
            run("gcc", "-O0", "-g", "-fPIC", "-shared", "-finstrument-functions", "-Dhelper=" + function,
                os.path.join(PROGRAMS, "helper.c"), "-o", os.path.join(folder, name), check=0)
        rec.write(folder, "host.c", b"""
#include <dlfcn.h>
int helper(int n);
int main(void)
{
    int (*opened)(int) = (int (*)(int))dlsym(dlopen("./libopened.so", RTLD_NOW), "plugin");
    return helper(1) + opened(2) + opened(3) == 0;
}
""")
        run("gcc", "-g", folder + "/host.c", compiled.runtime("gcc"), "-L" + folder, "-llinked", "-Wl,-rpath," + folder,
            "-o", folder + "/host", "-pthread", check=0)
        data = run_json(folder, folder + "/host")
        got = {(row["function"], os.path.basename(row["module"])): row["calls"] for row in data["rows"]}
        equal(got, {("helper", "liblinked.so"): 1, ("twin", "liblinked.so"): 2, ("plugin", "libopened.so"): 2,
                    ("twin", "libopened.so"): 4}, "each library its own")


def build_libraries(folder, cc, link):
    """A program without hooks, build/host, that is linked with lib/liblinked.so and loads
    build/libopened.so; both hold hooks."""
    for part in ("build", "lib"):
        os.mkdir(os.path.join(folder, part))
    for name, function in (("lib/liblinked.so", "helper"), ("build/libopened.so", "plugin")):
        run(cc, "-O0", "-g", "-fPIC", "-shared", "-finstrument-functions", "-Dhelper=" + function,
            os.path.join(PROGRAMS, "helper.c"), "-o", os.path.join(folder, name), check=0)
    rec.write(folder, "host.c", b"""
#include <dlfcn.h>
#ifdef LINKED
int helper(int n);
#else
static int helper(int n) { return n; }
#endif
int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
    int (*opened)(int) = library ? (int (*)(int))dlsym(library, "plugin") : 0;
    return helper(1) + (opened ? opened(2) : 1) == 0;
}
""")
    run(cc, "-g", folder + "/host.c", "-o", folder + "/build/host", "-ldl", *link, check=0)
    return folder + "/build/host"


LINKED = {("helper", "liblinked.so"): 1, ("twin", "liblinked.so"): 2}
OPENED = {("plugin", "libopened.so"): 1, ("twin", "libopened.so"): 2}


def by_module(data):
    return {(row["function"], os.path.basename(row["module"])): row["calls"] for row in data["rows"]}


@test
def a_program_whose_libraries_alone_hold_hooks_gets_the_runtime():
    for cc in compilers():
        for how in ("-Wl,-rpath,$ORIGIN/../lib", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../lib", "LD_LIBRARY_PATH"):
            with Folder() as folder:
                link = ["-DLINKED", "-L" + folder + "/lib", "-Wl,--no-as-needed", "-llinked"]
                program = build_libraries(folder, cc, link if how == "LD_LIBRARY_PATH" else link + [how])
                env = {"LD_LIBRARY_PATH": folder + "/lib"} if how == "LD_LIBRARY_PATH" else {}
                # By a relative path too: the loader looks from the program's own folder.
                for name in (program, "build/host"):
                    out = folder + "/report.json"
                    run_cli(folder, name, folder + "/build/libopened.so", env=env,
                            options=("--format", "json", "--top", "0", "--out", out))
                    with open(out, encoding="utf-8") as file:
                        equal(by_module(json.load(file)), LINKED | OPENED, "%s %s %s" % (cc, how, name))


@test
def a_library_that_brings_the_runtime():
    """libruntime.so defines the hooks, for liblinked.so: nothing is lent."""
    with Folder() as folder:
        shutil.copy(compiled.runtime("gcc", "-fPIC", "-shared", "-pthread"), folder + "/libruntime.so")
        program = build_libraries(folder, "gcc", [
            "-DLINKED", "-L" + folder + "/lib", "-L" + folder, "-Wl,--no-as-needed", "-lruntime", "-llinked",
            "-Wl,-rpath," + folder + ":" + folder + "/lib"])
        equal(by_module(run_json(folder, program)), LINKED, "rows")
        with open(glob.glob(folder + "/traces/*.process")[0], encoding="utf-8") as file:
            true("libcallsight-runtime" not in file.read(), "not preloaded")


@test
def plugins_alone_need_an_option():
    with Folder() as folder:
        program = build_libraries(folder, "gcc", [])
        plugin = folder + "/build/libopened.so"
        failed(run_cli(folder, program, plugin, check=None), 2, "recorded nothing", "--preload")
        equal(by_module(run_json(folder, program, plugin, options=["--preload"])), OPENED, "rows")


@test
def a_folder_that_cannot_be_used():
    with Folder() as folder:
        rec.write(folder, "traces", b"a file")
        failed(run_cli(folder, "/bin/true", check=None), 2, "traces", "--dir")


@test
def a_stale_recording_goes_unless_kept():
    with Folder() as folder:
        program = build(folder)
        traces = folder + "/traces"
        equal(counts(run_json(folder, program))["work"], [3], "first")
        rec.write(traces, "notes.txt", b"mine")
        equal(counts(run_json(folder, program))["work"], [3], "again")
        true(os.path.exists(traces + "/notes.txt"), "what isn't ours stays")
        equal(counts(run_json(folder, program, options=["--keep"]))["work"], [6], "kept")
        equal(stat.S_IMODE(os.stat(traces).st_mode), 0o700, "mode of the folder")


@test
def a_forked_child_is_a_process_of_its_own():
    with Folder() as folder:
        data = run_json(folder, build(folder), "fork")
        equal(len(data["pids"]), 2, "pids")
        equal(counts(data)["work"], [4], "the child's call is summed with the parent's")
        equal(counts(data)["main"], [1], "main")


@test
def another_binary_under_the_same_name():
    with Folder() as folder:
        program = build(folder)
        run_cli(folder, program)
        build(folder, flags=("-O1", "-g"))
        result = rec.analyze(folder + "/traces")
        true("is not the binary that was recorded" in result.stdout and "--exe" in result.stdout, result.stdout)
        data = json.loads(rec.analyze(folder + "/traces", "--format", "json", "--top", "0").stdout)
        equal(sorted(row["calls"] for row in data["rows"]), [1, 3, 3, 3, 6, 12, 12], "the counts stay")
        true(all(row["function"].startswith("shapes+0x") for row in data["rows"]), "nothing is named wrongly")


@test
def exe_names_a_binary_that_has_moved():
    with Folder() as folder:
        program = build(folder)
        run_cli(folder, program)
        os.rename(program, folder + "/elsewhere")
        result = rec.analyze(folder + "/traces")
        true("stay unnamed" in result.stdout, result.stdout)
        data = json.loads(rec.analyze(folder + "/traces", "--exe", folder + "/elsewhere", "--format", "json",
                                      "--top", "0").stdout)
        equal(counts(data), COUNTS, "counts")
        other = rec.analyze(folder + "/traces", "--exe", "/bin/true").stdout
        true("/bin/true is not the binary that was recorded" in other, other)


@test
def a_stripped_binary():
    with Folder() as folder:
        program = build(folder)
        run("strip", program, check=0)
        data = run_json(folder, program)
        equal(sorted(row["calls"] for row in data["rows"]), [1, 3, 3, 3, 6, 12, 12], "the counts stay")
        true([text for text in data["notices"] if "stripped" in text], data["notices"])


@test
def a_binary_without_debug_information():
    with Folder() as folder:
        data = run_json(folder, build(folder, flags=["-O0"]))
        equal(counts(data), COUNTS, "named by the symbol table")
        true([text for text in data["notices"] if "debug information" in text], data["notices"])
        true(not [row for row in data["rows"] if ":" in (row["location"] or "")], "no lines")


@test
def a_program_begins_switched_off_if_it_is_told_to():
    with Folder() as folder:
        program = build(folder)
        switch = os.path.join(folder, "switch")
        for enable, says, off in (("0", None, True), ("0", "1", False), ("1", "0", True), ("off", "0", True),
                                  (None, None, False)):
            if says:
                with open(switch, "w", encoding="ascii") as stream:
                    stream.write(says)
            elif os.path.exists(switch):
                os.remove(switch)
            out = os.path.join(folder, "report.json")
            env = {"TRACE_CONTROL": switch, **({"TRACE_ENABLE": enable} if enable else {})}
            run_cli(folder, program, options=("--format", "json", "--out", out), env=env)
            with open(out, encoding="utf-8") as file:
                data = json.load(file)
            equal(data["events"] == 0, off, "%s %s" % (enable, says))
            equal(any("was switched off 1 times" in n and "to its end" in n for n in data["notices"]), off, "notice")


@test
def options_reach_the_runtime():
    with Folder() as folder:
        program = build(folder)
        data = run_json(folder, program, options=["--max-events", "10"])
        equal(data["events"], 10, "--max-events")
        true([text for text in data["notices"] if "stopped at 10 events" in text], data["notices"])
        for clock in ("mono", "raw", "tsc", "auto"):
            equal(counts(run_json(folder, program, options=["--clock", clock])), COUNTS, "--clock " + clock)
        equal(counts(run_json(folder, program, options=["--threads", "shap*"])), COUNTS, "--threads, matching")
        result = run_cli(folder, program, check=None, options=["--threads", "other-*"])
        true(result.returncode == 2 or "events=0 " in result.stdout, "--threads, not matching: " + result.stdout)


@functools.cache
def lab():
    run("make", "-s", "-j2", "-C", os.path.join(tap.TOP, "tests", "workloads", "lab"), "instrument",
        "BUILDDIR=" + kept() + "/build", "BINDIR=" + kept(), "RUNTIME=" + tap.RUNTIME, check=0)
    return kept() + "/lab.instr"


def size(folder):
    return sum(os.path.getsize(path) for path in glob.glob(folder + "/traces/*"))


LAB_EVENTS = 1155384


@test
def a_budget_stops_the_recording_or_keeps_its_end():
    with Folder() as folder:
        program = lab()
        out = folder + "/report.json"
        for record, mb, full in (("records", 4, "stop"), ("packed", 2, "stop"), ("records", 4, "wrap"),
                                 ("packed", 2, "wrap")):
            result = run_cli(folder, program, options=["--record", record, "--max-mb", str(mb), "--full", full,
                                                       "--format", "json", "--out", out])
            with open(out, encoding="utf-8") as file:
                data = json.load(file)
            # Under wrap each running thread may exceed it by a segment of 64 KiB.
            true(size(folder) <= (mb << 20) + (full == "wrap") * 26 * (64 << 10), "%s: %d bytes" % (full, size(folder)))
            text = " ".join(data["notices"])
            if full == "stop":
                true("TRACE_MAX_MB" in result.stderr, "said while it runs: " + result.stderr)
                true("stopped at its budget of %d bytes" % (mb << 20) in text, text)
            else:
                numbers = re.search(r": (\d+) segments? with (\d+) events (?:was|were) discarded", text)
                true(numbers and int(numbers.group(1)) > (46 if record == "records" else 5), text)
                equal(data["events"] + int(numbers.group(2)), LAB_EVENTS, "what is left and what was discarded")


@test
def records_and_packed_tell_the_same():
    with Folder() as folder:
        program = lab()
        reports = {}
        for record in ("records", "packed"):
            run_cli(folder, program, options=["--record", record, "--out", folder + "/report"])
            reports[record] = told(folder + "/traces")
            reports[record, "size"] = size(folder)
            # Whichever thread comes first fills the table.
            tree = reports[record]["tree"]
            reports[record]["tree"] = {path[max(path.find("fill_table"), 0):]: calls for path, calls in tree.items()}
            equal(len(reports[record]["tree"]), len(tree), "it is filled once")
        for key, of_records in reports["records"].items():
            true(of_records, "no " + key)
            equal(reports["packed"][key], of_records, key)
        equal(reports["packed"]["sums"][0], LAB_EVENTS, "events")
        true(reports["packed", "size"] < 4 * LAB_EVENTS, "%d bytes" % reports["packed", "size"])


@test
def a_summary_counts_the_same_calls():
    with Folder() as folder:
        program = lab()
        reports = {}
        for mode in ("events", "summary"):
            out = folder + "/report.json"
            run_cli(folder, program, options=["--mode", mode, "--format", "json", "--top", "0", "--out", out])
            with open(out, encoding="utf-8") as file:
                reports[mode] = json.load(file)
        equal(reports["summary"]["mode"], "summary", "mode")
        equal(counts(reports["summary"]), counts(reports["events"]), "calls")
        equal([reports[mode]["threads"] for mode in reports], [26, 26], "threads")
        true(size(folder) < 1000000, "%d bytes, by functions and not by calls" % size(folder))
        result = rec.analyze(folder + "/traces", "--format", "folded", check=None)
        failed(result, 2, "summary", "TRACE_MODE=events")


@test
def a_killed_program_loses_nothing():
    with Folder() as folder:
        program = build(folder)
        process = subprocess.Popen([program, "sleep"], env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces"),
                                   stdout=subprocess.PIPE, text=True)
        equal(process.stdout.readline(), "asleep\n", "its line")
        running = rec.analyze(folder + "/traces", "--format", "json", "--top", "0").stdout
        process.kill()
        process.communicate()
        for when, state, text in (
                ("while it runs", "still runs", running),
                ("killed", "was killed or still runs", rec.analyze(folder + "/traces", "--format", "json", "--top", "0").stdout)):
            data = json.loads(text)
            equal(counts(data), dict(COUNTS, main=[0]), when)
            equal(data["unclosed_enters"], 1, "main is open")
            true([text for text in data["notices"] if "process %d %s: the last" % (process.pid, state) in text], data["notices"])


@test
def a_program_found_in_path():
    with Folder() as folder:
        build(folder, name="shapes-in-path")
        result = run_cli(folder, "shapes-in-path", env={"PATH": folder + ":" + os.environ["PATH"]})
        true("events=80 " in result.stdout, result.stdout)


main()
