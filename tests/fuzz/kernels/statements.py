"""Statements that each thread runs by itself: no barriers, no warp operations.

They are free of races because a thread writes only its own variables and slots (scope.Owned), and
changes what others see only by atomic operations of one kind (scope.Accumulator).
"""
from expressions import cast, condition, constant, expression, guard, index, integer, limit
from scalars import (BLOCK, BOOL, DOUBLE, FLOAT, INT, INTEGERS, LONG, STORAGE, THREAD, UINT, ULONG, WARP,
                     promote, unsigned_of)
from scope import Array, Variable
from tree import Expr, Stmt

MAX_TRIPS = 300  # of innermost loops, for one run of the kernel's body
SUM_STEP = 1000  # what a signed sum grows by at most


def store(target, type, value):
    """target = value, converted to the type of an array's element or a variable."""
    if promote(type) is not type:
        value = Expr(type, [f"({type})", value])
    return Stmt(target, " = ", value, ";")


def declare(state, level=None, kind=None, type=None):
    """A new variable, known from here on."""
    if level is None:
        level = min(state.level, state.weighted({THREAD: 6, WARP: 1, BLOCK: 3}))
    type = type or state.weighted({INT: 6, UINT: 5, FLOAT: 6, LONG: 1.5, ULONG: 1.5, DOUBLE: 2, BOOL: 1,
                                   state.pick(STORAGE): 1})
    lo, hi = type.lo, type.hi
    kind = kind or state.weighted({"free": 5, "sum": 3 if type in (INT, LONG) else 0, "const": 2})
    value = expression(state, promote(type), 2, level)
    if kind == "sum":
        value = limit(state, value, -SUM_STEP, SUM_STEP)
    elif kind == "free" and type in INTEGERS and state.chance(0.4):
        bound = state.pick([7, 15, 63, 255, 999, 4095])
        lo, hi = (-bound if type.signed and state.chance(0.5) else 0), bound
        value = limit(state, value, lo, hi)
    elif kind == "const" and promote(type).kind == "int":
        lo, hi = value.lo, value.hi
        if not type.holds(lo, hi):
            lo, hi = type.lo, type.hi
    name = state.fresh("v")
    if kind == "const":  # as precise as the value is
        level = min(value.level, state.level)
    state.variables.append(Variable(name, type, lo, hi, level, kind))
    return Stmt(f"{type} {name} = ", value if promote(type) is type else
                Expr(type, [f"({type})", value]), ";")


def step(state, name, type, value):
    """How often variables change by a little."""
    if type is BOOL:
        return Stmt(f"{name} {state.pick('&|^')}= ", expression(state, BOOL, 1, value.level), ";")
    operator = state.pick("+-*" if type.is_float() else "+-*^|&")
    if type in (INT, LONG):
        wide = unsigned_of(type)
        return Stmt(f"{name} = ({type})(({wide}){name} {operator} ({wide})", value, ");")
    return Stmt(f"{name} {operator}= ", value, ";")


def assign(state):
    variables = state.assignable()
    if not variables:
        return declare(state)
    v = state.pick(variables)
    type = promote(v.type)
    value = expression(state, type, 3, v.level)
    if v.kind == "sum":
        return Stmt(f"{v.name} {state.pick('+-')}= ", limit(state, value, -SUM_STEP, SUM_STEP), ";")
    full = type.kind != "int" or (v.lo, v.hi) == (type.lo, type.hi)
    if full and promote(v.type) is v.type and state.chance(0.5):
        return step(state, v.name, type, value)
    if type.kind == "int" and type is v.type:
        value = limit(state, value, v.lo, v.hi)
    return store(v.name, v.type, value)


def write_slot(state):
    if not state.owned:
        return assign(state)
    owned = state.pick(state.owned)
    slot = f"{owned.name}[{state.pick(owned.slots)}]"
    type = promote(owned.type)
    value = expression(state, type, 3)
    if type is owned.type and state.chance(0.3):
        return step(state, slot, type, value)
    return store(slot, owned.type, value)


# ---- atomic operations

