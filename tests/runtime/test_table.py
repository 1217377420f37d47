# SPDX-License-Identifier: MIT
"""The tables of TRACE_MODE=summary, what a process leaves that does not end by itself: every
call whose exit hook returned, but for a part of one."""

import os
import random
import resource
import shutil
import signal
import subprocess
import time

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import Capture, build, said, symbols, tails_are_safe, trace

CC = compilers()[0]
SUMMARY = {"TRACE_MODE": "summary"}


def need_tables():
    if not tails_are_safe():
        raise Skip("this file system keeps no reserved space")


def counters(folder, functions):
    """tid → (address → calls that have returned), as the program counted in shared memory."""
    with open(folder + "/counters", "rb") as stream:
        words = memoryview(stream.read()).cast("Q")
    rows = {}
    for i in range(0, len(words), functions + 1):
        if words[i]:
            rows[words[i]] = {0x10000 + 64 * k: n for k, n in enumerate(words[i + 1:i + 1 + functions]) if n}
    return rows


def check(summary, returned, what):
    """All calls that returned are in, and at most one more; each row is whole but for it."""
    more = 0
    for func, row in summary.rows.items():
        more += row.calls - returned.get(func, 0)
        true(row.calls >= returned.get(func, 0), "%s: %#x: %d calls of %d" % (
            what, func, row.calls, returned.get(func, 0)))
        equal(sum(row.hist), row.calls, what + ": histogram")
        true(row.min <= row.max, what + ": minimum and maximum")
        true(row.calls * row.min <= row.incl, what + ": inclusive time")
        true(row.self <= row.incl, what + ": self time")
    true(set(returned) <= set(summary.rows), what + ": functions")
    true(0 <= more <= 1, "%s: %d calls more than returned" % (what, more))


def clear(folder):
    shutil.rmtree(folder + "/traces", True)
    if os.path.exists(folder + "/counters"):
        os.unlink(folder + "/counters")


def killed(program, folder, seconds, threads=2, functions=300, turns=10 ** 7, env=None, words=""):
    """Runs it, kills it after that time, returns what was counted and the capture.  `words`
    are in what it has on stderr."""
    clear(folder)
    environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
    environ.update({"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, **SUMMARY, **(env or {}))
    with subprocess.Popen([program, "loop", folder + "/counters", str(threads), str(functions), str(turns)],
                          env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        equal(process.stdout.readline(), b"begun\n", "its line")
        time.sleep(seconds)
        process.kill()
        stderr = process.stderr.read().decode()
        true(words in stderr and (words or not stderr), "stderr: " + stderr)
    return counters(folder, functions), Capture(folder + "/traces", program)


@test
def a_kill_at_any_moment():
    need_tables()
    chance = random.Random(22)
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "tables.c", "-O2", hooks=False)
            sizes = set()
            for _ in range(20):
                # While functions still come up, and later.
                seconds = chance.choice((0.0003, 0.003, 0.03)) * chance.random()
                counts, capture = killed(program, folder, seconds, threads=3)
                equal((len(counts), len(capture.tables), capture.summaries), (3, 3, []), "threads")
                for table in capture.tables:
                    check(table, counts[table.tid], "%s, thread %d" % (cc, table.tid))
                    sizes.add(table.header.records)
                (section,) = list(capture.processes.values())[0]
                equal({(tid, number) for tid, number, _ in section.threads},
                      {(table.tid, 0) for table in capture.tables}, "thread lines")
            print("# %s: tables of %r places" % (cc, sorted(sizes)))


@test
def every_way_out_that_runs_no_exit_handlers():
    need_tables()
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "tables.c", "-O2", hooks=False)
            for how in ("_exit", "abort", "exec", "exit"):
                for turns in (1, 1240, 1260, 20000):
                    clear(folder)
                    _, capture = trace(program, how, folder + "/counters", 0, 300, turns, folder=folder,
                                       env=SUMMARY, check=None)
                    (returned,) = counters(folder, 300).values()
                    there, gone = capture.tables, capture.summaries
                    if how == "exit":
                        there, gone = gone, there
                    equal((len(there), gone), (1, []), how + ": files")
                    equal({func: row.calls for func, row in there[0].rows.items()}, returned, how)
                    check(there[0], returned, how)


@test
def the_span_and_the_rate_of_a_table():
    need_tables()
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        begin = time.monotonic_ns()
        _, capture = killed(program, folder, 0.3, threads=1)
        (table,) = capture.tables
        rate = table.header.tick_hz or 10 ** 9
        true(0.25 < table.span / rate < (time.monotonic_ns() - begin) / 1e9, "span %d" % table.span)
        equal(table.truncated, 0, "truncated")


@test
def children_leave_their_parents_table_alone():
    need_tables()
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "tables.c", "-O2", hooks=False)
            for how in ("fork", "_Fork"):
                clear(folder)
                _, capture = trace(program, how, folder + "/counters", 0, 100, 5000, folder=folder, env=SUMMARY)
                counts = counters(folder, 100)
                equal((len(counts), len(capture.tables)), (2, 2), how)
                for table in capture.tables:
                    equal(table.tid, table.pid, "a process's first thread")
                    equal({f: row.calls for f, row in table.rows.items()}, counts[table.tid], how)


@test
def forks_in_a_signal_handler():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "forksignal.c", "-O2")
            result, capture = trace(program, folder=folder, env=SUMMARY)
            equal((result.stderr, capture.tables), ("", []), "stderr and tables")
            ((parent, calls),) = said(result, r"parent (\d+) calls (\d+)")
            equal(len(capture.summaries), 61, "processes")
            for summary in capture.summaries:
                names = symbols(program, summary.header.load_bias)
                counts = {names[func]: row.calls for func, row in summary.rows.items()}
                if summary.pid == int(parent):
                    equal(counts, {"in_parent": int(calls)}, "parent")
                else:
                    # What the signal interrupted may be finished first.
                    true(counts.pop("in_parent", 0) <= 1 and counts == {"in_child": 5}, "child: %r" % counts)


