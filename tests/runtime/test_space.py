# SPDX-License-Identifier: MIT
"""What a capture may take of the disk: budgets, what wrap discards, the free-space floor."""

import os
import re
import shutil

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import (BUDGET, MARKER, NOSPACE, ROTATED, WRAP, WRAPS, build, check_order, closing, own_pids,
                    said, trace)

CC = compilers()[0]
KB = 1024
END = 4096 + 2 * 32  # at most this much of a budget is kept for endings and not used


def size(capture):
    return sum(f.size for f in capture.files)


def told(capture):
    """Discarded segments and the events in them, as the surviving markers tell."""
    marks = [e for t in capture.threads for e in t.markers(WRAP)]
    return (len(marks) + sum(e.caller for t in capture.threads for e in t.markers(WRAPS)),
            sum(e.caller for e in marks))


def kept(capture):
    return sum(len(t.calls()) for t in capture.threads)


@test
def a_budget_is_used_up_and_never_exceeded():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "many.c", "-O2")
            for budget, segment in (("64K", "32"), ("300K", "64K"), ("1M", "100K"),
                                    ("2M", "4K"), ("777K", "1")):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, "in-turn", 0, 60000, folder=folder,
                                        env={"TRACE_MAX_MB": budget, "TRACE_SEG_MB": segment,
                                             "TRACE_TAIL": "0"})
                what = budget + " in segments of " + segment
                bytes_ = int(budget[:-1]) * (KB if budget[-1] == "K" else KB * KB)
                equal(result.stderr, "callsight: %d bytes are written to %s/traces, as much as "
                      "TRACE_MAX_MB allows; recording stopped\n" % (bytes_, folder), "stderr")
                true("ran to its end" in result.stdout, "the program ran on")
                thread = capture.of()
                check_order(thread)
                charged = sum(max(f.size, 4096) for f in capture.files)
                true(bytes_ - END <= charged <= bytes_, "%s: %d bytes" % (what, charged))
                equal([m.caller for m in thread.markers(BUDGET)], [bytes_], what + ": marker 1")
                equal([e.func for e in thread.events[-2:]], [BUDGET, 6], what + ": the end")
                closing(capture, thread.pid)
                equal(thread.calls()[-1].kind, len(thread.calls()) % 2 == 0, "no hole")


@test
def a_budget_holds_for_all_threads_together():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for how in ("together", "in-turn"):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, how, 6, 20000, folder=folder,
                                    env={"TRACE_MAX_MB": "3", "TRACE_SEG_MB": "300K",
                                         "TRACE_TAIL": "0"})
            equal(len(result.stderr.splitlines()), 1, "lines on stderr: " + result.stderr)
            true(3 * KB * KB - END - 7 * 4096 <= size(capture) <= 3 * KB * KB,
                 "%s: %d bytes" % (how, size(capture)))
            for thread in capture.threads:
                check_order(thread)
            marks = [m.caller for t in capture.threads for m in t.markers(BUDGET)]
            true(marks and set(marks) == {3 * KB * KB}, how + ": marker 1")
            closing(capture, capture.threads[0].pid)


@test
def small_files_count_for_what_they_take_of_a_disk():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        _, capture = trace(program, "in-turn", 200, 2, folder=folder,
                           env={"TRACE_MAX_MB": "256K", "TRACE_TAIL": "0"})
        # 63 files of 4 KiB, and the one that waits for the closing anchor.
        equal(len(capture.files), 64, "files")
        closing(capture, capture.threads[0].pid)


@test
def no_budget_is_no_bound():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for full in ("stop", "wrap"):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "in-turn", 1, 20000, folder=folder,
                                    env={"TRACE_MAX_MB": "0", "TRACE_FULL": full,
                                         "TRACE_SEG_MB": "64K"})
            equal(result.stderr, "", "stderr")
            for thread in capture.threads:
                equal(dict(capture.counts(thread)), {"step": 20000}, full)


@test
def wrap_keeps_the_end_and_tells_of_all_that_went():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "many.c", "-O2")
            for budget, segment in (("1M", "64K"), ("512K", "32"), ("64K", "32"), ("1M", "16K"),
                                    ("3M", "1")):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, "in-turn", 0, 60000, folder=folder,
                                        env={"TRACE_MAX_MB": budget, "TRACE_SEG_MB": segment,
                                             "TRACE_FULL": "wrap"})
                what = budget + " in segments of " + segment
                equal(result.stderr, "", "stderr")
                bytes_ = int(budget[:-1]) * (KB if budget[-1] == "K" else KB * KB)
                thread = capture.of()
                largest = max(f.size for f in thread.files)
                true(bytes_ / 2 - END <= size(capture) <= bytes_ + largest,
                     "%s: %d bytes" % (what, size(capture)))
                gone, events = told(capture)
                equal(gone, thread.files[0].header.seq, what + ": segments that are gone")
                equal(events, thread.files[0].header.first_index - 1, what + ": events before")
                equal(events + kept(capture), 120000, what + ": events")
                equal([f.header.seq for f in thread.files],
                      list(range(gone, gone + len(thread.files))), what + ": numbers")
                check_order(thread, first=events)
                true(thread.files[-1].header.flags & ROTATED, what + ": rotated flag")
                closing(capture, thread.pid)


