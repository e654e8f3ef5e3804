"""Kernels in gdb: what blocks and threads of programs compiled with gcluster-cc -g -G do.

    info cuda kernels, info cuda blocks, info cuda threads
    cuda block (1,2,0) thread (5,0,0)     look at that thread, which waits or runs
    cuda continue                         run until the thread looked at goes on

Nothing of this file runs code in the program: it reads the tables that libgcluster keeps for
debuggers (runtime/exec/block/debugger.h), struct gcl_block and struct gcl_kernel
(gcluster/kernel.h), and a waiting thread's registers (runtime/exec/block/threads.c).
"""
import re
import struct

import gdb
from gdb.FrameDecorator import FrameDecorator
from gdb.unwinder import Unwinder, register_unwinder

VERSION = 1
EXIT, SEVERAL = 0xFFFFFFFF, 0xFFFFFFFE
WAITS = {1: "at the barrier", 2: "at the grid's barrier", 3: "polling", 4: "behind lower threads"}
# What switch_stacks (threads.c) has pushed, from the stack pointer up.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")


def read(address, layout):
    size = struct.calcsize("=" + layout)
    return struct.unpack("=" + layout, gdb.selected_inferior().read_memory(address, size).tobytes())


def read_text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string() if address else ""


def symbol(name):
    """What an 8-byte variable of libgcluster holds; 0 if the program has none."""
    try:
        address = int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
        return read(address, "Q")[0]
    except gdb.error:
        return 0


def triple(numbers):
    return "(" + ",".join(str(n) for n in numbers) + ")"


class Worker:
    """A thread of the runtime's, and the block that it runs."""

    def __init__(self, address):
        self.next, self.lwp, block, kernel, self.stack, file, self.line = read(address, "7Q")
        self.block = block
        if not block:
            return
        fields = read(block, "3I3I3IIIIIIQQQQQ")
        self.index, self.size, self.grid = fields[0:3], fields[3:6], fields[6:9]
        self.count, self.running = fields[9], fields[10]
        self.frame, next_of = fields[17], fields[18]
        self.next_of = read(next_of, f"{self.count}I")
        name, _, _, cuts, _, _, _, regions = read(kernel, "QQQQIIII")
        self.kernel, self.file = read_text(name), read_text(file)
        self.cuts = [read(cuts + 12 * i, "III") for i in range(regions)]

    def place(self, thread):
        x, y, _ = self.size
        return (thread % x, thread // x % y, thread // x // y)

    def number(self, place):
        return place[0] + self.size[0] * (place[1] + self.size[1] * place[2])

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

    def registers(self, thread):
        """Of a waiting thread, by name."""
        pointer = read(self.frame + self.stack * (thread + 1) - 16, "Q")[0]
        values = dict(zip(SAVED, read(pointer, f"{len(SAVED)}Q")))
        values["rsp"] = pointer + 8 * len(SAVED)
        return values

    def gdb_thread(self):
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] == self.lwp:
                return thread
        raise gdb.GdbError("the worker's thread has ended")


def workers():
    """Those that run a block."""
    if not gdb.selected_thread():
        raise gdb.GdbError("the program doesn't run")
    address, found = symbol("gcl_debugged_workers"), []
    if address and symbol("gcl_debugged_version") != VERSION:
        raise gdb.GdbError("gcluster's script for gdb and libgcluster are of different versions")
    while address:
        worker = Worker(address)
        address = worker.next
        if worker.block:
            found.append(worker)
    return sorted(found, key=lambda w: (w.kernel, w.index[::-1]))


def own_worker():
    """The one that the selected thread is, or None."""
    thread = gdb.selected_thread()
    for worker in workers():
        if thread and worker.lwp == thread.ptid[1]:
            return worker
    return None


def demangled(name):
    """A kernel's name as the source has it. The program may have put anything there."""
    if not re.fullmatch(r"_Z[A-Za-z0-9_.$]+", name):
        return repr(name)[1:-1]
    return without_arguments(gdb.execute(f"demangle -l c++ -- {name}", to_string=True).strip())


def without_arguments(function):
    """`void space::kernel<int>(float*)` without the type and the arguments."""
    depth = 0
    for i in range(len(function) - 1, -1, -1):
        depth += (function[i] == ")") - (function[i] == "(")
        if depth == 0 and function.endswith(")"):
            function = function[:i]
            break
    return function.removeprefix("void ")


# The focus: a waiting thread whose stack is shown behind the frame in which its worker stopped.

