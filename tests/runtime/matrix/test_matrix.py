# SPDX-License-Identifier: MIT
"""Programs that know their own call tree, against what the report makes of a recording:
every compiler and level.  The words on the command line choose among the cases; their
names hold the compiler.

What is compared, for each process and for all of them together:

- The chrome report has every call: each path of the tree with how often it was called and
  how often it was cut short is the truth's.
- The folded report has the truth's paths, all and no others, with the self times of the
  chrome report.  It leaves out what has no self time: that may be missing only if by the
  chrome report its calls took none.
- The JSON report has the calls of each function, and no unmatched exit but those out of
  calls that a parent process had made.

Where a place in the tree is known to be wrong (cleanup handlers), the case says so by its name and
compares the functions' calls alone.

The calls of several contexts of a thread cross in time, and no report shows how often a
path of theirs was called; the rest holds for them, too.
"""

import atexit
import collections
import errno
import json
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import compiled
import recordings as rec
from tap import Folder, Skip, compilers, equal, main, run, test, true
from told import told
from traces import ENTER, Capture, named, own_pids, said, tails_are_safe

LEVELS = ("-O0", "-O2", "-O3")
# Each case with each compiler, optimised and not; between them they have all levels.  MATRIX=all: all with both.
TRIED = {"gcc": ("-O0", "-O2"), "clang": ("-O0", "-O3")}
# What a compiler makes for itself: no source has these functions.
MADE = re.compile(r"_GLOBAL__|__static_initialization_and_destruction|__cxx_global|__tls_init|TLS |_ZT[WH]")

_built = tempfile.mkdtemp(prefix="callsight-matrix-")
atexit.register(shutil.rmtree, _built, True)


# --- building ------------------------------------------------------------------

def compiler_of(cc, source):
    if not source.endswith(".cc"):
        return [cc, "-std=c11", "-D_GNU_SOURCE"]
    # Nothing of the standard library's headers is the program's.
    lists = ["-finstrument-functions-exclude-file-list=/usr/include"] if cc == "gcc" else []
    return [{"gcc": "g++", "clang": "clang++"}[cc], "-std=c++17", *lists]


def truth_object(cc):
    out = os.path.join(_built, "truth-%s.o" % cc)
    if not os.path.exists(out):
        run(cc, "-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIE", "-c", os.path.join(HERE, "truth.c"), "-o", out,
            check=0)
    return out


def build(cc, level, source, flags=(), link=(), out=None):
    """Compiles a program or library once, and returns its path."""
    out = os.path.join(_built, "-".join([out or source.replace(".", "-"), cc, level[1:]]))
    if not os.path.exists(out):
        if "-shared" not in flags:
            link = [*link, truth_object(cc), compiled.runtime(cc, *compiled.HOOKED), "-ldl"]
        made = run(*compiler_of(cc, source), level, "-g", "-Wall", "-Wextra", "-Wno-infinite-recursion",
                   "-pthread", "-finstrument-functions", *flags, os.path.join(HERE, source), *link, "-o", out, check=0)
        equal(made.stderr, "", "what the compiler says")
    return out


def library(cc, level, source, *flags, out=None):
    return build(cc, level, source, ("-shared", "-fPIC", *flags), out="lib" + (out or source.split(".")[0]))


# --- what the program says ------------------------------------------------------------

