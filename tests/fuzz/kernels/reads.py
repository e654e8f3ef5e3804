"""How the threads of a footprint kernel read memory: around their point, through an array of indexes
or of pointers, and in loops.

A reader is a text, the value's range, and stands for an element that is there whatever the point is.
"""
from memory import ELEMENTS
from scalars import DOUBLE, FLOAT, INT, LONG, SHORT, UCHAR, UINT, ULONG, USHORT
from scope import Array, Variable
from tree import Stmt


class Read(Array):
    """Memory that is read by `texts` alone."""

    def __init__(self, memory, texts, lo=None, hi=None):
        super().__init__(memory.name, memory.type, memory.count, lo, hi)
        self.texts = texts


def signed(v):
    return v.name if v.type is INT else f"(int){v.name}"


def element_type(state):
    return state.weighted(ELEMENTS)


# ---- around a point of a line

def halo(kernel, line):
    """Neighbours on both sides, also beyond the ends."""
    reach = kernel.state.pick([1, 1, 2, 5])
    memory = kernel.passed.input(element_type(kernel.state), line.i.hi + 1 + reach, reach)
    i = signed(line.i)
    return Read(memory, [f"{memory.name}[{i} + {d}]" if d >= 0 else f"{memory.name}[{i} - {-d}]"
                         for d in range(-reach, reach + 1)])


def clamped(kernel, line):
    memory = kernel.passed.input(element_type(kernel.state), line.size.hi)
    i, n, d, m = signed(line.i), line.size.integer(), kernel.state.pick([1, 2, 10]), memory.name
    return Read(memory, [f"{m}[max({i} - {d}, 0)]", f"{m}[min({i} + {d}, {n} - 1)]",
                         f"({i} >= {d} ? {m}[{i} - {d}] : ({memory.type})0)",
                         f"({i} + {d} < {n} ? {m}[{i} + {d}] : ({memory.type})0)",
                         f"((unsigned)({i} - {d}) < (unsigned){n} ? {m}[{i} - {d}] : ({memory.type})1)",
                         f"((unsigned long long)(unsigned)({i} - {d}) * 2 < (unsigned long long){n} ? {m}[{i} - {d}] : ({memory.type})2)"])


def around(kernel, line):
    """The line's ends meet."""
    memory = kernel.passed.input(element_type(kernel.state), line.size.hi)
    i, n, d, m = signed(line.i), line.size.integer(), kernel.state.pick([1, 3, 17]), memory.name
    return Read(memory, [f"{m}[({i} + {d}) % {n}]", f"{m}[({i} + {n} - 1) % {n}]", f"{m}[{n} - 1 - {i}]",
                         f"{m}[{i} == {n} - 1 ? 0 : {i} + 1]", f"{m}[({i} - {n} + 1) / 2 + {n} - 1]",
                         f"{m}[{i} < {d} ? {n} - 1 : {i} - {d}]", f"{m}[min({i} % 5, {n} - 1)]"])


def spread(kernel, line):
    """Several elements to a point, or several points to one."""
    state, i = kernel.state, line.i.name
    step = state.pick([2, 3, 4, 7])
    memory = kernel.passed.input(element_type(state), (line.i.hi + 1) * step)
    texts = [f"{memory.name}[{i} * {step} + {d}]" for d in range(step)]
    return Read(memory, texts + [f"{memory.name}[{i} / {step}]", f"{memory.name}[{i} >> 1]", f"{memory.name}[{i} % {step}]",
                                 f"{memory.name}[({i} & 7) % {memory.count}]", f"{memory.name}[{i} ^ 1]",
                                 f"{memory.name}[({i} & ~1) + 1]", f"{memory.name}[{i} << 1 | 1]",
                                 f"{memory.name}[(unsigned char){i} % {memory.count}]", f"{memory.name}[(short){i}]"])


def by_index(kernel, line):
    """Through an array of indexes, in which -1 stands for none."""
    state, i = kernel.state, line.i.name
    count = state.random.randint(1, 300)
    type = state.weighted({INT: 5, UINT: 2, SHORT: 1, LONG: 1})
    none = type is not UINT and state.chance(0.3)
    index = kernel.passed.memory(type, line.i.hi + 1, f"({type})(random_bits() % {count + none}) - {int(none)}")
    memory = kernel.passed.input(element_type(state), count * 2)
    place = f"{index.name}[{i}]"
    texts = [f"{memory.name}[{place}]", f"{memory.name}[{place} * 2 + 1]", f"{memory.name}[({place} & 7) % {memory.count}]"]
    if none:
        texts = [f"({place} >= 0 ? {text} : ({memory.type})0)" for text in texts]
    return Read(memory, texts)


