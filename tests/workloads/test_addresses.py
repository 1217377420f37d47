# SPDX-License-Identifier: MIT
"""Every function entry and every recorded call site of the lab, as binutils' addr2line names it.

PIE and not, DWARF 4 and 5: each once, or with WAYS=all in the environment each with each.  A call site is looked up at the return address, which is what is
recorded, and at the byte before it, which is what reports name.
"""

import collections
import glob
import os
import struct
import sys

import compiled
import tap
from tap import Folder, equal, main, run, test, true

sys.path.insert(0, os.path.join(tap.TOP, "tests", "engine", "symbols"))
import compare_addr2line  # noqa: E402

LAB = os.path.join(tap.TOP, "tests", "workloads", "lab")


def recorded_addresses(traces):
    """Link addresses of functions and of return addresses in the main executable."""
    functions, returns = set(), set()
    for path in glob.glob(traces + "/*.bin"):
        with open(path, "rb") as file:
            data = file.read()
        size, bias = struct.unpack_from("=I", data, 16)[0], struct.unpack_from("=Q", data, 24)[0]
        for _ts, function, caller, _tid, kind in struct.iter_unpack("=3QIB3x", data[size:size + (len(data) - size) // 32 * 32]):
            if kind == 0:
                functions.add(function - bias)
                returns.add(caller - bias)
    return functions, returns


def check(*flags):
    with Folder() as folder:
        run("make", "-s", "-j2", "-C", LAB, "instrument", "BUILDDIR=" + folder + "/build", "BINDIR=" + folder,
            "TRACE_OBJ=" + compiled.runtime("gcc"), "CFLAGS_SYMBOLS=", "INSTR_CFLAGS=" + " ".join(flags), check=0)
        binary = folder + "/lab.instr"
        run(binary, env={"TRACE_ENABLE": "1", "TRACE_DIR": folder + "/traces"}, check=0)
        functions, returns = recorded_addresses(folder + "/traces")
        entries = set(compare_addr2line.function_addresses(binary))
        true(functions <= entries, "recorded functions are symbols of the binary")
        # The callers of main and of the threads lie in libc.
        low, high = min(entries), max(entries) + 65536
        returns = {address for address in returns if low <= address < high}
        true(len(functions) > 250 and len(returns) > 300, "%d functions, %d call sites" % (len(functions), len(returns)))
        normalised = collections.Counter()
        addresses = sorted(entries | returns | {address - 1 for address in returns})
        equal(compare_addr2line.compare(binary, addresses, normalised=normalised), [], " ".join(flags))
        print("# %s: %d functions, %d call sites, %d addresses; normalised: %s" % (
            " ".join(flags), len(functions), len(returns), len(addresses), dict(normalised)))


def position_independent_with_dwarf_4():
    check("-fPIE", "-pie", "-gdwarf-4")


@test
def position_independent_with_dwarf_5():
    check("-fPIE", "-pie", "-gdwarf-5")


@test
def at_a_fixed_address_with_dwarf_4():
    check("-no-pie", "-fno-pie", "-gdwarf-4")


def at_a_fixed_address_with_dwarf_5():
    check("-no-pie", "-fno-pie", "-gdwarf-5")


if os.environ.get("WAYS") == "all":
    test(position_independent_with_dwarf_4)
    test(at_a_fixed_address_with_dwarf_5)


main()
