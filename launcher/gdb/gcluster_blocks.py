"""Blocks that run in a program compiled with gcluster-cc -G, as a debugger that stopped it reads them.

Nothing of this file runs code in the program, nor knows which debugger asks: it reads the tables
that libgcluster keeps for debuggers (runtime/exec/block/debugger.h), struct gcl_block and struct
gcl_kernel (gcluster/kernel.h), and a waiting thread's registers (runtime/exec/block/threads.c).
"""
import re
import struct

VERSION = 1
EXIT, SEVERAL = 0xFFFFFFFF, 0xFFFFFFFE
WAITS = {1: "at the barrier", 2: "at the grid's barrier", 3: "polling", 4: "behind lower threads"}
# What switch_stacks (threads.c) has pushed, from the stack pointer up.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")


class Mistake(Exception):
    """Something that a person should read, as it stands."""


class Memory:
    """The program's; `read_bytes` takes an address and a size."""

    def __init__(self, read_bytes):
        self.read_bytes = read_bytes

    def read(self, address, layout):
        return struct.unpack("=" + layout, self.read_bytes(address, struct.calcsize("=" + layout)))

    def text(self, address):
        """The one that ends in 0 at `address`, unless that is 0."""
        text = b""
        while address and b"\0" not in text and len(text) < 4096:
            # Up to the end of a piece that lies in one page.
            text += self.read_bytes(address + len(text), 64 - (address + len(text)) % 64)
        return text.partition(b"\0")[0].decode(errors="replace")


class Worker:
    """A thread of the runtime's, and the block that it runs."""

    def __init__(self, memory, address):
        self.next, self.lwp, block, kernel, self.stack, file, self.line = memory.read(address, "7Q")
        self.memory, self.block = memory, block
        if not block:
            return
        fields = memory.read(block, "3I3I3IIIIIIQQQQQ")
        self.index, self.size, self.grid = fields[0:3], fields[3:6], fields[6:9]
        self.count, self.running = fields[9], fields[10]
        self.frame, next_of = fields[17], fields[18]
        self.next_of = memory.read(next_of, f"{self.count}I")
        name, _, _, cuts, _, _, _, regions = memory.read(kernel, "QQQQIIII")
        self.kernel, self.file = memory.text(name), memory.text(file)
        self.cuts = [memory.read(cuts + 12 * i, "III") for i in range(regions)]

    def place(self, thread):
        x, y, _ = self.size
        return (thread % x, thread // x % y, thread // x // y)

    def number(self, place):
        return place[0] + self.size[0] * (place[1] + self.size[1] * place[2])

    def thread_at(self, text):
        """The number of the thread that a person has named."""
        place = place_in(text)
        if any(n >= m for n, m in zip(place, self.size)):
            raise Mistake(f"the block has no thread {triple(place)}: its size is {triple(self.size)}")
        return self.number(place)

    def state(self, thread):
        """In words. The running thread's entry is still that of the cut behind which it runs."""
        here, cut = self.next_of[self.running], self.next_of[thread]
        if thread == self.running:
            return "running"
        if cut == 0:
            return "not begun"
        if cut >= SEVERAL:
            return "ended"
        kind, _, line = self.cuts[cut]
        if cut == here and thread > self.running:
            return f"to go on behind line {line}"
        return f"{WAITS.get(kind, 'at the warp operation')} of line {line}"

    def waits(self, thread):
        return self.stack > 0 and thread != self.running and 0 < self.next_of[thread] < SEVERAL

    def must_stand(self, thread):
        """Only what runs or waits has a stack to look at."""
        if thread != self.running and not self.waits(thread):
            raise Mistake(f"thread {triple(self.place(thread))} {self.state(thread)}")

    def registers(self, thread):
        """Of a waiting thread, by name."""
        pointer = self.memory.read(self.frame + self.stack * (thread + 1) - 16, "Q")[0]
        values = dict(zip(SAVED, self.memory.read(pointer, f"{len(SAVED)}Q")))
        values["rsp"] = pointer + 8 * len(SAVED)
        return values


def workers(memory, first, version):
    """Those that run a block, of the list that begins at `first`."""
    if first and version != VERSION:
        raise Mistake("gcluster's script for debuggers and libgcluster are of different versions")
    found = []
    while first:
        worker = Worker(memory, first)
        first = worker.next
        if worker.block:
            found.append(worker)
    return sorted(found, key=lambda w: (w.kernel, w.index[::-1]))


def worker_of(index, all_workers):
    """The one that runs block `index`."""
    for worker in all_workers:
        if worker.index == index:
            return worker
    raise Mistake(f"block {triple(index)} doesn't run now: break in it, with a condition such as "
                  f"`blockIdx.x == {index[0]}`; see info cuda blocks")


# Words.

def triple(numbers):
    return "(" + ",".join(str(n) for n in numbers) + ")"


def place_in(text):
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    return tuple((numbers + [0, 0, 0])[:3])


def demangled(name, demangle):
    """A kernel's name as the source has it. The program may have put anything there."""
    if not re.fullmatch(r"_Z[A-Za-z0-9_.$]+", name):
        return repr(name)[1:-1]
    return without_arguments(demangle(name))


def without_arguments(function):
    """`void space::kernel<int>(float*)` without the type and the arguments."""
    depth = 0
    for i in range(len(function) - 1, -1, -1):
        depth += (function[i] == ")") - (function[i] == "(")
        if depth == 0 and function.endswith(")"):
            function = function[:i]
            break
    return function.removeprefix("void ")


def kernel_lines(all_workers, name_of):
    """The kernels that run: grid, block, where they were launched."""
    seen = {}
    for w in all_workers:
        seen.setdefault((w.kernel, w.grid, w.size, w.file, w.line), []).append(w)
    if not seen:
        yield "No kernel compiled with -G runs."
    for (name, grid, size, file, line), running in seen.items():
        launched = f", launched at {file}:{line}" if file else ""
        yield (f"{name_of(name)}: grid {triple(grid)}, blocks of {triple(size)}{launched}; "
               f"running: {', '.join(triple(w.index) for w in running)}")


def block_lines(all_workers, own, name_of, debuggers_thread):
    """The blocks that run, and how many of their threads do what."""
    for w in all_workers:
        counts = {}
        for t in range(w.count):
            counts[w.state(t)] = counts.get(w.state(t), 0) + 1
        mark = "*" if own and w.lwp == own.lwp else " "
        yield (f"{mark} {name_of(w.kernel)} block {triple(w.index)}, {debuggers_thread(w)}: "
               + ", ".join(f"{n} {s}" for s, n in counts.items()))


def thread_lines(worker, focus, name_of):
    """The threads of a block: who has come to which barrier, and who hasn't."""
    w = worker
    yield f"{name_of(w.kernel)} block {triple(w.index)}, {w.count} threads:"
    first = 0
    for t in range(1, w.count + 1):
        if t < w.count and w.state(t) == w.state(first):
            continue
        last = f" to {triple(w.place(t - 1))}" if t - 1 > first else ""
        mark = "*" if first == focus else " "
        yield f"{mark} {triple(w.place(first))}{last}: {w.state(first)}"
        first = t


def focus_line(worker, thread, name_of, node=""):
    return (f"[{node}{name_of(worker.kernel)}, block {triple(worker.index)}, "
            f"thread {triple(worker.place(thread))}: {worker.state(thread)}]")