def by_hash(kernel, line):
    """Where a key belongs in a table."""
    state = kernel.state
    keys = kernel.passed.input(state.pick([INT, UINT, USHORT, UCHAR, LONG]), line.i.hi + 1)
    key, bits = f"(unsigned){keys.name}[{line.i.name}]", state.random.randint(3, 7)
    factor = state.pick([3, 77, 2654435761, 40503])
    memory = kernel.passed.input(element_type(state), 1 << bits)
    m, mask = memory.name, (1 << bits) - 1
    return Read(memory, [f"{m}[{key} * {factor}u & {mask}]", f"{m}[{key} * {factor}u >> {32 - bits}]",
                         f"{m}[({key} ^ {key} >> 5) & {mask}]", f"{m}[{key} % {mask}]", f"{m}[({key} & {mask}) >> 1]",
                         f"{m}[({key} + {line.i.name}) & {mask}]", f"{m}[{line.i.name} * {factor}u & {mask}]"])


def by_two_indexes(kernel, line):
    state = kernel.state
    count, middle = state.random.randint(1, 300), state.random.randint(1, 50)
    first = kernel.passed.memory(INT, line.i.hi + 1, f"(int)(random_bits() % {middle})")
    second = kernel.passed.memory(UINT, middle, f"random_bits() % {count}")
    memory = kernel.passed.input(element_type(state), count)
    return Read(memory, [f"{memory.name}[{second.name}[{first.name}[{line.i.name}]]]"])


def by_pointer(kernel, line):
    """A pointer of the thread's own into it."""
    state = kernel.state
    step, reach = state.pick([1, 2, 5]), state.pick([0, 1, 3])
    memory = kernel.passed.input(element_type(state), line.i.hi * step + 1 + reach, reach)
    at = f"({memory.name} + {line.i.name} * {step})"
    return Read(memory, [f"{at}[{d}]" for d in range(-reach, reach + 1)] + [f"*{at}"])


LINE_READS = {halo: 3, clamped: 3, around: 2, spread: 3, by_index: 3, by_hash: 2, by_two_indexes: 1, by_pointer: 1}


# ---- around a point of a plane

def pitch_of(kernel, plane):
    """The distance of rows: the width, or a number of its own. Returns text and largest value."""
    if kernel.state.chance(0.6):
        return plane.width.integer(), plane.width.hi
    most = plane.width.hi + kernel.state.random.randrange(9)
    return kernel.passed.size([most] * len(kernel.launches), {INT: 3, LONG: 1}).name, most


def stencil(kernel, plane):
    """The nine or more elements around, with more rows and columns than the plane has."""
    reach = kernel.state.pick([1, 1, 2])
    pitch, most = pitch_of(kernel, plane)
    far = reach * (most + 1)
    memory = kernel.passed.input(element_type(kernel.state), plane.y.hi * most + plane.x.hi + 1 + far, far)
    x, y, around_it = signed(plane.x), signed(plane.y), range(-reach, reach + 1)
    return Read(memory, [f"{memory.name}[({y} + ({dy})) * {pitch} + {x} + ({dx})]" for dy in around_it for dx in around_it])


def bordered(kernel, plane):
    """The elements around, as far as there are any."""
    memory = kernel.passed.input(element_type(kernel.state), plane.width.hi * plane.height.hi)
    m, x, y, w, h = memory.name, signed(plane.x), signed(plane.y), plane.width.integer(), plane.height.integer()
    return Read(memory, [f"{m}[max({y} - 1, 0) * {w} + {x}]", f"{m}[min({y} + 1, {h} - 1) * {w} + min({x} + 1, {w} - 1)]",
                         f"({x} > 0 && {y} > 0 ? {m}[({y} - 1) * {w} + {x} - 1] : ({memory.type})0)",
                         f"({x} + 1 < {w} ? {m}[{y} * {w} + {x} + 1] : ({memory.type})0)",
                         f"{m}[({y} + 1) % {h} * {w} + ({x} + {w} - 1) % {w}]", f"{m}[({h} - 1 - {y}) * {w} + {x}]"])


