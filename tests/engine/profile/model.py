# SPDX-License-Identifier: MIT
"""Random recordings, and a model of their reports that follows the rules of exactness literally.

The model keeps whole call paths in dictionaries and knows nothing of the engine.  Every
number of the reports that it predicts must come out the same, in every format.
"""

import random
import statistics

import recordings as rec
from recordings import ENTER, EXIT, MARKER, COUNTERS
from tap import equal, true


class Call:
    """One call as it was closed; parent is the call around it."""

    def __init__(self, thread, parent, func, caller, start):
        self.thread = thread
        self.parent = parent
        self.func = func
        self.caller = caller
        self.start = start
        self.end = self.how = None

    def site(self):
        """Callee, caller, and whether it was inlined there: it was told the return address of the function below it."""
        below = self.parent
        if below and below.caller == self.caller and below.func != self.func:
            return self.func, below.func, True
        return self.func, self.caller, False

    def path(self):
        """From the outermost call to this one."""
        calls = []
        while self is not None:
            calls.insert(0, self)
            self = self.parent
        return calls


class Function:
    def __init__(self):
        self.calls = self.incl = self.self = self.total = self.open = self.clipped = self.repaired = 0
        self.durations = []
        self.threads = set()


class Model:
    """What a recording must be reported as."""

    def __init__(self):
        self.functions = {}
        self.paths = {}
        self.sites = {}
        self.events = self.unmatched = self.repaired = self.open = self.clamped = self.lost = 0
        self.n_threads = 0
        self.serial = 0
        self.spans = []  # (function, start, end) of every call
        self.first = self.last = None
        self.clipped = 0
        self.calls = []   # every Call
        self.times = []   # (thread, ns, whether it is an unmatched exit) of every event

    def thread(self, pid, tid):
        self.serial += 1
        return Thread(self, self.serial, pid, tid)


class Thread:
    def __init__(self, model, serial, pid, tid):
        self.model = model
        self.serial = serial
        self.pid = pid
        self.tid = tid
        self.stack = []  # [function, caller, start, children, Call]
        self.last = None
        self.count = 0
        self.gap = False
        self.unseen = False  # recording was off: calls may have begun unseen

    def close(self, ns, how):
        func, caller, start, children, call = self.stack.pop()
        duration = ns - start
        call.end, call.how = ns, how
        self.model.calls.append(call)
        self.model.spans.append((func, start, ns))
        function = self.model.functions.setdefault(func, Function())
        site = self.model.sites.setdefault(call.site(), [0, 0])
        function.incl += duration
        function.self += duration - children
        function.threads.add(self.serial)
        site[1] += duration
        if func not in [frame[0] for frame in self.stack]:
            function.total += duration
        path = ";".join("0x%x" % frame[0] for frame in self.stack) + (";" if self.stack else "") + "0x%x" % func
        self.model.paths[path] = self.model.paths.get(path, 0) + duration - children
        if self.stack:
            self.stack[-1][3] += duration
        if how == "open":
            function.open += 1
            self.model.open += 1
            return
        function.calls += 1
        site[0] += 1
        if how == "repaired":
            function.repaired += 1
            self.model.repaired += 1
        else:
            function.durations.append(duration)

    def lose(self, events):
        self.model.lost += events
        self.count += events
        self.gap = self.gap or bool(self.stack)

    def take(self, kind, ns, func, caller):
        model = self.model
        if self.last is not None and ns < self.last:
            ns = self.last
            model.clamped += 1
        if self.gap:
            while self.stack:
                self.close(ns, "repaired")
            self.gap = False
        self.last = ns
        self.count += 1
        model.events += 1
        model.first = ns if model.first is None else min(model.first, ns)
        model.last = ns if model.last is None else max(model.last, ns)
        if kind == ENTER:
            self.stack.append([func, caller, ns, 0, Call(self, self.stack[-1][4] if self.stack else None, func, caller, ns)])
            model.times.append((self, ns, False))
            return
        unmatched = func not in [frame[0] for frame in self.stack]
        model.times.append((self, ns, unmatched and (bool(self.stack) or not self.unseen)))
        if unmatched:
            model.unmatched += bool(self.stack) or not self.unseen
        else:
            while self.stack[-1][0] != func:
                self.close(ns, "repaired")
            self.close(ns, "exited")

    def off(self, ns):
        if self.last is None:
            return
        if ns < self.last:
            ns = self.last
            self.model.clamped += 1
        self.last = ns
        self.model.last = max(self.model.last, ns)
        while self.stack:
            self.close(ns, "repaired")

    def end(self):
        self.model.n_threads += self.count > 0
        while self.stack:
            self.close(self.last, "open")


