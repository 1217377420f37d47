# SPDX-License-Identifier: MIT
"""The tree format: the call tree as text."""

import re

import readers
import recordings as rec
from tap import Folder, equal, main, test, true

ROW = re.compile(r" *(\d+) +(\d+\.\d{3})(?: +(\d+\.\d{3}))? +(\d+\.\d)  ( *)(?:\[(\d+)\] )?(.*)")


def rows(folder, *arguments):
    """[(depth, calls, incl_ms, self_ms, percent, text)], and the last line."""
    lines = rec.analyze(folder, "--format", "tree", *arguments).stdout.splitlines()
    lines = lines[[i for i, line in enumerate(lines) if line.endswith("call tree")][0] + 1:]
    result = []
    for line in lines:
        match = ROW.fullmatch(line)
        if match:
            calls, incl, own, percent, indent, depth, text = match.groups()
            result.append((int(depth) if depth else len(indent) // 2 + 1, int(calls), float(incl),
                           float(own) if own else None, float(percent), text))
    return result, lines[-1] if lines else ""


@test
def paths_are_those_of_the_folded_report():
    with Folder() as folder:
        told = readers.random_calls(folder, calls=80)
        found, _last = rows(folder, "--top", "0")
        own, inclusive, path = {}, {}, []
        for depth, _calls, incl, self_ms, _percent, text in found:
            path[depth - 1:] = [text]
            true(tuple(path) not in own, "each path once")
            own[tuple(path)] = self_ms
            inclusive[tuple(path)] = incl
        equal({";".join(p): v for p, v in own.items() if v}, {
            p: v for p, v in ((p, round(ns / 1e6 + 1e-10, 3)) for p, ns in rec.folded(folder).items()) if v}, "self time")
        equal(sum(row[1] for row in found), len(told), "calls")
        whole = sum(call[4] for call in told) / 1e6
        for _depth, _calls, incl, _self, percent, text in found:
            true(abs(percent - 100 * incl / whole) < 0.06, "share of " + text)
        for p, incl in inclusive.items():
            true(len(p) == 1 or incl <= inclusive[p[:-1]], "no call is longer than the one around it")


@test
def what_is_left_out_is_said():
    with Folder() as folder:
        readers.random_calls(folder)
        every, _last = rows(folder, "--top", "0")
        found, last = rows(folder, "--top", "15")
        shown = [row for row in found if not row[5].startswith("…")]
        equal(len(shown), 15, "--top")
        true(last.startswith("15 of %d paths" % len(every)), last)
        # Whatever a row spends beyond its own time is in rows below it, shown or summed up.
        for at, (depth, _calls, incl, own, _percent, text) in enumerate(found):
            if text.startswith("…"):
                continue
            below = 0
            for other in found[at + 1:]:
                if other[0] <= depth:
                    break
                below += other[2] if other[0] == depth + 1 else 0
            true(abs(incl - own - below) < 0.01, "%s: %f of which %f and %f" % (text, incl, own, below))
        share, _last = rows(folder, "--top", "0", "--min-share", "10")
        true(0 < len([row for row in share if row[4] >= 9.9]) < len(every), "--min-share")
        true(all(row[4] >= 9.9 for row in share if not row[5].startswith("…")), "10 % at least")
        for value in ("-1", "101", "nan"):
            result = rec.analyze(folder, "--min-share", value, check=2)
            true("--min-share" in result.stderr and "use 0 to 100" in result.stderr, result.stderr)


@test
def a_deep_path_does_not_run_off():
    n = 20000
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *[rec.event(0, i, 0x1000 + i % 3) for i in range(n)],
                  *[rec.event(1, 2 * n - i, 0x1000 + i % 3) for i in range(n - 1, -1, -1)])
        found, _last = rows(folder, "--top", "0")
        equal([row[0] for row in found], list(range(1, n + 1)), "depths")
        true(max(len(line) for line in rec.analyze(folder, "--format", "tree", "--top", "0").stdout.splitlines()) < 160, "short")
        # The others take such a tree too.
        equal(readers.write(folder, "svg").count(b'<g class="f"'), 10001, "svg")
        rows_by_name = rec.report(folder)["by_name"]
        own = readers.callgrind_totals(folder, "yes")
        equal({name: own[name][0] for name in rows_by_name},
              {name: row["total_ns"] for name, row in rows_by_name.items()}, "callgrind")


main()