def turned(kernel, plane):
    pitch = plane.height.hi
    memory = kernel.passed.input(element_type(kernel.state), plane.width.hi * pitch)
    x, y, m = plane.x.name, plane.y.name, memory.name
    return Read(memory, [f"{m}[{x} * {max(pitch, 1)} + {y}]", f"{m}[{x}]" if plane.height.hi else f"{m}[0]",
                         f"{m}[{x} * {plane.height.name} + {y}]"])


def edges(kernel, plane):
    """An element for each row, or for each column."""
    a = kernel.passed.input(element_type(kernel.state), max(plane.width.hi, plane.height.hi))
    return Read(a, [f"{a.name}[{plane.x.name}]", f"{a.name}[{plane.y.name}]", f"{a.name}[{plane.y.name} / 2]"])


def by_row_pointer(kernel, plane):
    most = plane.width.hi + kernel.state.random.randrange(3)
    memory = kernel.passed.input(element_type(kernel.state), plane.height.hi * most)
    table = kernel.passed.table(memory, plane.height.hi, most)
    return Read(memory, [f"{table.name}[{plane.y.name}][{plane.x.name}]"])


def by_row_index(kernel, plane):
    rows = kernel.state.random.randint(1, 20)
    index = kernel.passed.memory(INT, plane.height.hi, f"(int)(random_bits() % {rows})")
    pitch, most = pitch_of(kernel, plane)
    memory = kernel.passed.input(element_type(kernel.state), rows * most)
    return Read(memory, [f"{memory.name}[{index.name}[{plane.y.name}] * {pitch} + {plane.x.name}]"])


PLANE_READS = {stencil: 4, bordered: 3, turned: 1.5, edges: 1.5, by_row_pointer: 1, by_row_index: 1.5}


# ---- loops that sum up

def sum_of(state):
    """A type to sum up in, the statement that declares the sum, and how a value is added."""
    type = state.weighted({UINT: 5, ULONG: 1, FLOAT: 2, DOUBLE: 0.5})
    name = state.fresh("v")
    return type, name, Stmt(f"{type} {name} = 0;", fixed=True)


def as_type(type, memory, text):
    """A value from memory; what is too large for an integer saturates."""
    if type.is_float() or not memory.type.is_float():
        return f"({type}){text}"
    return f"({type})__{memory.type}2int_rz({text})"


def finish(state, type, name, head, loop):
    state.variables.append(Variable(name, type, kind="free"))
    return [head, loop]


def row_sum(kernel, state, i):
    """Over a row of a matrix, forwards or backwards, at once or in steps, by index or by pointer."""
    length = kernel.passed.size([state.random.randint(0, 9) for _ in kernel.launches], {INT: 1})
    a = kernel.passed.input(element_type(state), (i.hi + 1) * length.hi)
    type, s, head = sum_of(state)
    k, n = state.fresh("k"), length.name
    one = f"{s} += {as_type(type, a, f'{a.name}[{i.name} * {n} + {k}]')};"
    form = state.pick(["up", "down", "part", "pointer", "columns", "halves"])
    if form == "up":
        return finish(state, type, s, head, Stmt(f"for (int {k} = 0; {k} < {n}; {k}++)", [Stmt(one)]))
    if form == "down":
        return finish(state, type, s, head, Stmt(f"for (int {k} = {n} - 1; {k} >= 0; {k}{state.pick(['--', ' -= 2'])})", [Stmt(one)]))
    if form == "part":
        return finish(state, type, s, head, Stmt(f"for (int {k} = (int){i.name} % 3; {k} < {n}; {k} += 2)", [Stmt(one)]))
    if form == "columns":
        one = f"{s} += {as_type(type, a, f'{a.name}[{k} * {i.hi + 1} + {i.name}]')};"
        return finish(state, type, s, head, Stmt(f"for (int {k} = 0; {k} < {n}; {k}++)", [Stmt(one)]))
    if form == "halves":
        return finish(state, type, s, head, Stmt(f"for (int {k} = {n}; {k} > 0; {k} >>= 1) {{",
                                                 [Stmt(f"{s} = {s} * 3 + {as_type(type, a, f'{a.name}[{i.name} * {n} + {k} - 1]')};")], "}"))
    p = state.fresh("p")
    head = Stmt(f"{type} {s} = 0;\nconst {a.type} *{p} = {a.name} + {i.name} * {n};", fixed=True)
    return finish(state, type, s, head, Stmt(f"for (int {k} = 0; {k} < {n}; {k}++, {p}++)", [Stmt(f"{s} += {as_type(type, a, f'*{p}')};")]))