class Truth:
    """The tree that a process, or several, wrote: path → [calls, of which cut short]."""

    def __init__(self):
        self.paths, self.unmatched = {}, 0

    def read(self, name, unwinding_exits):
        """unwinding_exits: whether the exit hooks run while an exception unwinds."""
        with open(name, encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("unmatched "):
                    self.unmatched += int(line.split(" ")[1])
                    continue
                path, calls, returns, unwound = line.rsplit(" ", 3)
                left = int(returns) + (int(unwound) if unwinding_exits else 0)
                self.add(path, int(calls), int(calls) - left)
        return self

    def add(self, path, calls, cut):
        sums = self.paths.setdefault(path, [0, 0])
        sums[0] += calls
        sums[1] += cut

    def join(self, other):
        self.unmatched += other.unmatched
        for path, sums in other.paths.items():
            self.add(path, *sums)

    def functions(self):
        """function → [calls, of which cut short]."""
        sums = {}
        for path, (calls, cut) in self.paths.items():
            of = sums.setdefault(path.rpartition(";")[2], [0, 0])
            of[0] += calls
            of[1] += cut
        return sums


# --- what the reports say ----------------------------------------------------------------

def without_made(names):
    return ";".join(name for name in names if not MADE.match(name))


def folded(folder):
    """path → self time."""
    paths = collections.Counter()
    for line in rec.analyze(folder, "--format", "folded").stdout.splitlines():
        path, own = line.rsplit(" ", 1)
        paths[without_made(path.split(";"))] += int(own)
    del paths[""]
    return dict(paths)


def functions(data):
    """function → [calls, of which cut short], of the JSON report."""
    sums = {}
    for row in data["rows"]:
        if not MADE.match(row["function"]):
            of = sums.setdefault(row["function"], [0, 0])
            of[0] += row["calls"] + row["open"]
            of[1] += row["repaired"] + row["open"]
    return sums


class Call:
    __slots__ = ("name", "start", "end", "cut", "children")

    def __init__(self, item, children):
        self.name, self.children = item["name"], children
        self.start, length = (int(item[key].replace(".", "")) for key in ("ts", "dur"))
        self.end = self.start + length
        self.cut = "args" in item


def chrome(folder):
    """path → [calls, of which cut short], and path → self time.  A call comes behind those
    that it made, and these lie within it."""
    data = json.loads(rec.analyze(folder, "--format", "chrome").stdout, parse_float=str)
    threads = collections.defaultdict(list)
    for item in data["traceEvents"]:
        if item["ph"] == "X":
            done = threads[item["pid"], item["tid"]]
            call = Call(item, [])
            at = len(done)
            while at and done[at - 1].start >= call.start:
                at -= 1
            call.children = done[at:]
            done[at:] = [call]
    counts, own = {}, collections.Counter()

    def add(names, calls):
        for call in calls:
            path = without_made(names + [call.name])
            if path and not MADE.match(call.name):
                sums = counts.setdefault(path, [0, 0])
                sums[0] += 1
                sums[1] += call.cut
            if path:
                own[path] += call.end - call.start - sum(c.end - c.start for c in call.children)
            add(names + [call.name], call.children)

    for calls in threads.values():
        add([], calls)
    return counts, own


def same(got, wanted, what):
    """Both are dicts; says the first differences."""
    wrong = ["%s: %s, wanted %s" % (key, got.get(key, "none"), wanted.get(key, "none"))
             for key in sorted(set(got) | set(wanted)) if got.get(key) != wanted.get(key)]
    if wrong:
        more = "\n… and %d more" % (len(wrong) - 8) if len(wrong) > 8 else ""
        raise AssertionError(what + ":\n" + "\n".join(wrong[:8]) + more)


def compare(folder, truth, what, contexts=False, tree=True):
    data = json.loads(rec.analyze(folder, "--format", "json", "--top", "0").stdout)
    lines = folded(folder)
    if contexts and tree:
        same(dict.fromkeys(lines, "there"), dict.fromkeys(truth.paths, "there"), what + "folded")
    elif tree:
        counts, own = chrome(folder)
        same(counts, truth.paths, what + "calls and cut calls by path")
        same(lines, {path: ns for path, ns in own.items() if ns}, what + "folded")
    same(functions(data), truth.functions(), what + "calls and cut calls by function")
    equal(data["unmatched_exits"], truth.unmatched, what + "unmatched exits")
    equal((data["lost"], data["clamped"]), (0, 0), what + "lost and clamped")
    if not truth.unmatched and not any(cut for _calls, cut in truth.paths.values()):
        # What is left to say: of a process that went by _exit or exec.
        equal([n for n in data["notices"] if "was killed or still runs" not in n], [], what + "notices")
    return data


# --- running -----------------------------------------------------------------------------

def record(folder, program, *args, env=None, runner=(), check=0):
    environ = {"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces", "TRUTH_FILE": folder + "/truth",
               "TRACE_TAIL": "1" if tails_are_safe() else "0", "TRACE_FORMAT": _format[0]}
    environ.update(env or {})
    return run(*runner, program, *args, env=environ, cwd=folder, check=check, timeout=60)


def check(folder, cc, processes=1, contexts=False, tree=True):
    """The reports of what record() left; returns the JSON report of it all."""
    truths = {int(name.split(".")[1]): Truth().read(os.path.join(folder, name), cc == "gcc")
              for name in os.listdir(folder) if name.startswith("truth.")}
    recorded = collections.defaultdict(list)
    for name in os.listdir(folder + "/traces"):
        recorded[int(name.split(".")[1])].append(name)
    equal(len(truths), processes, "processes")
    equal(sorted(recorded), sorted(truths), "recorded processes")
    together = Truth()
    for number, (pid, truth) in enumerate(sorted(truths.items()), 1):
        together.join(truth)
        if processes > 1:
            alone = "%s/%d" % (folder, pid)
            os.mkdir(alone)
            for name in recorded[pid]:
                os.link("%s/traces/%s" % (folder, name), "%s/%s" % (alone, name))
            compare(alone, truth, "process %d of %d: " % (number, processes), contexts, tree)
    data = compare(folder + "/traces", together, "", contexts, tree)
    equal(sorted(data["pids"]), sorted(truths), "pids")
    return data


CASES = []  # (name, levels, function of compiler and level)
_format = ["records"]  # that the case records, unless it says so itself


def case(name, levels=LEVELS):
    def add(function):
        CASES.append((name, levels, function))
        return function
    return add


def plain(name, source, *args, levels=LEVELS, flags=(), libraries=(), out=None, processes=1, tails=False,
          contexts=False, tree=True):
    """A case that is a run of a program and the comparison, no more.  tails: a process of it ends
    without a last flush.  tree: calls are in the right place, too."""
    def run_it(cc, level):
        if tails and not tails_are_safe():
            raise Skip("this file system keeps no reserved space")
        with Folder() as folder:
            libs = [library(cc, level, lib) for lib in libraries]
            link = ["-rdynamic", *libs, "-Wl,-rpath," + _built] if libs else []
            program = build(cc, level, source, flags, link, out)
            result = record(folder, program, *args)
            equal(result.stderr, "", "stderr")
            check(folder, cc, processes, contexts, tree)
    case(name, levels)(run_it)


for how, flags in (("pie", ("-fPIE", "-pie")), ("no pie", ("-fno-pie", "-no-pie")),
                   ("static pie", ("-fPIE", "-static-pie")), ("static", ("-fno-pie", "-static"))):
    plain("calls, " + how, "calls.c", flags=flags, out="calls-" + how.replace(" ", "-"))

plain("fork", "fork.c", processes=8, tails=True)
plain("fork and exec", "images.c", "forkexec", processes=4, tails=True)
plain("vfork", "images.c", "vfork", processes=4)
plain("vfork that ends deeper", "images.c", "vfork-deeper", processes=4)
plain("posix_spawn", "images.c", "spawn", processes=4)

plain("nested handlers", "signals.c", "nested")
plain("handlers on stacks below and above", "signals.c", "stacks")
plain("siglongjmp out of handlers", "signals.c", "jump")
plain("siglongjmp off stacks below and above", "signals.c", "jump-stacks")

plain("ucontext", "contexts.c", contexts=True)

for how, name in (("longjmp", "longjmp"), ("_longjmp", "BSD longjmp"), ("siglongjmp", "siglongjmp"),
                  ("inlined", "inlined")):
    plain("jumps, " + name, "jumps.c", how)
    plain("jumps, fortified " + name, "jumps.c", how, levels=LEVELS[1:], out="jumps-fortified",
          flags=("-D_FORTIFY_SOURCE=2",))
plain("jumps through a library", "jumps_library.c", libraries=("jumper.c",))

for how in ("loop", "rethrow", "destructors", "inlined", "inlined-destructors", "whole", "threads"):
    plain("exceptions, " + how.replace("-", " "), "exceptions.cc", how)
    plain("exceptions past destructors, " + how.replace("-", " "), "exceptions.cc", how, levels=LEVELS[1:],
          flags=("-DTRUTH_APART",), out="exceptions-apart")
plain("exceptions through a library", "exceptions_library.cc", libraries=("thrower.cc",))

plain("512 threads at once", "threads.c", "together")
plain("threads that outlive main", "threads.c", "outlive")
plain("data of threads that return", "endings.c", "return")
plain("data of threads that exit", "endings.c", "exit")
# Nothing tells when libc unwinds to a cleanup handler of C: the handlers stand in what they end.
plain("calls of cleanup handlers at pthread_exit", "endings.c", "cleanup", tree=False)
plain("calls of cleanup handlers at cancellation", "endings.c", "cancel", tree=False)

plain("constructors and destructors", "statics.c")
plain("constructors and destructors around exit", "statics.c", "exit")
plain("static objects", "statics.cc")
plain("calls at the end of functions", "tails.c", flags=("-foptimize-sibling-calls",))


@case("the same of records and packed", levels=LEVELS[1:2])
def both_ways(cc, level):
    for source, *args in (("calls.c",), ("exceptions.cc", "loop"), ("jumps.c", "longjmp"), ("contexts.c",)):
        reports = {}
        for form in ("records", "packed"):
            with Folder() as folder:
                record(folder, build(cc, level, source), *args, env={"TRACE_FORMAT": form})
                reports[form] = told(folder + "/traces")
        for key, of_records in reports["records"].items():
            true(of_records, "%s: no %s" % (source, key))
            equal(reports["packed"][key], of_records, "%s: %s" % (source, key))


@case("thread churn")
def thread_churn(cc, level):
    with Folder() as folder:
        result = record(folder, build(cc, level, "threads.c"), "churn", runner=own_pids())
        equal(result.stderr, "", "stderr")
        data = check(folder, cc)
        names = collections.Counter((int(tid), name) for tid, name in said(result, r"thread (\d+) (\S+)"))
        equal(len(names), 300, "names that the program gave")
        told = collections.Counter((t["tid"], t["name"]) for t in data["per_thread"])
        equal({key: told[key] for key in names}, dict(names), "names")
        equal(len(data["per_thread"]), 401, "threads")


@case("daemon")
def daemon(cc, level):
    with Folder() as folder:
        result = record(folder, build(cc, level, "daemon.c"), folder + "/own")
        equal(result.stderr, "", "stderr")
        with open(folder + "/own", encoding="utf-8") as stream:
            equal(stream.read(), "".join("line %d\n" % i for i in range(20)), "its own file")
        check(folder, cc, 3)


def in_turn(name, libraries):
    def run_it(cc, level):
        paths = [library(cc, level, "library.c", "-DLIBRARY=" + lib, *flags, out=lib) for lib, flags in libraries]
        with Folder() as folder:
            result = record(folder, build(cc, level, "libraries.c", link=["-rdynamic"]), *paths)
            equal(result.stderr, "", "stderr")
            (same_address,) = said(result, r"same address (\d+)")
            true(int(same_address) > 50, "%s of 99 at the same address" % same_address)
            check(folder, cc)
    case(name)(run_it)


in_turn("libraries in turn at one address", (("one", ()), ("two", ())))
in_turn("libraries with constructors in turn", (("three", ("-DCONSTRUCTOR",)), ("four", ("-DCONSTRUCTOR",))))


# --- storage that fails -------------------------------------------------------------------

def prefix(folder, program, result):
    """What there is of the recording is the beginning of what the program did.  Returns the
    number of events."""
    (order,) = said(result, r"([abc.]{1000,})")
    true(result.stdout.endswith("ran to its end\n"), "the program ran on")
    capture = Capture(folder + "/traces", program)
    thread = capture.of()
    got = "".join(name if kind == ENTER else "." for name, kind in named(thread, capture.names(thread)))
    true(order.startswith(got), "another order than the program's")
    data = json.loads(rec.analyze(folder + "/traces", "--format", "json", "--top", "0").stdout)
    equal({name: sums[0] for name, sums in functions(data).items()},
          {name: n for name, n in collections.Counter(got).items() if name != "."}, "calls")
    equal((data["events"], data["unmatched_exits"]), (len(got), 0), "events and unmatched exits")
    true(data["unclosed_enters"] == sum(1 if c != "." else -1 for c in got), "unclosed enters")
    true(any("stopped" in notice for notice in data["notices"]), data["notices"])
    return len(got)


@case("a limit on the size of files")
def file_size_limit(cc, level):
    program = build(cc, level, "storage.c")
    for limit in (1 << 10, 300):  # blocks of the shell: KiB
        with Folder() as folder:
            result = record(folder, program, runner=("bash", "-c", 'ulimit -f %d; exec "$0" "$@"' % limit),
                            env={"TRACE_FORMAT": "records"})
            said_last = result.stderr.splitlines()[-1]
            true("recording stopped" in said_last and os.strerror(errno.EFBIG) in said_last, result.stderr)
            events = prefix(folder, program, result)
            true(0 <= limit * 1024 - 80 - 32 * events < 4096, "%d events" % events)


@case("a full disk")
def full_disk(cc, level):
    if os.geteuid() != 0 or not shutil.which("unshare"):
        raise Skip("needs root and unshare")
    program = build(cc, level, "storage.c")
    with Folder() as folder:
        os.mkdir(folder + "/disk")
        if run("unshare", "-m", "mount", "-t", "tmpfs", "none", folder + "/disk").returncode:
            raise Skip("no mount here")
        script = 'mount -t tmpfs -o size=1m none "%s/disk" && "$0" "$@" && cp -r "%s/disk/t" "%s/traces"' % (
            folder, folder, folder)
        result = record(folder, program, runner=("unshare", "-m", "sh", "-c", script),
                        env={"TRACE_DIR": folder + "/disk/t", "TRACE_MIN_FREE_MB": "0",
                             "TRACE_FORMAT": "records"})
        true("recording stopped" in result.stderr, result.stderr)
        true(os.strerror(errno.ENOSPC) in result.stderr, result.stderr)
        true(prefix(folder, program, result) > 10000, "events")


@case("a folder that is read-only")
def read_only_folder(cc, level):
    program = build(cc, level, "storage.c")
    for where in ("", "/traces"):
        with Folder() as folder:
            os.mkdir(folder + "/closed", 0o500)
            os.chmod(folder, 0o755)
            # Root may write everywhere: as somebody else.
            runner = ("setpriv", "--reuid=65534", "--clear-groups") if os.geteuid() == 0 else ()
            os.chmod(_built, 0o755)
            result = record(folder, program, runner=runner, env={"TRACE_DIR": folder + "/closed" + where})
            true(re.fullmatch(r"callsight: cannot (create|write to) the trace folder \S+/closed%s: %s; nothing "
                              r"is recorded .*\n" % (where, os.strerror(errno.EACCES)), result.stderr),
                 result.stderr)
            true(result.stdout.endswith("ran to its end\n"), "the program ran on")
            equal(os.listdir(folder + "/closed"), [], "files")


def register():
    for cc in compilers():
        for name, levels, function in CASES:
            tried = [level for level in levels if level in TRIED[cc] or os.environ.get("MATRIX") == "all"]
            for level in tried or levels[:1]:
                def run_it(function=function, cc=cc, level=level):
                    # What is compiled without optimisation is recorded as records, the rest packed.
                    _format[0] = "records" if level == "-O0" else "packed"
                    function(cc, level)
                run_it.__name__ = "%s %s %s" % (cc, level, name)
                test(run_it)


register()

if __name__ == "__main__":
    main()
