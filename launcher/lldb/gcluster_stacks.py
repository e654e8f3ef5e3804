"""lldb's door for threads that aren't the system's: adds those that gcluster_lldb.py looks at.

lldb loads this file once for each process, by target.process.python-os-plugin-path.
"""
import struct

import gcluster_lldb

# As DWARF numbers them.
REGISTERS = ("rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
             "r12", "r13", "r14", "r15", "rip")
GENERIC = {"rbp": "fp", "rsp": "sp", "rip": "pc"}


class OperatingSystemPlugIn:
    """lldb's door: adds the threads looked at to those of the system."""

    def __init__(self, process):
        self.process = process

    def get_thread_info(self):
        return [describe(number, *where) for number, where in gcluster_lldb.Focus.of(self.process).items()]

    def create_thread(self, number, _context):
        where = gcluster_lldb.Focus.of(self.process).get(number)
        return describe(number, *where) if where else None

    def get_register_info(self):
        registers = []
        for i, name in enumerate(REGISTERS):
            known = {"generic": GENERIC[name]} if name in GENERIC else {}
            registers.append({"name": name, "bitsize": 64, "offset": 8 * i, "encoding": "uint",
                              "format": "hex", "set": 0, "gcc": i, "dwarf": i, **known})
        return {"sets": ["general"], "registers": registers}

    def get_register_data(self, number):
        worker, thread = gcluster_lldb.Focus.of(self.process)[number]
        values = worker.registers(thread)
        return struct.pack("=17Q", *(values.get(name, 0) for name in REGISTERS))


def describe(number, worker, thread):
    return {"tid": number, "name": gcluster_lldb.place_name(worker, thread), "state": "stopped",
            "stop_reason": "none"}
