# SPDX-License-Identifier: MIT
"""Recordings by an independent runtime, on five architectures and both byte orders.

They lie beside the project, in ../shared/data/reference or in CALLSIGHT_REFERENCE, and are
not part of it.
"""

import json
import os

import recordings as rec
from tap import TOP, Skip, equal, main, test, true

REFERENCE = os.environ.get("CALLSIGHT_REFERENCE", os.path.join(TOP, "..", "shared", "data", "reference"))


def check_counts(architecture, mode, code_bits):
    """code_bits: those of an address that say where the code lies.  Without a binary nothing
    tells the reader that the lowest bit of a Thumb function is none of them."""
    folder = os.path.join(REFERENCE, architecture, mode)
    if not os.path.isdir(folder):
        raise Skip("no recordings of the reference runtime here")
    with open(os.path.join(REFERENCE, "expected.json"), encoding="utf-8") as file:
        wanted = json.load(file)[architecture]
    data = rec.report(folder)
    equal(data["mode"], mode, "mode")
    for key in ("events", "threads", "unmatched_exits"):
        equal(data[key], wanted[key], key)
    equal({"0x%x" % (int(name, 16) & code_bits): row["calls"] for name, row in data["by_name"].items()},
          {address: function["calls"] for address, function in wanted["functions"].items()}, "calls")
    return folder, data


def check_events(architecture, code_bits=~0):
    folder, data = check_counts(architecture, "events", code_bits)
    true(all(row["open"] == row["repaired"] == 0 for row in data["rows"]), "nothing open or repaired")
    total = sum(row["self_ns"] for row in data["rows"])
    equal(sum(rec.folded(folder).values()), total, "Σ folded = Σ self")
    equal(rec.nested_self(rec.chrome_events(folder)), total, "Σ self in chrome nesting")


def check_summary(architecture, code_bits=~0):
    """main sleeps beside a worker that calls mid that calls leaf: each one's callees are known."""
    _folder, data = check_counts(architecture, "summary", code_bits)
    rows = sorted(data["rows"], key=lambda row: row["calls"])
    for row in rows:
        true(row["self_ns"] <= row["incl_ns"], "self within inclusive")
        true(row["min_ns"] <= row["p50_ns"] <= row["p90_ns"] <= row["p99_ns"] <= row["max_ns"], "monotone")
        true(row["min_ns"] * row["calls"] <= row["incl_ns"] + row["calls"], "at least the minimum each")
        true(row["incl_ns"] <= (row["max_ns"] + 1) * row["calls"], "at most the maximum each")
        equal((row["total_ns"], row["threads"]), (None, 1), "total, threads")
    leaf, mid = rows[3], rows[2]
    true(leaf["self_ns"] == leaf["incl_ns"], "a leaf calls nobody")
    # Sums of ticks become ns once each, so that three of them may be off by one.
    true(abs(mid["incl_ns"] - mid["self_ns"] - leaf["incl_ns"]) <= 1, "mid calls leaf")
    true(abs(sum(row["self_ns"] for row in rows) - sum(row["self_ns"] for row in data["per_thread"])) <= 4, "Σ self")


@test
def x86_64():
    check_events("x86_64")
    check_summary("x86_64")


@test
def aarch64():
    check_events("aarch64")
    check_summary("aarch64")


@test
def armhf():
    check_events("armhf", code_bits=~1)
    check_summary("armhf", code_bits=~1)


@test
def powerpc():
    check_events("powerpc")
    check_summary("powerpc")


@test
def s390x():
    check_events("s390x")
    check_summary("s390x")


main()
