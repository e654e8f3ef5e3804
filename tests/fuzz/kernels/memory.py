"""What a kernel of the profile `footprint` gets from its launch: integers, and memory, each as a
parameter of its own, as a field of a struct, or, for memory, as a __device__ variable or through a
table of pointers that lies in memory, too."""
import re

from scalars import BLOCK, BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, UCHAR, UINT, ULONG
from scope import Array, Variable
from tree import Stmt

ELEMENTS = {INT: 6, UINT: 4, FLOAT: 4, UCHAR: 1, SHORT: 1, DOUBLE: 1, LONG: 1, ULONG: 1, CHAR: 0.5}


class Size:
    """An integer: a value for each launch."""

    def __init__(self, name, type, values):
        self.type, self.values = type, values
        self.field = name
        self.lo, self.hi = min(values), max(values)
        self.name = name  # in the kernel

    def declaration(self):
        return f"{self.type} {self.field}"

    def argument(self, launch):
        return f"({self.type}){self.values[launch.number]}"

    def integer(self):
        """As an int, for arithmetic with a sign."""
        return self.name if self.type in (INT, SHORT) else f"(int){self.name}"


class Memory:
    """An allocation, of which a kernel uses elements [-before, count) from where the pointer leads.
    Inputs are filled with `value`, text of what element i gets, counted from there; outputs hold
    zeros at first, and have none."""

    def __init__(self, name, type, before, count, value=None):
        self.field = self.name = name
        self.type, self.before, self.count, self.value = type, before, max(count, 1), value
        self.after = self.shift = 0
        self.is_variable = self.is_unordered = False
        self.takes_anything = value is None

    def declaration(self):
        return f"{'const ' * (self.value is not None)}{self.type} *{self.field}"

    def argument(self, launch):
        return f"{self.field}.device + {self.before - self.shift}"

    def total(self):
        return self.before + self.count + self.after

    def maker(self):
        """What makes element i of the allocation."""
        shift = f"i -= {self.before}; " * (self.before > 0 and "i" in re.findall(r"\w+", self.value))
        return f"[](unsigned i) {{ {shift}return {self.value}; }}"

    def setup(self):
        total, name = self.total(), self.field
        symbol = f", {self.name}" if self.is_variable else ""
        if self.value is not None:
            return [f"    Input<{self.type}> {name}({total}, {self.maker()}{symbol});"]
        order = f"\n    {name}.is_unordered = true;" if self.is_unordered else ""
        return [f'    Output<{self.type}> {name}("{name}", {total}{symbol});{order}']


class Table:
    """Pointers to rows of a memory."""

    def __init__(self, name, memory, rows, pitch):
        self.field = self.name = name
        self.memory, self.rows, self.pitch = memory, max(rows, 1), pitch

    def declaration(self):
        const = "const " * (self.memory.value is not None)
        return f"{const}{self.memory.type} *const *{self.field}"

    def argument(self, launch):
        return f"{self.field}.device"

    def setup(self):
        const = "const " * (self.memory.value is not None)
        return [f"    Input<{const}{self.memory.type} *> {self.field}({self.rows}, [&](unsigned i) "
                f"{{ return {self.memory.field}.device + {self.memory.before} + i * {self.pitch}; }});"]


class Parameters:
    """All that a launch passes. Those in `view` are fields of one struct."""

    def __init__(self, state, kernel_name, launches):
        self.state, self.kernel_name, self.launches = state, kernel_name, launches
        self.moves = []  # statements at the kernel's begin
        self.own, self.view, self.memories, self.tables = [], [], [], []
        self.has_view = state.chance(0.4)

    def place(self, parameter):
        if self.has_view and self.state.chance(0.6):
            self.view.append(parameter)
            parameter.name = f"view.{parameter.field}"
        else:
            self.own.append(parameter)
        return parameter

    def size(self, values, types=None):
        type = self.state.weighted(types or {INT: 8, UINT: 3, LONG: 1, SHORT: 0.5, ULONG: 0.5})
        size = self.place(Size(self.state.fresh("n"), type, values))
        self.state.variables.append(Variable(size.name, type, size.lo, size.hi, BLOCK))
        return size

    def memory(self, type, count, value=None, before=0):
        name = self.state.fresh("m")
        memory = Memory(name, type, before, count, value)
        self.memories.append(memory)
        if before == 0 and self.state.chance(0.1):
            memory.is_variable = True
            memory.name = f"{self.kernel_name}_{name}"
        else:
            if self.state.chance(0.2):  # from the middle of an allocation
                memory.before += self.state.pick([1, 3, 16, 100])
                memory.after = self.state.pick([0, 1, 7, 64])
            self.place(memory)
            if self.state.chance(0.1):
                self.move(memory)
        return memory

    def move(self, memory):
        """The kernel changes the pointer, before it uses it."""
        shift = self.state.random.randint(0, 40)
        size = self.size([shift] * self.launches, {INT: 1, UINT: 1})
        memory.shift = shift
        memory.before += shift
        self.moves.append(Stmt(f"{memory.name} += {size.name};", fixed=True))

    def input(self, type, count, before=0):
        """Memory of which any value will do."""
        value = {BOOL: "random_bits() % 2 != 0", FLOAT: "random_real()", DOUBLE: "random_real()"}
        memory = self.memory(type, count, value.get(type, "random_integer()"), before)
        memory.takes_anything = True
        return memory

    def table(self, memory, rows, pitch):
        table = self.place(Table(self.state.fresh("t"), memory, rows, pitch))
        self.tables.append(table)
        return table

    # ---- text

    def declarations(self):
        lines = [f"__device__ {m.type} {m.name}[{m.count}];" for m in self.memories if m.is_variable]
        if self.view:
            lines += [f"struct {self.kernel_name}_view {{"] + [f"    {p.declaration()};" for p in self.view]
            lines += ["};"]
        return lines

    def parameters(self):
        own = [p.declaration() for p in self.own]
        return own + [f"{self.kernel_name}_view view"] * bool(self.view)

    def arguments(self, launch):
        own = [p.argument(launch) for p in self.own]
        fields = ", ".join(p.argument(launch) for p in self.view)
        return own + [f"{self.kernel_name}_view{{{fields}}}"] * bool(self.view)

    def setup(self):
        return [line for part in (self.memories, self.tables) for p in part for line in p.setup()]


def readable(memory, lo=None, hi=None):
    """For expressions that read it anywhere."""
    return Array(memory.name, memory.type, memory.count, lo, hi)
