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
LOAD = re.compile(r"\s(?:lea\s+0x0\(%rip\)|mov\s+\$0x0|movabs\s+\$0x0|mov\s+0x0\(%rip\))," + REGISTER + r"$|"
                  r"\s(?:lea\s+\S*\(%rip\)|mov\s+\S*\(%rip\)|mov\s+\$0x[0-9a-f]+|movabs\s+\$0x[0-9a-f]+)," + REGISTER)
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


def _linkage_names(path):
    """The linkage names of an object's functions with hooks, and how many calls of them there are."""
    symbols = _symbols(path)
    output = subprocess.run(["objdump", "-drw", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True,
                            check=True, errors="surrogateescape").stdout
    hooked, calls, inside, values = set(), 0, None, {}
    for line in output.splitlines():
        match = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if match:
            inside, values = match.group(1), {}
            continue
        match = re.match(r"\s*[0-9a-f]+:\t(.*?)(?:\t[0-9a-f]+: R_X86_64_\S+\t(\S.*))?$", line)
        if not match:
            continue
        code, target = " " + re.sub(r"\s+#.*", "", match.group(1)).strip(), match.group(2)
        if target and target.startswith(ENTER) and re.search(r"\b(call|jmp)", code):
            calls += 1
            hooked.add(values.get("rdi") or inside)
            continue
        match = LOAD.search(code)
        if match and target:
            values[_full(match.group(1) or match.group(2))] = _target(target, symbols)
            continue
        for pattern in (COPY, SPILL, FILL):
            match = pattern.search(code)
            if match:
                source, goal = match.groups()
                values[_full(goal)] = values.get(_full(source))
                break
    return hooked, calls


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
