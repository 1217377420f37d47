# SPDX-License-Identifier: MIT
"""The perfetto format, read by protoc."""

import readers
import recordings as rec
from tap import Folder, equal, main, test, true


@test
def calls_are_those_that_were_recorded():
    with Folder() as folder:
        told = readers.random_calls(folder)
        first = min(start for _tid, _name, start, _end, _self in told)
        calls, processes, threads = readers.perfetto(folder)
        equal(processes, {1: "process 1"}, "processes")
        equal(threads, {(1, tid): None for tid in range(1, 6)}, "threads")
        for tid in range(1, 6):
            equal([call[2:] for call in calls if call[:2] == (1, tid)],
                  [(name, start - first, end - first, "exited") for at, name, start, end, _self in told if at == tid],
                  "thread %d" % tid)
        rows = rec.report(folder)["by_name"]
        for name, row in rows.items():
            equal(sum(end - start for _pid, _tid, called, start, end, _how in calls if called == name), row["incl_ns"], name)


@test
def repaired_and_open_calls_and_stacks():
    with Folder() as folder:
        told = readers.odd_ends(folder)
        calls, _processes, threads = readers.perfetto(folder)
        equal(sorted(threads.items()), [((1, 1), None), ((1, 2), "thread 1, stack 0x7")], "a stack has a track of its own")
        equal(sorted(calls), sorted((1, 2 if stack else 1, *call) for stack, *call in told), "calls")


@test
def metadata_and_interleaved_threads():
    with Folder() as folder:
        rec.write(folder, "trace.stream.9.0.bin", rec.header(pid=9, t0_ns=5),
                  *[rec.event(kind, 10 + at, 0x1000 + 16 * tid, 0, tid) for kind, at in ((0, 0), (0, 5), (1, 7), (1, 9))
                    for tid in (21, 22, 23)])
        calls, _processes, threads = readers.perfetto(folder)
        equal(sorted(threads), [(9, 21), (9, 22), (9, 23)], "threads")
        equal(len(calls), 6, "calls")
        rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), rec.event(0, 10, 0x1000), rec.event(1, 20, 0x1000))
        rec.write(folder, "trace.1.process", b"CALLSIGHT-PROCESS 1\npid 1\nstart-monotonic-ns 5\nexe /x/\"q\\n;<>\n"
                  b"thread 1 0 \\x1b]0;title\\x07 \xff <b>\n")
        calls, processes, threads = readers.perfetto(folder)
        equal(processes[1], "\"q\n;<>", "the program's name")
        equal(threads[(1, 1)], "\033]0;title\007 \ufffd <b>", "the thread's name")


@test
def processes_that_had_one_pid_are_kept_apart():
    with Folder() as folder:
        for number, start in enumerate((100, 150)):
            rec.write(folder, "trace.1.1.%d.bin" % number, rec.header(t0_ns=5 + number, seq=number),
                      rec.event(0, start, 0x1000), rec.event(1, start + 100, 0x1000))
        calls, processes, _threads = readers.perfetto(folder)
        equal(sorted(call[0] for call in calls), [1, 2], "each has a pid")
        equal(processes[2], "process 1 (another one with pid 1)", "and says which it had")
        rec.nested_self(rec.chrome_events(folder))
        true(len({call[0] for call in rec.chrome_events(folder)}) == 2, "chrome")


main()
