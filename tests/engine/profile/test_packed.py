# SPDX-License-Identifier: MIT
"""Random recordings that are packed against those that are not, and packed ones that grow."""

import json
import os
import random
import re

import packed
import recordings as rec
import tap
from model import Writer, check
from tap import Folder, equal, main, test, true

COMPARE = os.path.join(tap.BUILD, "tests", "engine", "profile", "live-compare")


def numbers(output):
    return {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", output)}


def write_random(folder, seed, to):
    """Writes a recording into one folder and packs it into another."""
    os.mkdir(folder + "/records")
    os.mkdir(folder + to)
    writer = Writer(folder + "/records", seed, False)
    for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
        writer.process(pid)
    rand = random.Random(seed)
    return packed.pack_folder(folder + "/records", folder + to, rand.choice([1, 3, 50, 1000]), rand.choice([1, 3, 1 << 30]))


def report(folder):
    data = json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)
    del data["recorded_bytes"]
    return data


@test
def random_recordings_that_are_packed():
    n = 0
    for seed in range(5000, 5016):
        with Folder() as folder:
            n += write_random(folder, seed, "/packed")
            equal(report(folder + "/packed"), report(folder + "/records"), "seed %d" % seed)
            equal(rec.folded(folder + "/packed"), rec.folded(folder + "/records"), "seed %d" % seed)
    true(n > 100, "files that were packed: %d" % n)


class Stretches(Writer):
    """Long stretches of calls as they are nearly always, and now and then a fault."""

    lengths = [0, 40, 700, 2000]

    def step(self, *arguments):
        clean, self.clean = self.clean, self.clean or self.random.random() < 0.98
        now = super().step(*arguments)
        self.clean = clean
        return now


@test
def long_stretches_against_the_model():
    for seed in range(5200, 5205):
        with Folder() as folder:
            os.mkdir(folder + "/records")
            os.mkdir(folder + "/packed")
            writer = Stretches(folder + "/records", seed, False)
            for pid in (100, 2000):
                writer.process(pid)
            rand = random.Random(seed)
            packed.pack_folder(folder + "/records", folder + "/packed", rand.choice([90, 1000, 5000]), rand.choice([1, 3, 1 << 30]))
            try:
                check(folder + "/packed", writer.model)
            except AssertionError as error:
                raise AssertionError("seed %d: %s" % (seed, error)) from error


@test
def random_recordings_that_grow():
    for seed in range(5100, 5112):
        with Folder() as folder:
            write_random(folder, seed, "/from")
            os.mkdir(folder + "/to")
            result = tap.run(COMPARE, "grow", folder + "/from", folder + "/to", str(seed), check=None)
            equal(result.returncode, 0, "seed %d: %s%s" % (seed, result.stdout[:3000], result.stderr))
            true(numbers(result.stdout)["compared"] >= 1, "compared")


class Thread:
    """A thread that packs events into a buffer and flushes it into segments, as a runtime does."""

    def __init__(self, order, rand, tid, segment):
        self.order, self.rand, self.tid, self.most = order, rand, tid, segment
        self.files = [packed.header(order, flags=rec.THREAD_START)]
        self.index = 1
        self.ids = {}
        self.now = 0
        self.stack = []
        self.begun = 0
        self.records = 0
        self.tail = None
        self.begin()

    def begin(self):
        self.block = packed.Block(self.order, self.tid, self.now, self.index, self.ids)

    def event(self):
        self.now += self.rand.choice([0, 1, 7, 300, 0x7EFF, 1 << 33])
        if self.rand.random() < 0.02:
            self.block.add(rec.MARKER, self.now, rec.CONTEXT, self.rand.randint(0, 1), self.tid)
        elif not self.stack or self.rand.random() < 0.5:
            self.stack.append((0x1000 + 16 * self.rand.randint(0, 40), 0x50))
            self.block.add(rec.ENTER, self.now, *self.stack[-1], self.tid)
        else:
            self.block.add(rec.EXIT, self.now, *self.stack.pop(), self.tid)
        self.records += 1

    def flush(self):
        self.files[-1] += self.block.data()
        self.index += self.block.events
        if len(self.files[-1]) > self.most:
            # The next buffer is for a new segment, and so begins a dictionary, behind a marker of the segment's.
            self.files.append(packed.header(self.order, seq=len(self.files), first_index=self.index))
            self.ids = {}
        self.begin()

    def write(self, folder, torn, stale):
        for seq, data in enumerate(self.files):
            if len(data) > 80 or seq == 0:
                if seq == len(self.files) - 1 and torn:
                    data += self.block.data()[:-1][:torn]
                rec.write(folder, "trace.1.%d.%d.bin" % (self.tid, seq), data)
        # A reader opens tails first, and so may see an older one.
        if not stale or self.tail is None:
            self.tail = packed.tail(self.block, self.order, len(self.files[-1]), len(self.files) - 1, 1 << 14,
                                    first_index=self.index)
        rec.write(folder, "trace.1.%d.0.tail" % self.tid, self.tail)


