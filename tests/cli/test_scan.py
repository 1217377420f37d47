# SPDX-License-Identifier: MIT
"""scan: what it says of a project, and the selection file that it writes."""

import json
import os
import time

import tap
from tap import CLI, Folder, equal, main, run, test, true

FILES = {
    "src/main.c": "int work (void);\nint main (void) { return work (); }\n",
    "src/work.c": '#include "work.h"\nint rng (void);\nint work (void) { return step () + rng (); }\nint idle (void) { return 1; }\n',
    "src/work.h": "static inline int step (void) { return 1; }\n",
    "src/utils/rng.c": "int rng (void) { return 4; }\n",
    "docs/text.txt": "no source\n",
}


def project(folder, config="", files=None):
    for path, text in {**(FILES if files is None else files), **({} if config is None else {"trace.config": config})}.items():
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)


def scan(folder, *arguments, check=0, cwd=None, env=None):
    result = tap.run(tap.CLI, "scan", folder, *arguments, check=check, cwd=cwd, env=env)
    true("CRITICAL" not in result.stderr and "WARNING" not in result.stderr, result.stderr)
    if check:
        equal(result.stderr.count("\n"), 1, "lines of %r" % result.stderr)
        true(result.stderr.startswith("callsight-cli: "), result.stderr)
    return result


@test
def what_is_chosen_is_told_in_a_line_and_what_is_not_below():
    with Folder() as folder:
        project(folder, "exclude src/utils/rng.c\n")
        result = scan(folder)
        lines = result.stdout.splitlines()
        equal(lines[0], "3 sources: 2 instrumented, 1 excluded (config: %s/trace.config)" % folder)
        equal(lines[1], "  excluded: src/utils/rng.c")
        equal(lines[2], "1 header: 1 instrumented")
        true(lines[3].startswith("5 functions: 4 chosen (found by "), lines[3])
        equal(result.stderr, "", "warnings")
        result = scan(".", cwd=folder)
        true(result.stdout.startswith("3 sources: 2 instrumented, 1 excluded (config: trace.config)\n"), result.stdout)


@test
def a_subtree_is_told_with_its_size():
    with Folder() as folder:
        project(folder, "# entry\ninclude-func work\ninclude-func main 1\n")
        lines = scan(folder, "--list").stdout.splitlines()
        true("include-func work: 3 functions across 3 files (full depth)" in lines, lines)
        true("include-func main: 2 functions across 2 files (depth 1)" in lines, lines)
        true("  partly: src/work.c (1 of 2 functions)" in lines, lines)
        listed = [line.split()[0] for line in lines if line.endswith(")") and "(src/" in line]
        equal(sorted(listed), ["main", "rng", "step", "work"], "listed")


@test
def warnings_name_file_line_and_rule():
    with Folder() as folder:
        project(folder, "include src\n\ninclude src/nett/\nexclude-func r # all\n")
        told = scan(folder).stderr.splitlines()
        equal(told[0], "! %s/trace.config:3: include src/nett/: matches no file" % folder)
        true(told[1].startswith("! %s/trace.config:4: exclude-func r: the compiler looks for it in names, so that it takes 2 "
                                "others too: " % folder), told)
        equal(len(told), 2, told)


@test
def functions_that_gcc_hooks_since_their_names_are_part_of_chosen_ones_are_told():
    frame = ("int bound_internal (void) { return 1; }\nint bound (void) { return bound_internal (); }\n"
             "int update (void) { return bound_internal (); }\nint up (void) { return 2; }\nint other (void) { return 3; }\n")
    with Folder() as folder:
        project(folder, "include-func update\n", {"a/frame.c": frame, "a/whole.c": "int b (void) { return 1; }\n"})
        told = scan(folder).stderr
        equal(told, "! a/frame.c: bound and 1 more aren't chosen, but gcc hooks them: to leave bound out would take "
              "bound_internal, too, which is chosen\n", "two functions")
        data = json.loads(scan(folder, "--format", "json").stdout)
        equal(data["warnings"], [told[2:-1]], "in JSON")
        # A rule is passed on as it is written.
        project(folder, "include-func update\nexclude-func up\nexclude-func bound\n", {})
        true("gcc hooks" not in scan(folder).stderr, "what a rule names is left out")
        project(folder, "include-func bound_internal\nexclude-func up\n", {})
        true("! a/frame.c: bound isn't chosen, but gcc hooks it: to leave it out would take bound_internal, too, which is "
             "chosen\n" in scan(folder).stderr, "one function")
        project(folder, "include-func other\n", {})
        equal(scan(folder).stderr, "", "names that are part of none")
        # In other files names don't count: each unit has a list of its own.
        project(folder, "include a/whole.c\n", {})
        equal(scan(folder).stderr, "", "whole files")
        files = {"%02d.c" % i: frame for i in range(25)}
        project(folder, "include-func bound_internal\n", files)
        told = scan(folder).stderr.splitlines()
        equal((len(told), told[-1]), (21, "! in 6 more files gcc hooks functions that aren't chosen, since their names are part "
                                          "of chosen ones"), "many files")