class Focus:
    lwp = thread = registers = index = size = None

    @classmethod
    def clear(cls):
        if cls.lwp is not None:
            cls.lwp = None
            gdb.invalidate_cached_frames()


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class WaitingThread(Unwinder):
    """Has the stack of the focus follow the innermost frame of the worker that runs its block."""

    def __init__(self):
        super().__init__("gcluster")

    def __call__(self, pending):
        if not looks() or pending.level() != 0:
            return None
        # As if it lay right below that stack: gdb unwinds from lower to higher addresses alone.
        below = gdb.Value(Focus.registers["rsp"] - 16).cast(pending.read_register("rsp").type)
        unwound = pending.create_unwind_info(FrameId(below, pending.read_register("rip")))
        for name, value in Focus.registers.items():
            register_type = pending.read_register(name).type
            unwound.add_saved_register(name, gdb.Value(value).cast(register_type))
        return unwound


def is_device_frame(frame):
    try:
        block = frame.block()
    except RuntimeError:
        return False
    while block and not block.function:
        block = block.superblock
    return bool(block) and any(s.name == "threadIdx" for s in block)


def is_machinery(frame):
    """Whether a frame is of what runs the threads, in libgcluster or beside the kernel."""
    if (frame.name() or "").startswith("gcl.thread."):
        return True
    return "libgcluster.so" in (gdb.solib_name(frame.pc()) or "")


def looks():
    """Whether the selected thread's innermost frame is another thread's than that looked at."""
    thread = gdb.selected_thread()
    return Focus.lwp is not None and thread and thread.ptid[1] == Focus.lwp


def select_device_frame():
    frame = gdb.newest_frame().older() if looks() else gdb.newest_frame()
    while frame and not is_device_frame(frame):
        frame = frame.older()
    if frame:
        frame.select()
    return frame


class KernelFrame(FrameDecorator):
    """A frame whose function is named as without filters."""

    def function(self):
        name = super().function()
        return without_arguments(name) if isinstance(name, str) else name


class KernelFrames:
    """Leaves what runs a kernel's threads out of backtraces, but for `backtrace -no-filters`."""

    def __init__(self):
        self.name, self.priority, self.enabled = "gcluster", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        decorated = list(frames)
        device = [i for i, d in enumerate(decorated[:64]) if is_device_frame(d.inferior_frame())]
        if not device:
            return iter(decorated)
        if has_failed(decorated[0].inferior_frame()):
            decorated = decorated[device[0]:]
        return (KernelFrame(d) for d in decorated if not is_machinery(d.inferior_frame())
                and not (looks() and d.inferior_frame().level() == 0))


# Commands.

