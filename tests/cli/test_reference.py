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


def check(architecture, code_bits=~0):
    """code_bits: those of an address that say where the code lies.  Without a binary nothing
    tells the reader that the lowest bit of a Thumb function is none of them."""
    folder = os.path.join(REFERENCE, architecture, "events")
    if not os.path.isdir(folder):
        raise Skip("no recordings of the reference runtime here")
    with open(os.path.join(REFERENCE, "expected.json"), encoding="utf-8") as file:
        wanted = json.load(file)[architecture]
    data = rec.report(folder)
    for key in ("events", "threads", "unmatched_exits"):
        equal(data[key], wanted[key], key)
    equal({"0x%x" % (int(name, 16) & code_bits): row["calls"] for name, row in data["by_name"].items()},
          {address: function["calls"] for address, function in wanted["functions"].items()}, "calls")
    true(all(row["open"] == row["repaired"] == 0 for row in data["rows"]), "nothing open or repaired")
    total = sum(row["self_ns"] for row in data["rows"])
    equal(sum(rec.folded(folder).values()), total, "Σ folded = Σ self")
    equal(rec.nested_self(rec.chrome_events(folder)), total, "Σ self in chrome nesting")


@test
def x86_64():
    check("x86_64")


@test
def aarch64():
    check("aarch64")


@test
def armhf():
    check("armhf", code_bits=~1)


@test
def powerpc():
    check("powerpc")


@test
def s390x():
    check("s390x")


main()
