#!/usr/bin/env python3
"""Runs random kernels (generate.py) as two code generators of gcluster-cc make them, on every
processor level that this machine has, and compares the results byte by byte.

    differential.py --compiler build/bin/gcluster-cc --seed 1 --count 100

With --reference=host the host's compiler makes the other half (host.h), for kernels whose functions it
has; it fuses nothing, so neither does gcluster-cc then. Footprints are checked by

    differential.py ... --profile footprint --reference=host --tested=--sanitize=footprint --levels v2

and jobs of several nodes, against a program that runs without a job, by

    differential.py ... --profile footprint --reference= --levels v2 --under "gcluster-run -n 2" --under "gcluster-run -n 7"

and GPUs, whose mathematics isn't the CPU's, by

    differential.py ... --exact --reference= --levels v3 --under "env GCL_DEVICE=cuda"

Says of each kernel that differs: seed, number, output, first index, both values; and leaves in --keep
the program with this kernel alone, made as small as it can be. Exit status 1 if there is one.
"""
import argparse
import concurrent.futures
import copy
import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from program import PROFILES, make_kernel, print_program
from runner import HOST, Tools
from shrink import Shrinker


def kind_of(problem):
    """What a smaller program has to fail with, too."""
    finding = re.search(r"\b(footprint|race|bounds): .*", problem)
    if finding:
        return finding.group(1)
    if problem.startswith("failed"):
        return problem[:24]
    if problem.startswith("compiling"):
        message = re.search(r"error: .*|Assertion .*|exit status -\d+|no end", problem)
        return problem[:20] + (message.group(0) if message else "")
    return problem.split(":")[0] if problem.startswith("reference") else "difference"


class Session:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        reference, tested = options.reference.split(), options.tested.split()
        self.tools = self.plain_tools = Tools(options, reference, tested)
        if reference == HOST:  # which fuses nothing, and knows not all
            tested = tested + ["-fmad=false"]
            self.tools = Tools(options, ["--cpu=scalar", "-fmad=false"], tested)
            self.plain_tools = Tools(options, HOST, tested)

    def make(self, number):
        return make_kernel(self.options.seed, number, self.options.profile)

    def tools_for(self, kernel):
        return self.plain_tools if kernel.is_plain else self.tools

    def write(self, name, kernels):
        path = self.folder / f"{name}.cu"
        path.write_text(print_program(self.options.seed, kernels))
        return path

    def problems_of(self, name, kernels, tools):
        source = self.write(name, kernels)
        numbers = [k.number for k in kernels]
        exact = [k.number for k in kernels if k.exact]
        try:
            return tools.find_problems(source, self.folder / name, numbers, exact)
        finally:
            for ending in (".cu", ".reference", ".tested"):
                (self.folder / (name + ending)).unlink(missing_ok=True)

    def test(self, kernels, tools):
        """{kernel: (ways, problem)}"""
        if not kernels:
            return {}
        problems = self.problems_of(f"batch{kernels[0].number}", kernels, tools)
        if None not in problems:
            return problems
        if len(kernels) == 1:
            return {kernels[0].number: problems[None]}
        middle = len(kernels) // 2  # which of them doesn't compile?
        return {**self.test(kernels[:middle], tools), **self.test(kernels[middle:], tools)}

    def test_batch(self, numbers):
        """What is wrong, how many kernels were tested, and how many of them against the host's."""
        kernels = [self.make(n) for n in numbers]
        if self.options.exact:
            kernels = [k for k in kernels if k.exact]
        if self.plain_tools is self.tools:
            return self.test(kernels, self.tools), len(kernels), 0
        plain = [k for k in kernels if k.is_plain]
        rest = [k for k in kernels if not k.is_plain]
        return {**self.test(plain, self.plain_tools), **self.test(rest, self.tools)}, len(kernels), len(plain)

    def shrink(self, number, ways, problem):
        """The smallest program in which the kernel still fails like that."""
        kernel = self.make(number)
        kind = kind_of(problem)
        tools = copy.copy(self.tools_for(kernel))
        if ways:
            tools.levels = [way.level for way in ways]
            tools.unders = list(dict.fromkeys(way.under for way in ways))

        def fails(candidate):
            source = self.write(f"shrink{number}", [candidate])
            found = tools.find_problems(source, self.folder / f"shrink{number}", [number],
                                        [number] if candidate.exact else [])
            return bool(found) and kind_of(next(iter(found.values()))[1]) == kind

        size = Shrinker(kernel, fails, self.options.shrink).run()
        keep = pathlib.Path(self.options.keep)
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{self.options.profile}-seed{self.options.seed}-k{number}.cu"
        path.write_text(print_program(self.options.seed, [kernel]))
        return path, size

    def report(self, number, ways, problem):
        where = ", ".join(str(way) for way in ways) or "any level"
        print(f"seed {self.options.seed} kernel {number}, {where}: {problem}", flush=True)
        if self.options.shrink:
            path, size = self.shrink(number, ways, problem)
            print(f"   {size} statements left in {path}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--host-compiler", default="c++")
    parser.add_argument("--profile", choices=PROFILES, default="general")
    parser.add_argument("--reference", default="--cpu=scalar",
                        help="flags of the generator that is right; host: the host's compiler, where it can")
    parser.add_argument("--tested", default="", help="flags of the other")
    parser.add_argument("--exact", action="store_true",
                        help="only kernels without functions that libraries compute in their own way")
    parser.add_argument("--under", action="append",
                        help="what runs the other, such as 'gcluster-run -n 3'; several: one after the other")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch", type=int, default=25, help="kernels in a program")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--levels", help="such as v3,v4; default: all that the machine has")
    parser.add_argument("--keep", default="failures", help="where programs that differ go")
    parser.add_argument("--shrink", type=float, default=300, help="seconds for each; 0: don't")
    parser.add_argument("--most", type=int, default=5, help="failures after which to stop")
    parser.add_argument("--compile-limit", type=float, default=600)
    parser.add_argument("--run-limit", type=float, default=60)
    options = parser.parse_args()
    if not Tools(options, [], []).levels:
        parser.error(f"this machine has none of the levels {options.levels}")

    numbers = list(range(options.first, options.first + options.count))
    batches = [numbers[i:i + options.batch] for i in range(0, len(numbers), options.batch)]
    failures = tested = plain = 0
    with tempfile.TemporaryDirectory(prefix="gcl-kernels-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        session = Session(options, folder)
        tasks = [pool.submit(session.test_batch, batch) for batch in batches]
        for task in tasks:
            problems, count, plain_count = task.result()
            for number, (ways, problem) in sorted(problems.items())[:options.most - failures]:
                session.report(number, ways, problem)
                failures += 1
            tested += count
            plain += plain_count
            if failures >= options.most:
                for rest in tasks:
                    rest.cancel()
                break
    by_host = f", {plain} by the host's" if plain else ""
    print(f"{tested} kernels of seed {options.seed} on {' '.join(session.tools.levels)}{by_host}: "
          f"{failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
