# SPDX-License-Identifier: MIT
"""Events that go to a ring in shared memory: all that ran are in it, in tails, or counted as dropped."""

import collections
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import threading
import time

from rings import HEAD, SHM, Place, Ring, calls, counts, markers, threads
from tap import Skip, compilers, equal, main, run, test, true
from traces import CLOCK, MAX_EVENTS, Capture, build, said, symbols

CC = compilers()[0]
THREAD_START, DROPS = 256, 262
FORMATS = ("records", "packed")


def counted(path):
    """tid → hooks that have returned."""
    with open(path, "rb") as file:
        data = file.read()
    rows = [struct.unpack("QQ", data[i:i + 16]) for i in range(0, len(data) - 15, 64)]
    return {tid: returned for tid, returned in rows if tid}


def numbers(records):
    """The numbers that killed.c gives its hooks."""
    return [event.caller for event in calls(records)]


def begin(place, program, *args, env=None):
    """Starts it, and waits for its line."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith("TRACE_")}
    environ.update(place.environ(env))
    if os.path.exists(place.folder + "/counters"):
        os.unlink(place.folder + "/counters")
    process = subprocess.Popen([program, *map(str, args)], env=environ, cwd=place.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    equal(process.stdout.readline(), b"begun\n", "its line")
    return process


def kill(process):
    process.kill()
    process.wait()
    words = process.stderr.read().decode()
    process.stdout.close()
    process.stderr.close()
    return words


def gone():
    """A process that is no more."""
    with subprocess.Popen(["true"]) as process:
        pass
    return process.pid


def make(name, size=None, magic=b"TKSHM\0\0\0", version=2, capacity=65536, writers=0, head=0, tail=0, lock=0, t0=0):
    """An object as a client, or somebody else, leaves it; returns its inode."""
    data = struct.pack("<" + HEAD, magic, version, capacity, writers, lock, head, tail, 0, 0, 0, 0, 0, t0, t0, 0)
    fd = os.open(SHM + name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.truncate(size or 96 + capacity)
        return os.fstat(file.fileno()).st_ino


class Client(threading.Thread):
    """Takes what comes until it is told to end."""

    def __init__(self, ring, pause=0.001):
        super().__init__(daemon=True)
        self.ring, self.pause, self.over = ring, pause, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(self.pause):
            self.ring.take()

    def end(self):
        self.over.set()
        self.join()
        self.ring.take()


@test
def every_call_of_one_and_of_eight_threads():
    for cc in compilers():
        for form in FORMATS:
            for count in (0, 7):
                with Place() as place:
                    program = build(place.folder, cc, "many.c", "-O2")
                    result = place.run(program, "together", count, 20000, env={"TRACE_FORMAT": form})
                    equal(result.stderr, "", "words")
                    equal(place.left(), ["", ".process"], "objects")
                    true(not os.path.exists(place.folder + "/traces"), "a trace folder")
                    ring = Ring(place.name)
                    ring.take()
                    head = ring.header()
                    equal((head.writers, head.lock, head.dropped, ring.packed), (0, 0, 0, form == "packed"), "header")
                    events = ring.events()
                    tids = set(map(int, said(result, r"tid (\d+)")))
                    found = threads(events)
                    equal(set(found), tids, "threads")
                    # The same in files.
                    environ = place.environ({"TRACE_FORMAT": form})
                    del environ["TRACE_SHM"]
                    run(program, "together", count, 20000, env=environ, check=0)
                    capture = Capture(place.folder + "/traces", program)
                    in_files = sorted(tuple(capture.counts(t).items()) for t in capture.threads)
                    names = symbols(program, head.load_bias)
                    equal(sorted(tuple(counts(r, names).items()) for r in found.values()), in_files, "calls")
                    equal(in_files, [(("step", 20000),)] * (count + 1), "calls in files")
                    for records in found.values():
                        equal([e.func for e in records if e.kind == 2 and e.func != CLOCK], [THREAD_START], "markers")
                        equal(records[0].func, THREAD_START, "the first")
                    equal((events[-1].func, len(markers(events, CLOCK))), (CLOCK, 1), "closing anchor")
                    section = ring.process()
                    equal({tid for tid, _seq, _name in section.threads}, tids, "names of threads")
                    true(any(m.path == program and m.bias == head.load_bias for m in section.modules), "the program")
                    other = capture.files[0].header
                    equal(head.flags & 1, other.flags & 1, "ticks")
                    true(abs(head.tick_hz - other.tick_hz) <= other.tick_hz // 100 and head.hook_ns, "rate and cost")


@test
def a_batch_goes_around_the_end():
    for form in FORMATS:
        # The second is no power of two.
        for size in ("64K", "70000"):
            with Place() as place:
                program = build(place.folder, CC, "killed.c", "-O2")
                process = begin(place, program, "slow", place.folder + "/counters", 2, 6000,
                                env={"TRACE_SHM_SIZE": size, "TRACE_FORMAT": form, "TRACE_CLOCK": "mono"})
                ring = Ring(place.name)
                equal(ring.capacity, 65536 if size == "64K" else 70000 // 64 * 64, "capacity")
                client = Client(ring)
                until = time.monotonic() + 60
                while min(counted(place.folder + "/counters").values()) < 6000 and time.monotonic() < until:
                    time.sleep(0.01)
                equal(kill(process), "", "words")
                client.end()
                found, left = threads(ring.events()), ring.tails()
                equal(ring.header().dropped, 0, "dropped")
                if form == "records":
                    true(ring.header().head > 3 * ring.capacity, "%d bytes went through it" % ring.header().head)
                for tid in counted(place.folder + "/counters"):
                    equal(numbers(found[tid] + left[tid]), list(range(6000)), "its events")


@test
def what_finds_no_room_is_counted():
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "together", 7, 30000, env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": form})
            ring = Ring(place.name)
            ring.take()
            events, head = ring.events(), ring.header()
            true(head.dropped > 0, "some are dropped")
            equal(len(calls(events)) + head.dropped, 8 * 60000, "in the ring and dropped")
            equal(len(markers(events, CLOCK)), 1, "there was room for the closing anchor")
            true("%d events found no room in the ring /%s" % (head.dropped, place.name) in result.stderr and
                 len(result.stderr.splitlines()) == 1, result.stderr)
    # As many as there is room for, one more or less.
    for hooks in range(2040, 2050):
        with Place() as place:
            program = build(place.folder, CC, "killed.c", "-O2")
            place.run(program, "exit", place.folder + "/counters", 0, hooks,
                      env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
            ring = Ring(place.name)
            ring.take()
            events = ring.events()
            equal(len(calls(events)) + ring.header().dropped, hooks, "in the ring and dropped")
            equal(events[-1].func, CLOCK, "the last of %d records" % len(events))


@test
def a_slow_client_gets_batches_and_where_others_are_missing():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 3, 8000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        ring = Ring(place.name)
        client = Client(ring, 0.15)
        until = time.monotonic() + 60
        while min(counted(place.folder + "/counters").values()) < 8000 and time.monotonic() < until:
            time.sleep(0.01)
        kill(process)
        client.end()
        head, left, found = ring.header(), ring.tails(), threads(ring.events())
        true(head.dropped > 0, "some are dropped")
        there = 0
        for tid in counted(place.folder + "/counters"):
            records = found.get(tid, []) + left[tid]
            there += len(calls(records))
            last, told = -1, True
            for event in records:
                if event.kind == 2:
                    told = True
                    true(event.func in (THREAD_START, DROPS), "marker %d" % event.func)
                else:
                    true(event.caller == last + 1 or (told and event.caller > last), "a gap that nothing tells of")
                    last, told = event.caller, False
            totals = [event.caller for event in markers(records, DROPS)]
            true(totals == sorted(totals) and max(totals, default=0) <= head.dropped, "totals %r" % totals)
            equal(records[0].func, THREAD_START, "the first")
        equal(there + head.dropped, 3 * 8000, "events that ran")


@test
def a_lock_that_somebody_kept():
    with Place() as place, subprocess.Popen(["sleep", "300"]) as other:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 1, 12000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        try:
            ring = Ring(place.name)
            client = Client(ring)
            # Whoever had it is no more: the next flush takes it, though that be late on a busy machine.
            least = 60
            for _ in range(5):
                ring.word(20, gone())
                then = time.monotonic()
                wait_for(lambda: ring.word(20) == 0, "the lock")
                least = min(least, time.monotonic() - then)
            true(least < 0.8, "taken after %f s" % least)
            # Whoever has it does not go on: it is taken a second later, not before.
            ring.word(20, other.pid)
            then = time.monotonic()
            wait_for(lambda: ring.word(20) != other.pid, "the lock of another", 30)
            true(time.monotonic() - then >= 1, "after %f s" % (time.monotonic() - then))
            wait_for(lambda: ring.word(20) == 0, "the lock is free again")
            wait_for(lambda: min(counted(place.folder + "/counters").values()) == 12000, "the end")
        finally:
            other.kill()
            words = kill(process)
        equal(words, "", "words")
        client.end()
        (tid,) = counted(place.folder + "/counters")
        equal(numbers(threads(ring.events())[tid] + ring.tails()[tid]), list(range(12000)), "events")


def wait_for(happens, what, seconds=60):
    until = time.monotonic() + seconds
    while not happens():
        true(time.monotonic() < until, "in vain: " + what)
        time.sleep(0.002)


@test
def a_second_process_has_a_ring_of_its_own():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        first = begin(place, program, "slow", place.folder + "/counters", 1, 100)
        inode = os.stat(SHM + place.name).st_ino
        many = build(place.folder, CC, "many.c", "-O2")
        result = place.run(many, "together", 1, 5000)
        equal(result.stderr, "", "words")
        (other,) = set(map(int, said(result, r"tid (\d+)"))) & {int(n[1:]) for n in place.left()
                                                                           if n[1:].isdigit()}
        ring = Ring("%s.%d" % (place.name, other))
        ring.take()
        equal(len(calls(ring.events())), 2 * 10000, "events of the second")
        equal(ring.process().fields["pid"], str(other), "its process")
        equal(os.stat(SHM + place.name).st_ino, inode, "the first one's")
        (tid,) = counted(place.folder + "/counters")
        wait_for(lambda: counted(place.folder + "/counters")[tid] == 100, "the end")
        kill(first)
        ring = Ring(place.name)
        ring.take()
        equal(ring.process().fields["pid"], str(first.pid), "the first process")
        equal(numbers(ring.events() + ring.tails()[tid]), list(range(100)), "events of the first")


def other_than_its_name(place, program, what):
    """The ring that a program makes where its name is another's."""
    result = place.run(program, "together", 0, 100)
    equal(result.stderr, "", what + ": words")
    (tid,) = said(result, r"tid (\d+)")
    ring = Ring("%s.%s" % (place.name, tid))
    ring.take()
    equal(len(calls(ring.events())), 200, what + ": events")


