# SPDX-License-Identifier: MIT
"""The device's client: rings that it finds, what travels, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client, program
from receiver import Receiver, until
from rings import FOLDER, Ring, Tracer, events, numbers
from tap import equal, main, run, test, true

WAITING = "trace_stream: waiting for a program that traces into /%s\n"


def positions_are_whole(receiver, first=0):
    at = first
    for chunk in receiver.of(0, 4, 5):
        equal(chunk.position, at, "position")
        at += len(chunk.data)


@test
def all_events_arrive():
    tracer = Tracer()
    with Ring(capacity=65536 + 96, pid=tracer.pid) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        for first in range(0, 20000, 500):
            true(ring.put(events(first, 500)), "no room")
        ring.detach()
        tracer.kill()
        equal(it.end(), (0, ""), "end")
        equal(numbers(receiver.data(0)), list(range(20000)), "events")
        positions_are_whole(receiver)
        equal((ring.tail, receiver.errors, receiver.ended), (ring.head, [], 1), "end")
        greeting = receiver.greetings[0]
        equal((greeting.load_bias, greeting.t0_ns, greeting.t0_ticks, greeting.hook_ns, greeting.flags & ~4),
              (0x1000, ring.t0, ring.t0, 17, 0), "greeting")
        equal(receiver.texts, ["device %s\nring %s\npid %d\n" % (socket.gethostname(), ring.name, tracer.pid)], "text")
        equal(receiver.data(3).decode(), ring.text, "process text")
        true(not ring.is_there(), "the ring is still there")


@test
def an_old_receiver_is_served():
    with Ring() as ring, Receiver(version=2) as receiver, Client(ring.name, receiver.port, "--protocol", "2") as it:
        ring.put(events(0, 3000))
        ring.drop(7)
        ring.put(events(3000, 3000))
        ring.detach()
        equal(it.end(), (0, ""), "end")
        equal(numbers(receiver.data(0)), list(range(6000)), "events")
        equal((int.from_bytes(receiver.data(1), sys.byteorder), receiver.errors), (7, []), "drops")


@test
def without_zstd_frames_are_of_raw_blocks():
    for count in (1, 4095, 4096, 4097, 16000):
        with Ring() as ring, Receiver() as receiver:
            ring.put(events(0, count))
            ring.detach()
            with Client(ring.name, receiver.port, flags=("-DCALLSIGHT_NO_ZSTD",)) as it:
                equal(it.end(), (0, ""), "end")
            equal((numbers(receiver.data(0)), receiver.errors), (list(range(count)), []), "events")


@test
def it_waits_for_the_tracer():
    ring = Ring(there=False)
    with Receiver() as receiver, Client(ring.name, receiver.port) as it, ring:
        time.sleep(0.3)
        equal(it.process.poll(), None, "it runs")
        ring.make()
        ring.put(events(0, 10))
        ring.detach()
        equal(it.end(), (0, WAITING % ring.name), "end")
        equal(numbers(receiver.data(0)), list(range(10)), "events")


@test
def a_ring_that_is_being_made_is_waited_for():
    ring = Ring(magic=bytes(8))
    with Receiver() as receiver, Client(ring.name, receiver.port) as it, ring:
        time.sleep(0.3)
        ring.map[:8] = b"TKSHM\0\0\0"
        ring.put(events(0, 10))
        ring.detach()
        equal(it.end()[0], 0, "end")
        equal(numbers(receiver.data(0)), list(range(10)), "events")


@test
def a_ring_that_was_drained_is_none():
    with Ring() as old, Receiver() as receiver:
        old.put(events(0, 10))
        old.set(32, "Q", old.head)
        old.detach()
        with Client(old.name, receiver.port) as it:
            time.sleep(0.4)
            equal((it.process.poll(), len(receiver.clients)), (None, 0), "it waits")
            os.unlink(FOLDER + old.name)
            with Ring(name=old.name) as ring:
                ring.put(events(50, 10))
                ring.detach()
                equal(it.end()[0], 0, "end")
        equal(numbers(receiver.data(0)), list(range(50, 60)), "events")


@test
def each_ring_has_a_connection():
    with Ring() as first, Receiver() as receiver, Client(first.name, receiver.port) as it:
        first.put(events(0, 100))
        until(lambda: len(receiver.data(0)) == 3200, what="the first ring")
        with Ring(name=first.name + ".77") as second, Ring(name=first.name + "x") as other:
            second.put(events(500, 100))
            until(lambda: len(receiver.data(0)) == 6400, what="the second ring")
            first.detach()
            time.sleep(0.3)
            equal(it.process.poll(), None, "it goes on")
            second.put(events(600, 100))
            second.detach()
            equal(it.end()[0], 0, "end")
            equal(len(receiver.clients), 2, "connections")
            by = sorted(numbers(receiver.data(0, connection=c)) for c in (0, 1))
            equal(by, [list(range(100)), list(range(500, 700))], "events")
            true(other.is_there() and other.tail == 0, "another ring was touched")


@test
def what_is_no_ring_is_refused():
    wrong = [
        (dict(magic=b"MLTRACE\0"), "this shared memory is no ring of a traced program"),
        (dict(version=3), "this ring has a version that isn't known here"),
        (dict(version=0x02000000), "this ring has another byte order"),
        (dict(size=96 + (1 << 20) - 32), "the size of this ring isn't what its header says"),
        (dict(size=96 + (1 << 20) + 32), "the size of this ring isn't what its header says"),
        (dict(capacity=0, size=128), "the size of this ring isn't what its header says"),
    ]
    running = []
    with Receiver() as receiver:
        for options, why in wrong:
            ring = Ring(**options)
            running.append((ring, why, Client(ring.name, receiver.port)))
        for ring, why, it in running:
            with ring, it:
                status, said = it.end()
                equal((status, said.replace(WAITING % ring.name, "")), (2, "trace_stream: /%s: %s\n" % (ring.name, why)), why)
        equal(receiver.clients, [], "connections")


@test
def a_link_or_anothers_ring_is_refused():
    with Ring() as ring, Receiver() as receiver:
        os.symlink(FOLDER + ring.name, FOLDER + ring.name + "-link")
        try:
            with Client(ring.name + "-link", receiver.port) as it:
                status, said = it.end()
                true(status == 2 and "can't be opened" in said, said)
        finally:
            os.unlink(FOLDER + ring.name + "-link")
        if os.geteuid() == 0:
            os.chown(FOLDER + ring.name, 65534, 65534)
            with Client(ring.name, receiver.port) as it:
                status, said = it.end()
                true(status == 2 and "belongs to another user" in said, said)


@test
def a_damaged_ring_ends_it():
    with Ring() as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 10))
        until(lambda: ring.tail == 320, what="events")
        ring.set(24, "Q", ring.head + ring.capacity + 32)
        equal(it.end(), (2, "trace_stream: /%s: the ring is damaged: it is fuller than it is large\n" % ring.name), "end")
    with Ring() as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 10))
        until(lambda: ring.tail == 320, what="events")
        os.truncate(FOLDER + ring.name, 0)
        equal(it.end(), (2, "trace_stream: the ring was cut short while it was read\n"), "end")


@test
def the_header_counts_as_it_was():
    with Ring(capacity=4096) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 10))
        until(lambda: ring.tail == 320, what="events")
        ring.set(12, "I", 1 << 30)
        for first in range(10, 1010, 100):
            ring.put(events(first, 100))
        ring.detach()
        equal(it.end()[0], 0, "end")
        equal(numbers(receiver.data(0)), list(range(1010)), "events")


@test
def a_signal_ends_it_and_what_was_read_is_sent():
    for number in (signal.SIGTERM, signal.SIGINT):
        with Ring() as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
            ring.put(events(0, 5000))
            until(lambda: ring.tail, what="events")
            equal(it.stop(number), (0, ""), "end")
            equal((len(receiver.data(0)), receiver.ended), (ring.tail, 1), "what was read")
            true(ring.is_there(), "the ring is gone")
    with Receiver() as receiver, Client("callsight-test-none", receiver.port) as it:
        until(lambda: it.process.stderr.readline(), what="that it waits")
        equal(it.stop(), (0, ""), "end")


@test
def commands_that_are_wrong():
    for arguments, why in (
            ((), "not enough words: NAME, HOST and PORT are needed"),
            (("/a", "h"), "not enough words: NAME, HOST and PORT are needed"),
            (("/a", "h", "1", "2"), "2: is one argument too many"),
            (("/a/b", "h", "1"), "a/b: is no name of shared memory, such as /callsight0"),
            (("/..", "h", "1"), "..: is no name of shared memory, such as /callsight0"),
            (("", "h", "1"), ": is no name of shared memory, such as /callsight0"),
            (("/a", "h", "0"), "0: is no port, which is a number from 1 to 65535"),
            (("/a", "h", "65536"), "65536: is no port, which is a number from 1 to 65535"),
            (("/a", "h", "http"), "http: is no port, which is a number from 1 to 65535"),
            (("/a", "auto"), "auto: looking for a receiver in the network isn't done yet: name its host and port"),
            (("/a", "h", "auto"), "auto: looking for a receiver in the network isn't done yet: name its host and port"),
            (("/a", "h", "1", "--key", "x"), "--key: there is no such option"),
            (("/a", "h", "1", "--spool"), "--spool: needs a value"),
            (("/a", "h", "1", "--spool-mb=5"), "--spool-mb: says how large the file of --spool may be"),
            (("/a", "h", "1", "--spool=x", "--spool-mb=0"), "--spool-mb: takes a number of MiB from 1 on"),
            (("/a", "h", "1", "--protocol=4"), "--protocol: is 2 or 3")):
        result = run(program(), *arguments)
        equal((result.returncode, result.stderr), (2, "trace_stream: %s (see trace_stream --help)\n" % why), why)
    true("--key-file FILE" in run(program(), "--help", check=0).stdout, "help")
    true(run(program(), "--version", check=0).stdout.startswith("trace_stream "), "version")


if __name__ == "__main__":
    main()
