# SPDX-License-Identifier: MIT
"""The TRACE_* environment: what each variable does and what bad values do."""

import os
import re
import shutil
import sys

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import (BIG_ENDIAN, MAX_EVENTS, OFF, ON, TICKS, build, check_order, closing, said,
                    trace)

CC = compilers()[0]


def has_counter():
    """Whether the cycle counter is fit for timestamps, as the kernel says."""
    if os.uname().machine != "x86_64":
        return os.uname().machine == "aarch64"
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as stream:
        return "nonstop_tsc" in stream.read()


@test
def every_clock_and_its_anchors():
    with Folder() as folder:
        program = build(folder, CC, "moves.c")
        for clock in (None, "auto", "mono", "raw", "tsc"):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, folder=folder,
                                    env={"TRACE_CLOCK": clock} if clock else None)
            ticks_wanted = clock in (None, "auto", "tsc") and has_counter()
            if ticks_wanted or clock in ("mono", "raw"):
                equal(result.stderr, "", "stderr")
            else:
                true("using CLOCK_MONOTONIC" in result.stderr, "the clock in its place is named")
            thread = capture.of()
            header, calls = thread.files[0].header, thread.calls()
            end = closing(capture, thread.pid)
            before, after = (int(said(result, w + r" (\d+)")[0]) for w in ("before", "after"))
            ticks = bool(header.flags & TICKS)
            equal(bool(header.flags & BIG_ENDIAN), sys.byteorder == "big", "byte order flag")
            equal(ticks, ticks_wanted, "tick flag with %s" % clock)
            true(header.t0_ns < before < after < end.caller, "anchors around the run")
            true(end.caller - header.t0_ns < 20e9, "span of the run")
            if ticks:
                rate = (end.ts - header.t0_ticks) * 1e9 / (end.caller - header.t0_ns)
                true(abs(rate / header.tick_hz - 1) < 1e-3, "tick_hz %d, over the run %d"
                     % (header.tick_hz, rate))
            else:
                equal(header.tick_hz, 0, "tick_hz")
                rate = 1e9
            if clock == "mono":
                equal((header.t0_ticks, end.ts), (header.t0_ns, end.caller), "anchors")
            slept = (calls[2].ts - calls[1].ts) * 1e9 / rate
            true(0.099e9 < slept < after - before + 1e5, "the pause took %d ns" % slept)
            # Each event falls where CLOCK_MONOTONIC saw it, to some microseconds.
            ns = [header.t0_ns + (e.ts - header.t0_ticks) * 1e9 / rate for e in calls]
            true(before - 5e4 <= ns[0] and ns[-1] <= after + 5e4, "events outside of the run")
            true(0 < header.hook_ns < 2000, "hook_ns %d" % header.hook_ns)


@test
def an_unknown_clock_is_said_and_auto():
    with Folder() as folder:
        program = build(folder, CC, "moves.c")
        result, capture = trace(program, folder=folder, env={"TRACE_CLOCK": "sundial"})
        true(re.fullmatch(r"callsight: TRACE_CLOCK=sundial is unknown .*\n", result.stderr),
             result.stderr)
        equal(len(capture.of().calls()), 4, "events")


@test
def an_event_cap_is_exact():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", "-O2")
        for cap in (1, 2, 7, 100, 8192, 8193, 20001):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, 0, 3000, folder=folder,
                                    env={"TRACE_MAX": str(cap)})
            thread = capture.of()
            check_order(thread)
            equal(len(thread.calls()), cap, "events with TRACE_MAX=%d" % cap)
            equal([m.caller for m in thread.markers(MAX_EVENTS)], [cap], "marker 4")
            closing(capture, thread.pid)


@test
def an_event_cap_holds_for_all_threads_together():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", "-O2")
        result, capture = trace(program, 4, 5000, folder=folder, env={"TRACE_MAX": "30000"})
        total = 0
        for thread in capture.threads:
            check_order(thread)
            total += len(thread.calls())
        equal(total, 30000, "events of all threads")
        for thread in capture.threads:
            equal([m.caller for m in thread.markers(MAX_EVENTS)], [30000], "marker 4")


@test
def no_cap_that_is_not_reached_shows():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", "-O2")
        for cap in ("0", "1000000"):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, 0, 100, folder=folder, env={"TRACE_MAX": cap})
            equal(capture.counts(capture.of())["leaf"], 600, "calls")
            equal(capture.of().markers(MAX_EVENTS), [], "marker 4")


