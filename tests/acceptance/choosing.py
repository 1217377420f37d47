#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is chosen is recorded, and nothing else: of any project, with any build system, no file of it edited."""

import hashlib
import json
import os
import re

from promises import CLI, SMALL, TESTS, Folder, Promise, bench, cases, judges, main, need, numbers, registered, run, tell
import sources

first = Promise("a first scan of 5,000 files, beside ctags -R", "at most 1.2 × that, as many functions")
second = Promise("a scan with nothing changed, beside ctags -R", "at most 0.1 of it")
flags = Promise("flags for 5,000 sources", "under 0.5 s, the slowest selection")
graph = Promise("a call graph of 100,000 functions", "under 3 s")
launcher = Promise("a compiler command through the launcher, beside the command alone", "at most 3 ms more, the slowest kind")
projects = Promise("three projects that nobody here wrote: scan, select, build, run, report, with no file edited",
                   "lz4 (Make), fribidi (Meson), jsoncpp (CMake, C++)")
hooked = Promise("their functions with hooks are the chosen ones, read from the objects by objdump",
                 "no other (those that gcc can't tell apart are told), every chosen one that is code")
table = Promise("selections of every kind with gcc and with clang", "as chosen, or refused with the reason: 10 of fribidi")
sources_of_flags = Promise("random projects: what is chosen is hooked by gcc's options, and what else is, is told", "every one")
systems = Promise("Make, CMake, Meson, autotools, ccache, fragments and modules build what is chosen; a normal build stays the same",
                  "byte for byte")
bad = Promise("bad configs, patterns, seeds and failing compilers: a sentence and an exit status", "each one, 1 or 2")

# What is in the way of naming exactly: why it has hooks without being chosen.
TOLERATED = {"LZ4_XXH32": "XXH32 by a macro", "LZ4_XXH32_update": "XXH32_update by a macro"}


@judges(first, second)
def scans():
    need("ctags")
    text = bench("scan.py")
    rows = {name.strip(): (float(ratio), int(n)) for name, ratio, n in re.findall(
        r"^(.{16}) +[\d.]+ s +([\d.]+) of plain ctags +(\d+) functions", text, re.MULTILINE)}
    first.at_most(rows["first scan"][0], 1.2, "%.2f ×")
    plain, ours = rows["plain ctags -R"][1], rows["first scan"][1]
    first.holds(ours >= plain > 40000, "%d functions of %d" % (ours, plain))
    second.at_most(rows["nothing changed"][0], 0.1, "%.3f")


@judges(flags)
def options():
    text = bench("flags.py", *(("500", "20") if SMALL else ()))
    times = {name: float(seconds) for name, seconds in re.findall(r"^flags, (.*?): +\d+ bytes +([\d.]+) s", text, re.MULTILINE)}
    assert len(times) >= 4, "selections that have options: %r" % times
    slowest = max(times, key=times.get)
    flags.at_most(times[slowest], 0.5, "%.3f s ({}; {} selections)".format(slowest, len(times)))


