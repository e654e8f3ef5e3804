"""Expressions: values of a type, on which at least the threads of a level agree.

Nothing here is undefined: signed results that might overflow are computed in the unsigned type,
divisors are not zero, shift counts and indexes in range. Interval arithmetic knows when a plain
signed operation will do, so that both forms appear.
"""
from scalars import (BLOCK, BOOL, CHAR, DOUBLE, FLOAT, FLOATS, INT, INTEGERS, INTERESTING, LONG, SHORT,
                     THREAD, UCHAR, UINT, ULONG, USHORT, literal, promote, unsigned_of)
from tree import Expr

EXACT_UNARY = ["fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt"]
UNARY_MATH = EXACT_UNARY + ["exp", "sin", "cos", "log", "exp2",
              "log2", "tanh", "cbrt", "atan", "sinh"]
EXACT_BINARY = ["fmin", "fmax", "fmod", "copysign", "fdim"]
BINARY_MATH = EXACT_BINARY + ["pow", "hypot", "atan2"]


def constant(type, value, level=BLOCK):
    return Expr(type, [literal(type, value)], value, value, level)


def wrapped(type, value):
    """`value` modulo the type's size."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if value > type.hi else value


def any_literal(state, type):
    if type is BOOL:
        return Expr(BOOL, [state.pick(["true", "false"])], level=BLOCK)
    if type.is_float():
        return Expr(type, [f"({state.pick(FLOATS)}{type.suffix})"], level=BLOCK)
    value = state.random.randrange(0, 12) if state.chance(0.5) else state.pick(INTERESTING)
    return constant(type, wrapped(type, value))


def to_integer(type, value):
    """A float as an integer: what is out of range saturates, which the plain cast leaves undefined."""
    if str(value)[-1] in "0)":  # any rule will do that chooses each form often
        source = "float" if value.type is FLOAT else "double"
        target = {INT: "int", UINT: "uint", LONG: "ll", ULONG: "ull"}[type]
        return Expr(type, [f"__{source}2{target}_rz(", value, ")"], level=value.level)
    least, most = (0, 1000000) if not type.signed else (-1000000, 1000000)
    suffix = "f" if value.type is FLOAT else ""
    return Expr(type, [f"({type})fmin{suffix}(fmax{suffix}(", value,
                       f", {least}.0{suffix}), {most}.0{suffix})"], least, most, value.level)


def cast(type, value):
    """Any arithmetic value as `type`."""
    if value.type is type:
        return value
    if type is BOOL:
        return Expr(BOOL, ["(", value, " != 0)"], level=value.level)
    if value.type.is_float() and type.kind == "int":
        return to_integer(type, value)
    lo, hi = value.lo, value.hi
    if type.is_float() or not type.holds(lo, hi):
        lo, hi = type.lo, type.hi
    return Expr(type, [f"({type})", value], lo, hi, value.level)


def integer(type, operator, a, b):
    """a operator b for + - *, without signed overflow."""
    sums = {"+": (a.lo + b.lo, a.hi + b.hi), "-": (a.lo - b.hi, a.hi - b.lo)}
    if operator in sums:
        lo, hi = sums[operator]
    else:
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        lo, hi = min(corners), max(corners)
    level = min(a.level, b.level)
    if type.holds(lo, hi):
        return Expr(type, ["(", a, f" {operator} ", b, ")"], lo, hi, level)
    if not type.signed:
        return Expr(type, ["(", a, f" {operator} ", b, ")"], level=level)
    wide = unsigned_of(type)
    return Expr(type, [f"({type})(({wide})", a, f" {operator} ({wide})", b, ")"], level=level)


def limit(state, value, lo, hi):
    """An integer of value's type that lies in [lo, hi], where lo is 0 or -hi."""
    if lo <= value.lo and value.hi <= hi:
        return value
    type = value.type
    if lo == 0 and hi & (hi + 1) == 0 and state.chance(0.6):
        return Expr(type, ["(", value, f" & {literal(type, hi)})"], 0, hi, value.level)
    if lo < 0 or not type.signed or value.lo >= 0:
        return Expr(type, ["(", value, f" % {literal(type, hi + 1)})"], lo, hi, value.level)
    wide = unsigned_of(type)
    return Expr(type, [f"({type})(({wide})", value, f" % {literal(wide, hi + 1)})"], 0, hi, value.level)


