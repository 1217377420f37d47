#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The runtime that records: what it costs, that no program confuses it, and that nothing is lost where one is killed."""

import glob
import os
import re
import statistics

from promises import SMALL, TESTS, TOP, Folder, Promise, bench, cases, judges, main, numbers, run, tell

on = Promise("a hook that records, beside reading the counter and storing 32 bytes", "at most 1.1 × that, gcc and clang")
off = Promise("a hook that is switched off", "(with hooks − without) ÷ 2 at most 1.5 ns, gcc and clang")
summary = Promise("a hook of a summary, all in all, beside one of events", "at most 1 × that, gcc and clang")
summary_hook = Promise("a hook of a summary alone, beside one of events alone", "at most 1 × that, gcc and clang")
threads = Promise("a hook with 32 threads at work, beside one thread", "no cache line is shared: at most 1.25 × that")
matrix = Promise("programs that write their own call tree have the same in every report",
                 "fork, signals, jumps, exceptions, stacks, libraries, full disks …; gcc and clang at -O0, -O2, -O3")
kills = Promise("kill -9 at twenty random moments loses no event", "reported − returned hooks of each thread is 0 or 1")
races = Promise("the thread sanitizer finds nothing in the runtime", "threads, handlers, switches, forks; gcc and clang")
small = Promise("a summary of a run of 244 MB of events takes a few KB, and no byte more of ten times the calls",
                "the same bytes, under 10 KB")
storage = Promise("budgets, rings, full disks, size limits and closed folders stop no program and are told of",
                  "every kind of it")
control = Promise("a signal or a file switches recording on and off in a running program", "every way of it")
modules = Promise("each call has its library's name, whatever was loaded and unloaded", "two at one address in turn, preloaded, in children")


@judges(on, off, summary, summary_hook)
def costs():
    text = bench("runtime.py", "1" if SMALL else "5")
    compilers = sorted(set(re.findall(r"^(gcc|clang) ", text, re.MULTILINE)))
    assert "gcc" in compilers, "gcc was measured"
    for cc in compilers:
        hook, ratio, flushed = numbers(r"^%s +tsc +([\d.]+) ns a hook  = +([\d.]+) × .*\) +([\d.]+) with flushes" % cc, text)
        on.at_most(ratio, 1.1, cc + " %.2f ×")
        off.at_most(numbers(r"^%s +off .* × plain +(-?[\d.]+) ns" % cc, text), 1.5, cc + " %.2f ns")
        events = numbers(r"^%s +tsc .* × plain +([\d.]+) ns" % cc, text)
        all_in = numbers(r"^%s +summary .* × plain +([\d.]+) ns" % cc, text)
        summary.at_most(all_in / events, 1, cc + " %.2f × ({:.1f} ns of {:.1f})".format(all_in, events))
        alone = numbers(r"^%s +summary +([\d.]+) ns a hook" % cc, text)
        summary_hook.at_most(alone / hook, 1, cc + " %.2f × ({:.1f} ns of {:.1f})".format(alone, hook))


@judges(threads)
def many_threads():
    with Folder(1) as folder:
        trace, program = folder + "/trace.o", folder + "/hook-sites"
        run("gcc", "-std=c11", "-O2", "-c", os.path.join(TOP, "runtime", "trace.c"), "-o", trace)
        run("gcc", "-O2", "-D_GNU_SOURCE", os.path.join(TESTS, "bench", "hook-sites.c"), trace, "-pthread", "-o", program)
        costs_of = {n: [] for n in (1, 2, 8, 32)}
        for _ in range(1 if SMALL else 5):
            for n, found in costs_of.items():
                # A cap of events keeps the disk small; what is over it costs a hook less, so all have the same share.
                words = run(program, 20, 3, n, 400000 if SMALL else 8000000, quiet=True, env={
                    "TRACE_ENABLE": "1", "TRACE_CLOCK": "tsc", "TRACE_FORMAT": "records", "TRACE_MAX_MB": "0",
                    "TRACE_DIR": folder + "/traces"}).stdout.split()
                found.append([float(words[0]), float(words[1])])
                run("rm", "-rf", folder + "/traces")
        medians = {n: [statistics.median(column) for column in zip(*found)] for n, found in costs_of.items()}
        for n, (bare, hook) in medians.items():
            tell("%2d threads: %.2f ns a hook, the counter alone %.2f" % (n, hook, bare))
        threads.at_most(medians[32][1] / medians[1][1], 1.25, "%.2f × ({:.1f} ns of {:.1f})".format(medians[32][1], medians[1][1]))


