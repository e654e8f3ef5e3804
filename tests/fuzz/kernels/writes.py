"""Writes of footprint kernels that take more than one store."""
from expressions import expression
from reads import element_type
from scalars import UINT, promote
from tree import Expr, Stmt


def stored(state, type):
    value = expression(state, promote(type), 1)
    return value if promote(type) is type else Expr(type, [f"({type})", value])


def write_column(kernel, state, line):
    """An element of each row of a plane, by a pointer that goes from row to row."""
    rows = kernel.passed.size([kernel.state.random.randint(0, 6) for _ in kernel.launches])
    type = element_type(kernel.state)
    memory = kernel.passed.memory(type, (line.i.hi + 1) * rows.hi)
    pitch = kernel.passed.size([line.i.hi + 1] * len(kernel.launches))
    p, k = state.fresh("p"), state.fresh("k")
    store = Stmt(f"*{p} = ", stored(state, type), ";")
    if kernel.state.chance(0.5):
        return [Stmt(f"{type} *{p} = {memory.name} + {line.i.name};\n"
                     f"for ({rows.type} {k} = 0; {k} < {rows.name}; {k}++, {p} += {pitch.name})", [store])]
    return [Stmt(f"{type} *{p} = {memory.name} + {line.i.name} + (long long){pitch.name} * {rows.name};\n"
                 f"for (int {k} = (int){rows.name}; {k} > 0; {k}--) {{", [Stmt(f"{p} -= {pitch.name};", fixed=True), store], "}")]


def write_list(kernel, state, line):
    """What threads find comes into a list, in any order."""
    if line.trips > 1 or state.returns:
        return []
    most = sum(launch.total for launch in kernel.launches)
    count, found = kernel.passed.memory(UINT, 1), kernel.passed.memory(UINT, most)
    found.is_unordered = True
    at = state.fresh("at")
    body = [Stmt(f"const unsigned {at} = atomicAdd(&{count.name}[0], 1u);", fixed=True),
            Stmt(f"{found.name}[{at}] = ", expression(state, UINT, 1), ";")]
    return [Stmt(f"if ({line.i.name} % {kernel.state.pick([1, 2, 3])} == 0) {{", body, "}")]
