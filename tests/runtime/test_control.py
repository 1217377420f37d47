# SPDX-License-Identifier: MIT
"""Recording switched off and on while the program runs: TRACE_SIGNAL and TRACE_CONTROL."""

import collections
import os
import re
import shutil
import signal
import stat
import subprocess
import time

import compiled
from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import (CLOCK, ENTER, EXIT, MARKER, OFF, ON, Capture, build, closing, said, symbols,
                    trace)

CC = compilers()[0]
SIGNAL = {"TRACE_SIGNAL": "USR2", "TRACE_CLOCK": "mono"}
ARMED = dict(SIGNAL, TRACE_ENABLE="0")
SUMMARY = dict(SIGNAL, TRACE_MODE="summary")


# --- reading -------------------------------------------------------------------------------

def windows(thread, table):
    """The thread's events between its markers as [(kind, name, ts)...] lists; checks that what is
    between nests and that times and indices are right.  Also returns how many calls each
    OFF cut, and exits of calls that began unseen."""
    parts, stack, cut, unseen, last, index, seen_on, off = [[]], [], [], 0, 0, 0, False, False
    for part in thread.files:
        equal(part.header.first_index, index + 1, part.path + ": first_index")
        for event in part.events:
            true(event.ts >= last, "%s: time runs back by %d" % (part.path, last - event.ts))
            last = event.ts
            if event.kind == MARKER and event.func in (OFF, ON):
                equal(off, event.func == ON, "%s: off and on take turns" % part.path)
                off = event.func == OFF
                if off:
                    cut.append(len(stack))
                    stack, seen_on = [], True
                else:
                    parts.append([])
            if event.kind == MARKER:
                continue
            true(not off, "%s: an event while it is off" % part.path)
            index += 1
            name = table[event.func]
            parts[-1].append(("-+"[event.kind == ENTER] + name, event.ts))
            if event.kind == ENTER:
                stack.append(name)
            elif stack:
                equal(stack.pop(), name, "%s: an exit" % part.path)
            else:
                true(seen_on, "%s: an exit without an enter" % part.path)
                unseen += 1
    return parts, cut, unseen


def names(part):
    return " ".join(name for name, _ in part)


def switches(result):
    return [(int(a), int(b)) for a, b in said(result, r"switched (\d+) (\d+)")]


def marks(thread):
    return [(e.func, e.ts, e.caller) for e in thread.events
            if e.kind == MARKER and e.func in (OFF, ON)]


def between(ts, span, what):
    true(span[0] <= ts <= span[1], "%s: %d is not in %s" % (what, ts, span))


def tids(result):
    return {name: int(tid) for name, tid in said(result, r"([a-z]+) (\d+)")}


def wait_for(condition):
    until = time.monotonic() + 120
    while not condition():
        true(time.monotonic() < until, "what is waited for does not come")
        time.sleep(0.01)


