# SPDX-License-Identifier: MIT
"""Compares what lookup-tool says of addresses with what binutils' addr2line says.

compare (binary, addresses) returns the differences as text, one each.  What is
binutils' own oddity is normalised in one place, explain_difference (), and
counted by kind in the Counter that is passed as `normalised`.
"""

import collections
import os
import re
import shutil
import subprocess

BUILD = os.environ.get("CALLSIGHT_BUILD", "_build")
TOOL = os.environ.get("CALLSIGHT_LOOKUP_TOOL",
                      os.path.join(BUILD, "tests", "engine", "symbols", "lookup-tool"))

Answer = collections.namedtuple("Answer", "innermost outer place")


def ask(command, addresses):
    text = "".join("%x\n" % a for a in addresses)
    environ = dict(os.environ, LC_ALL="C.UTF-8")
    environ.pop("DEBUGINFOD_URLS", None)
    result = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environ)
    if result.returncode != 0:
        raise AssertionError("%s: exit %d\n%s" % (" ".join(command), result.returncode,
                                                  result.stderr.decode(errors="replace")))
    return result.stdout.decode(errors="surrogateescape").splitlines()


def ask_tool(binary, addresses, tool=None):
    lines = ask([tool or TOOL, binary], addresses)
    if len(lines) != len(addresses):
        raise AssertionError("lookup-tool answered %d of %d addresses of %s" %
                             (len(lines), len(addresses), binary))
    return [Answer(*line.split("\t")) for line in lines]


def ask_addr2line(binary, addresses, addr2line="addr2line"):
    """The first frame of -i is what addr2line prints without it, the last the function itself."""
    answers = []
    frames = []
    lines = ask([addr2line, "-a", "-f", "-i", "-e", binary], addresses) + ["0x0"]
    index = 0
    while index < len(lines):
        if re.fullmatch("0x[0-9a-f]+", lines[index]):
            if frames:
                answers.append(Answer(frames[0][0], frames[-1][0], frames[0][1]))
            frames = []
            index += 1
        else:
            place = re.sub(r" \(discriminator \d+\)$", "", lines[index + 1])
            # "??:0", "??:?" and ":?" all say that nothing is known.
            frames.append((lines[index], re.sub(r"^(\?\?:0|:\?)$", "??:?", place)))
            index += 2
    if len(answers) != len(addresses):
        raise AssertionError("addr2line answered %d of %d addresses of %s" %
                             (len(answers), len(addresses), binary))
    return answers


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(
        errors="surrogateescape")


class Evidence:
    """What readelf and llvm-symbolizer say of a file, to judge a difference by."""

    def __init__(self, binary, symbols_file):
        self.binary = binary
        self.names = collections.defaultdict(set)
        self.spans = []
        for line in run("readelf", "-W", "-s", symbols_file).splitlines():
            fields = line.split()
            if len(fields) < 8 or fields[3] not in ("FUNC", "NOTYPE", "IFUNC") or fields[6] == "UND":
                continue
            start, size = int(fields[1], 16), int(fields[2], 0)
            name = next(f for f in reversed(fields) if not f.startswith(("[", "<")))
            self.names[start].add(name.split("@")[0])
            self.spans.append((start, start + size))
        self.indexed = "DW_FORM_rnglistx" in run("readelf", "--debug-dump=abbrev", symbols_file)

    def are_aliases(self, one, two):
        one, two = one.split("@")[0], two.split("@")[0]
        return any(one in names and two in names for names in self.names.values())

    def in_no_function(self, address):
        return not any(low <= address < high for low, high in self.spans)

    def from_llvm(self, address):
        """The innermost function's linkage name after llvm-symbolizer, None: not installed."""
        if not shutil.which("llvm-symbolizer"):
            return None
        return run("llvm-symbolizer", "--no-demangle", "--obj=" + self.binary, hex(address)).split("\n")[0]


def explain_difference(address, ours, theirs, what, evidence):
    """The name of a known oddity of binutils that accounts for a difference, None: there is none."""
    one, two = getattr(ours, what), getattr(theirs, what)
    if what != "place" and evidence.are_aliases(one, two):
        return "another of the names of one address"
    # Binutils names padding after the function before it.
    if one in ("??", "??:?") and ours.outer == "??" and evidence.in_no_function(address):
        return "address behind the end of every function"
    # Binutils 2.40 doesn't read the ranges that clang's DWARF 5 gives by index,
    # so it passes over the inlined functions that have them.
    if what == "innermost" and evidence.indexed and ours.outer == theirs.outer:
        llvm = evidence.from_llvm(address)
        if llvm == one:
            return "inlined function with indexed ranges, as llvm-symbolizer has it"
        if llvm is None:
            return "inlined function with indexed ranges, not confirmed without llvm-symbolizer"
    return None


def compare(binary, addresses, normalised=None, tool=None, addr2line="addr2line", symbols_file=None):
    """The differences between lookup-tool and addr2line at these link addresses.
    symbols_file: where the symbols are, if not in the binary itself."""
    differences = []
    evidence = None
    counts = collections.Counter() if normalised is None else normalised
    addresses = list(addresses)
    pairs = zip(addresses, ask_tool(binary, addresses, tool),
                ask_addr2line(binary, addresses, addr2line))
    for address, ours, theirs in pairs:
        for what in Answer._fields:
            if getattr(ours, what) == getattr(theirs, what):
                continue
            evidence = evidence or Evidence(binary, symbols_file or binary)
            reason = explain_difference(address, ours, theirs, what, evidence)
            if reason:
                counts[reason] += 1
            else:
                differences.append("%s 0x%x %s: %s, addr2line: %s" %
                                   (os.path.basename(binary), address, what,
                                    getattr(ours, what), getattr(theirs, what)))
    return differences


def functions(binary):
    """The addresses of all text symbols, from nm."""
    return sorted({int(line.split()[0], 16) for line in run("nm", binary).splitlines()
                   if re.match(r"[0-9a-f]+ [tTwWiu] ", line)})


def return_addresses(binary, objdump="objdump"):
    """The return addresses of all call instructions, from objdump."""
    found = []
    after_call = False
    for line in run(objdump, "-d", "--no-show-raw-insn", binary).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line)
        if not match:
            continue
        if after_call:
            found.append(int(match.group(1), 16))
        after_call = re.match(r"(notrack |bnd |data16 |rex\.W )*(call|bl\b|blx|bctrl)", match.group(2)) is not None
    return found
