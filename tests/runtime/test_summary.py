# SPDX-License-Identifier: MIT
"""TRACE_MODE=summary: the totals of every function, against a model and against what the
programs do."""

import collections
import os
import random
import re
import shutil
import stat

from tap import Folder, compilers, equal, main, run, test, true
from traces import build, said, symbols, tails_are_safe, trace

CC = compilers()[0]
SUMMARY = {"TRACE_MODE": "summary"}
DEPTH = 4096


# --- a model, written from the description ---------------------------------------------

def bucket(duration):
    if duration < 8:
        return duration
    msb = duration.bit_length() - 1
    return min((msb - 3) * 4 + (duration >> msb - 2 & 3) + 8, 159)


class Model:
    """What a thread's summary must be after these (enter, function, time)."""

    def __init__(self, script):
        self.rows, self.stack, self.truncated, beyond = {}, [], 0, 0
        for enter, func, time in script:
            if enter and len(self.stack) == DEPTH:
                beyond += 1
                self.truncated += 1
            elif enter:
                self.stack.append([func, time, 0])
            elif beyond:
                beyond -= 1
            elif any(frame[0] == func for frame in self.stack):
                while self.close(time) != func:
                    pass
        self.span = script[-1][2] - script[0][2]
        while self.stack:
            self.close(script[-1][2])

    def close(self, time):
        func, begin, inner = self.stack.pop()
        duration = time - begin
        if self.stack:
            self.stack[-1][2] += duration
        self.rows.setdefault(func, []).append((duration, duration - inner))
        return func

    def check(self, summary, what):
        equal((summary.span, summary.truncated), (self.span, self.truncated), what + ": span")
        equal(set(summary.rows), set(self.rows), what + ": functions")
        for func, calls in self.rows.items():
            row, spans = summary.rows[func], [duration for duration, _ in calls]
            equal((row.calls, row.incl, row.self, row.min, row.max),
                  (len(calls), sum(spans), sum(own for _, own in calls), min(spans), max(spans)),
                  "%s: %#x" % (what, func))
            counts = collections.Counter(map(bucket, spans))
            equal(row.hist, tuple(counts[i] for i in range(160)), "%s: hist %#x" % (what, func))


def sane(summary):
    """What holds of every summary, whatever the times."""
    for row in summary.rows.values():
        equal(sum(row.hist), row.calls, "histogram")
        true(row.calls * row.min <= row.incl <= row.calls * row.max, "minimum and maximum")
        true(row.self <= row.incl, "self")
        used = [i for i, n in enumerate(row.hist) if n]
        equal((used[0], used[-1]), (bucket(row.min), bucket(row.max)), "buckets")


def play(program, folder, scripts):
    paths = []
    for i, script in enumerate(scripts):
        paths.append("%s/script-%d" % (folder, i))
        with open(paths[-1], "w", encoding="ascii") as stream:
            stream.writelines("%s %x %d\n" % ("xe"[enter], func, time)
                              for enter, func, time in script)
    shutil.rmtree(folder + "/traces", True)
    result, capture = trace(program, *paths, folder=folder,
                            env=dict(SUMMARY, TRACE_CLOCK="mono"))
    equal(result.stderr, "", "stderr")
    tids = [int(t) for t in said(result, r"tid (\d+)")]
    equal(len(capture.summaries), len(scripts), "summaries")
    for tid, script in zip(tids, scripts):
        (summary,) = [s for s in capture.summaries if s.tid == tid]
        Model(script).check(summary, "thread %d" % tid)


def wild(chance, length, functions, low=1):
    """Calls that mostly nest, with lost and stray exits, of durations of every size."""
    script, stack, time = [], [], 1000
    for _ in range(length):
        time += int(2 ** chance.uniform(0, 5)) if chance.random() < 0.97 else \
            int(2 ** chance.uniform(0, 42))
        if stack and chance.random() < 0.5:
            if chance.random() < 0.05 and len(stack) > 2:
                del stack[-chance.randint(1, 2):]  # a jump: their exits never come
            func = stack.pop()
            if chance.random() < 0.02:
                func = 0x40 * chance.randint(low, functions)
            script.append((False, func, time))
        else:
            stack.append(0x40 * chance.randint(low, functions))
            script.append((True, stack[-1], time))
    return script


# --- tests ---------------------------------------------------------------------------------

@test
def all_totals_are_those_of_a_model():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "sums.c", "-O2", hooks=False)
            chance = random.Random(3)
            play(program, folder, [wild(chance, 20000, 9), wild(chance, 20000, 300),
                                   wild(chance, 1, 1), wild(chance, 30000, 2)])


@test
def a_table_that_grows():
    with Folder() as folder:
        program = build(folder, CC, "sums.c", "-O2", hooks=False)
        chance = random.Random(4)
        first = [(kind, 0x1000 + 16 * i, 10 * i + 5 * (not kind)) for i in range(3000)
                 for kind in (True, False)]
        play(program, folder, [first, wild(chance, 30000, 5000)])


