# SPDX-License-Identifier: MIT
"""Building traced programs, and a small reader of what they leave.

The reader is written from the format's description, not from the engine or from
runtime/trace.h: so a mistake in one of them shows.
"""

import collections
import gc
import os
import re
import shutil
import struct
import sys
import tempfile

import compiled
import unpack
from tap import Folder, Skip, equal, run, true

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
# What the programs record, unless the environment or a test asks for something else: of the first
# of these files packed, of the second what clang compiled, of others records, whose sizes are known.
_test = os.path.basename(sys.argv[0])[5:-3]
FORMAT = os.environ.get("TRACE_FORMAT") or (
    "packed" if _test in ("flow", "fork", "lifetime", "modules", "process") else "records")
BY_COMPILER = "TRACE_FORMAT" not in os.environ and _test in ("calls", "control", "signals", "tail")
RECORDS = {"TRACE_FORMAT": "records"}
_packed = set()  # programs
ENTER, EXIT, MARKER = 0, 1, 2
gc.disable()  # events are many, and in no cycle
new_tuple = tuple.__new__  # of a named tuple, in a third of the time that its own takes
BUDGET, NOSPACE, WRITE_ERROR, MAX_EVENTS, WRAP, CLOCK = 1, 2, 3, 4, 5, 6
OFF, ON, SKIPPED, WRAPS = 257, 258, 261, 265
TICKS, ROTATED, BIG_ENDIAN, THREAD_START = 1, 2, 4, 8

Event = collections.namedtuple("Event", "ts func caller tid kind pad")
Header = collections.namedtuple(
    "Header", "magic version event_size header_size flags load_bias tick_hz t0_ticks t0_ns "
    "hook_ns pid seq first_index")
Module = collections.namedtuple("Module", "since bias start end build_id path")


# --- building ------------------------------------------------------------------

def build(folder, cc, program, opt="-O1", out=None, flags=(), link=(), hooks=True, runtime=()):
    """Compile programs/`program` with hooks and link the runtime; returns its path."""
    out = os.path.join(folder, out or os.path.splitext(program)[0])
    plus = program.endswith(".cc")
    compiler = {"gcc": "g++", "clang": "clang++"}[cc] if plus else cc
    if not shutil.which(compiler):
        raise Skip("no " + compiler)
    if BY_COMPILER and cc == "clang":
        _packed.add(out)
    source = os.path.join(PROGRAMS, program)
    run(compiler, opt, "-g", "-pthread", *(["-finstrument-functions"] if hooks else []), *flags,
        source, *link, *([compiled.runtime(cc, *runtime)] if "-shared" not in flags else []), "-o", out,
        "-ldl", check=0)
    return out


def trace(program, *args, folder=None, env=None, check=0, cwd=None, runner=()):
    """Run a program with tracing on, into `folder`/traces; returns (result, Capture)."""
    environ = {"TRACE_ENABLE": "1", "TRACE_DIR": os.path.join(folder, "traces")}
    environ.update(env or {})
    environ.setdefault("TRACE_TAIL", "1" if tails_are_safe() else "0")
    environ.setdefault("TRACE_FORMAT", "packed" if program in _packed else FORMAT)
    result = run(*runner, program, *args, env=environ, check=check, cwd=cwd)
    return result, Capture(os.path.join(folder, "traces"), program)


def own_pids():
    """What runs a program in a pid namespace of its own, where it may choose its threads' ids
    without taking those of others' children; nothing where that can't be."""
    runner = ("unshare", "--pid", "--fork", "--mount-proc")
    if shutil.which("unshare") and run(*runner, "true").returncode == 0:
        return runner
    return ()


def tails_are_safe():
    """Whether the temporary folder is on a file system on which reserved space is kept."""
    kind = run("stat", "-f", "-c", "%t", tempfile.gettempdir(), check=0).stdout.strip()
    return int(kind, 16) in (0xef53, 0x58465342, 0x01021994)


# --- reading ------------------------------------------------------------------------

