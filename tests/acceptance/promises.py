# SPDX-License-Identifier: MIT
"""What the product promises, judged by what is measured.

A script of this folder names its promises, each with what is asked for, and has functions that judge them:

    counts = Promise("calls of every function are those that Callgrind counts", "all, gcc and clang")

    @judges(counts)
    def against_callgrind():
        counts.tested(cases("workloads/test_callgrind.py", "calls"))

    main()

main () runs the functions, or those whose names or promises contain one of the words on the command line, and prints
what they measure as comments and a line a promise:

    ok|not ok|slower|missing  PROMISE  MEASURED (ASKED)

ok: it holds. not ok: it does not, or what judges it failed. slower: it is right, and takes more (time, memory, bytes)
than was asked for. missing: it can't be told here, for the reason that is given. The exit status is 1 where one is not
ok. --list prints the promises alone. SIZE=small in the environment: small inputs, to see that a script works; figures
of those mean nothing.
"""

import concurrent.futures
import fnmatch
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
TOP = os.path.dirname(TESTS)
BUILD = os.environ.setdefault("CALLSIGHT_BUILD", os.path.join(TOP, "_build"))
CLI = os.path.join(BUILD, "src", "cli", "callsight-cli")
BENCH = os.path.join(BUILD, "tests", "bench")
SMALL = os.environ.get("SIZE") == "small"
# From this share of the processors on that others had, times are no figures.
BUSY = 0.12
CASE = re.compile(r"^\s*(not )?ok\b\s*\d*\s*-?\s*([^#]*)(?:#\s*(SKIP|TODO)\b\s*(.*))?", re.IGNORECASE)

for _folder in (TESTS, os.path.join(TESTS, "app"), os.path.join(TESTS, "workloads")):
    sys.path.append(_folder)


class Missing(Exception):
    """Raised where a promise can't be judged here; says what is missing."""


class Stopped(BaseException):
    """It took too long, or somebody ended it."""


class Promise:
    made = []

    def __init__(self, name, asked):
        self.name, self.asked = name, asked
        self.verdict = self.measured = None
        self.timed = False
        Promise.made.append(self)

    def _judge(self, verdict, measured):
        """Of several judgements of a promise the worst counts, and all are told."""
        order = ("ok", "slower", "missing", "not ok")
        if self.verdict is None:
            self.verdict, self.measured = verdict, measured
        else:
            self.verdict = max(self.verdict, verdict, key=order.index)
            self.measured += "; " + measured

    def holds(self, true, measured):
        self._judge("ok" if true else "not ok", measured)

    def at_most(self, value, limit, measured, timed=True):
        """measured: a format of the value, as "%.2f ms". timed: a busy machine changes it."""
        self.timed |= timed
        self._judge("ok" if value <= limit else "slower", measured % value)

    def at_least(self, value, limit, measured, timed=True):
        self.timed |= timed
        self._judge("ok" if value >= limit else "slower", measured % value)

    def tested(self, result, least=1):
        """By test cases, as cases () and registered () return them; at least so many are there."""
        told = "%d of %d cases" % (result.passed, result.passed + len(result.failed) + len(result.skipped))
        if result.failed:
            self._judge("not ok", told + ", not " + ", ".join(result.failed[:3]))
        elif result.skipped:
            self._judge("missing", told + ", " + ", ".join(result.skipped[:3]))
        elif result.passed < least:
            self._judge("not ok", told + ", and there should be %d" % least)
        else:
            self._judge("ok", told)

    def missing(self, why):
        self._judge("missing", why)

    def line(self, busy):
        measured = self.measured
        if self.timed and busy:
            measured += " [busy machine: no figure]"
        return "%-8s %s  %s (%s)" % (self.verdict, self.name, measured, self.asked)


_judges = []


def judges(*promises, at_once=False):
    """The function judges these. at_once: it times nothing, and runs beside others of that kind, after what is timed."""
    def mark(function):
        _judges.append((function, promises, at_once))
        return function
    return mark


# --- running what measures ------------------------------------------------------------

_running = set()
_stopped = []  # why

def _clean(env):
    environ = {name: value for name, value in os.environ.items()
               if not name.startswith("TRACE_") and name != "CALLSIGHT_CONFIG"}
    environ["PYTHONPATH"] = os.pathsep.join([TESTS, os.path.join(TESTS, "app")])
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    environ["LC_ALL"] = "C.UTF-8"
    environ["XDG_CACHE_HOME"] = os.path.join(BUILD, "tests", "cache")  # as the tests have it
    environ.update(env or {})
    return environ


def tell(text):
    sys.stdout.write("".join("# %s\n" % line for line in text.splitlines()))
    sys.stdout.flush()


