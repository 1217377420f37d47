# SPDX-License-Identifier: MIT
"""Reads the formats of callsight-cli back, each by the rules of its own document, and makes
recordings whose calls are known."""

import codecs
import csv
import json
import os
import random
import re
import subprocess
import xml.etree.ElementTree

import recordings as rec
import tap
from tap import equal, run, true

PROTO = os.path.join(tap.TOP, "tests", "cli", "perfetto.proto")


def write(folder, form, *arguments):
    """The bytes that analyze writes in a format."""
    path = os.path.join(folder, "report." + form)
    rec.analyze(folder, "--format", form, "--out", path, *arguments)
    with open(path, "rb") as file:
        return file.read()


def random_calls(folder, threads=5, calls=300, functions=12, seed=1, pid=1):
    """A recording of nested calls; [(tid, function name, start, end, self)] as they end."""
    chance = random.Random(seed)
    told = []
    for tid in range(1, threads + 1):
        now, begun, stack, records = chance.randrange(1000), 0, [], []
        while begun < calls or stack:
            now += chance.choice((0, 1, 7, 130, 12345, 10 ** 7))
            if begun < calls and len(stack) < 40 and (not stack or chance.random() < 0.55):
                function = 0x1000 + 16 * chance.randrange(functions)
                records.append(rec.event(rec.ENTER, now, function, 0x9000 + len(stack), tid))
                stack.append([function, now, 0])
                begun += 1
            else:
                function, start, children = stack.pop()
                records.append(rec.event(rec.EXIT, now, function, 0, tid))
                told.append((tid, "0x%x" % function, start, now, now - start - children))
                if stack:
                    stack[-1][2] += now - start
        rec.write(folder, "trace.%d.%d.0.bin" % (pid, tid), rec.header(pid=pid), *records)
    return told


def odd_ends(folder):
    """A thread with a repaired, an open and a call of no length, and two stacks whose calls cross; its
    calls, times from its first event: [(stack, name, start, end, how)] as they end."""
    rec.write(folder, "trace.1.1.0.bin", rec.header(),
              rec.event(rec.ENTER, 100, 0x1000), rec.event(rec.ENTER, 110, 0x2000), rec.event(rec.ENTER, 120, 0x3000),
              rec.event(rec.EXIT, 130, 0x2000), rec.event(rec.ENTER, 140, 0x4000), rec.event(rec.EXIT, 140, 0x4000),
              rec.event(rec.MARKER, 150, rec.CONTEXT, 7), rec.event(rec.ENTER, 160, 0x5000),
              rec.event(rec.MARKER, 170, rec.CONTEXT, 0), rec.event(rec.EXIT, 180, 0x1000),
              rec.event(rec.ENTER, 190, 0x2000), rec.event(rec.MARKER, 200, rec.CONTEXT, 7),
              rec.event(rec.EXIT, 210, 0x5000), rec.event(rec.MARKER, 220, rec.CONTEXT, 0),
              rec.event(rec.ENTER, 230, 0x3000), rec.event(rec.EXIT, 240, 0x3000))
    return [(0, "0x3000", 20, 30, "repaired"), (0, "0x2000", 10, 30, "exited"), (0, "0x4000", 40, 40, "exited"),
            (0, "0x1000", 0, 80, "exited"), (7, "0x5000", 60, 110, "exited"), (0, "0x3000", 130, 140, "exited"),
            (0, "0x2000", 90, 140, "open")]


# -- perfetto

def _message(lines):
    """A message of protoc's text: {field: [values]}."""
    fields = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            name, value = line[:-1].strip(), _message(lines)
        else:
            name, value = line.split(": ", 1)
            if value.startswith('"'):
                value = codecs.escape_decode(value[1:-1].encode())[0].decode("utf-8")
            elif value.lstrip("-").isdigit():
                value = int(value)
        true(not name.isdigit(), "field %s is not one that is written" % name)
        fields.setdefault(name, []).append(value)
    return fields


def perfetto(folder, *arguments):
    """What the perfetto report holds: calls [(pid, tid, name, start, end, how)] as they end, processes
    {pid: name}, threads {(pid, tid): name}."""
    data = write(folder, "perfetto", *arguments)
    result = subprocess.run(["protoc", "--decode_raw"], input=data, stdout=subprocess.DEVNULL, check=False)
    equal(result.returncode, 0, "protoc --decode_raw")
    result = subprocess.run(["protoc", "--decode=Trace", "-I", os.path.dirname(PROTO), PROTO], input=data,
                            stdout=subprocess.PIPE, check=True)
    trace = _message(iter(result.stdout.decode("ascii").splitlines()))
    names, tracks, processes, threads, stacks, last, calls, sequences = {}, {}, {}, {}, {}, {}, [], set()
    for packet in trace.get("packet", []):
        sequence = packet["trusted_packet_sequence_id"][0]
        first = sequence not in sequences
        sequences.add(sequence)
        equal(packet["sequence_flags"], [1 if first else 2], "state is cleared by the first packet of a sequence")
        equal(packet.get("first_packet_on_sequence"), ["true"] if first else None, "first packet")
        for entry in packet.get("interned_data", [{}])[0].get("event_names", []):
            key = (sequence, entry["iid"][0])
            true(key not in names, "a name is interned once a sequence")
            names[key] = entry["name"][0]
        for track in packet.get("track_descriptor", []):
            uuid = track["uuid"][0]
            true(uuid not in tracks and uuid != 0, "a track is described once")
            if "process" in track:
                process = track["process"][0]
                tracks[uuid] = (process["pid"][0], None)
                processes[process["pid"][0]] = process["process_name"][0]
            else:
                thread = track["thread"][0]
                tracks[uuid] = (thread["pid"][0], thread["tid"][0])
                equal(tracks[track["parent_uuid"][0]], (thread["pid"][0], None), "a thread's track is its process's")
                threads[tracks[uuid]] = thread.get("thread_name", [None])[0]
        for event in packet.get("track_event", []):
            track, now = event["track_uuid"][0], packet["timestamp"][0]
            true(now >= last.get(track, 0), "time runs forward on a track")
            last[track] = now
            if event["type"] == ["TYPE_SLICE_BEGIN"]:
                stacks.setdefault(track, []).append((names[(sequence, event["name_iid"][0])], now))
            else:
                name, start = stacks[track].pop()
                how = [note["string_value"][0] for note in event.get("debug_annotations", [])]
                calls.append((*tracks[track], name, start, now, *(how or ["exited"])))
    true(not any(stacks.values()), "each slice that begins ends")
    return calls, processes, threads