class Running:
    """A program that runs beside the test and calls when it is told to."""

    def __init__(self, program, *args, folder, env):
        environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
        environ.update({"TRACE_DIR": folder + "/traces", "TRACE_ENABLE": "1"}, **env)
        self.process = subprocess.Popen(
            ["timeout", "60", program, *args], env=environ, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = int(self.process.stdout.readline().split()[1])

    def call(self, times):
        self.process.stdin.write("%d\n" % times)
        self.process.stdin.flush()
        equal(self.process.stdout.readline(), "called\n", "the program's answer")

    def status(self, what, task=None):
        """A line of what the kernel tells of the process or of one of its threads."""
        with open("/proc/%d/task/%s/status" % (self.pid, task or self.pid), encoding="ascii") as stream:
            return re.search(r"^%s:\s+(\w+)" % what, stream.read(), re.M)[1]

    def kill(self, number):
        """Returns when the signal is no longer pending: it can't become one with the next."""
        os.kill(self.pid, number)
        wait_for(lambda: not int(self.status("ShdPnd"), 16) >> number - 1 & 1)

    def look(self):
        """Returns when the watching thread, which sleeps between two looks, has looked at the control file."""
        (task,) = set(os.listdir("/proc/%d/task" % self.pid)) - {str(self.pid)}
        before = int(self.status("voluntary_ctxt_switches", task))
        wait_for(lambda: int(self.status("voluntary_ctxt_switches", task)) > before + 2)

    def put(self, path, text):
        """What `echo text > path` does, and the time to see it."""
        with open(path, "w", encoding="ascii") as stream:
            stream.write(text + "\n")
        self.look()

    def tasks(self):
        return len(os.listdir("/proc/%d/task" % self.pid))

    def end(self):
        self.process.stdin.close()
        equal(self.process.wait(20), 0, "exit status")
        return self.process.stderr.read()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


# --- the signal ------------------------------------------------------------------------------

@test
def markers_have_the_times_of_the_signals():
    for cc in compilers():
        for opt in ("-O0", "-O2"):
            with Folder() as folder:
                program = build(folder, cc, "control.c", opt)
                for clock in ("mono", "auto"):
                    shutil.rmtree(folder + "/traces", True)
                    result, capture = trace(program, "self", folder=folder,
                                            env=dict(SIGNAL, TRACE_CLOCK=clock))
                    equal(result.stderr, "", "stderr")
                    thread = capture.of()
                    parts, cut, unseen = windows(thread, capture.names(thread))
                    first = "+main +outer +step -step +inner +step -step"
                    again = "+step -step -inner +step -step -outer"
                    if parts[0][0][0] != "+main":
                        first = first[6:]
                    equal([names(part) for part in parts],
                          [first, again + " +outer +step -step +inner +step -step",
                           again + " +outer +step -step +inner +step -step", again], "events")
                    equal((cut, unseen), ([2, 2, 2], 6), "calls")
                    every, times = switches(result), marks(thread)
                    equal([code for code, _, _ in times], [OFF, ON] * 3, "markers")
                    equal([number for code, _, number in times if code == OFF], [1, 2, 3], "number")
                    away = 0
                    end, header = closing(capture, thread.pid), thread.files[0].header
                    for (code, ts, payload), span in zip(times, every):
                        if clock == "mono":
                            between(ts, span, "marker %d" % code)
                        else:
                            ns = header.t0_ns + (ts - header.t0_ticks) * (
                                end.caller - header.t0_ns) / (end.ts - header.t0_ticks)
                            between(ns, (span[0] - 5e4, span[1] + 5e4), "marker %d" % code)
                        away += ts if code == ON else -ts
                        if code == ON:
                            equal(payload, away, "time that it was off")


@test
def off_at_the_start_records_nothing():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        with Running(program, "wait", folder=folder, env=ARMED) as running:
            running.call(100000)
            (name,) = os.listdir(folder + "/traces")
            equal(name, "trace.%d.process" % running.pid, "what is prepared")
            equal(running.tasks(), 1, "threads")
            equal(running.end(), "", "stderr")
        capture = Capture(folder + "/traces", program)
        thread = capture.of()
        equal(thread.calls(), [], "events")
        ((code, ts, number),) = marks(thread)
        equal((code, ts, number), (OFF, thread.files[0].header.t0_ticks, 1), "off from the start")
        closing(capture, thread.pid)
        shutil.rmtree(folder + "/traces")
        with Running(program, "wait", folder=folder, env=ARMED) as running:
            running.call(1000)
            running.kill(signal.SIGUSR2)
            running.call(7)
            running.kill(signal.SIGUSR2)
            running.call(1000)
            equal(running.end(), "", "stderr")
        capture = Capture(folder + "/traces", program)
        parts, cut, unseen = windows(capture.of(), capture.names(capture.of()))
        equal(names(parts[1]), " ".join(["+step -step"] * 7), "while it was on")
        equal((len(parts), parts[0], cut), (2, [], [0, 0]), "before and after")


@test
def what_is_not_asked_for_stays_off():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        for env in ({"TRACE_ENABLE": "0"}, {"TRACE_SIGNAL": "USR2"}, {},
                    {"TRACE_CONTROL": folder + "/switch"}):
            run(program, 1, 10, env=dict(env, TRACE_DIR=folder + "/traces"), check=0)
            equal(sorted(os.listdir(folder)), ["calls"], str(env))


@test
def threads_are_told_by_their_next_call_or_at_the_end():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "control.c", "-O2")
            result, capture = trace(program, "threads", folder=folder, env=SIGNAL)
            equal(result.stderr, "", "stderr")
            ids, (off, on) = tids(result), switches(result)
            seen = {}
            for name in ("waiter", "ender", "busy", "beginner"):
                thread = capture.of(tid=ids[name])
                parts, cut, unseen = windows(thread, capture.names(thread))
                seen[name] = [names(part)[:40] for part in parts], unseen
                (code, ts, number), *back = marks(thread)
                equal((code, number), (OFF, 1), name)
                # A hook that is under way may be late.
                between(ts, (off[0], on[1]) if name == "busy" else off, name + ": off")
                equal(len(cut), 1, name)
                if name in ("waiter", "ender"):
                    equal(cut, [1], name + ": its call was open")
                if name == "ender":
                    equal(back, [], "it ended while recording was off")
                else:
                    ((code, ts, _),) = back
                    equal(code, ON, name)
                    between(ts, on, name + ": on")
            equal(seen["waiter"], (["+waiting +step -step", ""], 0), "a thread that waits")
            equal(seen["ender"], (["+ending +step -step"], 0), "a thread that ends")
            equal(seen["beginner"], (["", "+step -step -beginning"], 1), "a thread that begins")
            true(all(part.startswith("+busy_call +step") or i for i, part in
                     enumerate(seen["busy"][0])), "a thread that calls")
            true(len(seen["busy"][0][1]) > 20, "and goes on")