def run(*argv, env=None, cwd=None, check=0, timeout=600, quiet=False, stdin=None):
    """Runs a program and returns what it printed, which is told as comments. check: the exit status that it must have,
    None for any. It has a session of its own, which is ended with it."""
    argv = [str(word) for word in argv]
    if _stopped:
        raise Stopped(_stopped[0])
    process = subprocess.Popen(argv, env=_clean(env), cwd=cwd, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="surrogateescape", start_new_session=True)
    _running.add(process)
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    finally:
        _running.discard(process)
    if _stopped:
        raise Stopped(_stopped[0])
    if not quiet:
        tell(out)
    if check is not None and process.returncode != check:
        raise AssertionError("%s: exit status %d, not %d: %s" % (" ".join(argv[:4]), process.returncode, check,
                                                                 (err.strip() or out.strip())[-400:]))
    return subprocess.CompletedProcess(argv, process.returncode, out, err)


def bench(script, *arguments, env=None, timeout=600):
    """Runs a script of tests/bench; what it printed."""
    return run(sys.executable, os.path.join(TESTS, "bench", script), *arguments, env=env, timeout=timeout).stdout


def numbers(pattern, text, what=None):
    """The groups of the first match as numbers; an error if there is none."""
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise AssertionError("no %s in what was printed" % (what or repr(pattern)))
    values = [float(group.replace(",", "")) for group in match.groups()]
    return values[0] if len(values) == 1 else values


class Cases:
    """What test cases came to: names of those that passed, failed and were skipped, and all that was printed."""

    def __init__(self):
        self.names, self.failed, self.skipped, self.text = [], [], [], ""

    @property
    def passed(self):
        return len(self.names)

    def only(self, *words):
        """Those with one of the words in their names."""
        found = Cases()
        for mine, theirs in ((found.names, self.names), (found.failed, self.failed), (found.skipped, self.skipped)):
            mine += [name for name in theirs if any(word in name for word in words)]
        return found

    def read(self, text):
        self.text += text
        for line in text.splitlines():
            match = CASE.match(line)
            if not match:
                continue
            name = match.group(2).strip()
            if match.group(1):
                self.failed.append(name)
            elif match.group(3):
                self.skipped.append("%s: %s" % (name, match.group(4)))
            else:
                self.names.append(name)
        return self


def cases(script, *words, env=None, timeout=600):
    """Runs a Python test below tests/, those of its cases whose names have one of the words."""
    # Those of the app need the bindings of AT-SPI, which the system's Python has.
    python = "/usr/bin/python3" if script.startswith("app/") and os.path.exists("/usr/bin/python3") else sys.executable
    # As meson has it: warnings end what is tested, but not the Python that looks at the app from outside.
    strict = {"G_DEBUG": "fatal-warnings", "GSETTINGS_BACKEND": "memory"} if not script.startswith("app/") else {}
    result = run(python, "-W", "ignore", os.path.join(TESTS, script), *words, env=dict(strict, **(env or {})), check=None,
                 timeout=timeout, quiet=True)
    found = Cases().read(result.stdout)
    tell("%s %s: %d passed, %d failed, %d skipped" % (script, " ".join(words), found.passed, len(found.failed),
                                                      len(found.skipped)))
    tell("\n".join(line for line in result.stdout.splitlines() if line.startswith("#") or line.startswith("not ok")))
    if result.returncode != 0 and not found.failed:
        found.failed.append("%s: exit status %d" % (script, result.returncode))
    return found


_a_log, _logs = threading.Lock(), []


def _all_registered():
    lines = run("meson", "test", "-C", BUILD, "--no-rebuild", "--list", quiet=True).stdout.splitlines()
    return sorted({line.split(" / ")[-1].strip() for line in lines if " / " in line})


def registered(*patterns, timeout=600):
    """Runs tests as meson has them registered, in the environment that it gives them: names with * and ? in them; !NAME
    leaves what matches out."""
    found = Cases()
    without = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    patterns = [pattern for pattern in patterns if not pattern.startswith("!")]
    chosen = set()
    for pattern in patterns:
        names = [name for name in fnmatch.filter(_all_registered(), pattern)
                 if not any(fnmatch.fnmatch(name, other) for other in without)]
        if not names:
            found.failed.append("%s: there is no such test" % pattern)
        chosen.update(names)
    if chosen:
        _run_registered(sorted(chosen), found, timeout)
    tell("%s: %d passed, %d failed, %d skipped" % (", ".join(patterns), found.passed, len(found.failed), len(found.skipped)))
    return found


def _run_registered(names, found, timeout):
    with _a_log:
        _logs.append(None)
        log = "acceptance-%d-%d" % (os.getpid(), len(_logs))
    path = os.path.join(BUILD, "meson-logs", log)
    # They wait for most of their time.
    result = run("meson", "test", "-C", BUILD, "--no-rebuild", "--num-processes", (os.cpu_count() or 1) + 1, "--timeout-multiplier", "4",
                 "--logbase", log, *names, check=None, timeout=timeout, quiet=True)
    ran = set()
    try:
        with open(path + ".json", encoding="utf-8") as file:
            for line in file:
                test = json.loads(line)
                before = found.passed + len(found.failed) + len(found.skipped)
                failed = len(found.failed)
                found.read(test.get("stdout") or "")
                name = test["name"].split(" / ")[-1]
                ran.add(name)
                if found.passed + len(found.failed) + len(found.skipped) == before:
                    found.failed.append("%s: no case was run" % name)
                elif test["result"] not in ("OK", "SKIP") and len(found.failed) == failed:
                    found.failed.append("%s: %s" % (name, test["result"]))
                    tell((test.get("stderr") or "")[-3000:])
    except OSError:
        found.failed.append((result.stderr or result.stdout).strip().splitlines()[-1])
    found.failed += ["%s: it wasn't run" % name for name in names if name not in ran]
    for suffix in (".json", ".txt", ".junit.xml"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing("%s is not installed" % program)


class Folder:
    """A folder for what is generated, removed at the end; below ACCEPTANCE_DIR if that is set. gigabytes: what is needed."""

    def __init__(self, gigabytes=0):
        self.gigabytes = gigabytes

    def __enter__(self):
        above = os.environ.get("ACCEPTANCE_DIR") or tempfile.gettempdir()
        free = shutil.disk_usage(above).free / 1e9
        if free < self.gigabytes + 1:
            raise Missing("%s has %.1f GB free; this takes %.1f" % (above, free, self.gigabytes))
        self.path = tempfile.mkdtemp(prefix="callsight-acceptance-", dir=above)
        return self.path

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)


