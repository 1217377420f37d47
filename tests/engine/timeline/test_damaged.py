# SPDX-License-Identifier: MIT
"""The time index of packed files with damaged blocks: it must have each call that a pass tells, to the
nanosecond, and say no more."""

import os
import random

import packed
import recordings as rec
from tap import BUILD, Folder, main, run, test, true

TOOL = os.path.join(BUILD, "tests", "engine", "timeline", "compare-pass")


def make_events(rand, n, tids):
    """Enters and exits, of which a few match nothing, in the order of time."""
    events, stacks, now, tid = [], {tid: [] for tid in tids}, 1000, tids[0]
    for _ in range(n):
        if rand.random() < 0.02:
            tid = rand.choice(tids)
        now += rand.choice([0, 1, 50, 50, 50, 40000])
        stack = stacks[tid]
        if stack and rand.random() < 0.5:
            func, caller = stack.pop()
            events.append((rec.EXIT, now, func, caller, tid))
        elif rand.random() < 0.01:
            events.append((rec.EXIT, now, 0x9000, 0x99, tid))
        else:
            stack.append((0x1000 * rand.randint(1, 9), rand.randint(1, 30)))
            events.append((rec.ENTER, now, *stack[-1], tid))
    return events


def flip(rand, data):
    at = rand.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rand.randrange(8)]) + data[at + 1:]


def damage(rand, block):
    """A block with a bit that is wrong, or a right check over words that say nothing."""
    how = rand.randrange(4)
    if how == 0:
        return flip(rand, block.data())
    if how == 1:
        block.words = block.words[:rand.randrange(len(block.words) // 2) * 2]
    elif how == 2:
        block.words = flip(rand, block.words)
    else:
        at = rand.randrange(len(block.words) // 2) * 2
        block.words = block.words[:at] + bytes(2) + block.words[at + 2:]
    return block.data()


def check(seed, stream):
    rand = random.Random(seed)
    with Folder() as folder:
        tids = [7, 8, 9] if stream else [7]
        events = make_events(rand, 3000, tids)
        blocks = packed.blocks(events, rand.choice([30, 200, 900]), index=0 if stream else rand.choice([0, 1]),
                               chain=rand.choice([1, 4, 1 << 30]))
        wrong = rand.sample(range(len(blocks)), min(len(blocks) - 1, rand.choice([0, 1, 3])))
        rec.write(folder, "trace.stream.dev.0.bin" if stream else "trace.1.7.0.bin", packed.header(),
                  *(damage(rand, block) if i in wrong else block.data() for i, block in enumerate(blocks)))
        # It stops at the first difference.
        result = run(TOOL, folder)
        true(result.returncode == 0, "seed %d: %s" % (seed, result.stderr[-300:]))
        return int(result.stdout.split()[0])


@test
def a_thread():
    true(sum(check(seed, False) for seed in range(40)) > 15000, "there are calls")


@test
def a_stream():
    true(sum(check(seed, True) for seed in range(40)) > 15000, "there are calls")


main()
