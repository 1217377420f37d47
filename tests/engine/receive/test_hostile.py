# SPDX-License-Identifier: MIT
"""Whatever is sent to a port, the one who sent it is turned away in one line, and others are served all the while."""

import contextlib
import os
import random
import resource
import shutil
import socket
import struct
import threading
import time

import recordings as rec
import tap
from streams import DROPS, EVENTS, PACKED, PROCESS, STORED, Device, Receiver, block_of, calls, check_calls, chunk, frame, hello, squeezed
from tap import Folder, Skip, equal, main, run, test, true


class Busy:
    """Another device that sends all the while; at the end all of it must be there, and none came late."""

    def __init__(self, receiver, name=b"busy", pause=0.005):
        self.receiver, self.name, self.pause = receiver, name, pause
        self.n, self.worst, self.ending, self.failed = 0, 0, False, None

    def __enter__(self):
        self.device = Device(self.receiver, text=b"device %s\npid 1\n" % self.name)
        self.thread = threading.Thread(target=self.work)
        self.thread.start()
        return self

    def work(self):
        try:
            while not self.ending:
                began = time.monotonic()
                self.device.events(calls(50, start=1000 + 10000 * self.n))
                self.worst = max(self.worst, time.monotonic() - began)
                self.n += 1
                time.sleep(self.pause)
            self.device.close()
        except Exception as error:
            self.failed = error

    def __exit__(self, kind, *unused):
        self.ending = True
        self.thread.join(60)
        if kind is None:
            equal(self.failed, None, "the other device")
            true(self.n > 0 and self.worst < 5, "sent %d times, waited %.1f s" % (self.n, self.worst))
            path, = [p for p in self.receiver.folders() if p.endswith("-" + self.name.decode())]
            check_calls(path, {0x1000: 50 * self.n, 0x1100: 50 * self.n}, 1)


def say(receiver, data, shut=False):
    """Somebody who says this; whether he is turned away."""
    with socket.create_connection(("127.0.0.1", receiver.port), timeout=20) as one:
        try:
            one.sendall(data)
            if shut:
                one.shutdown(socket.SHUT_WR)
            while one.recv(4096):
                pass
        except socket.timeout:
            return False
        except OSError:
            pass  # it was faster
        return True


@test
def what_is_no_stream_is_refused_at_once():
    cases = [
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "an HTTP request"),
        (b"POST / HTTP/1.1\r\n", "an HTTP request"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(80), "a TLS handshake"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "an SSH client"),
        (b"\0", "something else"),
        (bytes(range(256)) * 64, "something else"),
        (hello(magic=b"TKSTREAN"), "something else"),
        (hello(version=1), "version 2 or 3, this was version 1"),
        (hello(version=4), "version 2 or 3, this was version 4"),
        (hello(version=0), "version 2 or 3, this was version 0"),
        (hello(event_size=31), "events have 32 bytes, these would have 31"),
        (hello(order=">", event_size=64), "events have 32 bytes, these would have 64"),
        (hello(version=3) + bytes(32) + struct.pack("<I", 4097), "at most 4096 bytes, this one 4097"),
        (hello(version=3) + bytes(32) + struct.pack("<I", 0xFFFFFFFF), "at most 4096 bytes, this one 4294967295"),
    ]
    with Folder() as folder, Receiver(folder) as receiver:
        with Busy(receiver):
            for data, rule in cases:
                first = len(receiver.lines)
                true(say(receiver, data), rule)
                receiver.wait(r"^! 127\.0\.0\.1:\d+: refused: .*" + rule, first=first)
        equal(receiver.count("refused"), len(cases), "one line each")
        equal(len(receiver.folders()), 1, "nothing is written for them")
        receiver.stop()


@test
def half_a_handshake():
    with Folder() as folder, Receiver(folder) as receiver:
        with Busy(receiver):
            whole = hello(version=3) + bytes(32) + struct.pack("<I", 20) + b"device half\npid 1234"
            for n in (0, 1, 7, 8, 63, 64, 95, 100, 119):
                first = len(receiver.lines)
                true(say(receiver, whole[:n], shut=True), n)
                receiver.wait("went away in the handshake", first=first)
            true(say(receiver, hello()[:40], shut=True), "version 2")
        receiver.stop()