# -- speedscope

def _check(value, shape, where):
    """Checks JSON against a shape: a type, a constant in a tuple, [shape of elements], or {key: shape}
    where a key that may be missing ends with ?."""
    if isinstance(shape, dict):
        true(isinstance(value, dict), where + " is an object")
        for key, inner in shape.items():
            name = key.rstrip("?")
            true(key.endswith("?") or name in value, "%s has %s" % (where, name))
            if name in value:
                _check(value[name], inner, where + "." + name)
    elif isinstance(shape, list):
        true(isinstance(value, list), where + " is an array")
        for item in value:
            _check(item, shape[0], where + "[]")
    elif isinstance(shape, tuple):
        true(value in shape, "%s is %r" % (where, value))
    else:
        true(isinstance(value, shape) and not isinstance(value, bool), "%s is %r" % (where, value))


SPEEDSCOPE = {
    "$schema": ("https://www.speedscope.app/file-format-schema.json",), "activeProfileIndex?": int, "exporter?": str,
    "name?": str, "shared": {"frames": [{"name": str, "file?": str, "line?": int, "col?": int}]},
    "profiles": [{"type": ("evented",), "name": str, "startValue": int, "endValue": int,
                  "unit": ("bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"),
                  "events": [{"type": ("O", "C"), "at": int, "frame": int}]}],
}


def speedscope(folder, *arguments):
    """The frames and profiles of the speedscope report: [{}], [(name, [(function, start, end)])]."""
    data = json.loads(write(folder, "speedscope", *arguments).decode("utf-8"))
    _check(data, SPEEDSCOPE, "file")
    frames, profiles = data["shared"]["frames"], []
    for profile in data["profiles"]:
        equal(profile["unit"], "nanoseconds", "unit")
        stack, last, calls = [], profile["startValue"], []
        for event in profile["events"]:
            true(event["at"] >= last, "events come in order")
            last = event["at"]
            if event["type"] == "O":
                stack.append(event)
            else:
                begin = stack.pop()
                equal(begin["frame"], event["frame"], "the frame that is closed is the one opened last")
                calls.append((frames[event["frame"]]["name"], begin["at"], event["at"]))
        equal(stack, [], "each frame that is opened is closed")
        equal(last, profile["endValue"], "endValue")
        profiles.append((profile["name"], calls))
    return frames, profiles


# -- callgrind

def callgrind_totals(folder, inclusive, *arguments):
    """What callgrind_annotate says of the callgrind report: {function: (ns, calls)}."""
    write(folder, "callgrind", *arguments)
    result = run("callgrind_annotate", "--inclusive=" + inclusive, "--threshold=100", "--auto=no",
                 os.path.join(folder, "report.callgrind"), check=0)
    true("WARNING" not in result.stderr + result.stdout, result.stderr)
    totals = {}
    for line in result.stdout.splitlines():
        match = re.match(r" *([\d,]+) \( ?[\d.]+%\) +([\d,]+|\.) (?:\( ?[\d.]+%\))? +[^:]*:(.*?)(?: \[[^]]*\])?$", line)
        if match:
            numbers = [int(text.replace(",", "").replace(".", "0")) for text in match.groups()[:2]]
            true(match.group(3) not in totals, "one line a function: " + match.group(3))
            totals[match.group(3)] = tuple(numbers)
    return totals


# -- csv, svg

def table(folder, *arguments):
    """The rows of the csv report, by column."""
    text = write(folder, "csv", *arguments).decode("utf-8")
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    true(all(len(row) == len(rows[0]) for row in rows), "as many cells in each row")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


SVG = "{http://www.w3.org/2000/svg}"


def svg(folder, *arguments):
    """The frames of the svg report: [(path of names, ns, x, width, title lines)], and the root element."""
    root = xml.etree.ElementTree.fromstring(write(folder, "svg", *arguments).decode("utf-8"))
    frames, path = [], []
    for group in root.iter(SVG + "g"):
        if group.get("class") != "f":
            continue
        lines = group.find(SVG + "title").text.split("\n")
        rect = group.find(SVG + "rect")
        depth = int(group.get("data-d"))
        true(depth <= len(path), "callers come before what they call")
        path[depth:] = [(lines[0], int(group.get("data-x")), int(group.get("data-w")))]
        if depth > 0:
            true(path[-2][1] <= path[-1][1] and path[-1][1] + path[-1][2] <= path[-2][1] + path[-2][2], "inside its caller")
        frames.append((tuple(name for name, _x, _w in path[1:]), path[-1][2], float(rect.get("x")),
                       float(rect.get("width")), lines))
    return frames, root
