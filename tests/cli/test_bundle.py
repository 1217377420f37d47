# SPDX-License-Identifier: MIT
"""--bundle: a recording that opens with names and sources where nothing else of it is."""

import os
import shutil
import signal
import subprocess
import time

import happening
import named
import recordings as rec
import tap
from tap import Folder, equal, main, run, test, true

# Nothing is known from earlier runs.
PLAIN = {"DEBUGINFOD_URLS": "", "CALLSIGHT_ADDR2LINE": "", "XDG_CACHE_HOME": "/dev/null/none"}


def text(traces, *arguments):
    result = run(tap.CLI, "analyze", traces, *arguments, env=PLAIN, check=0)
    equal(result.stderr, "", "stderr")
    return result.stdout


def bundle(traces, out, *arguments, cwd=None):
    result = run(tap.CLI, "analyze", *([traces] if isinstance(traces, str) else traces), "--bundle", out, *arguments,
                 env=PLAIN, check=0, cwd=cwd)
    equal(result.stderr, "", "stderr")
    return result.stdout


def manifest(out):
    """The lines by their first word, and the rest of each."""
    with open(os.path.join(out, "bundle"), encoding="utf-8") as file:
        found = {}
        for line in file.read().splitlines():
            word, rest = line.split(" ", 1)
            found.setdefault(word, []).append(rest)
    equal(found["CALLSIGHT-BUNDLE"], ["1"], "the version")
    return found


def refused(result, *words):
    equal((result.returncode, result.stdout), (2, ""), "exit status, output (%s)" % result.stderr)
    equal(len(result.stderr.splitlines()), 1, result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))


def names_of(folder):
    return sorted(os.listdir(folder))


@test
def the_report_is_the_same_where_nothing_else_is():
    with Folder() as folder:
        named.record(folder)
        before = {options: text(folder + "/traces", *options) for options in ((), ("--format", "json"))}
        sites = text(folder + "/traces", "--format", "callers")
        said = bundle(folder + "/traces", folder + "/out")
        true(said.startswith("%s/out: 2 event files, " % folder), said)
        told = manifest(folder + "/out")
        for name in ("app", "libthird.so"):
            true(any(line.startswith(named.build_id("%s/build/%s" % (folder, name)) + " modules/") and
                     line.endswith(" %s/build/%s" % (folder, name)) for line in told["module"]), "%s in %r" % (name, told))
        # What was recorded is gone, and the bundle has moved.
        shutil.move(folder + "/build", folder + "/gone")
        os.makedirs(folder + "/far/away")
        shutil.move(folder + "/out", folder + "/far/away/moved")
        true(text(folder + "/traces") != before[()], "without the bundle there are no names")
        shutil.rmtree(folder + "/traces")
        for options, wanted in before.items():
            equal(text(folder + "/far/away/moved", *options), wanted, "report %r" % (options,))
        equal(text(folder + "/far/away/moved", "--format", "callers"), sites, "call sites")
        equal(run(tap.CLI, "analyze", ".", "--format", "callers", cwd=folder + "/far/away/moved", check=0).stdout,
              sites, "opened as the current folder")
        # The sources are in it.
        sources = dict(line.split(" ", 1)[::-1] for line in told["source"])
        for name, content in named.SOURCES.items():
            path = sources["%s/build/src/%s" % (folder, name)]
            with open(os.path.join(folder, "far/away/moved", path), encoding="utf-8") as file:
                equal(file.read(), content, name)
        # A bundle of a bundle is as good.
        bundle(folder + "/far/away/moved", folder + "/second")
        shutil.rmtree(folder + "/far")
        equal(text(folder + "/second"), before[()], "a bundle of the bundle")
        equal(len(manifest(folder + "/second")["source"]), len(told["source"]), "its sources")


