# SPDX-License-Identifier: MIT
"""What travels: packed blocks, texts, drops; how soon, and how small."""

import os
import struct
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client
from receiver import Receiver, until
from rings import FOLDER, PACKED, Ring, Tracer, events, numbers
from tap import equal, main, test, true


def block(number, size=4096, header=64, magic=b"CSBLOCK\0"):
    """What looks like a block of packed events."""
    head = struct.pack("=8sIIIIIIQQIIII", magic, header, size, 1, 1, 7, 0, number, number, 1, 0, 0, 0)
    return head + bytes((number * 7 + i) % 251 for i in range(size - len(head)))


@test
def packed_blocks_travel_whole():
    sizes = [64, 66, 1000, 70002, 4096, 262144, 262144, 262142, 130] * 3
    blocks = [block(number, size) for number, size in enumerate(sizes)]
    with Ring(capacity=(1 << 20) + 34, flags=PACKED) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        for one in blocks:
            true(ring.put(one), "no room")
        ring.detach()
        equal(it.end(), (0, ""), "end")
        equal(receiver.errors, [], "errors")
        at, left = 0, list(blocks)
        for chunk in receiver.of(4, 5):
            equal(chunk.position, at, "position")
            at += len(chunk.data)
            data = chunk.data
            while data:
                one = left.pop(0)
                true(data.startswith(one), "a chunk isn't of whole blocks")
                data = data[len(one):]
        equal(left, [], "left")
        equal(receiver.greetings[0].flags & 0x10, 0, "flags")


@test
def packed_blocks_take_version_3():
    with Ring(flags=PACKED) as ring, Receiver(version=2) as receiver, Client(ring.name, receiver.port, "--protocol=2") as it:
        status, said = it.end()
        true(status == 2 and "version 2 of the protocol can't carry" in said and said.count("\n") == 1, said)
        equal(receiver.clients, [], "connections")


@test
def what_is_no_block_is_passed_over():
    for wrong in (bytes(4096), block(1, magic=b"CSBLOCK!"), block(1)[:8] + struct.pack("=II", 0, 4096) + block(1)[16:],
                  block(1)[:8] + struct.pack("=II", 64, 63) + block(1)[16:],
                  block(1)[:8] + struct.pack("=II", 64, 0) + block(1)[16:],
                  block(1)[:8] + struct.pack("=II", 64, 4098) + block(1)[16:],
                  block(1)[:8] + struct.pack("=II", 64, 0xFFFFFFFE) + block(1)[16:]):
        with Ring(flags=PACKED) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
            ring.put(block(0))
            until(lambda: ring.tail == 4096, what="the first block")
            ring.put(wrong)
            until(lambda: ring.tail == 8192, what="the wrong one")
            ring.put(block(2))
            ring.detach()
            equal(it.end(), (0, "trace_stream: /%s: 4096 bytes of the ring are no records and were passed over\n" % ring.name), "end")
            equal([(c.position, c.data) for c in receiver.of(4, 5)], [(0, block(0)), (8192, block(2))], "blocks")


@test
def drops_are_told_where_they_were():
    with Ring() as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 10))
        until(lambda: receiver.of(0), what="events")
        equal(receiver.of(1), [], "no drops")
        ring.drop(5)
        until(lambda: receiver.of(1), what="drops")
        ring.put(events(10, 10))
        ring.drop(3)
        ring.detach()
        equal(it.end()[0], 0, "end")
        equal([int.from_bytes(c.data, sys.byteorder) for c in receiver.of(1)], [5, 8], "drops")


@test
def the_process_text_is_told_as_it_grows():
    tracer = Tracer()
    with Ring(pid=tracer.pid) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 10))
        until(lambda: receiver.of(0), what="events")
        equal([c.type for c in receiver.chunks], [3, 0], "the text comes first")
        half = "module 1 2 3 4 - /lib/a b"
        ring.write_text("thread 5 0 worker\n" + half)
        until(lambda: len(receiver.of(3)) == 2, what="more of the text")
        true(receiver.data(3).endswith(b"worker\n"), "half a line")
        ring.write_text(".so\n" + "".join("module 1 2 3 4 - /lib/%s\n" % ("x" * (i % 9000)) for i in range(200)))
        tracer.kill()
        equal(it.end()[0], 0, "end")
        equal(receiver.data(3).decode(), ring.text, "text")
        true(max(len(c.data) for c in receiver.of(3)) <= 1 << 20, "parts")


