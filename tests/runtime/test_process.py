# SPDX-License-Identifier: MIT
"""The process file: who ran, what was loaded where, what threads are called."""

import collections
import os
import re
import time

from tap import Folder, compilers, equal, main, run, test, true
from traces import Capture, build, check_order, said, symbols, trace

CC = compilers()[0]
PLUGIN = ("-shared", "-fPIC", "-fvisibility=hidden")


def build_id(path):
    found = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", path, check=0).stdout)
    return found[1] if found else "-"


def extent(path):
    """Lowest and highest link address of what is mapped of an ELF file, page-wise."""
    page = os.sysconf("SC_PAGESIZE")
    low, high = 2 ** 64, 0
    for line in run("readelf", "-lW", path, check=0).stdout.splitlines():
        words = line.split()
        if words and words[0] == "LOAD":
            low = min(low, int(words[2], 16))
            high = max(high, int(words[2], 16) + int(words[5], 16))
    return low // page * page, -(-high // page) * page


@test
def what_runs_and_what_is_loaded():
    for cc in compilers():
        for flags in (("-pie", "-fPIE"), ("-no-pie", "-fno-pie")):
            with Folder() as folder:
                program = build(folder, cc, "calls.c", flags=flags + ("-Wl,--build-id=sha1",))
                before = time.time_ns()
                result, capture = trace(program, 1, 5, folder=folder)
                after = time.time_ns()
                ((pid, sections),) = capture.processes.items()
                (section,) = sections
                equal(pid, int(said(result, r"main (\d+)")[0]), "pid of the file's name")
                equal(int(section.fields["pid"]), pid, "pid")
                equal(int(section.fields["parent"]), os.getpid(), "parent")
                equal(section.fields["exe"], program, "exe")
                true(before < int(section.fields["start-realtime-ns"]) < after, "wall clock")
                header = capture.files[0].header
                equal(int(section.fields["start-monotonic-ns"]), header.t0_ns, "t0")
                first = section.modules[0]
                equal(first.path, program, "the executable comes first")
                equal(first.bias, header.load_bias, "its bias")
                equal(first.bias == 0, "-no-pie" in flags, "bias 0")
                paths = [m.path for m in section.modules]
                true(any("libc.so" in p for p in paths), "libc in %r" % paths)
                for module in section.modules:
                    true(os.path.isabs(module.path), module.path)
                    equal(module.build_id, build_id(module.path), "build id of " + module.path)
                    low, high = extent(module.path)
                    equal((module.start - module.bias, module.end - module.bias), (low, high),
                          "extent of " + module.path)
                    equal(module.since, header.t0_ns, "since")


@test
def a_program_without_a_build_id():
    with Folder() as folder:
        program = build(folder, CC, "calls.c", flags=("-Wl,--build-id=none",))
        _, capture = trace(program, 0, 5, folder=folder)
        (section,) = list(capture.processes.values())[0]
        equal(section.modules[0].build_id, "-", "build id")


@test
def a_library_that_is_loaded_later():
    for cc in compilers():
        with Folder() as folder:
            library = build(folder, cc, "plugin.c", out="libplugin.so", flags=(
                "-shared", "-fPIC", "-Wl,--build-id=0x00112233445566778899aabbccddeeff00"))
            program = build(folder, cc, "plugins.c")
            result, capture = trace(program, "./libplugin.so", folder=folder, cwd=folder)
            thread = capture.of()
            (section,) = capture.processes[thread.pid]
            (module,) = [m for m in section.modules if m.path == library]
            equal(module.build_id, "00112233445566778899aabbccddeeff00", "build id")
            link = {name: address for address, name in symbols(library).items()}
            equal(module.bias + link["plugin_work"], int(said(result, "work (.*)")[0], 16), "bias")
            table = capture.names(thread, extra=[(library, module.bias)])
            equal(dict(capture.counts(thread, table)),
                  {"step": 10000, "plugin_loaded": 1, "plugin_work": 1, "plugin_step": 10,
                   "plugin_unloaded": 1}, "calls")
            header = thread.files[0].header
            rate = header.tick_hz or 10 ** 9
            own = [e.ts for e in thread.calls() if module.start <= e.func < module.end]
            since = header.t0_ticks + (module.since - header.t0_ns) * rate // 10 ** 9
            true(since <= own[0], "an event of the library before it is known")