@judges(matrix, at_once=True)
def programs():
    matrix.tested(cases("runtime/matrix/test_matrix.py", *(["calls"] if SMALL else []), env={"MATRIX": "all"}, timeout=600),
                  least=1 if SMALL else 308)


@judges(kills, at_once=True)
def killed():
    result = cases("workloads/test_kill.py", env={"KILLS": "4" if SMALL else "20"})
    kills.tested(result)
    n, n_threads, events, more = numbers(r"# (\d+) kills, (\d+) threads, (\d+) events in the reports, (\d+) of hooks", result.text)
    kills.holds(n == (4 if SMALL else 20) and n_threads > n, "%d kills, %d threads, %d events, %d of hooks that had not returned" %
                (n, n_threads, events, more))


@judges(races, at_once=True)
def thread_sanitizer():
    races.tested(cases("runtime/test_build.py", "sanitizers"))
    races.tested(cases("runtime/test_control.py", "sanitizer"))


CALLS = """
#include <stdlib.h>

static volatile int sink;
__attribute__((noinline)) void leaf(int n) { sink += n; }
__attribute__((noinline)) void middle(int n) { leaf(n); leaf(n + 1); }
int main(int argc, char **argv)
{
    long n = atol(argv[1]);
    for (long i = 0; i < n; i++)
        middle((int)i);
    return argc - 2;
}
"""


@judges(small, at_once=True)
def ten_times_as_long():
    """1,270,859 × 3 calls and main's, two events a call, 32 bytes an event: 244 MB."""
    times = 12708 if SMALL else 1270859
    with Folder(1) as folder:
        with open(folder + "/calls.c", "w", encoding="ascii") as file:
            file.write(CALLS)
        run("gcc", "-std=c11", "-O2", "-c", os.path.join(TOP, "runtime", "trace.c"), "-o", folder + "/trace.o")
        run("gcc", "-O2", "-finstrument-functions", folder + "/calls.c", folder + "/trace.o", "-pthread", "-o", folder + "/calls")

        def sizes(n, **env):
            run(folder + "/calls", n, env=dict(env, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces", TRACE_MAX_MB="0"))
            found = {}
            for path in glob.glob(folder + "/traces/*"):
                kind = os.path.splitext(path)[1]
                found[kind] = found.get(kind, 0) + os.path.getsize(path)
            run("rm", "-rf", folder + "/traces")
            return found

        events = sum(sizes(times).values())
        once, ten = sizes(times, TRACE_MODE="summary"), sizes(10 * times, TRACE_MODE="summary")
        # The process file names the process and the time: a digit more or less.
        process = ".process"
        told = "events %d bytes, summary %d and %d, of ten times the calls %d and %d" % (
            events, sum(once.values()) - once[process], once[process], sum(ten.values()) - ten[process], ten[process])
        small.holds(events >= 2 * 32 * 3 * times and 0 < sum(ten.values()) < 10000 and len(once) == 2 and
                    {k: v for k, v in once.items() if k != process} == {k: v for k, v in ten.items() if k != process}, told)


@judges(storage, at_once=True)
def room():
    storage.tested(cases("runtime/test_space.py"), least=12)
    storage.tested(cases("runtime/test_write.py"), least=5)


@judges(control, at_once=True)
def switches():
    control.tested(cases("runtime/test_control.py", "markers", "off_at", "a_thousand", "children", "a_file", "signal", "killed"), least=8)


@judges(modules, at_once=True)
def libraries():
    modules.tested(cases("runtime/test_modules.py"), least=11)


main(30)
