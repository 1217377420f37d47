# SPDX-License-Identifier: MIT
"""What the tree promises of itself: which folder may include which, and how long things are.

An arrow that is new is a decision: it is added to ARROWS, with the reason in src/DESIGN.md.
"""

import collections
import json
import os
import re
import subprocess

# Folder -> folders whose headers it may include, besides its own.
ARROWS = {
    "runtime": "",
    "stream": "runtime",
    "src/engine/base": "",
    "src/engine/capture": "src/engine/base runtime",
    "src/engine/selection": "src/engine/base",
    "src/engine/symbols": "src/engine/base",
    "src/engine/timeline": "src/engine/base src/engine/capture",
    "src/engine/profile": "src/engine/base src/engine/capture src/engine/symbols src/engine/timeline runtime",
    "src/engine/layout": "src/engine/profile src/engine/timeline",
    "src/engine/project": "src/engine/base src/engine/capture src/engine/profile src/engine/selection "
                          "src/engine/symbols",
    "src/engine/report": "src/engine/base src/engine/layout src/engine/profile src/engine/project "
                         "src/engine/selection",
    "src/engine/receive": "src/engine/base src/engine/capture runtime",
    "src/cli": "src/engine/*",
    "src/app/shared": "src/engine/*",
    "src/app/session": "src/app/shared src/engine/*",
    "src/app/charts": "src/app/shared src/engine/*",
    "src/app/tables": "src/app/charts src/app/session src/app/shared src/engine/*",
    "src/app/calls": "src/app/charts src/app/session src/app/shared src/app/tables src/engine/*",
    "src/app/flame": "src/app/charts src/app/session src/app/shared src/app/tables src/engine/*",
    "src/app/timeline": "src/app/charts src/app/session src/app/shared src/app/tables src/engine/*",
    "src/app/compare": "src/app/charts src/app/flame src/app/session src/app/shared src/app/tables src/engine/*",
    "src/app/record": "src/app/charts src/app/session src/app/shared src/engine/*",
    "src/app/select": "src/app/session src/app/shared src/engine/*",
    "src/app/welcome": "src/app/session src/app/shared src/engine/*",
    "src/app/window": "src/app/calls src/app/charts src/app/compare src/app/flame src/app/record src/app/select "
                      "src/app/session src/app/shared src/app/tables src/app/timeline src/app/welcome src/engine/*",
    "src/app": "src/app/shared src/app/window",
}

# Libraries by the beginning of their headers' names -> the only folders that may include them.
# What is not named here is the C library's, POSIX's or GLib's.
LIBRARIES = {
    "gtk/": "src/app*",
    "gdk/": "src/app*",
    "gsk/": "src/app*",
    "pango/": "src/app*",
    "cairo": "src/app*",
    "graphene": "src/app*",
    "adwaita": "src/app*",
    "libsoup/": "src/engine/symbols",
    "json-glib/": "src/engine/* src/cli",
    "zstd": "src/engine/* stream",
    "dwarf": "src/engine/symbols",
    "libelf": "src/engine/symbols",
    "gelf": "src/engine/symbols",
}
# These parts know no GLib either.
NO_GLIB = ("runtime", "stream")
GLIB = ("glib", "gio/", "gmodule", "gobject")

# What a reader may meet under one name only (docs/glossary.md): other words -> the one we use.
WORDS = {
    r"trace files?": "event file",
    r"captures?": "recording",
    r"samples? of the stack": "call",
    r"exclusive time": "self time",
    r"cumulative time": "inclusive time",
    r"call ?graph tree": "call tree",
    r"shared objects?": "shared library",
    r"callstacks?": "stack",
}
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.M)
# f (g (&error), error): C may take the second argument before the first one is called.
TOO_EARLY = re.compile(r"&(\w+)\)\s*,\s*\1\s*[,)]")
MOST_LINES = 700
MOST_FUNCTION = 80
VAGUE = re.compile(r"(^|[-_])(util|utils|helper|helpers|manager|misc|stuff)([-_.]|$)")


def matches(folder, patterns):
    """Whether one of the patterns, words of which the last may end in *, is the folder."""
    return any(folder == p or p.endswith("*") and folder.startswith(p[:-1]) for p in patterns.split())


def sources(top, *folders):
    """C files of the tree, as paths below its top; what git doesn't know is left out where there is git."""
    found = []
    for folder in folders:
        for place, folders_, names in os.walk(os.path.join(top, folder)):
            folders_.sort()
            found += [os.path.relpath(os.path.join(place, n), top) for n in sorted(names)
                      if n.endswith((".c", ".h"))]
    return found


def include_graph(top):
    """(folder, folder) -> list of (file, header) for arrows between folders; and the angle-bracket
    includes as list of (file, name); and quoted ones that lead nowhere."""
    files = sources(top, "src", "runtime", "stream")
    known = set(files)
    graph, libraries, lost = collections.defaultdict(list), [], []
    for path in files:
        folder = os.path.dirname(path)
        with open(os.path.join(top, path), encoding="utf-8") as f:
            text = f.read()
        for quote, name in INCLUDE.findall(text):
            if quote == "<":
                libraries.append((path, name))
                continue
            places = [folder, "src/engine", "runtime"] + (["src/app"] if folder.startswith("src/app") else [])
            targets = [t for t in (os.path.normpath(os.path.join(p, name)) for p in places) if t in known]
            if not targets:
                lost.append((path, name))
            elif os.path.dirname(targets[0]) != folder:
                graph[folder, os.path.dirname(targets[0])].append((path, targets[0]))
    return graph, libraries, lost


