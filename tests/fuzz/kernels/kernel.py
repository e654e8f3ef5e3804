"""One kernel: its memory, its launches, its body."""
from math import gcd

from blocks import Shared, sequence
from expressions import expression
from scalars import (BLOCK, BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, STORAGE, THREAD, UCHAR, UINT, ULONG,
                     USHORT, WARP, promote)
from scope import Accumulator, Array, Owned, State, Variable
from statements import Structure, cast_return, declare, note, some, statement
from tree import Expr, Stmt
from warps import mixed

BLOCKS = {(1, 1, 1): 1, (7, 1, 1): 2, (33, 1, 1): 3, (5, 3, 2): 3, (1024, 1, 1): 1, (16, 16, 1): 3,
          (32, 8, 1): 2, (256, 1, 1): 3, (100, 1, 1): 3, (32, 1, 1): 2, (64, 1, 1): 2, (31, 1, 1): 1,
          (1, 40, 1): 1, (2, 2, 2): 1, (8, 8, 3): 1, (128, 1, 1): 2, (17, 5, 1): 1, (96, 2, 1): 1,
          (4, 1, 9): 1, (20, 20, 2): 0.5}
GRIDS = {(1, 1, 1): 2, (3, 1, 1): 3, (2, 3, 1): 2, (2, 1, 2): 1, (5, 1, 1): 2, (1, 2, 1): 1, (8, 1, 1): 1}
MAX_THREADS = 2500

MIXED = [("a", INT), ("b", FLOAT), ("c", SHORT), ("d", UCHAR), ("e", LONG)]
FLOAT4 = [(m, FLOAT) for m in "xyzw"]
INT2 = [("x", INT), ("y", INT)]


class Vectors:
    """An input whose elements have fields."""

    def __init__(self, name, type, count, fields):
        self.name, self.type, self.count, self.fields = name, type, count, fields


# What main() fills; prelude.cuh has the same table.
INPUTS = [Array("in_i", INT, 1000), Array("in_s", INT, 1024, 0, 15), Array("in_x", UINT, 4096, 0, 999),
          Array("in_u", UINT, 1024), Array("in_l", LONG, 600), Array("in_m", ULONG, 600),
          Array("in_f", FLOAT, 2000), Array("in_g", FLOAT, 256), Array("in_d", DOUBLE, 1000),
          Array("in_c", CHAR, 1024), Array("in_b", UCHAR, 1024), Array("in_h", SHORT, 777),
          Array("in_w", USHORT, 512), Array("in_t", BOOL, 512), Array("in_p", INT, 1024, 0, 1023)]
CONSTANTS = [Array("const_i", INT, 64), Array("const_x", UINT, 50, 0, 31), Array("const_f", FLOAT, 40)]
VECTORS = [Vectors("in_v", "float4", 500, FLOAT4), Vectors("in_y", "int2", 600, INT2),
           Vectors("in_z", "Mixed", 333, MIXED)]


def product(size):
    return size[0] * size[1] * size[2]


class Launch:
    """`after`: what main() does when it has run, instead of showing all outputs."""

    def __init__(self, grid, block):
        self.grid, self.block, self.after = grid, block, []
        self.blocks, self.threads = product(grid), product(block)
        self.total = self.blocks * self.threads


class Output:
    def __init__(self, name, type, count):
        self.name, self.type, self.count = name, type, count


class Function:
    """A __device__ function."""

    def __init__(self, name, result, parameters, head, body):
        self.name, self.result, self.parameters, self.head, self.body = name, result, parameters, head, body