def accumulate(state):
    if not state.accumulators:
        return assign(state)
    a = state.pick(state.accumulators)
    place = index(state, a.count, THREAD, 2)
    return Stmt(f"{a.operation}(&{a.name}[", place, "], ", expression(state, a.type, 2), ");")


def ticket(state):
    """Numbers that come in any order, but each once: their squares' sum is known."""
    if not state.tickets:
        return assign(state)
    name = state.pick(state.tickets)
    mine = state.fresh("ticket")
    place = state.pick(["0", "threadIdx.x & 3", "blockIdx.x & 3"])
    return Stmt("{", [Stmt(f"unsigned {mine} = atomicAdd(&{name}[{place}], 1u);", fixed=True),
                      Stmt(f"atomicAdd(&{name}[4 + ({place})], {mine} * {mine} + 3u);")], "}")


def own_atomic(state):
    """An atomic operation on memory of the thread's own: its result is known."""
    owned = [o for o in state.owned if o.type in (INT, UINT, ULONG)]
    targets = [v for v in state.assignable([INT, UINT, ULONG]) if v.takes_anything()]
    if not owned or not targets:
        return write_slot(state)
    o, v = state.pick(owned), state.pick(targets)
    place = f"&{o.name}[{state.pick(o.slots)}]"
    value = expression(state, o.type, 2)
    if state.chance(0.2):
        call = ["atomicCAS(", place, ", ", expression(state, o.type, 1), ", ", value, ")"]
    else:
        name = state.pick(["Add", "Exch", "Min", "Max", "And", "Or", "Xor"])
        call = [f"atomic{name}(", place, ", ", value, ")"]
    return Stmt(f"{v.name} = ", cast(v.type, Expr(o.type, call)), ";")


def exchange_loop(state):
    """The loop around atomicCAS that programs write for operations that CUDA lacks."""
    found = [a for a in state.accumulators if a.operation == "atomicMax" and a.type in (UINT, ULONG)]
    if not found or not state.may_peek:
        return accumulate(state)
    a = state.pick(found)
    place, value, old, seen = (state.fresh(n) for n in ("place", "value", "old", "seen"))
    body = [Stmt(f"{a.type} *{place} = &{a.name}[", index(state, a.count, THREAD, 1), "];", fixed=True),
            Stmt(f"{a.type} {value} = ", expression(state, a.type, 2), ";", fixed=True),
            Stmt(f"{a.type} {old} = *(volatile {a.type} *){place}, {seen};", fixed=True),
            Stmt("do {", [Stmt(f"{seen} = {old};", fixed=True),
                          Stmt(f"if ({seen} >= {value})", [Stmt("break;", fixed=True)], fixed=True),
                          Stmt(f"{old} = atomicCAS({place}, {seen}, {value});", fixed=True)],
                 f"}} while ({old} != {seen});", fixed=True)]
    return Stmt("{", body, "}")


# ---- memory of the thread's own

def local_array(state):
    type = state.pick([INT, UINT, FLOAT, LONG, DOUBLE] + STORAGE)
    count = state.pick([2, 3, 4, 8, 8, 16])
    name, k = state.fresh("local"), state.fresh("k")
    outer = state.inside(THREAD, count)
    outer.variables.append(Variable(k, INT, 0, count - 1))
    fill = expression(outer, promote(type), 2)
    statement = Stmt(f"{type} {name}[{count}];\nfor (int {k} = 0; {k} < {count}; {k}++)",
                     [Stmt(f"{name}[{k}] = ({type})", fill, ";", fixed=True)])
    array = Array(name, type, count, level=THREAD)
    array.written = True
    state.arrays.append(array)
    return statement


def write_local(state):
    arrays = [a for a in state.arrays if a.written]
    if not arrays:
        return local_array(state)
    a = state.pick(arrays)
    place = index(state, a.count, THREAD, 2)
    return Stmt(f"{a.name}[", place, f"] = ({a.type})", expression(state, promote(a.type), 2), ";")


class Structure:
    def __init__(self, name, fields, level):
        self.name, self.fields, self.level = name, fields, level


