# SPDX-License-Identifier: MIT
"""A ring in shared memory, read as a client does: written from the format's description."""

import collections
import ctypes
import glob
import mmap
import os
import shutil
import struct
import subprocess
import tempfile
import threading
import time

import unpack
from tap import equal, run, true
from traces import ENTER, FORMAT, MARKER, Event, new_tuple, read_process

SHM = "/dev/shm/"
HEAD = "8sIIIIQQQIIQQQQQ"
PACKED = 16
NOWHERE = 1 << 62
Header = collections.namedtuple("Header", "magic version capacity writers lock head tail dropped flags pad "
                                "load_bias tick_hz t0_ticks t0_ns hook_ns")
_count = 0


class Place:
    """A name for rings, and a folder; both are gone with it."""

    def __enter__(self):
        global _count
        _count += 1
        self.name = "callsight-test-%d-%d" % (os.getpid(), _count)
        self.folder = tempfile.mkdtemp(prefix="callsight-test-")
        return self

    def __exit__(self, *unused):
        for path in glob.glob(SHM + self.name + "*"):
            os.unlink(path)
        shutil.rmtree(self.folder, ignore_errors=True)

    def environ(self, env=None):
        """What a program is to be started with."""
        return dict({"TRACE_ENABLE": "1", "TRACE_SHM": "/" + self.name, "TRACE_DIR": self.folder + "/traces",
                     "TRACE_FORMAT": FORMAT}, **(env or {}))

    def run(self, program, *args, env=None, check=0, runner=()):
        return run(*runner, program, *args, env=self.environ(env), check=check, cwd=self.folder)

    def left(self):
        """What lies in shared memory, without the name."""
        return sorted(path[len(SHM + self.name):] for path in glob.glob(SHM + self.name + "*"))


class Ring:
    """A mapped ring."""

    def __init__(self, name):
        self.name, self.path = name, SHM + name
        with open(self.path, "r+b") as file:
            info = os.fstat(file.fileno())
            self.map = mmap.mmap(file.fileno(), info.st_size)
        self.inode = info.st_ino
        self.taken = b""
        equal(info.st_mode & 0o7777, 0o600, "mode of a ring")
        head = self.header()
        equal((head.magic, head.version, head.pad), (b"TKSHM\0\0\0", 2, 0), "header")
        equal(head.capacity + 96, info.st_size, "size")
        self.capacity = head.capacity
        self.packed = bool(head.flags & PACKED)

    def header(self):
        return Header(*struct.unpack("<" + HEAD, self.map[:96]))

    def word(self, offset, value=None, size=4):
        """A field, or its new value, in one access."""
        kind = {4: ctypes.c_uint32, 8: ctypes.c_uint64}[size]
        field = kind.from_buffer(self.map, offset)
        if value is not None:
            field.value = value
        return field.value

    def take(self):
        """Takes what is there, in one piece."""
        head, tail = self.word(24, size=8), self.word(32, size=8)
        true(tail <= head <= tail + self.capacity, "head %d, tail %d" % (head, tail))
        while tail < head:
            place = tail % self.capacity
            size = min(head - tail, self.capacity - place)
            self.taken += self.map[96 + place:96 + place + size]
            tail += size
        self.word(32, tail, 8)

    def events(self):
        """All records that were taken so far, in the order of the ring."""
        if not self.packed:
            equal(len(self.taken) % 32, 0, "half a record")
            return [new_tuple(Event, fields) for fields in struct.iter_unpack("<QQQIB3s", self.taken)]
        found = []
        blocks, end = unpack.blocks(self.taken, 0, "<", self.path)
        equal(end, len(self.taken), "half a block")
        for block in blocks:
            equal(block.first_site, 1, block.where + ": stands alone")
            found += block.decode([], Event)
        return found

    def process(self):
        """The text beside it: one section."""
        with open(self.path + ".process", "rb") as file:
            data = file.read()
        (size,) = struct.unpack("<Q", data[:8])
        true(8 + size <= len(data), "length of the text")
        with tempfile.NamedTemporaryFile() as copy:
            copy.write(data[8:8 + size])
            copy.flush()
            (section,) = read_process(copy.name)
        equal(int(section.fields["start-monotonic-ns"]), self.header().t0_ns, "start")
        return section

    def tails(self):
        """What the threads' buffers hold that is not in the ring: tid → records."""
        head, found = self.header(), {}
        for path in glob.glob(glob.escape(self.path) + ".*"):
            tid = path[len(self.path) + 1:]
            with open(path, "rb") as file:
                data = file.read()
            if not tid.isdigit() or data[:8] != b"MLTRACE\0":
                continue
            version, size, header, flags = struct.unpack("<IIII", data[8:24])
            if struct.unpack("<QQ", data[40:56]) != (head.t0_ticks, head.t0_ns):
                continue  # of a process that had the name before
            equal((version, size), (3, 2) if self.packed else (2, 32), path + ": version")
            _seq, capacity, offset, used, _ticks, _ns, _generation, zero = struct.unpack("<IIQQQQII", data[80:128])
            true(header == 128 and zero == 0 and used <= capacity and flags & 1 == head.flags & 1, path + ": header")
            true(offset == NOWHERE or offset <= head.head, path + ": offset")
            if offset < head.head:
                found[int(tid)] = []
            elif self.packed:
                block = unpack.Block(data, 128, "<", path, (used, capacity)) if used > 64 else None
                found[int(tid)] = block.decode([], Event) if block else []
            else:
                found[int(tid)] = [Event(*fields) for fields in struct.iter_unpack("<QQQIB3s", data[128:128 + used])]
        return found


def threads(events):
    """tid → its records, in their order; time never runs back."""
    found = {}
    for event in events:
        found.setdefault(event.tid, []).append(event)
    for tid, records in found.items():
        times = [event.ts for event in records if event.kind != MARKER or event.func != 6]
        equal(times, sorted(times), "times of thread %d" % tid)
    return found


def calls(records):
    return [event for event in records if event.kind != MARKER]


def markers(records, code):
    return [event for event in records if event.kind == MARKER and event.func == code]


def counts(records, names):
    """function → calls; checks that all nest."""
    stack = []
    for event in calls(records):
        if event.kind == ENTER:
            stack.append(event.func)
        else:
            true(stack and stack.pop() == event.func, "an exit that is not the innermost call's")
    equal(stack, [], "open calls")
    return collections.Counter(names[event.func] for event in calls(records) if event.kind == ENTER)


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


def wait_for(happens, what, seconds=60):
    until = time.monotonic() + seconds
    while not happens():
        true(time.monotonic() < until, "in vain: " + what)
        time.sleep(0.002)


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
