# SPDX-License-Identifier: MIT
"""doctor: what it says of a machine and a project that lack something."""

import json
import os
import shutil

import tap
from tap import Folder, Skip, equal, main, run, test, true


def doctor(*arguments, check=0, **env):
    return run(tap.CLI, "doctor", *arguments, env={"CC": "", "TRACE_DIR": "", **env}, check=check)


def checks(*arguments, check=0, **env):
    """What was found: {check: (state, text, advice)}."""
    data = json.loads(doctor(*arguments, "--format", "json", check=check, **env).stdout)
    found = {item["check"]: (item["state"], item["text"], item["advice"]) for item in data["checks"]}
    states = [item["state"] for item in data["checks"]]
    equal((data["problems"], data["warnings"]), (states.count("problem"), states.count("warn")), "counts")
    for name, (state, _text, advice) in found.items():
        equal((name, advice is None), (name, state == "ok"), "there is advice where something is not well")
    equal(1 if data["problems"] else 0, check, "the exit status")
    return found


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_project(folder, config="include a.c\n", runtime="int trace;\n"):
    """Two sources, and a runtime that is compiled in no time; None: the one that comes with callsight-cli."""
    if runtime is not None:
        os.mkdir(folder + "/callsight")
        write(folder + "/callsight/trace.c", runtime)
    write(folder + "/a.c", "int chosen (void) { return 1; }\nint main (void) { return chosen () - 1; }\n")
    write(folder + "/b.c", "int other (void) { return 1; }\n")
    if config is not None:
        write(folder + "/trace.config", config)
    return folder


def refuse(problem, state, words, *arguments, check=1, **env):
    found = checks(*arguments, check=check, **env)
    equal(found[problem][0], state, "%s: %s" % (problem, found[problem][1]))
    true(words in found[problem][1], "%r in %r" % (words, found[problem][1]))
    return found


@test
def a_project_that_is_well():
    with Folder() as folder:
        make_project(folder, runtime=None)
        before = sorted(os.listdir(folder))
        for compiler in tap.compilers():
            found = checks(folder, "--compiler-cmd", compiler)
            equal([name for name, item in found.items() if item[0] == "problem"], [], "problems")
            for name in ("compiler", "runtime", "preload library", "trace.config", "selection", "symbols", "trace directory"):
                equal((name, found[name][0]), (name, "ok"), found[name][1])
            equal(found["options"][0], "ok" if compiler == "gcc" else "warn", "options of " + compiler)
            true("taken for " + compiler in found["compiler"][1], found["compiler"][1])
            true("2 of 3 functions, in 1 of 2 sources" in found["selection"][1], found["selection"][1])
        equal(sorted(os.listdir(folder)), before, "nothing is changed")
        # The same as text, a line each.
        os.mkdir(folder + "/callsight")
        write(folder + "/callsight/trace.c", "int trace;\n")
        lines = doctor(folder, "--compiler-cmd", "gcc").stdout.splitlines()
        true(all(line.split()[0] in ("ok", "warn") for line in lines[:-2]), "each line begins with its state")
        equal((lines[-2], lines[-1].split(",")[0]), ("", "0 problems"), "the last lines")


@test
def compilers_that_do_not_serve():
    with Folder() as folder:
        make_project(folder)
        refuse("compiler", "problem", "no-such-compiler", folder, "--compiler-cmd", "no-such-compiler -m64")
        refuse("compiler", "problem", "unbalanced", folder, "--compiler-cmd", "unbalanced 'quote")
        refuse("options", "problem", "no hooks", folder, CC="true")
        write(folder + "/cc", "#!/bin/sh\ncase \"$*\" in *instrument*) echo 'unknown option' >&2; exit 1;; esac\nexec gcc \"$@\"\n")
        os.chmod(folder + "/cc", 0o755)
        refuse("options", "problem", "unknown option", folder, CC=folder + "/cc")
        refuse("options", "problem", "unknown option", folder, "--compiler-cmd", os.path.relpath(folder + "/cc"))


@test
def a_runtime_that_does_not_compile():
    with Folder() as folder:
        refuse("runtime", "problem", "callsight/trace.c doesn't compile", make_project(folder, runtime="#include <none.h>\n"))


