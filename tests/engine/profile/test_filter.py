# SPDX-License-Identifier: MIT
"""Parts of random recordings against the model: by time, thread, process and function.

What a part must hold is worked out call by call from the whole recording's calls.
"""

import json
import os

import packed
import recordings as rec
import tap
from model import Function, Model, Writer, check_functions, check_sites
from tap import Folder, equal, main, test, true


def part_of(model, first=None, end=None, pid=None, tid=None, functions=None):
    """The model of the calls in [first, end), ns, of a process or thread, below some functions."""
    first = first if first is not None else float("-inf")
    end = end if end is not None else float("inf")
    part = Model()
    inside = {}  # call → (start, end, clipped)
    children = {}
    for call in model.calls:
        if (pid and call.thread.pid != pid) or (tid and call.thread.tid != tid):
            continue
        if functions and not any(around.func in functions for around in call.path()):
            continue
        if call.start >= end or call.end < first or (call.start < first and call.how == "open" and call.thread.last < first):
            continue
        clipped = call.start < first or call.end >= end
        start, stop = max(call.start, first), min(call.end, end)
        inside[call] = (start, stop, clipped)
        if call.parent:
            children[call.parent] = children.get(call.parent, 0) + stop - start
    for call, (start, stop, clipped) in inside.items():
        function = part.functions.setdefault(call.func, Function())
        path = [around for around in call.path() if around in inside]
        function.incl += stop - start
        function.self += stop - start - children.get(call, 0)
        function.threads.add(call.thread.serial)
        if call.func not in [around.func for around in path[:-1]]:
            function.total += stop - start
        name = ";".join("0x%x" % around.func for around in path)
        part.paths[name] = part.paths.get(name, 0) + stop - start - children.get(call, 0)
        part.spans.append((call.func, start, stop))
        site = part.sites.setdefault(call.site(), [0, 0])
        site[1] += stop - start
        if clipped:
            function.clipped += 1
            part.clipped += 1
        elif call.how == "open":
            function.open += 1
        else:
            function.calls += 1
            site[0] += 1
            if call.how == "repaired":
                function.repaired += 1
            else:
                function.durations.append(stop - start)
    for thread, ns, unmatched in model.times:
        if first <= ns < end and (not pid or thread.pid == pid) and (not tid or thread.tid == tid):
            part.events += 1
            part.unmatched += unmatched
    return part


def check_part(folder, origin, part, whole_events, *arguments):
    data = rec.report(folder, *arguments)
    check_functions(data, part)
    if whole_events:
        equal(data["events"], part.events, "events")
        equal(data["unmatched_exits"], part.unmatched, "unmatched exits")
    equal(data["clipped"], part.clipped, "clipped")
    total = sum(function.self for function in part.functions.values())
    equal(data["self_ns"], total, "Σ self")
    equal(sum(row["self_ns"] for row in data["per_thread"]), total, "Σ self over threads")
    equal(rec.folded(folder, *arguments), {path: ns for path, ns in part.paths.items() if ns > 0}, "folded")
    spans = sorted((int(name, 16), start, end) for _pid, _tid, start, end, name in rec.chrome_events(folder, *arguments))
    equal(spans, sorted((func, start - origin, end - origin) for func, start, end in part.spans), "chrome spans")
    check_sites(folder, part, *arguments)
    true("part of the recording" in data["notices"][0], "says that it is a part")


def check_from_index(folder, part, first, end):
    """The same part, read from where the index says."""
    result = tap.run(os.path.join(tap.BUILD, "tests", "engine", "profile", "part-tool"), folder, str(first), str(end))
    data = json.loads(result.stdout)
    data["by_name"] = {row["function"]: row for row in data["rows"]}
    check_functions(data, part)
    equal(data["events"], part.events, "events")
    equal(data["unmatched_exits"], part.unmatched, "unmatched exits")
    equal(data["clipped"], part.clipped, "clipped")
    equal(data["lost"], rec.report(folder, "--from", "%dns" % first, "--to", "%dns" % end)["lost"], "lost")
    return [int(word) for word in result.stderr.split()]