def storm(program, folder, times, threads, env):
    result, capture = trace(program, "storm", times, threads, folder=folder,
                            env=dict(env, TRACE_SEG_MB="1M"))
    equal(result.stderr, "", "stderr")
    ids = tids(result)
    table = symbols(program, capture.files[0].header.load_bias)
    off_at, told, events = {}, 0, 0
    for thread in capture.threads:
        parts, cut, unseen = windows(thread, table)
        events += sum(map(len, parts))
        for code, ts, number in marks(thread):
            if code == OFF:
                off_at.setdefault(number, []).append(ts)
                true(number <= 2 * times, "number of a switch")
                told += 1
        true(unseen <= 4 * len(cut), "exits without an enter")
        if thread.tid == ids["main"]:
            equal(names(parts[-1]), " ".join(["+last -last"] * 100), "what main called at the end")
    return told, events


@test
def a_thousand_switches_under_load():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "control.c", "-O2")
            told, events = storm(program, folder, 500, 3, SIGNAL)
            true(told > 20 and events > 1000, "%d markers, %d events" % (told, events))
            if cc == CC:  # two who switch an odd number of times each leave it as it was, too
                shutil.rmtree(folder + "/traces")
                storm(program, folder, 501, 3, dict(SIGNAL, TRACE_CLOCK="auto"))


@test
def it_is_clean_under_the_thread_sanitizer():
    tried = False
    flags = ("-fsanitize=thread",)
    for cc in compilers():
        with Folder() as folder:
            try:
                program = build(folder, cc, "control.c", "-O1", flags=flags, runtime=flags + compiled.CHECKED)
            except AssertionError:
                continue
            tried = True
            for env in (SIGNAL, SUMMARY, dict(SIGNAL, TRACE_CONTROL=folder + "/switch")):
                for how in (("threads",), ("storm", 500, 4), ("forks",)):
                    shutil.rmtree(folder + "/traces", True)
                    result, _ = trace(program, *how, folder=folder, env=dict(
                        env, TRACE_MAX_MB="64"))
                    reports = [line for line in result.stderr.splitlines()
                               if not line.startswith("callsight: ") or "TRACE_MAX_MB" not in line]
                    equal(reports, [], "%s %s" % (cc, how))
    if not tried:
        raise Skip("no -fsanitize=thread")