def wrong_arrows(graph, libraries):
    """One sentence for each include that points the wrong way."""
    found = []
    for (folder, to), pairs in sorted(graph.items()):
        if not matches(to, ARROWS.get(folder, "")):
            found += ["%s includes %s: %s may not know %s" % (path, target, folder, to)
                      for path, target in pairs]
    for path, name in libraries:
        folder = os.path.dirname(path)
        for library, may in LIBRARIES.items():
            if name.startswith(library) and not matches(folder, may):
                found.append("%s includes <%s>, which is for %s" % (path, name, may))
        if folder.split("/")[0] in NO_GLIB and name.startswith(GLIB):
            found.append("%s includes <%s>: %s knows no GLib" % (path, name, folder))
    return found


def cycle(edges):
    """A list of nodes that lead to each other, the least first and at the end; [] where there is none."""
    state, way = {}, []

    def visit(node):
        state[node] = "open"
        way.append(node)
        for a, b in sorted(edges):
            if a == node and state.get(b) == "open":
                loop = way[way.index(b):]
                first = loop.index(min(loop))
                return loop[first:] + loop[:first + 1]
            if a == node and b not in state:
                found = visit(b)
                if found:
                    return found
        way.pop()
        state[node] = "done"
        return []

    for node in sorted({a for a, _ in edges}):
        if node not in state:
            found = visit(node)
            if found:
                return found
    return []


def functions(top, files):
    """(lines, path, name) of each C function, as Universal Ctags finds them."""
    found = []
    for i in range(0, len(files), 400):
        text = subprocess.run(
            ["ctags", "--quiet", "--options=NONE", "--output-format=json", "--fields=+ne", "--kinds-C=f", "--languages=C",
             "--langmap=C:.c.h", "-ITRACE_FN,TRACE_NO_HOOK,TRACE_HOT,NO_HOOK,EMB_NOHOOK", "-f", "-"] +
            files[i:i + 400], cwd=top, stdout=subprocess.PIPE, check=True, text=True).stdout
        for line in text.splitlines():
            tag = json.loads(line)
            if "end" in tag:
                found.append((tag["end"] - tag["line"] + 1, tag["path"], tag["name"]))
    return found


def too_long(top):
    """One sentence for each file and function that has outgrown its subject."""
    files = sources(top, "src", "runtime", "stream", "tests")
    found = []
    texts = files + [os.path.relpath(os.path.join(place, n), top) for folder in ("src", "tests", "build-aux")
                     for place, _, names in os.walk(os.path.join(top, folder)) for n in names
                     if n.endswith((".py", ".sh", ".js", ".css", ".ui"))]
    for path in texts:
        with open(os.path.join(top, path), encoding="utf-8") as f:
            lines = sum(1 for _ in f)
        if lines > MOST_LINES:
            found.append("%s has %d lines, more than %d" % (path, lines, MOST_LINES))
    found += ["%s: %s() has %d lines, more than %d" % (path, name, lines, MOST_FUNCTION)
              for lines, path, name in functions(top, files) if lines > MOST_FUNCTION]
    return found


def vague(top):
    """Files of ours whose names say nothing.  What tests build of made-up programs may."""
    return [path for path in sources(top, "src", "runtime", "stream", "tests")
            if VAGUE.search(os.path.basename(path)) and "/programs/" not in path]


def taken_too_early(top):
    """(path, line, name) of arguments that a call beside them sets, and that may be taken before it does."""
    found = []
    for path in sources(top, "src", "runtime", "stream", "tests"):
        with open(os.path.join(top, path), encoding="utf-8") as f:
            text = f.read()
        found += [(path, text.count("\n", 0, m.start()) + 1, m.group(1)) for m in TOO_EARLY.finditer(text)]
    return found


def other_words(top):
    """(path, word, the one we use) of other words in documents and in what programs say."""
    paths = ["README.md"] + ["docs/" + n for n in sorted(os.listdir(os.path.join(top, "docs")))] + \
        [p for p in sources(top, "src", "runtime", "stream") if p.endswith(".c")]
    paths += [os.path.relpath(os.path.join(place, n), top)
              for place, _, names in os.walk(os.path.join(top, "src")) for n in names if n.endswith(".ui")]
    found = []
    for path in paths:
        if not path.endswith((".md", ".c", ".ui")) or not os.path.isfile(os.path.join(top, path)):
            continue
        with open(os.path.join(top, path), encoding="utf-8") as f:
            text = f.read()
        if path.endswith(".c"):  # sentences only: names of things have no space
            text = "\n".join(s for line in text.splitlines() if not line.lstrip().startswith("#")
                             for s in STRING.findall(line) if " " in s)
        for word, ours in WORDS.items():
            found += [(path, m.group(0), ours)
                      for m in re.finditer(r"(?<![\w/-])" + word + r"(?![\w/-])", text, re.I)]
    return found


if __name__ == "__main__":
    arrows, _, _ = include_graph(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    for (a, b), pairs_ in sorted(arrows.items()):
        print("%3d  %s -> %s" % (len(pairs_), a, b))