@test
def what_is_not_ours_is_left_alone():
    fields = {"magic": {"magic": b"TKSHM\0\0\1"}, "version": {"version": 3}, "size": {"size": 96 + 65536 + 4096},
              "capacity": {"capacity": 65536, "size": 96 + 4096}, "empty": {"capacity": 0},
              "lock": {"lock": os.getpid(), "head": 64}}
    for what, values in fields.items():
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            inode = make(place.name, **values)
            with open(SHM + place.name, "rb") as file:
                before = file.read()
            other_than_its_name(place, program, what)
            with open(SHM + place.name, "rb") as file:
                equal((file.read() == before, os.fstat(file.fileno()).st_ino), (True, inode), what + ": it is as it was")


@test
def another_users_and_links_are_left_alone():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        os.symlink(place.folder + "/elsewhere", SHM + place.name)
        other_than_its_name(place, program, "a link")
        true(not os.path.exists(place.folder + "/elsewhere"), "where the link leads")
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        os.mkfifo(SHM + place.name)
        other_than_its_name(place, program, "a pipe")
    if os.geteuid() != 0:
        raise Skip("needs root to make another user's")
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        inode = make(place.name)
        os.chown(SHM + place.name, 65534, 65534)
        other_than_its_name(place, program, "another user's")
        equal(os.stat(SHM + place.name).st_ino, inode, "another user's")


