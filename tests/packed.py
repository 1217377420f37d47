# SPDX-License-Identifier: MIT
"""Packs events into blocks byte by byte, as docs/formats.md draws them."""

import os
import struct

import recordings as rec

MOST_DT = 0x7EFE
MASK = (1 << 64) - 1
PRIME = 0x9E3779B97F4A7C15


def rotate(value, n):
    return (value << n | value >> (64 - n)) & MASK


def check(parts, order="<"):
    """The check of a block: over header, words and definitions."""
    sums = [1, 2, 3, 4]
    for part in parts:
        part += bytes(-len(part) % 32)
        numbers = struct.unpack("%s%dQ" % (order, len(part) // 8), part)
        for i, number in enumerate(numbers):
            sums[i % 4] = rotate(sums[i % 4] ^ number, 29) * PRIME & MASK
    total = sums[0]
    for one in sums[1:]:
        total = (rotate(total, 17) ^ one) * PRIME & MASK
    return total >> 32


class Block:
    """A block that is being filled.  The ids of the sites of its chain are in `ids`, which it adds to."""

    def __init__(self, order="<", tid=1, base=0, index=0, ids=None):
        self.order, self.tid, self.base, self.index = order, tid, base, index
        self.ids = ids if ids is not None else {}
        self.first_site = len(self.ids) + 1
        self.words = b""
        self.definitions = []
        self.records = self.events = 0
        self.now = base
        self.thread = tid
        self.frames = []
        self.places = []

    def put(self, format, *values):
        self.words += struct.pack(self.order + format, *values)

    def define(self, func, caller):
        key = (func, caller)
        if key not in self.ids:
            self.ids[key] = len(self.ids) + 1
            self.definitions.append(key)
        return self.ids[key]

    def note(self, is_event=True):
        self.records += 1
        self.events += is_event

    def time(self, ts):
        self.put("HQ", 0xFE01, ts & MASK)
        self.now = ts

    def later(self, step):
        self.put("HI", 0xFE02, step)
        self.now += step

    def forget(self):
        self.put("H", 0xFE05)
        self.frames = []

    def select(self, tid):
        self.put("HI", 0xFE06, tid)
        self.thread = tid
        self.frames = []

    def reach(self, ts, most):
        """Words that bring the time so near that the rest fits; that rest."""
        step = ts - self.now
        if step < 0 or step > 0xFFFFFFFF:
            self.time(ts)
        elif step > most:
            self.later(step)
        step = ts - self.now
        self.now = ts
        return step

    def enter(self, ts, func, caller=0):
        site = self.define(func, caller)
        step = self.reach(ts, MOST_DT)
        self.put("HH", (step + 1) << 1, site)
        self.frames.append(site)
        self.note()

    def exit(self, ts, func, caller=0, pops=None, told=False):
        site = self.define(func, caller)
        if self.frames and self.frames[-1] == site and not told and pops is None:
            step = self.reach(ts, MOST_DT)
            self.put("H", (step + 1) << 1 | 1)
            self.frames.pop()
        else:
            step = self.reach(ts, 0xFFFF)
            if pops is None:
                pops = 0
                for i in range(len(self.frames)):
                    if self.frames[-1 - i] == site:
                        pops = i + 1
                        break
            self.put("4H", 0xFE03, step, pops, site)
            del self.frames[len(self.frames) - pops:]
        self.note()

    def raw(self, kind, ts, func, caller, tid):
        self.put("H", 0xFE04)
        self.words += rec.event(kind, ts, func, caller, tid, self.order)
        self.note(kind <= rec.EXIT)

    def add(self, kind, ts, func, caller=0, tid=1):
        self.places.append(64 + len(self.words))
        if kind > rec.EXIT:
            self.raw(kind, ts, func, caller, tid)
            return
        if tid != self.thread:
            self.select(tid)
        if kind == rec.ENTER:
            self.enter(ts, func, caller)
        else:
            self.exit(ts, func, caller)

    def header(self, check=0, begun=False, **fields):
        values = dict(dict(magic=b"CSBLOCK\0", header_size=64,
                           bytes=0 if begun else 64 + len(self.words) + 16 * len(self.definitions),
                           records=0 if begun else self.records, events=0 if begun else self.events, tid=self.tid,
                           flags=0, index=self.index, base=self.base & MASK, first_site=self.first_site,
                           sites=len(self.definitions), check=check, zero=0), **fields)
        return struct.pack(self.order + "8s6I2Q4I", *values.values())

    def table(self):
        return b"".join(struct.pack(self.order + "2Q", *site) for site in reversed(self.definitions))

    def data(self, **fields):
        """The bytes of the block, with a right check whatever is in the fields."""
        number = check([self.header(**fields), self.words, self.table()], self.order)
        return self.header(number, **fields) + self.words + self.table()

    def buffer(self, capacity, **fields):
        """The buffer of a tail, and how much of it is used."""
        used = 64 + len(self.words)
        room = capacity - used - 16 * len(self.definitions)
        return self.header(begun=True, **fields) + self.words + bytes(room) + self.table(), used


def blocks(events, per_block=100, order="<", index=1, chain=1 << 30, tid=None):
    """Packs events, (kind, ts, func, caller, tid), so many a block.  So many blocks are a chain."""
    result = []
    ids = {}
    for i in range(0, len(events), per_block):
        part = events[i:i + per_block]
        if len(result) % chain == 0:
            ids = {}
        first = next((event for event in part if event[0] <= rec.EXIT), part[0])
        block = Block(order, tid if tid is not None else part[0][4], first[1], index, ids)
        for event in part:
            block.add(*event)
        index += block.events if index else 0
        result.append(block)
    return result


def header(order="<", **fields):
    return rec.header(order, **dict(dict(version=3, event_size=2), **fields))


def tail(block, order="<", offset=80, seq=0, capacity=None, used=None, anchor=(0, 0), generation=2, **fields):
    """The bytes of a tail whose buffer has this block."""
    capacity = capacity if capacity is not None else 64 + len(block.words) + 16 * len(block.definitions) + 64
    buffer, filled = block.buffer(capacity)
    head = header(order, header_size=128, **dict(dict(seq=seq), **fields))[:80] + struct.pack(
        order + "2I4Q2I", seq, capacity, offset, used if used is not None else filled, anchor[0], anchor[1], generation, 0)
    return head + buffer


def unpack_records(data, order="<"):
    return [(kind, ts, func, caller, tid) for ts, func, caller, tid, kind in struct.iter_unpack(order + "3QIB3x", data)]


def pack_folder(source, to, per_block=100, chain=1 << 30):
    """Packs the event files of version 2 of a folder; others are copied.  Returns how many were packed."""
    n = 0
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), "rb") as file:
            data = file.read()
        if name.endswith(".bin") and data[:8] == b"MLTRACE\0":
            order = "<" if data[8:12] == b"\2\0\0\0" else ">"
            version, size, start = struct.unpack(order + "3I", data[8:20])
            if version == 2 and size == 32:
                whole = (len(data) - start) // 32 * 32
                head = data[:8] + struct.pack(order + "2I", 3, 2) + data[16:start]
                first_index = struct.unpack(order + "Q", data[72:80])[0]
                packed = blocks(unpack_records(data[start:start + whole], order), per_block, order, first_index, chain)
                data = head + b"".join(block.data() for block in packed)
                n += 1
        rec.write(to, name, data)
    return n


WORDS = {0xFE01: ("TIME", 10), 0xFE02: ("LATER", 6), 0xFE03: ("EXIT", 8), 0xFE04: ("RAW", 34), 0xFE05: ("FORGET", 2),
         0xFE06: ("THREAD", 6)}


def kinds(words, order="<"):
    """What records there are in words that are right."""
    found, at = set(), 0
    while at < len(words):
        word = struct.unpack_from(order + "H", words, at)[0]
        name, size = WORDS.get(word) or (("exit", 2) if word & 1 else ("enter", 4))
        found.add(name)
        at += size
    return found
