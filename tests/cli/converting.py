# SPDX-License-Identifier: MIT
"""Recordings that are converted."""

import os

import recordings as rec
import tap
from packed_reports import ENTER, EXIT, LEAF, MAIN, MARKER, calls
from tap import equal, true


# A call around others.
EVENTS = [(ENTER, 0, MAIN, 7, 1)] + calls(100, start=5) + [(EXIT, 2000, MAIN, 7, 1)]


def convert(*arguments, check=0, **options):
    result = tap.run(tap.CLI, "convert", *arguments, check=check, **options)
    true("CRITICAL" not in result.stderr and "WARNING" not in result.stderr, result.stderr)
    return result


def contents(folder):
    """{path: bytes} of all files in a folder."""
    found = {}
    for path, _folders, names in os.walk(folder):
        for name in names:
            whole = os.path.join(path, name)
            with open(whole, "rb") as file:
                found[os.path.relpath(whole, folder)] = file.read()
    return found


def fill(folder, files):
    os.mkdir(folder)
    for name, *parts in files:
        rec.write(folder, name, *parts)


def random_calls(rand, n, tid=1, now=0):
    """Calls that nest, with exits that don't match, gaps of time and some markers."""
    events, stack = [], []
    for _ in range(n):
        now += rand.choice((0, 1, 5, 30, 0x7EFE, 0x7EFF, 0xFFFF, 0x10000)) if rand.random() < 0.1 else rand.randint(0, 40)
        if rand.random() < 0.001:
            now += rand.choice((1 << 32, (1 << 32) - 1, 1 << 40))
        if rand.random() < 0.01:
            events.append((MARKER, now, rand.choice((rec.OFF, rec.ON, rec.SKIPPED, rec.DEPTH, 4711)), rand.randint(0, 9), tid))
        elif not stack or (len(stack) < 50 and rand.random() < 0.5):
            stack.append((0x1000 + 16 * rand.randint(0, 30), 0x9000 + rand.randint(0, 20)))
            events.append((ENTER, now, *stack[-1], tid))
        elif rand.random() < 0.03:
            events.append((EXIT, now, rand.choice((LEAF, stack[0][0], 0x7777)), rand.randint(0, 9), tid))
        else:
            events.append((EXIT, now, *stack.pop(), tid))
    return events


def refused(folder, *arguments, words=(), shell=None, env=None):
    before = sorted(os.listdir(folder))
    if shell:
        result = tap.run("sh", "-c", shell + '; exec "$0" convert "$@"', tap.CLI, *arguments, cwd=folder, check=2)
    else:
        result = convert(*arguments, check=2, cwd=folder, env=env)
    equal((result.stdout, len(result.stderr.splitlines())), ("", 1), result.stderr)
    true(result.stderr.startswith("callsight-cli: "), result.stderr)
    for word in words:
        true(word in result.stderr, "%r in %r" % (word, result.stderr))
    equal(sorted(os.listdir(folder)), before, "what is left")
