# SPDX-License-Identifier: MIT
"""Compares what lookup-tool says of addresses with what binutils' addr2line says.

compare (binary, addresses) returns the differences as text, one each.  What is
binutils' own oddity is normalised in one place, explain_difference (), and
counted by kind in the Counter that is passed as `normalised`.
"""

import bisect
import collections
import functools
import os
import re
import shutil
import subprocess

BUILD = os.environ.get("CALLSIGHT_BUILD", "_build")
TOOL = os.environ.get("CALLSIGHT_LOOKUP_TOOL",
                      os.path.join(BUILD, "tests", "engine", "symbols", "lookup-tool"))

Answer = collections.namedtuple("Answer", "innermost outer place")


def ask(command, addresses, notation="%x\n"):
    text = "".join(notation % a for a in addresses)
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


@functools.lru_cache(None)
def demangle(name):
    return run("c++filt", "-p", name).strip()


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(
        errors="surrogateescape")


def function_symbols(binary):
    """Names by address, and the spans of code; a symbol without size reaches to the next."""
    names = collections.defaultdict(set)
    spans = []
    for line in run("readelf", "-W", "-s", binary).splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[3] not in ("FUNC", "NOTYPE", "IFUNC") or fields[6] == "UND":
            continue
        start, size = int(fields[1], 16), int(fields[2], 0)
        name = next(f for f in reversed(fields) if not f.startswith(("[", "<")))
        if re.fullmatch(r"\$[adtx](\..*)?", name):
            continue  # a mark of Arm's: code or data follows
        names[start].add(name.split("@")[0])
        spans.append((start, size))
    starts = sorted(names)
    spans = [(start, start + size if size else
              starts[min(bisect.bisect_right(starts, start), len(starts) - 1)])
             for start, size in spans]
    return names, spans


def without_arguments(name):
    """A C++ name without the arguments of its templates."""
    shorter = re.sub(r"<[^<>]*>", "", name)
    return name if shorter == name else without_arguments(shorter)


class Evidence:
    """What readelf and llvm-symbolizer say of a file, to judge a difference by."""

    def __init__(self, binary, symbols_file, doubtful):
        """doubtful: the addresses that may need llvm-symbolizer's word."""
        self.binary = binary
        self.doubtful = doubtful
        self.llvm = None
        self.names, self.spans = function_symbols(symbols_file)
        self.version_5 = ".debug_line_str" in run("readelf", "-W", "-S", symbols_file)
        self.indexed = "DW_FORM_rnglistx" in run("readelf", "--debug-dump=abbrev", symbols_file)

    def are_aliases(self, one, two):
        one, two = one.split("@")[0], two.split("@")[0]
        return any(one in names and two in names for names in self.names.values())

    def in_no_function(self, address):
        return not any(low <= address < high for low, high in self.spans)

    def is_part_of(self, one, two, address):
        """Whether two is the symbol of a clone or split part of one that begins there or before."""
        return two.startswith(one + ".") and any(
            two in names and start <= address for start, names in self.names.items())

    def is_static_name_of(self, linkage_name, name):
        """Whether a symbol of the file is what C++ calls `name`."""
        if not any(linkage_name in names for names in self.names.values()):
            return False
        plain = without_arguments(demangle(linkage_name))
        name = without_arguments(name)
        return plain == name or plain.endswith("::" + name)

    def from_llvm(self, address):
        """The innermost function's linkage name and its place after llvm-symbolizer, None: not installed."""
        if self.llvm is None and shutil.which("llvm-symbolizer"):
            lines = ask(["llvm-symbolizer", "--no-demangle", "--output-style=LLVM",
                         "--obj=" + self.binary], self.doubtful, "0x%x\n")
            # An empty line ends each answer; it begins with the innermost function.
            first = [lines[i:i + 2] for i in range(len(lines) - 1) if i == 0 or lines[i - 1] == ""]
            self.llvm = dict(zip(self.doubtful, first))
        return (self.llvm or {}).get(address)


def explain_difference(address, ours, theirs, what, evidence):
    """The name of a known oddity of binutils that accounts for a difference, None: there is none."""
    one, two = getattr(ours, what), getattr(theirs, what)
    if what != "place" and evidence.are_aliases(one, two):
        return "another of the names of one address"
    # Binutils names padding after the function before it.
    if one in ("??", "??:?") and ours.outer == "??" and evidence.in_no_function(address):
        return "address behind the end of every function"
    # Where a DIE has no linkage name and its language mangles, binutils takes
    # the symbol at the lowest address of the function, and the DIE's name at others.
    if what != "place" and evidence.is_part_of(one, two, address):
        return "symbol of a part or clone instead of the function's name"
    if what != "place" and evidence.is_static_name_of(one, two):
        return "source name of a static function instead of its linkage name"
    # Binutils 2.40 doesn't read the ranges that clang's DWARF 5 gives by index,
    # so it passes over the inlined functions that have them; and an inlined
    # function without a linkage name may get the symbol that holds it.
    if what == "innermost" and (evidence.indexed or two == theirs.outer or
                                 two.split(".")[0] == ours.outer):
        llvm = evidence.from_llvm(address)
        if llvm and llvm[0] == one:
            return "inlined function passed over, but seen by llvm-symbolizer"
        if llvm is None and two == theirs.outer:
            return "inlined function passed over, not confirmed without llvm-symbolizer"
    # Binutils 2.40 takes file 0 for the rows before a sequence of DWARF 5 names
    # one, where the standard says file 1: line right, file wrong.
    if what == "place" and evidence.version_5 and one.split(":")[-1] == two.split(":")[-1]:
        llvm = evidence.from_llvm(address)
        if llvm and os.path.normpath(llvm[1].rsplit(":", 1)[0]) == os.path.normpath(one):
            return "file 0 for file 1 of DWARF 5, but right in llvm-symbolizer"
        if llvm is None:
            return "file 0 for file 1 of DWARF 5, not confirmed without llvm-symbolizer"
    return None


def compare(binary, addresses, normalised=None, tool=None, addr2line="addr2line", symbols_file=None):
    """The differences between lookup-tool and addr2line at these link addresses.
    symbols_file: where the symbols are, if not in the binary itself."""
    differences = []
    counts = collections.Counter() if normalised is None else normalised
    addresses = list(addresses)
    pairs = [(address, ours, theirs) for address, ours, theirs
             in zip(addresses, ask_tool(binary, addresses, tool),
                    ask_addr2line(binary, addresses, addr2line)) if ours != theirs]
    if pairs:
        evidence = Evidence(binary, symbols_file or binary, [pair[0] for pair in pairs])
    for address, ours, theirs in pairs:
        for what in Answer._fields:
            if getattr(ours, what) == getattr(theirs, what):
                continue
            reason = explain_difference(address, ours, theirs, what, evidence)
            if reason:
                counts[reason] += 1
            else:
                differences.append("%s 0x%x %s: %s, addr2line: %s" %
                                   (os.path.basename(binary), address, what,
                                    getattr(ours, what), getattr(theirs, what)))
    return differences


def function_addresses(binary):
    """The addresses of all functions: text symbols of nm, except labels in data that are weak."""
    return sorted({int(line.split()[0], 16) for line in run("nm", binary).splitlines()
                   if re.match(r"[0-9a-f]+ [tTwWiu] (?!data_start)", line)})


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
