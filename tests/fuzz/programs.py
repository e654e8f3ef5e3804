#!/usr/bin/env python3
"""Runs programs as both code generators make them, on every processor level of this machine; each must
print and draw the same, and end well on the best level.

    programs.py --compiler build/bin/gcluster-cc examples/*.cu tests/compiler/device/*.cu

A test with RUN lines takes part if one of them compiles and runs it, nothing else.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).with_name("kernels")))
from runner import machine_levels

SIMPLE_RUN = re.compile(r"// RUN: %gcluster-cc (.*)%s -o %t && %t$")
# What differs from run to run.
TIMES = re.compile(rb"\b[0-9.]+(?= (?:s|ms|us|ns|GB/s|Gflop/s|GFLOP/s)\b)")
ARGUMENTS = {"heat2d.cu": ["128", "500"]}


def flags_of(source):
    """The flags that a test is compiled with; None if it isn't a program that checks itself."""
    runs = [line for line in source.read_text(errors="replace").splitlines() if "RUN:" in line]
    if not runs:
        libraries = ["-lpng"] if "write_png" in source.read_text(errors="replace") else []
        return ["-O1", *libraries]
    matches = [SIMPLE_RUN.match(line) for line in runs]
    return next((m.group(1).split() for m in matches if m), None)


def run(executable, level, arguments):
    """(exit status and standard output, pictures)"""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([executable, *arguments], cwd=folder, capture_output=True, timeout=300,
                              env=dict(os.environ, GCL_CPU_LEVEL=level))
        files = {p.name: p.read_bytes() for p in sorted(pathlib.Path(folder).iterdir())}
        return (done.returncode, TIMES.sub(b"?", done.stdout)), files, done.stderr.decode(errors="replace")[-400:]


def compare(compiler, source, folder):
    """What is wrong with a program: texts."""
    flags = flags_of(source)
    if flags is None:
        return []
    executables = {}
    for generator in ("scalar", "vector"):
        executables[generator] = str(folder / f"{source.parent.name}-{source.stem}.{generator}")
        command = [compiler, "-w", *flags, f"--cpu={generator}", str(source), "-o", executables[generator]]
        done = subprocess.run(command, capture_output=True, timeout=600)
        if done.returncode:
            return [f"--cpu={generator} doesn't compile: " + done.stderr.decode(errors="replace")[-400:]]
    wrong = []
    for level in machine_levels():
        scalar, vector = (run(executables[g], level, ARGUMENTS.get(source.name, []))
                          for g in ("scalar", "vector"))
        if scalar[:2] != vector[:2]:
            wrong.append(f"{level}: {vector[0]} instead of {scalar[0]}, or another picture; {vector[2]}")
    if scalar[0][0]:  # a test may need what only the best level has
        wrong.append(f"{level}: exit status {scalar[0][0]}: {scalar[2]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="gcl-programs-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(compare, options.compiler, s.resolve(), pathlib.Path(folder))
                 for s in options.sources]
        for source, task in zip(options.sources, tasks):
            for text in task.result():
                print(f"{source}: {text}", flush=True)
                failures += 1
    print(f"{len(options.sources)} programs on {' '.join(machine_levels())}: {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
