#!/usr/bin/env python3
"""Writes the queries of helix/ and zed/ that are Neovim's with other names for what they find.

    derive.py            writes them
    derive.py --check    fails if one of them isn't what would be written
"""

import pathlib
import re
import sys

HELIX = {
    "property": "variable.other.member",
    "module": "namespace",
    "number": "constant.numeric",
    "boolean": "constant.builtin.boolean",
    "character": "constant.character",
    "string.escape": "constant.character.escape",
    "function.call": "function",
    "function.method.call": "function.method",
    "function.kernel": "function.special",
    "constant.macro": "constant",
    "keyword.modifier": "keyword.storage.modifier",
    "keyword.exception": "keyword.control.exception",
    "local.definition.parameter": "local.definition.variable.parameter",
    "local.definition.var": "local.definition.variable",
}
ZED = {
    "module": "namespace",
    "character": "string",
    "constructor": "function",
    "function.method.call": "function.method",
    "function.kernel": "function.special",
    "constant.macro": "constant",
    "keyword.directive": "preproc",
}
DERIVED = [
    ("helix", "highlights.scm", HELIX),
    ("helix", "locals.scm", HELIX),
    ("helix", "injections.scm", HELIX),
    ("zed", "highlights.scm", ZED),
    ("zed", "injections.scm", ZED),
]


def derive(text, names):
    """A query whose captures have an editor's names, without remarks on Neovim's."""
    lines = [line for line in text.splitlines(True) if not line.startswith("; Names as")]
    capture = re.compile(r"@([a-z][a-z.]*)")
    renamed = capture.sub(lambda match: "@" + names.get(match[1], match[1]), "".join(lines))
    return "; Written by derive.py.\n" + renamed


def main(arguments):
    here = pathlib.Path(__file__).parent
    for editor, name, names in DERIVED:
        path = here / editor / name
        text = derive((here / name).read_text(encoding="utf-8"), names)
        if arguments == ["--check"]:
            if path.read_text(encoding="utf-8") != text:
                sys.exit(f"{path} isn't what {name} gives: run {__file__}")
        else:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