def lab(folder):
    """Builds the sample with hooks; the program's path."""
    run("make", "-s", "-j2", "-C", os.path.join(TESTS, "workloads", "lab"), "instrument", "BUILDDIR=" + folder + "/build",
        "BINDIR=" + folder, "RUNTIME=" + os.path.join(TOP, "runtime"), quiet=True)
    return os.path.join(folder, "lab.instr")


# --- the run ----------------------------------------------------------------------------

_printing = threading.Lock()


def _jiffies():
    """Of all processors: busy, stolen by the machine's host, and all."""
    with open("/proc/stat", encoding="ascii") as file:
        values = [int(word) for word in file.readline().split()[1:9]]
    idle = values[3] + values[4]
    return sum(values) - idle - values[7], values[7], sum(values)


def _own():
    total = 0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total * os.sysconf("SC_CLK_TCK")


def _stop(number, _frame):
    raise Stopped("stopped after %s" % ("its time" if number == signal.SIGALRM else signal.Signals(number).name))


def _run_one(function, promises, at_once):
    """Runs a function that judges; prints the lines of its promises."""
    before, own, start = _jiffies(), _own(), time.monotonic()
    why = None
    try:
        function()
    except Missing as missing:
        for promise in promises:
            if promise.verdict is None:
                promise.missing(str(missing))
    except (Exception, Stopped, KeyboardInterrupt) as error:  # pylint: disable=broad-except
        if not _stopped:
            tell(traceback.format_exc())
        why = error
    after = _jiffies()
    every = max(1, after[2] - before[2])
    others = max(0, after[0] - before[0] - (_own() - own)) / every
    stolen = (after[1] - before[1]) / every
    tell("%s: %.0f s%s" % (function.__name__, time.monotonic() - start, "" if at_once else
                           "; others had %.0f %% of the processors, the machine's host %.0f %%" % (100 * others, 100 * stolen)))
    for promise in promises:
        if why is not None:
            promise.holds(False, " ".join(str(why).split())[:200] or type(why).__name__)
        elif promise.verdict is None:
            promise.holds(False, "not judged by %s" % function.__name__)
    with _printing:
        for promise in promises:
            print(promise.line(others + stolen > BUSY), flush=True)
    if isinstance(why, (Stopped, KeyboardInterrupt)) and threading.current_thread() is threading.main_thread():
        raise why


def _run_all(chosen):
    for function, promises, at_once in chosen:
        if not at_once:
            _run_one(function, promises, False)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            # Waited for in steps, so that a signal comes through.
            left = {pool.submit(_run_one, *judge) for judge in chosen if judge[2]}
            while left:
                _done, left = concurrent.futures.wait(left, timeout=1)
        except (Stopped, KeyboardInterrupt) as error:
            _stopped.append(str(error) or "interrupted")
            for process in list(_running):
                os.killpg(process.pid, signal.SIGKILL)
            raise


def _check_readme():
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        text = file.read()
    unnamed = [promise.name for promise in Promise.made if promise.name not in text]
    if unnamed:
        sys.exit("README.md doesn't name: " + "; ".join(unnamed))


def main(minutes=10):
    """minutes: after which the script ends itself."""
    words = [word for word in sys.argv[1:] if word != "--list"]
    chosen = [judge for judge in _judges if not words or
              any(word in judge[0].__name__ or any(word in promise.name for promise in judge[1]) for word in words)]
    if not chosen:
        print("no function and no promise has one of these words: %s" % " ".join(words), file=sys.stderr)
        sys.exit(2)
    every = [promise for judge in chosen for promise in judge[1]]
    if "--list" in sys.argv:
        for promise in every:
            print("%s  (%s)" % (promise.name, promise.asked))
        return
    _check_readme()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, _stop)
    signal.alarm(minutes * 60)
    try:
        _run_all(chosen)
    except (Stopped, KeyboardInterrupt) as error:
        for promise in every:
            if promise.verdict is None:
                promise.holds(False, str(error) or "interrupted")
                print(promise.line(False), flush=True)
    sys.exit(1 if any(promise.verdict == "not ok" for promise in every) else 0)
