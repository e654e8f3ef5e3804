"""Kernels in gdb: what blocks and threads of programs compiled with gcluster-cc -g -G do.

    info cuda kernels, info cuda blocks, info cuda threads
    cuda block (1,2,0) thread (5,0,0)     look at that thread, which waits or runs
    cuda continue                         run until the thread looked at goes on

Nothing of this file runs code in the program; gcluster_blocks.py reads what there is to be known.
"""
import os
import sys

import gdb
from gdb.FrameDecorator import FrameDecorator
from gdb.unwinder import Unwinder, register_unwinder

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True
import gcluster_blocks as blocks  # noqa: E402

memory = blocks.Memory(
    lambda address, size: gdb.selected_inferior().read_memory(address, size).tobytes())


def symbol(name):
    """What an 8-byte variable of libgcluster holds; 0 if the program has none."""
    try:
        address = int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
        return memory.read(address, "Q")[0]
    except gdb.error:
        return 0


def workers():
    """Those that run a block."""
    if not gdb.selected_thread():
        raise gdb.GdbError("the program doesn't run")
    return blocks.workers(memory, symbol("gcl_debugged_workers"), symbol("gcl_debugged_version"))


def own_worker():
    """The one that the selected thread is, or None."""
    thread = gdb.selected_thread()
    for worker in workers():
        if thread and worker.lwp == thread.ptid[1]:
            return worker
    return None


def gdb_thread(worker):
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == worker.lwp:
            return thread
    raise gdb.GdbError("the worker's thread has ended")


def demangled(name):
    return blocks.demangled(
        name, lambda n: gdb.execute(f"demangle -l c++ -- {n}", to_string=True).strip())


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
        return blocks.without_arguments(name) if isinstance(name, str) else name


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

class Command(gdb.Command):
    """One whose mistakes gdb shows without a Python trace."""

    def invoke(self, argument, _from_tty):
        try:
            self.run(argument)
        except blocks.Mistake as mistake:
            raise gdb.GdbError(str(mistake)) from None


class InfoCuda(gdb.Command):
    """What kernels, blocks and threads of programs compiled with -G do now."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)


class InfoKernels(Command):
    """The kernels that run: grid, block, where they were launched."""

    def __init__(self):
        super().__init__("info cuda kernels", gdb.COMMAND_STATUS)

    def run(self, _argument):
        print("\n".join(blocks.kernel_lines(workers(), demangled)))


class InfoBlocks(Command):
    """The blocks that run, and how many of their threads do what."""

    def __init__(self):
        super().__init__("info cuda blocks", gdb.COMMAND_STATUS)

    def run(self, _argument):
        for line in blocks.block_lines(workers(), own_worker(), demangled,
                                       lambda w: f"gdb's thread {gdb_thread(w).num}"):
            print(line)


class InfoThreads(Command):
    """The threads of the block in focus: who has come to which barrier, and who hasn't."""

    def __init__(self):
        super().__init__("info cuda threads", gdb.COMMAND_STATUS)

    def run(self, _argument):
        w = needed_worker()
        print("\n".join(blocks.thread_lines(w, focused(w), demangled)))


def needed_worker():
    """That of the selected thread."""
    worker = own_worker()
    if not worker:
        raise blocks.Mistake("the selected thread runs no block: see info cuda blocks")
    return worker


def focused(worker):
    return Focus.thread if Focus.lwp == worker.lwp else worker.running


class Cuda(Command):
    """Look at another thread: cuda [block (x,y,z)] [thread (x,y,z)]. Alone: say which it is."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK, prefix=True, completer_class=gdb.COMPLETE_NONE)

    def run(self, _argument):
        tell()


class CudaBlock(Command):
    """Look at a block that runs, or at one of its threads: cuda block (1,2,0) thread (5,0,0)."""

    def __init__(self):
        super().__init__("cuda block", gdb.COMMAND_STACK)

    def run(self, argument):
        block, _, thread = argument.partition("thread")
        w = blocks.worker_of(blocks.place_in(block), workers())
        Focus.clear()
        look_at(w, w.thread_at(thread) if thread else w.running)


class CudaThread(Command):
    """Look at a thread of the block in focus: cuda thread (5,0,0)."""

    def __init__(self):
        super().__init__("cuda thread", gdb.COMMAND_STACK)

    def run(self, argument):
        w = needed_worker()
        look_at(w, w.thread_at(argument))


class CudaNodes(Command):
    """Follow all nodes of a job, processes of this machine, in node 0's order: cuda nodes 123 124.
    gcluster-run --debug does that. Node 0 is inferior 1, and all stop when one does."""

    def __init__(self):
        super().__init__("cuda nodes", gdb.COMMAND_RUNNING)

    def run(self, argument):
        processes = [int(word) for word in argument.split()]
        # Pages come by these; what fails stops by SIGTRAP (gcl_debugger_stop_at_signal).
        for command in ("set schedule-multiple on", "handle SIGSEGV SIGBUS nostop noprint pass"):
            gdb.execute(command, to_string=True)
        for number, process in enumerate(processes, 1):
            if number > 1:
                gdb.execute("add-inferior", to_string=True)
                gdb.execute(f"inferior {number}", to_string=True)
            gdb.execute(f"attach {process}", to_string=True)
        gdb.execute("inferior 1", to_string=True)
        Nodes.count = len(processes)
        print(f"All {Nodes.count} nodes stand before main(): set breakpoints, then continue. Node 0 is "
              "inferior 1, node 1 inferior 2, and so on.")


class Nodes:
    count = 0  # of the job whose nodes are followed

    @classmethod
    def name(cls):
        """Says which node the selected process is, where that isn't the only one."""
        return f"node {gdb.selected_inferior().num - 1}: " if cls.count else ""


class CudaContinue(Command):
    """Run until the thread looked at, which waits, goes on."""

    def __init__(self):
        super().__init__("cuda continue", gdb.COMMAND_RUNNING)

    def run(self, _argument):
        if Focus.lwp is None:
            raise blocks.Mistake("the thread looked at doesn't wait: continue")
        frame = select_device_frame()
        stop = gdb.Breakpoint(f"*{frame.pc():#x}", internal=True, temporary=True)
        stop.condition = f"$sp == {int(frame.read_register('rsp')):#x}"
        Focus.clear()
        gdb.execute("continue")


def look_at(worker, thread):
    worker.must_stand(thread)
    Focus.clear()
    gdb_thread(worker).switch()
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
    print(blocks.focus_line(w, focused(w), demangled, Nodes.name()))


# Stops.

class Told:
    place = None


def tell_change():
    """Says which thread has stopped if it isn't the one that stopped before."""
    w = own_worker()
    place = (Nodes.name(), w.kernel, w.index, w.running) if w else None
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
                    CudaContinue, CudaNodes):
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
