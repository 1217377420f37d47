# SPDX-License-Identifier: MIT
"""A small program with a library, built and recorded, whose functions' lines are known."""

import json
import os
import subprocess

import tap

MAIN = """\
int third (int n);

static int second (int n) {
  return third (n) + 1;
}

int first (int n) {
  return second (n) + 1;
}

int main (void) {
  return first (1) == 4 ? 0 : 1;
}
"""

LIBRARY = """\

int third (int n) {
  return n + 1;
}
"""

SOURCES = {"main.c": MAIN, "library.c": LIBRARY}


def line_of(file, text):
    return [number for number, line in enumerate(SOURCES[file].splitlines(), 1) if text in line][0]


# Function: file of its source, line.
LINES = {"main": ("main.c", line_of("main.c", "int main")), "first": ("main.c", line_of("main.c", "int first")),
         "second": ("main.c", line_of("main.c", "static int second")),
         "third": ("library.c", line_of("library.c", "int third"))}
# Caller → callee: the line of the call.
CALLS = {("main", "first"): line_of("main.c", "first (1)"), ("first", "second"): line_of("main.c", "second (n) + 1"),
         ("second", "third"): line_of("main.c", "third (n) + 1")}


def build(folder, *flags):
    """build/app, which loads build/libthird.so, from the sources in build/src."""
    os.makedirs(folder + "/build/src")
    for name, text in SOURCES.items():
        with open(os.path.join(folder, "build", "src", name), "w", encoding="utf-8") as file:
            file.write(text)
    common = ["gcc", "-g", "-O0", "-finstrument-functions", "-Wl,--build-id", *flags]
    tap.run(*common, "-shared", "-fPIC", "-o", "libthird.so", "src/library.c", cwd=folder + "/build", check=0)
    tap.run(*common, "-o", "app", "src/main.c", "./libthird.so", cwd=folder + "/build", check=0)


def record(folder, *flags):
    """Builds, and records into traces; the folder with both."""
    build(folder, *flags)
    tap.run(tap.CLI, "run", "--dir", folder + "/traces", "--out", os.devnull, "--", "./app",
            cwd=folder + "/build", check=0)
    return folder


def build_id(path):
    text = subprocess.run(["readelf", "-n", path], check=True, capture_output=True, text=True).stdout
    return text.split("Build ID: ")[1].split()[0]


def rows(traces, *arguments, env=None):
    """The JSON report; {function: location} beside it."""
    result = tap.run(tap.CLI, "analyze", traces, "--format", "json", "--top", "0", *arguments, env=env, check=0)
    tap.equal(result.stderr, "", "stderr")
    data = json.loads(result.stdout)
    return data, {row["function"]: row["location"] for row in data["rows"]}


def lines(prefix=""):
    """{function: location} as it must be, with the folder that the sources are shown in."""
    return {function: "%s%s:%d" % (prefix, file, line) for function, (file, line) in LINES.items()}
