# SPDX-License-Identifier: MIT
"""Single calls and what is told of one function, against the model's list of all calls."""

import json

import recordings as rec
import tap
from model import Writer
from tap import Folder, equal, main, test, true


def slowest(folder, *arguments):
    return json.loads(tap.run(tap.CLI, "slowest", folder, "--format", "json", *arguments).stdout)["calls"]


def random_recording(folder, seed):
    writer = Writer(folder, seed, False)
    for pid in writer.random.sample([100, 2000, 30000], writer.random.randint(1, 3)):
        writer.process(pid)
    return writer.model


def as_row(model, call):
    return (call.end - call.start, call.start - model.first, call.thread.pid, call.thread.tid, "0x%x" % call.func)


def rows(calls):
    return [(call["duration_ns"], call["start_ns"], call["pid"], call["tid"], call["function"]) for call in calls]


@test
def slowest_calls_of_random_recordings():
    for seed in range(4000, 4020):
        with Folder() as folder:
            model = random_recording(folder, seed)
            exited = sorted((as_row(model, call) for call in model.calls if call.how == "exited"),
                            key=lambda row: (-row[0], row[1]))
            paths = {}
            for call in model.calls:
                paths.setdefault(as_row(model, call), []).append(["0x%x" % around.func for around in call.path()])
            for n in (1, 5, 1000):
                got = slowest(folder, "-n", str(n))
                # Of calls of equal duration and start any may come first.
                equal([row[:2] for row in rows(got)], [row[:2] for row in exited[:n]], "seed %d, n %d" % (seed, n))
                for call, row in zip(got, rows(got)):
                    true(call["path"] in paths[row], "seed %d: path of %r" % (seed, row))
            if exited:
                func = exited[len(exited) // 2][4]
                got = slowest(folder, "-n", "7", "--function", func)
                equal([row[:2] for row in rows(got)], [row[:2] for row in exited if row[4] == func][:7], "of one function")


@test
def slowest_calls_of_a_part():
    with Folder() as folder:
        model = random_recording(folder, 4100)
        starts = sorted(call.start - model.first for call in model.calls)
        first, end = max(1, starts[len(starts) // 4]), starts[len(starts) // 2]
        inside = sorted((as_row(model, call) for call in model.calls if call.how == "exited" and
                         call.start >= model.first + first and call.end < model.first + end),
                        key=lambda row: (-row[0], row[1]))
        true(inside, "there are calls inside")
        got = slowest(folder, "--from", "%dns" % first, "--to", "%dns" % end)
        base = rec.report(folder, "--from", "%dns" % first, "--to", "%dns" % end)
        true(base["events"] > 0, "events")
        equal([row[:2] for row in rows(got)], [row[:2] for row in inside[:20]], "durations and times")


@test
def details_of_a_function():
    for seed in range(4200, 4210):
        with Folder() as folder:
            model = random_recording(folder, seed)
            if not model.calls:
                continue
            func = model.calls[len(model.calls) // 2].func
            details = rec.report(folder, "--details", "0x%x" % func)["details"]
            equal([row["function"] for row in details], ["0x%x" % func], "functions")
            details = details[0]
            durations = model.functions[func].durations
            for first, end, n in details["histogram"]:
                equal(n, sum(first <= duration < end for duration in durations), "histogram from %d" % first)
            equal(sum(row[2] for row in details["histogram"]), len(durations), "all of them")
            for key, wanted in (("callers", {}), ("callees", {})):
                for call in model.calls:
                    if key == "callers" and call.func == func:
                        name = "0x%x" % call.parent.func if call.parent else None
                    elif key == "callees" and call.parent and call.parent.func == func:
                        name = "0x%x" % call.func
                    else:
                        continue
                    sums = wanted.setdefault(name, [0, 0])
                    sums[0] += call.how != "open"
                    sums[1] += call.end - call.start
                equal({row["function"]: [row["calls"], row["incl_ns"]] for row in details[key]}, wanted, key)
            equal([call["duration_ns"] for call in details["slowest"]], sorted(durations, reverse=True)[:10], "slowest")
            text = rec.analyze(folder, "--details", "0x%x" % func).stdout
            true("== 0x%x ==" % func in text, "the text tells it too")


@test
def the_text_shows_what_it_is_ordered_by():
    with Folder() as folder:
        for tid in range(1, 4):
            rec.write(folder, "trace.1.%d.0.bin" % tid, rec.header(), *[
                rec.event(kind, 100 * i + (20 + 10 * i) * kind, 0x1000, tid=tid) for i in range(3) for kind in (rec.ENTER, rec.EXIT)])
        for sort, wanted in (("min", "20ns"), ("mean", "30ns"), ("p90", "40ns"), ("p99.9", "40ns"), ("stddev", "8ns"),
                             ("threads", "3"), ("callers", "0"), ("callees", "0"), ("total", "0.000")):
            lines = rec.analyze(folder, "--sort", sort).stdout.splitlines()
            head = [n for n, line in enumerate(lines) if line.startswith("     calls")][0]
            equal(lines[head].split()[2], {"total": "total_ms"}.get(sort, sort), "the column's name")
            equal(lines[head + 1].split()[2], wanted, "--sort " + sort)


@test
def wrong_options():
    with Folder() as folder:
        rec.write(folder, "trace.1.1.0.bin", rec.header(), rec.event(rec.ENTER, 10, 0x1000), rec.event(rec.EXIT, 20, 0x1000))
        for arguments, words in ((("slowest", folder, "-n", "0"), "1 to 1000"), (("slowest", folder, "-n", "1001"), "1 to 1000"),
                                 (("slowest", folder, "--format", "csv"), "use text or json"),
                                 (("analyze", folder, "--details", "x", "--format", "csv"), "use text or json"),
                                 (("analyze", folder, "--from", "soon"), "not a time"),
                                 (("analyze", folder, "--from", "1e3"), "not a time"),
                                 (("analyze", folder, "--from", "0.5ns"), "not a time"),
                                 (("analyze", folder, "--to", "99999999h"), "not a time"),
                                 (("analyze", folder, "--from", "2s", "--to", "1s"), "no later than it begins"),
                                 (("analyze", folder, "--to", "0"), "no later than it begins"),
                                 (("analyze", folder, "--pid", "-1"), "not the id of a process")):
            error = tap.run(tap.CLI, *arguments, check=2).stderr
            true(words in error and error.count("\n") == 1, "%r: %s" % (arguments, error))
        text = rec.analyze(folder, "--thread", "nobody").stdout
        true("nothing of the recording is in it" in text, "an empty part says so: " + text)
        for arguments in (("analyze", folder, "--details", "nothing*"), ("slowest", folder, "--function", "nothing*")):
            error = tap.run(tap.CLI, *arguments, check=2).stderr
            equal(error, "callsight-cli: no function named nothing* was called — analyze --top 0 lists all that were\n", arguments[0])
        equal(tap.run(tap.CLI, "slowest", folder, "--from", "5s").stdout.splitlines()[-1], "no call whose exit is recorded", "none")


@test
def summaries_have_parts_by_thread_alone():
    with Folder() as folder:
        for tid in (1, 2):
            rec.write(folder, "trace.summary.1.%d.bin" % tid, rec.summary_header(tid=tid, records=1, span=500),
                      rec.summary_record(0x1000, [100 * tid], 100 * tid))
        equal(rec.report(folder, "--thread", "2")["by_name"]["0x1000"]["incl_ns"], 200, "one thread")
        equal(rec.report(folder, "--pid", "2")["rows"], [], "no such process")
        for option in (("--from", "1ms"), ("--to", "1ms"), ("--function", "x")):
            true("this recording is a summary" in rec.analyze(folder, *option, check=2).stderr, "no part by %s" % option[0])


main()