# ---- leaves

def variable(state, type, level):
    found = [v for v in state.variables if v.level >= level and
             (promote(v.type) is type or state.chance(0.2))]
    return cast(type, state.pick(found).read()) if found else any_literal(state, type)


def affine(state, type, count, level):
    """base * step + shift in [0, count), or None."""
    bases = [v for v in state.variables if v.level >= level and v.type in INTEGERS and v.hi - v.lo < count]
    if not bases:
        return None
    base = state.pick(bases)
    step = state.weighted({1: 12, -1: 4, 2: 4, 3: 2, 4: 2, 5: 1, 0: 0.3})
    lo, hi = sorted((base.lo * step, base.hi * step))
    if hi - lo >= count:
        step = 1
        lo, hi = base.lo, base.hi
    least, most = -lo, count - 1 - hi
    shift = state.pick([least, most, state.random.randint(least, most), min(max(0, least), most)])
    value = cast(type, base.read())
    if type.signed and step != 1 and not type.holds(lo, hi):
        return None
    if step != 1:
        value = integer(type, "*", value, constant(type, wrapped(type, step)))
    if shift:
        operator = "+" if shift > 0 or state.chance(0.2) else "-"
        amount = shift if operator == "+" else -shift
        value = integer(type, operator, value, constant(type, wrapped(type, amount)))
    # Unsigned steps may wrap on the way; the sum is in range all the same.
    return Expr(type, value.parts, lo + shift, hi + shift, value.level)


def index(state, count, level, depth):
    """An index in [0, count)."""
    kind = state.weighted({"affine": 10, "limited": 3, "narrow": 1, "indirect": 2, "constant": 0.5,
                           "xor": 1})
    type = state.weighted({INT: 6, UINT: 5, LONG: 1.5, ULONG: 1.5})
    if kind == "affine":
        value = affine(state, type, count, level)
        if value:
            return value
    if kind == "narrow" and count >= 256:
        value = expression(state, INT, depth - 1, level)
        return Expr(INT, ["(unsigned char)", value], 0, 255, value.level)
    if kind == "indirect":
        tables = [a for a in state.arrays if a.lo == 0 and a.hi is not None and a.hi < count
                  and a.type.kind == "int" and a.level >= level]
        if tables:
            return element(state, state.pick(tables), level, depth - 1)
    if kind == "constant":
        return constant(type, state.random.randrange(count))
    if kind == "xor":
        value = affine(state, type, 1 << (count.bit_length() - 1), level)
        if value:
            bits = count.bit_length() - 1
            return Expr(type, ["(", value, " ^ ", literal(type, state.random.randrange(1 << bits)), ")"],
                        0, (1 << bits) - 1, value.level)
    return limit(state, expression(state, type, depth - 1, level), 0, count - 1)


def element(state, array, level, depth):
    if array.texts:
        return Expr(promote(array.type), [state.pick(array.texts)], array.lo, array.hi, THREAD)
    place = index(state, array.count, level, depth)
    return Expr(promote(array.type), [array.name, "[", place, "]"], array.lo, array.hi,
                min(place.level, array.level))


