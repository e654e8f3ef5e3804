#!/usr/bin/env python3
"""Runs random kernels (generate.py) as two code generators of gcluster-cc make them, on every
processor level that this machine has, and compares the results byte by byte.

    differential.py --compiler build/bin/gcluster-cc --seed 1 --count 100

Says of each kernel that differs: seed, number, output, first index, both values; and leaves in --keep
the program with this kernel alone, made as small as it can be. Exit status 1 if there is one.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from program import make_kernel, print_program
from runner import Tools
from shrink import Shrinker


def kind_of(problem):
    """What a smaller program has to fail with, too."""
    if problem.startswith("failed"):
        return problem[:24]
    if problem.startswith("compiling"):
        message = re.search(r"error: .*|Assertion .*|exit status -\d+|no end", problem)
        return problem[:20] + (message.group(0) if message else "")
    return problem.split(":")[0] if problem.startswith("reference") else "difference"


class Session:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.tools = Tools(options.compiler, options.reference.split(), options.tested.split(),
                           options.compile_limit, options.run_limit)
        if options.levels:
            self.tools.levels = [l for l in options.levels.split(",") if l in self.tools.levels]

    def write(self, name, kernels):
        path = self.folder / f"{name}.cu"
        path.write_text(print_program(self.options.seed, kernels))
        return path

    def problems_of(self, name, kernels):
        source = self.write(name, kernels)
        numbers = [k.number for k in kernels]
        exact = [k.number for k in kernels if k.exact]
        try:
            return self.tools.find_problems(source, self.folder / name, numbers, exact)
        finally:
            for ending in (".cu", ".reference", ".tested"):
                (self.folder / (name + ending)).unlink(missing_ok=True)

    def test_batch(self, numbers):
        """{kernel: (level, problem)}"""
        kernels = [make_kernel(self.options.seed, n) for n in numbers]
        problems = self.problems_of(f"batch{numbers[0]}", kernels)
        if None not in problems:
            return problems
        if len(numbers) == 1:
            return {numbers[0]: problems[None]}
        middle = len(numbers) // 2  # which of them doesn't compile?
        return {**self.test_batch(numbers[:middle]), **self.test_batch(numbers[middle:])}

    def shrink(self, number, level, problem):
        """The smallest program in which the kernel still fails in the same way."""
        kernel = make_kernel(self.options.seed, number)
        kind = kind_of(problem)
        tools = self.tools
        if level:
            tools = Tools(tools.compiler, tools.reference, tools.tested, tools.compile_limit, tools.run_limit)
            tools.levels = level.split(",")

        def fails(candidate):
            source = self.write(f"shrink{number}", [candidate])
            found = tools.find_problems(source, self.folder / f"shrink{number}", [number],
                                        [number] if candidate.exact else [])
            return bool(found) and kind_of(next(iter(found.values()))[1]) == kind

        size = Shrinker(kernel, fails, self.options.shrink).run()
        keep = pathlib.Path(self.options.keep)
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"seed{self.options.seed}-k{number}.cu"
        path.write_text(print_program(self.options.seed, [kernel]))
        return path, size

    def report(self, number, level, problem):
        print(f"seed {self.options.seed} kernel {number}, level {level or 'any'}: {problem}", flush=True)
        if self.options.shrink:
            path, size = self.shrink(number, level, problem)
            print(f"   {size} statements left in {path}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--reference", default="--cpu=scalar", help="flags of the generator that is right")
    parser.add_argument("--tested", default="", help="flags of the other")
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

    numbers = list(range(options.first, options.first + options.count))
    batches = [numbers[i:i + options.batch] for i in range(0, len(numbers), options.batch)]
    failures = tested = 0
    with tempfile.TemporaryDirectory(prefix="gcl-kernels-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        session = Session(options, folder)
        tasks = [pool.submit(session.test_batch, batch) for batch in batches]
        for task, batch in zip(tasks, batches):
            for number, (level, problem) in sorted(task.result().items())[:options.most - failures]:
                session.report(number, level, problem)
                failures += 1
            tested += len(batch)
            if failures >= options.most:
                for rest in tasks:
                    rest.cancel()
                break
    print(f"{tested} kernels of seed {options.seed} on {' '.join(session.tools.levels)}: "
          f"{failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
