# SPDX-License-Identifier: MIT
"""Which files are a project's: what is found, what is skipped, and .gitignore as git itself reads it."""

import os
import random
import shutil
import stat
import subprocess

import tap
from tap import equal, test, true

TOOL = os.path.join(tap.BUILD, "tests", "engine", "selection", "tree-tool")
QUIET_GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
             "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"}


def write(root, path, text="x"):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", errors="surrogateescape") as file:
        file.write(text)


def scan(root, **options):
    """The paths that are found, in their order, and what is said on stderr."""
    result = tap.run(TOOL, root, check=0, **options)
    return [line.split(" ", 2)[2] for line in result.stdout.splitlines()], result.stderr


def git(root, *argv):
    return tap.run("git", "-C", root, *argv, env=QUIET_GIT, check=0).stdout


@test
def extensions():
    sources = ["a.c", "b.cc", "c.cpp", "d.cxx", "e.c++", "f.C", "x.y.c", "ä.c", "g h.c"]
    headers = ["a.h", "b.hh", "c.hpp", "d.hxx", "e.h++", "f.H", "g.inl", "h.tcc", "i.ipp"]
    others = ["a.o", "c", "a.c.orig", "Makefile", "a.S", "a.py", ".c", ".hidden.c", "a.CC", "a.m", "c.txt"]
    with tap.Folder() as root:
        for name in sources + headers + others:
            write(root, "src/" + name, name)
        lines = tap.run(TOOL, root, check=0).stdout.splitlines()
        wanted = [("h" if name in headers else "c", str(len(name.encode())), "src/" + name)
                  for name in sources + headers]
        equal([tuple(line.split(" ", 2)) for line in lines], sorted(wanted, key=lambda w: w[2].encode()), "files")


@test
def folders_that_hold_no_sources():
    skipped = [".git", ".svn", ".hg", ".bzr", "CVS", "_darcs", "node_modules", "venv", ".venv", "__pycache__", "build",
               "build-debug", "_build", "cmake-build-release", "CMakeFiles", ".libs", ".hidden", "build-instr",
               "subprojects/packagecache"]
    taken = ["src", "vendor", "builder", "rebuild", "lib/callsight", "packagecache", "subprojects/lib", "in-source",
             "outer/deep/er", "cvs"]
    with tap.Folder() as root:
        for folder in skipped:
            write(root, folder + "/a.c")
            write(root, "sub/" + folder + "/deep/a.c")
        for folder in taken:
            write(root, folder + "/a.c")
        write(root, "out-of-tree/CMakeCache.txt")
        write(root, "out-of-tree/deep/a.c")
        write(root, "meson/meson-private/a.c")
        write(root, "meson/a.c")
        write(root, "in-source/CMakeCache.txt")
        write(root, "in-source/CMakeLists.txt")
        write(root, "callsight/trace.c")
        write(root, "callsight/trace.h")
        write(root, "CMakeCache.txt")
        equal(scan(root), (sorted(folder + "/a.c" for folder in taken), ""), "files")
        equal(scan(os.path.join(root, "build")), (["a.c"], ""), "a folder that was named is scanned")


@test
def links():
    with tap.Folder() as outside, tap.Folder() as root:
        write(outside, "far.c", "far")
        write(root, "src/a.c", "12345")
        os.symlink("a.c", root + "/src/link.c")
        os.symlink(outside + "/far.c", root + "/src/far.c")
        os.symlink("nowhere.c", root + "/src/broken.c")
        os.symlink("src", root + "/again")
        os.symlink("..", root + "/src/loop")
        os.symlink(outside, root + "/out")
        os.symlink("self.c", root + "/self.c")
        os.mkdir(root + "/folder.c")
        os.mkfifo(root + "/pipe.c")
        lines = tap.run(TOOL, root, check=0).stdout.splitlines()
        equal(lines, ["c 5 src/a.c", "c 3 src/far.c", "c 5 src/link.c"], "files")
        os.symlink(root, outside + "/project")
        equal(scan(outside + "/project")[0], ["src/a.c", "src/far.c", "src/link.c"], "a root that is a link")


@test
def what_cannot_be_read():
    with tap.Folder() as root:
        result = tap.run(TOOL, root + "/missing", check=2)
        true("there is no such folder — name the folder of the project" in result.stderr, result.stderr)
        write(root, "a.c")
        result = tap.run(TOOL, root + "/a.c", check=2)
        true("it is no folder — name the folder of the project" in result.stderr, result.stderr)
        for i in range(23):
            write(root, "closed%02d/b.c" % i)
        for i in range(23):
            os.chmod(root + "/closed%02d" % i, 0)
        os.chmod(root, 0o755)
        argv = [TOOL, root]
        if os.geteuid() == 0:
            if not shutil.which("setpriv"):
                raise tap.Skip("setpriv is missing")
            argv = ["setpriv", "--reuid=65534", "--clear-groups"] + argv
        result = tap.run(*argv)
        for i in range(23):
            os.chmod(root + "/closed%02d" % i, stat.S_IRWXU)
        if result.returncode == 126 or result.returncode == 127:
            raise tap.Skip("another user can't run the build's programs")
        equal(result.stdout.split(), ["c", "1", "a.c"], result.stderr)
        lines = result.stderr.splitlines()
        equal(lines[0], "closed00: it can't be read (Permission denied) — its files are left out", "warning")
        equal(len(lines), 21, "warnings are bounded")
        equal(lines[-1], "… and 3 more folders that can't be read", "last warning")


