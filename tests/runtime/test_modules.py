# SPDX-License-Identifier: MIT
"""Libraries that come and go: each call gets the name of the library that was there."""

import json
import os
import re
import shutil

import compiled
import tap
from tap import Folder, compilers, equal, main, run, test, true
from traces import PROGRAMS, build, trace

NAMES = ("one", "two")


def build_turns(folder, cc, link=(), runtime=True):
    """turns.c, its two libraries, which have the same layout, and the library that counts."""
    run(cc, "-O1", "-shared", "-fPIC", os.path.join(PROGRAMS, "counts.c"), "-o", folder + "/libcounts.so", check=0)
    for number, name in enumerate(NAMES):
        run(cc, "-O1", "-g", "-finstrument-functions", "-shared", "-fPIC", "-DNAME=" + name, "-DNUMBER=%d" % number,
            os.path.join(PROGRAMS, "turn.c"), "-L" + folder, "-lcounts", "-Wl,-rpath," + folder,
            "-o", "%s/lib%s.so" % (folder, name), check=0)
    run(cc, "-O1", "-g", "-pthread", os.path.join(PROGRAMS, "turns.c"),
        *([compiled.runtime(cc)] if runtime else []), "-L" + folder, "-lcounts", "-Wl,-rpath," + folder, "-ldl", *link,
        "-o", folder + "/turns", check=0)
    return folder + "/turns"


def analyze(traces, *options):
    result = run(tap.CLI, "analyze", traces, *options, check=0)
    return json.loads(result.stdout) if "json" in options else result.stdout


def numbers(line):
    """What a line of turns says: loads, unloads, worked of each library, same."""
    found = re.fullmatch(r"pid \d+ loads (\d+) (\d+) unloads (\d+) (\d+) worked (\d+) (\d+) same (\d+)", line)
    true(found, "the program said " + line)
    loads, unloads, worked = (tuple(map(int, found.groups()[i:i + 2])) for i in (0, 2, 4))
    return loads, unloads, worked, int(found[7])


def wanted(loads, unloads, worked):
    """function → calls, by what the program counted."""
    calls = {}
    for number, name in enumerate(NAMES):
        calls.update({name + "_born": loads[number], name + "_dies": unloads[number], name + "_work": worked[number],
                      name + "_leaf": loads[number] + unloads[number] + worked[number] * (3 + number)})
    return {name: count for name, count in calls.items() if count}


def check(folder, traces, said, what):
    """Rows and call paths are those of the program's own count; each in the right module."""
    data = analyze(traces, "--format", "json", "--top", "0")
    rows = {row["function"]: row["calls"] for row in data["rows"]}
    equal(rows, said, what)
    for row in data["rows"]:
        equal(row["module"], "%s/lib%s.so" % (folder, row["function"][:3]), what + ": module of " + row["function"])
    equal(data["notices"], [], what)
    # A call path never leads from one library into the other.
    for line in analyze(traces, "--format", "folded").splitlines():
        path = line.rpartition(" ")[0].split(";")
        true(len({name[:3] for name in path}) == 1, what + ": " + line)
    return data


def two_in_turn(cc, mode, link=(), env=None, preload=None):
    with Folder() as folder:
        program = build_turns(folder, cc, link, runtime=not preload)
        environ = dict(env or {}, **({"LD_PRELOAD": preload} if preload else {}))
        result, capture = trace(program, mode, 200, folder=folder, cwd=folder, env=environ)
        loads, unloads, worked, same = numbers(result.stdout.strip())
        equal((loads, worked, same), ((100, 100), (100, 100), 199), "the loader uses the address again")
        equal(len(capture.files), 1 + (mode == "threads"), "files")
        true(all(len(part.events) < 8192 for part in capture.files), "all fits into one buffer")
        check(folder, folder + "/traces", wanted(loads, unloads, worked), "%s %s %s" % (cc, mode, link))


@test
def two_libraries_at_one_address_in_turn():
    for cc in compilers():
        for mode in ("turns", "threads"):
            two_in_turn(cc, mode)


@test
def with_every_linker():
    for linker in ("bfd", "gold", "lld"):
        if shutil.which("ld." + linker):
            for pie in ("-pie", "-no-pie"):
                two_in_turn("gcc", "turns", ("-fuse-ld=" + linker, *(["-no-pie"] if pie == "-no-pie" else [])))


@test
def with_every_clock():
    for clock in ("mono", "raw", "tsc"):
        two_in_turn("gcc", "threads", env={"TRACE_CLOCK": clock})


@test
def with_the_preloaded_runtime():
    two_in_turn("gcc", "turns", preload=os.path.join(tap.BUILD, "runtime", "libcallsight-runtime.so"))


@test
def the_preloaded_runtime_beside_a_linked_one():
    with Folder() as folder:
        program = build_turns(folder, "gcc")
        result, _ = trace(program, "turns", 20, folder=folder, cwd=folder,
                          env={"LD_PRELOAD": os.path.join(tap.BUILD, "runtime", "libcallsight-runtime.so")})
        check(folder, folder + "/traces", wanted(*numbers(result.stdout.strip())[:3]), "both")


@test
def libraries_that_stay_when_they_are_closed():
    for cc in compilers():
        for mode in ("twice", "stays"):
            with Folder() as folder:
                program = build_turns(folder, cc)
                result, _ = trace(program, mode, 50, folder=folder, cwd=folder)
                loads, unloads, worked, _ = numbers(result.stdout.strip())
                if mode == "stays":
                    # Its destructor runs at the end of the process, behind the line.
                    equal((loads[0], unloads[0]), (1, 0), "loads and unloads of what stays")
                    unloads = (1, unloads[1])
                check(folder, folder + "/traces", wanted(loads, unloads, worked), cc + " " + mode)


