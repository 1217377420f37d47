# SPDX-License-Identifier: MIT
"""Every percentile, mean and deviation of the JSON report beside the durations that the recording was made of.

A percentile is a duration of the nearest rank; the report may be off by 1.6 %, not at all below
64 ns, and is never outside of the shortest and longest call.
"""

import math
import random
import re
from fractions import Fraction

import recordings as rec
from recordings import CLOCK, ENTER, EXIT, MARKER, TICKS
from tap import Folder, equal, main, test, true

BOUND = Fraction(16, 1000)


def pareto(rng):
    return min(2 ** 40, int(50 * rng.paretovariate(0.6)))


def bimodal(rng):
    return int(rng.gauss(300, 20)) if rng.random() < 0.7 else int(rng.gauss(4e6, 1e5))


DISTRIBUTIONS = {
    "zero": lambda rng: 0,
    "constant": lambda rng: 123457,
    "uniform": lambda rng: rng.randrange(1, 1000000),
    "log-normal": lambda rng: int(rng.lognormvariate(8, 2)),
    "heavy tail": pareto,
    "bimodal": bimodal,
    "below 64": lambda rng: rng.randrange(65),
    "about a power of two": lambda rng: 2 ** rng.randrange(41) + rng.randrange(-1, 2),
    "any magnitude": lambda rng: rng.randrange(2 ** rng.randrange(1, 41)),
    "the longest": lambda rng: 2 ** 40 - rng.randrange(3),
}
COUNTS = (1, 2, 3, 7, 99, 100, 101, 1000, 1001, 5000)


def percentiles(row):
    """Those that a row has: {share of the calls: ns}."""
    found = {}
    for key, value in row.items():
        match = re.fullmatch(r"p(\d\d)_?(\d*)_(ns|us|ms)", key)
        if match:
            share = Fraction(int(match[1] + match[2]), 10 ** len(match[1] + match[2]))
            found[share] = Fraction(str(value)) * {"ns": 1, "us": 1000, "ms": 10 ** 6}[match[3]]
    return dict(sorted(found.items()))


def nearest_rank(durations, share):
    """The smallest of sorted durations that this share of them doesn't exceed."""
    return durations[-(-share.numerator * len(durations) // share.denominator) - 1]


def check(row, durations, what):
    durations = sorted(durations)
    equal((row["calls"], row["min_ns"], row["max_ns"], row["incl_ns"]),
          (len(durations), durations[0], durations[-1], sum(durations)), what + ": calls, min, max, inclusive")
    # Rounded to thousandths; of all calls, not of a sample.
    mean = Fraction(sum(durations), len(durations))
    variance = Fraction(sum(duration * duration for duration in durations), len(durations)) - mean * mean
    true(abs(Fraction(str(row["mean_ns"])) - mean) <= Fraction(1, 1000) + mean / 10 ** 12, "%s: mean is %s, not %s" % (
        what, row["mean_ns"], float(mean)))
    true(abs(row["stddev_ns"] - math.sqrt(variance)) <= 0.001 + math.sqrt(variance) / 10 ** 9, "%s: deviation is %s, not %s" % (
        what, row["stddev_ns"], math.sqrt(variance)))
    found = percentiles(row)
    true({Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)} <= set(found), "p50, p90 and p99 are there: %r" % found)
    before = row["min_ns"]
    for share, got in found.items():
        exact = nearest_rank(durations, share)
        bound = 0 if exact < 64 else exact * BOUND
        true(abs(got - exact) <= bound, "%s: %s of %d calls is %s, not %s" % (
            what, float(share), len(durations), float(got), exact))
        true(before <= got <= row["max_ns"], "%s: %s is %s, out of order" % (what, float(share), float(got)))
        before = got


def each_distribution(rng):
    """[(address, what, durations)]"""
    return [(0x1000 + 16 * number, "%s, %d calls" % (name, count), [max(0, draw(rng)) for _ in range(count)])
            for number, (name, draw, count) in enumerate(
                (name, draw, count) for name, draw in DISTRIBUTIONS.items() for count in COUNTS)]


@test
def in_nanoseconds():
    cases = each_distribution(random.Random(1))
    with Folder() as folder:
        now, records = 10 ** 9, []
        for address, _what, durations in cases:
            for duration in durations:
                records += [rec.event(ENTER, now, address), rec.event(EXIT, now + duration, address)]
                now += duration + 3
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *records)
        rows = rec.report(folder)["by_name"]
        for address, what, durations in cases:
            check(rows["0x%x" % address], durations, what)