@test
def children_switch_for_themselves():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "control.c")
            result, capture = trace(program, "forks", folder=folder, env=SIGNAL)
            equal(result.stderr, "", "stderr")
            parent = tids(result)["parent"]
            children = [int(pid) for pid in said(result, r"child (\d+)")]
            equal(len(children), 4, "children")
            table = symbols(program, capture.files[0].header.load_bias)
            parts, cut, unseen = windows(capture.of(parent, parent), table)
            strip = re.compile(r"[+-]main ?")
            equal([strip.sub("", names(p)).strip() for p in parts],
                  ["+step -step +step -step", "+step -step"], "parent")
            texts = {}
            for pid in children:
                found = [t for t in capture.threads if t.pid == pid]
                texts[pid] = [[names(p) for p in windows(t, table)[0]] for t in found]
            equal([texts[pid] for pid in children],
                  [[["+step -step"]], [], [["", "+last -last"]], [["", "+last -last"]]],
                  "children: on, then off; off; off, then on; off, then on, then off")
            for pid in (children[2], children[3]):
                header = [t for t in capture.threads if t.pid == pid][0].files[0].header
                for _, ts, _ in marks(capture.of(pid)):
                    true(ts >= header.t0_ticks, "nothing before the child's own start")
            equal(len(marks(capture.of(children[3]))), 3, "the last one ended while off")


@test
def summaries_end_the_calls_that_are_open():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "control.c", "-O0")
            result, capture = trace(program, "self", folder=folder, env=SUMMARY)
            equal(result.stderr, "", "stderr")
            (summary,) = capture.summaries
            table = symbols(program, summary.header.load_bias)
            rows = {table[func]: row for func, row in summary.rows.items()}
            rows.pop("main", None)
            equal({name: row.calls for name, row in rows.items()},
                  {"outer": 3, "inner": 3, "step": 12}, "calls")
            every = switches(result)
            # A pause of 20 ms lies in each inner(), all of it while recording was off.
            away = sum(on[0] - off[1] for off, on in zip(every[::2], every[1::2]))
            true(away >= 60e6, "away for %d ns" % away)
            true(rows["outer"].incl + away <= summary.span, "%d ns in outer(), away for %d of %d" % (
                rows["outer"].incl, away, summary.span))
            true(rows["outer"].incl >= rows["inner"].incl, "outer contains inner")
            true(summary.span > every[-1][0] - every[0][1], "span")
            shutil.rmtree(folder + "/traces")
            result, capture = trace(program, "threads", folder=folder, env=SUMMARY)
            ids, (off, on) = tids(result), switches(result)
            totals = {s.tid: {table[func] if func in table else func: row for func, row in {
                f - s.header.load_bias + summary.header.load_bias: r
                for f, r in s.rows.items()}.items()} for s in capture.summaries}
            waiting = totals[ids["waiter"]]["waiting"]
            equal(waiting.calls, 1, "a call that waits for ever")
            # It began at least 20 ms before, and would have 40 more if it went on to the end.
            (began,) = {s.header.t0_ns for s in capture.summaries}
            true(18e6 < waiting.incl <= off[1] - began, "%d ns, off after %d" % (waiting.incl, off[1] - began))
            equal(totals[ids["ender"]]["ending"].calls, 1, "a thread that ended while off")
            equal({n: r.calls for n, r in totals[ids["beginner"]].items()}, {"step": 1}, "begins")


@test
def calls_of_every_depth_are_cut():
    with Folder() as folder:
        program = build(folder, CC, "control.c", "-O0")
        for depth in (1, 100, 3000):
            shutil.rmtree(folder + "/traces", True)
            result, capture = trace(program, "deep", depth, folder=folder, env=SIGNAL)
            parts, cut, unseen = windows(capture.of(), capture.names(capture.of()))
            equal((cut, unseen), ([depth + 1], depth + 1), "calls")
            equal(names(parts[1])[-11:], "+last -last", "afterwards")


