"""One program of the corpus: built, run, and judged."""
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import typing

# Numbers of such a line differ from run to run, and say nothing about what is right.
TIMED = re.compile(r"time|second|elapsed|bandwidth|throughput|rate\b|speed|latency|performance|"
                   r"[0-9] *[(\[]?(?:ns|us|ms|s|[GMT]i?B/s|G?FLOPS?(?:/s)?|FPS)\b", re.IGNORECASE)
NUMBER = re.compile(r"[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?", re.IGNORECASE)
LINE = 200  # characters of a failure that are told
FAILURE = re.compile(r"error|fail|cannot|can't|abort|fault|No such|undefined", re.IGNORECASE)


class Limits(typing.NamedTuple):
    compiling: float
    running: float


class Outcome(typing.NamedTuple):
    status: int  # of the process; negative: a signal
    text: str
    errors: str
    seconds: float
    is_late: bool

    @property
    def why(self):
        """The first line that says what went wrong; "": nothing did."""
        if self.is_late:
            return f"no end after {self.seconds:.0f} s"
        if self.status == 0:
            return ""
        lines = [l.strip() for l in (self.errors + "\n" + self.text).splitlines() if l.strip()]
        told = next((l for l in lines if FAILURE.search(l)), lines[-1] if lines else "")
        end = signal.Signals(-self.status).name if self.status < 0 else f"exit status {self.status}"
        return f"{end}: {told}"[:LINE]


def execute(command, folder, environment, limit):
    """Runs a command and all that it starts, which end with it."""
    begin = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True) as process:
        is_late = False
        try:
            text, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            is_late = True
            os.killpg(process.pid, signal.SIGKILL)
            text, errors = process.communicate()
    return Outcome(process.returncode, text.decode(errors="replace"), errors.decode(errors="replace"),
                   time.monotonic() - begin, is_late)


def without_times(text):
    """The lines that a program prints."""
    return [NUMBER.sub("", line) if TIMED.search(line) else line for line in text.splitlines()]


class Tools:
    """The compiler and the launcher, and how programs run."""

    def __init__(self, build, nodes, split, device, limits):
        self.bin, self.nodes, self.limits = build / "bin", nodes, limits
        self.compiler, self.launcher = self.bin / "gcluster-cc", self.bin / "gcluster-run"
        self.environment = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", GCL_DEVICE=device,
                                GCL_SPLIT=split, NVCC="gcluster-cc")
        self.way = f"{nodes} {split} {device} {limits}"

    def stamp(self, entry):
        """What a result depends on: it is another one when this is."""
        files = [self.compiler, *sorted(self.bin.parent.glob("lib/libgcluster*.so.0"))]
        state = [(str(f), f.stat().st_mtime_ns) for f in files]
        return hashlib.sha256(f"{self.way} {state} {entry}".encode()).hexdigest()


def count_split(path):
    """(kernels, those of them that were split) by gcluster-run's statistics."""
    try:
        kernels = json.loads(path.read_text())["kernels"]
    except (OSError, ValueError, KeyError):
        return None
    return len(kernels), sum(any(k["split"][axis] for axis in "xyz") for k in kernels)


class Program:
    def __init__(self, entry, tools, work):
        self.entry, self.tools = entry, tools
        self.folder = work / entry.id.replace("/", "~")
        self.failure = ""

    def build(self):
        """(the program, the folder to run it in, what building it did)"""
        e, limit = self.entry, self.tools.limits.compiling
        if e.build:
            copy = self.folder / "copy"
            shutil.copytree(e.copy, copy, symlinks=True)
            folder = copy / e.directory.relative_to(e.copy)
            done = execute(["sh", "-c", e.build], folder, self.tools.environment, limit)
            return folder / e.program, folder, done
        program = self.folder / "program"
        command = [self.tools.compiler, *e.sources, *e.flags, "-o", program]
        return program, e.directory, execute(command, e.directory, self.tools.environment, limit)

    def judge(self, done):
        """What is wrong with a run; "": nothing."""
        e, text = self.entry, done.text + "\n" + done.errors
        if done.why:
            return done.why
        wrong = e.fails.search(text) if e.fails else None
        if wrong:
            return f"says {wrong.group(0)!r}"[:LINE]
        if e.passes and not e.passes.search(text):
            return f"doesn't say {e.passes.pattern!r}"[:LINE]
        return ""

    def run_alone(self, program, folder):
        command = [program, *self.entry.arguments]
        return execute(command, folder, self.tools.environment, self.tools.limits.running)

    def run_job(self, program, folder, count):
        stats = self.folder / f"stats{count}.json"
        command = [self.tools.launcher, "-n", str(count), f"--stats={stats}", program,
                   *self.entry.arguments]
        return execute(command, folder, self.tools.environment, self.tools.limits.running), \
            count_split(stats)

    def judge_job(self, done, alone):
        """As judge; a program that doesn't check itself prints what it prints alone."""
        wrong = self.judge(done)
        if wrong or self.entry.passes:
            return wrong
        expected, actual = without_times(alone.text), without_times(done.text)
        part = next(((a, b) for a, b in zip(expected, actual) if a != b), None)
        if part:
            return f"prints {part[1].strip()!r} instead of {part[0].strip()!r}"[:LINE]
        return "" if len(expected) == len(actual) else "prints another number of lines"

    def do(self):
        """Everything: what is to be known of the program, as JSON."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        result = {"compiled": False, "alone": None, "jobs": {}, "failure": "", "seconds": {}}
        if not self.entry.directory.is_dir():
            result["failure"] = f"no checkout: {self.entry.directory}"
            return result
        program, folder, done = self.build()
        result["seconds"]["build"] = done.seconds
        result["compiled"] = not done.why and program.exists()
        if not result["compiled"]:
            result["failure"] = "build: " + (done.why or f"it leaves no {self.entry.program}")
            return self.leave(result)
        alone = self.run_alone(program, folder)
        wrong = self.judge(alone)
        result["alone"], result["seconds"]["1"] = not wrong, alone.seconds
        if wrong:
            result["failure"] = "1 node: " + wrong
            return self.leave(result)
        for count in self.tools.nodes:
            done, split = self.run_job(program, folder, count)
            wrong = self.judge_job(done, alone)
            result["jobs"][str(count)] = {"right": not wrong, "split": split}
            result["seconds"][str(count)] = done.seconds
            if wrong and not result["failure"]:
                result["failure"] = f"{count} nodes: {wrong}"
        return self.leave(result)

    def leave(self, result):
        shutil.rmtree(self.folder, ignore_errors=True)
        return result