def check_packed(folder, part, first, end, rand):
    """The same part of the same events in blocks."""
    with Folder() as other:
        packed.pack_folder(folder, other, rand.choice([7, 100, 1000]), rand.choice([1, 3, 1 << 30]))
        check_from_index(other, part, first, end)
        arguments = ("--from", "%dns" % first, "--to", "%dns" % end)
        equal(rec.folded(other, *arguments), rec.folded(folder, *arguments), "folded")


def run_seed(seed):
    with Folder() as folder:
        writer = Writer(folder, seed, False)
        for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
            writer.process(pid)
        model, rand = writer.model, writer.random
        if not model.calls:
            return
        span = model.last - model.first
        times = sorted(rand.choice([rand.randint(1, max(1, span)),
                                    max(1, rand.choice(model.calls).start - model.first),
                                    max(1, rand.choice(model.calls).end - model.first)]) for _ in range(2))
        first, end = times[0], max(times[1], times[0] + 1)
        thread = rand.choice(model.calls).thread
        functions = {rand.choice(model.calls).func for _ in range(2)}
        glob = "0x%x" % min(functions)
        try:
            check_part(folder, model.first, part_of(model, model.first + first, model.first + end), True,
                       "--from", "%dns" % first, "--to", "%dns" % end)
            check_from_index(folder, part_of(model, model.first + first, model.first + end), first, end)
            check_packed(folder, part_of(model, model.first + first, model.first + end), first, end, rand)
            check_part(folder, model.first, part_of(model, end=model.first + first), True, "--to", "%dns" % first)
            check_part(folder, model.first, part_of(model, tid=thread.tid), True, "--thread", str(thread.tid))
            check_part(folder, model.first, part_of(model, functions={min(functions)}), False, "--function", glob)
            check_part(folder, model.first, part_of(model, model.first + first, pid=thread.pid, functions={min(functions)}), False,
                       "--from", "%d.%09d" % divmod(first, 10 ** 9), "--pid", str(thread.pid), "--function", glob)
        except AssertionError as error:
            raise AssertionError("seed %d: %s" % (seed, error)) from error


@test
def parts_of_recordings_with_every_fault():
    for seed in range(2000, 2030):
        run_seed(seed)


def check_cost(n, first, end, per_block=None):
    with Folder() as folder, Folder() as other:
        model = Model()
        thread = model.thread(1, 1)
        parts = []
        for i in range(n):
            for kind in (rec.ENTER, rec.EXIT):
                func = 0x1000 + 16 * (i % 7)
                parts.append(rec.event(kind, 10 * i + 5 * kind, func, 0x40))
                thread.take(kind, 10 * i + 5 * kind, func, 0x40)
        rec.write(folder, "trace.1.1.0.bin", rec.header(flags=rec.THREAD_START), *parts)
        if per_block:
            packed.pack_folder(folder, other, per_block)
        read, all_of_it = check_from_index(other if per_block else folder, part_of(model, first, end), first, end)
        true(read < all_of_it / 20, "%d bytes read of %d" % (read, all_of_it))


@test
def a_part_costs_what_lies_in_it():
    check_cost(200000, 1500000, 1510000)


@test
def a_part_of_packed_files_costs_what_lies_in_it():
    check_cost(40000, 300000, 302000, 1000)


@test
def what_lies_behind_a_part_is_not_told_of():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(flags=rec.THREAD_START),
                  *(rec.event(kind, ts, 0x1000) for kind, ts in [(rec.ENTER, 10), (rec.EXIT, 20), (rec.ENTER, 100), (rec.EXIT, 90)]))
        equal([rec.report(folder, *part)["clamped"] for part in ((), ("--to", "50ns"), ("--from", "50ns"))], [1, 0, 1],
              "timestamps that went backwards")


@test
def everything_from_the_start_on_is_the_whole():
    with Folder() as folder:
        writer = Writer(folder, 7, False)
        writer.process(100)
        whole = rec.report(folder)
        part = rec.report(folder, "--from", "0")
        equal(part["rows"], whole["rows"], "rows")
        equal(part["per_thread"], whole["per_thread"], "threads")
        equal(part["span_ms"], whole["span_ms"], "span")


main()
