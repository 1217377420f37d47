# SPDX-License-Identifier: MIT
"""What a process leaves that does not end by itself: every event whose hook returned."""

import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import time

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import WRAP, Capture, File, Tail, build, closing, tails_are_safe, trace

CC = compilers()[0]


def need_tails():
    if not tails_are_safe():
        raise Skip("this file system keeps no reserved space")


def tails(folder):
    return sorted(n for n in os.listdir(folder) if n.endswith(".tail"))


def counters(path):
    """tid → hooks that have returned, as the program counted in shared memory."""
    with open(path, "rb") as stream:
        data = stream.read()
    rows = [struct.unpack("QQ", data[i:i + 16]) for i in range(0, len(data), 64)]
    return {tid: returned for tid, returned in rows if tid}


def check_numbers(thread, returned, what):
    """Each event once, in its order, up to the last hook that returned, or one more
    that had stored its record."""
    first = thread.files[0].header.first_index - 1
    index = first
    for part in thread.files:
        # A kill may come when a segment is made for what the tail still joins to the last.
        if any(e.kind < 2 for e in part.events) or part is not thread.files[-1]:
            equal(part.header.first_index, index + 1, what + ": first_index of " + part.path)
        for event in part.events:
            if event.kind < 2:
                equal((event.caller, event.kind), (index, index % 2), what + ": an event")
                index += 1
    true(returned <= index <= returned + 1,
         "%s: %d events, %d hooks returned" % (what, index, returned))
    return first


def killed(program, folder, env, seconds, threads=2, hooks=200000, said=""):
    """Runs it, kills it after that time, returns what was counted and the capture.  `said`
    is in what it has on stderr."""
    shutil.rmtree(folder + "/traces", True)
    environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
    environ.update({"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, **env)
    if os.path.exists(folder + "/counters"):
        os.unlink(folder + "/counters")
    with subprocess.Popen([program, "loop", folder + "/counters", str(threads), str(hooks)],
                          env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        equal(process.stdout.readline(), b"begun\n", "its line")
        time.sleep(seconds)
        process.kill()
        words = process.stderr.read().decode()
        true(said in words and (said or not words), "stderr: " + words)
    return counters(folder + "/counters"), Capture(folder + "/traces", program)


@test
def a_kill_at_any_moment_loses_nothing():
    need_tails()
    chance = random.Random(20)
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "killed.c", "-O2")
            in_flush = 0
            for segment in ("32", "16K", "16K", "4K"):
                for _ in range(5):
                    seconds = chance.uniform(0, 0.004)
                    counts, capture = killed(program, folder, {"TRACE_SEG_MB": segment}, seconds)
                    equal(len(counts), 2, "threads")
                    for tid, returned in counts.items():
                        thread = capture.of(tid=tid)
                        equal(check_numbers(thread, returned, "%s %s" % (cc, segment)), 0,
                              "first event")
                        tail = thread.files[-1].tail
                        in_flush += tail is not None and thread.files[-1].size > tail.offset
            print("# %s: %d threads were killed in a flush" % (cc, in_flush))


@test
def a_kill_under_wrap():
    need_tails()
    chance = random.Random(21)
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        for _ in range(8):
            counts, capture = killed(program, folder,
                                     {"TRACE_MAX_MB": "512K", "TRACE_FULL": "wrap"},
                                     chance.uniform(0.003, 0.009))
            gone = sum(check_numbers(capture.of(tid=tid), returned, "wrap")
                       for tid, returned in counts.items())
            told = sum(e.caller for t in capture.threads for e in t.markers(WRAP))
            # One that is discarded is told of after it is removed: a kill between.
            true(told <= gone, "%d events told of, %d gone" % (told, gone))


@test
def a_process_that_still_runs_can_be_read():
    need_tails()
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        environ = dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces",
                       TRACE_SEG_MB="16K")
        read = set()
        with subprocess.Popen([program, "slow", folder + "/counters", "1", "4000"], env=environ,
                              stdout=subprocess.PIPE) as process:
            equal(process.stdout.readline(), b"begun\n", "its line")
            (path,) = [folder + "/traces/" + n for n in tails(folder + "/traces")]
            until = time.monotonic() + 20
            while max(read, default=0) < 4000 and time.monotonic() < until:
                (before,) = counters(folder + "/counters").values()
                tail = Tail(path)
                part = File("%s.%d.bin" % (path.rsplit(".", 2)[0], tail.seq), tail)
                again = Tail(path)
                if tail.generation % 2 or tail.generation != again.generation:
                    continue  # a flush came between
                (after,) = counters(folder + "/counters").values()
                first = part.header.first_index - 1
                numbers = [e.caller for e in part.events]
                equal(numbers, list(range(first, first + len(numbers))), "events")
                true(before <= first + len(numbers) <= after + 1, "the last one")
                read.add(first + len(numbers))
            process.kill()
        true(max(read) == 4000 and len(read) > 10, "%d readings" % len(read))


@test
def every_way_out_that_runs_no_exit_handlers():
    need_tails()
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "killed.c", "-O2")
            for how in ("_exit", "abort", "segv", "exec", "exit"):
                for hooks in (1, 2, 8191, 8192, 8193, 20001):
                    shutil.rmtree(folder + "/traces", True)
                    _, capture = trace(program, how, folder + "/counters", 0, hooks,
                                       folder=folder, check=None)
                    what = "%s after %d" % (how, hooks)
                    thread = capture.of()
                    equal(check_numbers(thread, hooks, what), 0, what)
                    equal(len(thread.calls()), hooks, what)
                    equal(len(tails(folder + "/traces")), how != "exit", what + ": tails")
                    if how != "exit":
                        tail = list(capture.tails.values())[0]
                        header = capture.files[0].header
                        equal((tail.header.t0_ticks, tail.header.t0_ns, tail.header.tick_hz),
                              (header.t0_ticks, header.t0_ns, header.tick_hz), "clock")
                        true(tail.ns >= header.t0_ns and tail.generation % 2 == 0, "anchor")


