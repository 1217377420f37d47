#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds small programs in many ways and compares every function's address and
every return address, as it is and less one, with what addr2line says."""

import collections
import concurrent.futures
import itertools
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import compare_addr2line as addr2line  # noqa: E402
from tap import Folder, Skip, equal, main, run, test, true  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
C = ["main.c", "left.c", "right.c"]
CXX = ["shapes-main.cc", "shapes.cc"]
CXX_OF = {"gcc": "g++", "clang": "clang++"}

normalised = collections.Counter()
compared = collections.Counter()


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(program + " is not installed")


def build(folder, name, compiler, sources, *flags):
    """Builds from copies in two folders, so that paths are of both kinds: relative and absolute."""
    target = os.path.join(folder, name)
    os.makedirs(target)
    for file in os.listdir(PROGRAMS):
        shutil.copy(os.path.join(PROGRAMS, file), target)
    named = [sources[0]] + [os.path.join(target, s) for s in sources[1:]]
    run(compiler, "-o", "program", *flags, *named, cwd=target, check=0)
    return os.path.join(target, "program")


def all_addresses(binary, **tools):
    functions = addr2line.function_addresses(binary)
    returns = addr2line.return_addresses(binary, **tools)
    true(len(functions) > 5 and len(returns) > 5,
         "%s: %d functions, %d calls" % (binary, len(functions), len(returns)))
    return sorted({*functions, *returns, *(r - 1 for r in returns)})


def check(binary, addresses=None, **options):
    """All differences of a binary, its addresses counted."""
    addresses = addresses or all_addresses(binary)
    found = addr2line.compare(binary, addresses, normalised, **options)
    compared["files"] += 1
    compared["addresses"] += len(addresses)
    return found


def agree(binary, *arguments, **options):
    differences = check(binary, *arguments, **options)
    true(not differences, "%d differences\n%s" % (len(differences), "\n".join(differences[:20])))


def places(binary, addresses):
    return addr2line.ask_tool(binary, addresses)


def notice(binary):
    return run(addr2line.TOOL, "-n", binary, check=0, stdin="").stdout.strip()


def check_matrix(compilers, sources, half, pie=(0, 1)):
    """half: 0 or 1, for the ways whose number of second choices is even or odd: among them each choice
    comes with each other. pie: the first choices. WAYS=all in the environment compares all."""
    need(*compilers)
    choices = [["-fPIE", "-pie"], ["-fno-pie", "-no-pie"]], ["-gdwarf-4", "-gdwarf-5"], ["-O0", "-O2"]
    ways = [(compiler, *(choice[at] for choice, at in zip(choices, way)))
            for compiler in compilers for way in itertools.product((0, 1), repeat=3)
            if os.environ.get("WAYS") == "all" or (sum(way) % 2 == half and way[0] in pie)]
    with Folder() as folder:
        def one(numbered):
            number, (compiler, pie, dwarf, level) = numbered
            binary = build(folder, "%d%s%s%s%s" % (number, compiler, pie[-1], dwarf, level),
                           compiler, sources, *pie, dwarf, level)
            return ["%s %s %s %s: %s" % (compiler, pie[-1], dwarf, level, text)
                    for text in check(binary)]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            differences = sum(pool.map(one, enumerate(ways)), [])
    true(not differences, "%d differences\n%s" % (len(differences), "\n".join(differences[:20])))


@test
def C_programs_of_gcc():
    check_matrix(["gcc"], C, half=1)


@test
def C_programs_of_clang():
    check_matrix(["clang"], C, half=0)


@test
def Cxx_programs_of_gcc():
    check_matrix(["g++"], CXX, half=0, pie=[0])  # seconds each; the rest with the other compiler


@test
def Cxx_programs_of_clang():
    check_matrix(["clang++"], CXX, half=0, pie=[1])


@test
def old_DWARF_versions():
    need("gcc")
    with Folder() as folder:
        for version in "23":
            agree(build(folder, version, "gcc", C, "-O2", "-gdwarf-" + version))


@test
def instrumented_programs():
    """The exit and entry calls that a traced build has."""
    for compiler in ("gcc", "clang"):
        need(compiler)
        with Folder() as folder:
            agree(build(folder, "program", compiler, C, "-O2", "-g", "-finstrument-functions"))


@test
def link_time_optimisation():
    """Functions whose DIEs name those of other units."""
    need("gcc")
    with Folder() as folder:
        agree(build(folder, "program", "gcc", C, "-O2", "-g", "-flto", "-fno-pie", "-no-pie"))


@test
def dropped_sections():
    """Functions that the linker left out keep DIEs with dead addresses."""
    for linker in ("bfd", "lld"):
        need("ld." + linker)
        for dwarf in ("-gdwarf-4", "-gdwarf-5"):
            with Folder() as folder:
                agree(build(folder, "program", "clang" if linker == "lld" else "gcc", C, "-O1", dwarf,
                            "-ffunction-sections", "-Wl,--gc-sections", "-fuse-ld=" + linker))


@test
def large_dropped_functions():
    """Of a position-independent program a dropped function's dead address is 0, and a large one reaches from
    there into the code of others, of units that are smaller than it or larger."""
    need("gcc")
    sources = {"large.c": "int sink;\nvoid dropped (int x)\n{\n%s}\n" % ("  sink += x * 31;\n" * 700),
               "kept.c": "int kept (int x)\n{\n  return x + 1;\n}\n",
               "main.c": "extern int kept (int);\nint much;\nint main (void)\n{\n%s  return kept (much);\n}\n"
                         % ("  much += much * 31;\n" * 1400)}
    for linker, dwarf in itertools.product(("bfd", "gold", "lld"), "45"):
        if not shutil.which("ld." + linker):
            continue
        with Folder() as folder:
            for name, text in sources.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            run("gcc", "-o", "program", "-O0", "-gdwarf-" + dwarf, "-fPIE", "-pie", "-ffunction-sections",
                "-Wl,--gc-sections", "-fuse-ld=" + linker, *sources, cwd=folder, check=0)
            binary = os.path.join(folder, "program")
            starts = {name: start for start, names in addr2line.function_symbols(binary)[0].items() for name in names}
            true("dropped" not in starts, "the linker kept everything")
            for name, place in (("main", "main.c:4"), ("kept", "kept.c:2"), ("_start", "??:?")):
                answer = places(binary, [starts[name]])[0]
                equal((answer.outer, os.path.basename(answer.place)), (name, place), linker + " DWARF " + dwarf)


@test
def shared_library():
    need("g++")
    with Folder() as folder:
        agree(build(folder, "program", "g++", CXX[1:], "-O2", "-g", "-fPIC", "-shared"))


@test
def compressed_debug_sections():
    need("gcc", "objcopy")
    with Folder() as folder:
        binary = build(folder, "program", "gcc", C, "-O2", "-g")
        addresses = all_addresses(binary)
        before = places(binary, addresses)
        for kind in ("zlib", "zlib-gnu"):
            run("objcopy", "--compress-debug-sections=" + kind, binary, check=0)
            equal(places(binary, addresses), before, kind)
            equal(notice(binary), "", kind)


@test
def shared_line_tables():
    """dwz moves what units have in common into partial units."""
    need("gcc", "g++", "dwz")
    with Folder() as folder:
        for name, compiler, sources in (("c", "gcc", C), ("cxx", "g++", CXX)):
            binary = build(folder, name, compiler, sources, "-O2", "-gdwarf-4")
            run("dwz", binary, check=0)
            agree(binary)


@test
def separate_debug_file():
    """Found through .gnu_debuglink, with and without a build id; one that isn't the program's is not used."""
    need("gcc", "objcopy")
    for build_id in ("sha1", "none"):
        with Folder() as folder:
            binary = build(folder, "program", "gcc", C, "-O2", "-g", "-Wl,--build-id=" + build_id)
            addresses = all_addresses(binary)
            before = places(binary, addresses)
            debug = binary + ".debug"
            run("objcopy", "--only-keep-debug", binary, debug, check=0)
            run("objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, binary, check=0)
            equal(places(binary, addresses), before, "names from the separate file")
            equal(notice(binary), "", "notice")
            agree(binary, addresses, symbols_file=debug)

            os.makedirs(os.path.join(os.path.dirname(binary), ".debug"))
            inside = os.path.join(os.path.dirname(binary), ".debug", os.path.basename(debug))
            os.rename(debug, inside)
            equal(places(binary, addresses), before, "names from .debug")

            other = build(folder, "other", "gcc", C[::-1], "-O1", "-g", "-Wl,--build-id=" + build_id)
            run("objcopy", "--only-keep-debug", other, inside, check=0)
            true("stripped" in notice(binary), "another program's debug file was used")


@test
def without_lines():
    """A file without DWARF is named from its symbol table; static twins by their source."""
    need("gcc", "strip")
    with Folder() as folder:
        binary = build(folder, "program", "gcc", C, "-O0")
        agree(binary)
        true("build it with -g" in notice(binary), notice(binary))
        found = {(a.outer, a.place) for a in places(binary, addr2line.function_addresses(binary))}
        for file in C:
            true(("twin", file + ":?") in found, "twin of " + file)
        run("strip", binary, check=0)
        true("stripped" in notice(binary), notice(binary))


@test
def unreadable_debug_information():
    """What this build can't read becomes a notice, and symbols still name the functions."""
    need("gcc", "objcopy")
    with Folder() as folder:
        binary = build(folder, "program", "gcc", C, "-O0", "-gdwarf-5")
        addresses = addr2line.function_addresses(binary)
        before = places(binary, addresses)
        result = run("objcopy", "--compress-debug-sections=zstd", binary)
        if result.returncode != 0:
            raise Skip("objcopy doesn't know zstd")
        after = places(binary, addresses)
        equal([a.outer.replace("also_", "") for a in after], [a.outer for a in before], "names")
        # Built with libzstd it is read; then nothing may be missing.
        if notice(binary):
            true("zstd" in notice(binary), notice(binary))
        else:
            equal(after, before, "names and lines")