def broken_chunks():
    """(bytes of a chunk, the rule that it breaks), for a device of version 3 at position 0."""
    def at(raw, position=0):
        return struct.pack("<Q", position) + raw

    some = at(rec.event(0, 1, 0x1000) * 10)
    whole = squeezed(some)
    block = block_of(calls(5)).data()
    chain = bytearray(block)
    chain[48:52] = struct.pack("<I", 2)
    bomb = squeezed(bytes(8 << 20))
    cases = [
        (struct.pack("<3I", 2, 8, 8), "no chunks of type 2"),
        (struct.pack("<3I", 6, 8, 8), "no chunks of type 6"),
        (struct.pack("<3I", 0xFFFFFFFF, 8, 8), "no chunks of type 4294967295"),
        (struct.pack("<3I", 0, (8 << 20) + 8, 100), "at most 8388608 bytes, this one would have 8388616"),
        (struct.pack("<3I", 0, 0xFFFFFFE8, 100), "at most 8388608 bytes"),
        (struct.pack("<3I", 0, 8 + 320, 0xFFFFFFFF), "take at most"),
        (struct.pack("<3I", 0, 8 + 320, 2000), "328 bytes take at most"),
        (struct.pack("<3I", 0, 0, 20), "events have 32 bytes each"),
        (struct.pack("<3I", 0, 8 + 33, 20), "events have 32 bytes each"),
        (struct.pack("<3I", 1, 16, 20), "a number of dropped events has 8 bytes, this one 16"),
        (struct.pack("<3I", 3, (1 << 20) + 1, 20), "process text comes in at most"),
        (struct.pack("<3I", 5, 328, 327), "a stored chunk travels as it is"),
        (struct.pack("<3I", 4, 9, 20), "an even number of bytes"),
        (struct.pack("<3I", 4, 6, 20), "blocks have a position"),
        (chunk(EVENTS, some, stored=b""), "doesn't begin as such"),
        (chunk(EVENTS, some, stored=b"\x50\x2a\x4d\x18\x04\0\0\0abcd"), "doesn't begin as such"),  # a skippable frame
        (chunk(EVENTS, some, stored=whole + whole), "is one zstd frame, behind"),
        (chunk(EVENTS, some, stored=frame(some[:8]) + frame(some[8:])), "is one zstd frame, behind"),
        (chunk(EVENTS, some, stored=whole + b"\0"), "is one zstd frame, behind"),
        (chunk(EVENTS, some, stored=whole[:-1]), "damaged or cut off"),
        (chunk(EVENTS, some, stored=whole[:10]), "damaged or cut off"),
        (chunk(EVENTS, some, stored=frame(some)[:200]), "damaged or cut off"),
        (chunk(EVENTS, some, stored=frame(some[:-32])), "says otherwise"),
        (chunk(EVENTS, some, stored=bomb), "take at most|says otherwise|can't be unpacked to 328 bytes"),
        (chunk(EVENTS, bytes(8 + 32 * 100), stored=bomb), "can't be unpacked to 3208 bytes"),
        (chunk(PACKED, at(block[:-2])), "whole blocks"),
        (chunk(PACKED, at(block + b"\0\0")), "whole blocks"),
        (chunk(STORED, at(b"X" + block[1:])), "whole blocks"),
        (chunk(STORED, at(bytes(64))), "whole blocks"),
        (chunk(STORED, at(bytes(chain))), "each block stands alone"),
        (chunk(EVENTS, some) + chunk(EVENTS, some), "steps back by 320 bytes"),
        (chunk(EVENTS, at(some[8:], (1 << 64) - 1)), "beyond all numbers"),
        (chunk(EVENTS, bytes(4), stored=frame(bytes(4))), "events have 32 bytes each"),
    ]
    # a frame that doesn't tell its size and has more, or less, than the chunk says
    for n in (1, 21):
        unknown = b"\x28\xb5\x2f\xfd\x00\x58" + struct.pack("<I", (32 * n + 8) << 3 | 1)[:3] + bytes(32 * n + 8)
        cases.append((chunk(EVENTS, some, stored=unknown), "can't be unpacked to 328 bytes|said 328 bytes and had 40|take at most"))
    rle = b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(struct.pack("<I", 131072 << 3 | 2 | (i == 99))[:3] + b"\0" for i in range(100))
    cases.append((chunk(EVENTS, some, stored=rle[:300] if len(rle) > 300 else rle), "damaged|can't be unpacked|take at most"))
    cases.append((chunk(EVENTS, bytes(8 + 32 * 1000), stored=rle), "can't be unpacked"))
    spoilt = bytearray(squeezed(struct.pack("<Q", 0) + os.urandom(3200) + bytes(3200)))
    spoilt[-3] ^= 0xFF
    cases.append((chunk(EVENTS, bytes(8 + 6400), stored=bytes(spoilt)), "damaged|can't be unpacked|had"))
    return cases


