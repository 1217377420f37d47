# SPDX-License-Identifier: MIT
"""Reads packed event files as docs/formats.md draws them, and checks what it says of them."""

import struct

from tap import equal, true

TIME, LATER, EXIT, RAW, FORGET, THREAD = range(0xFE01, 0xFE07)
P, M = 0x9E3779B97F4A7C15, (1 << 64) - 1
FIELDS = "8sIIIIIIQQIIII"


def check(block, words_end, order):
    """The check of a block whose definitions begin at words_end."""
    sums = [1, 2, 3, 4]
    for part in (block[:56] + bytes(4) + block[60:64], block[64:words_end], block[words_end:]):
        part += bytes(-len(part) % 32)
        for i, (word,) in enumerate(struct.iter_unpack(order + "Q", part)):
            x = sums[i % 4] ^ word
            sums[i % 4] = ((x << 29 | x >> 35) & M) * P & M
    total = sums[0]
    for x in sums[1:]:
        total = (((total << 17 | total >> 47) & M) ^ x) * P & M
    return total >> 32


class Block:
    """The header of one block; words and definitions as bytes."""

    def __init__(self, data, offset, order, path, tail=None):
        (magic, head, self.bytes, self.records, self.n_events, self.tid, flags, self.index, self.base,
         self.first_site, self.sites, self.check, zero) = struct.unpack_from(order + FIELDS, data, offset)
        where = "%s: block at %d" % (path, offset)
        self.order, self.where, self.offset = order, where, offset
        equal((magic, head, flags, zero), (b"CSBLOCK\0", 64, 0, 0), where + ": header")
        if tail is None:
            end = self.bytes - 16 * self.sites
            true(64 <= end and self.bytes <= min(262144, len(data) - offset), where + ": size")
            block = data[offset:offset + self.bytes]
            # Not of all: it takes Python long.
            if self.bytes < 20000:
                equal(self.check, check(block, end, order), where + ": check")
            self.words, definitions = block[64:end], block[end:]
        else:
            used, capacity = tail
            equal((self.bytes, self.records, self.n_events, self.check), (0, 0, 0, 0), where + ": of a tail")
            true(used + 16 * self.sites <= capacity, where + ": words and definitions meet")
            self.words = data[offset + 64:offset + used]
            definitions = data[offset + capacity - 16 * self.sites:offset + capacity]
        self.definitions = list(struct.iter_unpack(order + "QQ", definitions))[::-1]

    def decode(self, sites, make):
        """Its records; `sites` are those of its dictionary so far, id 1 first."""
        if self.first_site == 1:
            sites.clear()
        equal(self.first_site, len(sites) + 1, self.where + ": first site")
        sites.extend(self.definitions)
        # Few pairs are defined twice: those whose addresses are high.
        words = [w for (w,) in struct.iter_unpack(self.order + "H", self.words)]
        found, known, base, tid, i, n, whole = [], [], self.base, self.tid, 0, len(words), 0
        pad, add, new = b"\0\0\0", found.append, tuple.__new__
        while i < n:
            word = words[i]
            if 2 <= word < 0xFE00:
                base += (word >> 1) - 1
                if word & 1:
                    site = known.pop()
                    i += 1
                else:
                    site = words[i + 1]
                    known.append(site)
                    i += 2
                add(new(make, (base, *sites[site - 1], tid, word & 1, pad)))
            elif word == RAW:
                found.append(make(*struct.unpack_from(self.order + "QQQIB3s", self.words, 2 * i + 2)))
                i += 17
            elif word == EXIT:
                base += words[i + 1]
                pops, site = words[i + 2:i + 4]
                true(pops <= len(known), self.where + ": pops")
                del known[len(known) - pops:]
                found.append(make(base, *sites[site - 1], tid, 1, pad))
                i += 4
            elif word == TIME:
                (base,) = struct.unpack_from(self.order + "Q", self.words, 2 * i + 2)
                i += 5
            elif word == LATER:
                base += struct.unpack_from(self.order + "I", self.words, 2 * i + 2)[0]
                i += 3
            elif word == FORGET:
                known.clear()
                i += 1
            else:
                raise AssertionError("%s: word %#x" % (self.where, word))
        if self.bytes:
            equal((len(found), sum(e[4] <= 1 for e in found)), (self.records, self.n_events), self.where + ": counts")
        return found


def blocks(data, offset, order, path):
    """The blocks of a file from offset on, and where the last whole one ends."""
    found = []
    while offset < len(data):
        if len(data) - offset < 64 or struct.unpack_from(order + "I", data, offset + 12)[0] > len(data) - offset:
            break
        found.append(Block(data, offset, order, path))
        offset += found[-1].bytes
    return found, offset


def read(data, tail, order, path, make):
    """The records of a segment and of the tail that belongs to it, if there is one."""
    there, end = blocks(data, 80, order, path)
    if not tail:
        equal(end, len(data), path + ": a part of a block at its end")
    sites, events, known, index = [], [], [], None
    for block in there:
        if tail and block.offset == tail.offset:
            known = list(sites)
        events += block.decode(sites, make)
        if block.index:
            true(index is None or block.index == index, block.where + ": index")
            index = block.index + block.n_events
    if tail and tail.used > 64:
        block = Block(tail.data, 128, order, tail.path, (tail.used, tail.capacity))
        written = [b for b in there if b.offset == tail.offset]
        more = block.decode(known if written else sites, make)
        events += more[written[0].records if written else 0:]
    return events