@test
def a_ring_that_a_client_made_is_taken():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        inode = make(place.name, capacity=300000)
        ring = Ring(place.name)
        result = place.run(program, "together", 0, 2000, env={"TRACE_FORMAT": "records"})
        equal((result.stderr, os.stat(SHM + place.name).st_ino), ("", inode), "words and object")
        ring.take()
        equal((ring.header().capacity, len(calls(ring.events()))), (300000, 4000), "events")
        equal(ring.process().fields["parent"], str(os.getpid()), "process")


@test
def what_dead_processes_left_is_replaced():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        many = build(place.folder, CC, "many.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 2, 1000)
        old = Ring(place.name)
        kill(process)
        equal(len(place.left()), 4, "ring, text, two tails")
        for how in ("killed", "ended"):
            result = place.run(many, "together", 1, 500)
            equal((result.stderr, place.left()), ("", ["", ".process"]), how)
            ring = Ring(place.name)
            true(ring.inode != old.inode, how + ": a new object")
            ring.take()
            equal(len(calls(ring.events())), 2000, how + ": events")
            old = ring
        # Somebody who died in making it; and a client is there that may still read tails.
        os.unlink(SHM + place.name)
        make(place.name, magic=bytes(8), version=0, capacity=0, size=96 + 65536, lock=gone())
        equal((place.run(many, "together", 0, 500).stderr, place.left()), ("", ["", ".process"]), "half made")
        os.unlink(SHM + place.name)
        process = begin(place, program, "loop", place.folder + "/counters", 1, 10000)
        served = Ring(place.name)
        wait_for(lambda: served.header().head > 0 and counted(place.folder + "/counters").popitem()[1] == 10000,
                 "a batch")
        served.take()
        kill(process)
        ((_, tid),) = [n.split(".") for n in place.left() if n not in ("", ".process")]
        place.run(many, "together", 0, 500)
        equal(place.left(), ["", "." + tid, ".process"], "what a client may still read")


@test
def who_is_dead():
    """A process that nobody has waited for, and one whose number another one has."""
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        many = build(place.folder, CC, "many.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 1, 10)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        equal((place.run(many, "together", 0, 500).stderr, place.left()), ("", ["", ".process"]), "a zombie's")
        kill(process)
    text = ("CALLSIGHT-PROCESS 1\npid %d\nparent 1\n" % os.getpid()).encode()
    for t0, replaced in ((1000, True), (time.clock_gettime_ns(time.CLOCK_MONOTONIC), False)):
        with Place() as place:
            many = build(place.folder, CC, "many.c", "-O2")
            inode = make(place.name, writers=1, head=320, t0=t0)
            with open(SHM + place.name + ".process", "wb") as file:
                file.write(struct.pack("<Q", len(text)) + text)
            equal(place.run(many, "together", 0, 500).stderr, "", "words")
            equal(os.stat(SHM + place.name).st_ino != inode, replaced, "replaced, begun at %d" % t0)
            equal(len(place.left()), 2 if replaced else 4, "objects")


@test
def names_that_are_none():
    for name in ("/a/b", "a/b", "/", "//", "/.", "..", "/" + 201 * "n"):
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "together", 0, 100, env={"TRACE_SHM": name})
            true(result.stderr.startswith("callsight: TRACE_SHM=" + name[:64]) and
                 result.stderr.endswith("recording to files\n") and result.stderr.count("\n") == 1, result.stderr)
            equal(len(Capture(place.folder + "/traces", program).of().calls()), 200, "events in files")
    # No name, and one without a slash; the longest.
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        equal(place.run(program, "together", 0, 100, env={"TRACE_SHM": ""}).stderr, "", "words")
        equal(len(Capture(place.folder + "/traces", program).of().calls()), 200, "events in files")
        for name in (place.name, (place.name + 200 * "n")[:200]):
            equal(place.run(program, "together", 0, 100, env={"TRACE_SHM": name}).stderr, "", "words")
            ring = Ring(name)
            ring.take()
            equal(len(calls(ring.events())), 200, "events")


@test
def where_there_can_be_no_ring_it_is_files():
    sizes = {"1K": "too small", "65535": "too small", "4096M": "too large", "0": "too small"}
    for size, words in sizes.items():
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "together", 0, 100, env={"TRACE_SHM_SIZE": size})
            true(words in result.stderr and result.stderr.count("\n") == 1, result.stderr)
            equal((place.left(), len(Capture(place.folder + "/traces", program).of().calls())), ([], 200), "files")
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        result = place.run(program, "together", 0, 100, env={"TRACE_SHM_SIZE": "much"})
        true("is not a number; using the default" in result.stderr, result.stderr)
        equal(Ring(place.name).capacity, 16 << 20, "the default")
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        result = place.run(program, "together", 2, 100, env={"TRACE_MODE": "summary"})
        true("a summary is not for a ring" in result.stderr and result.stderr.count("\n") == 1, result.stderr)
        capture = Capture(place.folder + "/traces", program)
        equal((place.left(), sum(s.rows[f].calls for s in capture.summaries for f in s.rows)), ([], 300), "sums")


