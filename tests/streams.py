# SPDX-License-Identifier: MIT
"""A device's side of the wire, as docs/formats.md draws it, and a running receiver."""

import hashlib
import hmac
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import time

import packed
import recordings as rec
import tap

EVENTS, DROPS, PROCESS, PACKED, STORED = 0, 1, 3, 4, 5
T0 = 81231238123


def frame(data, block=131072):
    """A zstd frame of raw blocks, written by hand."""
    out = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    while True:
        part, data = data[:block], data[block:]
        out += struct.pack("<I", len(part) << 3 | (not data))[:3] + part
        if not data:
            return out


def squeezed(data):
    """A frame that the zstd command compressed."""
    if not shutil.which("zstd"):
        raise tap.Skip("no zstd")
    return subprocess.run(["zstd", "-q", "-c", "-1", "--no-check"], input=data, stdout=subprocess.PIPE, check=True).stdout


def chunk(kind, raw, order="<", stored=None, raw_len=None, stored_len=None):
    stored = stored if stored is not None else raw if kind == STORED else frame(raw)
    return struct.pack(order + "3I", kind, len(raw) if raw_len is None else raw_len,
                       len(stored) if stored_len is None else stored_len) + stored


def hello(version=2, order="<", magic=b"TKSTREAM", event_size=32, flags=0, load_bias=0, tick_hz=0, t0_ticks=0, t0_ns=T0, hook_ns=0):
    return struct.pack(order + "8s4I5Q", magic, version, event_size, flags, 0, load_bias, tick_hz, t0_ticks, t0_ns, hook_ns)


def prove(key, who, said):
    return hmac.new(key, who + said, hashlib.sha256).digest()


class Device:
    """A connection to a receiver that has shaken hands, unless told not to."""

    def __init__(self, receiver, version=3, order="<", text=b"device board\nring callsight0\npid 4711\n", key=None, shake=True, **fields):
        self.order, self.version, self.position = order, version, 0
        self.socket = socket.create_connection(("127.0.0.1", receiver.port), timeout=20)
        self.random = os.urandom(32)
        self.accepted = None
        self.said = hello(version, order, **fields)
        if version == 3:
            self.said += self.random + struct.pack(order + "I", len(text)) + text
        if shake:
            self.send(self.said)
            if version == 3:
                self.shake(key)

    def shake(self, key):
        self.mode = self.receive(1)[0]
        self.said += self.receive(32)
        if self.mode == 1:
            self.proof = self.receive(32)
            if key is None:
                return
            tap.equal(self.proof, prove(key, b"callsight-server-3", self.said), "the receiver knows the key")
            self.send(prove(key, b"callsight-client-3", self.said))
        self.accepted = self.receive(1)

    def receive(self, n):
        data = b""
        while len(data) < n:
            part = self.socket.recv(n - len(data))
            if not part:
                raise EOFError("the receiver closed the connection")
            data += part
        return data

    def send(self, data):
        self.socket.sendall(data)

    def chunk(self, kind, raw, **fields):
        self.send(chunk(kind, raw, self.order, **fields))

    def at(self, raw, position=None):
        """What begins with its position in the ring, if the version has them."""
        if self.version < 3:
            return raw
        if position is not None:
            self.position = position
        head = struct.pack(self.order + "Q", self.position)
        self.position += len(raw)
        return head + raw

    def events(self, events, position=None, compress=frame):
        raw = self.at(b"".join(rec.event(*event, order=self.order) for event in events), position)
        self.chunk(EVENTS, raw, stored=compress(raw))

    def blocks(self, blocks, position=None, kind=PACKED):
        self.chunk(kind, self.at(b"".join(block.data() for block in blocks), position))

    def drops(self, total):
        self.chunk(DROPS, struct.pack(self.order + "Q", total))

    def close(self):
        """Ends the stream, and waits until all of it was written."""
        self.socket.shutdown(socket.SHUT_WR)
        tap.equal(self.socket.recv(1), b"", "the receiver closes when all is written")
        self.socket.close()

    def is_closed(self, seconds=15):
        """Whether the receiver ends the connection."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(4096):
                pass
        except ConnectionError:
            pass
        except socket.timeout:
            return False
        return True


class Receiver:
    """callsight-cli serve on a free port of loopback, as a context manager."""

    def __init__(self, out, *arguments, env=None, before=None, prefix=()):
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("TRACE_", "CALLSIGHT_KEY"))}
        environ.update(env or {})
        self.out, self.lines, self.rest = out, [], b""
        self.process = subprocess.Popen([*prefix, tap.CLI, "serve", "--host", "127.0.0.1", "--port", "0", "--out", out, *arguments],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environ,
                                        preexec_fn=before)

    def __enter__(self):
        try:
            match = self.wait(r"listening on \S+:(\d+)")
        except BaseException:
            self.__exit__()
            raise
        self.port = int(match.group(1))
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def _read(self, seconds):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
        if ready and not data:
            return False
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        self.lines += [line.decode("utf-8") for line in lines]
        return True

    def wait(self, pattern, seconds=20, first=0):
        """The first line with that pattern, as a match."""
        end = time.monotonic() + seconds
        while True:
            for line in self.lines[first:]:
                match = re.search(pattern, line)
                if match:
                    return match
            if time.monotonic() > end or not self._read(0.2):
                raise AssertionError("no line has %r:\n%s" % (pattern, "\n".join(self.lines[-40:])))

    def count(self, pattern):
        self._read(0)
        return sum(1 for line in self.lines if re.search(pattern, line))

    def stop(self, number=signal.SIGINT):
        """Ends it as Ctrl-C does; all that it said."""
        self.process.send_signal(number)
        end = time.monotonic() + 30
        while self._read(0.2) and time.monotonic() < end:
            pass
        tap.equal(self.process.wait(timeout=10), 0, "exit status\n" + "\n".join(self.lines[-20:]))
        return self.lines

    def folders(self):
        return sorted(os.path.join(self.out, name) for name in os.listdir(self.out))


def calls(n, tid=1, start=1000, func=0x1000, caller=0x99):
    """n calls of two functions, one in the other; 4 n records, as rec.event takes them."""
    events = []
    for i in range(n):
        now = start + 100 * i
        events += [(rec.ENTER, now, func, caller, tid), (rec.ENTER, now + 10, func + 0x100, func, tid),
                   (rec.EXIT, now + 60, func + 0x100, func, tid), (rec.EXIT, now + 90, func, caller, tid)]
    return events


def check_calls(folder, wanted, threads, *notices):
    """Whether a recording has so many calls of each function; its report."""
    data = rec.report(folder)
    got = {int(name, 16): row["calls"] for name, row in data["by_name"].items()}
    tap.equal(got, wanted, "calls of " + str(folder))
    tap.equal(data["events"], 2 * sum(wanted.values()), "events")
    tap.equal(data["threads"], threads, "threads")
    for notice in notices:
        tap.true(any(re.search(notice, text) for text in data["notices"]), "%s in %s" % (notice, data["notices"]))
    tap.true(notices or not [n for n in data["notices"] if "lost" in n or "stopped" in n or "unreadable" in n], data["notices"])
    return data


def block_of(events, order="<", index=1, tid=None):
    """One block that stands alone."""
    return packed.blocks(events, len(events), order, index, tid=tid)[0]