@test
def switches_without_a_call_between_are_one():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        result, capture = trace(program, "again", folder=folder, env=SIGNAL)
        parts, cut, unseen = windows(capture.of(), capture.names(capture.of()))
        every, ((_, off, number), (_, on, away)) = switches(result), marks(capture.of())
        between(off, every[0], "the first off")
        between(on, every[3], "the last on")
        equal((number, away), (1, on - off), "off once, for so long")
        true(names(parts[1]).startswith("+step -step -again"), "goes on")


@test
def a_killed_process_leaves_what_was_recorded():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        for switched in (1, 2):
            shutil.rmtree(folder + "/traces", True)
            with Running(program, "wait", folder=folder, env=SIGNAL) as running:
                running.call(5)
                for _ in range(switched):
                    running.kill(signal.SIGUSR2)
                running.call(3)
                os.kill(running.pid, signal.SIGKILL)
                running.process.wait(20)
            capture = Capture(folder + "/traces", program)
            if not capture.tails:
                raise Skip("no tails on this file system")
            parts, cut, _ = windows(capture.of(), capture.names(capture.of()))
            equal([len(p) for p in parts], [10] if switched == 1 else [10, 6], "events")


@test
def the_signal_has_many_names():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        for name, number in (("USR2", signal.SIGUSR2), ("SIGUSR1", signal.SIGUSR1),
                             ("usr1", signal.SIGUSR1), (str(int(signal.SIGHUP)), signal.SIGHUP),
                             ("SIGRTMIN", signal.SIGRTMIN), ("RTMIN+3", signal.SIGRTMIN + 3),
                             ("RTMAX-2", signal.SIGRTMAX - 2), ("WINCH", signal.SIGWINCH)):
            shutil.rmtree(folder + "/traces", True)
            with Running(program, "wait", folder=folder, env={"TRACE_SIGNAL": name}) as running:
                running.call(2)
                running.kill(number)
                running.call(4)
                running.kill(number)
                running.call(3)
                equal(running.end(), "", name)
            capture = Capture(folder + "/traces", program)
            parts, _, _ = windows(capture.of(), capture.names(capture.of()))
            equal([len(p) for p in parts], [4, 6], name)


@test
def bad_values_are_said_in_one_line():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        for name, words in (("KILL", "cannot be a switch"), ("SIGSTOP", "cannot be a switch"),
                            ("11", "cannot be a switch"), ("ABRT", "cannot be a switch"),
                            ("USR3", "is no signal"), ("0", "is no signal"),
                            ("-3", "is no signal"), ("12x", "is no signal"),
                            ("999", "is no signal"), ("RTMIN-1", "is no signal"),
                            ("RTMAX-60", "is no signal"), ("RTMIN+60", "is no signal"),
                            ("33", "not the program's to use")):
            for enable in ("1", "0"):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, 0, 10, folder=folder,
                                        env={"TRACE_SIGNAL": name, "TRACE_ENABLE": enable})
                lines = result.stderr.splitlines()
                true(len(lines) == (2 if (name, enable) == ("33", "0") else 1) and
                     words in lines[0], "%s: %r" % (name, lines))
                equal(len(capture.threads), int(enable), name + ": records all the same")


@test
def the_programs_own_handler_wins():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        result, capture = trace(program, "handler", folder=folder,
                                env=dict(SIGNAL, HANDLE_EARLY="1"))
        equal(result.stderr, "callsight: the program handles signal %d itself: TRACE_SIGNAL does "
              "not switch recording\n" % signal.SIGUSR2, "stderr")
        equal(said(result, r"handled (\d+)"), ["1"], "its handler")
        equal(capture.counts(capture.of())["step"], 2, "calls")
        shutil.rmtree(folder + "/traces")
        result, capture = trace(program, "later", folder=folder, env=SIGNAL)
        equal((result.stderr, said(result, r"handled (\d+)")), ("", ["1"]), "a later one")
        equal(capture.counts(capture.of())["step"], 2, "calls")
        shutil.rmtree(folder + "/traces")
        result, capture = trace(program, "handler", folder=folder,
                                env=dict(ARMED, HANDLE_EARLY="1"))
        equal(result.stderr.splitlines()[1:],
              ["callsight: nothing can switch recording on; nothing is recorded"], "stderr")
        equal(capture.threads, [], "events")


