#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The app, the engine and the command line under the address and undefined behaviour sanitizers, leaks included. Builds
all of it once more, in BUILD-sanitized, so it is run by name only."""

import os
import re

from promises import BUILD, SMALL, TESTS, TOP, Promise, cases, judges, main, need, registered, run, tell
import promises

views = Promise("every view opens and closes clean under the sanitizers", "no error, no leak of ours; one test a widget")
stress = Promise("opening, filtering and closing while results are under way is clean under the sanitizers", "no error, no leak of ours")
engine = Promise("the engine's own tests are clean under the sanitizers", "no error, no leak")
readers = Promise("damaged recordings are read clean under the sanitizers", "no error, no leak")
fuzz = Promise("the decoder of packed blocks is clean under the sanitizers", "no finding in minutes of fuzzing")

SANITIZED = BUILD.rstrip("/") + "-sanitized"
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
           "LSAN_OPTIONS": "suppressions=%s:print_suppressions=0" % os.path.join(TESTS, "app", "lsan.supp")}


def build():
    """All that follows runs what is built with the sanitizers."""
    need("meson")
    if not os.path.exists(SANITIZED + "/build.ninja"):
        run("meson", "setup", SANITIZED, TOP, "-Dapp=enabled", "-Dbench=false", "-Dwerror=false", "-Doptimization=1",
            "-Db_sanitize=address,undefined", "-Db_lundef=false", quiet=True)
    tell("building in " + SANITIZED)
    run("meson", "compile", "-C", SANITIZED, quiet=True, timeout=3000)
    os.environ.update(OPTIONS, CALLSIGHT_BUILD=SANITIZED)
    promises.BUILD = SANITIZED


@judges(views, stress)
def app():
    build()
    found = registered(*(["app stress", "app session-partial"] if SMALL else ["app *", "!app loop", "!app views", "!app flame"]), timeout=400)
    stress.tested(found.only("stress", "partial"), least=4)
    views.tested(found, least=5 if SMALL else 200)


@judges(engine)
def the_engine():
    engine.tested(registered("capture*", "symbols", "profile", "layout *", "timeline", "timeline cache", "call log"), least=60)


@judges(readers)
def damaged():
    readers.tested(cases("cli/test_rules.py"), least=30)
    readers.tested(cases("cli/test_summary.py", "damage", "bad", "cut", "random"), least=4)
    readers.tested(cases("cli/test_tails.py", "damage", "any_byte"), least=4)
    readers.tested(cases("cli/test_bad_recordings.py"), least=12)


@judges(fuzz)
def decoder():
    n = 300 if SMALL else 12000
    result = run(os.path.join(SANITIZED, "tests", "engine", "capture", "packed-fuzz"), n, 5, check=None, timeout=600)
    fuzz.holds(result.returncode == 0 and re.search(r"^ok ", result.stdout, re.MULTILINE) and "not ok" not in result.stdout, "%d recordings" % n)


main(60)
