# SPDX-License-Identifier: MIT
"""Random recordings with every fault, and parts of them: what one format says, all say."""

import collections

import readers
import recordings as rec
from model import Writer
from tap import Folder, equal, main, test


def by_function(calls):
    """{function: [calls, ns]} of (…, function, ns)."""
    sums = collections.defaultdict(lambda: [0, 0])
    for function, ns in calls:
        sums[function][0] += 1
        sums[function][1] += ns
    return dict(sums)


def check_tree(folder, rows, self_ns, part):
    """Formats that add up calls."""
    own, total, paths = collections.Counter(), collections.Counter(), collections.Counter()
    for path, ns in rec.folded(folder, *part).items():
        names = tuple(path.split(";"))
        own[names[-1]] += ns
        for name in set(names):
            total[name] += ns
        for depth in range(1, len(names) + 1):
            paths[names[:depth]] += ns
    equal({name: (own[name], total[name]) for name in rows},
          {name: (row["self_ns"], row["total_ns"]) for name, row in rows.items()}, "folded")
    by_thread = rec.analyze(folder, "--format", "folded", "--by-thread", *part).stdout
    equal(sum(int(line.rsplit(" ", 1)[1]) for line in by_thread.splitlines()), self_ns, "folded by thread")
    frames, _root = readers.svg(folder, "--min-share", "0", "--top", "0", *part)
    equal({path: ns for path, ns, *_rest in frames if path and ns}, dict(paths), "svg")
    totals = readers.callgrind_totals(folder, "no", *part)
    equal({name: totals.get(name, (0,))[0] for name in rows}, {name: row["self_ns"] for name, row in rows.items()}, "callgrind")


def check_calls(folder, rows, part):
    """Formats of single calls."""
    wanted = {name: [row["calls"] + row["open"] + row["clipped"], row["incl_ns"]] for name, row in rows.items()}
    chrome = rec.chrome_events(folder, *part)
    equal(by_function((name, end - start) for _pid, _tid, start, end, name in chrome), wanted, "chrome")
    calls, _processes, _threads = readers.perfetto(folder, *part)
    equal(by_function((name, end - start) for _pid, _tid, name, start, end, _how in calls), wanted, "perfetto")
    ends = collections.Counter((name, how) for _pid, _tid, name, _start, _end, how in calls)
    equal({name: [ends[name, how] for how in ("repaired", "open", "clipped")] for name in rows},
          {name: [row[how] for how in ("repaired", "open", "clipped")] for name, row in rows.items()}, "how calls end")
    _frames, profiles = readers.speedscope(folder, *part)
    equal(by_function((name, end - start) for _name, calls in profiles for name, start, end in calls), wanted, "speedscope")


def check(folder, *part):
    data = rec.report(folder, *part)
    rows = data["by_name"]
    table = {row["function"]: row for row in readers.table(folder, "--top", "0", *part)}
    equal(set(table), set(rows), "functions in csv")
    for name, row in rows.items():
        for key, cell in table[name].items():
            if cell and key.endswith(("_ns", "calls", "open", "repaired", "clipped", "threads")):
                equal(float(cell), float(row[key]), "%s of %s in csv" % (key, name))
    check_tree(folder, rows, data["self_ns"], part)
    check_calls(folder, rows, part)


@test
def all_formats_agree():
    for seed in (2, 3, 5):
        with Folder() as folder:
            writer = Writer(folder, seed, False)
            for pid in (100, 2000)[:1 + seed % 2]:
                writer.process(pid)
            rand, model = writer.random, writer.model
            first = rand.randint(0, model.last - model.first)
            end = rand.randint(first + 1, model.last - model.first + 2)
            call = rand.choice(model.calls)
            try:
                check(folder)
                check(folder, "--from", "%dns" % first, "--to", "%dns" % end)
                check(folder, "--from", "%dns" % first, "--function", "0x%x" % call.func)
                check(folder, "--thread", str(call.thread.tid))
            except AssertionError as error:
                raise AssertionError("seed %d: %s" % (seed, error)) from error


main()
