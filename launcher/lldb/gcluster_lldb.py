"""Kernels in lldb: what blocks and threads of programs compiled with gcluster-cc -g -G do.

    info cuda kernels, info cuda blocks, info cuda threads
    cuda block (1,2,0) thread (5,0,0)     look at that thread, which waits or runs
    cuda                                  say which thread is looked at

A waiting thread has a stack of its own, but is none of the system's threads: while somebody looks
at it, lldb has one more thread, by lldb's door for threads of operating systems. It is gone when the
program goes on. What there is to be known gcluster_blocks.py reads, and runs nothing in the program.
"""
import os
import sys

import lldb

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "gdb"))
sys.dont_write_bytecode = True
import gcluster_blocks as blocks  # noqa: E402

# Above the numbers that the system gives threads.
FOCUS = 1 << 32


class Focus:
    """The waiting threads that have been looked at since the program stopped, by lldb's number."""

    stop, threads = None, {}  # which stop; a worker and a thread of its block for each number

    @classmethod
    def of(cls, process):
        stop = (process.GetUniqueID(), process.GetStopID())
        if cls.stop != stop:
            cls.stop, cls.threads = stop, {}
        return cls.threads


def place_name(worker, thread):
    return f"block {blocks.triple(worker.index)} thread {blocks.triple(worker.place(thread))}"


def memory_of(process):
    def read_bytes(address, size):
        error = lldb.SBError()
        found = process.ReadMemory(address, size, error)
        if not error.Success():
            raise blocks.Mistake(f"the program's memory can't be read: {error.GetCString()}")
        return found
    return blocks.Memory(read_bytes)


def symbol(process, memory, name):
    """What an 8-byte variable of libgcluster holds; 0 if the program has none."""
    target = process.GetTarget()
    for context in target.FindSymbols(name):
        address = context.symbol.GetStartAddress().GetLoadAddress(target)
        if address != lldb.LLDB_INVALID_ADDRESS:
            return memory.read(address, "Q")[0]
    return 0


def workers(process):
    """Those that run a block."""
    if not process.IsValid() or process.GetState() != lldb.eStateStopped:
        raise blocks.Mistake("the program isn't stopped")
    memory = memory_of(process)
    return blocks.workers(memory, symbol(process, memory, "gcl_debugged_workers"),
                          symbol(process, memory, "gcl_debugged_version"))


def own_focus(process):
    """The worker and the thread of its block that lldb's selected thread is, or None."""
    selected = process.GetSelectedThread().GetThreadID()
    known = Focus.of(process).get(selected)
    if known:
        return known
    for worker in workers(process):
        if worker.lwp == selected:
            return worker, worker.running
    return None


def needed_focus(process):
    focus = own_focus(process)
    if not focus:
        raise blocks.Mistake("the selected thread runs no block: see info cuda blocks")
    return focus


def demangled(name):
    result = lldb.SBCommandReturnObject()

    def demangle(mangled):
        interpreter = lldb.debugger.GetCommandInterpreter()
        interpreter.HandleCommand(f"language cplusplus demangle -- {mangled}", result)
        return (result.GetOutput() or mangled).rpartition("---> ")[2].strip()
    return blocks.demangled(name, demangle)


def is_device_frame(frame):
    return frame.FindVariable("threadIdx").IsValid()


def select_device_frame(thread):
    """The innermost frame that is a kernel's or a device function's; None if there is none."""
    for frame in thread.get_thread_frames()[:64]:
        if is_device_frame(frame):
            thread.SetSelectedFrame(frame.GetFrameID())
            return frame
    return None


def look_at(process, worker, thread):
    worker.must_stand(thread)
    number = worker.lwp
    if thread != worker.running:
        number = FOCUS * (thread + 1) + worker.lwp
        Focus.of(process)[number] = (worker, thread)
        if not process.GetThreadByID(number).IsValid():
            process.CreateOSPluginThread(number, 0)
    process.SetSelectedThreadByID(number)
    selected = process.GetSelectedThread()
    if selected.GetThreadID() != number:
        raise blocks.Mistake("lldb shows no thread but the system's: start it by gcluster-lldb, or "
                             "give it target.process.python-os-plugin-path before the program runs")
    frame = select_device_frame(selected)
    return [blocks.focus_line(worker, thread, demangled)] + ([str(frame)] if frame else [])


# Commands. lldb calls them with words, and shows what they put into `result`.

def told(command):
    """One that says its lines, and the mistakes of a person without a Python trace."""
    def call(_debugger, words, context, result, _session):
        try:
            for line in command(words, context.GetProcess()):
                result.AppendMessage(line)
        except blocks.Mistake as mistake:
            result.SetError(str(mistake))
    return call


@told
def info(words, process):
    what = words.split()
    if what == ["cuda", "kernels"]:
        return blocks.kernel_lines(workers(process), demangled)
    if what == ["cuda", "blocks"]:
        own = own_focus(process)
        return blocks.block_lines(
            workers(process), own[0] if own else None, demangled,
            lambda w: f"lldb's thread {process.GetThreadByID(w.lwp).GetIndexID()}")
    if what == ["cuda", "threads"]:
        worker, thread = needed_focus(process)
        return blocks.thread_lines(worker, thread, demangled)
    raise blocks.Mistake("info cuda kernels, info cuda blocks or info cuda threads")


@told
def cuda(words, process):
    block, _, thread = words.partition("thread")
    if block.startswith("block"):
        worker = blocks.worker_of(blocks.place_in(block), workers(process))
        return look_at(process, worker, worker.thread_at(thread) if thread else worker.running)
    if thread:
        worker, _ = needed_focus(process)
        return look_at(process, worker, worker.thread_at(thread))
    if words:
        raise blocks.Mistake("cuda [block (x,y,z)] [thread (x,y,z)]")
    return [blocks.focus_line(*needed_focus(process), demangled)]


class Stop:
    """Says which thread has stopped, and goes to the statement at which a kernel has failed."""

    def __init__(self, _target, _words, _session):
        self.place = None

    def handle_stop(self, context, stream):
        try:
            self.tell(context, stream)
        except blocks.Mistake as mistake:
            stream.Print(f"{mistake}\n")
        return True

    def tell(self, context, stream):
        thread = context.GetThread()
        failed = any(frame.GetFunctionName() == "gcl_debugger_stop"
                     for frame in thread.get_thread_frames()[:8])
        if failed:
            frame = select_device_frame(thread)
            if frame:
                stream.Print(f"{frame}\n")
        elif not is_device_frame(thread.GetFrameAtIndex(0)):
            return
        focus = own_focus(context.GetProcess())
        place = focus and (focus[0].kernel, focus[0].index, focus[1])
        if place and place != self.place:
            stream.Print(blocks.focus_line(*focus, demangled) + "\n")
        self.place = place


def __lldb_init_module(debugger, _session):
    plugin, unsaid = os.path.join(HERE, "gcluster_stacks.py"), lldb.SBCommandReturnObject()
    for command in (f"settings set target.process.python-os-plugin-path '{plugin}'",
                    f"command script add -f {__name__}.info info",
                    f"command script add -f {__name__}.cuda cuda",
                    f"target stop-hook add -P {__name__}.Stop"):
        debugger.GetCommandInterpreter().HandleCommand(command, unsaid)
