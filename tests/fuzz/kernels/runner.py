"""Compiles programs and runs their kernels: one build for each code generator, one run for each
processor level, and where two runs part."""
import os
import pathlib
import re
import subprocess

HOST = ["host"]
HOST_HEADER = pathlib.Path(__file__).with_name("host.h")
LEVEL_FLAGS = {"v2": {"sse4_2", "popcnt"}, "v3": {"avx2", "bmi2", "fma"},
               "v4": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}}


def machine_levels():
    """The x86-64 levels that this machine has."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", text, re.M).group(1).split())
    return [level for level, needed in LEVEL_FLAGS.items() if needed <= flags]


class Build:
    """A program as one of the code generators, or the host's compiler, makes it."""

    def __init__(self, tools, source, flags, executable, under=()):
        self.tools, self.executable, self.under = tools, executable, under
        self.is_host = flags == HOST
        head = tools.host_command if self.is_host else [tools.compiler, "-w", "-O0", *flags]
        command = [*head, str(source), "-o", str(executable)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=tools.compile_limit)
            self.problem = None if done.returncode == 0 else \
                f"exit status {done.returncode}\n" + done.stderr.decode(errors="replace")[-2000:]
        except subprocess.TimeoutExpired:
            self.problem = f"no end after {tools.compile_limit} s"

    def run(self, level, first, last, *more):
        """Output, and what went wrong, if anything did."""
        environment = dict(os.environ, GCL_CPU_LEVEL=level or "")
        command = [*self.under, str(self.executable), str(first), str(last), *more]
        try:
            done = subprocess.run(command, capture_output=True, timeout=self.tools.run_limit,
                                  env=environment)
        except subprocess.TimeoutExpired as expired:
            return (expired.stdout or b"").decode(), f"no end after {self.tools.run_limit} s"
        problem = None
        if done.returncode:
            problem = f"exit status {done.returncode}: " + done.stderr.decode(errors="replace")[-600:]
        return done.stdout.decode(), problem

    def results(self, level, numbers):
        """{kernel: text of its hashes}; a kernel that fails has the failure for its result, and the
        others run without it."""
        found, left = {}, list(numbers)
        while left:
            text, problem = self.run(level, left[0], left[-1])
            lines, ended = [], []
            for line in text.splitlines():
                if line.startswith("end "):
                    ended.append(int(line[4:]))
                    found[ended[-1]] = "\n".join(lines)
                    lines = []
                else:
                    lines.append(line)
            if problem and ended == left:  # it fails in the end, because of one of them
                found.update(self.failures(level, ended))
            left = [n for n in left if n not in found]
            if left:
                found[left.pop(0)] = "failed: " + (problem or "no output")
        return found

    def failures(self, level, numbers):
        """Which kernels fail when they run alone."""
        problems = {n: self.run(level, n, n)[1] for n in numbers}
        found = {n: "failed: " + problem for n, problem in problems.items() if problem}
        return found or {numbers[0]: "failed: only together with the kernels that follow"}


def first_difference(expected, actual):
    """Two dumps: the lines in which they first differ."""
    a, b = expected.splitlines(), actual.splitlines()
    for x, y in zip(a, b):
        if x != y and " = " in x:
            return x, y
    return (a[-1] if a else "nothing"), (b[-1] if b else "nothing")


class Tools:
    """Commands and limits. `reference` and `tested` are the flags of the two code generators; HOST
    as the reference is the host's compiler, which fuses nothing."""

    def __init__(self, options, reference, tested):
        self.compiler, self.reference, self.tested = options.compiler, reference, tested
        self.compile_limit, self.run_limit = options.compile_limit, options.run_limit
        self.under = options.under.split()
        self.levels = machine_levels()
        if options.levels:
            self.levels = [l for l in options.levels.split(",") if l in self.levels]
        self.host_command = [options.host_compiler, "-x", "c++", "-std=c++17", "-w", "-O0", "-fwrapv",
                             "-fno-strict-aliasing", "-ffp-contract=off", "-frounding-math", "-DHOST", "-include", str(HOST_HEADER)]

    def build_both(self, source, stem):
        return (Build(self, source, self.reference, f"{stem}.reference"),
                Build(self, source, self.tested, f"{stem}.tested", self.under))

    def find_problems(self, source, stem, numbers, exact):
        """{kernel: (level, what is wrong)} of a program; None in place of the kernel if it is the
        program that doesn't compile. `exact` are the kernels without functions that a level may
        compute in its own way."""
        reference, tested = self.build_both(source, stem)
        for name, build in ("reference", reference), ("tested", tested):
            if build.problem:
                return {None: (None, f"compiling ({name}): {build.problem}")}
        return self.compare(reference, tested, numbers, exact)

    def compare(self, reference, tested, numbers, exact):
        problems = {}
        if reference.is_host:
            expected = dict.fromkeys(self.levels, reference.results(None, numbers))
        else:
            expected = {level: reference.results(level, numbers) for level in self.levels}
        for level in self.levels:
            actual = tested.results(level, numbers)
            for n in numbers:
                if n not in problems and expected[level][n] != actual[n]:
                    problems[n] = level, self.describe(reference, tested, level, n, actual[n])
        if {"v3", "v4"} <= set(self.levels):  # v2 has no fused multiplication and addition
            for n in exact:
                if n not in problems and expected["v3"][n] != expected["v4"][n]:
                    dumps = [reference.run(level, n, n, "dump")[0] for level in ("v4", "v3")]
                    problems[n] = "v3,v4", "reference on v4: " + self.parting(dumps[1], dumps[0])
        return problems

    def parting(self, expected, actual):
        return "{1}\n   instead of\n{0}".format(*first_difference(expected, actual))

    def describe(self, reference, tested, level, n, actual):
        if actual.startswith("failed"):
            return actual
        dumps = [build.run(level, n, n, "dump")[0] for build in (reference, tested)]
        return self.parting(*dumps)
