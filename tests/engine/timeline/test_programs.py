# SPDX-License-Identifier: MIT
"""The time index of programs that throw and jump, under gcc and clang: it must have each call that a
pass tells, to the nanosecond."""

import os
import shutil

import compiled
from tap import BUILD, Folder, Skip, main, run, test, true

SOURCE = """
#include <csetjmp>
static jmp_buf buffer;
static inline int deepest(int i) { if (i % 7 == 0) throw i; if (i % 11 == 0) longjmp(buffer, 1); return i; }
static inline int inlined(int i) { return deepest(i) + 1; }
__attribute__((noinline)) int middle(int i)
{
    try { return inlined(i); } catch (int x) { if (x % 2) throw; return x; }
}
__attribute__((noinline)) int outer(int i) { try { return middle(i) + inlined(i + 1); } catch (...) { return -1; } }
__attribute__((noinline)) int again(int n, int i) { return n ? again(n - 1, i) + outer(i) : outer(i); }
int main()
{
    volatile int sum = 0, i;
    for (i = 0; i < 2000; i++)
        if (!setjmp(buffer))
            sum += again(i % 5, i);
}
"""


def check(cc, cxx, level):
    if not shutil.which(cxx):
        raise Skip(cxx + " is not installed")
    with Folder() as folder:
        source = os.path.join(folder, "program.cc")
        with open(source, "w") as file:
            file.write(SOURCE)
        run(cxx, level, "-g", "-finstrument-functions", source, compiled.runtime(cc), "-o", "program", "-rdynamic", "-ldl",
            "-lpthread", cwd=folder, check=0)
        traces = os.path.join(folder, "traces")
        os.mkdir(traces)
        run(os.path.join(folder, "program"), check=0, env={
            "TRACE_ENABLE": "1", "TRACE_DIR": traces, "TRACE_FORMAT": "records" if level == "-O0" else "packed"})
        tool = os.path.join(BUILD, "tests", "engine", "timeline", "compare-pass")
        calls, repaired, start = map(int, run(tool, traces, check=0).stdout.split())
        true(calls > 20000 and repaired > 500, "%d calls, %d repaired" % (calls, repaired))
        # Ghosts come and go: close to the end there is a place where there are none.
        true(start > calls, "a pass could begin at event %d" % start)


@test
def gcc_optimized():
    check("gcc", "g++", "-O2")


@test
def gcc():
    check("gcc", "g++", "-O0")


@test
def clang_optimized():
    check("clang", "clang++", "-O2")


@test
def clang():
    check("clang", "clang++", "-O0")


if __name__ == "__main__":
    main()
