#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debug information in files of its own: split, packed, compressed, shared, stripped off, in folders
that --debug-dir and --sysroot name. What is found must be what the same program says that has
everything within itself; the code of both is the same."""

import os
import random
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


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(program + " is not installed")


def build(folder, name, compiler, sources, *flags):
    for file in os.listdir(PROGRAMS):
        shutil.copy(os.path.join(PROGRAMS, file), folder)
    run(compiler, "-o", name, *flags, *sources, cwd=folder, check=0)
    return os.path.join(folder, name)


def addresses_of(binary, objdump="objdump"):
    returns = addr2line.return_addresses(binary, objdump)
    found = sorted({*addr2line.function_addresses(binary), *returns, *(r - 1 for r in returns)})
    true(len(found) > 20, "%d addresses" % len(found))
    return found


def ask(binary, addresses, *options):
    """Everything that is told of addresses, a line each, and the notice behind."""
    result = run(addr2line.TOOL, "-i", "-n", *options, binary, check=0, stdin="".join("%x\n" % a for a in addresses))
    lines = result.stdout.splitlines()
    equal(len(lines), len(addresses) + 1, "answers" + result.stderr)
    return lines[:-1], lines[-1]


def move(folder, suffix, to):
    os.makedirs(to, exist_ok=True)
    names = [n for n in os.listdir(folder) if n.endswith(suffix)]
    true(names, "no " + suffix + " in " + folder)
    for name in names:
        os.rename(os.path.join(folder, name), os.path.join(to, name))


def check_split(compiler, sources, version, level, package=None):
    need(compiler)
    with Folder() as folder:
        plain = build(folder, "plain", compiler, sources, level, "-gdwarf-" + version)
        split = build(folder, "split", compiler, sources, level, "-gdwarf-" + version, "-gsplit-dwarf")
        what = "%s %s DWARF %s" % (compiler, level, version)
        addresses = addresses_of(plain)
        wanted, notice = ask(plain, addresses)
        equal(notice, "", what)
        equal(ask(split, addresses), (wanted, ""), what)
        away = os.path.join(folder, "away")
        if package:
            run(package, "-e", "split", "-o", "split.dwp", cwd=folder, check=0)
            move(folder, ".dwo", away)
            equal(ask(split, addresses), (wanted, ""), what + " packed by " + package)
            os.remove(split + ".dwp")
        else:
            move(folder, ".dwo", away)
        equal(ask(split, addresses, "--debug-dir", away), (wanted, ""), what + " in a folder")
        missing, notice = ask(split, addresses)
        true(".dwo" in notice and "--debug-dir" in notice, notice)
        for line, whole in zip(missing, wanted):
            equal(line.split("\t")[2], whole.split("\t")[2], what + " lines without .dwo files")
            true(line.split("\t")[1] != "??" or whole.split("\t")[1] == "??", what + ": " + whole + " is unnamed")

        if sources == CXX:
            return  # C++ is long to compile, and C has the rest
        # Files of the same names, of another build.
        build(folder, "other", compiler, sources, "-O1" if level == "-O0" else "-O0", "-gdwarf-" + version, "-gsplit-dwarf")
        for name in os.listdir(folder):
            if name.endswith(".dwo") and name.startswith("other-"):
                os.rename(os.path.join(folder, name), os.path.join(folder, name.replace("other-", "split-")))
        equal(ask(split, addresses), (missing, notice), what + " with wrong .dwo files")


@test
def split_by_gcc():
    check_split("gcc", C, "4", "-O2", shutil.which("dwp"))
    check_split("gcc", C, "5", "-O0")
    check_split("g++", CXX, "5", "-O2")


@test
def split_by_clang():
    check_split("clang", C, "5", "-O0")
    check_split("clang++", CXX, "4", "-O2")


@test
def packages():
    """Both kinds of index; binutils' dwp knows version 2 only, and llvm-dwp 14 doesn't end on GCC's version 5."""
    need("llvm-dwp")
    check_split("clang++", CXX, "5", "-O2", "llvm-dwp")
    check_split("g++", CXX, "4", "-O2", "llvm-dwp")


