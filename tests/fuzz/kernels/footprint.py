"""Kernels of the profile `footprint`: what they read and write follows from where their threads are,
as in programs that people write, and main() gives them just the memory that this takes. They use no
warp operations and no inexact functions, so that the host's compiler knows what they compute."""
from blocks import Shared, sequence
from domains import DOMAINS, Line
from expressions import condition, expression
from kernel import CONSTANTS, FLOAT4, INT2, MIXED, Launch, Output, Vectors, product
from memory import Parameters, readable
from reads import LINE_READS, PLANE_READS, element_type, signed, sum_up
from writes import write_column, write_list
from scalars import BLOCK, DOUBLE, FLOAT, INT, THREAD, UINT, ULONG, promote
from scope import Accumulator, Owned, State, Variable
from statements import accumulate, declare, some
from tree import Expr, Stmt

SHAPES = {1: ([1, 7, 31, 32, 33, 64, 100, 128, 256, 1024], [1, 2, 3, 5, 8, 13, 40]),
          2: ([(16, 16), (32, 8), (8, 4), (17, 5), (1, 40), (33, 3), (7, 7), (5, 3), (64, 1)],
              [(1, 1), (2, 3), (3, 2), (5, 1), (1, 4), (4, 4), (7, 9)]),
          3: ([(5, 3, 2), (4, 4, 4), (8, 2, 3), (1, 1, 9), (2, 2, 2), (16, 2, 2), (33, 1, 3)],
              [(1, 1, 1), (2, 1, 2), (2, 3, 2), (1, 2, 3), (3, 2, 1), (5, 4, 3)])}
MAX_THREADS = 2500
STRUCTS = [("float4", FLOAT4, "random_float4()"),
           ("int2", INT2, "random_int2(i)"), ("Mixed", MIXED, "random_mixed()")]
REDUCTIONS = ["Add", "Add", "Min", "Max", "And", "Or", "Xor"]


def shape(extents):
    return (tuple(extents) if isinstance(extents, tuple) else (extents,)) + (1,) * 2


