# SPDX-License-Identifier: MIT
"""Building the lab and reading what it leaves, for the tests in this folder."""

import glob
import os
import struct

import compiled
import tap
from tap import equal, run, true

HERE = os.path.dirname(os.path.abspath(__file__))
LAB = os.path.join(HERE, "lab")
JOBS = "-j%d" % (os.cpu_count() or 2)


def make(folder, *words, cc=None, source=LAB):
    """Run make with its output in `folder`; what it printed. cc: with this compiler and the runtime that it has
    compiled for all tests."""
    if cc:
        words = ("CC=" + cc, "TRACE_OBJ=" + compiled.runtime(cc), *words)
    result = run("make", JOBS, "-C", source, "BUILDDIR=%s/build" % folder,
                 "BINDIR=%s/bin" % folder, "RUNTIME=" + tap.RUNTIME, *words, check=0)
    true("warning" not in result.stdout + result.stderr, "the build warns:\n" + result.stderr)
    return result.stdout


def record(program, folder, *arguments):
    """Run an instrumented program with tracing on; its output.  Events in `folder`."""
    os.makedirs(folder)
    return run(program, *arguments, check=0,
               env={"TRACE_ENABLE": "1", "TRACE_DIR": folder}).stdout


def count_events(folder):
    """The number of calls in a recording of event files.

    Checks on the way that in each file every exit ends the function entered last and that
    nothing stays open."""
    calls = 0
    files = glob.glob(os.path.join(folder, "trace.*.bin"))
    true(files, "there are no event files in " + folder)
    for path in files:
        with open(path, "rb") as file:
            data = file.read()
        equal(data[:8], b"MLTRACE\0", path)
        version, event_size, header_size = struct.unpack_from("=III", data, 8)
        equal((version, event_size), (2, 32), path)
        equal((len(data) - header_size) % event_size, 0, "a part of an event in " + path)
        open_functions = []
        for _, function, _, _, kind in struct.iter_unpack("=QQQIB3x", data[header_size:]):
            if kind == 0:
                open_functions.append(function)
                calls += 1
            elif kind == 1:
                true(open_functions, "an exit without an enter in " + path)
                equal(open_functions.pop(), function, "the function that ends in " + path)
        equal(open_functions, [], "functions left open in " + path)
    return calls
