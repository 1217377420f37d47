# SPDX-License-Identifier: MIT
"""Links that are lost, and tracers that are killed."""

import glob
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from client import Client
from receiver import Receiver, until
from rings import EVENT, FOLDER, PACKED, TICKS, Ring, Tracer, event, events, numbers
from tap import Folder, equal, main, test, true


def free_port():
    with Receiver() as receiver:
        return receiver.port


def told(said, ring):
    return [line.replace("trace_stream: /%s: " % ring.name, "") for line in said.splitlines()]


@test
def it_comes_back_where_it_was():
    with Ring() as ring, Receiver(chunks=lambda number: 4 * (number + 1)) as receiver, \
            Client(ring.name, receiver.port) as it:
        at = 0
        for number in range(16):
            ring.put(events(at, 100))
            at += 100
            until(lambda: ring.tail == ring.head, what="chunk %d" % number)
            time.sleep(0.05)
        ring.detach()
        status, said = it.end()
        equal(status, 0, "end")
        true("closed the connection" in said and "connected again" in said, said)
        equal(positions(receiver, ring.head), [], "lost")


@test
def a_receiver_that_always_goes_away_is_served_nevertheless():
    with Ring() as ring, Receiver(chunks=lambda number: 2) as receiver, Client(ring.name, receiver.port) as it:
        for number in range(3):
            ring.put(events(number * 100, 100))
            until(lambda: ring.tail == ring.head, 30, "chunk %d" % number)
        true(len(receiver.clients) > 1, "connections")
        equal(it.stop()[0], 0, "end")


