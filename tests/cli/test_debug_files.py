#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where binaries and debug files are found, and how addresses are told that have no name."""

import os
import re
import shutil

import recordings as rec
import tap
from tap import Folder, Skip, equal, main, run, test, true

PROGRAM = """int leaf (int x) { __asm__ volatile ("" : "+r" (x)); return x + 1; }
static inline __attribute__ ((always_inline)) int inner (int x)
{
  return leaf (x) + 3;
}
static inline __attribute__ ((always_inline)) int middle (int x)
{
  return inner (x) * 5;
}
int outer (int x)
{
  return middle (x) - 7;
}
int main (int argc, char **argv) { (void) argv; return outer (argc) == 0; }
"""


def build(folder, cc, *flags):
    with open(folder + "/p.c", "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    run(cc, "-fno-inline", *flags, "-o", "program", "p.c", "-Wl,--build-id=sha1", cwd=folder, check=0)
    return os.path.join(folder, "program")


def symbols(binary):
    """Addresses as a hook gets them: of a descriptor on ELFv1, with bit 0 for Thumb."""
    found = {}
    for line in run("readelf", "-sW", binary, check=0).stdout.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[3] == "FUNC":
            found[fields[7]] = int(fields[1], 16)
    return found


def build_id_of(binary):
    return run("readelf", "-n", binary).stdout.split("Build ID: ")[1].split()[0]


def record(folder, path, build_id, functions, callers=None, bias=0x40000000):
    """A recording in which each function calls the next, once."""
    os.makedirs(folder)
    callers = callers or [0] * len(functions)
    events = [rec.event(rec.ENTER, 10 + i, bias + f, bias + c if c else 0)
              for i, (f, c) in enumerate(zip(functions, callers))]
    events += [rec.event(rec.EXIT, 100 + i, bias + f, bias + c if c else 0)
               for i, (f, c) in enumerate(reversed(list(zip(functions, callers))))]
    rec.write(folder, "trace.1.1.0.bin", rec.header(t0_ns=5), *events)
    rec.write(folder, "trace.1.process",
              ("CALLSIGHT-PROCESS 1\npid 1\nexe %s\nstart-monotonic-ns 5\nmodule 5 %x %x %x %s %s\n" % (
                  path, bias, bias, bias + 0x20000000, build_id or "-", path)).encode())


@test
def roots_of_other_machines():
    """A recording from another machine, whose files lie in a folder that stands for its root."""
    tried = 0
    for target, flags in (("aarch64-linux-gnu", []), ("arm-linux-gnueabihf", ["-mthumb"]), ("powerpc-linux-gnu", []),
                          ("powerpc64-linux-gnu", [])):
        if not shutil.which(target + "-gcc"):
            continue
        tried += 1
        with Folder() as folder:
            program = build(folder, target + "-gcc", "-O0", "-g", *flags)
            found = symbols(program)
            names = ["main", "outer", "leaf"]
            record(folder + "/traces", "/opt/bin/program", build_id_of(program), [found[n] for n in names])
            root = folder + "/root"
            os.makedirs(root + "/opt/bin")
            os.makedirs(root + "/usr/lib/debug/opt/bin")
            debug = root + "/usr/lib/debug/opt/bin/program.debug"
            run(target + "-objcopy", "--only-keep-debug", program, debug, check=0)
            run(target + "-objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, program, root + "/opt/bin/program", check=0)
            data = rec.report(folder + "/traces", "--sysroot", root)
            for name, line in (("main", 14), ("outer", 10), ("leaf", 1)):
                true(data["by_name"][name]["location"].startswith("p.c:%d" % line) or
                     data["by_name"][name]["location"].startswith("p.c:%d" % (line + 1)),
                     "%s %s" % (target, data["by_name"][name]))
            # Without its root nothing is known, and addresses are told by their file.
            rows = rec.report(folder + "/traces")["rows"]
            for row in rows:
                true(re.fullmatch(r"program\+0x[0-9a-f]+", row["function"]), row)
            # Another build of the same path is named, and not trusted.
            build(folder, target + "-gcc", "-O2", "-g", *flags)
            shutil.copy(folder + "/program", root + "/opt/bin/program")
            result = rec.analyze(folder + "/traces", "--sysroot", root)
            true("not the binary that was recorded" in result.stdout + result.stderr, result.stdout + result.stderr)
            true("program+0x" in result.stdout, result.stdout)
    if not tried:
        raise Skip("no cross compiler is installed")


@test
def folders_of_debug_files():
    with Folder() as folder:
        program = build(folder, "gcc", "-O0", "-g", "-no-pie")
        found = symbols(program)
        record(folder + "/traces", program, build_id_of(program), [found["main"], found["leaf"]], bias=0)
        wanted = rec.report(folder + "/traces")["rows"]
        true(wanted[0]["location"].startswith("p.c:"), wanted)
        os.makedirs(folder + "/debug")
        run("objcopy", "--only-keep-debug", program, folder + "/debug/program.debug", check=0)
        run("strip", program, check=0)
        equal(rec.report(folder + "/traces", "--debug-dir", folder, "--debug-dir", folder + "/debug")["rows"], wanted, "rows")
        for option in ("--debug-dir", "--sysroot"):
            for path, why in ((folder + "/nowhere", "doesn't exist"), (program, "is not a folder")):
                result = rec.analyze(folder + "/traces", option, path, check=2)
                equal(result.stdout, "", "standard output")
                lines = result.stderr.splitlines()
                equal(len(lines), 1, result.stderr)
                true(option in lines[0] and path in lines[0] and why in lines[0], lines[0])


@test
def calls_in_inlined_code():
    """A call site is told by the innermost function whose source it is, with those around it."""
    for cc in tap.compilers():
        with Folder() as folder:
            program = build(folder, cc, "-O1", "-g", "-no-pie")
            found = symbols(program)
            lines = run("objdump", "-d", "--no-show-raw-insn", program, check=0).stdout.splitlines()
            after = [int(lines[i + 1].split(":")[0], 16) for i, line in enumerate(lines)
                     if "<leaf>" in line and "call" in line]
            equal(len(after), 1, "calls of leaf")
            record(folder + "/traces", program, build_id_of(program),
                   [found["main"], found["outer"], found["leaf"], found["leaf"] + 0x10000000],
                   [0, 0, after[0], 0x12345678], bias=0)
            text = rec.analyze(folder + "/traces", "--format", "callers").stdout
            true(re.search(r"leaf <- inner \(p\.c:4\)  inlined into middle, outer$", text, re.M), text)
            # What has no name is told by its file and the place there.
            true("program+0x%x <- program+0x%x" % (found["leaf"] + 0x10000000, 0x12345678) in text, text)
            for form in ("text", "json", "folded", "chrome", "callers"):
                true("??" not in rec.analyze(folder + "/traces", "--format", form).stdout, form)


@test
def kept_between_runs():
    with Folder() as folder:
        program = build(folder, "gcc", "-O1", "-g", "-no-pie")
        found = symbols(program)
        record(folder + "/traces", program, build_id_of(program), [found["main"], found["leaf"]], [0, found["outer"] + 8],
               bias=0)

        def reports(cache):
            return [run(tap.CLI, "analyze", folder + "/traces", "--format", form, env=cache, check=0).stdout
                    for form in ("text", "callers", "json")]

        cache = {"XDG_CACHE_HOME": folder + "/cache"}
        first = reports(cache)
        kept = os.listdir(folder + "/cache/callsight/symbols")
        equal(len(kept), 1, "files")
        equal(reports(cache), first, "from the cache")
        # No folder to write to is no reason to say anything.
        for home in (program, "/proc/nowhere"):
            equal(reports({"XDG_CACHE_HOME": home}), first, home)


@test
def kept_by_every_run():
    with Folder() as folder:
        program = build(folder, "gcc", "-O1", "-g", "-no-pie")
        found = symbols(program)
        record(folder + "/traces", program, build_id_of(program), [found["main"], found["leaf"]], [0, found["outer"] + 8],
               bias=0)
        for number in range(20):
            cache = "%s/cache-%d" % (folder, number)
            run(tap.CLI, "analyze", folder + "/traces", env={"XDG_CACHE_HOME": cache}, check=0)
            equal(os.path.isdir(cache) and len(os.listdir(cache + "/callsight/symbols")), 1, "files after run %d" % number)


@test
def many_symbols_without_debug_information():
    with Folder() as folder:
        with open(folder + "/many.s", "w") as file:
            file.write(".text\n")
            for number in range(60000):
                file.write(".globl f%d\n.type f%d,%%function\nf%d: .byte 0\n.size f%d,1\n" % ((number,) * 4))
            file.write('.section .note.GNU-stack,"",%progbits\n')
        program = folder + "/many"
        run("gcc", "-nostdlib", "-no-pie", "-Wl,--entry=f0,--build-id", "-o", program, folder + "/many.s", check=0)
        found = symbols(program)
        record(folder + "/traces", program, build_id_of(program), [found["f7"], found["f59999"]], [0, found["f8"]], bias=0)
        for number in range(10):
            text = run(tap.CLI, "analyze", folder + "/traces", env={"XDG_CACHE_HOME": "%s/cache-%d" % (folder, number)},
                       check=0).stdout
            true(" f7 (in many)\n" in text and " f59999 (in many)\n" in text and "has no debug information" in text, text)


if __name__ == "__main__":
    main()