@test
def a_package_of_many_units():
    """Units are found in the index's table whose slots collide."""
    need("gcc")
    with Folder() as folder:
        names = ["f%d" % n for n in range(13)]
        for n, name in enumerate(names):
            with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
                file.write("%sint %s (int x)\n{\n  return x + %d;\n}\n" % ("\n" * n, name, n))
        with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as file:
            file.write("".join("int %s (int);\n" % name for name in names) + "int main (void)\n{\n  return %s;\n}\n" %
                       " + ".join(name + " (1)" for name in names))
        run("gcc", "-gdwarf-4", "-gsplit-dwarf", "-o", "p", "main.c", *(name + ".c" for name in names), cwd=folder,
            check=0)
        starts = {name: start for start, all_names in addr2line.function_symbols(os.path.join(folder, "p"))[0].items()
                  for name in all_names}
        for package in ("dwp", "llvm-dwp"):
            if not shutil.which(package):
                continue
            run(package, "-e", "p", "-o", "p.dwp", cwd=folder, check=0)
            away = os.path.join(folder, "away")
            move(folder, ".dwo", away)
            answers, notice = ask(os.path.join(folder, "p"), [starts[name] for name in names])
            equal(notice, "", package)
            equal([answer.split("\t")[1:] for answer in answers],
                  [[name, "%s/%s.c:%d" % (folder, name, n + 2)] for n, name in enumerate(names)], package)
            move(away, ".dwo", folder)


@test
def damaged_packages():
    need("clang", "llvm-dwp")
    with Folder() as folder:
        split = build(folder, "split", "clang", C, "-O2", "-gdwarf-5", "-gsplit-dwarf")
        run("llvm-dwp", "-e", "split", "-o", "split.dwp", cwd=folder, check=0)
        move(folder, ".dwo", os.path.join(folder, "away"))
        addresses = addresses_of(split)
        with open(split + ".dwp", "rb") as file:
            content = file.read()
        chance = random.Random(4)
        for _ in range(60):
            bad = bytearray(content)
            for _ in range(4):
                bad[chance.randrange(len(bad))] = chance.choice((0, 1, 127, 128, 255))
            with open(split + ".dwp", "wb") as file:
                file.write(bad)
            ask(split, addresses)


@test
def compressed_by_the_compiler():
    need("gcc", "clang")
    with Folder() as folder:
        for compiler in ("gcc", "clang"):
            plain = build(folder, "plain", compiler, C, "-O2", "-g")
            packed = build(folder, "packed", compiler, C, "-O2", "-g", "-gz")
            true("[Compressed]" in run("readelf", "-t", packed).stdout or " C " in run("readelf", "-SW", packed).stdout,
                 "nothing is compressed")
            addresses = addresses_of(plain)
            equal(ask(packed, addresses), ask(plain, addresses), compiler)


@test
def shared_by_several():
    """dwz -m moves what two files have in common into a third."""
    need("g++", "dwz")
    with Folder() as folder:
        plain = build(folder, "plain", "g++", CXX, "-O2", "-gdwarf-4")
        addresses = addresses_of(plain)
        wanted = ask(plain, addresses)
        for name in ("one", "two"):
            shutil.copy(plain, os.path.join(folder, name))
        run("dwz", "-m", "shared", "-M", "shared", "one", "two", cwd=folder, check=0)
        one = os.path.join(folder, "one")
        true("gnu_debugaltlink" in run("readelf", "-SW", one).stdout, "nothing was shared")
        equal(ask(one, addresses), wanted, "shared")
        move(folder, "shared", os.path.join(folder, "away"))
        _answers, notice = ask(one, addresses)
        true(".gnu_debugaltlink" in notice, notice)
        equal(ask(one, addresses, "--debug-dir", os.path.join(folder, "away")), wanted, "in a folder")


ENTRIES_OF_ONE_LIST = """
.section .debug_abbrev,"",@progbits
.byte 1,0x11,1, 0x55,0x17, 0,0
.byte 2,0x2e,0, 0x55,0x17, 0,0
.byte 0
.section .debug_info,"",@progbits
.long 2f-1f
1: .value 4
.long 0
.byte 8, 1
.long 0
.rept 2000
.byte 2
.long 0
.endr
.byte 0
2:
.section .debug_ranges,"",@progbits
.rept 2000
.quad main, end
.endr
.quad 0, 0
"""