@test
def functions_of_templates_are_told_only_if_no_part_of_the_name_will_do():
    text = ("template <class T> struct Ring { int pop () { return 1; } int pop_all () { return pop (); } int size () { return 2; } };\n"
            "template <class T> struct List { int pop () { return 3; } };\n"
            "int both () { return Ring<int> ().size () + List<int> ().pop (); }\n")
    with Folder() as folder:
        project(folder, "include-func Ring::pop_all 0\n", {"r.cpp": text})
        told = scan(folder).stderr
        true("! r.cpp: Ring<>::pop isn't chosen, but gcc hooks it: to leave it out would take Ring<>::pop_all, too" in told, told)
        true("List" not in told, told)


@test
def quiet_leaves_out_what_is_not_the_result():
    with Folder() as folder:
        project(folder, "include src\nexclude none.c\n")
        loud, quiet = scan(folder), scan(folder, "-q")
        true("none.c" in loud.stderr, loud.stderr)
        equal((quiet.stdout, quiet.stderr), (loud.stdout, ""), "quiet")
        loud = scan(folder, "--write", os.path.join(folder, "selection"))
        equal(loud.stdout, quiet.stdout, "result beside a file")


@test
def names_do_no_harm_to_a_terminal():
    # An escape, and the one-character control sequence introducer of ISO 6429.
    name = "a\x1b[2J\u009b2Jb\udcff.c"
    with Folder() as folder:
        project(folder, "exclude none\nexclude *b*.c\nexclude-func g\n")
        with open(os.fsencode(os.path.join(folder, name)), "w", encoding="utf-8") as file:
            file.write("int f (void) { return 1; }\nint g (void) { return 2; }\n")
        for command in (["scan", folder, "--list"], ["scan", folder], ["select", folder, "--list"], ["select", folder, "-f", "f"]):
            result = tap.run(tap.CLI, *command, check=0)
            true("[2J" in result.stdout, result.stdout)
            for text in (result.stdout, result.stderr):
                true("\x1b" not in text and "\u009b" not in text, "%r of %s" % (text, command))
        result = tap.run(tap.CLI, "flags", "--config", os.path.join(folder, "trace.config"), "--print", "--compiler", "gcc", "--",
                         name, check=0, cwd=folder)
        true("\x1b" not in result.stderr and "\u009b" not in result.stderr, result.stderr)


@test
def json_holds_what_the_text_says():
    with Folder() as folder:
        project(folder, "include-func work\nexclude src/nothing.c\n")
        data = json.loads(scan(folder, "--format", "json", "--list").stdout)
        for key, wanted in (("root", os.path.realpath(folder)), ("sources", 3), ("instrumented", 2), ("excluded", 1),
                            ("headers", 1), ("headers_instrumented", 1), ("functions", 5), ("functions_chosen", 3)):
            equal(data[key], wanted, key)
        equal(data["rules"], [{"directive": "include-func", "name": "work", "line": 1, "depth": None, "functions": 3,
                               "files": 3}], "rules")
        files = {file["path"]: file for file in data["files"]}
        equal({path: file["chosen"] for path, file in files.items()},
              {"src/main.c": "no", "src/utils/rng.c": "yes", "src/work.c": "partly", "src/work.h": "yes"}, "files")
        equal(files["src/work.c"]["names"], [{"name": "work", "line": 3}], "names")
        equal(len(data["warnings"]), 1, "warnings")


@test
def a_selection_file_keeps_its_options():
    with Folder() as folder:
        project(folder, "include src\n")
        path = os.path.join(folder, "callsight", "selection")
        result = scan(folder, "--write", path, "--quiet")
        equal((result.stdout, result.stderr), ("", ""), "quiet")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        true("\ncommand %s\nhooks before-inlining\nfunctions refuse\ninlining yes\nheaders 1\nfiles\n" % os.path.realpath(tap.CLI)
             in text, text)
        true("\nruntime" not in text, text)
        changed = text.replace("hooks before-", "mirror /m x\nhooks after-").replace("refuse", "widen").replace(
            "inlining yes", "inlining no").replace("\ncommand", "\nruntime /r\ncommand")
        with open(path, "w", encoding="utf-8") as file:
            file.write(changed)
        before = os.stat(path).st_mtime_ns
        time.sleep(0.02)
        scan(folder, "--write", path, "-q")
        equal(os.stat(path).st_mtime_ns, before, "the same selection is written again")
        project(folder, "include src\nexclude rng.c\n", {})
        scan(folder, "--write", path, "-q")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line in ("runtime /r", "mirror /m x", "hooks after-inlining", "functions widen", "inlining no"):
            true("\n%s\n" % line in text, line)
        true("src/utils/rng.c\n%" in text or "src/utils/rng.c\n+" in text, text)
        config = os.stat(os.path.join(folder, "trace.config"))
        true("\nconfig %d %d %s/trace.config\n" % (config.st_mtime_ns, config.st_size, folder) in text, text)
        # The runtime that init put there is found.
        os.remove(path)
        project(folder, None, {"callsight/trace.c": ""})
        scan(folder, "--write", path, "-q")
        with open(path, encoding="utf-8") as file:
            true("\nruntime %s/callsight\n" % os.path.realpath(folder) in file.read(), "runtime")


