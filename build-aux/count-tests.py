#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count-tests.py TESTLOG.JSON ALLOWED-SKIPS: adds up the cases of all TAP tests of a run.

Prints a line for each case that failed or was skipped and, last, the numbers of passed and
failed cases.  A skip whose "test: case" is not in ALLOWED-SKIPS is a failure: on the
machine that runs this, whatever a test needs can be installed.
"""

import json
import re
import sys

CASE = re.compile(r"^(not )?ok\b\s*\d*\s*-?\s*([^#]*)(?:#\s*(SKIP|TODO)\b\s*(.*))?", re.IGNORECASE)


def main():
    log, skips = sys.argv[1:]
    with open(skips, encoding="utf-8") as file:
        allowed = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    passed = failed = skipped = 0

    with open(log, encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    for test in tests:
        name = test["name"].split(" / ")[-1]
        before = failed
        cases = 0
        for line in (test.get("stdout") or "").splitlines():
            match = CASE.match(line)
            if not match:
                continue
            cases += 1
            case = "%s: %s" % (name, match.group(2).strip())
            if match.group(1):
                failed += 1
                print("FAILED  %s" % case)
            elif match.group(3):
                known = case in allowed
                skipped += known
                failed += not known
                print("%s %s (%s)" % ("skipped" if known else "FAILED (skip not allowed) ", case,
                                      match.group(4)))
            else:
                passed += 1
        # A crash, a time-out, a test that ran nothing.
        if failed == before and (test["result"] not in ("OK", "SKIP") or cases == 0):
            failed += 1
            print("FAILED  %s: %s, %d cases" % (name, test["result"], cases))
    if skipped:
        print("%d skipped, all of them in %s" % (skipped, skips))
    print("%d %d" % (passed, failed))


main()