@test
def a_file_size_limit_below_the_ring():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        result = subprocess.run([program, "together", "0", "100"], check=True, text=True, stderr=subprocess.PIPE,
                                stdout=subprocess.DEVNULL, cwd=place.folder, env=dict(os.environ, **place.environ()),
                                preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
                                                    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)))
        true("no ring /" + place.name in result.stderr and result.stderr.count("\n") == 1, result.stderr)
        equal((place.left(), len(Capture(place.folder + "/traces", program).of().calls())), ([], 200), "files")


def with_shm(place, program, mount, args, after=""):
    """Runs it where /dev/shm is something else."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    if run("unshare", "-m", "mount", *mount, "none", "/dev/shm").returncode:
        raise Skip("no mount here")
    script = "mount %s none /dev/shm && cd %s && %s %s%s" % (" ".join(mount), place.folder, program, args, after)
    return run("unshare", "-m", "sh", "-c", script, env=place.environ({"TRACE_MIN_FREE_MB": "0"}), check=0)


@test
def shared_memory_that_is_full_or_none():
    for mount, words in ((("-t", "tmpfs", "-o", "size=4m"), os.strerror(28)), (("-t", "tmpfs", "-o", "ro"), "ead-only"),
                         (("-t", "ramfs"), "/dev/shm is no memory")):
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = with_shm(place, program, mount, "together 1 5000", "; ls /dev/shm")
            true("no ring /%s: " % place.name in result.stderr and words in result.stderr and
                 result.stderr.count("\n") == 1, result.stderr)
            true(result.stdout.endswith("ran to its end\n"), "left in /dev/shm: " + result.stdout)
            capture = Capture(place.folder + "/traces", program)
            equal(sum(len(t.calls()) for t in capture.threads), 20000, "events in files")
    # There is room for the ring and not for a tail.
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        place_in = "/dev/shm/%s*" % place.name
        result = with_shm(place, program, ("-t", "tmpfs", "-o", "size=16500k"), "together 1 5000",
                          "; cp %s %s" % (place_in, place.folder))
        true("a buffer is plain memory" in result.stderr and result.stderr.count("\n") == 1, result.stderr)
        with open("%s/%s" % (place.folder, place.name), "rb") as file:
            (head,) = struct.unpack("<Q", file.read()[24:32])
        equal(place.environ()["TRACE_FORMAT"] == "packed" or head == 20000 * 32 + 3 * 32, True, "%d bytes" % head)


def killed_at(place, program, form, seconds):
    process = begin(place, program, "loop", place.folder + "/counters", 2, 200000, env={"TRACE_FORMAT": form})
    time.sleep(seconds)
    equal(kill(process), "", "words")
    ring = Ring(place.name)
    ring.take()
    equal(ring.header().dropped, 0, "dropped")
    found, left = threads(ring.events()), ring.tails()
    between = 0
    for tid, returned in counted(place.folder + "/counters").items():
        records = found.get(tid, []) + left.get(tid, [])
        got = numbers(records)
        equal(got, list(range(len(got))), "numbers")
        true(returned <= len(got) <= returned + 1, "%d events, %d hooks returned" % (len(got), returned))
        between += tid in found and bool(left.get(tid))
        equal((records[0].func, len(markers(records, THREAD_START))), (THREAD_START, 1), "the first")
    return between


@test
def a_kill_at_any_moment_loses_nothing():
    chance = random.Random(7)
    for cc in compilers():
        for form in FORMATS:
            with Place() as place:
                program = build(place.folder, cc, "killed.c", "-O2")
                both = sum(killed_at(place, program, form, chance.uniform(0, 0.006)) for _ in range(10))
                print("# %s, %s: %d threads had events in both" % (cc, form, both))


@test
def ways_out_that_run_no_exit_handlers():
    for form in FORMATS:
        for how in ("_exit", "abort", "segv", "exec", "exit"):
            for hooks in (1, 8192, 20001):
                with Place() as place:
                    program = build(place.folder, CC, "killed.c", "-O2")
                    place.run(program, how, place.folder + "/counters", 0, hooks, env={"TRACE_FORMAT": form}, check=None)
                    ring = Ring(place.name)
                    ring.take()
                    left = ring.tails()
                    (tid,) = counted(place.folder + "/counters")
                    what = "%s after %d" % (how, hooks)
                    equal((ring.header().writers, len(left)), (how != "exit", how != "exit"), what)
                    equal(numbers(ring.events() + left.get(tid, [])), list(range(hooks)), what)


@test
def ends_with_threads_that_still_run():
    for form in FORMATS:
        for how in ("running", "quick", "thread-exit", "last-thread", "cancel"):
            with Place() as place:
                program = build(place.folder, CC, "ends.c", "-O2")
                result = place.run(program, how, env={"TRACE_FORMAT": form, "TRACE_SHM_SIZE": "256M"})
                equal(result.stderr, "", how + ": words")
                (pid,) = map(int, said(result, r"pid (\d+)"))
                equal(place.left(), ["", ".process"], how + ": objects")
                ring = Ring(place.name)
                ring.take()
                equal((ring.header().writers, ring.header().dropped), (0, 0), how)
                events = ring.events()
                equal(events[-1].func, CLOCK, how + ": the last")
                found = {tid: len(calls(records)) for tid, records in threads(events).items()}
                if how == "running":
                    others = sorted(n for tid, n in found.items() if tid != pid)
                    true(found[pid] == 4 and others[0] == 200 and others[1] >= 200, "events %r" % found)
                elif how == "cancel":
                    true(all(n % 40000 == 200 for tid, n in found.items() if tid != pid), "events %r" % found)
                else:
                    equal(sum(found.values()), 4, how + ": events")


@test
def a_program_that_is_run_by_another():
    """Both images have the same pid; what the first left stays for the client."""
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        os.mkdir(place.folder + "/bin")
        build(place.folder, CC, "named.c", "-O2", out="bin/true")
        result = place.run(program, "exec", place.folder + "/counters", 0, 9000,
                           env={"PATH": place.folder + "/bin:" + os.environ["PATH"], "TRACE_FORMAT": "records"})
        equal(result.stderr, "", "words")
        (pid,) = counted(place.folder + "/counters")
        first = Ring(place.name)
        first.take()
        equal(first.header().writers, 0, "the first one's writers")
        equal(numbers(first.events() + first.tails()[pid]), list(range(9000)), "events of the first")
        # Its name with the pid is a tail of the first one's main thread.
        second = Ring("%s.%d.1" % (place.name, pid))
        second.take()
        equal(second.process().fields["pid"], str(pid), "the second's process")
        true(len(calls(second.events())) == 2 * 6 + 2 * 10000 + 2 * 70000, "events of the second")


@test
def children_have_rings_of_their_own():
    for form in FORMATS:
        for how in ("fork", "_Fork", "clone"):
            with Place() as place:
                program = build(place.folder, CC, "killed.c", "-O2")
                equal(place.run(program, how, place.folder + "/counters", 0, 9000,
                                env={"TRACE_FORMAT": form}).stderr, "", how)
                parent, child = counted(place.folder + "/counters")
                for name, pid in ((place.name, parent), ("%s.%d" % (place.name, child), child)):
                    ring = Ring(name)
                    ring.take()
                    section = ring.process()
                    equal(section.fields["pid"], str(pid), how + ": process")
                    equal(numbers(ring.events() + ring.tails()[pid]), list(range(9000)), how + ": events")
                equal(section.fields["parent"], str(parent), how + ": parent")


@test
def a_child_that_only_execs_leaves_nothing():
    with Place() as place:
        program = build(place.folder, CC, "forks.c", "-O2")
        equal(place.run(program, "exec").stderr, "", "words")
        equal(place.left(), ["", ".process"], "objects")


@test
def many_threads_in_turn():
    """Of threads that ended nothing is left, and an id that comes again is a new thread's."""
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "many.c", "-O2")
            result = place.run(program, "in-turn", 40, 100, env={"TRACE_FORMAT": form})
            ring = Ring(place.name)
            ring.take()
            events = ring.events()
            equal(place.left(), ["", ".process"], "objects")
            equal((len(markers(events, THREAD_START)), len(calls(events))), (41, 41 * 200), "threads and events")
            equal(sorted(collections.Counter(e.tid for e in calls(events)).elements()),
                  sorted([int(tid) for tid in said(result, r"tid (\d+)")] * 200), "whose they are")


