# SPDX-License-Identifier: MIT
"""The selection file: where it is found, what makes it stale, and what a damaged one does."""

import os
import random
import shutil

import tap
from launching import LAUNCHER, Project, arguments, fake_compiler, hooked, read, write
from tap import Skip, equal, main, test, true

FILES = {"a.c": "int a (void) { return 1; }\n", "b.c": "int b (void) { return 2; }\n", "sub/dir/c.c": "int c;\n"}
CHOSEN = {"a.c": ("+", "+a"), "b.c": "-", "sub/dir/c.c": "-"}

# A scan: it counts its calls and writes the selection that is kept in `next`, for the config as it is.
SCAN = """#!/bin/sh
printf '%%s\\n' "$*" >>%(outer)s/scans
%(more)s
config=$(stat -c '%%.9Y %%s' "$4" | tr -d .)
sed "s|^config .*|config $config $4|" %(outer)s/next >"$6.new" && mv "$6.new" "$6"
"""


class Stale(Project):
    """A project whose config has changed; a scan then chooses b.c instead of a.c."""

    def __init__(self, more="", files=None):
        super().__init__(files or FILES)
        self.more = more

    def __enter__(self):
        super().__enter__()
        self.config = write(os.path.join(self.root, "trace.config"), "include a.c\n")
        self.scan = write(os.path.join(self.outer, "scan"), SCAN % {"outer": self.outer, "more": self.more}, executable=True)
        self.lines = ["command " + self.scan]
        self.select({"a.c": "-", "b.c": ("+", "+b"), "sub/dir/c.c": "-"}, config=self.config, lines=self.lines)
        shutil.move(self.selection, os.path.join(self.outer, "next"))
        self.select(CHOSEN, config=self.config, lines=self.lines)
        return self

    def change(self, text="include b.c\n"):
        write(self.config, text)

    def scans(self):
        path = os.path.join(self.outer, "scans")
        return read(path).decode().splitlines() if os.path.exists(path) else []


@test
def where_it_is_found():
    with Project(FILES, CHOSEN) as project:
        for cwd, source in [("", "a.c"), ("sub", "../a.c"), ("sub/dir", "../../a.c")]:
            equal(project.hooks("gcc", "-c", source, cwd=cwd), ["a"], cwd)
        elsewhere = os.path.join(project.outer, "elsewhere", "file")
        write(elsewhere, read(project.selection))
        shutil.rmtree(os.path.join(project.root, "callsight"))
        equal(project.hooks("gcc", "-c", "a.c"), [], "none")
        equal(project.hooks("gcc", "-c", "a.c", env={"CALLSIGHT_SELECTION": ""}), [], "none")
        for name in (elsewhere, "../elsewhere/file"):
            equal(project.hooks("gcc", "-c", "a.c", env={"CALLSIGHT_SELECTION": name}), ["a"], name)
        equal(project.hooks("gcc", "-c", project.root + "/a.c", cwd="..", env={"CALLSIGHT_SELECTION": elsewhere}), ["a"])
        result = project.launch("gcc", "-c", "a.c", env={"CALLSIGHT_SELECTION": "no/such"})
        equal(len(result.stderr.splitlines()), 1, result.stderr)
        true("no/such: No such file" in result.stderr, result.stderr)


@test
def nothing_is_stale():
    with Stale() as project:
        equal(project.hooks("gcc", "-c", "a.c"), ["a"])
        os.unlink(project.config)
        equal(project.hooks("gcc", "-c", "a.c"), ["a"], "no config any more")
        equal(project.scans(), [], "scans")
        equal(sorted(os.listdir(os.path.dirname(project.selection))), ["selection"], "files")


@test
def a_changed_config():
    with Stale() as project:
        project.change()
        equal(project.hooks("gcc", "-c", "a.c"), [], "a.c")
        equal(project.hooks("gcc", "-c", "b.c"), ["b"], "b.c")
        equal(project.scans(), ["scan %s --config %s --write %s --quiet" % (project.root, project.config, project.selection)])
        # Of the same size, at another time.
        project.change("include c.c\n")
        equal(project.hooks("gcc", "-c", "b.c"), ["b"], "b.c")
        equal(len(project.scans()), 2, "scans")


