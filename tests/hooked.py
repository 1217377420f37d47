# SPDX-License-Identifier: MIT
"""Which functions of compiled objects carry hooks, from objdump's disassembly (x86-64).

gcc and clang put hooks in before they inline, so a function's code may hold hooks of what was
inlined into it.  Whose a hook is tells its first argument, the function's address: registers are
followed in the order of the code, from where a relocation loads an address to where the hook is called.
"""

import bisect
import os
import re
import subprocess

ENTER = "__cyg_profile_func_enter"
REGISTER = r"%([re]?(?:[abcd]x|[sd]i|bp|sp)|r\d+d?)"
LOAD = re.compile(r"\s(?:lea\s+\S*\(%rip\)|mov\s+\S*\(%rip\)|mov(?:abs|q)?\s+\$0x[0-9a-f]+)," + REGISTER + "$")
COPY = re.compile(r"\smov\s+" + REGISTER + "," + REGISTER + r"$")
SPILL = re.compile(r"\smov\s+" + REGISTER + r",(-?(?:0x[0-9a-f]+)?\(%r(?:sp|bp)\))$")
FILL = re.compile(r"\smov\s+(-?(?:0x[0-9a-f]+)?\(%r(?:sp|bp)\))," + REGISTER + "$")


def _full(register):
    """edi → rdi, r8d → r8."""
    if register.startswith("e"):
        return "r" + register[1:]
    return register[:-1] if re.match(r"r\d+d$", register) else register


def _symbols(path):
    """{section: sorted [(offset, size, name)]} of the functions of an object."""
    names = {}
    output = subprocess.run(["readelf", "-SW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in output.splitlines():
        match = re.match(r"\s*\[\s*(\d+)\]\s+(\S+)", line)
        if match:
            names[match.group(1)] = match.group(2)
    functions = {}
    output = subprocess.run(["readelf", "-sW", path], stdout=subprocess.PIPE, text=True, check=True,
                            errors="surrogateescape").stdout
    for line in output.splitlines():
        fields = line.split(None, 7)
        if len(fields) == 8 and fields[3] in ("FUNC", "IFUNC") and fields[6].isdigit():
            functions.setdefault(names[fields[6]], []).append((int(fields[1], 16), int(fields[2], 0), fields[7]))
    for section in functions.values():
        section.sort()
    return functions


def _target(text, symbols):
    """The function that a relocation's text means: `name-0x4`, `.text+0x2c`."""
    match = re.match(r"(.*?)([+-]0x[0-9a-f]+)?$", text)
    name, addend = match.group(1), int(match.group(2) or "0", 16)
    if name not in symbols:
        return name
    # Relative to the end of a 4-byte field, or absolute.
    for offset in (addend + 4, addend):
        functions = symbols[name]
        at = bisect.bisect_right(functions, (offset, 1 << 62, "")) - 1
        if at >= 0 and functions[at][0] == offset:
            return functions[at][2]
    return None


class _Code:
    """A function's code so far: what registers and slots of the stack hold, and whose the hooks are."""

    def __init__(self, name, known):
        self.name, self.known = name, known
        self.values = {}   # in the order of the code
        self.loads = {}    # all that was ever loaded there
        self.copied = None  # what the first argument was copied from
        self.hooks = []    # the function, or the place that its address came from

    def load(self, goal, target):
        self.values[goal] = target
        if target in self.known:
            self.loads.setdefault(goal, set()).add(target)
        if goal == "rdi":
            self.copied = None

    def copy(self, source, goal):
        self.values[goal] = self.values.get(source)
        for target in self.loads.get(source, ()):
            self.loads.setdefault(goal, set()).add(target)
        if goal == "rdi":
            self.copied = source

    def call(self):
        target = self.values.get("rdi")
        self.hooks.append((target if target in self.known else None, self.copied or "rdi"))

    def subjects(self):
        """Where a jump hides the order, what is the only address that a place ever holds decides."""
        for target, place in self.hooks:
            loads = self.loads.get(place, ())
            yield target or (next(iter(loads)) if len(loads) == 1 else self.name)


def _linkage_names(path):
    """The linkage names of an object's functions with hooks, and how many calls of them there are."""
    symbols = _symbols(path)
    known = {name for section in symbols.values() for _offset, _size, name in section}
    output = subprocess.run(["objdump", "-drw", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True,
                            check=True, errors="surrogateescape").stdout
    all_code = [_Code(None, known)]
    for line in output.splitlines():
        match = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if match:
            all_code.append(_Code(match.group(1), known))
            continue
        match = re.match(r"\s*[0-9a-f]+:\t(.*?)(?:\t[0-9a-f]+: R_X86_64_\S+\t(\S.*))?$", line)
        if not match:
            continue
        code, target = " " + re.sub(r"\s+#.*", "", match.group(1)).strip(), match.group(2)
        # The assembler needs no relocation to a function of the same section.
        near = re.search(r"#\s*[0-9a-f]+ <([^+>]*)>$", match.group(1))
        inside = all_code[-1]
        if target and target.startswith(ENTER) and re.search(r"\b(call|jmp)", code):
            inside.call()
            continue
        match = LOAD.search(code)
        if match and (target or near):
            inside.load(_full(match.group(1)), _target(target, symbols) if target else near.group(1))
            continue
        for pattern in (COPY, SPILL, FILL):
            match = pattern.search(code)
            if match:
                inside.copy(*map(_full, match.groups()))
                break
    subjects = [name for code in all_code for name in code.subjects()]
    return set(subjects), len(subjects)


def plain(name):
    """A demangled name as gcc prints it: scope and name, no parameters; `<>` for template arguments."""
    name = re.sub(r" \[clone [^\]]*\]|\[abi:[^\]]*\]", "", name).replace("(anonymous namespace)", "{anonymous}")
    name = re.sub(r"\.(isra|constprop|part|cold|lto_priv|localalias)\.?\d*(\.\d+)*$", "", name)
    operator = re.search(r"operator\s*(\(\)|<=>|<<=?|>>=?|<=?|>=?|->\*?|,)", name)
    if operator:
        name = name[:operator.start()] + "operator\0" + name[operator.end():]
    depth, text = 0, ""
    for c in name:
        if c == "<":
            depth += 1
            text += "<>" if depth == 1 else ""
        elif c == ">":
            depth -= 1
        elif depth == 0:
            text += c
    depth, name = 0, text
    for at, c in enumerate(name):
        if c == "(" and depth == 0:
            name = name[:at]
            break
    # A template's return type stands before its name.
    if " " in name and "operator" not in name:
        name = name.rsplit(" ", 1)[1]
    if operator:
        name = name.replace("\0", operator.group(1))
    return re.sub(r"<>$", "", name)


def functions(*objects):
    """{plain name: number of objects in which it carries hooks}."""
    names = {}
    for path in objects:
        linkage, _calls = _linkage_names(path)
        if not linkage:
            continue
        output = subprocess.run(["c++filt"], input="\n".join(sorted(linkage)), stdout=subprocess.PIPE, text=True,
                                check=True, errors="surrogateescape").stdout
        for name in {plain(line) for line in output.splitlines()}:
            names[name] = names.get(name, 0) + 1
    return names


def objects(folder):
    """All objects below a folder."""
    return sorted(os.path.join(path, name) for path, _folders, files in os.walk(folder)
                  for name in files if name.endswith(".o"))
