# SPDX-License-Identifier: MIT
"""callsight-cli init: what it copies, what it leaves alone, and what it says."""

import os
import shlex
import shutil
import stat
import subprocess

import projects
import tap
from projects import cli, config, files, make_project, need, write
from tap import Folder, equal, main, run, test, true

WIRING = {"make": ["Makefile.callsight"], "cmake": ["CallSight.cmake"],
          "meson": ["callsight-options.py", "meson.build"], "none": []}


def runtime_files():
    return sorted(name for name in os.listdir(tap.RUNTIME) if name.endswith((".c", ".h")))


def init(folder, *arguments, check=0):
    return cli("init", folder, *arguments, check=check)


@test
def test_files_of_each_build_system():
    makers = {"make": make_project, "cmake": projects.cmake_project, "meson": projects.meson_project,
              "none": lambda folder: write(folder, {"a.c": "int a (void) { return 1; }\n"})}
    for system, maker in makers.items():
        with Folder() as folder:
            maker(folder)
            before = files(folder)
            told = init(folder).stdout
            equal(sorted(os.listdir(os.path.join(folder, "callsight"))),
                  sorted(runtime_files() + WIRING[system] + ["files.sha256", "selection"]), system)
            for name in runtime_files():
                with open(os.path.join(tap.RUNTIME, name), "rb") as a, open(os.path.join(folder, "callsight", name), "rb") as b:
                    equal(b.read(), a.read(), name)
            run("sha256sum", "-c", "--quiet", "files.sha256", cwd=os.path.join(folder, "callsight"), check=0)
            after = files(folder, without=("callsight",))
            del after["trace.config"]
            equal(after, before, "nothing else is touched")
            for part in ("callsight-cli build", "callsight-cc gcc" if system != "cmake" else "-DCMAKE_C_LINKER_LAUNCHER=",
                         "CCACHE_EXTRAFILES=%s/callsight/selection" % os.path.realpath(folder), "build-instr/"):
                true(part in told, "%s: %s" % (part, told))
            for name in WIRING[system][:1]:
                true({"make": "include callsight/Makefile.callsight", "cmake": "include(CallSight)",
                      "meson": "subdir('callsight')"}[system] in told, told)
            # The starter chooses everything.
            true("0 excluded" in cli("scan", folder).stdout)


@test
def test_a_chosen_build_system():
    with Folder() as folder:
        projects.cmake_project(make_project(folder))
        told = init(folder, check=2).stderr
        true("has CMakeLists.txt and Makefile" in told and "--system cmake or --system make" in told, told)
        true(not os.path.exists(os.path.join(folder, "callsight")))
        init(folder, "--system", "cmake")
        true(os.path.exists(os.path.join(folder, "callsight", "CallSight.cmake")))
        # Another one takes the place of the first. --build is what the option was called first.
        init(folder, "--build", "make")
        true(os.path.exists(os.path.join(folder, "callsight", "Makefile.callsight")))
        true(not os.path.exists(os.path.join(folder, "callsight", "CallSight.cmake")))
        true("use one of" in init(folder, "--system", "bazel", check=2).stderr)
        # Whatever is offered is taken.
        os.unlink(os.path.join(folder, "Makefile"))
        write(folder, {"configure": "#!/bin/sh\n"})
        true("--system autotools" in init(folder, check=2).stderr)
        true("../configure CC=" in init(folder, "--system", "autotools").stdout)


@test
def test_paths_are_quoted():
    with Folder() as top:
        folder = os.path.join(top, "a b")
        os.mkdir(folder)
        told = init(make_project(folder)).stdout
        true("CCACHE_EXTRAFILES='%s/callsight/selection'" % os.path.realpath(folder) in told, told)


@test
def test_generated_makefiles_do_not_count():
    with Folder() as folder:
        projects.autotools_project(folder)
        run("./configure", "CC=gcc", cwd=folder, check=0)
        true("../configure CC=" in init(folder).stdout)
        need("cmake")
        other = projects.cmake_project(os.path.join(folder, "c"))
        write(other, {"Makefile": "# CMAKE generated file: DO NOT EDIT!\n"})
        true("CMAKE_C_COMPILER_LAUNCHER" in init(other).stdout)


@test
def test_a_config_is_never_overwritten():
    with Folder() as folder:
        make_project(folder)
        config(folder, "include src/util.c # mine")
        told = init(folder, "--force").stdout
        with open(os.path.join(folder, "trace.config"), encoding="utf-8") as file:
            equal(file.read(), "include src/util.c # mine\n")
        true("1 of 3 sources chosen" in told, told)
    with Folder() as folder:
        make_project(folder)
        config(folder, "nonsense")
        true("trace.config:1" in init(folder, check=2).stderr)
        true(not os.path.exists(os.path.join(folder, "callsight")), "something was copied")