@test
def no_other_file_is_overwritten():
    with Folder() as folder:
        project(folder)
        before = FILES["src/main.c"]
        result = scan(folder, "--write", os.path.join(folder, "src/main.c"), check=2)
        true("src/main.c" in result.stderr, result.stderr)
        with open(os.path.join(folder, "src/main.c"), encoding="utf-8") as file:
            equal(file.read(), before, "the source")
        scan(folder, "--write", "", check=2)
        true("src: it is no regular file — name another file" in scan(folder, "--write", os.path.join(folder, "src"), check=2).stderr,
             "a folder")
        scan(folder, "--write", os.path.join(folder, "trace.config", "selection"), check=2)


@test
def folders_that_cannot_be_read_are_told():
    with Folder() as folder:
        project(folder)
        inner = os.open(folder, os.O_RDONLY)
        for _ in range(20):  # longer than a path may be
            os.mkdir("d" * 250, dir_fd=inner)
            outer, inner = inner, os.open("d" * 250, os.O_RDONLY, dir_fd=inner)
            os.close(outer)
        os.close(inner)
        told = scan(folder).stderr
        true("it can't be read (File name too long) — its files are left out" in told, told[-200:])
        equal(scan(folder, "--quiet").stderr, "", "quiet")
        true(told.strip().endswith("its files are left out"), told[-200:])
        for command in (["select", folder, "--list"], ["flags", "--config", os.path.join(folder, "trace.config"), "--compiler",
                                                       "gcc", "--", os.path.join(folder, "src/main.c")]):
            equal(tap.run(tap.CLI, *command, check=0).stderr, told, command[0])


@test
def without_ctags_the_built_in_scan_is_named():
    with Folder() as folder:
        project(folder)
        env = {"CALLSIGHT_CTAGS": "", "PATH": "/nonexistent", "XDG_CACHE_HOME": os.path.join(folder, ".cache")}
        out = scan(folder, env=env).stdout
        true("5 functions: 5 chosen (found by built-in scan" in out, out)


@test
def errors_are_one_sentence_and_exit_2():
    with Folder() as folder:
        project(folder, None)
        true("trace.config: no such file" in scan(folder, check=2).stderr and "init" in scan(folder, check=2).stderr, "no config")
        for config, words in (("inclde x\n", ["trace.config:1", "inclde"]),
                              ("\ninclude-func wrok\n", ["trace.config:2: include-func", "'wrok'", "work"]),
                              ("include-func work x\n", ["trace.config:1: include-func"]),
                              ("include [a\n", ["trace.config:1: include"]),
                              ("counter-func stpe\n", ["trace.config:1: counter-func", "step"])):
            project(folder, config, {})
            told = scan(folder, check=2).stderr
            for word in words:
                true(word in told, "%r: %r" % (word, told))
        project(folder, "")
        for name, why in (("none", "there is no such folder"), ("trace.config", "it is no folder"), ("trace.config/x", "it is no folder")):
            path = os.path.join(folder, name)
            for command in (["scan"], ["build"], ["init"], ["doctor"], ["select", "--list"]):
                equal(run(CLI, *command, path, check=2).stderr,
                      "callsight-cli: %s: %s: %s — name the folder of the project\n" % (command[0], path, why), "no folder")
        true("--format" in scan(folder, "--format", "xml", check=2).stderr, "format")
        true("none.config" in scan(folder, "--config", "none.config", check=2).stderr, "config")
        for config in (folder, os.path.join(folder, "trace.config", "x")):
            true(scan(folder, "--config", config, check=2).stderr.endswith(") — name another file\n"), config)
        scan(folder, folder, check=2)
        with Folder() as empty:
            project(empty, "", {})
            told = "! %s: there are no C or C++ sources in it\n" % empty
            equal(scan(empty).stderr, told, "scan")
            equal(run(CLI, "init", empty, check=0).stderr, told, "init")
            equal(scan(empty, "-q").stderr, "", "quiet")
            equal(scan(empty).stdout.splitlines()[0].split(" (")[0], "0 sources: 0 instrumented, 0 excluded", "an empty folder")


if __name__ == "__main__":
    main()