@test
def each_rule_of_a_chunk():
    cases = broken_chunks()
    with Folder() as folder, Receiver(folder) as receiver:
        with Busy(receiver):
            for data, rule in cases:
                first = len(receiver.lines)
                device = Device(receiver, text=b"device bad\npid 2\n", t0_ns=0)
                device.send(data)
                true(device.is_closed(), rule)
                receiver.wait(r"^! 127\.0\.0\.1:\d+: bad was cut off: .*(" + rule + ")", first=first)
        equal(receiver.count("bad was cut off"), len(cases), "one line each")
        receiver.stop()


@test
def streams_with_wrong_bytes_anywhere():
    chance = random.Random(7)
    with Folder() as folder, Receiver(folder, "--max-mb", "1", "--handshake-ms", "3000") as receiver:
        text = b"device odd\nring r\npid 3\n"
        start = hello(3, t0_ns=0) + bytes(32) + struct.pack("<I", len(text)) + text
        events = [rec.event(*event) for event in calls(20)]
        parts = [chunk(PROCESS, b"CALLSIGHT-PROCESS 1\npid 3\nmodule 1 2 3 4 - /x\n"), chunk(DROPS, struct.pack("<Q", 4)),
                 chunk(EVENTS, struct.pack("<Q", 0) + b"".join(events)),
                 chunk(PACKED, struct.pack("<Q", 2560) + block_of(calls(20)).data()),
                 chunk(STORED, struct.pack("<Q", 9999) + block_of(calls(20)).data())]
        parts[2:3] = [parts[2], chunk(EVENTS, struct.pack("<Q", 2560), stored=squeezed(struct.pack("<Q", 2560)))]
        with Busy(receiver):
            for _ in range(300):
                data = bytearray(start + b"".join(chance.sample(parts, chance.randrange(1, len(parts) + 1))))
                for _ in range(chance.randrange(1, 8)):
                    at = min(chance.randrange(*chance.choice(((0, 130), (len(start), len(start) + 60), (len(start), 4000)))), len(data) - 1)
                    change = chance.randrange(4)
                    if change == 0:
                        data[at] ^= 1 << chance.randrange(8)
                    elif change == 1:
                        data[at:at + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\x80\0", b"\x01\0\0\0"))
                    elif change == 2:
                        del data[at:at + chance.randrange(1, 40)]
                    else:
                        data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 40)))
                    if len(data) < 16:
                        break
                true(say(receiver, bytes(data), shut=True), bytes(data))
        receiver.stop()
        for path in receiver.folders():
            run(tap.CLI, "analyze", path)  # whatever was kept can be read, or not, without a crash


@test
def a_small_number_of_files_means_fewer_connections():
    with Folder() as folder, Receiver(folder, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (104, 104))) as receiver:
        with Busy(receiver):
            many = [socket.create_connection(("127.0.0.1", receiver.port), timeout=20) for _ in range(40)]
            receiver.wait("refused: .* connections, as there are 10 already")
            for one in many:
                one.close()
        receiver.stop()


@test
def version_2_has_less():
    with Folder() as folder, Receiver(folder) as receiver:
        with Busy(receiver):
            for kind in (PROCESS, PACKED, STORED):
                device = Device(receiver, 2)
                device.chunk(kind, bytes(64))
                true(device.is_closed(), kind)
            receiver.wait("version 2 has no chunks of type 5")
        receiver.stop()


@test
def what_was_right_before_stays():
    with Folder() as folder, Receiver(folder) as receiver:
        device = Device(receiver)
        for part in range(20):
            device.events(calls(100, start=1000 + 100000 * part))
        device.send(b"\xff" * 400)
        true(device.is_closed(), "closed")
        receiver.wait("cut off: .*: 8000 events")
        check_calls(receiver.folders()[0], {0x1000: 2000, 0x1100: 2000}, 1)
        # what was cut off isn't gone on with
        again = Device(receiver)
        again.events(calls(1))
        again.close()
        equal(len(receiver.folders()), 2, "folders")
        receiver.stop()


