# SPDX-License-Identifier: MIT
"""A ring in shared memory as a traced program writes it, from the format's description."""

import mmap
import os
import struct
import subprocess
import time

FOLDER = "/dev/shm/"
HEADER = struct.Struct("=8sIIIIQQQIIQQQQQ")
EVENT = struct.Struct("=QQQIB3x")
PACKED = 0x10
TICKS = 1
NOWHERE = 1 << 62
_count = 0


def event(number, tid=1, kind=0):
    return EVENT.pack(number, 0x400000 + number, 0x500000 + number, tid, kind)


def events(first, count, tid=1):
    return b"".join(event(number, tid) for number in range(first, first + count))


def numbers(data):
    """What events() was given, of whole events."""
    return [e[0] for e in EVENT.iter_unpack(data)]


class Tracer:
    """A process that does nothing, in whose name rings are written."""

    def __init__(self):
        self.process = subprocess.Popen(["sleep", "120"])
        self.pid = self.process.pid

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


class Ring:
    def __init__(self, capacity=1 << 20, name=None, pid=None, flags=0, version=2, magic=b"TKSHM\0\0\0", size=None,
                 there=True):
        global _count
        _count += 1
        self.name = name or "callsight-test-%d-%d" % (os.getpid(), _count)
        self.pid, self.capacity = pid, capacity
        self.head, self.dropped, self.t0 = 0, 0, time.monotonic_ns()
        self.flags, self.version, self.magic, self.size = flags, version, magic, size
        self.tails = []
        self.map = None
        if there:
            self.make()

    def make(self):
        if self.pid:
            self.write_text("CALLSIGHT-PROCESS 1\npid %d\nparent 1\n" % self.pid)
        fd = os.open(FOLDER + self.name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        size = HEADER.size + self.capacity if self.size is None else self.size
        os.ftruncate(fd, size)
        if size >= HEADER.size:
            self.map = mmap.mmap(fd, size)
            self.map[8:HEADER.size] = HEADER.pack(self.magic, self.version, self.capacity, 1, 0, 0, 0, 0, self.flags, 0,
                                                  0x1000, 0, self.t0, self.t0, 17)[8:]
            self.map[:8] = self.magic
        self.inode = os.fstat(fd).st_ino
        os.close(fd)

    def write_text(self, text, name=None):
        self.text = getattr(self, "text", "") + text
        path = FOLDER + (name or self.name) + ".process"
        data = self.text.encode()
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            file.seek(8)
            file.write(data)
            file.flush()
            file.seek(0)
            file.write(struct.pack("=Q", len(data)))

    def get(self, offset, kind):
        return struct.unpack_from("=" + kind, self.map, offset)[0]

    def set(self, offset, kind, value):
        struct.pack_into("=" + kind, self.map, offset, value)

    @property
    def tail(self):
        return self.get(32, "Q")

    def room(self):
        return self.capacity - (self.head - self.tail)

    def put(self, data, wait=10):
        """A batch, as soon as there is room; False: there was none in that time."""
        until = time.monotonic() + wait
        while self.room() < len(data):
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        place = self.head % self.capacity
        first = min(len(data), self.capacity - place)
        self.map[HEADER.size + place:HEADER.size + place + first] = data[:first]
        self.map[HEADER.size:HEADER.size + len(data) - first] = data[first:]
        self.head += len(data)
        self.set(24, "Q", self.head)
        return True

    def drop(self, count):
        self.dropped += count
        self.set(40, "Q", self.dropped)

    def detach(self):
        self.set(16, "I", 0)

    def buffer(self, tid, used, offset=NOWHERE, anchor=(0, 0), version=2, capacity=8192, t0=None, definitions=b"",
               pid=None):
        """A thread's buffer; `used` is what it holds."""
        head = struct.pack("=8sIIIIQQQQQIIQ", b"MLTRACE\0", version, 32 if version == 2 else 2, 128, self.flags & TICKS,
                           0x1000, 0, t0 or self.t0, t0 or self.t0, 17, pid or self.pid or 0, 0, 1)
        head += struct.pack("=IIQQQQII", 0, capacity, offset, len(used), anchor[0], anchor[1], 2, 0)
        path = FOLDER + "%s.%d" % (self.name, tid)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(head + used + bytes(capacity - len(used) - len(definitions)) + definitions)
        self.tails.append(path)
        return path

    def is_there(self):
        try:
            return os.stat(FOLDER + self.name).st_ino == self.inode
        except FileNotFoundError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for path in [FOLDER + self.name, FOLDER + self.name + ".process"] + self.tails:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass
