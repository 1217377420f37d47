# SPDX-License-Identifier: MIT
"""Writes event files byte by byte, as docs/formats.md draws them, and reads reports."""

import json
import os
import struct

import tap

ENTER, EXIT, MARKER, COUNTERS = range(4)
TICKS, ROTATED, BIG_ENDIAN, THREAD_START = 1, 2, 4, 8
(BUDGET, NOSPACE, WRITE_ERROR, MAX_EVENTS, WRAP, CLOCK) = range(1, 7)
OFF, ON, LANDED, CONTEXT, SKIPPED, DEPTH, JUMPED = 257, 258, 259, 260, 261, 264, 266


def header(order="<", magic=b"MLTRACE\0", version=2, event_size=32, header_size=80, flags=0, load_bias=0,
           tick_hz=0, t0_ticks=0, t0_ns=0, hook_ns=0, pid=1, seq=0, first_index=0):
    if order == ">":
        flags |= BIG_ENDIAN
    data = struct.pack(order + "8s4I5Q2IQ", magic, version, event_size, header_size, flags, load_bias,
                       tick_hz, t0_ticks, t0_ns, hook_ns, pid, seq, first_index)
    return data[:16] if version == 1 else data + bytes(max(0, header_size - 80))


def event(kind, ts, func, caller=0, tid=1, order="<"):
    return struct.pack(order + "3QIB3x", ts, func, caller, tid, kind)


def tail(*records, order="<", offset=80, seq=0, capacity=None, used=None, anchor=(0, 0), generation=2, header_size=128,
         **fields):
    """The bytes of a tail: the buffer with these records, for the segment with number seq."""
    buffer = b"".join(records)
    capacity = capacity if capacity is not None else len(buffer) + 64
    used = used if used is not None else len(buffer)
    head = header(order, header_size=header_size, **dict(dict(seq=seq), **fields))[:80] + struct.pack(
        order + "2I4Q2I", seq, capacity, offset, used, anchor[0], anchor[1], generation, 0)
    return head + bytes(max(0, header_size - 128)) + buffer + bytes(max(0, capacity - len(buffer)))


def summary_header(order="<", magic=b"MLSUMRY\0", version=2, record_size=None, header_size=None, flags=0, load_bias=0,
                   tick_hz=0, t0_ticks=0, t0_ns=0, hook_ns=0, pid=1, tid=1, records=0, span=0, truncated=0):
    if order == ">":
        flags |= BIG_ENDIAN
    size = 96 if version == 1 else 192
    record_size = record_size if record_size is not None else 688 if version == 1 else 744
    header_size = header_size if header_size is not None else size
    data = struct.pack(order + "8s4I5Q2I3Q", magic, version, record_size, header_size, flags, load_bias, tick_hz,
                       t0_ticks, t0_ns, hook_ns, pid, tid, records, span, truncated)
    return data + bytes(max(0, header_size - 96))


def summary_record(func, durations, self_time, order="<", version=2):
    """The record of a function whose calls took so long, each by the format's own rule."""
    buckets = [0] * 160
    for duration in durations:
        msb = duration.bit_length() - 1
        buckets[min(159, duration if duration < 8 else (msb - 3) * 4 + (duration >> (msb - 2) & 3) + 8)] += 1
    data = struct.pack(order + "6Q160I", func, len(durations), sum(durations), self_time,
                       min(durations, default=0), max(durations, default=0), *buckets)
    return data + bytes(56 if version == 2 else 0)


def write(folder, name, *parts):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(b"".join(parts))
    return path


def analyze(*arguments, check=0):
    """Runs callsight-cli analyze; the CompletedProcess."""
    return tap.run(tap.CLI, "analyze", *arguments, check=check)


def report(folder, *arguments):
    """The JSON report with all rows; rows by function name beside it."""
    data = json.loads(analyze(folder, "--format", "json", "--top", "0", *arguments).stdout)
    data["by_name"] = {row["function"]: row for row in data["rows"]}
    tap.equal(len(data["by_name"]), len(data["rows"]), "distinct function names")
    return data


def folded(folder, *arguments):
    """The folded report: {path: ns}."""
    lines = analyze(folder, "--format", "folded", *arguments).stdout.splitlines()
    paths = {}
    for line in lines:
        path, ns = line.rsplit(" ", 1)
        paths[path] = paths.get(path, 0) + int(ns)
    return paths


def chrome_events(folder, *arguments):
    """The X events of the chrome report, times in ns: [(pid, tid, start, end, name)]."""
    data = json.loads(analyze(folder, "--format", "chrome", *arguments).stdout,
                      parse_float=lambda text: text)
    calls = []
    for item in data["traceEvents"]:
        if item["ph"] == "X":
            start, length = [int(item[key].replace(".", "")) for key in ("ts", "dur")]
            calls.append((item["pid"], item["tid"], start, start + length, item["name"]))
    return calls


def nested_self(calls):
    """Σ self over calls by nesting alone, thread by thread, ns; fails where spans cross."""
    total = 0
    threads = {}
    for pid, tid, start, end, _name in calls:
        threads.setdefault((pid, tid), []).append((start, end))
    for spans in threads.values():
        spans.sort(key=lambda span: (span[0], -span[1]))
        stack = []
        for start, end in spans:
            while stack and stack[-1] <= start and not (stack[-1] == start == end):
                stack.pop()
            if stack:
                tap.true(end <= stack[-1], "a span crosses the end of the one around it")
            else:
                total += end - start
            stack.append(end)
    return total