ABBREVIATIONS_WITHIN_EACH_OTHER = """
.section .debug_abbrev,"",@progbits
.rept 2000
.byte 1,0x11,0, 3,0x0b, 3,0x0b, 3,0x0b, 0,0
.endr
.byte 0
.section .debug_info,"",@progbits
.set offset, 0
.rept 2000
.long 11
.value 4
.long offset
.byte 8, 1,0,0,0
.set offset, offset + 11
.endr
"""

LINE_TABLES_WITHIN_EACH_OTHER = """
.section .debug_abbrev,"",@progbits
.byte 1,0x11,0, 0x11,1, 0x12,7, 0x10,0x17, 0,0
.byte 0
.section .debug_info,"",@progbits
.set offset, 0
.rept 64
.long 28
.value 4
.long 0
.byte 8, 1
.quad main + offset / 17, 1
.long offset
.set offset, offset + 17
.endr
.section .debug_line,"",@progbits
.set left, 64 * 17
.rept 64
.long last - first + left - 4
.value 2
.long left - 10
.byte 1,1,0,1,1, 0,0
.set left, left - 17
.endr
first: .byte 0,9,2
.quad main
.rept 20000
.byte 1
.endr
.byte 0,1,1
last:
"""


@test
def damage_that_would_be_read_a_thousand_times():
    """What many entries refer to is read for each of them, but not without end."""
    need("gcc")
    for text, why in ((ENTRIES_OF_ONE_LIST, "share a list"), (ABBREVIATIONS_WITHIN_EACH_OTHER, "abbreviations"),
                      (LINE_TABLES_WITHIN_EACH_OTHER, "within each other")):
        with Folder() as folder:
            with open(folder + "/damaged.s", "w") as f:
                f.write('.text\n.globl main\nmain: ret\n.fill 64,1,0x90\nend:\n' + text +
                        '.section .note.GNU-stack,"",@progbits\n')
            run("gcc", "-no-pie", "-o", "damaged", "damaged.s", cwd=folder, check=0)
            main_at = next(int(line.split()[0], 16) for line in run("nm", folder + "/damaged", check=0).stdout.splitlines()
                           if line.endswith(" T main"))
            notice = ask(folder + "/damaged", [main_at + i for i in range(64)])[1]
            true(why in notice, notice)


@test
def many_functions_without_debug_information():
    """The symbols are read by a thread, while another finds that there is nothing else."""
    need("gcc")
    with Folder() as folder:
        with open(folder + "/many.s", "w") as f:
            f.write(".text\n.globl main\nmain: ret\n")
            f.writelines("f{0}: ret\n.type f{0},@function\n.size f{0},.-f{0}\n".format(i) for i in range(20000))
            f.write('.section .note.GNU-stack,"",@progbits\n')
        run("gcc", "-o", "many", "many.s", cwd=folder, check=0)
        binary = folder + "/many"
        found = {line.split()[2]: int(line.split()[0], 16) for line in run("nm", binary, check=0).stdout.splitlines()
                 if len(line.split()) == 3}
        wanted = ["f%d" % i for i in range(20000)]
        for _ in range(5):
            lines, notice = ask(binary, [found[name] for name in wanted])
            equal([line.split("\t")[1] for line in lines], wanted, "names")
            true("no debug information" in notice, notice)


def build_id_of(binary):
    return run("readelf", "-n", binary).stdout.split("Build ID: ")[1].split()[0]


@test
def folders_of_debug_files():
    """By build id, under the program's path and by name alone, in the second of two folders."""
    need("gcc", "objcopy")
    with Folder() as folder, Folder() as elsewhere:
        program = build(folder, "program", "gcc", C, "-O2", "-g", "-Wl,--build-id=sha1")
        addresses = addresses_of(program)
        wanted = ask(program, addresses)
        whole, build_id = os.path.join(folder, "whole"), build_id_of(program)
        shutil.copy(program, whole)
        run("strip", program, check=0)
        true("stripped" in ask(program, addresses)[1])
        empty, debug = os.path.join(elsewhere, "empty"), os.path.join(elsewhere, "debug")
        os.makedirs(empty)
        inside = os.path.realpath(folder).lstrip("/")
        for path in (".build-id/%s/%s.debug" % (build_id[:2], build_id[2:]), inside + "/program.debug",
                     inside + "/program", "program.debug", "program"):
            target = os.path.join(debug, path)
            os.makedirs(os.path.dirname(target))
            run("objcopy", "--only-keep-debug", whole, target, check=0)
            equal(ask(program, addresses, "--debug-dir", empty, "--debug-dir", debug), wanted, path)
            shutil.rmtree(debug)

        # A file of the right name that is another program's.
        other = build(folder, "other", "gcc", C[::-1], "-O1", "-g", "-Wl,--build-id=sha1")
        os.makedirs(debug)
        run("objcopy", "--only-keep-debug", other, os.path.join(debug, "program.debug"), check=0)
        true("stripped" in ask(program, addresses, "--debug-dir", debug)[1], "another program's debug file")