@judges(graph)
def calls():
    text = bench("callgraph.py", *(("5000", "100") if SMALL else ()))
    seconds = [float(s) for s in re.findall(r"\bgraph[^0-9]* ([\d.]+) s", text)]
    assert seconds, "times of the graph"
    graph.at_most(sorted(seconds)[len(seconds) // 2], 3, "%.2f s")


@judges(launcher)
def commands():
    text = bench("launcher.py", "20" if SMALL else "100")
    rows = re.findall(r"^(.{34}) +[\d.]+ +[\d.]+ +(-?[\d.]+) +[\d.]+ +[\d.]+ +(-?[\d.]+) +", text, re.MULTILINE)
    assert len(rows) == 5, "rows of launcher.py: %r" % rows
    name, clock, used = max(rows, key=lambda row: float(row[1]))
    launcher.at_most(float(clock), 3, "%.2f ms ({}; {} ms of processor)".format(name.strip(), used))


# --- projects -----------------------------------------------------------------

def digest(folder):
    """Of all files that are the project's."""
    found = {}
    for top, folders, names in os.walk(folder):
        if top == folder:
            folders[:] = [name for name in folders if name not in ("callsight", "build-instr")]
        for name in names:
            path = os.path.join(top, name)
            if not os.path.islink(path) and path != os.path.join(folder, "trace.config"):
                with open(path, "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def build(folder, config, *arguments, check=0):
    """What `build` said."""
    with open(folder + "/trace.config", "w", encoding="utf-8") as file:
        file.write(config)
    result = run(CLI, "build", folder, "--clean", *arguments, check=check, quiet=True, timeout=300)
    return result.stdout + result.stderr


def look(folder, report=None):
    """By objdump: ({names with hooks that aren't chosen}, {chosen ones without}, other lines that it ended with)."""
    result = run("python3", os.path.join(TESTS, "bench", "chosen.py"), folder + "/build-instr", *([report] if report else []),
                 check=None, env={"NAMES": "1000"})

    def names(what):
        found = re.search(r"^%s: \d+ \((.*)\)$" % re.escape(what), result.stdout, re.MULTILINE)
        return set(found.group(1).split(", ")) if found else set()

    if "functions with hooks: " not in result.stdout:
        raise AssertionError("chosen.py: " + result.stderr[-300:])
    n = int(numbers(r"functions with hooks: (\d+)", result.stdout))
    return n, names("hooked, but not chosen"), names("chosen and code in a hooked unit, but without hooks"), \
        names("in the report, but without hooks") | (names("in the report, but not chosen"))


def told(text):
    """The names that a build says are hooked, but not chosen."""
    found = re.search(r"hooked, but not chosen: \d+ \((.*?)\)", text)
    return set(found.group(1).split(", ")) if found else set()


def project(package, config, system, program, *arguments, least):
    """Builds, records and compares a project. program: its path below build-instr."""
    with Folder(1) as folder:
        path = sources.unpack(package, folder)
        before = digest(path)
        run(CLI, "init", path, *(["--system", system] if system else []), quiet=True)
        said = build(path, config, *(["--system", system] if system else []))
        tell("\n".join(said.splitlines()[-12:]))
        scan = run(CLI, "scan", path, quiet=True).stdout
        tell("\n".join(scan.splitlines()[:6]))
        found = [os.path.join(top, name) for top, _, names in os.walk(path + "/build-instr") for name in names
                 if os.path.join(top, name).endswith(program)]
        assert found, "%s was not built" % program
        with open(folder + "/input", "w", encoding="utf-8") as file:
            file.write("".join("{\"key %d\": [%d, \"שלום\", \"text\"]}\n" % (i, i) for i in range(1)) if package == "libjsoncpp"
                       else "".join("line %d of שלום text\n" % (i * i) for i in range(20000)))
        run(CLI, "run", "--dir", folder + "/traces", "--out", "/dev/null", "--", found[0],
            *[argument.replace("INPUT", folder + "/input").replace("FOLDER", folder) for argument in arguments], quiet=True, cwd=folder)
        run(CLI, "analyze", folder + "/traces", "--format", "json", "--top", "0", "--out", folder + "/report.json", quiet=True)
        with open(folder + "/report.json", encoding="utf-8") as file:
            report = json.load(file)
        n, wrong, without, strange = look(path, folder + "/report.json")
        excused = told(said) | set(TOLERATED)
        changed = [name for name, value in before.items() if digest(path).get(name) != value]
        projects.holds(report["events"] > 0 and len(report["rows"]) >= least and not changed, "%s %d functions, %d events%s" % (
            package, len(report["rows"]), report["events"], ", edited: " + ", ".join(changed[:3]) if changed else ""))
        hooked.holds(n > 0 and not wrong - excused and not without and not strange - excused, "%s %d with hooks%s%s%s" % (
            package, n, ", told %s" % ", ".join(sorted(wrong & excused)) if wrong & excused else "",
            ", NOT TOLD %s" % ", ".join(sorted(wrong - excused)[:5]) if wrong - excused else "",
            ", WITHOUT %s" % ", ".join(sorted(without | (strange - excused))[:5]) if without | (strange - excused) else ""))


@judges(projects, hooked, at_once=True)
def strangers():
    need("ctags", "meson", "cmake", "objdump")
    project("lz4", "include lib/lz4.c\ninclude lib/lz4hc.c\ninclude-func LZ4F_compressUpdate\nexclude-func LZ4_read\n", None,
            "programs/lz4", "-9", "-f", "INPUT", "FOLDER/out.lz4", least=20)
    project("fribidi", "include lib/fribidi-bidi.c\ninclude-func fribidi_shape\n", "meson", "bin/fribidi", "INPUT", least=8)
    project("libjsoncpp", "include src/lib_json/json_reader.cpp\ninclude-func Json::StyledWriter::write\n"
            "exclude-func Json::Reader::decode\n", "cmake", "jsoncpp_test", least=40)


ROWS = [
    ("everything", "", ()),
    ("a file", "include lib/fribidi-bidi.c\n", ()),
    ("a folder without a file", "include lib/\nexclude lib/fribidi-bidi.c\n", ()),
    ("a function and what it calls", "include-func fribidi_shape\n", ("refused",)),
    ("a folder without a function", "include lib/\nexclude-func fribidi_get\n", ("refused",)),
]


@judges(table, at_once=True)
def selections():
    need("ctags", "meson", "objdump", "gcc", "clang")
    with Folder(1) as folder:
        path = sources.unpack("fribidi", folder)
        run(CLI, "init", path, "--system", "meson", quiet=True)
        for cc in ("gcc", "clang"):
            for name, config, odd in ROWS[:2] if SMALL else ROWS:
                refused = cc == "clang" and "refused" in odd
                said = build(path, config, "--system", "meson", "--compiler", cc, check=2 if refused else 0)
                if refused:
                    table.holds("--widen" in said and len(said.strip().splitlines()[-1]) < 400, "%s, %s: refused" % (cc, name))
                    continue
                n, wrong, without, _ = look(path)
                table.holds(n > 0 and not without and not wrong - told(said), "%s, %s: %d%s" % (
                    cc, name, n, ", but %s" % ", ".join(sorted(wrong - told(said) | without)[:4]) if wrong - told(said) or without else ""))
        said = build(path, ROWS[3][1], "--system", "meson", "--compiler", "clang", "--widen")
        n, wrong, without, _ = look(path)
        table.holds(wrong and wrong == told(said) and not without, "clang, widened: %d, %d of them told as not chosen" % (n, len(wrong)))
        said = build(path, "include lib/\n", "--system", "meson", "--compiler", "clang", "--after-inlining")
        n, wrong, _without, _ = look(path)
        table.holds(n > 0 and not wrong, "clang, after inlining: %d" % n)
        said = build(path, "include lib/\n", "--system", "meson", "--compiler", "gcc", "--after-inlining", check=2)
        table.holds(said.strip() != "", "gcc, after inlining: refused")


@judges(sources_of_flags, at_once=True)
def random_projects():
    sources_of_flags.tested(cases("cli/test_flags.py", "hooked", "left_out", "carries_no_hooks", "names_of"), least=8)


@judges(systems, at_once=True)
def build_systems():
    systems.tested(cases("cli/test_build.py", "normal", "what_is_chosen", "cmake", "meson", "autotools", "second", "changed_config"), least=9)
    systems.tested(cases("cli/test_integrations.py"), least=7)
    systems.tested(cases("launcher/test_builds.py"), least=6)


@judges(bad, at_once=True)
def bad_input():
    for script in ("scan", "flags"):
        bad.tested(cases("cli/test_%s.py" % script, "errors_are"), least=1)
    bad.tested(cases("cli/test_select.py", "not_there", "wrong_usage"), least=2)
    bad.tested(cases("cli/test_build.py", "what_fails", "bad_usage", "clang", "without_the_runtime"), least=4)
    bad.tested(registered("selection trace-config"), least=5)


main(30)
