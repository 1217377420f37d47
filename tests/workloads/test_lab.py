#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sample program: it builds everywhere, is right, and does the same every time."""

import glob
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import Folder, Skip, compilers, equal, run, test, true

import callgrind_counts
from lab_build import JOBS, LAB, count_events, make, record

EXPECTED_CALLS = sum(callgrind_counts.read(os.path.join(LAB, "expected-counts.txt")).values())


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(program + " is not installed")


def check_summary(text, scale=1, seed=20240229):
    """Every kind of work says ok, and so does the last line."""
    lines = text.splitlines()
    equal(len(lines), 12, "lines of\n" + text)
    for line in lines[:-1]:
        true(re.fullmatch(r"\w+ +\d+ threads? +\d+ checks  [0-9a-f]{16}  ok", line), line)
    true(lines[-1].startswith("25 threads, scale %d, seed %d, %d jobs " % (scale, seed, 48 * scale)),
         lines[-1])
    true(lines[-1].endswith(": ok"), lines[-1])


def check_pair(plain, instrumented, folder):
    """Both programs do the same; only the one with the hooks records, and all of it."""
    output = run(plain, check=0).stdout
    check_summary(output)
    equal(run(instrumented, cwd=os.path.dirname(folder), check=0).stdout, output, "without tracing")
    equal(record(instrumented, folder), output, "with tracing")
    equal(count_events(folder), EXPECTED_CALLS, "recorded calls")
    symbols = run("nm", plain, check=0).stdout
    true("__cyg_profile" not in symbols, "the plain program has hooks")


_built = {}


def build(cc):
    """The folder of a lab built by make, once for all tests."""
    need("make", cc)
    if cc not in _built:
        folder = Folder()
        if cc == compilers()[0]:
            make(folder.__enter__(), "CC=" + cc, "all", "instrument")
        else:
            make(folder.__enter__(), "CFLAGS=-O1", "all", "instrument", cc=cc)
        _built[cc] = folder
    return _built[cc].path


def plain_lab():
    return build(compilers()[0]) + "/bin/lab"


def check_make(cc):
    folder = build(cc)
    check_pair(folder + "/bin/lab", folder + "/bin/lab.instr", folder + "/traces")


@test
def make_with_gcc():
    check_make("gcc")


@test
def make_with_clang():
    check_make("clang")


@test
def make_follows_headers():
    need("make")
    with Folder() as folder:
        source = os.path.join(folder, "lab")
        shutil.copytree(LAB, source)
        sources = [os.path.relpath(path, source)
                   for part in ("sort", "util") for path in glob.glob("%s/src/%s/*.c" % (source, part))]
        words = ["CC=" + compilers()[0], "CFLAGS=-O0"]
        words += ["%s/build/%s%s.o" % (folder, variant, path[:-2])
                  for path in sources for variant in ("", "instr/")]
        equal(make(folder, *words, source=source).count("-c -o"), 2 * len(sources), "compiled")
        equal(make(folder, *words, source=source).count("-c -o"), 0, "compiled once more")

        os.utime(os.path.join(source, "src", "util", "array.h"))
        compiled = re.findall(r"-c -o \S+ (src/\S+)", make(folder, *words, source=source))
        users = []
        for path in sources:
            with open(os.path.join(source, path), encoding="utf-8") as text:
                if re.search(r'#include "(util/)?array\.h"', text.read()):
                    users.append(path)
        equal(sorted(compiled), sorted(2 * users), "what includes array.h, for both programs")


@test
def cmake():
    need("cmake", "make")
    with Folder() as folder:
        output = folder + "/build"
        run("cmake", "-S", LAB, "-B", output, "-G", "Unix Makefiles",
            "-DCMAKE_C_COMPILER=" + compilers()[0], "-DLAB_INSTRUMENT=ON",
            "-DLAB_RUNTIME=" + tap.RUNTIME, "-DLAB_INSTR_CFLAGS=-O0", check=0)
        result = run("cmake", "--build", output, JOBS, check=0)
        true("warning" not in result.stderr, result.stderr)
        check_pair(output + "/lab", output + "/lab.instr", folder + "/traces")


@test
def cmake_needs_no_runtime_for_the_plain_program():
    need("cmake", "make")
    with Folder() as folder:
        run("cmake", "-S", LAB, "-B", folder, "-G", "Unix Makefiles",
            "-DCMAKE_C_COMPILER=" + compilers()[0], "-DLAB_RUNTIME=/nowhere", check=0)
        targets = run("cmake", "--build", folder, "--target", "help", check=0).stdout.split()
        true("lab" in targets, "there is a target lab")
        true("lab.instr" not in targets, "there is a target lab.instr")


@test
def meson():
    need("meson", "ninja")
    with Folder() as folder:
        output = folder + "/build"
        run("meson", "setup", output, LAB, "-Dinstrument=true", "-Druntime=" + tap.RUNTIME,
            "-Dwerror=true", "-Dinstr_cflags=-O0,-fno-inline", env={"CC": compilers()[-1]}, check=0)
        run("ninja", "-C", output, check=0)
        check_pair(output + "/lab", output + "/lab.instr", folder + "/traces")