@test
def children_leave_their_parents_buffer_alone():
    need_tails()
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "killed.c", "-O2")
            for how in ("fork", "_Fork", "clone"):
                for hooks in (300, 9000):
                    shutil.rmtree(folder + "/traces", True)
                    _, capture = trace(program, how, folder + "/counters", 0, hooks,
                                       folder=folder)
                    equal(len(capture.threads), 2, how + ": processes")
                    for thread in capture.threads:
                        check_numbers(thread, hooks, how)
                        equal(len(thread.calls()), hooks, how)


@test
def a_clean_end_leaves_no_tails():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for env in ({}, {"TRACE_THREADS": "nobody"}, {"TRACE_MAX_MB": "300K"},
                    {"TRACE_MAX_MB": "300K", "TRACE_FULL": "wrap"}, {"TRACE_MAX": "1000"}):
            for how in ("together", "in-turn"):
                shutil.rmtree(folder + "/traces", True)
                trace(program, how, 5, 20000, folder=folder, env=env)
                equal(tails(folder + "/traces"), [], "tails with %r" % env)


@test
def names_that_come_and_go():
    with Folder() as folder:
        program = build(folder, CC, "named.c", "-O2")
        _, capture = trace(program, folder=folder, env={"TRACE_THREADS": "late,change"})
        equal(tails(folder + "/traces"), [], "tails")
        equal(len([t for t in capture.threads if t.calls()]), 2, "threads")


@test
def without_tails_a_kill_loses_the_buffer():
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        for hooks, left in ((100, 0), (9000, 8192)):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, "_exit", folder + "/counters", 0, hooks, folder=folder,
                               env={"TRACE_TAIL": "0"})
            equal(tails(folder + "/traces"), [], "tails")
            equal(sum(len(t.calls()) for t in capture.threads), left, "events")


@test
def many_threads_have_smaller_buffers():
    need_tails()
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        _, capture = killed(program, folder, {"TRACE_MAX_MB": "64"}, 0.05, threads=150, hooks=3)
        names = tails(folder + "/traces")
        equal(len(names), 150, "tails")
        sizes = sorted(os.path.getsize(os.path.join(folder, "traces", n)) for n in names)
        # 2 MiB over one thread, two threads, ... but 256 KiB and a page at most.
        true(sizes[0] < 20000 and sizes[-1] == 266240, "sizes %d to %d" % (sizes[0], sizes[-1]))
        true(sum(sizes) < 9 << 20, "%d bytes of tails" % sum(sizes))
        for thread in capture.threads:
            equal(len(thread.calls()), 3, "events")