@test
def a_changed_file_of_which_functions_are_chosen():
    with Stale() as project:
        status = os.stat(project.root + "/b.c")
        for time, size, scans in [(status.st_mtime_ns, status.st_size, 0), (0, 0, 0), (status.st_mtime_ns - 1, status.st_size, 1)]:
            text = read(project.selection).decode().replace("+ 0 0 a.c\n\t+a", "- 0 0 a.c")
            text = text.replace("- 0 0 b.c", "%% %d %d b.c\n\t+b" % (time, size))
            write(project.selection, text)
            equal(project.hooks("gcc", "-c", "b.c"), ["b"], "b.c")
            equal(len(project.scans()), scans, "scans")
            write(project.selection, read(project.outer + "/next"))
            project.select(CHOSEN, config=project.config, lines=project.lines)


@test
def many_compiles_at_once():
    """One scan, of which every compile behind it knows."""
    if not shutil.which("make"):
        raise Skip("no make")
    files = {"f%02d.c" % i: "int f%02d (void) { return 1; }\n" % i for i in range(16)}
    with Stale(files=dict(FILES, **files), more="sleep 0.3") as project:
        chosen = {name: ("+", "+" + name[:-2]) if int(name[1:3]) % 2 else "-" for name in files}
        project.select(chosen, config=project.config, lines=project.lines)
        shutil.move(project.selection, project.outer + "/next")
        project.select({name: "-" for name in files}, config=project.config, lines=project.lines)
        project.change()
        write(project.root + "/Makefile", "all: $(patsubst %.c,%.o,$(wildcard f*.c))\n")
        result = tap.run("make", "-j8", "-s", "CC=%s gcc" % LAUNCHER, cwd=project.root, check=0)
        equal(result.stderr, "", "stderr")
        equal(len(project.scans()), 1, "scans")
        found = hooked.functions(*[project.root + "/f%02d.o" % i for i in range(16)])
        equal(sorted(found), ["f%02d" % i for i in range(1, 16, 2)], "hooks")


@test
def no_scan_can_be_run():
    """One line in a build, and the old selection serves."""
    for lines, more in [([], ""), (["command /no/such"], ""), (None, "exit 1"), (None, "exit 0")]:
        with Stale(more=more) as project:
            if lines is not None:
                project.select(CHOSEN, config=project.config, lines=lines)
            project.change()
            write(project.root + "/Makefile", "all: a.o b.o sub/dir/c.o\n")
            for _build in range(2):
                result = tap.run("setsid", "-w", "make", "-j4", "-s", "-B", "CC=%s gcc" % LAUNCHER, cwd=project.root, check=0)
                told = [line for line in result.stderr.splitlines() if "/no/such: " not in line]
                equal(len(told), 1, result.stderr)
                true(told[0].startswith("callsight-cc: %s is newer than the selection: run callsight-cli scan %s --config"
                                        % (project.config, project.root)), told[0])
            equal(sorted(hooked.functions(project.root + "/a.o", project.root + "/b.o")), ["a"], "hooks")
            equal(len(project.scans()) if lines is None else 0, 2 if lines is None else 0, "scans")


@test
def a_scan_that_leaves_nothing():
    with Stale(more="rm \"$6\"; exit 0") as project:
        project.change()
        result = project.launch("gcc", "-c", "a.c")
        true(os.path.exists(project.root + "/a.o"), "the object")
        true(len(result.stderr.splitlines()) <= 2 and "selection" in result.stderr, result.stderr)


@test
def a_folder_that_cannot_be_written():
    with Stale() as project:
        project.select(CHOSEN, config=project.config)
        project.change()
        folder = os.path.dirname(project.selection)
        os.chmod(folder, 0o555)
        result = project.launch("gcc", "-c", "a.c")
        os.chmod(folder, 0o755)
        true(len(result.stderr.splitlines()) == 1, result.stderr)
        equal(sorted(hooked.functions(project.root + "/a.o")), ["a"], "hooks")


