# SPDX-License-Identifier: MIT
"""Writes that fail, and files that are changed behind the runtime's back."""

import errno
import os
import re
import resource
import shutil
import signal
import subprocess

from tap import Folder, Skip, compilers, equal, main, run, test, true
from traces import WRITE_ERROR, Capture, File, build, check_order, closing, said, tails_are_safe, trace

CC = compilers()[0]


def limited(program, folder, limit, ignore):
    """Run with a limit on the size of a file."""
    def before():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if ignore else signal.SIG_DFL)
    return subprocess.run([program, "plain", folder], preexec_fn=before, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env=dict(os.environ, TRACE_ENABLE="1", TRACE_DIR=folder + "/traces"))


@test
def a_file_size_limit():
    with Folder() as folder:
        program = build(folder, CC, "writes.c")
        for limit in (300000, 80 + 32 * 10000, 80 + 32 * 8192, 262144 + 79):
            for ignore in (True, False):
                shutil.rmtree(folder + "/traces", True)
                result = limited(program, folder, limit, ignore)
                equal(result.returncode, 0, "the program ran on")
                true("ran to its end" in result.stdout, "the program ran on")
                lines = result.stderr.splitlines()
                # A buffer that is a file is limited, too.
                equal(len(lines), 1 + (limit < 266240 or not tails_are_safe()),
                      "lines on stderr: " + result.stderr)
                true("recording stopped" in lines[-1] and os.strerror(errno.EFBIG) in lines[-1],
                     lines[-1])
                capture = Capture(folder + "/traces", program)
                thread = capture.of()
                check_order(thread, nested=False)
                (part,) = thread.files
                true(limit - 64 < part.size <= limit, "the file ends at the limit, %d" % part.size)
                equal([e.caller for e in part.events if e.kind == 2 and e.func == WRITE_ERROR],
                      [errno.EFBIG], "marker 3")
                equal(part.events[-1].func, WRITE_ERROR, "the last record")


@test
def a_file_size_limit_where_the_budget_ends():
    """Whatever is written last, nothing of it kills the program."""
    with Folder() as folder:
        program = build(folder, CC, "many.c", "-O2")
        for how in ("records", "packed"):
            env = {"TRACE_MAX_MB": "64K", "TRACE_TAIL": "0", "TRACE_FORMAT": how}
            shutil.rmtree(folder + "/traces", True)
            _, capture = trace(program, "in-turn", 0, 200000, folder=folder, env=env)
            (part,) = capture.files
            for less in (1, 32, 33, 64, 100, 200):
                shutil.rmtree(folder + "/traces")
                result, capture = trace(program, "in-turn", 0, 200000, folder=folder, env=env,
                                        runner=("prlimit", "--fsize=%d" % (part.size - less)))
                true("ran to its end" in result.stdout, "the program ran on")
                true(all(file.size <= part.size - less for file in capture.files), "size")


def failures():
    """Calls that fail: one of the first alone, or all from one on."""
    for name, error, most in (("mmap", errno.ENOMEM, 9), ("mremap", errno.ENOMEM, 1), ("open", errno.EACCES, 5),
                              ("open", errno.EMFILE, 5), ("fallocate", errno.ENOSPC, 2), ("pwrite", errno.EIO, 4),
                              ("fchmod", errno.EPERM, 2), ("unlink", errno.EACCES, 1), ("pthread_key_create", errno.EAGAIN, 1)):
        for number in range(1, most + 1):
            yield name, number, ("once", "on")[number % 2], error