@test
def tails_are_part_of_the_budget():
    need_tails()
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        shutil.rmtree(folder + "/traces", True)
        result, capture = trace(program, "_exit", folder + "/counters", 0, 100000, folder=folder,
                                env={"TRACE_MAX_MB": "200K"})
        true("as much as TRACE_MAX_MB allows" in result.stderr, result.stderr)
        size = sum(f.size for f in capture.files)
        # The thread has no tail any more, but had one.
        true(200 * 1024 - 40000 < size <= 200 * 1024 - 16384, "%d bytes" % size)
        counts, capture = killed(program, folder, {"TRACE_MAX_MB": "64K"}, 0.05, threads=10,
                                 hooks=3, said="TRACE_MAX_MB has no room for it")
        true(0 < len(capture.threads) < len(counts), "threads with a tail")


@test
def tails_leave_room_to_others():
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        result, capture = trace(program, "_exit", folder + "/counters", 0, 100, folder=folder,
                                env={"TRACE_MIN_FREE_MB": "1000000000"})
        # Children that end with _exit would leave one each, for ever.
        equal((tails(folder + "/traces"), capture.files, result.stderr), ([], [], ""), "tails")


def on_a_mount(folder, program, mount, args):
    """Runs `program ARGS` with its traces on a file system of its own, which is then copied."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    os.makedirs(folder + "/disk", exist_ok=True)
    if run("unshare", "-m", "mount", *mount, "none", folder + "/disk").returncode:
        raise Skip("no mount here")
    shutil.rmtree(folder + "/traces", True)
    script = "mount %s none %s/disk && cd / && { %s %s; cp -r %s/disk/t %s/traces; }" % (
        " ".join(mount), folder, program, args, folder, folder)
    result = run("unshare", "-m", "sh", "-c", script, check=0,
                 env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/disk/t",
                      "TRACE_MIN_FREE_MB": "0"})
    return result, Capture(folder + "/traces", program)


@test
def space_that_cannot_be_reserved():
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        counted = folder + "/counters 0 4000"
        for mount, words in ((("-t", "tmpfs", "-o", "size=200k"), os.strerror(28)),
                             (("-t", "ramfs"), "this file system cannot reserve space")):
            result, capture = on_a_mount(folder, program, mount, "exit " + counted)
            true(result.stderr.startswith("callsight: a buffer is plain memory") and
                 result.stderr.endswith(words + "\n"), result.stderr)
            equal(tails(folder + "/traces"), [], "tails")
            equal(len(capture.of().calls()), 4000, "events")


@test
def a_disk_that_fills_up_later():
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        # A tail and two flushes fit.  What is in the buffer when the third fails is not lost.
        result, capture = on_a_mount(folder, program, ("-t", "tmpfs", "-o", "size=880k"),
                                     "_exit %s/counters 0 100000" % folder)
        true("recording stopped" in result.stderr and len(result.stderr.splitlines()) == 1,
             result.stderr)
        thread = capture.of()
        true(len(thread.calls()) >= 2 * 8192, "%d events" % len(thread.calls()))
        check_numbers(thread, len(thread.calls()), "full disk")


@test
def a_file_size_limit_below_a_buffer():
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        result = subprocess.run(
            [program, "exit", folder + "/counters", "0", "3000"], check=True, text=True,
            stderr=subprocess.PIPE, env=dict(os.environ, TRACE_ENABLE="1",
                                             TRACE_DIR=folder + "/traces"),
            preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000)),
                                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)))
        true("plain memory" in result.stderr and len(result.stderr.splitlines()) == 1,
             result.stderr)
        capture = Capture(folder + "/traces", program)
        equal(len(capture.of().calls()), 3000, "events")
        closing(capture, capture.of().pid)


@test
def a_number_that_a_dead_process_left():
    need_tails()
    with Folder() as folder:
        program = build(folder, CC, "killed.c", "-O2")
        os.mkdir(folder + "/traces")
        script = "cd %s/traces; echo old >trace.$$.$$.0.tail; echo old >trace.$$.$$.1.bin; " \
                 "exec %s _exit %s/counters 0 10" % (folder, program, folder)
        run("sh", "-c", script, check=0,
            env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"})
        (name,) = [n for n in tails(folder + "/traces") if not n.endswith(".0.tail")]
        true(name.endswith(".2.tail"), name)
        tail = Tail(os.path.join(folder, "traces", name))
        equal((tail.seq, tail.used), (2, 320), "number and bytes")


if __name__ == "__main__":
    main()