@test
def libraries_that_come_and_go():
    with Folder() as folder:
        for name in ("libone.so", "libtwo.so"):
            build(folder, CC, "plugin.c", out=name, flags=PLUGIN[:2])
        program = build(folder, CC, "plugins.c")
        result, capture = trace(program, "./libone.so", folder + "/libtwo.so", folder=folder,
                                cwd=folder)
        thread = capture.of()
        check_order(thread)
        (section,) = capture.processes[thread.pid]
        modules = [m for m in section.modules if m.path.startswith(folder + "/lib")]
        equal([m.path for m in modules], [folder + "/libone.so", folder + "/libtwo.so"], "modules")
        for module, work in zip(modules, said(result, "work (.*)")):
            true(module.start <= int(work, 16) < module.end, "where it lay")
            gone = [since for since, start in section.gone if start == module.start]
            true(gone and max(gone) > module.since, "no module-gone line")


@test
def flushes_while_the_loader_is_locked():
    for cc in compilers():
        with Folder() as folder:
            library = build(folder, cc, "plugin.c", out="libplugin.so",
                            flags=("-shared", "-fPIC", "-DLOADED_CALLS=6000"))
            program = build(folder, cc, "loader.c", "-O2")
            result, capture = trace(program, library, folder=folder)
            equal(result.stdout, "done\n", "the program's end")
            total = collections.Counter()
            table = symbols(program, capture.files[0].header.load_bias)
            for thread in capture.threads:
                check_order(thread)
                total.update("step" if table.get(e.func) == "step" else "plugin"
                             for e in thread.calls() if e.kind == 0)
            equal(total["step"], 4 * 10 * 5000, "calls of the program")
            # plugin_loaded, 6,000 steps and plugin_unloaded each time that it is loaded;
            # where both threads hold it, once for both.
            loads, rest = divmod(total["plugin"], 6002)
            true(1 <= loads <= 20 and rest == 0, "calls of the library: %d" % total["plugin"])


@test
def names_with_strange_characters():
    with Folder() as folder:
        strange = os.path.join(folder, "a \\ b\nc\x01\xe4")
        os.mkdir(strange)
        program = build(strange, CC, "calls.c")
        _, capture = trace(program, 0, 5, folder=folder)
        (section,) = list(capture.processes.values())[0]
        equal(section.fields["exe"], program, "exe")
        equal(section.modules[0].path, program, "module")


@test
def what_threads_are_called():
    with Folder() as folder:
        program = build(folder, CC, "calls.c")
        result, capture = trace(program, 4, 5, folder=folder)
        (section,) = list(capture.processes.values())[0]
        pid = int(said(result, r"main (\d+)")[0])
        wanted = {(int(tid), 0, name) for tid, name in said(result, r"thread (\d+) (\S+)")}
        equal(set(section.threads), wanted | {(pid, 0, "calls")}, "thread lines")


@test
def a_file_that_a_killed_process_left():
    with Folder() as folder:
        program = build(folder, CC, "again.c")
        script = "mkdir -p $D; printf 'CALLSIGHT-PROCESS 1\\npid 1\\nexe /half' >$D/trace.$$.process;" \
                 "exec %s 0 5" % program
        result = run("sh", "-c", script, env={"TRACE_ENABLE": "1", "D": folder + "/traces",
                                             "TRACE_DIR": folder + "/traces"}, check=0)
        capture = Capture(folder + "/traces", program)
        sections = capture.processes[int(said(result, r"pid (\d+)")[0])]
        equal(len(sections), 2, "sections")
        equal(sections[0].fields, {"pid": "1", "exe": "/half"}, "the first")
        equal(sections[1].fields["exe"], program, "the second")


@test
def nobody_elses_file_is_written():
    with Folder() as folder:
        program = build(folder, CC, "again.c")
        os.mkdir(folder + "/traces")
        with open(folder + "/victim", "w", encoding="ascii") as stream:
            stream.write("mine")
        for link in ("ln -s", "ln"):
            script = "%s ../victim %s/trace.$$.process; exec %s 0 5" % (link, folder + "/traces",
                                                                        program)
            result = run("sh", "-c", "cd %s/traces;" % folder + script,
                         env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
            true("nothing is recorded" in result.stderr, result.stderr)
            with open(folder + "/victim", encoding="ascii") as stream:
                equal(stream.read(), "mine", "the file behind " + link)
            # A segment's name that is taken, by a link too, is passed over.
            script = "ln -s ../victim %s/trace.$$.$$.0.bin; exec %s 0 5" % (folder + "/traces",
                                                                             program)
        result = run("sh", "-c", "cd %s/traces; rm -f *.process;" % folder + script,
                     env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
        pid = said(result, r"pid (\d+)")[0]
        true(os.path.exists("%s/traces/trace.%s.%s.1.bin" % (folder, pid, pid)), "segment 1")
        with open(folder + "/victim", encoding="ascii") as stream:
            equal(stream.read(), "mine", "the file behind a segment's name")


if __name__ == "__main__":
    main()