@test
def a_connection_that_ends_inside_a_chunk():
    with Folder() as folder, Receiver(folder) as receiver:
        with Busy(receiver):
            for cut, reset in ((5, False), (12, False), (200, False), (200, True)):
                first = len(receiver.lines)
                device = Device(receiver, text=b"device cut%d%d\n" % (cut, reset))
                device.events(calls(10))
                device.send(chunk(EVENTS, device.at(rec.event(0, 1, 0x1000) * 100))[:cut])
                if reset:
                    time.sleep(0.3)
                    device.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                device.socket.close()
                receiver.wait("connection was lost: .*: 40 events" if reset else "ended inside .*: 40 events", first=first)
        for path in [p for p in receiver.folders() if "cut" in p]:
            check_calls(path, {0x1000: 10, 0x1100: 10}, 1)
        receiver.stop()


SHORT = ("--handshake-ms", "1000", "--slow-ms", "1000", "--slow-bytes", "50", "--idle-ms", "3000")


@test
def slow_and_silent_ones_are_timed_out():
    with Folder() as folder, Receiver(folder, *SHORT) as receiver:
        with Busy(receiver):
            began = time.monotonic()
            silent = socket.create_connection(("127.0.0.1", receiver.port))
            slow = socket.create_connection(("127.0.0.1", receiver.port))
            idle = Device(receiver, text=b"device idle\n")
            head = Device(receiver, text=b"device slow-head\n")
            body = Device(receiver, text=b"device slow-body\n")
            body.send(chunk(EVENTS, bytes(8 + 32 * 1000))[:5000])
            head.send(b"\0")
            data = hello()
            for i in range(40):  # a byte every 100 ms
                for one, part in ((slow, data[i:i + 1]), (head.socket, b"\0" * (i % 5 == 0)), (body.socket, b"\0")):
                    try:
                        one.sendall(part)
                    except OSError:
                        pass
                time.sleep(0.1)
            for pattern in ("handshake took longer than 1 seconds", "slow-head ended: it sent less than 50 bytes",
                            "slow-body ended: it sent less than 50 bytes", "idle ended: it had nothing to say for 3 seconds"):
                receiver.wait(pattern)
            equal(receiver.count("handshake took longer"), 2, "silent and slow")
            true(time.monotonic() - began < 20, "in time")
            for one in (silent, slow, idle.socket, head.socket, body.socket):
                one.close()
        receiver.stop()


@test
def no_more_connections_than_there_is_room_for():
    with Folder() as folder, Receiver(folder) as receiver:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        with Busy(receiver):
            many = [socket.create_connection(("127.0.0.1", receiver.port), timeout=20) for _ in range(600)]
            receiver.wait("refused: .* connections, as there are 512 already")
            closed = 0
            for one in many:
                one.setblocking(False)
            for one in many:
                try:
                    closed += one.recv(1) == b""
                except BlockingIOError:
                    pass
                except ConnectionError:
                    closed += 1
            true(80 <= closed <= 100, closed)
            for one in many:
                one.close()
            receiver.wait("went away in the handshake|refused")
            end = time.monotonic() + 20
            while time.monotonic() < end and receiver.count("went away in the handshake") < 500:
                time.sleep(0.1)
            later = Device(receiver, text=b"device later\n")
            later.events(calls(3))
            later.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        receiver.stop()


def memory_of(process):
    with open("/proc/%d/status" % process.pid, encoding="ascii") as file:
        for line in file:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) << 10
    return 0


@test
def memory_is_bounded_and_the_last_ones_get_through():
    """More devices with large chunks than there is memory for: each sends a part, then all go on."""
    with Folder() as folder, Receiver(folder, "--max-mb", "2") as receiver:
        data = chunk(EVENTS, struct.pack("<Q", 0) + b"".join(rec.event(*event) for event in calls(256)) * 135)
        devices = [Device(receiver, text=b"device big%d\npid %d\n" % (i, i + 1)) for i in range(120)]
        done = []

        def work(device):
            try:
                device.send(data[:1600000])
                time.sleep(2)
                device.send(data[1600000:-1])
                time.sleep(1)
                device.send(data[-1:])
                device.close()
                done.append(device)
            except Exception:
                pass
        threads = [threading.Thread(target=work, args=(device,)) for device in devices]
        with Busy(receiver, pause=0.1):
            for one in threads:
                one.start()
            for one in threads:
                one.join(120)
        equal(len(done), 120, "all got through")
        most = memory_of(receiver.process)
        true(most < 320 << 20, "%d MiB" % (most >> 20))
        receiver.stop()
        equal(sum("big" in line and "ended: 65405 events" in line for line in receiver.lines), 120, "\n".join(receiver.lines[-3:]))


