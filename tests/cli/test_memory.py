# SPDX-License-Identifier: MIT
"""The formats that show single calls need no more memory for more calls."""

import array
import os
import subprocess
import sys

import recordings as rec
import tap
from tap import Folder, Skip, equal, main, test, true

CALLS = 1000000
PIECE = 10000


def peak(folder, form):
    """The largest resident size of analyze, MB, and the number of bytes that it wrote."""
    process = subprocess.Popen([tap.CLI, "analyze", folder, "--format", form], stdout=subprocess.PIPE)
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
        plain, _bytes = peak(folder, "text")
        for form, each in (("chrome", 60), ("perfetto", 30), ("speedscope", 60)):
            used, written = peak(folder, form)
            true(written > CALLS * each, "%s wrote %d bytes" % (form, written))
            true(used < plain + 8, "%s took %.1f MB, the text report %.1f MB" % (form, used, plain))


main()
