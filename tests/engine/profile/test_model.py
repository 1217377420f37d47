# SPDX-License-Identifier: MIT
"""Random recordings against the model."""

import recordings as rec
from model import Writer, check
from tap import Folder, equal, main, test


def run_seed(seed, clean):
    with Folder() as folder:
        writer = Writer(folder, seed, clean)
        for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
            writer.process(pid)
        try:
            _data, calls, total = check(folder, writer.model)
            if clean:
                # Nothing overlaps here, so that nesting alone gives the same sum.
                equal(rec.nested_self(calls), total, "Σ self in chrome nesting")
        except AssertionError as error:
            raise AssertionError("seed %d: %s" % (seed, error)) from error


@test
def well_formed_recordings():
    for seed in range(30):
        run_seed(seed, True)


@test
def recordings_with_every_fault():
    for seed in range(1000, 1060):
        run_seed(seed, False)


main()