@test
def configs_that_choose_nothing():
    with Folder() as folder:
        make_project(folder, None)
        refuse("trace.config", "warn", "isn't there", folder, check=0)
        refuse("trace.config", "problem", "isn't there", folder, "--config", folder + "/none")
        write(folder + "/trace.config", "include a.c\nonly b.c\n")
        true("selection" not in refuse("trace.config", "problem", "trace.config:2", folder), "no selection of a bad config")
        write(folder + "/trace.config", "include none.c\n")
        refuse("selection", "problem", "none of the 3 functions", folder)
        write(folder + "/trace.config", "include-func none\n")
        refuse("selection", "problem", "none", folder)
        write(folder + "/other", "include b.c\n")
        true("1 of 3 functions" in checks(folder, "--config", folder + "/other")["selection"][1], "another config")


@test
def trace_directories_that_can_not_be_used():
    with Folder() as folder:
        make_project(folder)
        write(folder + "/file", "")
        refuse("trace directory", "problem", "isn't a folder", folder, "--dir", folder + "/file")
        refuse("trace directory", "problem", "isn't a folder", folder, "--dir", folder + "/file/below")
        refuse("trace directory", "problem", "isn't a folder", folder, TRACE_DIR=folder + "/file")
        refuse("trace directory", "ok", folder + "/new/deeper", folder, "--dir", folder + "/new/deeper", check=0)
        free = shutil.disk_usage(folder).free >> 20
        refuse("trace directory", "problem", "recording stops", folder, TRACE_MIN_FREE_MB=str(free * 2 + 2))
        refuse("trace directory", "warn", "less than", folder, check=0, TRACE_MAX_MB=str(free * 2 + 2))
        refuse("trace directory", "ok", "free", folder, check=0, TRACE_MAX_MB="0", TRACE_MIN_FREE_MB="0")
        if os.geteuid() != 0:
            os.mkdir(folder + "/closed", 0o500)
            refuse("trace directory", "problem", "can't be written", folder, "--dir", folder + "/closed")


@test
def what_was_built():
    with Folder() as folder:
        make_project(folder)
        os.mkdir(folder + "/bin")
        common = ["gcc", "-finstrument-functions", folder + "/a.c"]
        run(*common, "-g", "-o", folder + "/bin/a.instr", check=0)
        found = refuse("symbols", "ok", "1 program", folder, check=0)
        true("lack" in found["runtime linked"][1], found["runtime linked"][1])
        equal(found["symbols"][1], "1 program with hooks, with debug information", "symbols")
        equal(found["runtime linked"][1], "1 program with hooks lacks the runtime", "runtime")
        run(*common, "-s", "-o", folder + "/bin/b.instr", check=0)
        refuse("symbols", "warn", "1 of 2 programs", folder, check=0)


@test
def a_scan_without_ctags():
    with Folder() as folder:
        make_project(folder)
        os.mkdir(folder + "/path")
        for name in ("gcc", "as", "ld"):
            if shutil.which(name):
                os.symlink(shutil.which(name), folder + "/path/" + name)
        found = refuse("ctags", "warn", "built-in scan", folder, check=0, CC="gcc", PATH=folder + "/path",
                       CALLSIGHT_CTAGS="", XDG_DATA_HOME=folder + "/data")
        equal(found["selection"][0], "ok", "the built-in scan serves")


@test
def machine_facts():
    """What the machine has, read here in another way."""
    with Folder() as folder:
        found = checks(make_project(folder))
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = file.read()
        if os.uname().machine == "x86_64" and "flags" in cpu:
            equal(found["clock"][0], "ok" if "nonstop_tsc" in cpu else "warn", "clock")
        try:
            with open("/proc/sys/kernel/perf_event_paranoid", encoding="utf-8") as file:
                true(file.read().strip() in found["perf_event_paranoid"][1], found["perf_event_paranoid"][1])
        except FileNotFoundError:
            equal(found["perf_event_paranoid"][0], "warn", "no perf events")
        if not os.path.isdir("/sys/bus/event_source/devices/cpu"):
            equal(found["hardware counters"][0], "warn", "no counters: " + found["hardware counters"][1])
        true(not [name for name in os.listdir("/dev/shm") if name.startswith("callsight-doctor")], "nothing is left in shm")


@test
def usage():
    with Folder() as folder:
        for arguments in ([folder + "/none"], [folder, folder], ["--format", "xml"], ["--nothing"]):
            result = doctor(*arguments, check=2)
            equal(result.stdout, "", "output")
            true(result.stderr.startswith("callsight-cli: ") and result.stderr.count("\n") == 1, result.stderr)


main()
