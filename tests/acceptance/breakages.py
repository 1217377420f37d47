#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Would the suite notice?  Breaks the product in one place a time and runs the tests of that place.

    tests/acceptance/breakages.py [WORD…]     those whose name has one of the words

Works in a clone of the working tree's HEAD in a new folder below $TMPDIR, which it removes at the end; takes some
20 minutes.  A line a breakage: which test failed, or that none did.  Exit status 1 if one went unnoticed.
"""

import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What is broken, the folder, the text there and what takes its place, the tests (as `meson test` names them).
BREAKAGES = [
    ("runtime: a segment's first index is one too low", "runtime",
     "header.seq = thread->seq;\n    header.first_index = thread->index + 1;\n    if (!thread->begun)",
     "header.seq = thread->seq;\n    header.first_index = thread->index;\n    if (!thread->begun)", ["runtime space"]),
    ("runtime: the budget is charged without the lock", "runtime",
     """    pthread_mutex_lock(&space->lock);
    uint64_t left = space->max > space->used ? space->max - space->used : 0;
    if (space->max == 0 || want < left)
        left = want;
    if (left < least)
        left = 0;
    space->used += left;""",
     """    uint64_t left = space->max > space->used ? space->max - space->used : 0;
    if (space->max == 0 || want < left)
        left = want;
    if (left < least)
        left = 0;
    pthread_mutex_lock(&space->lock);
    space->used += left;""", ["runtime space", "runtime build"]),
    ("launcher: a value that follows its option is taken for a source", "runtime",
     "if (takes_next && i + 1 < count) {", "if (takes_next && i + 1 > count) {", ["launcher commands", "launcher units"]),
    ("capture: times before the anchor are not floored", "src/engine/capture",
     "return (gint64) (self->t0_ns - before - (exact ? 0 : 1));", "return (gint64) (self->t0_ns - before);",
     ["capture"]),
    ("selection: a range in brackets leaves out its last letter", "src/engine/selection",
     "      if (from <= to)", "      if (from < to)", ["selection pattern"]),
    ("symbols: a file is trusted whatever its build id", "src/engine/symbols",
     "build_id == NULL || g_strcmp0 (build_id, cs_binary_get_build_id (binary)) == 0",
     "build_id == NULL || g_strcmp0 (build_id, cs_binary_get_build_id (binary)) != 1000",
     ["cli debug_files", "cli bundle"]),
    ("profile: an event at the end of the range counts", "src/engine/profile",
     "if (thread->phase == CS_PASS_WITHIN && ns >= filter->to)",
     "if (thread->phase == CS_PASS_WITHIN && ns > filter->to)", ["profile filters"]),
    ("timeline: a record too many in a leaf that begins within a block", "src/engine/timeline",
     "for (guint i = 0; i < MIN (from % CS_LEAF_RECORDS, leaf->n); i++)",
     "for (guint i = 0; i <= MIN (from % CS_LEAF_RECORDS, leaf->n); i++)", ["timeline"]),
    ("layout: a frame ends one nanosecond later than it does", "src/engine/layout",
     "      if (self->start[middle] >= x)", "      if (self->start[middle] > x)", ["layout flame"]),
    ("report: a change as large as the threshold is left out", "src/engine/report",
     "fabs (as_double (self->unit, row->delta)) >= self->threshold",
     "fabs (as_double (self->unit, row->delta)) > self->threshold * 1.0000001", ["cli diff"]),
    ("project: recordings are listed oldest first", "src/engine/project",
     "return one->started_us > other->started_us ? -1 : 1;", "return one->started_us < other->started_us ? -1 : 1;",
     ["project recordings"]),
    ("session: a superseded filter's result is shown", "src/app/session",
     "if (request->cancellable != self->filtering)", "if (request->cancellable == NULL)", ["app session", "app stress"]),
    ("flame graph: a frame is hit one pixel to its right", "src/app/flame",
     "cs_flame_chart_get_x (self, &self->part, rect->start) <= px",
     "cs_flame_chart_get_x (self, &self->part, rect->start) <= px - 1.5", ["flame-chart"]),
    ("timeline: the button for more rows can't be hit", "src/app/timeline",
     "return at >= 0 && y >= at && y < at + self->row_height;", "return at >= 0 && y > at + self->row_height;",
     ["timeline-chart", "timeline-states"]),
    ("select: rows that stay are told as changed one too late", "src/app/select",
     "if (position < self->split_after)", "if (position <= self->split_after)", ["app select"]),
]


def shell(*argv, cwd, check=True):
    return subprocess.run(argv, cwd=cwd, check=check, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def place(clone, folder, text):
    """The one file below folder that has the text, once."""
    found = []
    for where, _, names in os.walk(os.path.join(clone, folder)):
        for name in names:
            path = os.path.join(where, name)
            if name.endswith((".c", ".h")):
                with open(path, encoding="utf-8") as f:
                    found += [path] * f.read().count(text)
    if len(found) != 1:
        raise SystemExit("breakages: %d places in %s have %r — adapt the list" % (len(found), folder, text))
    return found[0]


def names(build, words):
    """The names of the tests that have one of the words among theirs."""
    listed = json.loads(shell("meson", "introspect", "--tests", cwd=build).stdout)
    return sorted(t["name"] for t in listed if any(w in t["name"] for w in words))


def broken(clone, build, old, new, path, tests):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
    try:
        made = shell("ninja", "-C", build, cwd=clone, check=False)
        if made.returncode:
            return ["the compiler"], made.stdout[-2000:]
        shell("meson", "test", "-C", build, "--no-rebuild", "--timeout-multiplier", "3", *tests, cwd=clone,
              check=False)
        with open(os.path.join(build, "meson-logs", "testlog.json"), encoding="utf-8") as f:
            results = [json.loads(line) for line in f]
        return [r["name"].split(" / ")[-1] for r in results if r["result"] not in ("OK", "SKIP")], ""
    finally:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


def main():
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="callsight-breakages-") as folder:
        clone, build = folder + "/tree", folder + "/tree/_build"
        shell("git", "clone", "-q", TOP, clone, cwd=TOP)
        shell("meson", "setup", build, "-Dapp=enabled", cwd=clone)
        print("building", flush=True)
        shell("ninja", "-C", build, cwd=clone)
        for name, where, old, new, words in BREAKAGES:
            if sys.argv[1:] and not any(w in name for w in sys.argv[1:]):
                continue
            path, tests = place(clone, where, old), names(build, words)
            if not tests:
                raise SystemExit("breakages: no test is named %s" % " or ".join(words))
            failed, why = broken(clone, build, old, new, path, tests)
            unnoticed += not failed or failed == ["the compiler"]
            print("%s  %s (%s)\n    %s of %d: %s%s" %
                  ("noticed  " if failed else "UNNOTICED", name, os.path.relpath(path, clone),
                   len(failed), len(tests), ", ".join(failed) or "every test passes", why and "\n" + why), flush=True)
    print("%d unnoticed" % unnoticed)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
