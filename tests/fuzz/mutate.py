#!/usr/bin/env python3
"""Compiles damaged programs: whatever the bytes, gcluster-cc answers with an object or a message.

    mutate.py --compiler build/bin/gcluster-cc --count 1000

Takes the seeds and the examples, flips bytes, cuts, doubles, swaps and splices pieces of them, and
compiles each with -c. Right is exit status 0 with an object file, or 1 with a message; anything else,
a time-out or a sanitizer's report is a failure, and its input is kept. The same --seed makes the same
files.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
BAD_OUTPUT = re.compile(rb"Sanitizer|runtime error:|\[GCL128\]|\[GCL182\]|Assertion .* failed")
PIECES = [b"<<<", b">>>", b"<<", b">>", b"<", b">", b"(", b")", b"{", b"}", b"[", b"]", b",", b";",
          b"::", b"#", b"##", b"\\\n", b"\r", b"\0", b"\xff", b"/*", b"*/", b"//", b'"', b"'",
          b'R"(', b"#if 0\n", b"#endif\n", b"#define X(...) __VA_ARGS__\n", b"#include __FILE__\n",
          b"template<", b"__global__ ", b"__device__ ", b"__shared__ ", b"cudaFree", b"cuda",
          b"<<<1,2>>>(", b"__syncthreads();", b"return;", b"goto x;", b"-1", b"1e999", b"0x"]


def cut(data, chance):
    """Two offsets in order, mostly near each other."""
    begin = chance.randrange(len(data) + 1)
    length = min(len(data) - begin, int(chance.expovariate(1 / 40)))
    return begin, begin + length


def flip(data, chance, _):
    i = chance.randrange(len(data))
    return data[:i] + bytes([data[i] ^ 1 << chance.randrange(8)]) + data[i + 1:]


def random_byte(data, chance, _):
    i = chance.randrange(len(data))
    return data[:i] + bytes([chance.randrange(256)]) + data[i + 1:]


def remove(data, chance, _):
    begin, end = cut(data, chance)
    return data[:begin] + data[end:]


def truncate(data, chance, _):
    return data[:chance.randrange(len(data) + 1)]


def double(data, chance, _):
    begin, end = cut(data, chance)
    return data[:end] + data[begin:end] * chance.choice([1, 1, 1, 2, 50]) + data[end:]


def insert(data, chance, _):
    i = chance.randrange(len(data) + 1)
    return data[:i] + chance.choice(PIECES) * chance.choice([1, 1, 1, 1, 3]) + data[i:]


def splice(data, chance, seeds):
    begin, end = cut(data, chance)
    other = chance.choice(seeds)
    other_begin, other_end = cut(other, chance)
    return data[:begin] + other[other_begin:other_end] + data[end:]


def join(data, chance, seeds):
    other = chance.choice(seeds)
    return data[:chance.randrange(len(data) + 1)] + other[chance.randrange(len(other)):]


def swap_lines(data, chance, _):
    lines = data.split(b"\n")
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


WORDS = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*")
NUMBERS = [b"0", b"1", b"2", b"31", b"32", b"33", b"-1", b"255", b"1024", b"65537", b"0x7fffffff",
           b"0xffffffffu", b"1ull<<63", b"1e30f", b"0.5"]
OPERATORS = re.compile(rb"[-+*/%&|^<>=!]=?")


def exchange(data, chance, _):
    """One word for another, a number for one at an edge: often still a program."""
    words = list(WORDS.finditer(data))
    if not words:
        return data
    word = chance.choice(words)
    is_number = word.group()[:1].isdigit()
    new = chance.choice(NUMBERS) if is_number else chance.choice(words).group()
    return data[:word.start()] + new + data[word.end():]


def operator(data, chance, _):
    found = list(OPERATORS.finditer(data))
    if not found:
        return data
    old, new = chance.choice(found), chance.choice(found).group()
    return data[:old.start()] + new + data[old.end():]


STEPS = [flip, random_byte, remove, truncate, double, insert, insert, splice, splice, join, swap_lines,
         exchange, exchange, exchange, operator, operator]


def mutate(seeds, chance):
    data = chance.choice(seeds)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        if data:
            data = chance.choice(STEPS)(data, chance, seeds)
    return data


def run(command, limit):
    """Status and output; the status is None if it took longer than `limit` seconds."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def judge(status, output, has_object, limit):
    """What is wrong, or None."""
    if status is None:
        return f"took longer than {limit} s"
    if BAD_OUTPUT.search(output):
        return "crash or sanitizer report"
    if status == 0:
        return None if has_object else "no object file, but no error"
    if status == 1:
        return None if b"error:" in output else "failed without a message"
    return f"exit status {status}"


def attempt(number, data, options, folder):
    source, target = folder / f"{number}.cu", folder / f"{number}.o"
    source.write_bytes(data)
    command = [options.compiler, "-c", str(source), "-o", str(target), f"-I{EXAMPLES}"]
    status, output = run(command, options.limit)
    fault = judge(status, output, target.exists() and target.stat().st_size > 0, options.limit)
    if fault:
        kept = pathlib.Path(options.keep) / f"{options.seed}-{number}.cu"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(data)
        fault = f"{kept}: {fault}\n" + output[-3000:].decode(errors="replace")
    source.unlink()
    target.unlink(missing_ok=True)
    return status, fault


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--count", type=int, default=40, help="files to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=30, help="seconds for one file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="fuzz-failures", help="where failing inputs go")
    return parser.parse_args()


def main():
    options = read_options()
    seeds = [path.read_bytes() for folder in [HERE / "seeds", EXAMPLES] for path in sorted(folder.glob("*.cu"))]
    chance = random.Random(options.seed)
    inputs = [mutate(seeds, chance) for _ in range(options.count)]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gcluster-fuzz-"))
    objects = messages = 0
    faults = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(attempt, i, data, options, folder) for i, data in enumerate(inputs)]
        for job in concurrent.futures.as_completed(jobs):
            status, fault = job.result()
            objects += status == 0
            messages += status == 1
            if fault:
                faults.append(fault)
                print(fault, file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.count} files from {len(seeds)} seeds: {objects} objects, {messages} messages, "
          f"{len(faults)} failures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