def checked_load(state, array, level, depth):
    """index < count ? array[index] : 0, where the index may have wrapped around."""
    type = state.pick([UINT, UINT, INT, ULONG, LONG])
    bases = [v for v in state.variables if v.level >= level and v.type in INTEGERS]
    if not bases:
        return element(state, array, level, depth)
    base = cast(type, state.pick(bases).read())
    shift = wrapped(type, state.pick([1, -1, 3, -5, 16, -17, 40, array.count // 2, -array.count // 2]))
    place = integer(type, state.pick("+-"), base, constant(type, shift))
    if state.chance(0.25):
        place = integer(type, "*", place, constant(type, state.pick([2, 3, 4, 5])))
    inside = f" < {literal(type, array.count)}"
    test = ["(", place, " >= 0 && ", place, inside] if type.signed else ["(", place, inside]
    result = promote(array.type)
    lo, hi = (None, None) if result.is_float() else (min(array.lo, 0), max(array.hi, 0))
    return Expr(result, test + [f" ? {array.name}[", place, f"] : ({result})0)"],
                lo, hi, min(place.level, array.level))


def load(state, type, level, depth):
    exact = [a for a in state.arrays if a.level >= level and promote(a.type) is type]
    others = [a for a in state.arrays if a.level >= level and a.type is not BOOL]
    arrays = exact if exact and state.chance(0.85) else others
    if level == THREAD and state.owned and (not arrays or state.chance(0.2)):
        owned = state.pick(state.owned)
        return cast(type, Expr(promote(owned.type), [f"{owned.name}[{state.pick(owned.slots)}]"],
                               owned.type.lo, owned.type.hi, THREAD))
    if not arrays:
        return variable(state, type, level)
    array = state.pick(arrays)
    form = checked_load if not array.texts and state.chance(0.2) else element
    return cast(type, form(state, array, level, depth))


def member(state, type, level):
    fields = [(s, f) for s in state.structs if s.level >= level for f in s.fields]
    exact = [x for x in fields if promote(x[1][1]) is type]
    if not fields:
        return variable(state, type, level)
    structure, (name, field) = state.pick(exact or fields)
    return cast(type, Expr(promote(field), [f"{structure.name}.{name}"], field.lo, field.hi,
                           structure.level))


def leaf(state, type, level, depth):
    kind = state.weighted({"variable": 6, "literal": 1.5, "load": 3 if depth > -2 else 0, "member": 0.7})
    if kind == "variable":
        return variable(state, type, level)
    if kind == "literal":
        return any_literal(state, type)
    if kind == "member":
        return member(state, type, level)
    return load(state, type, level, depth)


# ---- operators

def arithmetic(state, type, depth, level):
    a, b = (expression(state, type, depth - 1, level) for _ in range(2))
    return integer(type, state.weighted({"+": 4, "-": 3, "*": 2}), a, b)


def bitwise(state, type, depth, level):
    a, b = (expression(state, type, depth - 1, level) for _ in range(2))
    operator = state.pick("&|^")
    lo, hi = type.lo, type.hi
    if a.lo >= 0 and b.lo >= 0:
        lo, hi = 0, min(type.hi, (1 << max(a.hi, b.hi).bit_length()) - 1)
    return Expr(type, ["(", a, f" {operator} ", b, ")"], lo, hi, min(a.level, b.level))


def shift(state, type, depth, level):
    a = expression(state, type, depth - 1, level)
    if state.chance(0.6):
        count = constant(INT, state.random.randrange(type.bits if state.chance(0.3) else 6))
    else:
        count = limit(state, expression(state, INT, depth - 1, level), 0, type.bits - 1)
    level = min(a.level, count.level)
    if state.chance(0.5):
        lo, hi = (a.lo, a.hi) if a.lo < 0 else (0, a.hi)
        return Expr(type, ["(", a, " >> ", count, ")"], lo, max(hi, 0), level)
    wide = unsigned_of(type)
    if wide is type:
        return Expr(type, ["(", a, " << ", count, ")"], level=level)
    return Expr(type, [f"({type})(({wide})", a, " << ", count, ")"], level=level)


def division(state, type, depth, level):
    a = expression(state, type, depth - 1, level)
    if state.chance(0.5):
        divisor = state.pick([1, 2, 3, 4, 5, 7, 8, 10, 16, 32, 33, 64, 100, 1000])
        b = constant(type, divisor)
    else:
        mask = state.pick([3, 7, 15, 255])
        part = expression(state, type, depth - 1, level)
        b = Expr(type, ["((", part, f" & {literal(type, mask)}) + {literal(type, 1)})"], 1, mask + 1,
                 part.level)
    level = min(a.level, b.level)
    if state.chance(0.5):
        return Expr(type, ["(", a, " / ", b, ")"], min(a.lo, 0), max(a.hi, 0), level)
    lo = 0 if a.lo >= 0 else max(a.lo, 1 - b.hi)
    return Expr(type, ["(", a, " % ", b, ")"], lo, max(0, min(a.hi, b.hi - 1)), level)


def extreme(state, type, depth, level):
    a, b = (expression(state, type, depth - 1, level) for _ in range(2))
    name = state.pick(["min", "max"])
    choose = min if name == "min" else max
    return Expr(type, [f"{name}(", a, ", ", b, ")"], choose(a.lo, b.lo), choose(a.hi, b.hi),
                min(a.level, b.level))


def bits(state, type, depth, level):
    """Functions on the bits of 32-bit numbers."""
    a = expression(state, UINT, depth - 1, level)
    name = state.pick(["__popc", "__clz", "__ffs", "__brev", "__mulhi", "__umulhi", "__sad"])
    if name in ("__popc", "__clz", "__ffs"):
        parts, result, hi = [f"{name}(", a, ")"], INT, 32
        return cast(type, Expr(result, parts, 0, hi, a.level))
    if name == "__brev":
        return cast(type, Expr(UINT, ["__brev(", a, ")"], level=a.level))
    b = expression(state, UINT, depth - 1, level)
    if name == "__sad":
        return cast(type, Expr(UINT, ["__usad(", a, ", ", b, ", 3u)"], level=min(a.level, b.level)))
    result = INT if name == "__mulhi" else UINT
    return cast(type, Expr(result, [f"{name}(", cast(result, a), ", ", cast(result, b), ")"],
                           level=min(a.level, b.level)))


def narrowing(state, type, depth, level):
    a = expression(state, state.pick(INTEGERS), depth - 1, level)
    narrow = state.pick([SHORT, USHORT, CHAR, UCHAR, BOOL])
    inner = Expr(INT, [f"({narrow})", a], narrow.lo, narrow.hi, a.level)
    return cast(type, inner)


def conversion(state, type, depth, level):
    others = [t for t in INTEGERS + [FLOAT, DOUBLE, BOOL] if t is not type]
    return cast(type, expression(state, state.pick(others), depth - 1, level))


def rounding(state, type, depth, level):
    a = expression(state, FLOAT, depth - 1, level)
    name = {INT: "__float2int_", UINT: "__float2uint_", LONG: "__float2ll_", ULONG: "__float2ull_"}[type]
    return Expr(type, [name + state.pick(["rn", "rz", "ru", "rd"]) + "(", a, ")"], level=a.level)


def select(state, type, depth, level):
    c = expression(state, BOOL, depth - 1, level)
    a, b = (expression(state, type, depth - 1, level) for _ in range(2))
    lo, hi = (None, None) if type.is_float() else (min(a.lo, b.lo), max(a.hi, b.hi))
    return Expr(type, ["(", c, " ? ", a, " : ", b, ")"], lo, hi, min(a.level, b.level, c.level))


def call(state, type, depth, level):
    exact = [f for f in state.functions if promote(f.result) is type]
    if not state.functions:
        return leaf(state, type, level, depth)
    function = state.pick(exact or state.functions)
    values = [expression(state, promote(t), min(depth - 1, 1), level) for t in function.parameters]
    parts = [f"{function.name}("]
    for i, value in enumerate(values):
        parts += [", "] * (i > 0) + [value]
    result = Expr(promote(function.result), parts + [")"], function.result.lo, function.result.hi,
                  min([BLOCK] + [v.level for v in values]))
    return cast(type, result)


def float_arithmetic(state, type, depth, level):
    a, b = (expression(state, type, depth - 1, level) for _ in range(2))
    operator = state.weighted({"+": 4, "-": 3, "*": 4, "/": 1})
    return Expr(type, ["(", a, f" {operator} ", b, ")"], level=min(a.level, b.level))


def negation(state, type, depth, level):
    a = expression(state, type, depth - 1, level)
    return Expr(type, ["(-", a, ")"], level=a.level)


def math(state, type, depth, level):
    suffix = "f" if type is FLOAT else ""
    kind = state.weighted({"unary": 6, "binary": 3, "fma": 2})
    a = expression(state, type, depth - 1, level)
    if kind == "unary":
        name = state.pick(EXACT_UNARY if state.is_exact else UNARY_MATH)
    else:
        name = state.pick(EXACT_BINARY if state.is_exact else BINARY_MATH)
    if kind != "fma" and name not in EXACT_UNARY + EXACT_BINARY:
        state.names["inexact"] = 0
    if kind == "unary":
        return Expr(type, [f"{name}{suffix}(", a, ")"], level=a.level)
    b = expression(state, type, depth - 1, level)
    if kind == "binary" and name in ("fmin", "fmax"):  # which of two zeros it is, nobody says
        return Expr(type, [f"({name}{suffix}(", a, ", ", b, f") + 0.0{suffix})"], level=min(a.level, b.level))
    if kind == "binary":
        return Expr(type, [f"{name}{suffix}(", a, ", ", b, ")"], level=min(a.level, b.level))
    c = expression(state, type, depth - 1, level)
    return Expr(type, [f"fma{suffix}(", a, ", ", b, ", ", c, ")"], level=min(a.level, b.level, c.level))


def comparison(state, type, depth, level):
    operands = state.weighted({INT: 5, UINT: 4, FLOAT: 3, LONG: 1, ULONG: 1, DOUBLE: 1})
    a, b = (expression(state, operands, depth - 1, level) for _ in range(2))
    operator = state.pick(["<", "<=", ">", ">=", "==", "!="])
    return Expr(BOOL, ["(", a, f" {operator} ", b, ")"], level=min(a.level, b.level))


def logic(state, type, depth, level):
    a, b = (expression(state, BOOL, depth - 1, level) for _ in range(2))
    operator = state.pick(["&&", "||"])
    return Expr(BOOL, ["(", a, f" {operator} ", b, ")"], level=min(a.level, b.level))


def guard(state, type, depth, level):
    """A condition on where the thread is: the shapes that kernels are full of."""
    places = [v for v in state.variables if v.level >= level and v.kind == "const"
              and v.type in INTEGERS and 0 < v.hi - v.lo < 1 << 20]
    if not places:
        return comparison(state, type, depth, level)
    place = state.pick(places)
    promoted = place.type
    bound = constant(promoted, state.random.randint(place.lo, place.hi))
    form = state.weighted({"<": 4, ">=": 2, "==": 2, "!=": 1, "&": 2, "%": 2})
    read = place.read()
    if form == "&":
        bit = literal(promoted, 1 << state.random.randrange(6))
        return Expr(BOOL, ["((", read, f" & {bit}) != 0)"], level=read.level)
    if form == "%":
        divisor = literal(promoted, state.pick([2, 3, 4, 5, 7]))
        return Expr(BOOL, ["(", read, f" % {divisor} == 0)"], level=read.level)
    if form == "<" and state.chance(0.5):
        bound = expression(state, promoted, depth - 1, level)
    return Expr(BOOL, ["(", read, f" {form} ", bound, ")"], level=min(read.level, bound.level))


def inversion(state, type, depth, level):
    a = expression(state, BOOL, depth - 1, level)
    return Expr(BOOL, ["(!", a, ")"], level=a.level)


INTEGER_FORMS = {arithmetic: 8, bitwise: 3, shift: 2, division: 3, extreme: 2, bits: 1, narrowing: 1,
                 conversion: 2, rounding: 0.5, select: 2, call: 1.5}
FLOAT_FORMS = {float_arithmetic: 8, negation: 1, math: 3, conversion: 1.5, select: 2, call: 1.5}
BOOL_FORMS = {comparison: 5, guard: 5, logic: 3, inversion: 0.7}


def expression(state, type, depth, level=THREAD):
    """A value of `type`; `depth` bounds its size, and may be zero or less for a leaf."""
    if depth <= 0 and type is not BOOL or depth <= -1 or state.chance(0.5 / (1 + state.size)):
        return leaf(state, type, level, depth)
    forms = BOOL_FORMS if type is BOOL else FLOAT_FORMS if type.is_float() else INTEGER_FORMS
    return state.weighted(forms)(state, type, depth, level)


def condition(state, level=THREAD, depth=2):
    return expression(state, BOOL, depth, level)