def structure(state):
    """A vector or struct, from memory or from values; later changed field by field."""
    table = [s for s in state.structs if s.level == THREAD]
    if table and state.chance(0.5):
        s = state.pick(table)
        name, type = state.pick(s.fields)
        return store(f"{s.name}.{name}", type, expression(state, promote(type), 2))
    if not state.vectors:
        return write_local(state)
    name = state.fresh("s")
    source = state.pick(state.vectors)
    place = index(state, source.count, THREAD, 2)
    state.structs.append(Structure(name, source.fields, THREAD))
    return Stmt(f"{source.type} {name} = {source.name}[", place, "];")


def write_vector(state):
    """A whole vector to a slot of the thread's own."""
    if not state.vector_slots:
        return structure(state)
    name, slot = state.pick(state.vector_slots)
    values = [expression(state, FLOAT, 2) for _ in range(4)]
    if state.chance(0.3):
        return Stmt(f"{name}[{slot}].{state.pick('xyzw')} += ", values[0], ";")
    parts = [f"{name}[{slot}] = make_float4(", values[0]]
    for value in values[1:]:
        parts += [", ", value]
    return Stmt(*parts, ");")


def write_same(state):
    """All threads store the same value to the same place."""
    if not state.same:
        return assign(state)
    return Stmt(state.pick(state.same))


def by_pointer(state):
    """A function that changes a variable of its caller."""
    targets = [v for v in state.assignable([INT, UINT]) if v.level == THREAD and v.takes_anything()]
    if not targets:
        return assign(state)
    v = state.pick(targets)
    name = state.pick(["change_inline", "change"])
    return Stmt(f"{name}<{v.type}>(&{v.name}, ", expression(state, v.type, 2), ");")


# ---- branches

def some(state, body, count=None):
    """Fills `body` with statements."""
    for _ in range(count or state.random.randint(1, 1 + state.size)):
        body.append(statement(state))
    if state.chance(0.35):
        body += note(state, state.variables[-4:])
    return body


def note(state, variables):
    """Makes values count that nobody may look at otherwise."""
    texts = [v.name for v in variables if v.kind != "const"]
    texts += [f"{a.name}[sum % {a.count}]" for a in state.arrays[-2:] if a.written]
    return [Stmt(f"note(&sum, {text});") for text in texts]


def some_level(state):
    """How far threads agree on a condition or on a number of trips."""
    return state.weighted({THREAD: 7, WARP: 1, BLOCK: 2})


def branch(state):
    level = some_level(state)
    c = condition(state, level) if state.chance(0.7) else guard(state, BOOL, 2, level)
    parts = ["if (", c, ") {", some(state.inside(c.level), [])]
    while state.chance(0.2):
        c = condition(state)
        parts += ["} else if (", c, ") {", some(state.inside(THREAD), [])]
    if state.chance(0.45):
        parts += ["} else {", some(state.inside(THREAD if len(parts) > 4 else c.level), [])]
    return Stmt(*parts, "}", opened=True)


def single_thread(state):
    """if (t == 5): one lane, one warp or none."""
    c = guard(state, BOOL, 1, THREAD)
    return Stmt("if (", c, ") {", some(state.inside(THREAD), []), "}", opened=True)


def switch(state):
    cases = state.random.randint(2, 6)
    value = limit(state, expression(state, state.pick([INT, UINT]), 2), 0, state.pick([cases, 7, 15]))
    parts = ["switch (", value, ") {"]
    for number in state.random.sample(range(8), cases):
        body = some(state.inside(THREAD, may_break=False), [], state.random.randint(1, 2))
        if state.chance(0.8):
            body.append(Stmt("break;"))
        parts += [f"case {number}: {{" if len(parts) == 3 else f"}}\ncase {number}: {{", body]
    if state.chance(0.6):
        parts += ["}\ndefault: {", some(state.inside(THREAD, may_break=False), [], 1)]
    return Stmt(*parts, "}\n}", opened=True)