@test
def calls_beyond_the_depth_limit():
    with Folder() as folder:
        program = build(folder, CC, "sums.c", "-O2", hooks=False)
        for depth in (DEPTH - 1, DEPTH, DEPTH + 1, 6000):
            down = [(True, 0x1000 + 16 * (i % 7), i) for i in range(depth)]
            up = [(False, 0x1000 + 16 * (i % 7), 2 * depth - i) for i in reversed(range(depth))]
            again = [(True, func, time + 2 * depth) for _, func, time in down[:10]]
            play(program, folder, [down + up + again, down])


@test
def calls_of_every_thread():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "calls.c", opt)
                result, capture = trace(program, 3, 50, folder=folder, env=SUMMARY)
                equal(result.stderr, "", "stderr")
                pid = int(said(result, r"main (\d+)")[0])
                equal(len(capture.summaries), 4, "summaries")
                equal((capture.files, capture.tails), ([], {}), "event files")
                for summary in capture.summaries:
                    sane(summary)
                    names = symbols(program, summary.header.load_bias)
                    root = "main" if summary.tid == pid else "worker"
                    rows = {names[func]: row for func, row in summary.rows.items()}
                    equal({name: row.calls for name, row in rows.items()},
                          {root: 1, "work": 1, "top": 50, "middle": 100, "leaf": 300,
                           "fib": 177}, root)
                    equal(sum(row.self for row in rows.values()), rows[root].incl, "all self time")
                    equal(rows[root].incl, summary.span, "from the first event to the last")
                    equal(rows["leaf"].self, rows["leaf"].incl, "a leaf")
                    equal(rows["top"].incl - rows["top"].self, rows["middle"].incl, "callees")
                lines = capture.processes[pid][0].threads
                equal({(tid, number) for tid, number, _ in lines},
                      {(s.tid, 0) for s in capture.summaries}, "thread lines")


@test
def times_are_those_of_event_mode():
    with Folder() as folder:
        program = build(folder, CC, "moves.c")
        result, capture = trace(program, folder=folder, env=SUMMARY)
        (summary,) = capture.summaries
        before, after = (int(said(result, w + r" (\d+)")[0]) for w in ("before", "after"))
        rate = summary.header.tick_hz or 10 ** 9
        # Two calls with a tenth of a second between them.
        true(0.099e9 < summary.span * 1e9 / rate < after - before + 1e5, "span")
        equal([row.calls for row in summary.rows.values()], [2], "calls")
        true(0 < summary.header.hook_ns < 2000, "hook_ns %d" % summary.header.hook_ns)


@test
def ten_times_the_calls_are_no_byte_more():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", "-O2")
        sizes = []
        for loops in (1000, 10000, 100000):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, 1, loops, folder=folder, env=SUMMARY)
            sizes.append(sorted(s.size for s in capture.summaries))
            equal(max(row.calls for row in capture.summaries[0].rows.values()), 6 * loops, "leaf")
            total = sum(os.path.getsize(os.path.join(folder, "traces", n))
                        for n in os.listdir(folder + "/traces"))
            true(total < 12000, "%d bytes in all" % total)
        equal(sizes, [[96 + 6 * 688] * 2] * 3, "bytes")


@test
def the_cap_of_events_is_no_cap_of_calls():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", "-O2")
        result, capture = trace(program, 0, 1000, folder=folder, env=dict(SUMMARY, TRACE_MAX="10"))
        equal(result.stderr, "callsight: TRACE_MAX bounds events; a summary has none, and goes on "
              "to its end\n", "what is said")
        (summary,) = capture.summaries
        equal(max(row.calls for row in summary.rows.values()), 6000, "leaf")


@test
def handlers_calls_nest_in_what_they_interrupt():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "signals.c", "-O2")
            for how in ("plain", "stack"):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, how, 500, folder=folder, env=SUMMARY)
                handled, calls = map(int, said(result, r"handled (\d+) calls (\d+)")[0])
                (summary,) = capture.summaries
                sane(summary)
                names = symbols(program, summary.header.load_bias)
                equal({names[func]: row.calls for func, row in summary.rows.items()},
                      {"handler": handled, "in_handler": handled, "outer": calls, "step": calls},
                      how)


@test
def what_no_buffer_holds_is_counted():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "signals.c", "-O2")
            result, capture = trace(program, "deep", 20, folder=folder, env=SUMMARY)
            handled, calls = map(int, said(result, r"handled (\d+) calls (\d+)")[0])
            (summary,) = capture.summaries
            (section,) = list(capture.processes.values())[0]
            ((tid, code, refused),) = section.marks
            equal((tid, code), (summary.tid, 261), "mark")
            # Of a handler that interrupts a hook the side buffer holds the first 1,024 of its
            # 4,002 hooks, 513 of them enters; of one more in the same hook none.
            taken = sum(row.calls for row in summary.rows.values()) + summary.truncated
            enters = 2001 * handled + 2 * calls - taken
            first = (refused - 2 * enters) // 2
            more = (refused - 2978 * first) // 4002
            equal((refused, enters), (2978 * first + 4002 * more, 1488 * first + 2001 * more),
                  "refused, and enters among them")
            true(0 < first <= handled and more >= 0, "%d, %d handlers" % (first, more))