@test
def deep_and_long():
    with tap.Folder() as root:
        folder = os.open(root, os.O_RDONLY)
        names = []
        for level in range(20):  # together longer than a path may be
            names.append("d" * 250)
            os.mkdir(names[-1], dir_fd=folder)
            inner = os.open(names[-1], os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = inner
            if level in (11, 19):
                os.close(os.open("a.c", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
        os.close(folder)
        files, warnings = scan(root)
        equal(files, ["/".join(names[:12] + ["a.c"])], "files")
        true("it can't be read (File name too long) — its files are left out" in warnings, warnings[-200:])
        many = root + "/" + "/".join(["e"] * 900)
        os.makedirs(many)
        write(many, "b.c")
        equal(scan(root)[0][1], "e/" * 900 + "b.c", "900 levels")


RULES = [
    # .gitignore, paths, which of them are left
    ("*.c", ["a.c", "x/b.c", "a.h"], ["a.h"]),
    ("/*.c", ["a.c", "x/b.c"], ["x/b.c"]),
    ("x/", ["x/a.c", "y/x/a.c", "y/a.c"], ["y/a.c"]),
    ("/x", ["x/a.c", "y/x/a.c"], ["y/x/a.c"]),
    ("y/x", ["x/a.c", "y/x/a.c", "z/y/x/a.c"], ["x/a.c", "z/y/x/a.c"]),
    ("**/y/x", ["x/a.c", "y/x/a.c", "z/y/x/a.c"], ["x/a.c"]),
    ("x/**", ["x/a.c", "x/y/a.c", "a.c"], ["a.c"]),
    ("a/**/b.c", ["a/b.c", "a/x/b.c", "a/x/y/b.c", "b.c"], ["b.c"]),
    ("*.c\n!keep.c", ["a.c", "keep.c", "x/keep.c"], ["keep.c", "x/keep.c"]),
    ("x/\n!x/keep.c", ["x/keep.c"], []),
    ("x/*\n!x/keep.c", ["x/keep.c", "x/a.c"], ["x/keep.c"]),
    ("!a.c\n*.c", ["a.c"], []),
    ("# a.c\n\\#a.c\n\\!b.c\n", ["a.c", "#a.c", "!b.c"], ["a.c"]),
    ("a.c  \nb.c\\ \n", ["a.c", "b.c", "d.c "[:3]], ["b.c", "d.c"]),
    ("a.c\r\n\r\nb.c\r\n", ["a.c", "b.c", "d.c"], ["d.c"]),
    ("\ufeffa.c\n", ["a.c", "b.c"], ["b.c"]),
    ("a[0-9].c\nb[!0-9].c\n", ["a1.c", "ab.c", "b1.c", "bb.c"], ["ab.c", "b1.c"]),
    ("a?.c", ["a.c", "ab.c", "a/b.c"], ["a.c", "a/b.c"]),
    ("[a.c", ["a.c"], ["a.c"]),
    ("a.c/", ["a.c", "x/a.c/b.c"], ["a.c"]),
    ("*/x.c", ["x.c", "a/x.c", "a/b/x.c"], ["a/b/x.c", "x.c"]),
    ("a**b.c", ["ab.c", "axb.c", "a/b.c"], ["a/b.c"]),
    ("x y.c", ["x y.c", "x.c"], ["x.c"]),
]


@test
def rules_of_gitignore():
    for rules, paths, left in RULES:
        with tap.Folder() as root:
            write(root, ".gitignore", rules)
            for path in paths:
                write(root, path)
            equal(scan(root)[0], sorted(left), rules)


@test
def nested_rules_and_repositories():
    with tap.Folder() as top:
        write(top, ".gitignore", "gen.c\nskip/\n")
        write(top, ".git/info/exclude", "private.c\n!gen.c\n")
        write(top, "sub/.gitignore", "!gen.c\n/only.c\n")
        for folder in ("", "sub/", "sub/deep/", "skip/", "inner/", "inner/x/"):
            for name in ("gen.c", "private.c", "only.c", "a.c"):
                write(top, folder + name)
        write(top, "inner/.git", "gitdir: ../elsewhere\n")
        write(top, "elsewhere/commondir", "common\n")
        write(top, "elsewhere/common/info/exclude", "a.c\n")
        wanted = ["a.c", "only.c",
                  "sub/a.c", "sub/gen.c", "sub/deep/a.c", "sub/deep/gen.c", "sub/deep/only.c",
                  "inner/gen.c", "inner/only.c", "inner/private.c",
                  "inner/x/gen.c", "inner/x/only.c", "inner/x/private.c"]
        equal(scan(top)[0], sorted(wanted), "from the top")
        equal(scan(top + "/sub/deep")[0], ["a.c", "gen.c", "only.c"], "the rules above count")
        equal(scan(top + "/skip")[0], ["a.c", "gen.c", "only.c", "private.c"], "an ignored folder that was named")
        os.rename(top + "/sub/.gitignore", top + "/sub/rules")
        os.symlink("rules", top + "/sub/.gitignore")
        equal(scan(top + "/sub/deep")[0], ["a.c", "only.c"], "a .gitignore that is a link")


def random_pattern(rand):
    """No "**" behind a letter: git takes "a**/" for "a" and "**/", against its manual."""
    names = ["a", "b", "ab", "ba", "abc", "c.c", "a.c", "b.c", "ab.c"]
    globs = ["*", "?", "a*", "*b", "*.c", "?.c", "[ab]", "[!a]*", "[a-b].c", "a?", "**", "***", "*a*", "*a**", "[]a]*", "\\a",
             "a\\*", "[^b]*", "[[:alpha:]]*", "[[:digit:][:upper:]]", "[a", "a\\", "[[:no:]]", "[[:]*", "*[.]c", "??*", "[b-a]",
             "[-a]*", "[a-].c", "a.[!d]"]
    parts = [rand.choice(globs if rand.random() < 0.5 else names) for _ in range(rand.choice([1, 1, 1, 2, 2, 3, 4]))]
    text = "/".join(parts)
    return (rand.choice(["", "", "!"]) + rand.choice(["", "", "/"]) + text + rand.choice(["", "", "/"])
            + rand.choice(["", "", "", " ", "\t", "\r", "\\ "]))


@test
def random_rules_as_git_reads_them():
    if not shutil.which("git"):
        raise tap.Skip("git is missing")
    rand = random.Random(20260102)
    ignored = 0
    with tap.Folder() as root:
        tap.run("git", "init", "-q", root, env=QUIET_GIT, check=0)
        for name in ("a", "b", "ab", "ba", "abc"):
            for path in ("", "a/", "b/", "ab/a/", "ba/b/", "b/a/b/", "a/abc/ab/", "abc/a.c/", "a/b/a/"):
                for file in ("a.c", "b.c", "ab.c", "abc.c", "c.c", "1.c", "].c", "a*.c"):
                    write(root, path + file)
        everything = len(scan(root)[0])
        folders = ["", "a/", "b/", "ab/", "a/b/", "b/a/", "abc/"]
        for turn in range(80):
            for folder in folders:
                rules = "".join(random_pattern(rand) + "\n" for _ in range(rand.choice([1, 2, 4])))
                if folder == "" or rand.random() < 0.4:
                    write(root, folder + ".gitignore", rules)
                elif os.path.exists(root + "/" + folder + ".gitignore"):
                    os.unlink(root + "/" + folder + ".gitignore")
            write(root, ".git/info/exclude", random_pattern(rand) + "\n")
            listed = git(root, "ls-files", "-o", "-z", "--exclude-standard").split("\0")
            wanted = sorted(path for path in listed if path.endswith(".c"))
            got = scan(root)[0]
            if got != wanted:
                dump = "".join("%s:\n%s" % (f, open(root + "/" + f + ".gitignore", newline="").read()) for f in folders
                               if os.path.exists(root + "/" + f + ".gitignore"))
                raise AssertionError("turn %d: only here %r, only git %r\n%r exclude: %r" % (
                    turn, sorted(set(got) - set(wanted))[:5], sorted(set(wanted) - set(got))[:5], dump,
                    open(root + "/.git/info/exclude", newline="").read()))
            ignored += everything - len(got)
    true(ignored > 1000, "rules that do nothing: %d" % ignored)


@test
def files_change_while_they_are_read():
    """A folder that comes and goes during scans ends none of them."""
    with tap.Folder() as root:
        for i in range(200):
            write(root, "keep%d/a.c" % i)
        maker = subprocess.Popen(["sh", "-c", "while :; do mkdir -p x/y/z; : >x/y/z/b.c; rm -rf x; done"], cwd=root,
                                 stderr=subprocess.DEVNULL)
        try:
            for _ in range(15):
                files = scan(root)[0]
                equal(len([f for f in files if f.startswith("keep")]), 200, "the others")
        finally:
            maker.kill()
            maker.wait()


tap.main()
