#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The whole suite, from a fresh clone. Takes its ten minutes and more, so it is run by name only."""

import re
import time

from promises import TOP, Folder, Promise, judges, main, need, run, tell

passes = Promise("the whole suite passes from a fresh clone by build-aux/test.sh", "no case fails, none is skipped that isn't allowed")
minutes = Promise("the whole suite with both compilers' builds", "at most 10 minutes")


@judges(passes, minutes)
def fresh_clone():
    need("git")
    with Folder(3) as folder:
        clone = folder + "/clone"
        run("git", "clone", "-q", TOP, clone)
        start = time.monotonic()
        result = run("sh", "build-aux/test.sh", cwd=clone, check=None, quiet=True, timeout=3000, env={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
        seconds = time.monotonic() - start
        tell("\n".join(line for line in result.stdout.splitlines() if re.match(r"(FAILED|not ok|skipped|\d+ skipped|\d+ passed)", line)))
        last = result.stdout.strip().splitlines()[-1] if result.stdout.strip() else result.stderr.strip()[-200:]
        passes.holds(result.returncode == 0 and re.fullmatch(r"\d+ passed, 0 failed", last), last)
        minutes.at_most(seconds / 60, 10, "%.1f minutes")


main(60)
