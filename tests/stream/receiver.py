# SPDX-License-Identifier: MIT
"""A receiver of streams, from the protocol's description; and of what the network does to them."""

import collections
import ctypes
import hashlib
import hmac
import os
import socket
import struct
import threading
import time

Chunk = collections.namedtuple("Chunk", "connection type position data stored at")
Greeting = collections.namedtuple("Greeting", "magic version event_size flags pad load_bias tick_hz t0_ticks t0_ns hook_ns")
GREETING = struct.Struct("=8sIIIIQQQQQ")
RAW_MOST = 8 << 20


def _zstd():
    for name in ("libzstd.so.1", "libzstd.so"):
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        for function in ("ZSTD_decompress", "ZSTD_findFrameCompressedSize", "ZSTD_compressBound"):
            getattr(library, function).restype = ctypes.c_size_t
        library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
        return library
    return None


ZSTD = _zstd()


def unpack(frame, size):
    """What one zstd frame holds, which must be just so many bytes."""
    length = ctypes.c_size_t(len(frame))
    if ZSTD.ZSTD_findFrameCompressedSize(frame, length) != len(frame):
        raise ValueError("not one frame")
    if ZSTD.ZSTD_getFrameContentSize(frame, length) != size:
        raise ValueError("a frame of another size")
    if len(frame) > ZSTD.ZSTD_compressBound(ctypes.c_size_t(size)):
        raise ValueError("a frame that is too large")
    out = ctypes.create_string_buffer(max(size, 1))
    if ZSTD.ZSTD_decompress(out, ctypes.c_size_t(size), frame, length) != size:
        raise ValueError("a frame that can't be unpacked")
    return out.raw[:size]


class Receiver:
    """Listens on loopback.  `answer`: instead of the handshake, a function of the socket; `chunks`: a connection is
    closed after so many, of its number; `pace`: seconds before each chunk is read."""

    def __init__(self, version=3, key=None, proof=None, accepted=1, answer=None, chunks=None, pace=0, port=0, buffer=0):
        self.version, self.key, self.proof, self.accepted = version, key, proof, accepted
        self.answer, self.chunks_most, self.pace = answer, chunks, pace
        self.chunks, self.greetings, self.texts, self.clients, self.errors = [], [], [], [], []
        self.ended = 0  # connections that came to a clean end
        self.given = b""  # the proof of the client
        self.lock = threading.Lock()
        self.going = threading.Event()
        self.going.set()
        self.sockets = []
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if buffer:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                number = len(self.clients)
                self.clients.append(time.monotonic())
                self.sockets.append(client)
            threading.Thread(target=self._serve, args=(client, number), daemon=True).start()

    def _read(self, client, size, at_end=False):
        data = b""
        while len(data) < size:
            part = client.recv(size - len(data))
            if not part:
                if at_end and not data:
                    return None
                raise ValueError("cut off after %d of %d bytes" % (len(data), size))
            data += part
        return data

    def _shake(self, client):
        raw = self._read(client, GREETING.size)
        greeting = Greeting(*GREETING.unpack(raw))
        if greeting.magic != b"TKSTREAM" or greeting.version != self.version:
            raise ValueError("a greeting of version %d" % greeting.version)
        if greeting.event_size != 32 or greeting.pad:
            raise ValueError("a wrong greeting")
        self.greetings.append(greeting)
        if self.version == 2:
            return
        raw += self._read(client, 36)
        size = struct.unpack("=I", raw[-4:])[0]
        if size > 4096:
            raise ValueError("a long text")
        text = self._read(client, size)
        self.texts.append(text.decode())
        own = os.urandom(32)
        said = raw + text + own
        proof = b""
        if self.key:
            proof = hmac.new(self.key, b"callsight-server-3" + said, hashlib.sha256).digest()
        client.sendall(bytes([1 if self.key else 0]) + own + (self.proof or proof))
        accepted = self.accepted
        if self.key:
            self.given = self._read(client, 32)
            right = hmac.new(self.key, b"callsight-client-3" + said, hashlib.sha256).digest()
            accepted = accepted if self.given == right else 0
        client.sendall(bytes([accepted]))

    def _chunk(self, client, number):
        head = self._read(client, 12, at_end=True)
        if head is None:
            return False
        kind, raw, stored = struct.unpack("=III", head)
        if kind not in ((0, 1) if self.version == 2 else (0, 1, 3, 4, 5)) or raw > RAW_MOST:
            raise ValueError("a chunk of type %d with %d bytes" % (kind, raw))
        data = self._read(client, stored)
        if kind == 5:
            if raw != stored:
                raise ValueError("stored in another size")
        else:
            data = unpack(data, raw)
        position = None
        if self.version == 3 and kind in (0, 4, 5):
            position, data = struct.unpack("=Q", data[:8])[0], data[8:]
        if kind == 0 and (len(data) % 32 or not data) or kind == 1 and raw != 8 or kind == 3 and raw > 1 << 20:
            raise ValueError("a chunk of type %d with %d bytes" % (kind, raw))
        with self.lock:
            self.chunks.append(Chunk(number, kind, position, data, stored, time.monotonic()))
        return True

    def _serve(self, client, number):
        try:
            client.settimeout(30)
            if self.answer:
                self.answer(client)
                return
            self._shake(client)
            seen = 0
            while self.chunks_most is None or seen < self.chunks_most(number):
                self.going.wait(30)
                time.sleep(self.pace)
                if not self._chunk(client, number):
                    self.ended += 1
                    return
                seen += 1
        except (ValueError, OSError) as error:
            self.errors.append(str(error))
        finally:
            client.close()

    def data(self, *types, connection=None):
        """What all chunks of these types held."""
        with self.lock:
            return b"".join(c.data for c in self.chunks if c.type in types and connection in (None, c.connection))

    def of(self, *types):
        with self.lock:
            return [c for c in self.chunks if c.type in types]

    def break_off(self):
        """All connections are reset."""
        with self.lock:
            for client in self.sockets:
                try:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("=ii", 1, 0))
                    client.shutdown(socket.SHUT_RD)
                    client.close()
                except OSError:
                    pass

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.going.set()
        self.close()
        for client in self.sockets:
            client.close()


def until(condition, seconds=10, what=""):
    """Waits for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("not in %d seconds: %s" % (seconds, what))
        time.sleep(0.005)