@test
def buffers_of_many_threads_are_smaller():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 100, 3)
        sizes = [os.path.getsize(SHM + place.name + n) for n in place.left() if n[1:].isdigit()]
        true(len(sizes) == 100 and max(sizes) == 266240 and sum(sizes) < 16 << 20, "%d tails, %d bytes" % (
            len(sizes), sum(sizes)))
        wait_for(lambda: min(counted(place.folder + "/counters").values()) == 3, "the end")
        kill(process)
        ring = Ring(place.name)
        equal({len(calls(records)) for records in ring.tails().values()}, {3}, "events")


@test
def threads_by_their_names():
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "named.c", "-O2")
            environ = {"TRACE_THREADS": "late,change", "TRACE_FORMAT": form}
            result = place.run(program, env=environ)
            tids = {name: int(tid) for name, tid in said(result, r"(\S+) (\d+)")}
            ring = Ring(place.name)
            ring.take()
            in_ring = {tid: r for tid, r in threads(ring.events()).items() if calls(r)}
            environ = place.environ(environ)
            del environ["TRACE_SHM"]
            result = run(program, env=environ, check=0)
            there = {name: int(tid) for name, tid in said(result, r"(\S+) (\d+)")}
            capture = Capture(place.folder + "/traces", program)
            equal(set(in_ring), {tids["late"], tids["change"]}, "threads")
            for name in ("late", "change"):
                records = in_ring[tids[name]]
                equal((records[0].func, len(markers(records, THREAD_START))), (THREAD_START, 1), "the first")
                wanted = len(capture.of(tid=there[name]).calls())
                # Whether a name fits is asked for at each flush, and these lie a marker apart.
                true(abs(len(calls(records)) - wanted) <= 2, "%s: %d events, %d" % (name, len(calls(records)), wanted))
            equal([n for n in place.left() if n[1:].isdigit()], [], "tails")