@test
def forty_six_segments():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for calls in range(48000, 52000, 500):
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, "in-turn", 0, calls, folder=folder,
                               env={"TRACE_MAX_MB": "300K", "TRACE_SEG_MB": "64K",
                                    "TRACE_FULL": "wrap", "TRACE_TAIL": "0"})
            gone, events = told(capture)
            equal(gone, capture.of().files[0].header.seq, "segments")
            equal(events + kept(capture), 2 * calls, "events")
            if gone >= 46:
                break
        equal(gone, 46, "segments")


@test
def wrap_with_threads_that_run_and_that_have_ended():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "many.c", "-O2")
            for how, threads, calls in (("together", 5, 30000), ("in-turn", 7, 25000),
                                        ("in-turn", 250, 500)):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, how, threads, calls, folder=folder,
                                        env={"TRACE_MAX_MB": "2", "TRACE_FULL": "wrap"})
                what = "%d threads %s" % (threads, how)
                equal(result.stderr, "", "stderr")
                largest = max(f.size for f in capture.files)
                running = threads + 1 if how == "together" else 1
                true(size(capture) <= 2 * KB * KB + running * largest,
                     "%s: %d bytes" % (what, size(capture)))
                _, events = told(capture)
                equal(events + kept(capture), 2 * calls * (threads + 1), what + ": events")
                for thread in capture.threads:
                    check_order(thread, first=thread.files[0].header.first_index - 1)
                closing(capture, capture.threads[0].pid)
                if how == "in-turn":
                    # The last ones are whole; what ended first went first.
                    tids = [int(t) for t in said(result, r"tid (\d+)")]
                    left = {t.tid for t in capture.threads}
                    equal([t in left for t in tids], sorted(t in left for t in tids), what)
                    last = capture.of(tid=tids[-1])
                    equal(last.files[0].header.first_index, 1, what + ": the last thread is whole")


@test
def what_many_segments_told_stays_bounded():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        # Segments of 4 KiB have room for eight markers at their heads.
        _, capture = trace(program, "in-turn", 2, 20000, folder=folder,
                           env={"TRACE_MAX_MB": "64K", "TRACE_SEG_MB": "4K",
                                "TRACE_FULL": "wrap"})
        gone, events = told(capture)
        true(gone > 400, "%d segments" % gone)
        equal(events + kept(capture), 120000, "events")
        for part in capture.files:
            true(part.size <= 4096, "%d bytes" % part.size)
            heads = [e for e in part.events if e.kind == MARKER and e.func in (WRAP, WRAPS)]
            true(len(heads) <= 8, "%d markers" % len(heads))
            equal(part.events[:len(heads)], heads, "at the head")


@test
def a_recycled_thread_id_under_wrap():
    with Folder() as folder:
        program = build(folder, CC, "recycle.c", "-O2", flags=("-DLOOPS=12000",))
        result, capture = trace(program, folder=folder, env={
            "TRACE_MAX_MB": "1", "TRACE_FULL": "wrap", "TRACE_SEG_MB": "64K"}, runner=own_pids())
        if "unable" in result.stdout:
            raise Skip("thread ids cannot be chosen here")
        (tid,) = said(result, r"twice (\d+)")
        threads = [t for t in capture.threads if t.tid == int(tid)]
        # The second one is whole, and comes behind what is left of the first.
        equal(len(capture.counts(threads[-1])), 2, "functions of the last")
        equal(capture.counts(threads[-1])["step"], 12004, "its calls")
        _, events = told(capture)
        equal(events + kept(capture), 4 + 2 * (12003 + 12004), "events")