class File:
    """One segment, with what a tail adds to it; or what a tail holds of one that is not
    there yet."""

    def __init__(self, path, tail=None):
        self.path, self.tail = path, tail
        data = b""
        if os.path.exists(path):
            with open(path, "rb") as stream:
                data = stream.read()
        self.size = len(data)
        if tail:
            data = tail.join(data)
        true(len(data) >= 80, path + ": has no header")
        # `version' is small: if it is not, the producer has the other byte order.
        order = "<" if struct.unpack("<I", data[8:12])[0] < 65536 else ">"
        self.order = {"<": "little", ">": "big"}[order]
        self.header = Header(*struct.unpack(order + "8sIIIIQQQQQIIQ", data[:80]))
        equal(bool(self.header.flags & BIG_ENDIAN), order == ">", path + ": byte order flag")
        equal(self.header.magic, b"MLTRACE\0", path + ": magic")
        self.packed = self.header.version == 3
        equal((self.header.version, self.header.event_size), (3, 2) if self.packed else (2, 32), path + ": version")
        equal(self.header.header_size, 80, path + ": header_size")
        if self.packed:
            self.events = unpack.read(data, tail, order, path, Event)
        else:
            equal((len(data) - 80) % 32, 0, path + ": half a record")
            self.events = [new_tuple(Event, fields) for fields in struct.iter_unpack(order + "QQQIB3s", data[80:])]
        equal({event.kind for event in self.events} - {ENTER, EXIT, MARKER}, set(), path + ": kinds")
        equal({event.pad for event in self.events} - {b"\0\0\0"}, set(), path + ": pad")