@test
def few_events_arrive_soon():
    with Ring() as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 1))
        until(lambda: ring.tail == ring.head, what="the first one")
        late = []
        for number in range(1, 12):
            time.sleep(0.15)
            began = time.monotonic()
            ring.put(events(number, 1))
            until(lambda n=number: len(numbers(receiver.data(0))) > n, what="event %d" % number)
            late.append(time.monotonic() - began)
        # The machine may be busy, so not the worst of them.
        true(sorted(late)[len(late) // 2] < 0.2, late)
        ring.detach()
        equal(it.end()[0], 0, "end")


@test
def many_events_travel_in_few_chunks():
    with Ring(capacity=8 << 20) as ring, Receiver() as receiver:
        ring.put(b"".join(events(i, 1000) for i in range(0, 200000, 1000)))
        ring.detach()
        with Client(ring.name, receiver.port) as it:
            equal(it.end()[0], 0, "end")
        equal(len(receiver.data(0)), 6400000, "events")
        true(len(receiver.of(0)) < 30, "%d chunks" % len(receiver.of(0)))
        true(sum(c.stored for c in receiver.of(0)) < 6400000 / 3, "they are not compressed")


@test
def a_full_ring_is_packed_less():
    blocks = [block(number, 65536) for number in range(15)]
    for fill in (15, 3):
        with Ring(capacity=1 << 20, flags=PACKED) as ring, Receiver() as receiver:
            for one in blocks[:fill]:
                ring.put(one)
            ring.detach()
            with Client(ring.name, receiver.port) as it:
                equal(it.end()[0], 0, "end")
            equal(receiver.data(4, 5), b"".join(blocks[:fill]), "blocks")
            first = receiver.of(4, 5)[0]
            equal(first.type, 5 if fill == 15 else 4, "type of the first chunk with %d blocks" % fill)
            true(receiver.of(4, 5)[-1].type == 4, "the last one")


def under_the_lock(ring, receiver, hold, *options):
    with Client(ring.name, receiver.port, *options, flags=("-DCALLSIGHT_STREAM_LOCKED",)) as it:
        ring.put(events(0, 100))
        until(lambda: ring.tail == ring.head, what="events")
        # The test can't compare and swap, so the client may be on its way: until it stays.
        until(lambda: (ring.set(20, "I", hold), time.sleep(0.002), ring.get(20, "I") == hold)[2], what="the lock")
        began = time.monotonic()
        ring.put(events(100, 100))
        until(lambda: ring.tail == ring.head, what="more events")
        took = time.monotonic() - began
        ring.detach()
        equal(it.end()[0], 0, "end")
    equal(numbers(receiver.data(0)), list(range(200)), "events")
    equal(ring.get(20, "I") in (0, it.process.pid) or not ring.is_there(), True, "the lock")
    return took


@test
def without_8_byte_atomics_there_is_a_lock():
    with Ring() as ring, Receiver() as receiver:
        ring.put(events(0, 3000))
        ring.detach()
        with Client(ring.name, receiver.port, flags=("-DCALLSIGHT_STREAM_LOCKED",)) as it:
            equal(it.end(), (0, ""), "end")
        equal(numbers(receiver.data(0)), list(range(3000)), "events")
    holder = Tracer()
    with Ring() as ring, Receiver() as receiver:
        took = under_the_lock(ring, receiver, holder.pid)
        true(took > 0.8, "it was taken from who may need it: %.3f" % took)
    holder.kill()
    with Ring() as ring, Receiver() as receiver:
        took = under_the_lock(ring, receiver, holder.pid)
        true(took < 0.8, "it was waited for the dead: %.3f" % took)


@test
def a_busy_ring_loses_nothing_that_it_took():
    ring = Ring(capacity=256 << 10)
    with ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        def write(first, out):
            for start in range(first, first + 100000, 250):
                if not ring.put(events(start, 250), wait=0.001):
                    ring.drop(250)
                else:
                    out.append(start)
        kept = []
        thread = threading.Thread(target=write, args=(0, kept))
        thread.start()
        thread.join()
        ring.detach()
        equal(it.end()[0], 0, "end")
        equal(numbers(receiver.data(0)), [n for start in kept for n in range(start, start + 250)], "events")
        told = [int.from_bytes(c.data, sys.byteorder) for c in receiver.of(1)]
        equal(told[-1] if told else 0, ring.dropped, "drops")


if __name__ == "__main__":
    main()