@test
def separate_debug_files_are_in_it():
    with Folder() as folder:
        named.record(folder)
        before = text(folder + "/traces")
        for name in ("app", "libthird.so"):
            run("objcopy", "--only-keep-debug", name, name + ".debug", cwd=folder + "/build", check=0)
            run("strip", "--strip-all", name, cwd=folder + "/build", check=0)
            run("objcopy", "--add-gnu-debuglink=%s.debug" % name, name, cwd=folder + "/build", check=0)
        equal(text(folder + "/traces"), before, "with debug files beside")
        bundle(folder + "/traces", folder + "/out")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/out"), before, "in the bundle")


@test
def split_debug_information_is_in_it():
    with Folder() as folder:
        named.record(folder, "-gsplit-dwarf")
        run("objcopy", "--strip-symbol", "second", "app", cwd=folder + "/build", check=0)
        before = text(folder + "/traces", "--format", "callers")
        true("second (" in before, before)
        bundle(folder + "/traces", folder + "/out")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/out", "--format", "callers"), before, "in the bundle")
        shutil.rmtree(folder + "/out/debug")
        after = text(folder + "/out", "--format", "callers")
        true("second (" not in after and ".dwo" in after, "without its .dwo files: " + after)


@test
def a_package_is_in_it():
    with Folder() as folder:
        named.record(folder, "-gsplit-dwarf", "-gdwarf-4")
        run("objcopy", "--strip-symbol", "second", "app", cwd=folder + "/build", check=0)
        for name in ("app", "libthird.so"):
            run("dwp", "-e", name, "-o", name + ".dwp", cwd=folder + "/build", check=0)
        for name in os.listdir(folder + "/build"):
            if name.endswith(".dwo"):
                os.remove(os.path.join(folder, "build", name))
        before = text(folder + "/traces", "--format", "callers")
        true("second (" in before, before)
        bundle(folder + "/traces", folder + "/out")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/out", "--format", "callers"), before, "in the bundle")


@test
def what_dwz_moved_out_is_in_it():
    with Folder() as folder:
        named.record(folder)
        before = text(folder + "/traces", "--format", "callers")
        run("dwz", "-m", folder + "/build/common.debug", "app", "libthird.so", cwd=folder + "/build", check=0)
        equal(text(folder + "/traces", "--format", "callers"), before, "with a shared file")
        bundle(folder + "/traces", folder + "/out")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/out", "--format", "callers"), before, "in the bundle")


@test
def a_summary_and_several_folders():
    with Folder() as folder:
        named.build(folder)
        for name, more in (("events", []), ("more", []), ("sums", ["--mode", "summary"])):
            run(tap.CLI, "run", "--dir", "%s/%s" % (folder, name), *more, "--out", os.devnull, "--", "./app",
                cwd=folder + "/build", check=0)
        sums, both = text(folder + "/sums"), run(tap.CLI, "analyze", folder + "/events", folder + "/more", check=0).stdout
        bundle(folder + "/sums", folder + "/sums-out")
        bundle([folder + "/events", folder + "/more", folder + "/events/"], folder + "/both-out")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/sums-out"), sums, "a summary")
        equal(text(folder + "/both-out"), both, "two folders")


@test
def a_single_file_and_the_binary_that_was_named():
    with Folder() as folder:
        named.record(folder)
        trace = [name for name in names_of(folder + "/traces") if name.endswith(".bin")][0]
        bundle(os.path.join(folder, "traces", trace), folder + "/one")
        true("trace.%s.process" % trace.split(".")[1] in names_of(folder + "/one"), "its process file came with it")
        # Without a process file --exe says what ran.
        for name in names_of(folder + "/traces"):
            if name.endswith(".process"):
                os.remove(os.path.join(folder, "traces", name))
        before = text(folder + "/traces", "--exe", folder + "/build/app")
        true("first (src/main.c" in before, before)
        bundle(folder + "/traces", folder + "/out", "--exe", folder + "/build/app")
        shutil.rmtree(folder + "/build")
        equal(text(folder + "/out"), before, "the binary is known")