class Tail:
    """A thread's buffer, as its process left it."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as stream:
            self.data = stream.read()
        order = "<" if struct.unpack("<I", self.data[8:12])[0] < 65536 else ">"
        self.order = order
        self.header = Header(*struct.unpack(order + "8sIIIIQQQQQIIQ", self.data[:80]))
        (self.seq, self.capacity, self.offset, self.used, self.ticks, self.ns, self.generation,
         zero) = struct.unpack(order + "IIQQQQII", self.data[80:128])
        equal(self.header.magic, b"MLTRACE\0", path + ": magic")
        self.packed = self.header.version == 3
        equal((self.header.version, self.header.event_size, self.header.header_size, zero),
              (3, 2, 128, 0) if self.packed else (2, 32, 128, 0), path + ": header")
        true(self.used <= self.capacity <= len(self.data) - 128, path + ": capacity")
        if self.packed:
            equal(self.used % 2, 0, path + ": whole words")
        else:
            equal((self.used % 32, (self.offset - 80) % 32), (0, 0), path + ": whole records")
        self.holds = self.used > 64 * self.packed

    def join(self, segment):
        """The bytes of the segment with what it lacks of the buffer."""
        if len(segment) < 80 or segment[40:56] != self.data[40:56]:  # another's, or not there
            header = struct.pack(self.order + "8sIIIIQQQQQIIQ", *self.header._replace(
                header_size=80, seq=self.seq))
            segment = header + segment[80:]
            self.offset = 80
        if self.packed:
            return segment
        there = max(len(segment) - self.offset, 0) // 32 * 32
        if len(segment) > self.offset:
            segment = segment[:self.offset + there]
        return segment + self.data[128 + there:128 + max(self.used, there)]


class Summary:
    """A thread's totals; or its table, in which `func` 0 is a free place, and a call whose
    count is in the histogram is in."""

    Head = collections.namedtuple(
        "Head", "magic version record_size header_size flags load_bias tick_hz t0_ticks t0_ns "
        "hook_ns pid tid records span truncated")
    Row = collections.namedtuple("Row", "calls incl self min max hist")

    def __init__(self, path):
        with open(path, "rb") as stream:
            data = stream.read()
        self.path, self.size = path, len(data)
        order = "<" if struct.unpack("<I", data[8:12])[0] < 65536 else ">"
        self.header = self.Head(*struct.unpack(order + "8sIIIIQQQQQIIQQQ", data[:96]))
        equal(self.header[:4], (b"MLSUMRY\0", 1, 688, 96), path + ": header")
        self.table = path.endswith(".tail")
        if self.table:
            true(len(data) >= 96 + 688 * self.header.records, path + ": size")
            data = data[:96 + 688 * self.header.records]
        equal(len(data), 96 + 688 * self.header.records, path + ": size")
        self.pid, self.tid = self.header.pid, self.header.tid
        self.span, self.truncated = self.header.span, self.header.truncated
        self.rows = {}
        for record in struct.iter_unpack(order + "6Q160I", data[96:]):
            calls = sum(record[6:]) if self.table else record[1]
            if self.table and not calls:
                continue
            true(record[0] not in self.rows, path + ": a function twice")
            self.rows[record[0]] = self.Row(calls, *record[2:6], record[6:])
            true(record[1] <= calls <= record[1] + 1, path + ": calls and their histogram")


class Thread:
    """The segments of one thread id in their order; a recycled id: several of these."""

    def __init__(self, pid, tid):
        self.pid, self.tid, self.files = pid, tid, []

    @property
    def events(self):
        return [e for f in self.files for e in f.events]

    def calls(self):
        """Enters and exits."""
        return [e for e in self.events if e.kind != MARKER]

    def markers(self, code):
        return [e for e in self.events if e.kind == MARKER and e.func == code]


class Section:
    """One section of a process file."""

    def __init__(self):
        self.fields, self.modules, self.gone, self.threads, self.marks = {}, [], [], [], []


def unescape(text):
    return re.sub(r"\\(n|\\|x[0-9a-f]{2})",
                  lambda m: {"n": "\n", "\\": "\\"}.get(m[1]) or chr(int(m[1][1:], 16)), text)


def read_process(path):
    sections = []
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        for line in stream:
            true(line.endswith("\n"), "a line without an end in " + path)
            word, _, rest = line[:-1].partition(" ")
            if word == "CALLSIGHT-PROCESS":
                equal(rest, "1", "process file version")
                sections.append(Section())
            elif word == "module":
                since, bias, start, end, build_id, name = rest.split(" ", 5)
                sections[-1].modules.append(Module(int(since), int(bias, 16), int(start, 16),
                                                   int(end, 16), build_id, unescape(name)))
            elif word == "module-gone":
                since, start = rest.split(" ")
                sections[-1].gone.append((int(since), int(start, 16)))
            elif word == "thread":
                tid, seq, name = rest.split(" ", 2)
                sections[-1].threads.append((int(tid), int(seq), unescape(name)))
            elif word == "mark":
                sections[-1].marks.append(tuple(map(int, rest.split(" "))))
            else:
                sections[-1].fields[word] = unescape(rest)
    return sections


def symbols(path, bias=0):
    """address → name of the functions of an ELF file, as nm says."""
    names = {}
    for line in run("nm", "--defined-only", path, check=0).stdout.splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tTwW":
            names[int(address, 16) + bias] = name
    return names


class Capture:
    """All that lies in a trace folder."""

    def __init__(self, folder, program=None):
        self.folder, self.files, self.threads, self.processes = folder, [], [], {}
        self.program = program
        names = os.listdir(folder) if os.path.isdir(folder) else []
        found, self.tails, self.summaries, self.tables = {}, {}, [], []
        for name in names:
            match = re.fullmatch(r"trace\.(\d+)\.(\d+)\.(\d+)\.tail", name)
            if match:
                pid, tid, number = map(int, match.groups())
                tail = Tail(os.path.join(folder, name))
                equal((tail.header.pid, tail.header.seq), (pid, number), name + ": pid and seq")
                true((pid, tid, tail.seq) not in self.tails, name + ": a second one")
                self.tails[pid, tid, tail.seq] = tail
                if tail.holds:
                    found[pid, tid, tail.seq] = "trace.%d.%d.%d.bin" % (pid, tid, tail.seq)
        for name in names:
            match = re.fullmatch(r"trace\.(\d+)\.(\d+)\.(\d+)\.bin", name)
            if match:
                true(str(int(match[3])) == match[3], "padded number: " + name)
                found[tuple(map(int, match.groups()))] = name
            elif re.fullmatch(r"trace\.(\d+)\.process", name):
                self.processes[int(name.split(".")[1])] = read_process(os.path.join(folder, name))
            elif re.fullmatch(r"trace\.summary\.\d+\.\d+(\.[1-9]\d*)?\.(bin|tail)", name):
                summary = Summary(os.path.join(folder, name))
                (self.tables if summary.table else self.summaries).append(summary)
                equal("%d.%d" % (summary.pid, summary.tid),
                      ".".join(name.split(".")[2:4]), name + ": pid and tid")
            elif not name.endswith(".tail"):
                raise AssertionError("a file of another name: " + name)
        # A kill may come between the making of a segment and its header.
        killed = {tail.header.pid for tail in self.tails.values()}
        found = {key: name for key, name in found.items() if key in self.tails or
                 key[0] not in killed or os.path.getsize(os.path.join(folder, name)) >= 80}
        parts = {name: File(os.path.join(folder, name), self.tails.get(key))
                 for key, name in found.items()}
        # Where segments were discarded, a thread's first may be among them.
        rotated = {p.header.pid for p in parts.values() if p.header.flags & ROTATED}
        for (pid, tid, seq), name in sorted(found.items()):
            part = parts[name]
            equal((part.header.pid, part.header.seq), (pid, seq), name + ": pid and seq")
            equal({event.tid for event in part.events} - {tid}, set(), name + ": tids of events")
            self.files.append(part)
            first = (pid, tid) != (self.threads and (self.threads[-1].pid, self.threads[-1].tid))
            if part.header.flags & THREAD_START or first and pid in rotated | killed:
                self.threads.append(Thread(pid, tid))
            true(self.threads and (self.threads[-1].pid, self.threads[-1].tid) == (pid, tid),
                 name + ": the first file of a thread has no start flag")
            self.threads[-1].files.append(part)

    def pids(self):
        return sorted({t.pid for t in self.threads})

    def of(self, pid=None, tid=None):
        """The only thread with that pid and tid."""
        found = [t for t in self.threads if pid in (None, t.pid) and tid in (None, t.tid)]
        equal(len(found), 1, "threads with pid %s, tid %s" % (pid, tid))
        return found[0]

    def names(self, thread, extra=()):
        table = symbols(self.program, thread.files[0].header.load_bias)
        for path, bias in extra:
            table.update(symbols(path, bias))
        return table

    def counts(self, thread, table=None):
        """function → calls of a well-formed thread; checks order, nesting, indices."""
        check_order(thread)
        table = table or self.names(thread)
        return collections.Counter(name for name, kind in named(thread, table) if kind == ENTER)


def named(thread, table):
    for event in thread.calls():
        name = table.get(event.func)
        if name is None:
            raise AssertionError("unknown function %#x" % event.func)
        yield name, event.kind


def check_order(thread, nested=True, first=0):
    """Time never runs back, every file begins where the one before ended, and enters
    and exits nest, but for one exit where `first` events before them are gone."""
    last, index, stack = 0, first, []
    for part in thread.files:
        equal(part.header.first_index, index + 1, part.path + ": first_index")
        for ts, func, _caller, _tid, kind, _pad in part.events:
            if ts < last:
                raise AssertionError("%s: time runs back" % part.path)
            last = ts
            if kind == MARKER:
                continue
            index += 1
            if kind == ENTER:
                stack.append(func)
            elif nested and not (first and index == first + 1):
                if not stack or stack.pop() != func:
                    raise AssertionError("%s: event %d: an exit that is not the innermost call's" % (part.path, index))
    return stack


def closing(capture, pid):
    """The closing anchor of a process; checks that it is one and the last record."""
    ends = [f.events[-1] for f in capture.files if f.header.pid == pid and f.events
            and f.events[-1].kind == MARKER and f.events[-1].func == CLOCK]
    every = [e for t in capture.threads if t.pid == pid for e in t.markers(CLOCK)]
    equal(len(ends), 1, "closing anchors at the end of a file")
    equal(len(every), 1, "closing anchors")
    return ends[0]


def said(result, pattern):
    """The words that a program printed as lines `pattern`, as tuples."""
    return re.findall("^" + pattern + "$", result.stdout, re.M)