class InfoCuda(gdb.Command):
    """What kernels, blocks and threads of programs compiled with -G do now."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)


class InfoKernels(gdb.Command):
    """The kernels that run: grid, block, where they were launched."""

    def __init__(self):
        super().__init__("info cuda kernels", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        seen = {}
        for w in workers():
            seen.setdefault((w.kernel, w.grid, w.size, w.file, w.line), []).append(w)
        if not seen:
            print("No kernel compiled with -G runs.")
        for (name, grid, size, file, line), running in seen.items():
            launched = f", launched at {file}:{line}" if file else ""
            print(f"{demangled(name)}: grid {triple(grid)}, blocks of {triple(size)}{launched}; "
                  f"running: {', '.join(triple(w.index) for w in running)}")


class InfoBlocks(gdb.Command):
    """The blocks that run, and how many of their threads do what."""

    def __init__(self):
        super().__init__("info cuda blocks", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        own = own_worker()
        for w in workers():
            counts = {}
            for t in range(w.count):
                counts[w.state(t)] = counts.get(w.state(t), 0) + 1
            mark = "*" if own and w.lwp == own.lwp else " "
            print(f"{mark} {demangled(w.kernel)} block {triple(w.index)}, gdb's thread "
                  f"{w.gdb_thread().num}: " + ", ".join(f"{n} {s}" for s, n in counts.items()))


class InfoThreads(gdb.Command):
    """The threads of the block in focus: who has come to which barrier, and who hasn't."""

    def __init__(self):
        super().__init__("info cuda threads", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        w = own_worker()
        if not w:
            raise gdb.GdbError("the selected thread runs no block: see info cuda blocks")
        print(f"{demangled(w.kernel)} block {triple(w.index)}, {w.count} threads:")
        first = 0
        for t in range(1, w.count + 1):
            if t < w.count and w.state(t) == w.state(first):
                continue
            last = f" to {triple(w.place(t - 1))}" if t - 1 > first else ""
            mark = "*" if first == focused(w) else " "
            print(f"{mark} {triple(w.place(first))}{last}: {w.state(first)}")
            first = t


def focused(worker):
    return Focus.thread if Focus.lwp == worker.lwp else worker.running


def parse_place(text, size):
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    place = tuple((numbers + [0, 0, 0])[:3])
    if size and any(n >= m for n, m in zip(place, size)):
        raise gdb.GdbError(f"the block has no thread {triple(place)}: its size is {triple(size)}")
    return place


class Cuda(gdb.Command):
    """Look at another thread: cuda [block (x,y,z)] [thread (x,y,z)]. Alone: say which it is."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK, prefix=True, completer_class=gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        tell()


class CudaBlock(gdb.Command):
    """Look at a block that runs, or at one of its threads: cuda block (1,2,0) thread (5,0,0)."""

    def __init__(self):
        super().__init__("cuda block", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        block, _, thread = argument.partition("thread")
        index = parse_place(block, None)
        for w in workers():
            if w.index == index:
                Focus.clear()
                look_at(w, w.number(parse_place(thread, w.size)) if thread else w.running)
                return
        raise gdb.GdbError(f"block {triple(index)} doesn't run now: break in it, with a condition "
                           f"such as `if blockIdx.x == {index[0]}`; see info cuda blocks")


class CudaThread(gdb.Command):
    """Look at a thread of the block in focus: cuda thread (5,0,0)."""

    def __init__(self):
        super().__init__("cuda thread", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        w = own_worker()
        if not w:
            raise gdb.GdbError("the selected thread runs no block: see info cuda blocks")
        look_at(w, w.number(parse_place(argument, w.size)))


class CudaContinue(gdb.Command):
    """Run until the thread looked at, which waits, goes on."""

    def __init__(self):
        super().__init__("cuda continue", gdb.COMMAND_RUNNING)

    def invoke(self, _argument, _from_tty):
        if Focus.lwp is None:
            raise gdb.GdbError("the thread looked at doesn't wait: continue")
        frame = select_device_frame()
        stop = gdb.Breakpoint(f"*{frame.pc():#x}", internal=True, temporary=True)
        stop.condition = f"$sp == {int(frame.read_register('rsp')):#x}"
        Focus.clear()
        gdb.execute("continue")


def look_at(worker, thread):
    if thread != worker.running and not worker.waits(thread):
        raise gdb.GdbError(f"thread {triple(worker.place(thread))} {worker.state(thread)}")
    Focus.clear()
    worker.gdb_thread().switch()
    if thread != worker.running:
        Focus.lwp, Focus.thread = worker.lwp, thread
        Focus.registers = worker.registers(thread)
    gdb.invalidate_cached_frames()
    select_device_frame()
    tell()
    gdb.execute("frame")


def tell():
    w = own_worker()
    if not w:
        print("The selected thread runs no block: see info cuda blocks.")
        return
    t = focused(w)
    print(f"[{demangled(w.kernel)}, block {triple(w.index)}, thread {triple(w.place(t))}: "
          f"{w.state(t)}]")


# Stops.

class Told:
    place = None


def tell_change():
    """Says which thread has stopped if it isn't the one that stopped before."""
    w = own_worker()
    place = (w.kernel, w.index, w.running) if w else None
    if place and place != Told.place:
        tell()
    Told.place = place


def has_failed(frame):
    """Whether the program has stopped because a kernel failed (gcl_debugger_stop)."""
    for _ in range(8):
        if frame and frame.name() == "gcl_debugger_stop":
            return True
        frame = frame.older() if frame else None
    return False


def on_stop(event):
    Focus.clear()
    if not isinstance(event, gdb.BreakpointEvent) and has_failed(gdb.newest_frame()):
        show_failure()
    elif is_device_frame(gdb.newest_frame()):
        tell_change()


def show_failure():
    if select_device_frame():
        tell()
        gdb.execute("frame")


def start():
    for command in (InfoCuda, InfoKernels, InfoBlocks, InfoThreads, Cuda, CudaBlock, CudaThread,
                    CudaContinue):
        command()
    register_unwinder(None, WaitingThread(), replace=True)
    KernelFrames()
    gdb.events.stop.connect(on_stop)
    # gdb notes where it steps from before it goes: from the frame that runs.
    for name in ("next", "step", "finish", "until", "advance", "stepi", "nexti"):
        gdb.execute(f"define hook-{name}\npython gcluster_focus.clear()\nend")


if "gcluster_focus" not in globals():  # gdb may find this file in two ways
    gcluster_focus = Focus
    start()