@test
def sources_that_a_map_moved():
    with Folder() as folder:
        named.record(folder)
        os.rename(folder + "/build/src", folder + "/moved sources")
        said = bundle(folder + "/traces", folder + "/none")
        true("! not in it: %s/build/src/main.c: there is no such file" % folder in said, said)
        bundle(folder + "/traces", folder + "/out", "--source-map", "%s/build/src=%s/moved sources" % (folder, folder))
        sources = dict(line.split(" ", 1)[::-1] for line in manifest(folder + "/out")["source"])
        with open(os.path.join(folder, "out", sources[folder + "/build/src/main.c"]), encoding="utf-8") as file:
            equal(file.read(), named.MAIN, "the source")


@test
def odd_names_come_through():
    with Folder() as folder:
        odd = folder + "/a b\\c\n\"ü\" dir"
        os.mkdir(odd)
        named.record(odd)
        before = text(odd + "/traces")
        bundle(odd + "/traces", odd + "/out bundle")
        shutil.rmtree(odd + "/build")
        equal(text(odd + "/out bundle"), before, "the report")


@test
def a_target_where_something_is():
    with Folder() as folder:
        named.record(folder)
        rec.write(folder, "file", b"mine")
        os.mkdir(folder + "/full")
        rec.write(folder + "/full", "mine", b"mine")
        os.symlink("nowhere", folder + "/link")
        for out, word in (("file", "something is there"), ("full", "something is there"), ("link", "something is there"),
                          ("traces", "something is there"), ("no/such/folder", "isn't there")):
            for command in (["analyze", "traces"], ["run", "--dir", "t", "--", "touch", "ran"]):
                refused(run(tap.CLI, command[0], "--bundle", out, *command[1:], cwd=folder), out, word)
        for more in (["--out", "report"], ["--format", "json"]):
            refused(run(tap.CLI, "analyze", "traces", "--bundle", "out", *more, cwd=folder), "--bundle", "no report")
        equal(names_of(folder), ["build", "file", "full", "link", "traces"], "nothing else is there")
        equal(names_of(folder + "/full"), ["mine"], "what was there")
        # An empty folder will do, and one that isn't there.
        os.mkdir(folder + "/empty")
        bundle("traces", "empty", cwd=folder)
        true("bundle" in names_of(folder + "/empty"), "the bundle")
        said = run(tap.CLI, "run", "--dir", folder + "/t", "--bundle", folder + "/ran", "--", "./app", cwd=folder + "/build",
                   check=0).stdout
        true("/ran: 2 event files" in said, said)


@test
def a_bundle_that_fails_leaves_nothing():
    with Folder() as folder:
        named.record(folder)
        before = names_of(folder)
        # Of two recordings with the same names one would hide the other.
        shutil.copytree(folder + "/traces", folder + "/copy")
        refused(run(tap.CLI, "analyze", "traces", "copy", "--bundle", "out", cwd=folder), "one by one")
        # A file that doesn't call itself one of a recording.
        rec.write(folder, "events", rec.header(), rec.event(rec.ENTER, 1, 0x10), rec.event(rec.EXIT, 2, 0x10))
        refused(run(tap.CLI, "analyze", "events", "--bundle", "out", cwd=folder), "trace.<pid>")
        equal(names_of(folder), sorted(before + ["copy", "events"]), "nothing is left")
        # A disk that fills up: a limit on what a file may hold.
        large = rec.write(folder + "/traces", "trace.1.1.0.bin", rec.header(t0_ns=7), rec.event(rec.ENTER, 1, 0x10) * 50000)
        limited = run("sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh", tap.CLI, "analyze", "traces", "--bundle", "out",
                      cwd=folder)
        refused(limited, "out: the bundle could not be made")
        equal(names_of(folder), sorted(before + ["copy", "events"]), "nothing is left")
        true(os.path.getsize(large) > 1000 * 512, "it is larger than that")