def percentile(durations, per_mille):
    ordered = sorted(durations)
    return ordered[max(1, (len(ordered) * per_mille + 999) // 1000) - 1]


def check_functions(data, model):
    """Compares the rows of functions with the model."""
    equal(set(data["by_name"]), {"0x%x" % func for func in model.functions}, "functions")
    for func, wanted in model.functions.items():
        row = data["by_name"]["0x%x" % func]
        for key, value in (("calls", wanted.calls), ("incl_ns", wanted.incl), ("self_ns", wanted.self),
                           ("total_ns", wanted.total), ("open", wanted.open), ("repaired", wanted.repaired),
                           ("clipped", wanted.clipped),
                           ("min_ns", min(wanted.durations, default=0)),
                           ("max_ns", max(wanted.durations, default=0)), ("threads", len(wanted.threads))):
            equal(row[key], value, "%s of 0x%x" % (key, func))
        true(row["min_ns"] <= row["p50_ns"] <= row["p90_ns"] <= row["p99_ns"] <= row["p999_ns"] <= row["max_ns"],
             "monotone")
        for key, per_mille in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990), ("p999_ns", 999)):
            if wanted.durations:
                exact = percentile(wanted.durations, per_mille)
                true(abs(row[key] - exact) <= exact / 64, "%s: %d for %d" % (key, row[key], exact))
        for key, exact in (("mean_ns", statistics.fmean(wanted.durations or [0])),
                           ("stddev_ns", statistics.pstdev(wanted.durations or [0]))):
            true(abs(row[key] - exact) <= 0.001 + exact * 1e-9, "%s of 0x%x: %f for %f" % (key, func, row[key], exact))


def check(folder, model):
    """Compares all formats with the model."""
    data = rec.report(folder)
    equal(data["events"], model.events, "events")
    equal(data["threads"], model.n_threads, "threads")
    equal(data["unmatched_exits"], model.unmatched, "unmatched exits")
    equal(data["unclosed_enters"], model.open, "unclosed enters")
    equal(data["repaired"], model.repaired, "repaired")
    equal(data["clamped"], model.clamped, "clamped")
    equal(data["lost"], model.lost, "lost")
    if model.events:
        equal(round(data["span_ms"] * 1e6), model.last - model.first, "span")
    check_functions(data, model)
    for func in model.functions:
        row = data["by_name"]["0x%x" % func]
        equal(row["callers"], len({call.parent.func for call in model.calls if call.func == func and call.parent}),
              "callers")
        equal(row["callees"], len({call.func for call in model.calls if call.parent and call.parent.func == func}),
              "callees")
    paths = rec.folded(folder)
    equal(paths, {path: ns for path, ns in model.paths.items() if ns > 0}, "folded")
    total = sum(function.self for function in model.functions.values())
    equal(sum(paths.values()), total, "Σ folded = Σ self")
    equal(sum(row["self_ns"] for row in data["rows"]), total, "Σ self over rows")
    equal(sum(row["self_ns"] for row in data["per_thread"]), total, "Σ self over threads")
    equal(data["self_ns"], total, "Σ self")
    calls = rec.chrome_events(folder)
    equal(len(calls), sum(f.calls + f.open for f in model.functions.values()), "chrome events")
    equal(sorted((int(name, 16), start, end) for _pid, _tid, start, end, name in calls),
          sorted((func, start - model.first, end - model.first) for func, start, end in model.spans), "chrome spans")
    check_sites(folder, model)
    return data, calls, total


def check_sites(folder, model, *arguments):
    lines = rec.analyze(folder, "--format", "callers", "--top", "0", *arguments).stdout.splitlines()
    got = {}
    for line in lines[[n for n, text in enumerate(lines) if "callee <- caller" in text][0] + 1:]:
        words = line.split()
        key = (int(words[2], 16), int(words[4], 16), words[5:7] == ["inlined", "there"])
        got[key] = (int(words[0]), float(words[1]))
    equal(set(got), set(model.sites), "call sites")
    for key, (calls, incl) in model.sites.items():
        equal(got[key][0], calls, "calls of a call site")
        true(abs(got[key][1] - incl / 1e6) <= 0.000501, "time of a call site")


