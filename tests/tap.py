# SPDX-License-Identifier: MIT
"""The Test Anything Protocol for the tests that run whole programs.

A test is a function decorated with @test; it passes when it returns, fails when
it raises, and is skipped when it raises Skip.  main () runs all, or those whose
name contains one of the words on the command line.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import traceback

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
CLI = os.path.join(BUILD, "src", "cli", "callsight-cli")
RUNTIME = os.path.join(TOP, "runtime")


class Skip(Exception):
    """Raised by a test that cannot run here; says what is missing."""


_tests = []


def test(function):
    _tests.append(function)
    return function


def run(*argv, cwd=None, env=None, check=None, timeout=120, stdin=None):
    """Run a program, return its CompletedProcess (text).  check: the exit status it must have."""
    environ = dict(os.environ)
    for name in list(environ):
        if name.startswith("TRACE_"):
            del environ[name]
    environ.update(env or {})
    result = subprocess.run([str(a) for a in argv], cwd=cwd, env=environ, timeout=timeout,
                            input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, errors="surrogateescape")
    if check is not None and result.returncode != check:
        raise AssertionError("%s: exit %d, not %d\n%s%s" % (" ".join(map(str, argv)),
                             result.returncode, check, result.stdout[-4000:], result.stderr[-4000:]))
    return result


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError("%s: got %r, wanted %r" % (what, got, wanted))


def true(value, what=""):
    if not value:
        raise AssertionError(what or "not true")


class Folder:
    """A temporary folder as a context manager; yields its path."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="callsight-test-")
        return self.path

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)


def compilers():
    """The C compilers that are installed here, of gcc and clang."""
    return [cc for cc in ("gcc", "clang") if shutil.which(cc)]


def main():
    words = sys.argv[1:]
    chosen = [t for t in _tests if not words or any(w in t.__name__ for w in words)]
    print("1..%d" % len(chosen), flush=True)
    failed = 0
    for number, function in enumerate(chosen, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
            print("ok %d - %s" % (number, name), flush=True)
        except Skip as skip:
            print("ok %d - %s # SKIP %s" % (number, name, skip), flush=True)
        except Exception:
            failed += 1
            print("not ok %d - %s" % (number, name), flush=True)
            for line in traceback.format_exc().splitlines():
                print("# " + line, flush=True)
    sys.exit(1 if failed else 0)
