# SPDX-License-Identifier: MIT
"""Projects for the launcher's tests: sources, a selection written by hand, commands through the launcher."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import hooked
import tap

LAUNCHER = os.path.join(tap.BUILD, "runtime", "callsight-cc")
RUNTIME = os.path.join(tap.TOP, "runtime")


def write(path, content, executable=False):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(content if isinstance(content, bytes) else os.fsencode(content))
    if executable:
        os.chmod(path, 0o755)
    return path


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


class Project:
    """A project in a folder of its own, as a context manager."""

    def __init__(self, files=None, chosen=None, **head):
        self.files, self.chosen, self.head = files or {}, chosen or {}, head

    def __enter__(self):
        self.folder = tap.Folder()
        self.outer = os.path.realpath(self.folder.__enter__())
        self.root = os.path.join(self.outer, "project")
        self.log_path = os.path.join(self.outer, "log")
        self.scratch = os.path.join(self.outer, "tmp")
        os.makedirs(self.root)
        os.mkdir(self.scratch)
        for path, content in self.files.items():
            write(os.path.join(self.root, path), content)
        self.select(self.chosen, **self.head)
        return self

    def __exit__(self, *unused):
        self.folder.__exit__()

    def select(self, chosen, path=None, lines=(), headers=1, config=None, runtime=RUNTIME):
        """Writes a selection.  chosen: {path: "+"}, or {path: "%", "+name -name …"} as a pair."""
        text = "CALLSIGHT-SELECTION 1\nroot %s\n" % escape(self.root)
        if config:
            status = os.stat(config)
            text += "config %d %d %s\n" % (status.st_mtime_ns, status.st_size, escape(config))
        text += "".join(line + "\n" for line in ["runtime " + runtime, "headers %d" % headers, *lines])
        text += "files\n"
        for name in sorted(chosen, key=os.fsencode):
            choice, functions = chosen[name] if isinstance(chosen[name], tuple) else (chosen[name], "")
            text += "%s 0 0 %s\n" % (choice, escape(name))
            text += "".join("\t%s\n" % function for function in functions.split())
        self.selection = path or os.path.join(self.root, "callsight", "selection")
        write(self.selection, text)

    def launch(self, *argv, cwd="", check=0, env=None):
        environ = {"CALLSIGHT_LOG": self.log_path, "TMPDIR": self.scratch}
        environ.update(env or {})
        return tap.run(LAUNCHER, *argv, cwd=os.path.join(self.root, cwd), check=check, env=environ)

    def quiet(self, *argv, **options):
        """A command that says nothing."""
        result = self.launch(*argv, **options)
        tap.equal(result.stderr + result.stdout, "", " ".join(argv))
        return result

    def hooks(self, *argv, cwd="", **options):
        """The functions that carry hooks in what a command compiles."""
        out = os.path.join(self.outer, "out.o")
        self.quiet(*argv, "-o", out, cwd=cwd, **options)
        found = sorted(hooked.functions(out))
        os.unlink(out)
        return found

    def log(self):
        lines = read(self.log_path).decode().splitlines() if os.path.exists(self.log_path) else []
        write(self.log_path, "")
        return lines

    def no_leftovers(self):
        tap.equal(os.listdir(self.scratch), [], "temporary files")


def fake_compiler(project, name="gcc"):
    """A compiler that writes its arguments, each with a NUL behind, to the file `argv`."""
    return write(os.path.join(project.outer, "bin", name),
                 "#!/bin/sh\nprintf '%%s\\0' \"$@\" >%s/argv\n" % project.outer, executable=True)


def arguments(project):
    return read(os.path.join(project.outer, "argv")).split(b"\0")[:-1]
