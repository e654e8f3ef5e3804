#!/usr/bin/env python3
"""Holds the tests that the list of what of CUDA there is names to what it says: tests.py support_query

Each is there; one for which the list doesn't say that it samples calls every function that it is
named for. Macros of a test's own are expanded first, since many tests paste names together.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def files_of(test):
    path = os.path.join(ROOT, test)
    if os.path.isfile(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
            if name.endswith((".cu", ".cuh", ".c", ".cpp", ".h", ".test"))]


def words_of(test):
    """The words of a test's sources, before and after macros; gclX counts as cudaX."""
    words = set()
    for path in files_of(test):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        words.update(re.findall(r"\w+", text))
        if "##" not in text:
            continue
        own = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.MULTILINE)
        done = subprocess.run(["clang-19", "-E", "-P", "-w", "-x", "c++", "-"], input=own,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        words.update(re.findall(r"\w+", done.stdout))
    return words | {"cuda" + word[3:] for word in words if word.startswith("gcl")}


def main():
    query = subprocess.run([sys.argv[1], "*"], stdout=subprocess.PIPE, check=True, text=True)
    names = [name for name in json.loads(query.stdout) if "tests" in name]
    words, problems = {}, []
    for test in sorted({test for name in names for test in name["tests"]}):
        words[test] = words_of(test)
        if not words[test]:
            problems.append(f"{test}: there is no such test")
    for name in names:
        last = name["name"].split("::")[-1]
        if name["kind"] == "function" and not name["sampled"] and not any(
                last in words[test] for test in name["tests"]):
            problems.append(f"{name['name']}: not called by {' '.join(name['tests'])}")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