@test
def an_interrupted_bundle_leaves_nothing():
    with Folder() as folder:
        named.record(folder)
        # Sparse, and so large that it takes a while to copy; it is no trace, the reader skips it.
        slow = os.path.join(folder, "traces", "trace.1.9.0.bin")
        with open(slow, "wb") as file:
            file.truncate(256 << 20)
        process = subprocess.Popen([tap.CLI, "analyze", folder + "/traces", "--bundle", folder + "/out"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while names_of(folder) == ["build", "traces"] and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        if process.returncode == 0:
            true(os.path.exists(folder + "/out/bundle"), "it was faster than the signal")
        else:
            equal(process.returncode, -signal.SIGINT, "ended by the signal")
            equal(names_of(folder), ["build", "traces"], "nothing is left")


@test
def interrupted_when_it_is_whole():
    with Folder() as folder, Folder() as place:
        named.record(folder)
        result = tap.run(tap.CLI, "analyze", folder + "/traces", "--bundle", folder + "/out",
                         env=happening.make(place)("r", 0), check=0)
        true(result.stdout.startswith(folder + "/out: "), result.stdout)
        equal(names_of(folder), ["build", "out", "traces"], "what is there")


@test
def a_file_that_is_not_the_recorded_one():
    with Folder() as folder:
        named.record(folder)
        before = text(folder + "/traces")
        # Built again with other code: not what ran, so not in the bundle.
        shutil.copytree(folder + "/build", folder + "/kept")
        run("gcc", "-g", "-O0", "-shared", "-fPIC", "-Wl,--build-id", "-o", "libthird.so", "-DOTHER", "src/library.c",
            "-include", "stdlib.h", cwd=folder + "/build", check=0)
        said = bundle(folder + "/traces", folder + "/part")
        true("! not in it: %s/build/libthird.so: it is not the file that was recorded" % folder in said, said)
        shutil.rmtree(folder + "/build")
        shutil.move(folder + "/kept", folder + "/build")
        bundle(folder + "/traces", folder + "/out")
        # Changed in the bundle: the notice says so, and the file on disk is read.
        modules = {line.rsplit("/", 1)[1]: line.split(" ")[1] for line in manifest(folder + "/out")["module"]}
        shutil.copy(os.path.join(folder, "out", modules["app"]), os.path.join(folder, "out", modules["libthird.so"]))
        data, found = named.rows(folder + "/out", env=PLAIN)
        equal(found, named.lines("src/"), "names")
        equal(len(data["notices"]), 1, "%r" % data["notices"])
        true("build id differs" in data["notices"][0], data["notices"][0])
        # Cut short in the bundle.
        with open(os.path.join(folder, "out", modules["libthird.so"]), "r+b") as file:
            file.truncate(100)
        data, found = named.rows(folder + "/out", env=PLAIN)
        equal((found, len(data["notices"])), (named.lines("src/"), 1), "names, notices")
        # And with nothing on disk, module and offset.
        shutil.rmtree(folder + "/build")
        data, found = named.rows(folder + "/out", env=PLAIN)
        true(any(name.startswith("libthird.so+0x") for name in found), "%r" % found)
        true(text(folder + "/out") != before, "not named by the wrong file")


@test
def manifests_that_are_none():
    with Folder() as folder:
        named.record(folder)
        before = text(folder + "/traces")
        path = folder + "/traces/bundle"
        for content, word in ((b"somebody's list\n", None), (b"", None), (b"CALLSIGHT-BUNDLE 2\n", "version 2"),
                              (b"CALLSIGHT-BUNDLE x\n", "damaged"), (b"CALLSIGHT-BUNDLE 1", None),
                              (b"CALLSIGHT-BUNDLE 1\nmodule\nsource x\nexe\n\xff\xfe\ndebug a\n" + b"y" * 100000, None)):
            with open(path, "wb") as file:
                file.write(content)
            after = text(folder + "/traces")
            if word is None:
                equal(after, before, "with %r" % content[:40])
            else:
                notices = [line for line in after.splitlines() if line.startswith("! ")]
                equal(len(notices), 1, "notices with %r" % content)
                true(word in notices[0], notices[0])
        os.remove(path)
        os.mkfifo(path)
        equal(text(folder + "/traces"), before, "a FIFO of that name")


main()
