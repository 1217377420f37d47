# SPDX-License-Identifier: MIT
"""Functions as the debug information of an object file tells of them, read by readelf.

The compiler knows what a file defines: an oracle for scans that only read the text.
"""

import os
import re

import tap

ENTRY = re.compile(r" <(\w+)><(\w+)>: Abbrev Number: (\d+)(?: \((\w+)\))?")
ATTRIBUTE = re.compile(r"\s+<\w+>\s+(DW_AT_\w+)\s*: ?(.*)")
# "(strp) (offset: 0x1f): name", "(indirect string, offset: 0x1f): name", "(ref4) <0x3c>"
FORM = re.compile(r"^(?:\(\w+\) ?)?(?:\((?:indirect|indexed|alt|offset)[^)]*\): )?")
CLASSES = ("DW_TAG_class_type", "DW_TAG_structure_type", "DW_TAG_union_type")


def _entries(text):
    """All entries by offset, with tag, parent and the unit that they lie in."""
    entries = {}
    stack = []
    unit = current = None
    for line in text.splitlines():
        found = ENTRY.match(line)
        if found:
            if found[3] == "0":
                current = None
                continue
            depth, offset = int(found[1], 16), int(found[2], 16)
            del stack[depth:]
            unit = offset if depth == 0 else unit
            current = entries[offset] = {"tag": found[4], "parent": stack[-1] if stack else None, "unit": unit}
            stack.append(offset)
            continue
        found = ATTRIBUTE.match(line)
        if found and current is not None:
            current[found[1]] = FORM.sub("", found[2]).strip()
    return entries


def _files(text):
    """Tables of file names by the offset of their line program: number → path, as far as that is relative."""
    tables = {}
    table = folders = part = None
    for line in text.splitlines():
        found = re.match(r"\s+Offset:\s+(\w+)", line)
        if found:
            table, folders = {}, {}
            tables[int(found[1], 0)] = table
        if "Directory Table" in line:
            part = "folders"
        elif "File Name Table" in line:
            part = "files"
        elif "Line Number Statements" in line or "No Line Number" in line:
            part = None
        found = re.match(r"\s+(\d+)\s+(.*)", line)
        if not found or part is None:
            continue
        name = re.sub(r".*\(offset: \w+\): ", "", found[2]).strip()
        if part == "folders":
            folders[int(found[1])] = name
        else:
            folder = re.search(r"(?:\(udata\)\s+|^)(\d+)\s", found[2])
            table[int(found[1])] = os.path.join(folders.get(int(folder[1]), ""), name)
    return tables


def without_arguments(name):
    """A name without template arguments; operators keep their own brackets."""
    if name.startswith('operator""'):
        return name
    found = re.match(r"operator(<<=|>>=|<=>|<<|>>|<=|>=|->\*|->|<|>|\(\)|[^\w<\s]+)", name)
    if found:
        return found[0]
    plain, depth = "", 0
    for c in name:
        depth -= c == ">" and depth > 0
        if depth == 0 and not (c in "<>" and plain):
            plain += c
        depth += c == "<" and plain != ""
    return plain.strip()


class _Unit:
    def __init__(self, entries):
        self.entries = entries

    def referred(self, entry):
        for attribute in ("DW_AT_abstract_origin", "DW_AT_specification"):
            if attribute in entry:
                return self.entries.get(int(re.search(r"<(\w+)>", entry[attribute])[1], 16))
        return None

    def get(self, entry, attribute):
        while entry is not None and attribute not in entry:
            entry = self.referred(entry)
        return entry[attribute] if entry is not None else None

    def declared(self, entry):
        while self.referred(entry) is not None:
            entry = self.referred(entry)
        return entry

    def scope(self, entry):
        names = []
        entry = self.declared(entry)
        while entry["parent"] is not None:
            entry = self.entries[entry["parent"]]
            name = self.get(entry, "DW_AT_name")
            if entry["tag"] == "DW_TAG_namespace":
                names.append(name or "{anonymous}")
            elif entry["tag"] in CLASSES:
                names.append(without_arguments(name) if name else "<unnamed struct>")
            elif entry["tag"] == "DW_TAG_subprogram":
                names.append("()")
        return "".join(name + "::" for name in reversed(names))


def functions(path):
    """(name with scope, file, line) of all functions with code that a person wrote; no lambdas."""
    environment = {"LC_ALL": "C"}
    unit = _Unit(_entries(tap.run("readelf", "-W", "--debug-dump=info", path, env=environment, check=0).stdout))
    files = _files(tap.run("readelf", "-W", "--debug-dump=rawline", path, env=environment, check=0).stdout)
    found = set()
    for entry in unit.entries.values():
        if entry["tag"] != "DW_TAG_subprogram" or "DW_AT_low_pc" not in entry:
            continue
        name, line = unit.get(entry, "DW_AT_name"), unit.get(entry, "DW_AT_decl_line")
        if name is None or line is None or unit.get(entry, "DW_AT_artificial"):
            continue
        scope = unit.scope(entry)
        if "<lambda" in scope or "lambda" in name:
            continue
        compiled = unit.entries[entry["unit"]]
        table = files[int(compiled["DW_AT_stmt_list"], 0)]
        file = table[int(unit.get(entry, "DW_AT_decl_file").split()[0])]
        found.add((scope + without_arguments(name),
                   os.path.normpath(os.path.join(compiled.get("DW_AT_comp_dir", ""), file)), int(line)))
    return found