def sparse_row(kernel, state, i):
    """The bounds of the loop, and the indexes in it, are loaded."""
    average = state.random.randint(1, 6)
    rows = kernel.passed.memory(state.pick([INT, UINT, LONG]), i.hi + 2, f"i * {average} + random_bits() % {average}")
    entries = (i.hi + 2) * average
    count = state.random.randint(1, 200)
    columns = kernel.passed.memory(INT, entries, f"(int)(random_bits() % {count})")
    values = kernel.passed.input(element_type(state), entries)
    x = kernel.passed.input(element_type(state), count)
    type, s, head = sum_of(state)
    k, r = state.fresh("k"), rows.name
    step = f"{s} += {as_type(type, values, f'{values.name}[{k}]')} * {as_type(type, x, f'{x.name}[{columns.name}[{k}]]')};"
    loop = Stmt(f"for ({rows.type} {k} = {r}[{i.name}]; {k} < {r}[{i.name} + 1]; {k}++)", [Stmt(step)])
    return finish(state, type, s, head, loop)


def triangle(kernel, state, i):
    """What stands before the point, or some of it."""
    a = kernel.passed.input(element_type(state), i.hi + 1)
    type, s, head = sum_of(state)
    k = state.fresh("k")
    point = signed(i)
    least = state.pick(["0", f"max(0, {point} - 4)", f"{point} / 2"])
    step = state.pick([1, 1, 3]) if least != "0" else 1 + i.hi // 20
    text = state.pick([f"for (int {k} = {least}; {k} <= {point}; {k} += {step})",
                       f"for (int {k} = {point}; {k} >= {least}; {k} -= {step})"])
    return finish(state, type, s, head, Stmt(text, [Stmt(f"{s} += {as_type(type, a, f'{a.name}[{k}]')};")]))


def window_sum(kernel, state, i):
    """A filter, cut off at the ends."""
    reach = state.random.randint(1, 4)
    a = kernel.passed.input(element_type(state), i.hi + 1)
    weights = kernel.passed.input(state.pick([INT, UINT, FLOAT]), 2 * reach + 1)
    type, s, head = sum_of(state)
    d, j = state.fresh("k"), state.fresh("k")
    inner = [Stmt(f"const int {j} = {signed(i)} + {d};", fixed=True),
             Stmt(f"if ({j} >= 0 && {j} <= {i.hi})",
                  [Stmt(f"{s} += {as_type(type, a, f'{a.name}[{j}]')} * {as_type(type, weights, f'{weights.name}[{d} + {reach}]')};")])]
    return finish(state, type, s, head, Stmt(f"for (int {d} = -{reach}; {d} <= {reach}; {d}++) {{", inner, "}"))


def halving(kernel, state, i):
    """Ever longer steps, as through a heap; or ever shorter ones, as when something is searched."""
    a = kernel.passed.input(element_type(state), i.hi + 1)
    type, s, head = sum_of(state)
    k, point = state.fresh("k"), signed(i)
    if state.chance(0.5):
        text = state.pick([f"for (int {k} = 1; {k} <= {point}; {k} *= 2)", f"for (int {k} = {point}; {k} > 0; {k} >>= 1)",
                           f"for (int {k} = {point}; {k} > 0; {k} = ({k} - 1) / 2)"])
        return finish(state, type, s, head, Stmt(text, [Stmt(f"{s} += {as_type(type, a, f'{a.name}[{k}]')};")]))
    low, high = state.fresh("low"), state.fresh("high")
    sorted_ = kernel.passed.memory(UINT, i.hi + 1, "i * 3 + random_bits() % 3")
    body = [Stmt(f"const int {k} = ({low} + {high}) / 2;", fixed=True),
            Stmt(f"if ({sorted_.name}[{k}] < (unsigned){point} * 2)", [Stmt(f"{low} = {k} + 1;", fixed=True)],
                 "else", [Stmt(f"{high} = {k};", fixed=True)], fixed=True)]
    head = Stmt(f"{type} {s} = 0;\nint {low} = 0, {high} = {i.hi + 1};", fixed=True)
    state.variables.append(Variable(s, type, kind="free"))
    return [head, Stmt(f"while ({low} < {high}) {{", body, "}"), Stmt(f"{s} += {low};")]


LOOPS = {halving: 1, row_sum: 4, sparse_row: 2, triangle: 2, window_sum: 2}


def sum_up(kernel, state, variables):
    """A variable, declared from here on, with the sum of what a loop reads."""
    i = state.pick(variables)
    return state.weighted(LOOPS)(kernel, state, i)
