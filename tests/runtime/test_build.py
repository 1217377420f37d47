# SPDX-License-Identifier: MIT
"""The runtime as a project builds it: clean, free of hooks, and found by the linker."""

import collections
import os
import re
import shutil

import compiled
from tap import RUNTIME, Folder, Skip, compilers, equal, main, run, test, true
from traces import PROGRAMS, build, check_order, closing, said, symbols, tails_are_safe, trace

SOURCE = os.path.join(RUNTIME, "trace.c")


@test
def it_builds_without_a_warning():
    for cc in compilers():
        compiled.runtime(cc)  # with -O2
        for flags in (("-O0",), ("-O3", "-fPIC", "-D_FORTIFY_SOURCE=2"), ("-Os", "-D_GNU_SOURCE")):
            # Of clang's warnings none comes from optimisation or later.
            only = ["-fsyntax-only"] if cc == "clang" else []
            result = run(cc, "-std=c11", *compiled.WARNINGS, *flags, *only, "-c", SOURCE, "-o", "/dev/null")
            equal((result.returncode, result.stderr), (0, ""), "%s %s" % (cc, flags))


@test
def it_builds_for_other_processors():
    tried = []
    for cc in ("aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "powerpc-linux-gnu-gcc",
               "powerpc64-linux-gnu-gcc", "powerpc64le-linux-gnu-gcc", "s390x-linux-gnu-gcc",
               "riscv64-linux-gnu-gcc", "mips-linux-gnu-gcc", "i686-linux-gnu-gcc"):
        if not shutil.which(cc):
            continue
        try:
            built = compiled.runtime(cc)
        except AssertionError as error:
            if "No such file or directory" in str(error):
                continue  # a compiler without a libc
            raise
        undefined = run("nm", "-u", built, check=0).stdout
        equal(re.findall(r"__(?:atomic|sync)\w+", undefined), [], cc + ": of libatomic")
        tried.append(cc)
    if not tried:
        raise Skip("no cross compiler with a libc")


@test
def it_records_on_other_processors():
    tried = []
    for cpu, emulator, order in (("powerpc-linux-gnu", "qemu-ppc", "big"),
                                 ("powerpc64-linux-gnu", "qemu-ppc64", "big"),
                                 ("s390x-linux-gnu", "qemu-s390x", "big"),
                                 ("arm-linux-gnueabihf", "qemu-arm", "little"),
                                 ("aarch64-linux-gnu", "qemu-aarch64", "little"),
                                 ("riscv64-linux-gnu", "qemu-riscv64", "little"),
                                 ("powerpc64le-linux-gnu", "qemu-ppc64le", "little")):
        if not shutil.which(cpu + "-gcc") or not shutil.which(emulator):
            continue
        with Folder() as folder:
            program = folder + "/calls"
            built = run(cpu + "-gcc", "-O1", "-pthread", "-finstrument-functions",
                        os.path.join(PROGRAMS, "calls.c"), compiled.runtime(cpu + "-gcc"), "-o", program)
            if built.returncode:
                raise Skip("%s-gcc cannot link: %s" % (cpu, built.stderr))
            for form in ("records", "packed"):
                result, capture = trace(program, 3, 50, folder=folder,
                                        runner=(emulator, "-L", "/usr/" + cpu), env={"TRACE_FORMAT": form})
                equal({part.packed for part in capture.files}, {form == "packed"}, cpu + ": " + form)
                pid = int(said(result, r"main (\d+)")[0])
                equal(len(capture.threads), 4, cpu + ": threads")
                for thread in capture.threads:
                    equal({part.order for part in thread.files}, {order}, cpu + ": byte order")
                    check_order(thread)
                    kinds = collections.Counter(e.kind for e in thread.calls())
                    calls = 1 + 1 + 50 * 9 + 177
                    equal(dict(kinds), {0: calls, 1: calls}, cpu + ": calls")
                closing(capture, pid)
                equal(len(capture.processes[pid][0].threads), 4, cpu + ": thread lines")
                shutil.rmtree(folder + "/traces")
        tried.append(cpu)
    if not tried:
        raise Skip("no cross compiler with an emulator")


@test
def no_function_of_the_runtime_calls_the_hooks():
    for cc in compilers():
        for flags in (compiled.HOOKED, ("-O0", "-finstrument-functions")):
            out = compiled.runtime(cc, *flags)
            # A call is a relocation, whether or not the symbol is defined here.
            text = run("objdump", "-dr", out, check=0).stdout
            calls = [line for line in text.splitlines()
                     if re.search(r"R_\w+\s+__cyg_profile|\bcall\b.*<__cyg_profile_\w+>$", line)]
            true("__cyg_profile_func_enter" in text, "the hooks are there")
            equal(calls, [], "%s %s" % (cc, flags))


@test
def it_exports_the_hooks_and_weak_definitions_of_what_it_watches():
    weak = ["_Unwind_SetIP", "__longjmp_chk", "_longjmp", "dlclose", "longjmp", "setcontext",
            "siglongjmp", "swapcontext", "vfork"]
    for cc in compilers():
        symbols = [line.split()[-2:] for line in
                   run("nm", "-g", "--defined-only", compiled.runtime(cc), check=0).stdout.splitlines()]
        equal(sorted(name for kind, name in symbols if kind == "T"),
              ["__cyg_profile_func_enter", "__cyg_profile_func_exit"], cc)
        equal(sorted(name for kind, name in symbols if kind != "T"), weak, cc)
        equal({kind for kind, name in symbols if kind != "T"}, {"W"}, cc)