@test
def damaged_debug_information():
    """Whatever bytes of the DWARF are wrong, every look-up ends, soon."""
    need("g++")
    with Folder() as folder:
        binary = build(folder, "program", "g++", CXX, "-O2", "-g")
        addresses = addr2line.return_addresses(binary)[::3]
        named = []
        for line in run("readelf", "-W", "-S", binary).stdout.splitlines():
            match = re.search(r" \.debug_(abbrev|info|line|rnglists) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)",
                              line)
            if match:
                named.append((match.group(1), int(match.group(2), 16), int(match.group(3), 16)))
        equal([name for name, *_ in named], ["info", "abbrev", "line", "rnglists"], "sections")
        spans = [span for _, *span in named]
        with open(binary, "rb") as file:
            content = file.read()
        chance = random.Random(3)
        for number in range(300):
            bad = bytearray(content)
            # Many bytes anywhere, or a few in the abbreviations, which shape the trees of DIEs.
            for _ in range(12 if number % 3 == 0 else 3):
                start, size = chance.choice(spans) if number % 3 == 0 else spans[1]
                bad[start + chance.randrange(min(size, chance.choice((100, size))))] = chance.choice(
                    (0, 1, 127, 128, 255, chance.randrange(256)))
            with open(binary, "wb") as file:
                file.write(bad)
            text = "".join("%x\n" % a for a in addresses)
            result = run(addr2line.TOOL, binary, stdin=text, timeout=120)
            equal(result.returncode, 0, "damage %d: %s" % (number, result.stderr[-1000:]))
            equal(len(result.stdout.splitlines()), len(addresses), "answers to damage %d" % number)