@test
def the_cap_of_events_and_plain_buffers():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        place.run(program, "together", 3, 20000, env={"TRACE_MAX": "30001"})
        ring = Ring(place.name)
        ring.take()
        events = ring.events()
        equal(len(calls(events)), 30001, "events")
        true(markers(events, MAX_EVENTS), "its marker")
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "loop", place.folder + "/counters", 2, 9000,
                        env={"TRACE_TAIL": "0", "TRACE_FORMAT": "records"})
        equal(place.left(), ["", ".process"], "objects")
        wait_for(lambda: min(counted(place.folder + "/counters").values()) == 9000, "the end")
        kill(process)
        ring = Ring(place.name)
        ring.take()
        equal(len(calls(ring.events())), 2 * 8191, "a buffer of each, that begins with a marker")


@test
def libraries_that_come_later():
    with Place() as place:
        program = build(place.folder, CC, "plugins.c", "-O2")
        for number in (0, 1):
            build(place.folder, CC, "plugin.c", "-O2", out="lib%d.so" % number,
                  flags=("-shared", "-fPIC", "-DNUMBER=%d" % number))
        result = place.run(program, place.folder + "/lib0.so", place.folder + "/lib1.so", check=None)
        section = Ring(place.name).process()
        names = [os.path.basename(m.path) for m in section.modules]
        true("lib0.so" in names and "lib1.so" in names, "%r %s" % (names, result.stderr))