@test
def threads_that_fill_buffers():
    for seed in range(10):
        rand = random.Random(seed)
        with Folder() as folder:
            os.mkdir(folder + "/from")
            os.mkdir(folder + "/to")
            threads = [Thread("<>"[seed % 2], rand, 1 + i, rand.choice([300, 3000])) for i in range(2)]
            for step in range(40):
                os.mkdir(folder + "/from/%d" % step)
                for thread in threads:
                    for _ in range(rand.choice([0, 1, 30, 200])):
                        thread.event()
                        if rand.random() < 0.02:
                            thread.flush()
                    thread.write(folder + "/from/%d" % step, rand.choice([0, 0, 10, 90]), step < 39 and rand.random() < 0.3)
            index = seed % 4 > 1  # of time, too: what is in buffers is read each time then
            result = tap.run(COMPARE, *["-t"] * index, "steps", folder + "/from", folder + "/to", check=None)
            equal(result.returncode, 0, "seed %d: %s%s" % (seed, result.stdout[:3000], result.stderr))
            found = numbers(result.stdout)
            equal(found["compared"], 40, "compared")
            if not index:
                equal(found["read"], sum(thread.records for thread in threads), "records read")


@test
def a_damaged_file_that_grows():
    events = [(kind, 10 * i + kind, 0x1000, 0x50, 1) for i in range(200) for kind in (rec.ENTER, rec.EXIT)]
    for index in (0, 1):
        blocks = [block.data() for block in packed.blocks(events, 20, index=index)]
        for i, at in ((3, 66), (9, 70), (10, 70), (15, 80)):
            blocks[i] = blocks[i][:at] + bytes([blocks[i][at] ^ 1]) + blocks[i][at + 1:]
        with Folder() as folder:
            os.mkdir(folder + "/from")
            os.mkdir(folder + "/to")
            for step in range(21):
                os.mkdir(folder + "/from/%d" % step)
                rec.write(folder + "/from/%d" % step, "trace.1.1.0.bin", packed.header(), *blocks[:step])
            result = tap.run(COMPARE, *["-t"] * index, "steps", folder + "/from", folder + "/to", check=None)
            equal(result.returncode, 0, "%s%s" % (result.stdout[:3000], result.stderr))
            equal(numbers(result.stdout)["compared"], 21, "compared")
            data = report(folder + "/to")
            equal((data["events"], data["lost"]), (320, 80), "events")
            true("4 blocks of trace.1.1.0.bin are damaged: 80 events are lost" in data["notices"], str(data["notices"]))


@test
def a_file_that_grows_behind_damage():
    events = [(kind, 10 * i + kind, 0x1000, 0x50, 1) for i in range(60) for kind in (rec.ENTER, rec.EXIT)]
    blocks = [block.data() for block in packed.blocks(events, 20)]
    for begin, end in ((0, 0), (2, 2), (2, 3), (4, 5)):
        parts = blocks[:begin] + [bytes(500)] + blocks[end:]
        with Folder() as folder:
            for step in range(len(parts) + 1):
                os.makedirs(folder + "/from/%d" % step)
                rec.write(folder + "/from/%d" % step, "trace.1.1.0.bin", packed.header(), *parts[:step])
            os.mkdir(folder + "/to")
            result = tap.run(COMPARE, "steps", folder + "/from", folder + "/to", check=None)
            equal(result.returncode, 0, "%s%s" % (result.stdout[:3000], result.stderr))
            equal(numbers(result.stdout)["compared"], len(parts) + 1, "compared")


def flip(data, at, bit):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


@test
def damaged_definitions_of_many_threads_that_grow():
    # For each worker more threads than a reader keeps dictionaries for, so that each is made again from the file.
    n = 40 * min(os.cpu_count(), 4)
    damaged = [tid for tid in range(1, n + 1) if tid % 3]
    with Folder() as folder:
        for step in range(3):
            os.makedirs(folder + "/from/%d" % step)
            for tid in range(1, n + 1):
                events = []
                for i, func in enumerate((0x1000, 0x2000, 0x3000, 0x2000)):
                    for start in range(100 * i, 100 * i + 30, 10):
                        events += [(rec.ENTER, start, func, 0x50, tid), (rec.EXIT, start + 3, func, 0x50, tid)]
                data = [block.data() for block in packed.blocks(events, 6)]
                if tid in damaged:
                    data[1] = flip(data[1], len(data[1]) - 15, 6)
                rec.write(folder + "/from/%d" % step, "trace.1.%d.0.bin" % tid, packed.header(), *data[:2 + step])
        os.mkdir(folder + "/to")
        result = tap.run(COMPARE, "steps", folder + "/from", folder + "/to", check=None)
        equal(result.returncode, 0, "%s%s" % (result.stdout[:3000], result.stderr))
        equal(numbers(result.stdout)["compared"], 3, "compared")
        data = report(folder + "/to")
        equal((data["events"], data["lost"]), (24 * n - 18 * len(damaged), 18 * len(damaged)), "events")
        equal(sorted({row["function"] for row in data["rows"]}), ["0x1000", "0x2000", "0x3000"], "functions")
        # By number, whichever worker read them.
        told = [notice for notice in data["notices"] if "damaged" in notice]
        equal(told, ["3 blocks of trace.1.%d.0.bin are damaged: 18 events are lost" % tid for tid in damaged[:8]], "told")


main()
