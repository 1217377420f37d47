# SPDX-License-Identifier: MIT
"""The call tree thread by thread: against the model, the merged tree, and the same in other formats."""

import os
import random
import re

import packed
import readers
import recordings as rec
import tap
from model import Writer
from tap import Folder, equal, main, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "profile", "thread-tree-tool")


def by_thread(folder, *arguments):
    """{(tid, path): self ns}"""
    result = {}
    for path, ns in rec.folded(folder, "--by-thread", *arguments).items():
        thread, path = path.split(";", 1)
        match = re.fullmatch(r"thread(?:, pid \d+)?, tid (\d+)", thread)
        true(match, thread)
        result[int(match.group(1)), path] = ns
    return result


def merged(paths):
    result = {}
    for (_tid, path), ns in paths.items():
        result[path] = result.get(path, 0) + ns
    return result


def wanted(model):
    """What the model's calls say."""
    children, paths = {}, {}
    for call in model.calls:
        children[call.parent] = children.get(call.parent, 0) + call.end - call.start
    for call in model.calls:
        key = call.thread.tid, ";".join("0x%x" % around.func for around in call.path())
        paths[key] = paths.get(key, 0) + call.end - call.start - children.get(call, 0)
    return {key: ns for key, ns in paths.items() if ns}


def write_random(folder, seed):
    writer = Writer(folder, seed, False)
    for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
        writer.process(pid)
    return writer.model


@test
def random_recordings():
    n = 0
    for seed in range(7000, 7016):
        with Folder() as folder, Folder() as other:
            model, rand = write_random(folder, seed), random.Random(seed)
            equal(by_thread(folder), wanted(model), "seed %d" % seed)
            packed.pack_folder(folder, other, rand.choice([1, 50, 1000]), rand.choice([1, 3, 1 << 30]))
            equal(by_thread(other), wanted(model), "seed %d, packed" % seed)
            for place in (folder, other):
                n += int(tap.run(TOOL, place, check=0).stdout.split()[0])
    true(n > 60, "threads: %d" % n)


@test
def parts_of_random_recordings():
    for seed in range(7100, 7110):
        with Folder() as folder:
            model, rand = write_random(folder, seed), random.Random(seed)
            if not model.calls:
                continue
            span = model.last - model.first
            first, end = sorted(rand.randint(0, span) for _ in range(2))
            call = rand.choice(model.calls)
            for part in (("--from", "%dns" % first, "--to", "%dns" % (end + 1)), ("--function", "0x%x" % call.func),
                         ("--thread", str(call.thread.tid)), ("--pid", str(call.thread.pid), "--from", "%dns" % first)):
                paths = by_thread(folder, *part)
                equal(merged(paths), rec.folded(folder, *part), "seed %d %s" % (seed, part))
                for tid in {tid for tid, _path in paths}:
                    if "--thread" not in part:
                        equal({path: ns for (one, path), ns in paths.items() if one == tid},
                              rec.folded(folder, "--thread", str(tid), *part), "seed %d, %d" % (seed, tid))
            tap.run(TOOL, folder, str(first), str(end + 1), check=0)
            tap.run(TOOL, folder, str(first), str(end + 1), "0x%x" % call.func, check=0)


@test
def stacks_of_a_thread_and_ids_that_come_again():
    with Folder() as folder:
        calls = readers.odd_ends(folder)
        rec.write(folder, "trace.1.1.1.bin", rec.header(flags=rec.THREAD_START, seq=1), rec.event(rec.ENTER, 1000, 0x1000),
                  rec.event(rec.EXIT, 1100, 0x1000))
        paths = by_thread(folder)
        equal(paths[1, "0x5000"], 20, "time on another stack, without that in which the first one ran")
        equal(merged(paths), rec.folded(folder), "both threads")
        equal(tap.run(TOOL, folder, check=0).stdout.split()[0], "2", "threads")
        true(len(calls) > 5, "calls")


@test
def a_stream_holds_several_threads():
    with Folder() as folder:
        parts = []
        for i in range(2000):
            for kind in (rec.ENTER, rec.EXIT):
                for tid in (5, 6, 7):
                    parts.append(rec.event(kind, 100 * i + 10 * kind + tid, 0x1000 * tid, 0x40, tid))
        rec.write(folder, "trace.9.0.0.bin", rec.header(pid=9), *parts)
        equal(by_thread(folder), {(tid, "0x%x" % (0x1000 * tid)): 20000 for tid in (5, 6, 7)}, "each")


@test
def modules_that_took_turns_at_an_address():
    """Each worker numbers what it sees of them in its own order."""
    with Folder() as folder:
        with open(os.path.join(folder, "trace.1.process"), "w", encoding="utf-8") as file:
            file.write("CALLSIGHT-PROCESS 1\npid 1\nexe /gone/app\nstart-monotonic-ns 1\n"
                       "module 1 10000 10000 20000 - /gone/one.so\nmodule-gone 1000 10000\n"
                       "module 1000 10000 10000 20000 - /gone/two.so\n")
        truth, single = {}, []
        for tid, n in ((1, 30000), (2, 20), (3, 20), (4, 20)):
            parts = []
            for i in range(n):
                for k, function in enumerate((0x10010, 0x10020) if tid % 2 else (0x10020, 0x10010)):
                    start = (2000 if tid == 1 else 10) + 100 * i + 20 * k
                    parts += [rec.event(rec.ENTER, start, function, 0x10100, tid), rec.event(rec.EXIT, start + 7, function, 0, tid)]
                    name = "%s.so+0x%x" % ("one" if start < 1000 else "two", function - 0x10000)
                    truth[tid, name] = truth.get((tid, name), 0) + 7
                    single.append((name, start))
            rec.write(folder, "trace.1.%d.0.bin" % tid, rec.header(t0_ns=1), *parts)
        equal(by_thread(folder), truth, "by thread")
        first = min(start for _name, start in single)
        equal(sorted((name, start + first) for _pid, _tid, start, _end, name in rec.chrome_events(folder)), sorted(single), "chrome")
        tap.run(TOOL, folder, check=0)


@test
def tree_and_svg():
    with Folder() as folder:
        told = readers.random_calls(folder, threads=3, calls=60)
        paths = by_thread(folder)
        frames, _root = readers.svg(folder, "--top", "0", "--by-thread")
        for tid in (1, 2, 3):
            own = [call for call in told if call[0] == tid]
            label = "thread, tid %d" % tid
            frame = [frame for frame in frames if frame[0] == (label,)]
            equal([frame[0][1]], [sum(call[4] for call in own)], "time of a thread")
            equal(sum(ns for (one, _path), ns in paths.items() if one == tid), frame[0][1], "and of its paths")
        text = rec.analyze(folder, "--format", "tree", "--by-thread", "--top", "0").stdout
        equal(len(re.findall(r"^ {10} +\d+\.\d{3} +0\.000 +\d+\.\d  thread, tid [123]$", text, re.M)), 3, text)
        for form in ("text", "json", "callgrind"):
            result = rec.analyze(folder, "--by-thread", "--format", form, check=2)
            true("--by-thread" in result.stderr and "use folded, tree or svg" in result.stderr, result.stderr)


main()
