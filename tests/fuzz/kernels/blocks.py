"""What a block does together: phases between barriers.

In a phase each shared array is either owned (a thread uses its own slots), read (by any thread
anywhere), or changed by one atomic operation. A barrier ends every phase, so that the array may
play another part in the next.
"""
from expressions import condition, expression, limit
from scalars import BLOCK, BOOL, DOUBLE, FLOAT, INT, UINT, ULONG, promote
from scope import Accumulator, Array, Owned, Variable
from statements import some
from tree import Stmt
from warps import mixed

MAX_TRIPS = 40  # of loops with barriers


class Shared:
    """`slots` are the indexes that belong to a thread; `line` is True if slot [t] is thread t's."""

    def __init__(self, name, type, count, slots, line):
        self.name, self.type, self.count, self.slots, self.line = name, type, count, slots, line


ATOMIC = {INT: ["atomicAdd", "atomicMin", "atomicMax"],
          UINT: ["atomicAdd", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
          ULONG: ["atomicAdd", "atomicMin"]}


def barrier(state):
    """A barrier, and what it may tell."""
    kind = state.weighted({"plain": 8, "function": 1, "count": 1, "or": 1, "and": 1})
    if kind == "plain":
        return Stmt("__syncthreads();", fixed=True)
    if kind == "function":
        return Stmt("wait_for_all();", fixed=True)
    name = state.fresh("v")
    test = condition(state)
    state.variables.append(Variable(name, INT, 0, 1024, BLOCK, "const"))
    return Stmt(f"int {name} = __syncthreads_{kind}(", test, ");", fixed=True)


def enter(state, shared):
    """The state inside a phase: each array has a part."""
    inner = state.inside(BLOCK)
    inner.depth -= 1
    inner.accumulators = list(state.accumulators)
    inner.exchange = None
    for s in shared:
        part = state.weighted({"own": 4, "read": 4, "atomic": 1.5 if s.type in ATOMIC else 0})
        if part == "own":
            inner.owned.append(Owned(s.name, s.type, s.slots))
        elif part == "read":
            inner.arrays += [Array(s.name, s.type, s.count)] * 3
        else:
            inner.accumulators.append(Accumulator(s.name, s.type, state.pick(ATOMIC[s.type]), s.count))
    return inner


def phase(state, shared):
    """Statements, then a barrier. What they declare stays known."""
    lent = None
    if state.mask and state.chance(0.3):  # one array for exchanges inside warps, in this phase
        lines = [s for s in shared if s.line and s.type is promote(s.type) and s.type is not BOOL]
        lent = state.pick(lines) if lines else None
    inner = enter(state, [s for s in shared if s is not lent])
    inner.exchange = (lent.name, lent.type) if lent else None
    body = mixed(inner, []) if state.mask else some(inner, [])
    body.append(barrier(inner))
    hidden = {s.name for s in shared}
    state.variables, state.structs = inner.variables, inner.structs
    state.arrays = [a for a in inner.arrays if a.name not in hidden]
    return Stmt(body)


def sequence(state, shared, count):
    """Phases, alone and in uniform loops and branches."""
    body = []
    for _ in range(count):
        kind = state.weighted({"phase": 6, "loop": 2 if state.trips < MAX_TRIPS else 0, "branch": 1,
                               "idiom": 1.5 if shared else 0, "exit": 0.7})
        nested = state.depth < state.size
        if kind == "loop" and nested:
            body.append(loop(state, shared))
        elif kind == "branch" and nested:
            body.append(branch(state, shared))
        elif kind == "idiom":
            body.append(state.pick(IDIOMS)(state, shared))
        elif kind == "exit" and state.chance(0.5):
            body.append(early_exit(state))
        else:
            body.append(phase(state, shared))
    return body


def branch(state, shared):
    parts = ["if (", condition(state, BLOCK), ") {", sequence(state.inside(), shared, 1)]
    if state.chance(0.4):
        parts += ["} else {", sequence(state.inside(), shared, 1)]
    return Stmt(*parts, "}")


def loop(state, shared):
    """A loop with barriers inside: counted, left in the middle, or ended by a vote."""
    form = state.weighted({"counted": 4, "middle": 2, "vote": 1.5, "down": 1})
    mask = state.pick([1, 3, 3, 7])
    count, k = state.fresh("count"), state.fresh("k")
    value = limit(state, expression(state, INT, 2, BLOCK), 0, mask)
    inner = state.inside(BLOCK, mask + 1)
    inner.variables += [Variable(k, INT, 0, mask, BLOCK)] * 2
    test = condition(inner, BLOCK)
    body = sequence(inner, shared, state.random.randint(1, 1 + state.size // 2))
    head = f"int {count} = ", value, ";\n"
    if form == "counted":
        return Stmt(*head, f"for (int {k} = 0; {k} < {count}; {k}++) {{", body, "}")
    if form == "down":
        return Stmt(*head, f"for (int {k} = {count}; {k}-- > 0;) {{", body, "}")
    if form == "middle":
        end = Stmt(f"if ({k} >= {count} || ", test, ")", [Stmt("break;", fixed=True)],
                   fixed=True)
        body.insert(state.random.randrange(len(body)), end)
        return Stmt(*head, f"for (int {k} = 0;; {k}++) {{", body, "}")
    inner = state.inside(BLOCK)
    return Stmt(*head, f"int {k} = 0;\ndo {{", body,
                f"}} while (__syncthreads_or({k}++ < {count} && ", condition(inner), f") && {k} <= {mask});")


def early_exit(state):
    """Threads that leave before others wait; the mask forgets them."""
    test = condition(state)
    if not state.mask:
        return Stmt("if (", test, ") {", [Stmt(text) for text in state.farewell] + [Stmt("return;", fixed=True)], "}")
    gone = state.fresh("gone")
    return Stmt(f"bool {gone} = ", test, f";\n{state.mask} = __ballot_sync({state.mask}, !{gone});\nif ({gone}) {{",
                [Stmt(text) for text in state.farewell] + [Stmt("return;", fixed=True)], "}")


# ---- idioms: what programs do with shared memory; each begins and ends behind a barrier

def combine(type, target, value):
    if type is INT:
        return f"{target} = max({target}, {value});"
    return f"{target} += {value};"


def line(state, shared):
    lines = [s for s in shared if s.line and s.type in (INT, UINT, ULONG, FLOAT, DOUBLE)]
    return state.pick(lines) if lines else None


def tree_reduction(state, shared):
    s = line(state, shared)
    if not s:
        return phase(state, shared)
    d = state.fresh("d")
    type = state.pick(["int", "unsigned"])
    here, there = f"{s.name}[thread()]", f"{s.name}[thread() + {d}]"
    step = Stmt(f"if (thread() < {d} && thread() + {d} < threads())",
                [Stmt(combine(s.type, here, there), fixed=True)], fixed=True)
    return Stmt(f"for ({type} {d} = 512; {d} > 0; {d} >>= 1) {{",
                [step, Stmt("__syncthreads();", fixed=True)], "}")


def scan(state, shared):
    s = line(state, shared)
    if not s:
        return phase(state, shared)
    d, x = state.fresh("d"), state.fresh("x")
    body = [Stmt(f"{s.type} {x} = thread() >= {d} ? {s.name}[thread() - {d}] : 0;", fixed=True),
            Stmt("__syncthreads();", fixed=True),
            Stmt(combine(s.type, f"{s.name}[thread()]", x), fixed=True),
            Stmt("__syncthreads();", fixed=True)]
    return Stmt(f"for (unsigned {d} = 1; {d} < threads(); {d} *= 2) {{", body, "}")


def rotate(state, shared):
    """Values wander through the block, held across the barrier in a variable."""
    s = line(state, shared)
    if not s:
        return phase(state, shared)
    k, x = state.fresh("k"), state.fresh("x")
    shift = state.pick([1, 2, 7, 31, 33])
    body = [Stmt(f"{s.type} {x} = {s.name}[(thread() + {shift} * {k}) % threads()];", fixed=True),
            Stmt("__syncthreads();", fixed=True),
            Stmt(f"{s.name}[thread()] = {x};", fixed=True), Stmt("__syncthreads();", fixed=True)]
    return Stmt(f"for (int {k} = 1; {k} < {state.random.randint(2, 4)}; {k}++) {{", body, "}")


IDIOMS = [tree_reduction, scan, rotate]