class Writer:
    """Writes one random recording, telling the model the same."""

    lengths = [0, 1, 5, 300]  # of segments, in events

    def __init__(self, folder, seed, clean):
        self.random = random.Random(seed)
        self.folder = folder
        self.model = Model()
        self.clean = clean

    def process(self, pid):
        rand = self.random
        order = rand.choice("<>")
        ticks = rand.random() < 0.6
        t0_ticks, t0_ns = rand.randrange(1 << 50), rand.randrange(1 << 50)
        run_ns, run_ticks = rand.randrange(10 ** 9, 10 ** 11), rand.randrange(10 ** 8, 10 ** 12)
        clock = dict(flags=rec.TICKS, tick_hz=12345, t0_ticks=t0_ticks, t0_ns=t0_ns) if ticks else \
            dict(flags=0, t0_ns=t0_ns)

        def to_ns(ts):
            return t0_ns + (ts - t0_ticks) * run_ns // run_ticks if ticks else ts

        start = t0_ticks if ticks else t0_ns
        anchor = rec.event(MARKER, t0_ticks + run_ticks, rec.CLOCK, t0_ns + run_ns, pid, order)
        n = rand.randint(1, 4)
        for tid in range(pid, pid + n):
            self.track(pid, tid, order, clock, to_ns, start, anchor if tid == pid + n - 1 else b"")

    def track(self, pid, tid, order, clock, to_ns, start, anchor):
        rand = self.random
        functions = [0x400000 + 4096 * pid + 16 * i for i in range(rand.randint(1, 12))]
        seq = rand.choice([0, 0, 0, 7])
        now = start + rand.randrange(1000)
        thread = self.model.thread(pid, tid)
        segments = rand.choice([1, 1, 3, 13])
        for segment in range(segments):
            flags = clock["flags"]
            starts = segment > 0 and not self.clean and rand.random() < 0.15
            if segment == 0 and rand.random() < 0.5:
                flags |= rec.THREAD_START
            if starts:
                flags |= rec.THREAD_START
                thread.end()
                thread = self.model.thread(pid, tid)
            told = rand.random() < 0.7
            gap = 0
            if told and not self.clean and rand.random() < 0.2:
                gap = rand.randint(1, 1000)
            first_index = thread.count + gap + 1 if told else 0
            # A segment that doesn't tell its index hides a gap before it from those after it.
            if gap:
                thread.lose(gap)
            parts = []
            for _ in range(rand.choice(self.lengths)):
                now = self.step(thread, parts, functions, tid, order, to_ns, now)
            parts.append(anchor if segment == segments - 1 else b"")
            rec.write(self.folder, "trace.%d.%d.%d.bin" % (pid, tid, seq + segment),
                      rec.header(order, pid=pid, seq=seq + segment, first_index=first_index,
                                 header_size=rand.choice([80, 80, 96, 4096]), **dict(clock, flags=flags)),
                      *parts)
        thread.end()

    def step(self, thread, parts, functions, tid, order, to_ns, now):
        rand = self.random
        now += rand.choice([0, 1, 7, 100, 100000])
        roll = rand.random()
        caller = rand.choice(functions) + rand.randrange(1, 3)
        if self.clean or roll < 0.9:
            if len(thread.stack) < 12 and (not thread.stack or rand.random() < 0.5):
                kind, func = ENTER, rand.choice(functions)
            elif thread.stack:
                kind, func = EXIT, thread.stack[-1][0]
            else:
                return now
        elif roll < 0.96:
            kind, func = EXIT, rand.choice(functions)
        elif roll < 0.97:
            back = now - rand.randrange(1, 100000)
            parts.append(rec.event(ENTER, back, functions[0], caller, tid, order))
            thread.take(ENTER, to_ns(back), functions[0], caller)
            return now
        elif roll < 0.975:
            parts.append(rec.event(MARKER, now, rec.OFF, 0, tid, order))
            thread.off(to_ns(now))
            return now
        elif roll < 0.98:
            parts.append(rec.event(MARKER, 0, rec.ON, 0, tid, order))
            thread.unseen = True
            return now
        else:
            parts.append(rand.choice([
                rec.event(COUNTERS, 5, 6, 7, tid, order),
                rec.event(9, now, functions[0], caller, tid, order),
                rec.event(MARKER, 1 << 63, 4000, 3, tid, order)]))
            return now
        parts.append(rec.event(kind, now, func, caller, tid, order))
        thread.take(kind, to_ns(now), func, caller)
        return now