@test
def a_signal_that_was_ignored_is_taken():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        _, capture = trace(program, "once", folder=folder, env=SIGNAL,
                           runner=("sh", "-c", 'trap "" USR2; exec "$0" "$@"'))
        parts, _, _ = windows(capture.of(), capture.names(capture.of()))
        equal(len(parts), 2, "switched")


# --- the file -----------------------------------------------------------------------------

@test
def a_file_switches_a_program_that_waits():
    for cc in compilers():
        with Folder() as folder:
            program, control = build(folder, cc, "control.c"), folder + "/switch"
            env = {"TRACE_ENABLE": "0", "TRACE_CONTROL": control, "TRACE_CLOCK": "mono"}
            with Running(program, "wait", folder=folder, env=env) as running:
                with open(control, encoding="ascii") as stream:
                    equal(stream.read(), "0\n", "what the file says")
                equal(stat.S_IMODE(os.stat(control).st_mode), 0o600, "permissions")
                equal(running.tasks(), 2, "threads")
                (helper,) = set(os.listdir("/proc/%d/task" % running.pid)) - {str(running.pid)}
                with open("/proc/%d/task/%s/status" % (running.pid, helper), encoding="ascii") as f:
                    blocked = int(re.search(r"SigBlk:\s+(\w+)", f.read())[1], 16)
                for number in set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:
                    true(blocked >> number - 1 & 1, "signal %d is blocked in the thread" % number)
                links = os.listdir("/proc/%d/fd" % running.pid)
                equal(sorted(links), ["0", "1", "2"], "descriptors")
                running.call(10)
                running.put(control, "1")
                running.call(2)
                running.put(control, "0")
                running.call(10)
                running.put(control, "1")
                running.call(3)
                running.put(control, "1")
                running.call(4)
                os.rename(control, control + ".old")
                running.look()
                running.call(5)
                running.put(control + ".new", "0")
                os.rename(control + ".new", control)
                running.look()
                running.call(10)
                os.remove(control)
                running.put(control, "1")
                running.call(6)
                running.put(control, "perhaps")
                running.call(7)
                stderr = running.end()
            equal(stderr, "callsight: %s begins with neither 0 nor 1: recording stays as it is\n"
                  % control, "stderr")
            capture = Capture(folder + "/traces", program)
            parts, cut, unseen = windows(capture.of(), capture.names(capture.of()))
            equal([len(p) / 2 for p in parts], [0, 2, 3 + 4 + 5, 6 + 7], "calls")
            equal((cut, unseen), ([0, 0, 0], 0), "nothing was open")


@test
def quick_changes_are_not_missed():
    with Folder() as folder:
        program, control = build(folder, CC, "control.c"), folder + "/switch"
        with Running(program, "wait", folder=folder, env={"TRACE_CONTROL": control}) as running:
            for _ in range(3):
                running.put(control, "1")
                past = os.stat(control)
                with open(control, "r+", encoding="ascii") as stream:
                    stream.write("0")
                    stream.flush()  # the file's time goes by ticks, and stays the same within one
                    os.utime(control, ns=(past.st_atime_ns, past.st_mtime_ns))
                running.look()
                running.call(1)
            running.end()
        capture = Capture(folder + "/traces", program)
        equal(capture.of().calls(), [], "calls")


@test
def the_file_that_is_there_says_what_holds():
    with Folder() as folder:
        program, control = build(folder, CC, "control.c"), folder + "/switch"
        for enable, says, words in (("1", "0", "says 0: recording begins"), ("1", "1", ""),
                                    ("0", "1", ""), ("0", "0", ""), ("1", "", "neither 0 nor 1")):
            shutil.rmtree(folder + "/traces", True)
            with open(control, "w", encoding="ascii") as stream:
                stream.write(says)
            result, capture = trace(program, "handler", folder=folder, env={
                "TRACE_ENABLE": enable, "TRACE_CONTROL": control, "HANDLE_EARLY": "1"})
            true(words in result.stderr and len(result.stderr.splitlines()) == bool(words),
                 result.stderr)
            on = says == "1" or says == "" and enable == "1"
            equal(len([e for e in capture.of().calls() if e.kind == ENTER]) > 0, on, enable + says)


