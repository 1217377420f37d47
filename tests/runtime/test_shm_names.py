# SPDX-License-Identifier: MIT
"""Which ring a process has: names, what others left there, children, and where there is none."""

import os
import resource
import shutil
import signal
import struct
import subprocess
import time

from rings import SHM, Place, Ring, begin, calls, counted, gone, kill, make, numbers, wait_for
from tap import Skip, compilers, equal, main, run, test, true
from traces import Capture, build, said

CC = compilers()[0]
FORMATS = ("records", "packed")


@test
def a_second_process_has_a_ring_of_its_own():
    with Place() as place:
        program = build(place.folder, CC, "killed.c", "-O2")
        first = begin(place, program, "slow", place.folder + "/counters", 1, 100)
        inode = os.stat(SHM + place.name).st_ino
        many = build(place.folder, CC, "many.c", "-O2")
        result = place.run(many, "together", 1, 5000)
        equal(result.stderr, "", "words")
        left = {int(n[1:]) for n in place.left() if n[1:].isdigit()}
        (other,) = left & set(map(int, said(result, r"tid (\d+)")))
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


def with_shm(place, program, mount, args, after="", env=None):
    """Runs it where /dev/shm is something else."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    if run("unshare", "-m", "mount", *mount, "none", "/dev/shm").returncode:
        raise Skip("no mount here")
    script = "mount %s none /dev/shm && cd %s && %s %s%s" % (" ".join(mount), place.folder, program, args, after)
    return run("unshare", "-m", "sh", "-c", script, env=place.environ(dict({"TRACE_MIN_FREE_MB": "0"}, **(env or {}))), check=0)


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


@test
def a_child_that_has_no_room_for_a_ring():
    for form in FORMATS:
        with Place() as place:
            program = build(place.folder, CC, "killed.c", "-O2")
            result = with_shm(place, program, ("-t", "tmpfs", "-o", "size=6m"), "fork %s/counters 0 9000" % place.folder,
                              "; ls /dev/shm", {"TRACE_SHM_SIZE": "4M", "TRACE_FORMAT": form})
            true("no ring /%s: %s" % (place.name, os.strerror(28)) in result.stderr and result.stderr.count("\n") == 1,
                 result.stderr)
            parent, child = counted(place.folder + "/counters")
            equal(sorted(result.stdout.split()), [place.name + rest for rest in ("", ".%d" % parent, ".process")],
                  "the parent's")
            thread = Capture(place.folder + "/traces", program).of()
            equal((thread.pid, numbers(thread.events)), (child, list(range(9000))), "the child's, in files")


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