@test
def it_needs_libc_and_threads_only():
    with Folder() as folder:
        program = build(folder, compilers()[0], "calls.c")
        needed = re.findall(r"NEEDED.*\[(.*)\]",
                            run("readelf", "-d", program, check=0).stdout)
        equal([n for n in needed if not re.match(r"lib(c|pthread|dl)\.so|ld-linux", n)], [], "libs")


@test
def a_library_with_hidden_symbols_reaches_the_executables_hooks():
    for cc in compilers():
        with Folder() as folder:
            library = build(folder, cc, "plugin.c", out="libplugin.so",
                            flags=("-shared", "-fPIC"))
            program = build(folder, cc, "linked.c", hooks=False, flags=("-fvisibility=hidden",),
                            link=(library, "-Wl,-rpath," + folder))
            _, capture = trace(program, folder=folder)
            thread = capture.of()
            (section,) = capture.processes[thread.pid]
            (module,) = [m for m in section.modules if m.path == library]
            table = capture.names(thread, extra=[(library, module.bias)])
            equal(capture.counts(thread, table)["plugin_step"], 3, "calls of the library")


@test
def static_programs():
    """With everything of a libc, which has no dlclose to stand before, and no warning."""
    if run("gcc", "-static", "-x", "c", "-", "-o", "/dev/null", stdin="int main(void) { return 0; }").returncode:
        raise Skip("no static libc")
    for cc in compilers():
        for flags in (("-static",), ("-static-pie", "-fPIE")):
            what = "%s %s" % (cc, flags[0])
            with Folder() as folder:
                for name in ("calls", "forks", "killed"):
                    result = run(cc, "-O1", "-g", "-pthread", "-finstrument-functions", *flags,
                                 os.path.join(PROGRAMS, name + ".c"), compiled.runtime(cc, *(compiled.HOOKED if flags[1:] else ())), "-o",
                                 os.path.join(folder, name))
                    equal((result.returncode, result.stderr), (0, ""), what + ": link of " + name)
                program = folder + "/calls"
                result, capture = trace(program, 2, 50, folder=folder)
                equal(result.stderr, "", what + ": stderr")
                pid = int(said(result, r"main (\d+)")[0])
                equal(capture.counts(capture.of(pid, pid))["leaf"], 300, what + ": calls")
                (section,) = capture.processes[pid]
                equal([module.path for module in section.modules], [program], what + ": modules")
                shutil.rmtree(folder + "/traces")
                result, capture = trace(program, 2, 50, folder=folder, env={"TRACE_MODE": "summary"})
                names = symbols(program, capture.summaries[0].header.load_bias)
                equal(sum(row.calls for part in capture.summaries for address, row in part.rows.items()
                          if names[address] == "leaf"), 900, what + ": calls of a summary")
                shutil.rmtree(folder + "/traces")
                result, capture = trace(folder + "/forks", "plain", folder=folder)
                equal(sorted(capture.processes), capture.pids(), what + ": processes")
                true(len(capture.pids()) > 1, what + ": children")
                shutil.rmtree(folder + "/traces")
                if tails_are_safe():
                    _, capture = trace(folder + "/killed", "_exit", folder + "/counters", 0, 1000, folder=folder,
                                       check=None)
                    equal(len(capture.of().calls()), 1000, what + ": calls in a tail")


@test
def it_is_clean_under_the_sanitizers():
    for cc in compilers():
        for kind, more in (("address,undefined", ("-fno-sanitize-recover=all",)), ("thread", ())):
            with Folder() as folder:
                flags = ("-fsanitize=" + kind, *more)
                try:
                    out = compiled.runtime(cc, *flags, *compiled.CHECKED)
                except AssertionError as error:
                    raise Skip("no -fsanitize=%s with %s" % (kind, cc)) from error
                for name, *args in (("calls", 4, 500), ("ends", "running"),
                                    ("forks", "plain")):
                    program = os.path.join(folder, name)
                    if not os.path.exists(program):
                        run(cc, "-O1", "-g", "-pthread", "-finstrument-functions", *flags,
                            os.path.join(PROGRAMS, name + ".c"), out, "-o", program, check=0)
                    # The leak checker cannot stop a forked child's threads.
                    settings = [{"TRACE_SEG_MB": "64K", "TRACE_MAX": "60000",
                                 "TRACE_THREADS": "*"}]
                    settings.append({"TRACE_FORMAT": "packed"})
                    if name == "calls":
                        settings.append({"TRACE_MAX_MB": "300K", "TRACE_FULL": "wrap"})
                        settings.append({"TRACE_MAX_MB": "100K", "TRACE_FULL": "wrap", "TRACE_FORMAT": "packed"})
                    if name != "forks":
                        settings.append({"TRACE_MODE": "summary"})
                    for env in settings:
                        result, _ = trace(program, *args, folder=folder,
                                          env=dict(env, ASAN_OPTIONS="detect_leaks=0"))
                        equal(result.stderr, "", "reports of %s, %s: %s" % (cc, kind, name))
                        shutil.rmtree(folder + "/traces")


if __name__ == "__main__":
    main()
