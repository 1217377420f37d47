# SPDX-License-Identifier: MIT
"""The formats that show single calls need no more memory for more calls, nor files that are named one by one for
more of them."""

import array
import os
import subprocess
import sys

import recordings as rec
import tap
from tap import Folder, Skip, equal, main, test, true

CALLS = 1000000
PIECE = 10000


def peak(form, *paths):
    """The largest resident size of analyze, MB, and the number of bytes that it wrote."""
    process = subprocess.Popen([tap.CLI, "analyze", *paths, "--format", form], stdout=subprocess.PIPE)
    counter = subprocess.Popen(["wc", "-c"], stdin=process.stdout, stdout=subprocess.PIPE)
    process.stdout.close()
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    equal(process.returncode, 0, form)
    return usage.ru_maxrss / 1024, int(counter.communicate()[0])


@test
def a_million_calls():
    if sys.byteorder != "little":
        raise Skip("the events are made for a little-endian machine")
    with Folder() as folder:
        path = rec.write(folder, "trace.1.1.0.bin", rec.header())
        with open(path, "ab") as file:
            # Piece by piece: a process begins with the peak of the one that started it.
            for begin in range(0, 2 * CALLS, 2 * PIECE):
                words = array.array("Q", bytes(32 * 2 * PIECE))
                words[0::4] = array.array("Q", range(10 + begin, 10 + begin + 2 * PIECE))
                # Enter, enter, exit, exit, of two functions.
                words[1::4] = array.array("Q", [0x1000, 0x2000, 0x2000, 0x1000] * (PIECE // 2))
                words[3::4] = array.array("Q", [1, 1, 1 | 1 << 32, 1 | 1 << 32] * (PIECE // 2))
                file.write(words.tobytes())
        equal(rec.report(folder)["by_name"]["0x2000"]["calls"], CALLS // 2, "calls")
        plain, _bytes = peak("text", folder)
        for form, each in (("chrome", 60), ("perfetto", 30), ("speedscope", 60)):
            used, written = peak(form, folder)
            true(written > CALLS * each, "%s wrote %d bytes" % (form, written))
            true(used < plain + 8, "%s took %.1f MB, the text report %.1f MB" % (form, used, plain))


@test
def segments_named_one_by_one():
    """Their process file is read once, as of a folder."""
    with Folder() as folder:
        files = [rec.write(folder, "trace.7.1.%d.bin" % n, rec.header(pid=7, t0_ns=5, seq=n),
                           rec.event(rec.ENTER, 100 + 10 * n, 0x10), rec.event(rec.EXIT, 105 + 10 * n, 0x10))
                 for n in range(100)]
        modules = "".join("module 5 0 %x %x - /nowhere/lib%d\n" % (n << 12, (n + 1) << 12, n) for n in range(1, 10000))
        rec.write(folder, "trace.7.process", ("CALLSIGHT-PROCESS 1\npid 7\nstart-monotonic-ns 5\n" + modules).encode())
        whole, _bytes = peak("json", folder)
        each, _bytes = peak("json", *files)
        true(each < whole + 8, "%.1f MB, of the folder %.1f MB" % (each, whole))


main()