@test
def test_again_changes_nothing():
    with Folder() as folder:
        make_project(folder)
        init(folder)
        before = files(folder)
        told = init(folder).stdout
        true("0 new, 0 brought up to date" in told, told)
        after = files(folder)
        for tree in (before, after):
            tree["callsight/files.sha256"] = tree["callsight/selection"] = None
        equal(after, before)


@test
def test_a_folder_of_somebody_else_is_not_touched():
    for other in ({"callsight/own.c": "int own;\n"}, {"callsight": "a file\n"}):
        with Folder() as folder:
            make_project(folder, **other)
            before = files(folder)
            told = init(folder, "--force", check=2).stderr
            true("callsight" in told and "rename" in told and told.count("\n") == 1, told)
            equal(files(folder), before)
    with Folder() as folder:
        make_project(folder)
        os.symlink(os.path.join(folder, "src"), os.path.join(folder, "callsight"))
        before = files(folder)
        init(folder, check=2)
        equal(files(folder), before)
    with Folder() as folder:
        make_project(folder, **{"callsight/own.c": "int own;\n"})
        os.mkfifo(os.path.join(folder, "callsight", "files.sha256"))
        true("rename" in init(folder, check=2).stderr)


@test
def test_changed_files_stay():
    with Folder() as folder:
        make_project(folder)
        init(folder)
        path = os.path.join(folder, "callsight", "Makefile.callsight")
        with open(path, "a", encoding="utf-8") as file:
            file.write("# mine\n")
        told = init(folder).stdout
        true("Makefile.callsight changed here, stays so" in told, told)
        with open(path, encoding="utf-8") as file:
            true(file.read().endswith("# mine\n"), "it was replaced")
        init(folder, "--force")
        with open(path, encoding="utf-8") as file:
            true("# mine" not in file.read(), "it was not replaced")


def age(folder, name):
    """Makes a file look as if an earlier version had copied it."""
    path = os.path.join(folder, "callsight", name)
    write(folder, {"callsight/" + name: "old\n"})
    digest = run("sha256sum", path, check=0).stdout.split()[0]
    manifest = os.path.join(folder, "callsight", "files.sha256")
    with open(manifest, encoding="utf-8") as file:
        lines = ["%s  %s\n" % (digest, name) if line.endswith("  %s\n" % name) else line for line in file]
    with open(manifest, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


@test
def test_older_files_are_brought_up_to_date_together():
    with Folder() as folder:
        make_project(folder)
        init(folder)
        age(folder, "trace.c")
        true("1 brought up to date" in init(folder).stdout)
        with open(os.path.join(folder, "callsight", "trace.c"), encoding="utf-8") as file:
            true(file.read() != "old\n")
        # One that is older and changed: nothing is done, so that no two versions mix.
        age(folder, "trace.h")
        path = age(folder, "trace.c")
        with open(path, "a", encoding="utf-8") as file:
            file.write("mine\n")
        before = files(folder)
        told = init(folder, check=2).stderr
        true("trace.c" in told and "trace.h" not in told and "--force" in told, told)
        equal(files(folder), before)
        init(folder, "--force")
        run("sha256sum", "-c", "--quiet", "files.sha256", cwd=os.path.join(folder, "callsight"), check=0)


@test
def test_the_printed_launcher_line_works():
    with Folder() as folder:
        make_project(folder, Makefile=projects.MAKEFILE.replace("CC = gcc\n", ""))
        told = init(folder).stdout.splitlines()
        compile_line = next(line for line in told if "callsight-cc.c" in line and "-o callsight-cc" in line)
        run(*shlex.split(compile_line), cwd=folder, check=0)
        line = next(line for line in told if line.strip().startswith("CC="))
        shell = "PATH=$PWD:$PATH; export PATH; " + line
        env = dict(os.environ, XDG_CACHE_HOME=os.environ.get("XDG_CACHE_HOME", os.path.join(folder, "cache")))
        subprocess.run(["sh", "-c", shell], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
        cli("run", "--out", "report.txt", "--", "./app", cwd=folder)
        with open(os.path.join(folder, "report.txt"), encoding="utf-8") as file:
            report = file.read()
        for name in projects.CALLS:
            true(" %s (" % name in report, name)


@test
def test_bad_usage():
    with Folder() as folder:
        make_project(folder)
        for arguments, part in ((["--stream"], "streams"), (["x"], "one project")):
            result = init(folder, *arguments, check=2)
            true(part in result.stderr and result.stderr.count("\n") == 1, result.stderr)
        true("no such folder" in init(os.path.join(folder, "none"), check=2).stderr)
        true("--stream" not in cli("init", "--help").stdout)
        equal(sorted(os.listdir(folder)), ["Makefile", "include", "net", "src"])
        if os.geteuid() != 0:
            os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
            init(folder, check=2)
            os.chmod(folder, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