@test
def threads_that_are_wanted_by_turns_keep_the_budget():
    with Folder() as folder:
        program = build(folder, CC, "renames.c", "-O2")
        result, capture = trace(program, 8, 50, folder=folder, env={
            "TRACE_MAX_MB": "1", "TRACE_FULL": "wrap", "TRACE_SEG_MB": "64K", "TRACE_THREADS": "wanted"})
        equal(result.stderr, "", "stderr")
        true(size(capture) <= KB * KB + 9 * 64 * KB, "%d bytes" % size(capture))
        # A name is looked at every 1,024 hooks.
        gone, events = told(capture)
        true(gone > 10, "segments are discarded")
        true(events + kept(capture) >= 8 * 50 * (40000 - 2 * 1024), "%d events" % (events + kept(capture)))
        for thread in capture.threads:
            seqs = [part.header.seq for part in thread.files]
            equal(seqs, list(range(seqs[0], seqs[0] + len(seqs))), "the last ones are kept")


@test
def segments_that_were_removed_take_no_room_under_wrap():
    with Folder() as folder:
        program = build(folder, CC, "removes.c", "-O2")
        result, capture = trace(program, folder + "/traces", 200, folder=folder, env={
            "TRACE_MAX_MB": "1", "TRACE_FULL": "wrap", "TRACE_SEG_MB": "64K"})
        equal(result.stderr, "", "stderr")
        true(KB * KB * 3 / 4 <= size(capture) <= KB * KB + 64 * KB, "%d bytes" % size(capture))


@test
def children_have_budgets_of_their_own():
    with Folder() as folder:
        program = build(folder, CC, "forks.c", "-O2")
        for full in ("stop", "wrap"):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "plain", folder=folder,
                                    env={"TRACE_MAX_MB": "400K", "TRACE_FULL": full})
            # The parent needs 640 KB, a child 320.
            (parent,) = [int(p) for p in said(result, r"parent (\d+)")]
            for pid in capture.pids():
                files = [f for f in capture.files if f.header.pid == pid]
                true(sum(f.size for f in files) <= 400 * KB + (64 * KB if full == "wrap" else 0),
                     "bytes of %d" % pid)
            if full == "stop":
                equal([m.caller for m in capture.of(parent).markers(BUDGET)], [400 * KB], "parent")
            for child in (int(p) for p in said(result, r"child (\d+)")):
                thread = capture.of(child, child)
                equal(len(thread.markers(BUDGET)) + len(thread.markers(WRAP)), 0, "child")


@test
def room_that_others_need():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        os.mkdir(folder + "/disk")
        if run("unshare", "-m", "mount", "-t", "tmpfs", "none", folder + "/disk").returncode:
            raise Skip("no mount here")
        for disk, floor, full in (("12m", "6", "stop"), ("12m", "6", "wrap"), ("2m", "3", "stop")):
            shutil.rmtree(folder + "/traces", True)
            script = "mount -t tmpfs -o size=%s none %s/disk && cd / && %s together 2 100000 && " \
                     "cp -r %s/disk/t %s/traces" % (disk, folder, program, folder, folder)
            result = run("unshare", "-m", "sh", "-c", script, check=0,
                         env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/disk/t",
                              "TRACE_MIN_FREE_MB": floor, "TRACE_FULL": full})
            true("ran to its end" in result.stdout, "the program ran on")
            true(re.fullmatch(r"callsight: \d+ bytes are free for .*/disk/t, less than "
                              r"TRACE_MIN_FREE_MB asks for; recording stopped\n", result.stderr),
                 result.stderr)
            capture = type(trace(program, "in-turn", 0, 1, folder=folder + "/disk")[1])(
                folder + "/traces", program)
            marks = [m.caller for t in capture.threads for m in t.markers(NOSPACE)]
            true(marks and len(set(marks)) == 1, "marker 2")
            # It may pass the floor by what is written between two questions.
            least, most = (int(floor) - 5) * KB * KB, int(floor) * KB * KB
            true(max(least, 0) <= marks[0] < most, "%d bytes free" % marks[0])
            for thread in capture.threads:
                check_order(thread)
                if thread.markers(NOSPACE):
                    equal([e.func for e in thread.events if e.kind == MARKER][0], NOSPACE, "end")


@test
def bad_values_are_said():
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for env, words in (({"TRACE_MAX_MB": "some"}, "TRACE_MAX_MB=some is not a number"),
                           ({"TRACE_MAX_MB": "1K"}, "TRACE_MAX_MB is too small; using 64 KiB"),
                           ({"TRACE_FULL": "burst"}, "TRACE_FULL=burst is unknown"),
                           ({"TRACE_MIN_FREE_MB": "-"}, "TRACE_MIN_FREE_MB=- is not a number")):
            result, _ = trace(program, "in-turn", 0, 5, folder=folder, env=env)
            equal(len(result.stderr.splitlines()), 1, result.stderr)
            true(words in result.stderr, result.stderr)


if __name__ == "__main__":
    main()
