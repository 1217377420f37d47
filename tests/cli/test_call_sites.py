# SPDX-License-Identifier: MIT
"""Who called what the compiler inlined."""

import collections
import re

import compiled
import recordings as rec
import tap
from tap import Folder, equal, main, run, test, true

# Its hooks are told the return address of the code that holds them, which lies in the caller's caller.
PROGRAM = """
#define APART __attribute__ ((noinline, noclone))
#define INLINE inline __attribute__ ((always_inline))
static volatile int sink;
static APART void leaf (void) { sink++; }
static INLINE void inner (void) { leaf (); sink++; }
static INLINE void middle (void) { inner (); sink++; }
static APART void outer (void) { middle (); middle (); sink++; }
/* Both are called by one instruction; the second calls the first, too. */
static APART void one (void) { sink++; }
static APART void two (void) { one (); sink++; }
__attribute__ ((no_instrument_function)) static APART void each (void (*volatile *f) (void), int n)
{
  for (int i = 0; i < n; i++)
    f[i] ();
  sink++;
}
static APART void again (int n) { if (n > 0) again (n - 1); sink++; }
int main (void)
{
  void (*volatile all[]) (void) = { two, one, two };

  for (int i = 0; i < 500; i++)
    {
      outer ();
      each (all, 3);
      again (3);
    }
  return 0;
}
"""

CALLS = {("main", "outer", ""): 500, ("outer", "middle", "inlined there"): 1000, ("middle", "inner", "inlined there"): 1000,
         ("inner", "leaf", "inlined into middle, outer"): 1000, ("each", "two", ""): 1000, ("each", "one", ""): 500,
         ("two", "one", ""): 1000, ("main", "again", ""): 500, ("again", "again", ""): 1500}


@test
def what_is_inlined_is_called_by_what_holds_it():
    with Folder() as folder:
        path = rec.write(folder, "p.c", PROGRAM.encode())
        run("gcc", "-O1", "-g", "-finstrument-functions", path, compiled.runtime("gcc"), "-o", folder + "/p", "-pthread", check=0)
        for kind in ("packed", "records"):
            traces = folder + "/" + kind
            run(folder + "/p", env={"TRACE_ENABLE": "1", "TRACE_DIR": traces, "TRACE_FORMAT": kind}, check=0)
            told = run(tap.CLI, "analyze", traces, "--format", "callers", "--top", "0", check=0).stdout
            calls = collections.Counter()
            for line in told.splitlines():
                row = re.match(r" *(\d+) +[\d.]+  (\w+) <- (\w+)(?: \(\S+\))?(?:  (.*))?$", line)
                if row is not None and row[2] != "main":
                    calls[row[3], row[2], row[4] or ""] += int(row[1])
            equal(dict(calls), CALLS, kind)
        told = run(tap.CLI, "analyze", traces, "--details", "main", check=0).stdout
        true("\n1 call by 1 thread, 1 with its exit recorded:\n" in told, told)
        told = run(tap.CLI, "analyze", traces, "--details", "outer", check=0).stdout
        true("\n500 calls by 1 thread, 500 with their exit recorded:\n" in told, told)
        for arguments in (("--details", "oute"), ("--details", "OUTER", "--format", "json")):
            told = run(tap.CLI, "analyze", traces, *arguments, check=2)
            equal((told.stdout, told.stderr),
                  ("", f"callsight-cli: no function named {arguments[1]} was called — did you mean outer?\n"))
        told = run(tap.CLI, "slowest", traces, "--function", "zzz*", check=2)
        equal((told.stdout, told.stderr),
              ("", "callsight-cli: no function named zzz* was called — analyze --top 0 lists all that were\n"))


main()