def effect_in_condition(state):
    """&& and || whose right side changes something."""
    targets = [v for v in state.assignable([INT, UINT]) if v.level == THREAD and v.takes_anything()]
    if not targets:
        return branch(state)
    v = state.pick(targets)
    operator = state.pick(["&&", "||"])
    return Stmt("if (", condition(state), f" {operator} change<{v.type}>(&{v.name}, ", expression(state, v.type, 1),
                ") > 7) {", some(state.inside(THREAD), [], 2), "}", opened=True)


# ---- loops

def leave(state):
    """break, continue or return, for some threads."""
    ways = []
    if state.may_break:
        ways += ["break;"] * 3
    if state.may_continue:
        ways += ["continue;"] * 3
    if state.returns and (not ways or state.chance(0.2)):
        ways.append(state.returns)
    if not ways:
        return branch(state)
    way = state.pick(ways)
    if way == "value":
        way = ["return ", cast_return(state), ";"]
    else:
        way = [way]
    body = some(state.inside(THREAD), [], 1) if state.chance(0.3) else []
    return Stmt("if (", condition(state), ") {", body + [Stmt(*way, fixed=not body)], "}")


def cast_return(state):
    value = expression(state, promote(state.result), 2)
    if state.chance(0.7):
        seen = Expr(UINT, ["(sum & 1023u)"], 0, 1023)
        if value.type.is_float():
            value = Expr(value.type, ["(", value, f" + ({value.type})", seen, ")"])
        elif value.type is not BOOL:
            value = integer(value.type, "+", value, cast(value.type, seen))
    return value if promote(state.result) is state.result else Expr(state.result, [f"({state.result})", value])


def counter(state, level, bound, kind="const"):
    type = state.weighted({INT: 6, UINT: 3, ULONG: 1, LONG: 1})
    name = state.fresh("k")
    return name, type, Variable(name, type, 0, max(bound, 0), level, kind)


def trip_count(state, level, most):
    """(value, maximum): a constant, or from data."""
    if state.chance(0.3):
        trips = state.random.randint(1, most)
        return constant(INT, trips), trips
    mask = state.pick([m for m in (1, 3, 7, 15) if m <= most] or [1])
    return limit(state, expression(state, INT, 2, level), 0, mask), mask


def loop_body(state, level, trips, own):
    inner = state.inside(level, trips, may_break=True, may_continue=True, mask=None)
    inner.variables.append(own)
    return some(inner, [])