@test
def a_full_disk_is_told_in_the_file():
    block = len(block_of(calls(1000)).data())
    # in the middle of a chunk; and just behind one, so that a marker takes the place of what is there
    for packed_, most in ((False, 500000), (True, 500000), (False, 80 + 128000), (True, 80 + block)):
        with Folder() as folder, Receiver(folder, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))) as receiver:
            with Busy(receiver, b"small", 0.2) if most == 500000 else contextlib.nullcontext():
                device = Device(receiver)
                for part in range(20):
                    events = calls(1000, start=1000 + 100000 * part)
                    if packed_:
                        device.blocks([block_of(events)])
                    else:
                        device.events(events)
                for part in range(200 if packed_ else 1):
                    device.blocks([block_of(calls(1000, start=3000000 + 100000 * part))]) if packed_ else device.events(calls(1))
                device.close()
                line = receiver.wait(r"board ended: (\d+) events .*; \d+ bytes were not written, as .*File too large")
                path, = [p for p in receiver.folders() if p.endswith("-board")]
                data = rec.report(path)
                equal(data["events"], int(line.group(1)), "events")
                true(any("stopped on a write error (File too large)" in notice for notice in data["notices"]), data["notices"])
            receiver.stop()


@test
def a_disk_without_room_is_told():
    with Folder() as folder:
        if run("mount", "-t", "tmpfs", "-o", "size=3m", "none", folder).returncode != 0:
            raise Skip("nothing can be mounted")
        try:
            for least, what in ((0, "No space left on device"), (1, "are free on the disk")):
                with Receiver(os.path.join(folder, "out%d" % least), "--min-free-mb", str(least)) as receiver:
                    device = Device(receiver)
                    for part in range(30):
                        device.events(calls(1000, start=1000 + 100000 * part))
                    device.close()
                    line = receiver.wait(r"board ended: (\d+) events .*; \d+ bytes were not written, as .*" + what)
                    data = rec.report(receiver.folders()[0])
                    equal(data["events"], int(line.group(1)), "events")
                    true(any("recording of process 4711 stopped" in notice for notice in data["notices"]), data["notices"])
                    receiver.stop()
                shutil.rmtree(os.path.join(folder, "out%d" % least))
        finally:
            run("umount", folder, check=0)


@test
def budgets_of_a_stream_and_of_all():
    for arguments, most in ((("--max-mb", "1"), 1 << 20), (("--total-mb", "1"), 1 << 20)):
        for packed_ in (False, True):
            with Folder() as folder, Receiver(folder, *arguments) as receiver:
                device = Device(receiver)
                for part in range(900 if packed_ else 15):
                    events = calls(500 if packed_ else 1000, start=1000 + 100000 * part)
                    device.blocks([block_of(events)]) if packed_ else device.events(events)
                device.close()
                line = receiver.wait(r"board ended: (\d+) events .*; \d+ bytes were not written, as the budget of 1.0\sMiB is used up")
                path, = receiver.folders()
                size = sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))
                true(most * 0.9 < size <= most, size)
                data = rec.report(path)
                equal(data["events"], int(line.group(1)), "events")
                true(any("budget of 1048576 bytes" in notice for notice in data["notices"]), data["notices"])
                equal(receiver.count("nothing more of this stream is written"), 1, "told at once")
                if arguments[0] == "--total-mb":
                    other = Device(receiver, text=b"device other\n")
                    other.events(calls(10000))
                    other.close()
                    receiver.wait("other ended: .* were not written")
                receiver.stop()


@test
def a_folder_that_is_removed():
    with Folder() as folder, Receiver(os.path.join(folder, "out")) as receiver:
        device = Device(receiver)
        device.events(calls(10))
        receiver.wait("sends to")
        time.sleep(0.3)
        shutil.rmtree(os.path.join(folder, "out"))
        for part in range(5):
            device.events(calls(10, start=10000 + 1000 * part))
            time.sleep(0.05)
        receiver.wait("the folder .* was removed: nothing more")
        device.close()
        refused = Device(receiver, shake=False)
        refused.send(refused.said)
        true(refused.is_closed(), "refused")
        receiver.wait("refused: .* can't be made: No such file")
        os.mkdir(os.path.join(folder, "out"))
        later = Device(receiver, text=b"device later\n")
        later.events(calls(10))
        later.close()
        check_calls(receiver.folders()[0], {0x1000: 10, 0x1100: 10}, 1)
        receiver.stop()


if __name__ == "__main__":
    main()
