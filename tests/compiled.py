# SPDX-License-Identifier: MIT
"""The runtime, compiled once for all tests: trace.c takes a compiler seconds.

What is compiled is kept below the build folder by what it was made of: the sources' content, the
compiler and its options. Tests that need the same at the same time wait for the first of them.
"""

import fcntl
import functools
import hashlib
import os
import time

import tap

FOLDER = os.path.join(tap.BUILD, "tests", "compiled")
# Seconds after which what no test asks for any more is removed.
KEPT = 7 * 24 * 3600
# What the runtime compiles without.
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
# As a project has it that compiles everything with hooks: they change nothing of the runtime.
HOOKED = ("-fPIE", "-finstrument-functions", "-D_FORTIFY_SOURCE=2")
# More options of that kind from outside, for the compiler of this machine. With --coverage, trace.o brings
# libgcov along, so that a test links it as ever, and what is counted lies beside it: see coverage/runtime.sh.
MORE = tuple(os.environ.get("CALLSIGHT_TEST_CFLAGS", "").split())
# For the sanitizers, with them: they see as much where nothing is optimised, and the compiler is done sooner.
CHECKED = ("-O0", "-g")


@functools.lru_cache(None)
def _sources():
    found = hashlib.sha256()
    for name in sorted(os.listdir(tap.RUNTIME)):
        if name.startswith("trace"):
            with open(os.path.join(tap.RUNTIME, name), "rb") as file:
                found.update(b"%s\0%s\0" % (name.encode(), hashlib.sha256(file.read()).digest()))
    return found.hexdigest()


@functools.lru_cache(None)
def _version(cc):
    return tap.run(cc, "--version", check=0).stdout


def _remove_old():
    for name in os.listdir(FOLDER):
        path = os.path.join(FOLDER, name)
        try:
            if time.time() - os.stat(path).st_mtime > KEPT:
                os.remove(path)
        except OSError:
            pass  # another test was first


def _counting(cc, flags, source, out, folder):
    """The same, with what it needs to count its lines."""
    os.makedirs(folder, exist_ok=True)
    compiling = [flag for flag in flags if flag != "-shared"]
    tap.run(cc, "-std=c11", "-O2", *compiling, "-c", source, "-o", folder + "/trace.o", check=0)
    tap.run(cc, "-O2", *(flag for flag in compiling if flag in ("-fPIC", "-fPIE", "-m32")), "-c",
            os.path.join(tap.TOP, "tests", "coverage", "last.c"), "-o", folder + "/last.o", check=0)
    link = flags if "-shared" in flags else ("-r", "-nostdlib")
    tap.run(cc, *link, folder + "/trace.o", folder + "/last.o", "-lgcov", "-o", out, check=0)


@functools.lru_cache(None)
def runtime(cc, *flags):
    """The path of trace.o, compiled with -O2 as the documentation says, and with these options; of a library
    where -shared is one of them; without options, warnings are errors. Raises an AssertionError where the compiler
    fails."""
    flags = flags or WARNINGS
    flags += MORE if cc == "gcc" else ()
    key = hashlib.sha256("\0".join((_sources(), tap.RUNTIME, _version(cc), cc) + flags).encode()).hexdigest()[:32]
    path = os.path.join(FOLDER, key + (".so" if "-shared" in flags else ".o"))
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, key + ".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(path):
            os.utime(path)
            return path
        new = "%s.%d" % (path, os.getpid())
        source = os.path.join(tap.RUNTIME, "trace.c")
        if "--coverage" in flags:
            _counting(cc, flags, source, new, os.path.join(FOLDER, key))
        else:
            tap.run(cc, "-std=c11", "-O2", *flags, *(() if "-shared" in flags else ("-c",)), source, "-o", new, check=0)
        os.rename(new, path)
    _remove_old()
    return path