@test
def in_ticks_of_a_crooked_rate():
    # 3 · 10^9 + 1 ticks in 10^9 - 7 ns; a duration is the difference of two floored times.
    ticks, ns = 3 * 10 ** 9 + 1, 10 ** 9 - 7
    cases = each_distribution(random.Random(2))
    with Folder() as folder:
        now, records, exact = 5000, [], {}
        for address, what, durations in cases:
            exact[address] = what, []
            for duration in durations:
                end = now + duration
                records += [rec.event(ENTER, now, address), rec.event(EXIT, end, address)]
                exact[address][1].append((end - 5000) * ns // ticks - (now - 5000) * ns // ticks)
                now = end + 3
        anchor = (now // ticks + 1) * ticks
        records.append(rec.event(MARKER, 5000 + anchor, CLOCK, 10 ** 12 + anchor // ticks * ns))
        rec.write(folder, "trace.1.1.0.bin",
                  rec.header(flags=TICKS, tick_hz=10 ** 9, t0_ticks=5000, t0_ns=10 ** 12), *records)
        rows = rec.report(folder)["by_name"]
        for address, (what, durations) in exact.items():
            check(rows["0x%x" % address], durations, "ticks, " + what)


@test
def over_threads_and_processes():
    # Each thread has a share of every function's calls: what the workers counted is added up.
    # A module that lies elsewhere in each process makes the functions the same.
    cases = each_distribution(random.Random(3))
    with Folder() as folder:
        for pid in (1, 2):
            rec.write(folder, "trace.%d.process" % pid, (
                "CALLSIGHT-PROCESS 1\npid %d\nexe /nowhere\nstart-monotonic-ns %d\nmodule %d %x %x %x - /nowhere\n" % (
                    pid, pid, pid, pid << 32, pid << 32, (pid << 32) + 0x100000)).encode())
        for tid in range(1, 8):
            pid, now, records = 1 + tid % 2, 10 ** 9, []
            for address, _what, durations in cases:
                address += pid << 32
                for duration in durations[tid - 1::7]:
                    records += [rec.event(ENTER, now, address, tid=tid), rec.event(EXIT, now + duration, address, tid=tid)]
                    now += duration
            rec.write(folder, "trace.%d.%d.0.bin" % (pid, tid), rec.header(pid=pid, t0_ns=pid, load_bias=pid << 32), *records)
        rows = rec.report(folder)["by_name"]
        for address, what, durations in cases:
            check(rows["nowhere+0x%x" % address], durations, "threads, " + what)


@test
def of_a_recursive_function():
    rng = random.Random(4)
    with Folder() as folder:
        now, records, open_calls, durations = 0, [], [], []
        for _ in range(20000):
            now += rng.randrange(2 ** rng.randrange(1, 20))
            if len(open_calls) < 50 and rng.random() < 0.5 or not open_calls:
                open_calls.append(now)
                records.append(rec.event(ENTER, now, 0x1000))
            else:
                durations.append(now - open_calls.pop())
                records.append(rec.event(EXIT, now, 0x1000))
        while open_calls:
            durations.append(now - open_calls.pop())
            records.append(rec.event(EXIT, now, 0x1000))
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *records)
        check(rec.report(folder)["by_name"]["0x1000"], durations, "recursive")


@test
def calls_without_an_exit_have_no_part_in_them():
    with Folder() as folder:
        records = []
        for now in range(0, 10000, 1000):
            records += [rec.event(ENTER, now, 0x1000), rec.event(EXIT, now + 100, 0x1000)]
        # One that its caller's exit ends, and one that is open at the end.
        records += [rec.event(ENTER, 10000, 0x2000), rec.event(ENTER, 10000, 0x1000), rec.event(EXIT, 900000, 0x2000),
                    rec.event(ENTER, 900000, 0x1000), rec.event(ENTER, 5000000, 0x3000)]
        rec.write(folder, "trace.1.1.0.bin", rec.header(), *records)
        row = rec.report(folder)["by_name"]["0x1000"]
        equal((row["calls"], row["repaired"], row["open"], row["min_ns"], row["max_ns"]), (11, 1, 1, 100, 100), "calls")
        for share, got in percentiles(row).items():
            equal(got, 100, "%s" % float(share))


main()
