"""Warp operations, where it is known which lanes are together.

`state.mask` names a variable with the lanes that are here. It is passed to every operation, and a
branch or loop after which lanes are to use warp operations first votes on who takes part. Values
that come from lanes outside of the mask are undefined, so that they are never looked at: the
functions pick_... in prelude.cuh keep the own value then.
"""
from expressions import condition, expression, limit
from scalars import BLOCK, DOUBLE, FLOAT, INT, LONG, THREAD, UINT, ULONG, WARP
from scope import Variable
from statements import MAX_TRIPS, some, trip_count
from tree import Stmt

SHUFFLED = [INT, UINT, FLOAT, LONG, ULONG, DOUBLE]


def define(state, type, level, *value):
    """A new variable with the result of an operation; or an old one changes."""
    old = [v for v in state.assignable([type]) if v.level <= level and v.takes_anything()]
    if old and state.chance(0.5):
        return Stmt(f"{state.pick(old).name} = ", *value, ";")
    name = state.fresh("v")
    state.variables.append(Variable(name, type, level=min(level, state.level), kind="free"))
    return Stmt(f"{type} {name} = ", *value, ";")


def shuffle(state):
    type = state.weighted({t: 3 if t in (INT, FLOAT, UINT) else 1 for t in SHUFFLED})
    kind = state.pick(["up", "down", "xor", "lane"])
    width = state.weighted({32: 5, 16: 2, 8: 2})
    if state.chance(0.6):
        amount = str(state.pick([0, 1, 2, 3, 4, 5, 8, 16, 31] if kind != "xor" else [1, 2, 4, 8, 16, 3, 31]))
    else:
        amount = limit(state, expression(state, INT, 1), 0, 31)
    return define(state, type, THREAD, f"pick_{kind}<{type}>({state.mask}, ", expression(state, type, 2), ", ", amount,
                  f", {width})")


def butterfly(state):
    """The reduction that every CUDA program has."""
    targets = [v for v in state.assignable(SHUFFLED) if v.level == THREAD and v.takes_anything()]
    if not targets:
        return shuffle(state)
    v = state.pick(targets)
    d = state.fresh("d")
    kind = state.pick(["xor", "down"])
    fetched = f"pick_{kind}({state.mask}, {v.name}, {d}, 32)"
    if v.type in (INT, LONG):
        change = f"{v.name} = max({v.name}, {fetched});"
    else:
        change = f"{v.name} += {fetched};"
    if state.chance(0.5):
        return Stmt(f"for (int {d} = 16; {d} > 0; {d} >>= 1)", [Stmt(change, fixed=True)])
    return Stmt(f"for (int {d} = 1; {d} < 32; {d} *= 2)", [Stmt(change, fixed=True)])


def together(state):
    """Whether all lanes of the warp get the same result: if none is elsewhere."""
    return WARP if state.level >= WARP else THREAD


def vote(state):
    name = state.pick(["ballot", "ballot", "any", "all"])
    type = UINT if name == "ballot" else INT
    return define(state, type, together(state), f"__{name}_sync({state.mask}, ", condition(state), ")")


def active(state):
    state.names["active"] = 0
    value = "__popc(__activemask())" if state.chance(0.3) else "__activemask()"
    return define(state, UINT, together(state), value)


def reduce(state):
    name = state.pick(["add", "min", "max", "and", "or", "xor"])
    type = state.pick([INT, UINT]) if name in ("add", "min", "max") else UINT
    return define(state, type, together(state), f"__reduce_{name}_sync({state.mask}, ",
                  expression(state, type, 2), ")")


def match(state):
    value = limit(state, expression(state, state.pick([INT, UINT]), 2), 0, state.pick([1, 3, 7]))
    if state.chance(0.7):
        return define(state, UINT, THREAD, f"__match_any_sync({state.mask}, ", value, ")")
    same = state.fresh("same")
    body = define(state, UINT, together(state), f"__match_all_sync({state.mask}, ", value, f", &{same})")
    return Stmt(f"int {same};\n", *body.parts)