@test
def other_machines():
    """32-bit and big-endian files, Thumb, and the function descriptors of ELFv1."""
    tried = 0
    for target, flags in (("arm-linux-gnueabihf", ["-mthumb"]), ("arm-linux-gnueabihf", ["-marm"]),
                          ("powerpc64-linux-gnu", ["-fPIE", "-pie"]),
                          ("powerpc64-linux-gnu", ["-fno-pie", "-no-pie"]),
                          ("powerpc-linux-gnu", []), ("s390x-linux-gnu", []),
                          ("aarch64-linux-gnu", []), ("mips-linux-gnu", [])):
        if not shutil.which(target + "-gcc"):
            continue
        tried += 1
        for level in ("-O0", "-O2"):
            with Folder() as folder:
                binary = build(folder, "program", target + "-gcc", C, "-g", level, *flags)
                calls = addr2line.return_addresses(binary, objdump=target + "-objdump")
                true(len(calls) > 20, "calls of " + target)
                step = 2 if target.startswith("arm") else 1
                entries = [a.outer for a in places(binary, addr2line.function_symbols(binary)[0])]
                for name in ("main", "twin", "left", "right", "guarded"):
                    true(name in entries, "%s %s: no %s in %s" % (target, level, name, entries))
                agree(binary, sorted({*calls, *(c - step for c in calls)}),
                      addr2line=target + "-addr2line")
    if not tried:
        raise Skip("no cross compiler is installed")


@test
def libraries_of_this_machine():
    """Two files with thousands of functions, where their debug files are installed."""
    tried = 0
    for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6"):
        notes = run("readelf", "-n", path).stdout.split("Build ID: ")
        if len(notes) < 2:
            continue
        build_id = notes[1].split()[0]
        debug = "/usr/lib/debug/.build-id/%s/%s.debug" % (build_id[:2], build_id[2:])
        if not os.path.exists(debug):
            continue
        tried += 1
        calls = addr2line.return_addresses(path)[::7]
        agree(path, sorted({*calls, *(c - 1 for c in calls)}), symbols_file=debug)
    if not tried:
        raise Skip("no debug file of the C library is installed")


@test
def the_comparison_itself():
    """A wrong answer is seen as one: a tool that answers for another address."""
    need("gcc")
    with Folder() as folder:
        binary = build(folder, "program", "gcc", C, "-O0", "-g")
        fake = os.path.join(folder, "fake")
        with open(fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nsed 's/.*/10/' | '%s' \"$@\"\n" % addr2line.TOOL)
        os.chmod(fake, 0o755)
        addresses = [a for a in all_addresses(binary)
                     if addr2line.ask_tool(binary, [a])[0].place[-1].isdigit()][:20]
        equal(len(addr2line.compare(binary, addresses, tool=fake)), 3 * len(addresses), "differences")


def report():
    print("# %d addresses of %d files compared" % (compared["addresses"], compared["files"]))
    for kind, count in sorted(normalised.items()):
        print("# normalised: %s: %d" % (kind, count))


if __name__ == "__main__":
    try:
        main()
    finally:
        report()