def choose_launches(state, dimensions):
    blocks, grids = SHAPES[dimensions]
    launches = []
    for number in range(state.weighted({1: 3, 2: 3, 3: 1})):
        block, grid = shape(state.pick(blocks))[:3], shape(state.pick(grids))[:3]
        while product(block) * product(grid) > MAX_THREADS:
            grid = tuple(g // 2 or 1 for g in grid)
        launches.append(Launch(grid, block))
        launches[-1].number = number
    return launches


class FootprintKernel:
    """Made from a seed and a number; the same two make the same kernel."""

    exact = is_plain = True

    def __init__(self, random, number):
        self.number, self.name = number, f"k{number}"
        self.state = state = State(random, {})
        state.size = state.weighted({1: 5, 2: 1})
        state.is_exact, state.may_peek = True, False
        self.constant_shapes = state.chance(0.3)
        self.dimensions = state.weighted({1: 4, 2: 4, 3: 2})
        self.launches = choose_launches(state, self.dimensions)
        self.passed = Parameters(state, self.name, len(self.launches))
        self.functions, self.dynamic = [], None
        self.preamble = [Stmt("unsigned sum = 0;", fixed=True)]
        self.declare_places()
        self.body = self.make_body()
        self.preamble[1:1] = self.passed.moves
        self.outputs = [Output(m.field, m.type, m.count) for m in self.passed.memories if m.value is None]

    def most(self, measure):
        return max(measure(launch) for launch in self.launches)

    def declare_places(self):
        state = self.state
        for axis, letter in enumerate("xyz"[:self.dimensions]):
            block, grid = self.most(lambda l: l.block[axis]), self.most(lambda l: l.grid[axis])
            state.variables += [Variable(f"threadIdx.{letter}", UINT, 0, block - 1),
                                Variable(f"blockDim.{letter}", UINT, 1, block, BLOCK),
                                Variable(f"blockIdx.{letter}", UINT, 0, grid - 1, BLOCK),
                                Variable(f"gridDim.{letter}", UINT, 1, grid, BLOCK)]
        state.arrays = CONSTANTS[:1]

    # ---- the body

    def make_body(self):
        state, body = self.state, []
        has_shared = state.chance(0.3)
        shared = self.make_shared() if has_shared else []
        if has_shared:
            body += sequence(state, shared, state.random.randint(1, 2))
            state.arrays += [readable(s) for s in shared] * 2
        count = state.weighted({1: 4, 2: 1})
        reduces = bool(shared) and shared[0].line and state.chance(0.5)
        for i in range(count):
            body += self.make_domain(i == count - 1 and not reduces)
        if reduces:
            body += self.block_sum(shared[0])
        return body

    def make_shared(self):
        """A tile that every block loads, and that later phases change."""
        state = self.state
        threads, total = self.most(lambda l: l.threads), self.most(lambda l: l.total)
        type = state.pick([INT, UINT, FLOAT, ULONG])
        memory = self.passed.input(type, total)
        place = state.weighted({"block() * threads() + thread()": 4, "blocks() * threads() - 1 - (block() * threads() + thread())": 1,
                                "thread() * blocks() + block()": 1})
        n = self.passed.size([l.total - state.random.randrange(1 + min(l.total, 20)) for l in self.launches], {INT: 1, UINT: 1})
        at = state.fresh("at")
        self.preamble += [Stmt(f"__shared__ {type} sh0[{threads}];\nconst unsigned t = thread(), size = threads(), {at} = {place};",
                               fixed=True),
                          Stmt(f"sh0[t] = {at} < {n.name} ? {memory.name}[{at}] : ({type})0;", fixed=True),
                          Stmt("__syncthreads();", fixed=True)]
        # Blocks may be smaller than the tile: only what was loaded is read.
        return [Shared("sh0", type, min(l.threads for l in self.launches), ["t"], True)]

    def block_sum(self, shared):
        """One element a block, written by its first thread, or all of them combined."""
        state = self.state
        blocks = self.most(lambda l: l.blocks)
        d, s = state.fresh("d"), shared.name
        body = [Stmt("__syncthreads();", fixed=True), Stmt(f"{s}[t] = ({shared.type})sum;"),
                Stmt("__syncthreads();", fixed=True),
                Stmt(f"for (unsigned {d} = 512; {d} > 0; {d} >>= 1) {{",
                     [Stmt(f"if (t < {d} && t + {d} < size)", [Stmt(f"{s}[t] += {s}[t + {d}];" if shared.type is not INT else
                                                                     f"{s}[t] = max({s}[t], {s}[t + {d}]);", fixed=True)], fixed=True),
                      Stmt("__syncthreads();", fixed=True)], "}")]
        if state.chance(0.6) or shared.type is FLOAT:
            out = self.passed.memory(shared.type, blocks)
            return body + [Stmt(f"if (t == 0)", [Stmt(f"{out.name}[block()] = {s}[0];", fixed=True)])]
        out = self.passed.memory(shared.type, 4)
        return body + [Stmt(f"if (t == 0)", [Stmt(f"atomicMax(&{out.name}[block() % 4], {s}[0]);", fixed=True)])]

    def make_domain(self, is_last):
        state = self.state
        domain = state.weighted(DOMAINS)(self, is_last)
        inner = state.inside(THREAD, domain.trips)
        inner.depth = state.depth
        if is_last and state.chance(0.3):
            inner.returns = "return;"
        inner.accumulators, inner.tickets = list(state.accumulators), list(state.tickets)
        inner.variables += domain.variables * 3
        self.add_reads(domain, inner)
        writes = self.add_outputs(domain, inner)
        self.add_reductions(inner)
        body = []
        for _ in range(state.weighted({0: 3, 1: 4, 2: 2})):
            body += sum_up(self, inner, domain.variables)
        for _ in range(state.random.randint(0, 2)):
            body.append(declare(inner))
        some(inner, body, state.random.randint(0, 2))
        inner.variables.append(Variable("sum", UINT))
        for owned in writes:
            body += self.write(inner, owned)
        if isinstance(domain, Line):
            body += self.add_lists(inner, domain)
        return domain.wrap(body)

    def add_lists(self, inner, line):
        body = []
        for form, chance in (write_column, 0.1), (write_list, 0.1):
            if self.state.chance(chance):
                body += form(self, inner, line)
        return body

    def add_reads(self, domain, inner):
        state = self.state
        line = isinstance(domain, Line)
        for _ in range(state.random.randint(1, 3)):
            form = state.weighted(LINE_READS if line else PLANE_READS)
            inner.arrays += [form(self, domain)] * 3
        if state.chance(0.3):  # read anywhere
            memory = self.passed.input(element_type(state), state.random.randint(16, 300))
            inner.arrays.append(readable(memory))
        if state.chance(0.3):
            self.add_structs(domain, inner)

    def add_structs(self, domain, inner):
        """Memory whose elements have fields, read anywhere, and written by those who own it."""
        state = self.state
        type, fields, value = state.pick(STRUCTS)
        count = state.random.randint(1, 200)
        memory = self.passed.memory(type, count, value)
        inner.vectors = inner.vectors + [Vectors(memory.name, type, count, fields)]
        if isinstance(domain, Line):
            memory = self.passed.memory("float4", domain.i.hi + 1)
            inner.vector_slots = inner.vector_slots + [(memory.name, domain.i.name)]

    def add_reductions(self, inner):
        state = self.state
        if state.chance(0.35):
            type, count = state.pick([INT, UINT, UINT, ULONG]), state.pick([1, 2, 16, 64, 256])
            memory = self.passed.memory(type, count)
            inner.accumulators.append(Accumulator(memory.name, type, f"atomic{state.pick(REDUCTIONS)}", count))
        if state.chance(0.1):
            inner.tickets.append(self.passed.memory(UINT, 8).name)

    # ---- what is written

    def add_outputs(self, domain, inner):
        """Memory in which every point has elements of its own."""
        found = []
        for _ in range(self.state.weighted({1: 5, 2: 2, 3: 1})):
            make = self.line_slots if isinstance(domain, Line) else self.plane_slots
            found.append(make(domain, element_type(self.state)))
        inner.owned = inner.owned + found
        return found

    def line_slots(self, line, type):
        state, i, n, count = self.state, line.i.name, line.size.integer(), line.i.hi + 1
        form = state.weighted({"plain": 5, "packed": 2, "planes": 1, "reversed": 1, "shifted": 1, "spread": 1,
                               "permuted": 1.5, "before": 1})
        each, before, texts = 1, 0, None
        if form == "packed":
            each = state.pick([2, 3, 4])
            texts = [f"{i} * {each} + {s}" for s in range(each)]
        elif form == "planes":
            each = 2
            texts = [f"{i}", f"{i} + {n}"]
        elif form == "reversed":
            texts = [f"{n} - 1 - {signed(line.i)}"]
        elif form == "shifted":
            count += 3
            texts = [f"{i} + 3"]
        elif form == "spread":
            each = state.pick([2, 3])
            texts = [f"{i} * {each} + 1"]
        elif form == "before":
            before, texts = 5, [f"{signed(line.i)} - 5"]
        elif form == "permuted":
            step = next(p for p in (7, 11, 13, 17, 19, 23) if count % p)
            order = self.passed.memory(INT, count, f"(int)((i * {step} + {state.random.randrange(99)}) % {count})")
            texts = [f"{order.name}[{i}]"]
        memory = self.passed.memory(type, count * each, before=before)
        return Owned(memory.name, type, texts or [i])

    def plane_slots(self, plane, type):
        state, x, y = self.state, plane.x.name, plane.y.name
        w, h = plane.width, plane.height
        form = state.weighted({"rows": 5, "pitched": 2, "columns": 2, "flipped": 1, "table": 1, "pairs": 1})
        if form == "pitched":
            pitch = w.hi + state.random.randrange(9)
            name = self.passed.size([pitch] * len(self.launches)).name if state.chance(0.6) else f"{pitch}"
            return Owned(self.passed.memory(type, plane.y.hi * pitch + w.hi).name, type, [f"{y} * {name} + {x}"])
        if form == "table":
            memory = self.passed.memory(type, w.hi * h.hi)
            table = self.passed.table(memory, h.hi, w.hi)
            return Owned(f"{table.name}[{y}]", type, [x])
        each = 2 if form == "pairs" else 1
        memory = self.passed.memory(type, max(a * b for a, b in zip(w.values, h.values)) * each)
        texts = {"rows": [f"{y} * {w.name} + {x}"], "columns": [f"{x} * {h.name} + {y}"],
                 "flipped": [f"({h.integer()} - 1 - {signed(plane.y)}) * {w.integer()} + {signed(plane.x)}"],
                 "pairs": [f"({y} * {w.name} + {x}) * 2", f"({y} * {w.name} + {x}) * 2 + 1"]}
        return Owned(memory.name, type, texts[form])

    def write(self, inner, owned):
        state, written = self.state, []
        for slot in owned.slots:
            value = expression(inner, promote(owned.type), 2)
            if promote(owned.type) is not owned.type:
                value = Expr(owned.type, [f"({owned.type})", value])
            statement = Stmt(f"{owned.name}[{slot}] = ", value, ";")
            if state.chance(0.2):
                statement = Stmt("if (", condition(inner), ")", [statement], opened=True)
            written.append(statement)
        return written

    # ---- text

    def declarations(self):
        return self.passed.declarations()

    def parameters(self):
        return self.passed.parameters()

    def setup(self):
        return self.passed.setup()

    def arguments(self, launch):
        return self.passed.arguments(launch)


class OrderedKernel(FootprintKernel):
    """What these leave behind depends on the order of their blocks: sums of floats, and lists. Only
    GCL_DETERMINISTIC=1 makes it the same every time."""

    exact = is_plain = False

    def add_outputs(self, domain, inner):
        sums = self.passed.memory(self.state.pick([FLOAT, DOUBLE]), self.state.pick([1, 3, 16]))
        inner.accumulators.append(Accumulator(sums.name, sums.type, "atomicAdd", sums.count))
        return super().add_outputs(domain, inner)

    def write(self, inner, owned):
        return super().write(inner, owned) + [accumulate(inner)]

    def add_lists(self, inner, line):
        body = super().add_lists(inner, line)
        if self.state.chance(0.4):
            body += write_list(self, inner, line)
        for memory in self.passed.memories:
            memory.is_unordered = False
        return body