@test
def roots_of_other_machines():
    """Debug files under the usr/lib/debug of a made-up root."""
    tried = 0
    for target in ("aarch64-linux-gnu", "arm-linux-gnueabihf", "powerpc-linux-gnu", "powerpc64-linux-gnu"):
        if not shutil.which(target + "-gcc"):
            continue
        tried += 1
        with Folder() as folder, Folder() as root:
            whole = build(folder, "program", target + "-gcc", C, "-O2", "-g", "-Wl,--build-id=sha1")
            addresses = addresses_of(whole, target + "-objdump")
            wanted = ask(whole, addresses)
            inside = os.path.join(root, "opt/bin/program")
            debug = os.path.join(root, "usr/lib/debug/opt/bin/program.debug")
            for path in (inside, debug):
                os.makedirs(os.path.dirname(path))
            run(target + "-objcopy", "--only-keep-debug", whole, debug, check=0)
            run(target + "-objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, whole, inside, check=0)
            true("stripped" in ask(inside, addresses)[1], target)
            equal(ask(inside, addresses, "--sysroot", root), wanted, target)
    if not tried:
        raise Skip("no cross compiler is installed")


def compare_chains(program):
    addresses = addresses_of(program)
    theirs, compared = [], 0
    for line in addr2line.ask(["addr2line", "-a", "-f", "-i", "-e", program], addresses):
        if line.startswith("0x"):
            theirs.append([])
        else:
            theirs[-1].append(line.split(" (discr")[0])
    for line, frames in zip(ask(program, addresses)[0], theirs):
        _innermost, function, place, *chain = line.split("\t")
        chain = [frame.split(" from ") for frame in chain]
        # addr2line gives some functions another of their names; how many there are, it doesn't.
        names = [name for name, _call in chain] + [function]
        places = [place] + [call for _name, call in chain]
        if len(chain) > 0:
            equal(places, frames[1::2], line)
            true(sum(a == b for a, b in zip(names, frames[::2])) >= len(names) - 1, "%s: %s" % (names, frames))
            compared += 1
    return compared


@test
def chains_of_inlined_functions():
    """Each function of the chain and where it called the next, as addr2line -i has them."""
    need("gcc", "g++")
    with Folder() as folder:
        compared = compare_chains(build(folder, "c", "gcc", C, "-O2", "-gdwarf-4"))
        compared += compare_chains(build(folder, "cxx", "g++", CXX, "-O2", "-gdwarf-4"))
        true(compared > 20, "only %d chains" % compared)


def cached(folder):
    names = os.listdir(folder)
    equal(len(names), 1, "files of the cache")
    return os.path.join(folder, names[0])


@test
def kept_between_runs():
    """The second run answers the same without the debug information being read, from the file alone."""
    need("g++")
    with Folder() as folder:
        program = build(folder, "program", "g++", CXX, "-O2", "-g", "-Wl,--build-id=none")
        cache = os.path.join(folder, "deep", "cache")
        addresses = addresses_of(program) + [1, 2 ** 63]
        wanted = ask(program, addresses)
        equal(ask(program, addresses[::2], "--cache", cache)[0], wanted[0][::2], "first")
        first = os.path.getsize(cached(cache))
        equal(ask(program, addresses, "--cache", cache), wanted, "second, with more addresses")
        true(os.path.getsize(cached(cache)) > first, "nothing was added")
        # What is told then must come from the file: a name is changed in it, and its checksum.
        with open(cached(cache), "rb") as file:
            data = bytearray(file.read())
        where = data.rindex(b"\0main\0")
        data[where + 1:where + 5] = b"niam"
        mask, total = 2 ** 64 - 1, len(data)
        padded = data + bytes(-len(data) % 8)
        for at in range(24, total, 8):
            total = (total ^ int.from_bytes(padded[at:at + 8], sys.byteorder)) * 0x9e3779b97f4a7c15 & mask
            total ^= total >> 32
        data[16:24] = total.to_bytes(8, sys.byteorder)
        with open(cached(cache), "wb") as file:
            file.write(data)
        answers, _notice = ask(program, addresses, "--cache", cache)
        true(any("\tniam\t" in line for line in answers), "the file was not read")
        # Another program at the path: what is kept of the one before is not used.
        build(folder, "program", "gcc", C, "-O0", "-g", "-Wl,--build-id=none")
        addresses = addresses_of(program)
        equal(ask(program, addresses, "--cache", cache), ask(program, addresses), "another program")


@test
def damaged_files_of_the_cache():
    need("gcc")
    with Folder() as folder:
        program = build(folder, "program", "gcc", C, "-O2", "-g")
        cache = os.path.join(folder, "cache")
        addresses = addresses_of(program)
        wanted = ask(program, addresses)
        ask(program, addresses, "--cache", cache)
        path = cached(cache)
        with open(path, "rb") as file:
            content = file.read()
        places = sorted({*range(0, 60), *range(60, len(content), len(content) // 60), len(content) - 1})
        for number, place in enumerate(places):
            bad = bytearray(content)
            bad[place] ^= 0x41
            with open(path, "wb") as file:
                file.write(bad if number % 2 else bad[:place])
            equal(ask(program, addresses, "--cache", cache), wanted, "damage at %d" % place)
            with open(path, "rb") as file:
                equal(file.read(), content, "rebuilt after damage at %d" % place)


@test
def the_folder_of_the_cache_stays_small():
    """The files that were written longest ago go when there are more than 256 MB."""
    need("gcc")
    with Folder() as folder:
        program = build(folder, "program", "gcc", C, "-O2", "-g")
        cache = os.path.join(folder, "cache")
        os.makedirs(cache)
        for number in range(6):
            path = os.path.join(cache, "%064x.symbols" % number)
            with open(path, "wb") as file:
                file.truncate(60 << 20)
            os.utime(path, (1000 + number, 1000 + number))
        with open(os.path.join(cache, "note"), "wb") as file:
            file.truncate(300 << 20)
        ask(program, addresses_of(program), "--cache", cache)
        kept = sorted(os.listdir(cache))
        equal([int(n[:64], 16) for n in kept if n.startswith("0" * 40)], [2, 3, 4, 5], "old files")
        equal(len(kept), 6, kept)


@test
def where_nothing_can_be_kept():
    need("gcc")
    with Folder() as folder:
        program = build(folder, "program", "gcc", C, "-O2", "-g")
        addresses = addresses_of(program)
        wanted = ask(program, addresses)
        # Root may write everywhere but to what is no folder.
        for cache in (os.path.join(program, "cache"), "/proc/cache", "/dev/null/cache"):
            equal(ask(program, addresses, "--cache", cache), wanted, cache)


@test
def two_processes_at_once():
    need("gcc")
    with Folder() as folder:
        program = build(folder, "program", "gcc", C, "-O2", "-g")
        cache = os.path.join(folder, "cache")
        addresses = addresses_of(program)
        wanted = ask(program, addresses)[0]
        for _round in range(5):
            processes = [subprocess.Popen([addr2line.TOOL, "-i", "--cache", cache, program], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, text=True) for _ in range(4)]
            for number, process in enumerate(processes):
                process.stdin.write("".join("%x\n" % a for a in addresses[number::4]))
                process.stdin.close()
            for number, process in enumerate(processes):
                equal(process.stdout.read().splitlines(), wanted[number::4], "process %d" % number)
                equal(process.wait(timeout=60), 0, "exit status")
            equal(ask(program, addresses, "--cache", cache)[0], wanted, "after them")
            cached(cache)
            shutil.rmtree(cache)


if __name__ == "__main__":
    main()