@test
def threads_are_chosen_by_name():
    with Folder() as folder:
        program = build(folder, CC, "named.c", "-O2")
        cases = (("work-*", {"work-1", "work-2"}),
                 ("other, work-?", {"work-1", "work-2", "other"}),
                 ("*[12]", {"work-1", "work-2"}),
                 ("work-[!1]", {"work-2"}),
                 ("io[[]3]", {"io[3]"}),
                 ("*r*k*1,nothing", {"work-1"}),
                 ("nothing", set()))
        for globs, wanted in cases:
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, folder=folder, env={"TRACE_THREADS": globs})
            equal(result.stderr, "", "stderr")
            tids = {int(tid): name for name, tid in said(result, r"(\S+) (\d+)")}
            threads = [t for t in capture.threads if t.calls()]
            equal({tids[t.tid] for t in threads}, wanted, "threads of " + globs)
            for thread in threads:
                # Named within its first buffer: nothing of it is missing.
                equal(dict(capture.counts(thread)), {"early": 1, "step": 5000}, globs)
            names = {name for section in capture.processes.values()
                     for _, _, name in section[0].threads}
            equal(names, wanted, "thread lines of " + globs)


@test
def threads_that_are_named_late_or_renamed():
    with Folder() as folder:
        program = build(folder, CC, "named.c", "-O2")
        result, capture = trace(program, folder=folder, env={"TRACE_THREADS": "late,change"})
        tids = {name: int(tid) for name, tid in said(result, r"(\S+) (\d+)")}
        thread = capture.of(tid=tids["late"])
        table = capture.names(thread)
        check_order(thread, nested=False)
        steps = sum(table[e.func] == "step" for e in thread.calls())
        # The name is looked at again after 1,024 hooks at the latest.
        true(10000 - 1024 <= steps <= 10000, "%d events of late" % steps)

        thread = capture.of(tid=tids["change"])
        check_order(thread, nested=False)
        kinds = [e.func for e in thread.events if e.kind == 2 and e.func in (OFF, ON)]
        equal(kinds, [OFF, ON], "off and on")
        steps = sum(table[e.func] == "step" for e in thread.calls())
        # Two buffers at most of the time elsewhere, and all but 1,024 of the rest.
        true(50000 - 1024 <= steps <= 50000 + 2 * 8192, "%d events of change" % steps)
        (section,) = capture.processes[thread.pid]
        equal([n for t, _, n in section.threads if t == tids["change"]],
              ["change", "elsewhere", "change"], "its names")


@test
def a_relative_folder_is_where_the_program_began():
    with Folder() as folder:
        program = build(folder, CC, "moves.c")
        for name in ("traces", "./deep/er", "with space"):
            run(program, env={"TRACE_ENABLE": "1", "TRACE_DIR": name}, cwd=folder, check=0)
            equal(len(os.listdir(os.path.join(folder, name))), 2, "files in " + name)
        shutil.rmtree(folder + "/traces")
        run(program, env={"TRACE_ENABLE": "1"}, cwd=folder, check=0)
        equal(len(os.listdir(os.path.join(folder, "traces"))), 2, "files in the default folder")


@test
def a_folder_that_cannot_be_written_stops_nothing():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        with open(folder + "/file", "w", encoding="ascii"):
            pass
        for path in (folder + "/file", folder + "/file/below", "/proc/nowhere", "/proc", "x" * 5000):
            result = run(program, 2, 5, env={"TRACE_ENABLE": "1", "TRACE_DIR": path}, check=0)
            true(re.fullmatch(r"callsight: cannot .*set TRACE_DIR to a folder you may write to\)\n",
                              result.stderr), path + ": " + result.stderr)
            true("main" in result.stdout, "the program ran")


@test
def numbers_that_are_none_are_said_once():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        for value in ("lots", "-1", "1.5", "12Q", "99999999999999999999", "K"):
            result, capture = trace(program, 2, 5, folder=folder,
                                    env={"TRACE_SEG_MB": value, "TRACE_MAX": value})
            lines = result.stderr.splitlines()
            equal(len(lines), 2, "lines on stderr: " + result.stderr)
            for line, name in zip(lines, ("TRACE_SEG_MB", "TRACE_MAX")):
                true(line.startswith("callsight: %s=%s is not a number" % (name, value)), line)
        for thread in capture.threads:
            check_order(thread)
        result, capture = trace(program, 0, 5, folder=folder, env={"TRACE_SEG_MB": "0"})
        true(re.fullmatch("callsight: TRACE_SEG_MB is too small.*\n", result.stderr), result.stderr)


@test
def a_setuid_program_ignores_all_of_it():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise Skip("needs root and setpriv")
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        os.chmod(folder, 0o777)
        runner = ("setpriv", "--reuid=65534", "--clear-groups")
        env = {"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}
        run(*runner, program, 0, 5, env=env, check=0)
        true(os.path.isdir(folder + "/traces"), "an ordinary program records")
        shutil.rmtree(folder + "/traces")
        os.chmod(program, 0o4755)
        result = run(*runner, program, 0, 5, env=env, check=0)
        equal((os.path.exists(folder + "/traces"), result.stderr), (False, ""), "setuid")


if __name__ == "__main__":
    main()