@test
def every_way_in_and_out():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "lifetime.c", "-O2")
            _, capture = trace(program, folder=folder, env=SUMMARY)
            total = collections.Counter()
            for summary in capture.summaries:
                names = symbols(program, summary.header.load_bias)
                total.update({names[func]: row.calls for func, row in summary.rows.items()})
            equal(dict(total), {"in_first_constructor": 1, "in_constructor": 1, "in_atexit": 3,
                                "in_destructor": 2, "in_thread": 3, "in_key_round": 12}, "calls")
            program = build(folder, cc, "ends.c")
            for how in ("quick", "thread-exit", "last-thread", "running"):
                shutil.rmtree(folder + "/traces", True)
                _, capture = trace(program, how, folder=folder, env=SUMMARY)
                total = collections.Counter()
                for summary in capture.summaries:
                    sane(summary)
                    names = symbols(program, summary.header.load_bias)
                    total.update({names[func]: row.calls for func, row in summary.rows.items()})
                equal(total["last_step"], 1, how)
                if how == "running":
                    true(total["step"] > 200 and len(capture.summaries) == 3, "running threads")


@test
def children_sum_up_on_their_own():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "forks.c", "-O2")
            for how in ("plain", "raw", "threaded"):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, how, folder=folder, env=SUMMARY)
                equal(result.stderr, "", "stderr")
                (parent,) = [int(p) for p in said(result, r"parent (\d+)")]
                for summary in capture.summaries:
                    names = symbols(program, summary.header.load_bias)
                    counts = {names[func]: row.calls for func, row in summary.rows.items()}
                    forks = 10 if how == "threaded" else 2
                    if summary.tid == parent:
                        equal(counts, {"in_parent": 10000, "forking": forks}, how + ": parent")
                    elif summary.pid == summary.tid:
                        # It returns from a call of its parent's, which counts for nothing.
                        equal(counts, {"in_child": 5000}, how + ": child")
                    elif summary.pid != parent:
                        equal(counts, {"in_thread": 50}, how + ": a child's thread")


@test
def a_later_image_has_a_file_of_its_own():
    with Folder() as folder:
        program = build(folder, CC, "again.c")
        result, _ = trace(program, 2, 10, folder=folder, env=SUMMARY)
        pid = said(result, r"pid (\d+)")[0]
        # The tables of the first two stay; what is plain memory goes.
        names = sorted(n for n in os.listdir(folder + "/traces") if "summary" in n)
        equal(names, ["trace.summary.%s.%s.%s" % (pid, pid, end) for end in
                      (("1.tail", "2.bin", "tail") if tails_are_safe() else ("bin",))], "files")
        script = "cd %s/traces && rm -f * && touch trace.summary.$$.$$.bin && exec %s 0 10" % (
            folder, program)
        result = run("sh", "-c", script, check=0, env=dict(
            SUMMARY, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces"))
        pid = said(result, r"pid (\d+)")[0]
        path = "%s/traces/trace.summary.%s.%s.1.bin" % (folder, pid, pid)
        equal(stat.S_IMODE(os.stat(path).st_mode), 0o600, "permissions")


@test
def libraries_that_come_later_are_listed():
    with Folder() as folder:
        library = build(folder, CC, "plugin.c", out="libplugin.so", flags=("-shared", "-fPIC"))
        program = build(folder, CC, "plugins.c")
        _, capture = trace(program, "./libplugin.so", folder=folder, cwd=folder, env=SUMMARY)
        (section,) = list(capture.processes.values())[0]
        (module,) = [m for m in section.modules if m.path == library]
        (summary,) = capture.summaries
        table = symbols(library, module.bias)
        equal({table[func]: row.calls for func, row in summary.rows.items() if func in table},
              {"plugin_loaded": 1, "plugin_work": 1, "plugin_step": 10, "plugin_unloaded": 1},
              "calls of the library")


@test
def threads_are_chosen_by_the_names_that_they_end_with():
    with Folder() as folder:
        program = build(folder, CC, "named.c", "-O2")
        result, capture = trace(program, folder=folder,
                                env=dict(SUMMARY, TRACE_THREADS="work-*,late"))
        tids = {int(tid): name for name, tid in said(result, r"(\S+) (\d+)")}
        equal({tids[s.tid] for s in capture.summaries}, {"work-1", "work-2", "late"}, "threads")


@test
def what_goes_wrong_is_said():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        result, capture = trace(program, "in-turn", 0, 10, folder=folder,
                                env={"TRACE_MODE": "verbose"})
        true(re.fullmatch(r"callsight: TRACE_MODE=verbose is unknown .*using events\n",
                          result.stderr), result.stderr)
        equal((len(capture.of().calls()), capture.summaries), (20, []), "events")
        shutil.rmtree(folder + "/traces")
        result = run(program, "in-turn", 1, 10, check=0,
                     env=dict(SUMMARY, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces",
                              TRACE_MIN_FREE_MB="1000000000"))
        equal(len(result.stderr.splitlines()), 1, result.stderr)
        true("less than TRACE_MIN_FREE_MB asks for" in result.stderr, result.stderr)


if __name__ == "__main__":
    main()
