#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packed recordings say all that records say, in a tenth of the bytes, and a hook costs little more than reading the clock."""

import concurrent.futures
import os
import re

from promises import BUILD, SMALL, Promise, bench, cases, judges, main, numbers, run

CAPTURE = os.path.join(BUILD, "tests", "engine", "capture")

counter = Promise("a packed hook, beside a function that reads the counter and stores nothing", "at most 1.15 ×, in one thread, up to 2,000 sites")
hook = Promise("a packed hook alone, beside one of records, up to 2,000 sites", "never slower: at most 1 ×")
flushed = Promise("a packed hook and the writing of its buffers, beside records, up to 2,000 sites", "never slower: at most 1 ×")
many_alone = Promise("a packed hook alone, beside one of records, at 50,000 sites", "at most 1.15 ×")
many = Promise("a packed hook and the writing of its buffers, beside records, at 50,000 sites", "at most 1.15 ×")
history = Promise("events that a ring of 64 MB keeps of the sample, beside records", "at least 5 times as many")
same = Promise("programs recorded both ways have equal reports", "calls, call sites and tree of the sample and of four programs")
convert = Promise("convert there and back gives the same bytes of events", "both byte orders, streams, tails, rings, every marker")
kills = Promise("kill -9 at random moments loses no packed event", "reported − returned hooks of each thread is 0 or 1")
round_trip = Promise("random sequences of records come out as they went in", "a million, with every kind of record and every boundary")
fuzz = Promise("damaged blocks of every kind are recognised, and never read beyond", "no finding in minutes of fuzzing")
corners = Promise("the runtime packs whatever happens: full tables, deep stacks, gaps, handlers, forks", "every kind of it")


@judges(counter, hook, flushed, many_alone, many, history)
def costs():
    text = bench("hooks.py", *(("1", "200000") if SMALL else ("3", "8000000")))
    rows = [list(map(float, line.split())) for line in text.splitlines() if re.fullmatch(r"[\d. ]+", line) and len(line.split()) == 12]
    assert len(rows) == 16, "rows of hooks.py: %d" % len(rows)

    def worst(promise, column, chosen, limit):
        row = max((row for row in rows if chosen(row)), key=lambda row: row[column])
        promise.at_most(row[column], limit, "%.2f × ({:.0f} sites, depth {:.0f}, {:.0f} threads)".format(*row[:3]))

    # Columns: sites, depth, threads, counter, records (hook, flushed), packed (hook, flushed), packed/counter,
    # packed/records (hook, flushed), bytes.
    worst(counter, 8, lambda row: row[0] <= 2000 and row[2] == 1, 1.15)
    worst(hook, 9, lambda row: row[0] <= 2000, 1)
    worst(flushed, 10, lambda row: row[0] <= 2000, 1)
    worst(many_alone, 9, lambda row: row[0] > 2000, 1.15)
    worst(many, 10, lambda row: row[0] > 2000, 1.15)
    times = numbers(r"packed keeps ([\d.]+) times the history", text)
    history.holds(times >= 5, "%.1f times" % times)


@judges(same, at_once=True)
def both_ways():
    same.tested(cases("cli/test_run.py", "tell_the_same"))
    same.tested(cases("runtime/matrix/test_matrix.py", "the same of records and packed", env={"MATRIX": "all"}), least=2)


@judges(convert, at_once=True)
def there_and_back():
    convert.tested(cases("cli/test_convert.py"), least=19)
    convert.tested(cases("cli/test_convert_failures.py"), least=6)


@judges(kills, at_once=True)
def killed():
    n = "4" if SMALL else "20"
    result = cases("workloads/test_kill.py", env={"KILLS": n, "TRACE_FORMAT": "packed"})
    kills.tested(result)
    told = numbers(r"# (\d+) kills, (\d+) threads, (\d+) events in the reports, (\d+) of hooks", result.text)
    kills.holds(told[0] == int(n), "%d kills, %d threads, %d events, %d of hooks that had not returned" % tuple(told))


@judges(round_trip, at_once=True)
def sequences():
    each = 10000 if SMALL else 500000
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda seed: run(os.path.join(CAPTURE, "packed-roundtrip"), each, seed, check=None, timeout=900), (77, 78)))
    told = [numbers(r"^ok 1 - (\d+) sequences of seed \d+, (\d+) records, come out", result.stdout) for result in results]
    round_trip.holds(all(result.returncode == 0 and "ok 2 - all of that occurred" in result.stdout and "not ok" not in result.stdout
                         for result in results) and all(n == each for n, _records in told),
                     "%d sequences, %d records" % tuple(map(sum, zip(*told))))


@judges(fuzz, at_once=True)
def damage():
    n = 500 if SMALL else 15000
    result = run(os.path.join(CAPTURE, "packed-fuzz"), n, 4, check=None, timeout=400)
    passed = re.findall(r"^ok ", result.stdout, re.MULTILINE)
    fuzz.holds(result.returncode == 0 and passed and "not ok" not in result.stdout, "%d recordings, %d cases" % (n, len(passed)))


@judges(corners, at_once=True)
def the_runtime():
    corners.tested(cases("runtime/test_packed.py"), least=16)
    corners.tested(cases("cli/test_packed.py"), least=20)
    corners.tested(cases("cli/test_packed_damage.py"), least=15)
    corners.tested(cases("cli/test_packed_tails.py"), least=8)


main(30)