# Selections that aren't, and ones with lines that nobody writes.
HEAD = "CALLSIGHT-SELECTION 1\nroot %(root)s\nheaders 1\n"
DAMAGED = [
    "", "\n", "x", "CALLSIGHT-SELECTION 2\nroot %(root)s\nfiles\n+ 0 0 a.c\n", "CALLSIGHT-SELECTION 1\n", "\0" * 100, HEAD,
    "CALLSIGHT-SELECTION 1\nfiles\n+ 0 0 a.c\n", HEAD + "files", "CALLSIGHT-SELECTION 1\nroot relative\nfiles\n+ 0 0 a.c\n",
    HEAD + "config x y z\nfiles\n+ 0 0 a.c\n", HEAD + "config 99999999999999999999999 1 /x\nfiles\n+ 0 0 a.c\n", "\n" * 100000,
]
ODD = [
    "files\n", "files\n\t+a\n", "files\n+\n", "files\n+ 0 0\n", "files\n+ 0 0 \n", "files\n+ -1 0 a.c\n\t\n\t+\n\t+a\n\tx\n",
    "files\n? 0 0 a.c\n", "files\n+ 0 0 a.c", "files\n+ 0 0 a.c\n\t+a", "files\n+ 0 0 " + "x" * 100000 + "\n",
    "files\n+ 0 0 a.c\\", "files\n+ 0 0 a.c\\x", "files\n+ 0 0 \\x00\\xff\\xg\\\n", "files\n" + "\t+a\n" * 10000,
    "files\n+ 0 0 a.c\n" + "\t-a\n" * 10000, "files\n" + "+ 0 0 a.c\n" * 1000, "files\n+ 0 0 z\n+ 0 0 a.c\n",
    "headers 99999999999999999999\nfiles\n+ 0 0 a.c\n", "headers x\nexclude-func \nexclude-func\nunknown line\n\nfiles\n+ 0 0 a.c\n",
    "mirror \nmirror /\nruntime \ncommand \nfiles\n+ 0 0 a.c\n", "files\n% 0 0 a.c\n\t+<>\n\t-<><><>\n\t-<\n\t->\n\t-a<>\n",
    "root /\nfiles\n+ 0 0 a.c\n", "files\n+ 0 0 a.c\r\n\t+a\r\n",
]


@test
def damaged_selections():
    with Project(FILES, CHOSEN) as project:
        compiler = fake_compiler(project)
        for text in DAMAGED:
            write(project.selection, text % {"root": project.root} if "%(" in text else text)
            result = project.launch(compiler, "-c", "a.c", env={"PGRP": "1"})
            if os.path.exists(project.selection + ".told"):
                os.unlink(project.selection + ".told")
            equal(len(result.stderr.splitlines()), 1, "%r: %s" % (text[:100], result.stderr))
            true(result.stderr.startswith("callsight-cc: %s: it is damaged" % project.selection), result.stderr)
            equal(arguments(project), [b"-c", b"a.c"], repr(text[:100]))
        # Once a build.
        equal(len([1 for _ in range(3) if project.launch(compiler, "-c", "a.c").stderr]), 1, "lines in a build")
        for text in ODD:
            write(project.selection, HEAD % {"root": project.root} + text)
            project.launch(compiler, "-c", "a.c")
            equal(arguments(project)[-2:], [b"-c", b"a.c"], repr(text[:100]))


@test
def selections_with_a_line_of_no_file():
    """No file goes without hooks in silence."""
    names = ["%s.c" % c for c in "abcd"]
    with Project({name: "int %s(void) { return 1; }\n" % name[0] for name in names}, {name: "+" for name in names}) as project:
        whole = read(project.selection)
        for at in range(len(names)):
            start = whole.index(b"+ 0 0 %c.c" % names[at][0].encode())
            for text in (whole[:start] + b"garbage\n" + whole[start:], whole[:start] + b"\0" + whole[start + 1:],
                         whole[:start + 7]):
                for name in names:
                    write(project.selection, text)
                    write(project.selection + ".told", "")
                    told = project.launch("gcc", "-c", name).stderr
                    hooked_ones = hooked.functions(project.root + "/" + name[0] + ".o")
                    line = "callsight-cc: %s: it is damaged: some files get no hooks" % project.selection
                    true(hooked_ones or told.startswith(line), "%r: %s: %s" % (text[-60:], name, told))
                    true(len(told.splitlines()) <= 1, told)


@test
def selections_with_bytes_changed():
    """Whatever a byte is, the compiler runs."""
    chance = random.Random(5)
    with Project(FILES, dict(CHOSEN, **{"u/%02d.h" % i: ("-", "-f -g") for i in range(20)}),
                 lines=["exclude-func zz", "mirror /no/such"]) as project:
        compiler = write(os.path.join(project.outer, "bin", "gcc"), "#!/bin/sh\nexit 7\n", executable=True)
        whole = read(project.selection)
        for _round in range(250):
            text = bytearray(whole)
            for _change in range(chance.choice([1, 1, 3])):
                at = chance.randrange(len(text))
                kind = chance.randrange(3)
                if kind == 0:
                    text[at] = chance.choice(b"\n\t\\ +-%09x\0\xff")
                elif kind == 1:
                    del text[at:at + chance.randrange(1, 30)]
                else:
                    text[at:at] = text[chance.randrange(len(text)):][:chance.randrange(30)]
                text = text or bytearray(b" ")
            write(project.selection, bytes(text))
            project.launch(compiler, "-c", "a.c", check=7)


if __name__ == "__main__":
    main()