@test
def without_tails_a_kill_leaves_nothing():
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        _, capture = trace(program, "_exit", folder + "/counters", 0, 100, 5000, folder=folder,
                           env=dict(SUMMARY, TRACE_TAIL="0"))
        equal((capture.tables, capture.summaries), ([], []), "files")


@test
def tables_are_part_of_the_budget():
    need_tables()
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        # A table of 64 places is 44 KiB.
        counts, capture = killed(program, folder, 0.05, threads=5, functions=3, env={"TRACE_MAX_MB": "200K"},
                                 words="TRACE_MAX_MB has no room for it")
        equal((len(counts), len(capture.tables)), (5, 4), "tables")
        # One that can't grow becomes plain memory, and is whole at the end all the same.
        result, capture = trace(program, "exit", folder + "/counters", 0, 300, 20000, folder=folder,
                                env=dict(SUMMARY, TRACE_MAX_MB="300K"))
        true("TRACE_MAX_MB has no room for it" in result.stderr, result.stderr)
        equal([len(s.rows) for s in capture.summaries], [300], "functions")
        # What threads leave at their end is part of it too.
        many = build(folder, CC, "many.c", "-O2")
        shutil.rmtree(folder + "/traces")
        result, capture = trace(many, "in-turn", 40, 10, folder=folder, env=dict(SUMMARY, TRACE_MAX_MB="64K"))
        true("as much as TRACE_MAX_MB allows" in result.stderr, result.stderr)
        size = sum(max(s.size, 4096) for s in capture.summaries)
        true(40 * 1024 < size <= 64 * 1024, "%d bytes" % size)
        (section,) = list(capture.processes.values())[0]
        equal({mark[1:] for mark in section.marks}, {(1, 64 * 1024)}, "it is told")
        # main has no calls of its own, or its sums as well.
        lost = len(section.marks) + len(capture.summaries)
        true(lost in (40, 41), "%d threads are told of" % lost)


@test
def tables_leave_room_to_others():
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        result, capture = trace(program, "_exit", folder + "/counters", 0, 10, 100, folder=folder,
                                env=dict(SUMMARY, TRACE_MIN_FREE_MB="1000000000"))
        equal((capture.tables, capture.summaries, result.stderr), ([], [], ""), "tables")


@test
def a_file_size_limit_below_a_table():
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        for limit in (20000, 100000):
            shutil.rmtree(folder + "/traces", True)
            result = subprocess.run(
                [program, "exit", folder + "/counters", "0", "140", "5000"], check=True, text=True,
                stderr=subprocess.PIPE, env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces", **SUMMARY),
                preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
                                    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)))
            true("plain memory" in result.stderr, result.stderr)
            capture = Capture(folder + "/traces", program)
            if limit == 20000:  # nor is there room for the summary
                equal((capture.tables, capture.summaries), ([], []), "files")
            else:
                equal([len(s.rows) for s in capture.summaries], [140], "functions")


@test
def a_summary_that_cannot_be_written_leaves_its_table():
    need_tables()
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        # The program uses up its descriptors after the table was made.
        result = subprocess.run(
            [program, "exit", folder + "/counters", "0", "60", "2000"], check=True, text=True, stderr=subprocess.PIPE,
            env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces", **SUMMARY,
                     LD_PRELOAD=no_descriptors(folder)))
        capture = Capture(folder + "/traces", program)
        equal((len(capture.tables), capture.summaries), (1, []), result.stderr)
        (returned,) = counters(folder, 60).values()
        check(capture.tables[0], returned, "table")


def no_descriptors(folder):
    """A library that leaves the program no descriptor at its exit."""
    with open(folder + "/none.c", "w", encoding="ascii") as stream:
        stream.write("#include <sys/resource.h>\n"
                     "__attribute__((destructor)) static void none(void)\n"
                     "{ struct rlimit limit = {0, 0}; setrlimit(RLIMIT_NOFILE, &limit); }\n"
                     "__attribute__((constructor)) static void begin(void)\n"
                     "{ extern int atexit(void (*)(void)); atexit(none); }\n")
    run(CC, "-shared", "-fPIC", folder + "/none.c", "-o", folder + "/none.so", check=0)
    return folder + "/none.so"


@test
def threads_that_nobody_asked_for_leave_no_table():
    need_tables()
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        for names, tables in (("nobody", 0), ("tab*", 2)):
            _, capture = killed(program, folder, 0.01, env={"TRACE_THREADS": names})
            equal(len(capture.tables), tables, names)
        program = build(folder, CC, "named.c", "-O2")
        clear(folder)
        _, capture = trace(program, folder=folder, env=dict(SUMMARY, TRACE_THREADS="work-*,late"))
        equal((len(capture.summaries), capture.tables), (3, []), "at their end")


@test
def a_kill_in_ten_times_the_calls_finds_no_byte_more():
    need_tables()
    with Folder() as folder:
        program = build(folder, CC, "tables.c", "-O2", hooks=False)
        sizes = []
        for turns in (20000, 200000):
            clear(folder)
            _, capture = trace(program, "abort", folder + "/counters", 0, 60, turns, folder=folder, env=SUMMARY,
                               check=None)
            (name,) = [n for n in os.listdir(folder + "/traces") if "summary" in n]
            sizes.append(os.path.getsize(os.path.join(folder, "traces", name)))
            equal(capture.tables[0].rows[0x10000].calls, turns, "calls")
        equal(sizes, [96 + 64 * 688] * 2, "bytes")


if __name__ == "__main__":
    main()
