#!/usr/bin/env python3
"""Checks the pages of the codes of gcluster/reasons.h: pages.py DIAGNOSTICS.md REASONS.h COMPILER SCRATCH

Each code has a section whose title says why, and an example of which `before` has the code and
`after` hasn't; for what only a launch decides, the code that it follows from. All examples are one
source, each in a namespace of its own: they are compiled once. What depends on the nodes alone has
no example.
"""
import json
import re
import subprocess
import sys

INDENT = len("    before   ")
# Reasons that a launch alone can have -> that of the compiler's without which none has it
OF_LAUNCHES = {227: 221}
# Reasons that are found when a program runs, which no example shows
OF_RUNS = {228, 229, 230}


def registry(text):
    """code -> why"""
    strings = r'((?:"[^"]*"\s*)+)'
    entry = re.compile(r"GCL_REASON\(\w+,\s*(\d+),\s*" + strings + r",\s*" + strings + r",")
    join = lambda literals: "".join(re.findall(r'"([^"]*)"', literals))
    return {int(code): join(why) for code, _, why in entry.findall(text.replace("\\\n", ""))}


def sections(text):
    """code -> (title, {"before": lines, "after": lines})"""
    found = {}
    for code, title, body in re.findall(r"^## GCL(2\d\d): (.*)\n((?:(?!## ).*\n)*)", text, re.M):
        example, lines = {}, []
        for line in body.splitlines():
            word = re.match(r"    (before|after) ", line)
            if word:
                lines = example.setdefault(word[1], [])
            if word or line.startswith(" " * INDENT):
                lines.append(line[INDENT:])
        found[int(code)] = (title, example)
    return found


def source(pages):
    """All examples, and (first line, last line, code, "before" or "after") of each."""
    examples = [(code, half, lines) for code, page in pages.items() for half, lines in page[1].items()]
    text = ["#include <cuda_runtime.h>"]
    text += sorted({line for _, _, lines in examples for line in lines if line.startswith("#include")})
    places = []
    for code, half, lines in examples:
        begin = len(text) + 1
        text.append(f"namespace gcl{code}_{half} {{")
        text += [line for line in lines if not line.startswith("#include")] + ["}"]
        places.append((begin, len(text), code, half))
    return "\n".join(text) + "\n", places


def main():
    diagnostics, reasons, compiler, scratch = sys.argv[1:]
    whys, pages = registry(open(reasons).read()), sections(open(diagnostics).read())
    assert whys and {code: page[0] for code, page in pages.items()} == whys, (whys, pages)
    text, places = source(pages)
    with open(scratch, "w") as f:
        f.write(text)
    out = subprocess.run([compiler, "--explain=json", scratch], stdout=subprocess.PIPE, check=True)
    kernels = [kernel for kernel in json.loads(out.stdout)["kernels"] if kernel["file"] == scratch]
    wrong = 0
    for begin, end, code, half in places:
        here = [kernel for kernel in kernels if begin <= kernel["line"] <= end]
        codes = {reason["code"] for kernel in here for reason in kernel["reasons"]}
        expected = f"GCL{OF_LAUNCHES.get(code, code)}"
        if not here or (expected in codes) != (half == "before"):
            wrong += 1
            print(f"GCL{code} {half}: {len(here)} kernels with {sorted(codes)}")
    print(f"{len(places)} examples, {wrong} wrong")
    sys.exit(wrong != 0 or len(places) != 2 * len(whys.keys() - OF_RUNS))


main()