def counted_loop(state):
    """for, up or down, whose counter may live longer than the loop."""
    most = max(1, min(9, MAX_TRIPS // state.trips))
    value, trips = trip_count(state, some_level(state), most)
    name, type, own = counter(state, THREAD, trips - 1)
    value = cast(type, value)
    body = loop_body(state, THREAD, trips, own)
    form = state.weighted({"up": 5, "down": 2, "outside": 2, "stride": 1, "triangle": 1})
    if form == "down":
        return Stmt(f"for ({type} {name} = ", value, f"; {name}-- > 0;) {{", body, "}")
    if form == "outside":
        state.variables.append(Variable(name, type, 0, trips, THREAD))
        return Stmt(f"{type} {name};\nfor ({name} = 0; {name} < ", value, f"; {name}++) {{", body, "}")
    if form == "stride":
        return Stmt(f"for ({type} {name} = 0; {name} < ", value,
                    f"; {name} += {state.pick([1, 2, 3])}) {{", body, "}")
    if form == "triangle":
        start = limit(state, expression(state, type, 1), 0, max(trips - 1, 0))
        return Stmt(f"for ({type} {name} = ", start, f"; {name} < ", value, f"; {name}++) {{", body, "}")
    return Stmt(f"for ({type} {name} = 0; {name} < ", value, f"; {name}++) {{", body, "}")


def conditional_loop(state):
    """while and do-while on data, with a counter that ends them."""
    most = max(1, min(9, MAX_TRIPS // state.trips))
    name, type, own = counter(state, THREAD, most)
    body = loop_body(state, THREAD, most, own)
    test = condition(state.inside(THREAD))
    form = state.pick(["while", "do", "forever"])
    if form == "while":
        return Stmt(f"{type} {name} = 0;\nwhile ({name}++ < {most} && ", test, ") {", body, "}")
    if form == "do":
        return Stmt(f"{type} {name} = 0;\ndo {{", body, f"}} while (++{name} < {most} && ", test, ");")
    end = Stmt(f"if ({name}++ == {most - 1} || ", test, ")", [Stmt("break;", fixed=True)], fixed=True)
    return Stmt(f"{type} {name} = 0;\nwhile (true) {{", [end] + body, "}")


def search_loop(state):
    """Two loops, left together: the shape of a search."""
    most = max(1, min(4, MAX_TRIPS // state.trips // 4))
    i, j = state.fresh("k"), state.fresh("k")
    found = state.fresh("found")
    inner = state.inside(THREAD, most * most, may_break=False, may_continue=False, mask=None)
    inner.variables += [Variable(i, INT, 0, most - 1), Variable(j, INT, 0, most - 1)]
    inner.variables.append(Variable(found, BOOL))
    test = condition(inner)
    body = some(inner, [], 2)
    body.insert(state.random.randrange(3), Stmt("if (", test, ")", [Stmt(f"{found} = true;")]))
    state.variables += [Variable(found, BOOL)]
    return Stmt(f"bool {found} = false;\nfor (int {i} = 0; {i} < {most} && !{found}; {i}++) {{",
                [Stmt(f"for (int {j} = 0; {j} < {most} && !{found}; {j}++) {{", body, "}")], "}")


def pointer_walk(state):
    """A pointer that moves through an input, of which the step is the same for all threads or not."""
    arrays = [a for a in state.arrays if a.level == BLOCK and a.name.startswith("in_") and a.type is not BOOL]
    targets = [v for v in state.assignable([INT, UINT, FLOAT]) if v.level == THREAD and v.takes_anything()]
    trips = state.random.randint(2, 5)
    if not arrays or not targets or state.trips * trips > MAX_TRIPS:
        return counted_loop(state)
    a, v = state.pick(arrays), state.pick(targets)
    most = 16
    start = index(state, a.count - (trips + 1) * most, THREAD, 2)
    distance = limit(state, expression(state, INT, 1, some_level(state)), 0, most - 1)
    place, k = state.fresh("place"), state.fresh("k")
    read = cast(v.type, Expr(promote(a.type), [f"*{place}"], a.lo, a.hi))
    steps = Stmt(f"{place} += ", distance, ";", fixed=True)
    return Stmt(f"const {a.type} *{place} = {a.name} + ", start,
                f";\nfor (int {k} = 0; {k} < {trips}; {k}++) {{", [step(state, v.name, v.type, read), steps], "}")


def grid_stride(state):
    """The loop that gives each thread every total-th element."""
    if not state.stride:
        return counted_loop(state)
    count, steps, buffers = state.stride
    if state.trips * steps > MAX_TRIPS:
        return counted_loop(state)
    type = state.weighted({INT: 4, UINT: 4, ULONG: 2, LONG: 1})
    name = state.fresh("i")
    inner = state.inside(THREAD, steps, may_break=False, may_continue=True, mask=None)
    inner.variables += [Variable(name, type, 0, count - 1)] * 3
    inner.stride = None
    inner.owned = inner.owned + [o(name) for o in buffers]
    body = some(inner, [])
    body.append(write_slot(inner))
    return Stmt(f"for ({type} {name} = ({type})gid; {name} < ({type})n; {name} += ({type})total) {{",
                body, "}")


SIMPLE = {assign: 8, write_slot: 5, declare: 4, accumulate: 2, ticket: 0.4, own_atomic: 0.7,
          exchange_loop: 0.4, local_array: 0.8, write_local: 1, structure: 1, by_pointer: 0.6,
          write_vector: 0.6, write_same: 0.2}
NESTED = {branch: 6, single_thread: 1.5, switch: 1.2, effect_in_condition: 0.7, leave: 2, counted_loop: 3,
          conditional_loop: 2, search_loop: 0.6, grid_stride: 1.5,
          pointer_walk: 0.6}


def statement(state):
    nested = 0.35 if state.depth < state.size else 0.12 if state.depth < state.size + 2 else 0
    if state.chance(nested):
        return state.weighted(NESTED)(state)
    return state.weighted(SIMPLE)(state)