@test
def files_that_cannot_be_watched_are_said():
    with Folder() as folder:
        program = build(folder, CC, "control.c")
        os.symlink("/dev/null", folder + "/link")
        os.mkfifo(folder + "/fifo")
        for path in (folder + "/link", folder + "/fifo", folder + "/nowhere/switch", folder):
            for enable in ("1", "0"):
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, "handler", folder=folder, env={
                    "TRACE_ENABLE": enable, "TRACE_CONTROL": path, "HANDLE_EARLY": "1"})
                lines = result.stderr.splitlines()
                true("TRACE_CONTROL=%s cannot be watched: " % path in lines[0], str(lines))
                equal(len(lines), 2 - int(enable), str(lines))
                equal(len(capture.threads), int(enable), "threads recorded")


@test
def another_users_file_is_not_obeyed():
    if os.geteuid() != 0:
        raise Skip("only root can make another user's file")
    with Folder() as folder:
        program, control = build(folder, CC, "control.c"), folder + "/switch"
        with open(control, "w", encoding="ascii") as stream:
            stream.write("0")
        os.chown(control, 65534, 65534)
        result, capture = trace(program, "handler", folder=folder, env={
            "TRACE_CONTROL": control, "HANDLE_EARLY": "1"})
        true("it is another user's" in result.stderr, result.stderr)
        equal(capture.counts(capture.of())["step"], 2, "calls")


@test
def signal_and_file_together():
    with Folder() as folder:
        program, control = build(folder, CC, "control.c"), folder + "/switch"
        with Running(program, "wait", folder=folder,
                     env=dict(ARMED, TRACE_CONTROL=control)) as running:
            running.kill(signal.SIGUSR2)
            running.call(1)
            running.put(control, "0")
            running.call(10)
            running.kill(signal.SIGUSR2)
            running.call(2)
            equal(running.end(), "", "stderr")
        capture = Capture(folder + "/traces", program)
        parts, _, _ = windows(capture.of(), capture.names(capture.of()))
        equal([len(p) / 2 for p in parts], [0, 1, 2], "calls")


@test
def a_child_watches_the_file_from_its_first_call_on():
    for armed in ("0", "1"):
        with Folder() as folder:
            program, control = build(folder, CC, "control.c"), folder + "/switch"
            env = {"TRACE_ENABLE": armed, "TRACE_CONTROL": control}
            with Running(program, "waits", folder=folder, env=env) as running:
                equal(running.tasks(), 1, "threads of a child that has not called")
                running.call(1)
                equal(running.tasks(), 2, "threads of one that has")
                running.put(control, "1" if armed == "0" else "0")
                running.call(5)
                running.put(control, armed)
                running.call(10)
                equal(running.end(), "", "stderr")
            capture = Capture(folder + "/traces", program)
            thread = capture.of(running.pid)
            parts, _, _ = windows(thread, capture.names(thread))
            equal([len(p) / 2 for p in parts if p], [5] if armed == "0" else [1, 10], "calls")


@test
def the_watching_thread_keeps_no_process_alive():
    for cc in compilers():
        with Folder() as folder:
            program = build(folder, cc, "control.c")
            result, capture = trace(program, "alone", folder=folder, runner=("timeout", "20"),
                                    env={"TRACE_CONTROL": folder + "/switch"})
            equal((result.stdout, result.stderr), ("the last thread\n", ""), "output")
            steps = sum(capture.counts(t)["step"] for t in capture.threads if t.calls())
            equal(steps, 2, "calls")
            equal(len([e for t in capture.threads for e in t.markers(CLOCK)]), 1, "closing anchor")


if __name__ == "__main__":
    main()
