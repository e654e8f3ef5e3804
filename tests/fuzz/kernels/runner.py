"""Compiles programs and runs their kernels: one build for each code generator, one run for each
processor level, and where two runs part."""
import os
import pathlib
import re
import subprocess
import typing

HOST = ["host"]
HOST_HEADER = pathlib.Path(__file__).with_name("host.h")
LEVEL_FLAGS = {"v2": {"sse4_2", "popcnt"}, "v3": {"avx2", "bmi2", "fma"},
               "v4": {"avx512f", "avx512bw", "avx512dq", "avx512vl"}}


def machine_levels():
    """The x86-64 levels that this machine has."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", text, re.M).group(1).split())
    return [level for level, needed in LEVEL_FLAGS.items() if needed <= flags]


class Way(typing.NamedTuple):
    """How a program runs: on which level, and under what."""
    level: str
    under: str = ""

    def __str__(self):
        return f"level {self.level or 'any'}" + f" under {pathlib.Path(self.under).name}" * bool(self.under)


class Build:
    """A program as one of the code generators, or the host's compiler, makes it."""

    def __init__(self, tools, source, flags, executable):
        self.tools, self.executable = tools, executable
        self.is_host = flags == HOST
        head = tools.host_command if self.is_host else \
            [tools.compiler, "-w", "-O0", *tools.level_flags, *flags]
        command = [*head, str(source), "-o", str(executable)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=tools.compile_limit)
            self.problem = None if done.returncode == 0 else \
                f"exit status {done.returncode}\n" + done.stderr.decode(errors="replace")[-2000:]
        except subprocess.TimeoutExpired:
            self.problem = f"no end after {tools.compile_limit} s"

    def run(self, way, first, last, *more):
        """Output, and what went wrong, if anything did."""
        environment = dict(os.environ, GCL_CPU_LEVEL=way.level or "")
        command = [*way.under.split(), str(self.executable), str(first), str(last), *more]
        try:
            done = subprocess.run(command, capture_output=True, timeout=self.tools.run_limit,
                                  env=environment)
        except subprocess.TimeoutExpired as expired:
            return (expired.stdout or b"").decode(), f"no end after {self.tools.run_limit} s"
        problem = None
        if done.returncode:
            problem = f"exit status {done.returncode}: " + done.stderr.decode(errors="replace")[-600:]
        return done.stdout.decode(), problem

    def results(self, way, numbers):
        """{kernel: text of its hashes}; a kernel that fails has the failure for its result, and the
        others run without it."""
        found, left = {}, list(numbers)
        while left:
            text, problem = self.run(way, left[0], left[-1])
            lines, ended = [], []
            for line in text.splitlines():
                if line.startswith("end "):
                    ended.append(int(line[4:]))
                    found[ended[-1]] = "\n".join(lines)
                    lines = []
                else:
                    lines.append(line)
            if problem and ended == left:  # it fails in the end, because of one of them
                found.update(self.failures(way, ended))
            left = [n for n in left if n not in found]
            if left:
                found[left.pop(0)] = "failed: " + (problem or "no output")
        return found

    def failures(self, way, numbers):
        """Which kernels fail when they run alone."""
        problems = {n: self.run(way, n, n)[1] for n in numbers}
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
    as the reference is the host's compiler, which fuses nothing. The tested one's program runs under
    each of `unders`."""

    def __init__(self, options, reference, tested):
        self.compiler, self.reference, self.tested = options.compiler, reference, tested
        self.compile_limit, self.run_limit = options.compile_limit, options.run_limit
        self.unders = options.under or [""]
        self.levels = machine_levels()
        if options.levels:
            self.levels = [l for l in options.levels.split(",") if l in self.levels]
        # Code for other levels would never run.
        self.level_flags = [f"-march=x86-64-{self.levels[0]}"] if len(self.levels) == 1 else []
        self.host_command = [options.host_compiler, "-x", "c++", "-std=c++17", "-w", "-O0", "-fwrapv",
                             "-fno-strict-aliasing", "-ffp-contract=off", "-frounding-math", "-DHOST", "-include", str(HOST_HEADER)]

    def build_both(self, source, stem):
        reference = Build(self, source, self.reference, f"{stem}.reference")
        if self.tested == self.reference:
            return reference, reference
        return reference, Build(self, source, self.tested, f"{stem}.tested")

    def find_problems(self, source, stem, numbers, exact):
        """{kernel: (ways, what is wrong)} of a program; None in place of the kernel if it is the
        program that doesn't compile. `exact` are the kernels without functions that a level may
        compute in its own way."""
        reference, tested = self.build_both(source, stem)
        for name, build in ("reference", reference), ("tested", tested):
            if build.problem:
                return {None: ([], f"compiling ({name}): {build.problem}")}
        return self.compare(reference, tested, numbers, exact)

    def compare(self, reference, tested, numbers, exact):
        problems = {}
        if reference.is_host:
            expected = dict.fromkeys(self.levels, reference.results(Way(None), numbers))
        else:
            expected = {level: reference.results(Way(level), numbers) for level in self.levels}
        for way in [Way(level, under) for level in self.levels for under in self.unders]:
            actual = tested.results(way, numbers)
            for n in numbers:
                if n not in problems and expected[way.level][n] != actual[n]:
                    problems[n] = [way], self.describe(reference, tested, way, n, actual[n])
        if {"v3", "v4"} <= set(self.levels):  # v2 has no fused multiplication and addition
            ways = [Way("v3"), Way("v4")]
            for n in exact:
                if n not in problems and expected["v3"][n] != expected["v4"][n]:
                    dumps = [reference.run(way, n, n, "dump")[0] for way in ways]
                    problems[n] = ways, "reference on v4: " + self.parting(*dumps)
        return problems

    def parting(self, expected, actual):
        return "{1}\n   instead of\n{0}".format(*first_difference(expected, actual))

    def describe(self, reference, tested, way, n, actual):
        if actual.startswith("failed"):
            return actual
        dumps = [reference.run(Way(way.level), n, n, "dump")[0], tested.run(way, n, n, "dump")[0]]
        return self.parting(*dumps)