@test
def calls_that_fail():
    """Whatever fails, the program runs on, what is recorded is whole, and what isn't is told of."""
    with Folder() as folder:
        program = build(folder, CC, "fails.c", "-O1")
        quiet = {}
        for how in ({"TRACE_FORMAT": "records"}, {"TRACE_FORMAT": "packed"}, {"TRACE_MODE": "summary"}):
            env = dict(how, TRACE_MAX_MB="8", TRACE_SEG_MB="256K", TRACE_FULL="wrap")
            for failure in [(), *failures()]:
                shutil.rmtree(folder + "/traces", True)
                result, capture = trace(program, *failure, folder=folder, env=env)
                what = "%s %s: %s" % (how, failure, result.stderr)
                equal(result.stdout, "ran to its end\n", what)
                true(all(line.startswith("callsight: ") for line in result.stderr.splitlines()), what)
                true(len(result.stderr.splitlines()) <= 4, what)
                for thread in capture.threads:
                    equal([e.ts for e in thread.events], sorted(e.ts for e in thread.events), what + ": times")
                calls = sum(len(thread.calls()) for thread in capture.threads)
                whole = {sums.path[:-3] for sums in capture.summaries}  # in place of their tables, if these stay
                for sums in capture.summaries + [table for table in capture.tables if table.path[:-4] not in whole]:
                    calls += sum(row.calls for row in sums.rows.values()) + sums.truncated
                if not failure:
                    quiet = calls
                    equal(result.stderr, "", "nothing fails")
                true(calls == quiet or result.stderr, "%d of %d calls; %s" % (calls, quiet, what))


@test
def a_full_disk():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    with Folder() as folder:
        program = build(folder, CC, "writes.c")
        os.mkdir(folder + "/full")
        if run("unshare", "-m", "mount", "-t", "tmpfs", "none", folder + "/full").returncode:
            raise Skip("no mount here")
        script = "mount -t tmpfs -o size=600k none %s/full && cd / && %s plain . && " \
                 "cp -r %s/full/t %s/traces" % (folder, program, folder, folder)
        result = run("unshare", "-m", "sh", "-c", script, check=0,
                     env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/full/t",
                          "TRACE_MIN_FREE_MB": "0", "TRACE_TAIL": "0"})
        true("ran to its end" in result.stdout, "the program ran on")
        equal(len(result.stderr.splitlines()), 1, "lines on stderr: " + result.stderr)
        capture = Capture(folder + "/traces", program)
        thread = capture.of()
        check_order(thread, nested=False)
        true(len(thread.calls()) > 8192, "%d events" % len(thread.calls()))
        equal([e.caller for e in thread.markers(WRITE_ERROR)], [errno.ENOSPC], "marker 3")


@test
def segments_that_are_removed_or_replaced():
    for how, left in (("remove", 1), ("replace", 2)):
        with Folder() as folder:
            program = build(folder, CC, "writes.c")
            result = run(program, how, folder + "/traces", check=0,
                         env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"})
            equal(result.stderr, "", "stderr")
            pid = said(result, r"pid (\d+)")[0]
            first = "%s/traces/trace.%s.%s.0.bin" % (folder, pid, pid)
            equal(len([n for n in os.listdir(folder + "/traces") if n.endswith(".bin")]), left,
                  "segments")
            if how == "replace":
                with open(first, "rb") as stream:
                    equal(stream.read(), b"mine", "a file that is not ours")
                os.unlink(first)
            part = File("%s/traces/trace.%s.%s.1.bin" % (folder, pid, pid))
            # What was in the removed file is known by its count.
            equal(part.header.first_index, 8193, "first index")
            equal(sum(e.kind < 2 for e in part.events), 110000 - 8192, "events")


@test
def a_folder_that_is_removed():
    with Folder() as folder:
        program = build(folder, CC, "gone.c")
        result = run(program, folder + "/traces", check=0,
                     env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"})
        lines = result.stderr.splitlines()
        equal(len(lines), 1, "lines on stderr: " + result.stderr)
        true("cannot write to %s/traces: " % folder in lines[0], lines[0])


@test
def a_program_that_is_out_of_descriptors():
    with Folder() as folder:
        program = build(folder, CC, "writes.c")
        result = run(program, "descriptors", ".", check=0,
                     env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"})
        true(re.fullmatch("callsight: the program has no file descriptor free: .*\n",
                          result.stderr), result.stderr)
        true("took all" in result.stdout, "the program had all that it may have")
        capture = Capture(folder + "/traces", program)
        thread = capture.of()
        recorded = len(thread.calls())
        equal(len(thread.files), 2, "segments")
        gap = thread.files[1].header.first_index - 1 - sum(
            e.kind < 2 for e in thread.files[0].events)
        true(gap > 0, "no gap")
        equal(recorded + gap, 150000, "events and those that are known to be lost")
        closing(capture, thread.pid)


if __name__ == "__main__":
    main()