@test
def meson_lists_every_source():
    with open(os.path.join(LAB, "meson.build"), encoding="utf-8") as text:
        listed = re.findall(r"'(src/\S+\.c)'", text.read())
    there = glob.glob(LAB + "/src/**/*.c", recursive=True)
    equal(sorted(listed), sorted(os.path.relpath(path, LAB) for path in there))


@test
def output_is_the_same_every_time():
    for scale in (1, 2):
        outputs = {run(plain_lab(), "--scale", scale, check=0).stdout for _ in range(4)}
        equal(len(outputs), 1, "different outputs at scale %d" % scale)
        check_summary(outputs.pop(), scale)


@test
def seeds_and_scales_give_different_work():
    outputs = set()
    for scale, seed in ((1, 1), (1, 2), (2, 1), (3, 18446744073709551615)):
        output = run(plain_lab(), "--scale", scale, "--seed", seed, check=0).stdout
        check_summary(output, scale, seed)
        outputs.add(tuple(re.findall(r"[0-9a-f]{16}", output)))
    equal(len(outputs), 4, "different checksums")


@test
def threads_have_the_listed_names():
    names = run(plain_lab(), "--threads-list", check=0).stdout.split()
    equal(len(names), 25, "names")
    equal(len(set(names)), 25, "different names")
    for name in ("sort-0", "sort-3", "matrix-2", "fft-1", "pool-3", "ticker", "logger"):
        true(name in names, name)

    # Long enough to see all of them at work.
    lab = subprocess.Popen([plain_lab(), "--scale", "500"], stdout=subprocess.DEVNULL)
    try:
        missing = set(names)
        while missing and lab.poll() is None:
            for path in glob.glob("/proc/%d/task/*/comm" % lab.pid):
                try:
                    with open(path, encoding="utf-8") as comm:
                        missing.discard(comm.read().strip())
                except OSError:
                    pass  # the thread has just ended
            time.sleep(0.001)
        equal(sorted(missing), [], "threads that were not seen")
    finally:
        lab.kill()
        lab.wait()


@test
def options_that_cannot_be_read_end_with_2():
    for words in (["--scale"], ["--scale", "0"], ["--scale", "2x"], ["--scale", "-1"],
                  ["--seed", ""], ["--seed", "99999999999999999999"], ["--wrong"], ["word"]):
        result = run(plain_lab(), *words, check=2)
        true(result.stderr.startswith("usage: lab "), result.stderr)
        equal(result.stdout, "", words)
    true(run(plain_lab(), "--help", check=0).stdout.startswith("usage: lab "), "--help")


@test
def self_checks_notice_faults():
    need("make")
    faults = (
        ("sort/heapsort.c", "data[child + 1]) < 0", "data[child + 1]) > 0", "sort"),
        ("fft/ntt.c", "u + NTT_PRIME - v", "u + NTT_PRIME - v + (k == 5)", "fft"),
        ("graph/dijkstra.c", "length < distance[e->to]", "distance[e->to] == GRAPH_FAR", "graph"),
        ("expr/compute.c", "left - right", "right - left", "expr"),
        ("pack/lz.c", "out->n - distance]", "out->n - 1]", "pack"),
        ("alloc/buddy.c", "b->state[node ^ 1] == FREE", "b->state[node ^ 1] != TAKEN", "alloc"),
        ("hash/table.c", "!= 0 && t->keys[i] != key", "!= 0 && t->keys[i] < key", "hash"),
        ("matrix/lu.c", "x[i] = b[rows[i]]", "x[i] = b[rows[i] / 2]", "matrix"),
    )
    with Folder() as folder:
        source = os.path.join(folder, "lab")
        shutil.copytree(LAB, source)
        words = ["CC=" + compilers()[0], "CFLAGS=-O0"]
        make(folder, *words, source=source)
        for file, right, wrong, kind in faults:
            path = os.path.join(source, "src", file)
            with open(path, encoding="utf-8") as text:
                original = text.read()
            equal(original.count(right), 1, "%s: %s" % (file, right))
            with open(path, "w", encoding="utf-8") as text:
                text.write(original.replace(right, wrong))
            # A time of its own, whatever the resolution of the file system.
            os.remove("%s/build/src/%s.o" % (folder, file[:-2]))
            make(folder, *words, source=source)
            result = run(folder + "/bin/lab")
            equal(result.returncode, 1, "the exit status with a fault in " + file)
            failed = re.findall(r"^(\w+) .*FAILED: ", result.stdout, re.MULTILINE)
            equal(failed, [kind], file)
            true(result.stdout.endswith(": FAILED\n"), "the last line")
            with open(path, "w", encoding="utf-8") as text:
                text.write(original)
            os.remove("%s/build/src/%s.o" % (folder, file[:-2]))


try:
    tap.main()
finally:
    for folder in _built.values():
        folder.__exit__()
