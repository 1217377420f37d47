# SPDX-License-Identifier: MIT
"""build where the compiler launcher doesn't lie beside callsight-cli: it is compiled once, and kept."""

import glob
import os
import shutil

import projects
import tap
from tap import Folder, equal, main, run, test, true


def copy_program(folder, sources):
    """The program as in a build folder in which nothing else was built."""
    os.makedirs(folder + "/src/cli")
    shutil.copy(tap.CLI, folder + "/src/cli/callsight-cli")
    with open(folder + "/source-folder", "w", encoding="utf-8") as file:
        file.write(sources + "\n")
    return folder + "/src/cli/callsight-cli"


def sources():
    with open(os.path.join(tap.BUILD, "source-folder"), encoding="utf-8") as file:
        return file.read().strip()


def make(folder):
    project = projects.make_project(folder + "/project")
    projects.config(project, "include src/")
    return project


@test
def compiled_once():
    with Folder() as folder:
        program, project, cache = copy_program(folder + "/built", sources()), make(folder), folder + "/cache"
        env = {"XDG_CACHE_HOME": cache}
        run(program, "build", project, env=env, check=0)
        launchers = glob.glob(cache + "/callsight/launcher-*/*")
        equal([os.path.basename(path) for path in launchers], ["callsight-cc"], "what is kept")
        before = os.stat(launchers[0])
        projects.write(project, {"src/util.c": projects.UTIL + "int more (int x) { return x; }\n"})
        told = run(program, "build", project, env=env, check=0)
        true("hooks" in told.stdout, told.stdout)
        equal(glob.glob(cache + "/callsight/launcher-*/*"), launchers, "what is kept")
        equal(os.stat(launchers[0]).st_mtime_ns, before.st_mtime_ns, "it wasn't made again")


@test
def no_sources():
    with Folder() as folder:
        os.mkdir(folder + "/empty")
        program, project = copy_program(folder + "/built", folder + "/empty"), make(folder)
        result = run(program, "build", project, check=2)
        true("callsight-cc: it isn't installed, and neither is its source" in result.stderr, result.stderr)
        equal(len(result.stderr.splitlines()), 1, result.stderr)


@test
def a_compiler_that_fails():
    with Folder() as folder:
        program, project = copy_program(folder + "/built", sources()), make(folder)
        os.mkdir(folder + "/bin")
        projects.write(folder, {"bin/cc": "#!/bin/sh\necho no room >&2\nexit 1\n"})
        os.chmod(folder + "/bin/cc", 0o755)
        result = run(program, "build", project, check=2,
                     env={"XDG_CACHE_HOME": folder + "/cache", "PATH": folder + "/bin:" + os.environ["PATH"]})
        true("the compiler launcher can't be made" in result.stderr and "no room" in result.stderr, result.stderr)
        equal(glob.glob(folder + "/cache/callsight/launcher-*/*"), [], "what is kept")


main()
