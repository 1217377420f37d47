# SPDX-License-Identifier: MIT
"""convert: what is refused, can't be read or written, or is interrupted leaves nothing behind."""

import os
import random
import signal
import subprocess
import time

import happening
import packed
import recordings as rec
import tap
from converting import EVENTS, convert, fill, random_calls, refused
from packed_reports import LEAF, NAME, as_records, calls
from tap import Folder, equal, main, test, true


@test
def bad_input():
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(EVENTS))])
        fill(folder + "/empty", [])
        fill(folder + "/full", [("x", b"x")])
        refused(folder, words=["one folder is converted, not 0"])
        refused(folder, "a", "b", "--to", "packed", words=["one folder is converted, not 2"])
        refused(folder, "a", words=["no format given — add --to packed or --to records"])
        refused(folder, "a", "--to", "zip", words=["--to zip: no such format — use records or packed"])
        refused(folder, "a", "--too", "zip", words=["convert: ", "see callsight-cli convert --help"])
        refused(folder, "none", "--to", "packed", words=["“none”: no such folder"])
        refused(folder, "a/" + NAME, "--to", "packed", words=["no such folder (Not a directory)"])
        refused(folder, "empty", "--to", "packed", words=["empty: no recording there"])
        refused(folder, "full", "--to", "packed", words=["full: no recording there"])
        refused(folder, "a", "--to", "packed", "--out", "full", words=["full: something is there already"])
        refused(folder, "a", "--to", "packed", "--out", "a", words=["a: something is there already"])
        refused(folder, "a", "--to", "packed", "--out", "no/where", words=["isn't there — make it first"])
        refused(folder, "a", "--to", "packed", "--out", "", words=["--out: the name is empty"])
        for out in ("a/b", "./a/../a/b", folder + "/a/b"):
            refused(folder, "a", "--to", "packed", "--out", out, words=["it lies in the recording's own folder"])
        os.symlink("a", folder + "/link")
        refused(folder, "a", "--to", "packed", "--out", "link/b", words=["it lies in the recording's own folder"])
        os.symlink("nowhere", folder + "/loose")
        refused(folder, "a", "--to", "packed", "--out", "loose", words=["something is there already"])
        os.symlink("trace.1.2.0.bin", folder + "/a/trace.1.2.0.bin")
        refused(folder, "a", "--to", "packed", words=["trace.1.2.0.bin can't be opened: Too many levels", "a.packed was not made"])
        os.unlink(folder + "/a/trace.1.2.0.bin")
        os.mkdir(folder + "/a/trace.1.2.0.bin")
        true("trace.1.2.0.bin is not a regular file — left out" in convert("a", "--to", "packed", cwd=folder).stderr, "a folder")


@test
def summaries_alone():
    with Folder() as folder:
        fill(folder + "/a", [("trace.summary.1.9.bin", rec.summary_header(records=1), rec.summary_record(LEAF, [5, 6], 11))])
        refused(folder, "a", "--to", "packed", words=["a: there are no event files that could be converted"])


@test
def a_full_disk():
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(random_calls(random.Random(1), 60000))), ("trace.1.process", b"x" * 3000)])
        refused(folder, "a", "--to", "packed", shell="trap '' XFSZ; ulimit -f 20",
                words=["a.packed: %s can't be written (File too large)" % NAME, "nothing is left of it"])


@test
def what_can_not_be_read():
    with Folder() as place:
        happens = happening.make(place)
        folder = place + "/x"
        os.mkdir(folder)
        blocks = [block.data() for block in packed.blocks(calls(2000), 200)]
        at = 80 + sum(map(len, blocks[:7]))
        fill(folder + "/p", [(NAME, packed.header(), *blocks)])
        fill(folder + "/r", [(NAME, rec.header(), as_records(calls(2000)))])
        for what, reason in (("e", "Input/output error"), ("s", "it became shorter")):
            # What is read of a packed file later on: blocks, not headers, and not what is looked for in holes.
            for source, to, n, beyond in (("p", "records", 1400, at), ("r", "packed", 0, 80 + 1000 * 32)):
                refused(folder, source, "--to", to, env=happens(what, beyond),
                        words=["%s: %s can't be read beyond record %d (%s)" % (source, NAME, n, reason), "was not made; see"])
        # A header of a block.
        refused(folder, "p", "--to", "records", env=happens("e", at, 64), words=["%s can't be read to its end (Input/output error)" % NAME])


@test
def a_conversion_that_is_interrupted():
    with Folder() as folder:
        fill(folder + "/a", [(NAME, rec.header(), as_records(calls(1000)) * 1000)])
        interrupted = 0
        for _ in range(10):
            with subprocess.Popen([tap.CLI, "convert", folder + "/a", "--to", "packed"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                while process.poll() is None and not any(name.startswith("a.packed.") for name in os.listdir(folder)):
                    time.sleep(0.001)
                process.send_signal(signal.SIGINT)
                process.communicate()
            if process.returncode == -signal.SIGINT:
                interrupted += 1
                equal(os.listdir(folder), ["a"], "what is left")
                break
            tap.run("rm", "-r", folder + "/a.packed")
        true(interrupted, "it was always faster")


@test
def interrupted_late():
    with Folder() as place:
        happens = happening.make(place)
        folder = place + "/x"
        os.mkdir(folder)
        fill(folder + "/a", [(NAME, rec.header(), as_records(EVENTS)), ("trace.summary.1.9.bin", bytes(1 << 20))])
        # While the last file is copied.
        result = convert("a", "--to", "packed", cwd=folder, env=happens("i", 600000), check=-signal.SIGINT)
        equal((result.stdout, result.stderr, os.listdir(folder)), ("", "", ["a"]), "what is left")
        # When it is whole.
        result = convert("a", "--to", "packed", cwd=folder, env=happens("r", 0))
        true(result.stdout.startswith("a.packed: event files packed: 1 "), result.stdout)
        equal(sorted(os.listdir(folder)), ["a", "a.packed"], "what is left")
        # What can't be read when it is copied.
        tap.run("rm", "-r", folder + "/a.packed")
        refused(folder, "a", "--to", "packed", env=happens("e", 600000),
                words=["a: trace.summary.1.9.bin can't be read (Input/output error) — a.packed was not made"])


main()
