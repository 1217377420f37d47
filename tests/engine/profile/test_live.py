# SPDX-License-Identifier: MIT
"""A recording that is read while it grows against one that is read when it is complete."""

import glob
import os
import random
import re
import struct
import subprocess
import time

import compiled
import recordings as rec
import tap
from model import Writer
from tap import Folder, equal, main, test, true

COMPARE = os.path.join(tap.BUILD, "tests", "engine", "profile", "live-compare")
THREAD_STARTS = 256  # the marker


def numbers(output):
    return {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", output)}


def records(trace):
    """How many lie in the files of a recording."""
    count = 0
    for path in glob.glob(trace + "/*.bin"):
        with open(path, "rb") as file:
            data = file.read()
        if data[8] == 2:
            count += (len(data) - 80) // 32
        offset = 80
        while data[8] == 3 and offset < len(data):
            size, held = struct.unpack_from("=II", data, offset + 12)
            offset += size
            count += held
    return count


def make_places(folder):
    """Where a recording is, and where it is to grow."""
    os.mkdir(folder + "/from")
    os.mkdir(folder + "/to")


def write_random(folder, seed):
    make_places(folder)
    writer = Writer(folder + "/from", seed, False)
    for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
        writer.process(pid)
    return writer


def grow(folder, seed, *part, options=()):
    """What live-compare prints of a recording that grew; fails where it found a difference."""
    result = tap.run(COMPARE, *options, "grow", folder + "/from", folder + "/to", str(seed), *map(str, part), check=None)
    equal(result.returncode, 0, "seed %d: %s%s" % (seed, result.stdout[:3000], result.stderr))
    return numbers(result.stdout)


@test
def random_recordings_that_grow():
    for seed in range(3000, 3024):
        with Folder() as folder:
            write_random(folder, seed)
            true(grow(folder, seed)["compared"] >= 1, "compared")


@test
def indices_of_random_recordings_that_grow():
    for seed in range(3200, 3216):
        with Folder() as folder:
            write_random(folder, seed)
            true(grow(folder, seed, options=("-t",))["compared"] >= 1, "compared")


@test
def parts_of_random_recordings_that_grow():
    for seed in range(3100, 3120):
        with Folder() as folder:
            writer = write_random(folder, seed)
            if not writer.model.calls:
                continue
            span = writer.model.last - writer.model.first
            times = sorted(writer.random.randint(0, span) for _ in range(2))
            grow(folder, seed, times[0], times[1] + 1)


@test
def a_stream_that_grows():
    for seed in range(6):
        with Folder() as folder:
            make_places(folder)
            rand = random.Random(seed)
            now = 0
            depth = {}
            for seq in range(3):
                parts = []
                for _ in range(40):
                    tid = rand.randint(1, 4)
                    if tid not in depth:
                        depth[tid] = []
                        parts.append(rec.event(rec.MARKER, 0, THREAD_STARTS, 0, tid))
                    for _ in range(rand.randint(1, 12)):
                        now += rand.randint(0, 50)
                        if not depth[tid] or rand.random() < 0.5:
                            depth[tid].append(0x1000 + 16 * rand.randint(0, 5))
                            parts.append(rec.event(rec.ENTER, now, depth[tid][-1], 0x20, tid))
                        else:
                            parts.append(rec.event(rec.EXIT, now, depth[tid].pop(), 0x20, tid))
                rec.write(folder + "/from", "trace.stream.dev.%d.bin" % seq, rec.header(seq=seq), *parts)
            result = grow(folder, seed, options=("-t",) if seed % 2 else ())
            true(result["compared"] > 5, "compared")
            equal(result["read"], records(folder + "/from"), "records read")


@test
def new_events_alone_are_read():
    with Folder() as folder:
        make_places(folder)
        parts = [rec.event(kind, 10 * i + kind, 0x1000) for i in range(30000) for kind in (rec.ENTER, rec.EXIT)]
        rec.write(folder + "/from", "trace.1.1.0.bin", rec.header(flags=rec.THREAD_START), *parts)
        result = grow(folder, 1)
        true(result["refreshes"] > 500, "refreshes")
        equal(result["read"], 60000, "records read")


def build_busy(folder):
    binary = folder + "/busy"
    tap.run("gcc", "-g", "-O1", "-pthread", "-finstrument-functions",
            os.path.join(tap.TOP, "tests/engine/profile/busy.c"), compiled.runtime("gcc"), "-o", binary, check=0)
    return binary


def watch(how, folder, binary, variables, *times, options=()):
    """Runs a program with a watcher beside it. Returns the folder of its recording and what the watcher says."""
    trace = folder + "/traces%d" % len(os.listdir(folder))
    os.mkdir(trace)
    program = subprocess.Popen([binary], env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=trace, **variables),
                               stderr=subprocess.DEVNULL)
    watcher = subprocess.Popen([COMPARE, *options, how, trace, str(program.pid), *map(str, times)], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    equal(program.wait(), 0, "the program's exit status")
    output = watcher.communicate(timeout=60)[0]
    if watcher.returncode:
        raise AssertionError("%r: %s" % (variables, output[:3000]))
    return trace, output


@test
def a_program_that_runs():
    with Folder() as folder:
        binary = build_busy(folder)
        for variables in ({}, {"TRACE_SEG_MB": "1", "TRACE_FORMAT": "packed"}, {"TRACE_CLOCK": "mono"},
                          {"TRACE_CLOCK": "mono", "TRACE_SEG_MB": "64K", "TRACE_FORMAT": "packed"}):
            trace, output = watch("watch", folder, binary, variables)
            result = numbers(output)
            true(result["refreshes"] >= 2, "refreshes: %d" % result["refreshes"])
            # All of it once, once more with the last anchor, and what was there of it, its half, its
            # quarter … with others.
            true(result["read"] <= (4 if "TRACE_CLOCK" not in variables else 1) * records(trace) + 1000,
                 "%d records read of %d" % (result["read"], records(trace)))


@test
def the_index_of_a_program_that_runs():
    with Folder() as folder:
        binary = build_busy(folder)
        for variables in ({}, {"TRACE_CLOCK": "mono", "TRACE_SEG_MB": "64K", "TRACE_FORMAT": "packed"}):
            output = watch("watch", folder, binary, variables, options=("-t",))[1]
            true(numbers(output)["refreshes"] >= 2, output)


@test
def the_index_of_a_program_that_removes_its_oldest_files():
    with Folder() as folder:
        output = watch("watch", folder, build_busy(folder), {"TRACE_CLOCK": "mono", "TRACE_FULL": "wrap",
                                                             "TRACE_MAX_MB": "1", "TRACE_SEG_MB": "64K"}, options=("-t",))[1]
        true(numbers(output)["refreshes"] >= 2, output)


@test
def a_part_of_a_program_that_runs():
    with Folder() as folder:
        binary = build_busy(folder)
        for variables in ({"TRACE_FORMAT": "packed"}, {"TRACE_CLOCK": "mono"}):
            watch("watch", folder, binary, variables, 100000000, 300000000)


@test
def a_program_that_removes_its_oldest_files():
    with Folder() as folder:
        binary = build_busy(folder)
        for variables in ({}, {"TRACE_CLOCK": "mono", "TRACE_FORMAT": "packed"}, {"TRACE_TAIL": "0"}):
            output = watch("wrap", folder, binary, dict(variables, TRACE_FULL="wrap", TRACE_MAX_MB="1", TRACE_SEG_MB="64K"))[1]
            result = numbers(output)
            true(result["compared"] > 0 and result["refreshes"] >= 2, output)
            # A clock's last anchor has all read once more that is left.
            true(result["live"] >= result["fresh"] + ("TRACE_CLOCK" in variables), output)
            true("opened any more" not in output and "TRACE_FULL=wrap" in output, output)


main()
