# SPDX-License-Identifier: MIT
"""A killed lab: every hook that had returned is in the report, of every thread."""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import recordings as rec
import tap
from tap import Folder, Skip, compilers, equal, run, test, true

from lab_build import HERE, make

KILLS = int(os.environ.get("KILLS", 20))
FORMATS = os.environ.get("TRACE_FORMAT", "packed,records").split(",")  # in turns


def tails_are_safe(folder):
    kind = run("stat", "-f", "-c", "%T", folder, check=0).stdout.strip()
    return kind in ("ext2/ext3", "xfs", "tmpfs")


def build(folder, cc):
    counts = folder + "/kill-counts.o"
    run(cc, "-std=c11", "-O2", "-c", os.path.join(HERE, "kill-counts.c"), "-o", counts, check=0)
    make(folder, "instrument", "LDLIBS=-lm -pthread " + counts,
         "LDFLAGS=-Wl,--wrap=__cyg_profile_func_enter,--wrap=__cyg_profile_func_exit", cc=cc)
    return folder + "/bin/lab.instr"


def killed(program, folder, after, form):
    """Runs the lab for a while and kills it.  What each thread had counted; whether it was in time."""
    counts = folder + "/counts"
    with open(counts, "wb") as stream:
        stream.truncate(4096 * 16)
    env = dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces", TRACE_MAX_MB="4096",
               TRACE_FORMAT=form, KILL_COUNTS=counts)
    lab = subprocess.Popen([program, "--scale", "40"], env=env, stdout=subprocess.DEVNULL)
    time.sleep(after)
    lab.kill()
    status = lab.wait()
    true(status in (-9, 0), "the lab's exit status is %d" % status)
    with open(counts, "rb") as stream:
        return {tid: hooks for tid, hooks in struct.iter_unpack("=QQ", stream.read()) if tid}, status == -9


@test
def every_hook_that_returned_is_in_the_report():
    cc = compilers()[0]
    moments = random.Random(int.from_bytes(os.urandom(4), "little"))
    with Folder() as folder:
        if not tails_are_safe(folder):
            raise Skip("this file system keeps no reserved space")
        program = build(folder, cc)
        kills = threads = events = more = 0
        for _ in range(2 * KILLS):
            after = moments.uniform(0.01, 0.35)
            form = FORMATS[kills % len(FORMATS)]
            counted, in_time = killed(program, folder, after, form)
            if in_time and counted:
                data = json.loads(rec.analyze(folder + "/traces", "--format", "json").stdout)
                told = {thread["tid"]: thread["events"] for thread in data["per_thread"]}
                for tid, hooks in counted.items():
                    # One hook may have recorded and not returned.
                    true(told.get(tid, 0) - hooks in (0, 1), form + ", killed after %.4f s: thread %d made %d hooks, "
                         "%d are in the report" % (after, tid, hooks, told.get(tid, 0)))
                    more += told.get(tid, 0) - hooks
                equal((data["lost"], data["unmatched_exits"], data["clamped"]), (0, 0, 0), "lost")
                true(all("killed" in notice or "tails" in notice for notice in data["notices"]),
                     data["notices"])
                kills += 1
                threads += len(counted)
                events += data["events"]
            shutil.rmtree(folder + "/traces", ignore_errors=True)
            if kills == KILLS:
                break
        equal(kills, KILLS, "kills while threads were at work")
        print("# %d kills, %d threads, %d events in the reports, %d of hooks that had not returned" %
              (kills, threads, events, more))


tap.main()