def exchange(state):
    """Shared memory inside a warp: write, __syncwarp, read, __syncwarp."""
    if not state.exchange or state.level < WARP:
        return shuffle(state)
    array, type = state.exchange
    inner = state.inside()
    shift = state.pick([1, 2, 5, 16, 31])
    target = state.fresh("v")
    value = expression(inner, type, 2)
    state.variables.append(Variable(target, type, level=THREAD, kind="free"))
    return Stmt(f"{array}[thread()] = ", value, f";\n__syncwarp({state.mask});\n"
                f"{type} {target} = {array}[min((thread() & ~31u) + ((thread() + {shift}) & 31u), "
                f"threads() - 1)];\n__syncwarp({state.mask});")


def sync(state):
    return Stmt(f"__syncwarp({state.mask});")


# ---- branches and loops that keep a mask

def masked_branch(state):
    c, yes, no = state.fresh("c"), state.fresh("mask"), state.fresh("mask")
    test = condition(state)
    parts = [f"bool {c} = ", test, f";\nunsigned {yes} = __ballot_sync({state.mask}, {c});\n"]
    parts += [f"unsigned {no} = {state.mask} & ~{yes};\nif ({c}) {{",
              mixed(state.inside(THREAD, mask=yes, may_break=False, may_continue=False), [])]
    if state.chance(0.5):
        parts += ["} else {", mixed(state.inside(THREAD, mask=no, may_break=False, may_continue=False), [])]
    return Stmt(*parts, "}")


def masked_loop(state):
    """Each lane goes round another number of times; those that are left know of each other."""
    most = max(1, min(7, MAX_TRIPS // state.trips))
    value, trips = trip_count(state, THREAD, most)
    k, count, here, mask = (state.fresh(n) for n in ("k", "count", "here", "mask"))
    inner = state.inside(THREAD, trips, mask=mask, may_break=False, may_continue=False)
    inner.variables.append(Variable(k, INT, 0, max(trips - 1, 0)))
    head = [Stmt(f"unsigned {here} = __ballot_sync({mask}, {k} < {count});", fixed=True),
            Stmt(f"if ({k} >= {count})", [Stmt("break;", fixed=True)], fixed=True),
            Stmt(f"{mask} = {here};", fixed=True)]
    return Stmt(f"int {count} = ", value, f";\nunsigned {mask} = {state.mask};\nfor (int {k} = 0;; {k}++) {{",
                head + mixed(inner, []), "}")


def uniform_branch(state):
    test = condition(state, max(state.level, WARP))
    parts = ["if (", test, ") {", mixed(state.inside(state.level), [])]
    if state.chance(0.4):
        parts += ["} else {", mixed(state.inside(state.level), [])]
    return Stmt(*parts, "}", opened=True)


def uniform_loop(state):
    """As often for all that are here, so that they stay together."""
    most = max(1, min(6, MAX_TRIPS // state.trips))
    value, trips = trip_count(state, max(state.level, WARP), most)
    count, k = state.fresh("count"), state.fresh("k")
    inner = state.inside(state.level, trips, may_break=False, may_continue=False)
    inner.variables.append(Variable(k, INT, 0, max(trips - 1, 0), state.level))
    test = condition(inner, BLOCK)
    body = mixed(inner, [])
    if state.chance(0.3):
        leave = Stmt("if (", test, ")", [Stmt(state.pick(["break;", "continue;"]), fixed=True)])
        body.insert(state.random.randrange(len(body) + 1), leave)
    return Stmt(f"int {count} = ", value, f";\nfor (int {k} = 0; {k} < {count}; {k}++) {{", body, "}")


SIMPLE = {shuffle: 5, butterfly: 2, vote: 3, active: 1, reduce: 2, match: 1, exchange: 1.5, sync: 0.4}
NESTED = {masked_branch: 4, masked_loop: 3, uniform_branch: 2, uniform_loop: 2}


def mixed(state, body):
    """Fills `body` with statements, some of them warp operations."""
    for _ in range(state.random.randint(1, 1 + state.size)):
        if not state.mask or state.chance(0.5):
            some(state, body, 1)
        elif state.depth < 1 + state.size and state.chance(0.3):
            body.append(state.weighted(NESTED)(state))
        else:
            body.append(state.weighted(SIMPLE)(state))
    return body
