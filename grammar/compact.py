#!/usr/bin/env python3
"""Writes a parser that `tree-sitter generate` has made without what only readers need.

The generator writes each entry of its tables on a line of its own, with the names of symbols: 30 MB
for a grammar like C++'s. Here a state is a line of numbers. The tables keep their contents and order,
but that states whose rows are the same share one; so the parser does what it did.

    compact.py src/parser.c             rewrites the file
    compact.py --check src/parser.c     fails if that would change the file
"""

import re
import sys

# Longest gap in a row of which each zero is written, in place of the next entry's index.
ZEROS = 2


class Table:
    """One array of a parser: its declaration, and the text between its braces."""

    def __init__(self, source, name):
        match = re.search(r"^static const \w+ " + name + r"\[.*\] = \{\n", source, re.M)
        if not match:
            sys.exit(f"compact.py: the parser has no table {name}")
        self.begin = match.end()
        self.end = source.index("\n};", self.begin) + 1
        self.text = source[self.begin : self.end]


def symbols(source):
    """The numbers of symbols by their names."""
    names = {"ts_builtin_sym_end": 0}
    for name, number in re.findall(r"^  (\w+) = (\d+),$", source, re.M):
        names[name] = int(number)
    return names


def number(names, text):
    """An entry's number: `ACTIONS(3)`, `STATE(3)`, `sym_comment` or `3`."""
    text = text.strip()
    if text.endswith(")"):
        text = text[text.index("(") + 1 : -1]
    return int(text) if text.isdigit() else names[text]


def entries(text):
    """What stands between the commas of a text."""
    return [entry for entry in text.replace("\n", " ").split(",") if entry.strip()]


def designated(pairs):
    """A row from indices and values, with an index only behind a longer gap."""
    parts, place = [], 0
    for index, value in pairs:
        if 0 <= index - place <= ZEROS:
            parts += ["0"] * (index - place) + [str(value)]
        else:
            parts.append(f"[{index}]={value}")
        place = index + 1
    return ",".join(parts)


def large_rows(names, table):
    """The states with an entry for each symbol."""
    lines = []
    for row in re.findall(r"^  (?:\[[^\n]*\] = )?\{\n?([^}]*)\}", table.text, re.M):
        pairs, place = [], 0
        for entry in entries(row):
            index, equal, value = entry.rpartition("=")
            if equal:
                place = number(names, index.strip()[1:-1])
            pairs.append((place, number(names, value)))
            place += 1
        lines.append("  {" + designated([pair for pair in pairs if pair[1]]) + "},\n")
    return "".join(lines)


def small_rows(names, table, starts):
    """The other states, and where each one's row begins: their texts."""
    text = re.sub(r"\[\d+\] = ", "", table.text)
    numbers = [number(names, entry) for entry in entries(text)]
    places = [number(names, entry.rpartition("=")[2]) for entry in entries(starts.text)]
    lines, offsets, begins, size = [], {}, [], 0
    for begin in places:
        end = begin + 1
        for _ in range(numbers[begin]):
            end += 2 + numbers[end + 1]
        row = tuple(numbers[begin:end])
        if row not in offsets:
            offsets[row] = size
            size += len(row)
            lines.append("  " + ",".join(map(str, row)) + ",\n")
        begins.append(offsets[row])
    return "".join(lines), wrapped(begins)


def wrapped(values):
    """A table of values, 16 in a line."""
    lines = [values[i : i + 16] for i in range(0, len(values), 16)]
    return "".join("  " + ",".join(map(str, line)) + ",\n" for line in lines)


def lex_modes(table):
    """What each state's lexers are, in the order of the structure's fields."""
    modes = re.findall(r"\{(?:\(TSStateId\)\(-1\)|[^}]*)\}", table.text)
    fields = ["lex_state", "external_lex_state"]
    rows = []
    for mode in modes:
        found = dict(re.findall(r"\.(\w+) = (\d+)", mode))
        if not found or set(found) - set(fields):
            rows.append(mode)
        else:
            rows.append("{" + ",".join(found.get(field, "0") for field in fields) + "}")
    return wrapped(rows)


def compact(source):
    names = symbols(source)
    small = Table(source, "ts_small_parse_table")
    starts = Table(source, "ts_small_parse_table_map")
    small_text, starts_text = small_rows(names, small, starts)
    primary = Table(source, "ts_primary_state_ids")
    modes = Table(source, "ts_lex_modes")
    large = Table(source, "ts_parse_table")
    primary_values = [number(names, e.rpartition("=")[2]) for e in entries(primary.text)]
    changed = [
        (primary, wrapped(primary_values)),
        (modes, lex_modes(modes)),
        (large, large_rows(names, large)),
        (small, small_text),
        (starts, starts_text),
    ]
    for table, text in sorted(changed, key=lambda pair: -pair[0].begin):
        source = source[: table.begin] + text + source[table.end :]
    return source


def main(arguments):
    check = arguments[:1] == ["--check"]
    for path in arguments[check:]:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        result = compact(source)
        if check and result != source:
            sys.exit(f"{path} isn't compact: run grammar/compact.py {path}")
        if result != source:
            with open(path, "w", encoding="utf-8") as file:
                file.write(result)


if __name__ == "__main__":
    main(sys.argv[1:])
