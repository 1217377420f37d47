# SPDX-License-Identifier: MIT
"""Recordings of a few calls, as records or packed, and what is reported of them."""

import functools
import json
import struct

import recordings as rec
from tap import Folder, equal

NAME = "trace.1.1.0.bin"
TAIL = "trace.1.1.0.tail"
ENTER, EXIT, MARKER = rec.ENTER, rec.EXIT, rec.MARKER
MAIN, LEAF, OTHER = 0x1000, 0x2000, 0x3000


def report(*files):
    """The JSON report of a folder with these files, (name, bytes, …)."""
    with Folder() as folder:
        for name, *parts in files:
            rec.write(folder, name, *parts)
        return json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)


def as_records(events, order="<"):
    return b"".join(rec.event(*event[:4], event[4], order) for event in events)


def compare(got, wanted, notices=True, what=""):
    """All numbers of two reports are equal."""
    for key in sorted(set(got) | set(wanted)):
        if key != "recorded_bytes" and (notices or key != "notices"):
            equal(got.get(key), wanted.get(key), "%s %s" % (what, key))


def calls(n, func=LEAF, start=0, length=3, tid=1):
    """Calls one after the other, ten ns apart."""
    result = []
    for i in range(n):
        result += [(ENTER, start + 10 * i, func, 0x50, tid), (EXIT, start + 10 * i + length, func, 0x50, tid)]
    return result


def within(events, end, func=MAIN, tid=1):
    return [(ENTER, 0, func, 0, tid)] + events + [(EXIT, end, func, 0, tid)]


# 120 of them.
EVENTS = within(calls(59, start=5), 2000)


@functools.cache
def without(first, last, events):
    """The report of records without those from first to last, as lost events between two files."""
    return report((NAME, rec.header(first_index=1), as_records(events[:first])),
                  ("trace.1.1.1.bin", rec.header(seq=1, first_index=last + 1), as_records(events[last:])))


def flip(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def set_field(data, at, format, value):
    return data[:at] + struct.pack(format, value) + data[at + struct.calcsize(format):]
