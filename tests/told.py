# SPDX-License-Identifier: MIT
"""What the reports say of a recording, times aside: to compare recordings of runs that do the same."""

import collections
import json
import re

import recordings as rec


def rows(data):
    """Of the JSON report: sums, functions, and the names of threads; which of several threads did a job is
    up to chance."""
    functions = sorted([row[key] or "" for key in ("function", "location", "calls", "open", "clipped", "repaired",
                                                   "callers", "callees")] for row in data["rows"])
    threads = sorted(row["name"] for row in data["per_thread"])
    sums = [data[key] for key in ("events", "threads", "functions", "unmatched_exits", "unclosed_enters", "repaired",
                                  "clamped", "lost", "notices")]
    return {"sums": sums, "functions": functions, "threads": threads}


def call_sites(folder):
    """(callee ← caller (call site)) → calls."""
    lines = rec.analyze(folder, "--format", "callers", "--top", "0").stdout.splitlines()
    found = collections.Counter()
    for line in lines:
        match = re.fullmatch(r" *(\d+) +[\d.]+  (.* <- .*)", line)
        if match:
            found[match[2]] += int(match[1])
    return dict(found)


def tree(folder):
    """path → calls."""
    found, path = collections.Counter(), []
    for line in rec.analyze(folder, "--format", "tree", "--top", "0").stdout.splitlines():
        match = re.fullmatch(r" *(\d+) +[\d.]+ +[\d.]+ +[\d.]+  ((?:  )*)(\S.*)", line)
        if match:
            path[len(match[2]) // 2:] = [match[3]]
            found[";".join(path)] += int(match[1])
    return dict(found)


def told(folder):
    data = json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)
    return dict(rows(data), sites=call_sites(folder), tree=tree(folder))