@test
def a_destructor_that_closes_another_library():
    for cc in compilers():
        with Folder() as folder:
            program = build_turns(folder, cc)
            result, _ = trace(program, "nested", 50, folder=folder, cwd=folder)
            loads, unloads, worked, _ = numbers(result.stdout.strip())
            equal((loads, unloads), ((50, 50), (50, 50)), "loads and unloads")
            check(folder, folder + "/traces", wanted(loads, unloads, worked), cc)


@test
def four_threads_that_load_and_unload():
    for cc in compilers():
        with Folder() as folder:
            program = build_turns(folder, cc)
            result, _ = trace(program, "storm", 300, folder=folder, cwd=folder)
            loads, unloads, worked, _ = numbers(result.stdout.strip())
            equal(worked, (600, 600), "work")
            data = analyze(folder + "/traces", "--format", "json", "--top", "0")
            rows = {row["function"]: row["calls"] for row in data["rows"]}
            # A thread that is stopped right behind its dlclose notes the end of the library late.
            if not [text for text in data["notices"] if "unloading was noted later" in text]:
                equal(rows, wanted(loads, unloads, worked), cc)
            equal(sum(rows.values()), sum(wanted(loads, unloads, worked).values()), cc + ": calls in all")
            equal((data["unmatched_exits"], data["repaired"]), (0, 0), cc)


@test
def in_a_child():
    for cc in compilers():
        for mode in ("fork", "threadfork"):
            with Folder() as folder:
                program = build_turns(folder, cc)
                result, _ = trace(program, mode, 100, folder=folder, cwd=folder)
                lines = result.stdout.splitlines()
                equal(len(lines), 2, "lines")
                calls = {}
                for line in lines:
                    for name, count in wanted(*numbers(line)[:3]).items():
                        calls[name] = calls.get(name, 0) + count
                check(folder, folder + "/traces", calls, cc + " " + mode)


@test
def in_a_child_that_was_made_while_the_list_was_written():
    cc = compilers()[0]
    with Folder() as folder:
        library = folder + "/libcounts.so"
        run(cc, "-O1", "-shared", "-fPIC", os.path.join(PROGRAMS, "counts.c"), "-o", library, check=0)
        program = build(folder, cc, "slowfile.c")
        result, capture = trace(program, library, folder=folder)
        equal(result.stderr, "", "stderr")
        child = int(result.stdout.split()[1])
        for process in capture.processes:
            paths = [module.path for module in capture.processes[process][0].modules]
            true(program in paths and library in paths, "%d: %s" % (process, paths))
        equal(dict(capture.counts(capture.of(child))), {"step": 1}, "calls of the child")


@test
def a_summary_of_libraries_that_come_and_go():
    for cc in compilers():
        with Folder() as folder:
            program = build_turns(folder, cc)
            result, capture = trace(program, "stays", 50, folder=folder, cwd=folder, env={"TRACE_MODE": "summary"})
            loads, unloads, worked, _ = numbers(result.stdout.strip())
            said = wanted(loads, (1, unloads[1]), worked)
            data = analyze(folder + "/traces", "--format", "json", "--top", "0")
            equal({row["function"]: row["calls"] for row in data["rows"]}, said, cc)
            # At one address each has its own sums, however often they take turns.
            for mode, threads in (("turns", 1), ("threads", 2)):
                shutil.rmtree(folder + "/traces")
                result, capture = trace(program, mode, 50, folder=folder, cwd=folder, env={"TRACE_MODE": "summary"})
                loads, unloads, worked, same = numbers(result.stdout.strip())
                true(same > 40, "%d rounds at the place of the round before" % same)
                data = analyze(folder + "/traces", "--format", "json", "--top", "0")
                equal({row["function"]: row["calls"] for row in data["rows"]}, wanted(loads, unloads, worked), mode)
                equal(data["notices"], [], mode)
                equal(sum(len(s.rows) for s in capture.summaries) <= 8 * threads, True, "records")
                (section,) = list(capture.processes.values())[0]
                equal([len([m for m in section.modules if m.path.endswith(name)]) for name in ("one.so", "two.so")],
                      [1, 1], "lines")
            # Of what one thread unloads while another loads to its place no call is lost.
            shutil.rmtree(folder + "/traces")
            result, _ = trace(program, "storm", 100, folder=folder, cwd=folder, env={"TRACE_MODE": "summary"})
            loads, unloads, worked, _ = numbers(result.stdout.strip())
            data = analyze(folder + "/traces", "--format", "json", "--top", "0")
            equal(sum(row["calls"] for row in data["rows"]), sum(wanted(loads, unloads, worked).values()), "storm")


@test
def a_dlclose_of_the_program_stays_its_own():
    for cc in compilers():
        with Folder() as folder:
            with open(folder + "/own.c", "w", encoding="ascii") as stream:
                stream.write('#include <stdio.h>\nint dlclose(void *handle)\n'
                             '{ (void)handle; puts("own"); return 7; }\n'
                             'int main(void) { printf("%d\\n", dlclose(NULL)); return 0; }\n')
            run(cc, "-finstrument-functions", folder + "/own.c", compiled.runtime(cc), "-pthread", "-o", folder + "/own",
                check=0)
            result, _ = trace(folder + "/own", folder=folder)
            equal(result.stdout, "own\n7\n", cc)


if __name__ == "__main__":
    main()