@test
def a_length_that_lies_harms_nobody():
    """What a client, or who plays one, writes into the header."""
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        process = begin(place, program, "slow", place.folder + "/counters", 1, 4000,
                        env={"TRACE_SHM_SIZE": "64K", "TRACE_FORMAT": "records"})
        ring = Ring(place.name)
        ring.word(12, 1 << 31)
        ring.word(32, 1 << 40, size=8)
        wait_for(lambda: counted(place.folder + "/counters").popitem()[1] == 4000, "the end")
        equal(kill(process), "", "words")
        ring.capacity = 65536
        equal(ring.word(24, size=8), 0, "head: nothing had room")
        (tid,) = counted(place.folder + "/counters")
        equal(ring.header().dropped + len(calls(ring.tails()[tid])), 4000, "events")


@test
def setuid_is_not_asked_where_to():
    with Place() as place:
        program = build(place.folder, CC, "many.c", "-O2")
        shutil.copy2(program, place.folder + "/plain")
        if os.geteuid() != 0:
            raise Skip("needs root to make a setuid program of another user")
        os.chown(place.folder + "/plain", 65534, 65534)
        os.chmod(place.folder + "/plain", 0o4755)
        os.chmod(place.folder, 0o755)
        place.run(place.folder + "/plain", "together", 0, 100)
        equal(place.left(), [], "objects")


if __name__ == "__main__":
    main()