def choose_launches(state):
    launches = []
    for _ in range(state.weighted({1: 3, 2: 3, 3: 1})):
        block, grid = state.weighted(BLOCKS), state.weighted(GRIDS)
        while product(block) * product(grid) > MAX_THREADS:
            grid = (grid[0] // 2 or 1, 1, 1)
        launches.append(Launch(grid, block))
    return launches


class Kernel:
    """Made from a seed and a number; the same two make the same kernel."""

    def __init__(self, random, number):
        self.number, self.name = number, f"k{number}"
        self.state = State(random, {})
        self.state.size = self.state.weighted({1: 5, 2: 3, 3: 1})
        self.constant_shapes = self.state.chance(0.3)  # whether the compiler knows them
        self.launches = choose_launches(self.state)
        self.preamble, self.outputs, self.shared = [], [], []
        self.dynamic = None
        self.functions = [self.make_function(i) for i in range(self.state.weighted({0: 4, 1: 2, 2: 1}))]
        self.choose_inputs()
        self.choose_scalars()
        self.declare_places()
        self.choose_outputs()
        if self.state.chance(0.6):
            self.choose_shared()
        self.body = self.make_body()
        # Whether results are the same on all levels with fused operations.
        self.exact = "inexact" not in self.state.names
        # Whether the host's compiler can tell what it computes: with the same functions, and where
        # nobody asks which lanes happen to be together.
        self.is_plain = self.exact and "active" not in self.state.names

    # ---- what the kernel is made of

    def make_function(self, number):
        state = State(self.state.random, self.state.names)
        state.level, state.depth, state.size = THREAD, 1, 1
        name = f"{self.name}_f{number}"
        result = state.pick([INT, UINT, FLOAT, FLOAT, DOUBLE, LONG, BOOL])
        parameters = [state.pick([INT, UINT, FLOAT, FLOAT, DOUBLE, ULONG, SHORT])
                      for _ in range(state.random.randint(1, 3))]
        state.arrays = list(CONSTANTS)
        state.variables = [Variable(f"p{i}", t, kind="free") for i, t in enumerate(parameters)]
        state.returns, state.result, state.trips = "value", result, 40
        body = [statement(state) for _ in range(state.random.randint(0, 3))]
        body.insert(0, Stmt("unsigned sum = 0;", fixed=True))
        body.append(Stmt("return ", cast_return(state), ";", fixed=True))
        attribute = state.pick(["__noinline__ ", "", "inline ", "__forceinline__ "])
        text = ", ".join(f"{t} p{i}" for i, t in enumerate(parameters))
        function = Function(name, result, parameters,
                            f"__device__ {attribute}static {result} {name}({text})", body)
        self.state.functions = self.state.functions + [function]
        return function

    def choose_inputs(self):
        state = self.state
        self.inputs = state.random.sample(INPUTS, state.random.randint(2, 3 + state.size))
        self.vectors = state.random.sample(VECTORS, state.random.randint(1, 3))
        state.arrays = self.inputs * 2 + CONSTANTS
        state.vectors = self.vectors

    def choose_scalars(self):
        state = self.state
        least, most = min(l.total for l in self.launches), max(l.total for l in self.launches)
        self.n = min(5000, state.random.randint(max(1, most // 2), max(2, 3 * most)), 12 * least)
        self.scalars = [(INT, "n", str(self.n))]
        state.variables.append(Variable("n", INT, self.n, self.n, BLOCK))
        for type, name, value in [(INT, "si", state.random.randint(-40, 40)),
                                  (UINT, "su", state.random.randrange(100)),
                                  (FLOAT, "sf", state.random.randint(-8, 8) / 4),
                                  (LONG, "sl", state.random.randint(-1 << 40, 1 << 40))]:
            self.scalars.append((type, name, str(value)))
            exact = (value, value) if type.kind == "int" and state.chance(0.5) else (None, None)
            state.variables.append(Variable(name, type, *exact, BLOCK))
        state.structs.append(Structure("sz", MIXED, BLOCK))

    def most(self, measure):
        return max(measure(launch) for launch in self.launches)

    def place(self, name, text, most, level, weight=1, type=None):
        """A variable that says where the thread is, in [0, most]."""
        type = type or self.state.pick([INT, INT, UINT])
        self.preamble.append(Stmt(f"const {type} {name} = {text};"))
        self.state.variables += [Variable(name, type, 0, most, level)] * weight

    def declare_places(self):
        state = self.state
        for axis, letter in enumerate("xyz"):
            extent = self.most(lambda l: l.block[axis])
            if extent > 1 or state.chance(0.15):
                state.variables.append(Variable(f"threadIdx.{letter}", UINT, 0, extent - 1))
            if axis == 0 or self.most(lambda l: l.grid[axis]) > 1:
                grid = self.most(lambda l: l.grid[axis])
                state.variables.append(Variable(f"blockIdx.{letter}", UINT, 0, grid - 1, BLOCK))
                state.variables.append(Variable(f"gridDim.{letter}", UINT, 1, grid, BLOCK))
            state.variables.append(Variable(f"blockDim.{letter}", UINT, 1, extent, BLOCK))
        threads, total = self.most(lambda l: l.threads), self.most(lambda l: l.total)
        self.place("t", "thread()", threads - 1, THREAD, 3)
        self.place("size", "threads()", threads, BLOCK)
        self.place("gid", "block() * threads() + thread()", total - 1, THREAD, 4)
        self.place("total", "blocks() * threads()", total, BLOCK, type=UINT)
        self.place("lane", "thread() & 31", 31, THREAD)
        self.place("warp", "thread() >> 5", (threads - 1) // 32, WARP)
        for name, axis, letter in ("col", 0, "x"), ("row", 1, "y"), ("layer", 2, "z"):
            text = f"blockIdx.{letter} * blockDim.{letter} + threadIdx.{letter}"
            self.place(name, text, self.most(lambda l: l.grid[axis] * l.block[axis]) - 1, THREAD)
        self.preamble += [Stmt("const unsigned width = gridDim.x * blockDim.x;"),
                          Stmt("const unsigned height = gridDim.y * blockDim.y;")]

    def global_slots(self, count):
        """Texts of the indexes, in [0, total * count), that belong to this thread alone."""
        state = self.state
        slots = range(count)
        kind = state.weighted({"packed": 4, "planes": 3, "reversed": 1.5, "grid": 3, "rotated": 1, "steps": 1})
        totals = [l.total for l in self.launches]
        step = next(p for p in (5, 7, 11, 13, 17, 19, 23) if all(gcd(p, x) == 1 for x in totals))
        forms = {"packed": lambda s: f"gid * {count} + {s}" if count > 1 else "gid",
                 "planes": lambda s: f"{s} * total + gid",
                 "reversed": lambda s: f"(total - 1 - gid) * {count} + {s}",
                 "grid": lambda s: f"((layer * height + row) * width + col) * {count} + {s}",
                 "rotated": lambda s: f"(gid + 13) % total + {s} * total",
                 "steps": lambda s: f"gid * {step} % total + {s} * total"}
        return [forms[kind](s) for s in slots]

    def choose_outputs(self):
        state = self.state
        total = self.most(lambda l: l.total)
        for i in range(state.random.randint(1, 1 + state.size)):
            type = state.weighted({INT: 5, UINT: 3, FLOAT: 5, DOUBLE: 1, LONG: 1, ULONG: 1, state.pick(STORAGE): 3})
            count = state.weighted({1: 5, 2: 2, 3: 1, 4: 1})
            self.outputs.append(Output(f"o{i}", type, total * count))
            state.owned.append(Owned(f"o{i}", type, self.global_slots(count)))
        if state.chance(0.7):
            type = state.pick([INT, UINT, FLOAT, UCHAR, DOUBLE])
            self.outputs.append(Output("stride", type, self.n))
            steps = -(-self.n // min(l.total for l in self.launches))
            state.stride = self.n, steps, [lambda i, type=type: Owned("stride", type, [i])]
        for i in range(state.weighted({0: 3, 1: 3, 2: 1})):
            type = state.pick([INT, UINT, UINT, ULONG])
            operation = state.pick(["atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"])
            count = state.pick([1, 2, 16, 64, 256, total])
            self.outputs.append(Output(f"a{i}", type, count))
            state.accumulators.append(Accumulator(f"a{i}", type, operation, count))
        if state.chance(0.25):
            self.outputs.append(Output("vectors", "float4", total))
            state.vector_slots = [("vectors", slot) for slot in self.global_slots(1)]
        if state.chance(0.15):
            self.outputs.append(Output("same", INT, 2))
            state.same = ["same[0] = n ^ si;", "same[1] = (int)su - 7;"]
        self.outputs.append(Output("sums", UINT, total))
        state.farewell = ["sums[gid] = sum;"]
        self.preamble.append(Stmt("unsigned sum = 0;", fixed=True))
        if state.chance(0.2):
            self.outputs.append(Output("tickets", UINT, 8))
            state.tickets.append("tickets")

    def shared_slots(self):
        """(count of elements, the thread's slots, whether slot [t] is thread t's)"""
        threads = self.most(lambda l: l.threads)
        kind = self.state.weighted({"line": 5, "packed": 1.5, "planes": 1, "reversed": 1, "padded": 1.5})
        if kind == "line":
            return threads, ["t"], True
        if kind == "packed":
            return threads * 2, ["t * 2", "t * 2 + 1"], False
        if kind == "planes":
            return threads * 2, ["t", "t + size"], False
        if kind == "reversed":
            return threads, ["size - 1 - t"], False
        rows = self.most(lambda l: (l.block[0] + 1) * l.block[1] * l.block[2])
        return rows, ["(threadIdx.z * blockDim.y + threadIdx.y) * (blockDim.x + 1) + threadIdx.x"], False

    def choose_shared(self):
        state = self.state
        for i in range(state.random.randint(1, state.size)):
            type = state.weighted({INT: 5, FLOAT: 5, UINT: 3, DOUBLE: 1, ULONG: 1, SHORT: 0.5, UCHAR: 1})
            count, slots, line = self.shared_slots()
            name = f"sh{i}"
            if self.dynamic is None and state.chance(0.25):
                self.dynamic = count * type.bits // 8
                declaration = f"DYNAMIC_SHARED;\n{type} *{name} = ({type} *)dynamic_shared;"
            else:
                declaration = f"__shared__ {type} {name}[{count}];"
            first = expression(state, promote(type), 1)
            fill = Stmt(f"{declaration}\nfor (unsigned i = thread(); i < {count}; i += threads())",
                        [Stmt(f"{name}[i] = ({type})", first, ";", fixed=True)], fixed=True)
            self.preamble.append(fill)
            self.shared.append(Shared(name, type, count, slots, line))
        self.preamble.append(Stmt("__syncthreads();", fixed=True))

    def make_body(self):
        state = self.state
        body = []
        if state.chance(0.55):
            state.mask = "live"
            self.preamble.append(Stmt("unsigned live = lanes();", fixed=True))
        for _ in range(state.random.randint(1, 1 + state.size)):
            body.append(declare(state))
        if self.shared or state.mask and state.chance(0.5):
            body += sequence(state, self.shared, state.random.randint(1, 1 + state.size))
        elif state.mask:
            for _ in range(2):
                mixed(state, body)
        if not state.mask:
            state.returns = state.pick(["return;", "sums[gid] = sum;\nreturn;"])
        # The last phase has no barrier; what it leaves is seen in the outputs.
        state.level = THREAD
        last = state.inside(THREAD)
        last.depth = 0
        last.arrays = last.arrays + [Array(s.name, s.type, s.count) for s in self.shared]
        some(last, body, state.random.randint(1, 2 * state.size))
        self.show(last, body)
        body += note(last, [v for v in last.variables if v.name[0] == "v"])
        body.append(Stmt("sums[gid] = sum;"))
        return body

    def show(self, state, body):
        """Everything that is alive at the end goes to the outputs."""
        for owned in state.owned[:3]:
            type = promote(owned.type)
            shown = [v for v in state.variables if v.kind != "const" and (promote(v.type) is type)]
            for slot in owned.slots:
                value = expression(state, type, 2)
                if shown:
                    v = state.pick(shown).read()
                    operator = "+" if type.is_float() else "^" if type is not BOOL else "!="
                    value = Expr(type, ["(", v, f" {operator} ", value, ")"])
                value = value if type is owned.type else Expr(owned.type, [f"({owned.type})", value])
                body.append(Stmt(f"{owned.name}[{slot}] = ", value, ";"))

    # ---- text

    def parameters(self):
        restrict = "" if self.state.names.get("v", 0) % 2 else "__restrict__ "
        texts = [f"const {a.type} *{restrict}{a.name}" for a in self.inputs]
        texts += [f"const {v.type} *{v.name}" for v in self.vectors]
        texts += [f"{type} {name}" for type, name, _ in self.scalars] + ["Mixed sz"]
        return texts + [f"{o.type} *{o.name}" for o in self.outputs]

    def declarations(self):
        """What stands before the kernel and its functions."""
        return []

    def setup(self):
        """The host's memory, once for all launches."""
        return [f'    Output<{o.type}> {o.name}("{o.name}", {o.count});' for o in self.outputs]

    def arguments(self, launch):
        names = [a.name for a in self.inputs] + [v.name for v in self.vectors]
        names += [f"({type}){value}" for type, _, value in self.scalars] + ["sz"]
        return names + [f"{o.name}.device" for o in self.outputs]