def positions(receiver, head):
    """What arrived is what the positions say, and nothing came twice in another place."""
    have = set()
    for chunk in receiver.of(0):
        for index, number in enumerate(numbers(chunk.data)):
            equal(number, chunk.position // 32 + index, "event")
            have.add(number)
    return sorted(set(range(head // 32)) - have)


@test
def nothing_is_lost_while_nobody_listens():
    port = free_port()
    with Ring() as ring, Client(ring.name, port) as it:
        ring.put(events(0, 1000))
        time.sleep(0.5)
        equal(ring.tail, 0, "tail")
        with Receiver(port=port) as receiver:
            ring.put(events(1000, 1000))
            ring.detach()
            status, said = it.end()
            equal((status, told(said, ring)), (0, ["cannot connect to 127.0.0.1 port %d: Connection refused" % port,
                                                   "connected again"]), "end")
            equal(positions(receiver, ring.head), [], "lost")


@test
def a_reset_connection_loses_nothing_that_was_not_taken():
    with Ring(capacity=1 << 18) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        at = 0
        for _ in range(6):
            receiver.going.clear()
            time.sleep(0.05)
            for _ in range(10):
                ring.put(events(at, 100))
                at += 100
                time.sleep(0.01)
            receiver.break_off()
            receiver.going.set()
            time.sleep(0.15)
        ring.detach()
        equal(it.end()[0], 0, "end")
        equal(positions(receiver, ring.head), [], "lost")


@test
def it_waits_longer_each_time():
    port = free_port()
    with Ring() as ring, Client(ring.name, port) as it:
        ring.put(events(0, 10))
        time.sleep(1.6)
        tries = []
        with Receiver(port=port, answer=lambda client: tries.append(time.monotonic())) as receiver:
            time.sleep(4)
            true(1 <= len(receiver.clients) <= 4, receiver.clients)
        equal(it.stop()[0], 0, "end")
        equal(ring.tail, 0, "tail")


@test
def once_ends_when_the_connection_is_lost():
    with Ring() as ring:
        port = free_port()
        with Client(ring.name, port, "--once") as it:
            status, said = it.end()
            equal((status, told(said, ring)), (1, ["cannot connect to 127.0.0.1 port %d: Connection refused" % port]), "none")
        with Receiver(chunks=lambda number: 1) as receiver, Client(ring.name, receiver.port, "--once") as it:
            ring.put(events(0, 10))
            status, said = it.end()
            equal((status, told(said, ring)), (1, ["the receiver closed the connection"]), "lost")
        with Client(ring.name, 9, "--once", host="no.such.host.invalid") as it:
            status, said = it.end()
            true(status == 1 and said.count("\n") == 1 and "cannot find no.such.host.invalid port 9: " in said, said)


@test
def a_killed_tracers_last_events_are_drained():
    tracer = Tracer()
    with Ring(pid=tracer.pid) as ring, Receiver() as receiver, Client(ring.name, receiver.port) as it:
        ring.put(events(0, 100))
        ring.buffer(11, events(100, 50, 11))
        # Put there, but not emptied yet; not put there yet; of another run; not begun.
        ring.buffer(12, events(90, 10, 12), offset=ring.head - 320)
        ring.buffer(13, events(150, 7, 13) + b"torn", offset=ring.head)
        other = ring.buffer(14, events(900, 10, 14), t0=5)
        ring.buffer(15, b"")
        no_tail = FOLDER + ring.name + ".16"
        with open(no_tail, "wb") as file:
            file.write(bytes(8192))
        ring.tails.append(no_tail)
        until(lambda: ring.tail == ring.head, what="the ring")
        time.sleep(0.3)
        equal(it.process.poll(), None, "it runs")
        tracer.kill()
        equal(it.end(), (0, ""), "end")
        equal(sorted(numbers(receiver.data(0))), list(range(157)), "events")
        equal(receiver.of(0)[-1].position >= ring.head, True, "they are behind the ring")
        at = 0
        for chunk in receiver.of(0):
            equal(chunk.position, at, "position")
            at += len(chunk.data)
        equal(glob.glob(FOLDER + ring.name + "*") in ([other, no_tail], [no_tail, other]), True, "what is left")


@test
def an_anchor_comes_with_the_last_events():
    tracer = Tracer()
    with Ring(pid=tracer.pid, flags=TICKS) as ring, Receiver() as receiver:
        ring.put(events(0, 10))
        ring.buffer(11, events(10, 5, 11), anchor=(777, ring.t0 + 1000))
        tracer.kill()
        with Client(ring.name, receiver.port) as it:
            equal(it.end(), (0, ""), "end")
        equal(list(EVENT.iter_unpack(receiver.data(0)[320:]))[0], (777, 6, ring.t0 + 1000, 11, 2), "the anchor")
        equal(numbers(receiver.data(0)[352:]), list(range(10, 15)), "events")
        equal(receiver.greetings[0].flags & 3, TICKS, "flags")


@test
def a_large_buffer_is_drained_in_parts():
    tracer = Tracer()
    with Ring(pid=tracer.pid) as ring, Receiver(pace=0.05, chunks=lambda number: 2 * number + 2) as receiver:
        ring.buffer(11, events(0, 60000, 11), capacity=60000 * 32)
        ring.detach()
        tracer.kill()
        with Client(ring.name, receiver.port) as it:
            equal(it.end()[0], 0, "end")
        have = {n for n in numbers(receiver.data(0))}
        equal(len(have), 60000, "events")


@test
def a_killed_tracers_last_block_is_made_whole():
    words = b"".join(struct.pack("=HH", (5 + 1) << 1, 1 + i % 2) + struct.pack("=H", (3 + 1) << 1 | 1) for i in range(20))
    words += struct.pack("=H", 0xFE04) + event(9, 7, 2) + struct.pack("=HHHH", 0xFE03, 4, 0, 2)
    words += struct.pack("=HQ", 0xFE01, 5000) + struct.pack("=HI", 0xFE02, 99) + struct.pack("=HH", 4 << 1, 1)
    sites = struct.pack("=QQQQ", 0x2000, 0x2001, 0x1000, 0x1001)  # of 2, of 1
    head = struct.pack("=8sIIIIIIQQIIII", b"CSBLOCK\0", 64, 0, 0, 0, 7, 0, 1, 1000, 1, 2, 0, 0)
    for torn in (b"", struct.pack("=H", 0xFE01) + bytes(4), bytes(2)):
        for anchor in ((0, 0), (777, 1 << 62)):
            tracer = Tracer()
            with Ring(pid=tracer.pid, flags=PACKED | TICKS) as ring, Receiver() as receiver:
                ring.buffer(7, head + words + torn, version=3, anchor=anchor, definitions=sites)
                tracer.kill()
                with Client(ring.name, receiver.port) as it:
                    equal(it.end(), (0, ""), "end")
                equal(receiver.errors, [], "errors")
                check_block(receiver.data(4), len(words), anchor[0] != 0)


def check_block(data, words, anchored):
    more = 34 if anchored else 0
    equal(struct.unpack("=8sIIIII", data[:28]), (b"CSBLOCK\0", 64, len(data), 43 + anchored, 42, 7), "header")
    equal(len(data), 64 + more + words + 32, "bytes")
    body = data[64:-32]
    padded = b"".join(part + bytes(-len(part) % 32) for part in (data[:56] + bytes(4) + data[60:64], body, data[-32:]))
    equal(struct.unpack("=I", data[56:60])[0], check(padded), "check")


def check(data):
    """As the format's description has it."""
    mask, prime = (1 << 64) - 1, 0x9E3779B97F4A7C15
    turn = lambda value, by: (value << by | value >> (64 - by)) & mask
    sums = [1, 2, 3, 4]
    for at, (word,) in enumerate(struct.iter_unpack("=Q", data)):
        sums[at % 4] = turn(sums[at % 4] ^ word, 29) * prime & mask
    one = sums[0]
    for other in sums[1:]:
        one = (turn(one, 17) ^ other) * prime & mask
    return one >> 32


@test
def a_spool_bridges_a_lost_link():
    port = free_port()
    with Folder() as folder, Ring(capacity=64 << 10) as ring:
        spool = folder + "/spool"
        with Client(ring.name, port, "--spool", spool, "--spool-mb", "4") as it:
            for first in range(0, 50000, 500):
                true(ring.put(events(first, 500), wait=5), "no room")
            time.sleep(0.2)
            equal(os.listdir(folder), [], "a name is left")
            with Receiver(port=port) as receiver:
                for first in range(50000, 60000, 500):
                    true(ring.put(events(first, 500), wait=5), "no room")
                ring.detach()
                status, said = it.end()
                equal((status, told(said, ring)[1:]), (0, ["connected again"]), "end")
                equal(positions(receiver, ring.head), [], "lost")


@test
def what_a_spool_has_no_room_for_stays_and_is_counted():
    port = free_port()
    with Folder() as folder, Ring(capacity=64 << 10) as ring:
        with Client(ring.name, port, "--spool", folder + "/spool", "--spool-mb", "1", flags=("-DCALLSIGHT_NO_ZSTD",)) as it:
            kept = 0
            while ring.put(events(kept, 500), wait=1):
                kept += 500
                true(kept < 100000, "it is not bounded")
            ring.drop(500)
            true((1 << 20) * 3 // 4 < kept * 32 < (1 << 20) + (64 << 10), kept)
            with Receiver(port=port) as receiver:
                until(lambda: ring.put(events(kept, 500), wait=1), what="room")
                ring.detach()
                equal(it.end()[0], 0, "end")
                equal(numbers(receiver.data(0)), list(range(kept + 500)), "events")
                equal([struct.unpack("=Q", c.data)[0] for c in receiver.of(1)], [500], "drops")


@test
def a_spool_takes_what_a_slow_link_leaves():
    with Folder() as folder, Ring(capacity=64 << 10) as ring, Receiver(buffer=4096) as receiver:
        receiver.going.clear()
        with Client(ring.name, receiver.port, "--spool", folder + "/spool", flags=("-DCALLSIGHT_NO_ZSTD",)) as it:
            for first in range(0, 300000, 500):
                true(ring.put(events(first, 500), wait=5), "no room")
            receiver.going.set()
            ring.detach()
            equal(it.end(40), (0, ""), "end")
            equal(numbers(receiver.data(0)), list(range(300000)), "events")


@test
def spools_that_cannot_be():
    with Folder() as folder, Ring() as ring:
        os.symlink("/etc/passwd", folder + "/link")
        with open(folder + "/file", "wb"):
            pass
        for name, why in (("link", "File exists"), ("file", "File exists"), ("none/spool", "No such file or directory")):
            with Client(ring.name, 9, "--spool", folder + "/" + name) as it:
                equal(it.end(), (2, "trace_stream: %s/%s: cannot make the spool file: %s\n" % (folder, name, why)), name)


@test
def a_signal_ends_it_without_a_link():
    port = free_port()
    with Folder() as folder, Ring() as ring, Client(ring.name, port, "--spool", folder + "/spool") as it:
        ring.put(events(0, 100))
        until(lambda: ring.tail == ring.head, what="the spool")
        began = time.monotonic()
        status, said = it.stop()
        true(time.monotonic() - began < 3, "it took long")
        equal(status, 0, "end")
        true(said.endswith(" bytes in the spool were not sent\n"), said)
        true(ring.is_there(), "the ring is gone")


if __name__ == "__main__":
    main()
