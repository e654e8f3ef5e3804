"""Which points the threads of a launch see to, each point one thread: lines, planes and blocks.

A point is a number i in [0, n), or x and y in [0, w) and [0, h). As no two threads share one, what
is indexed by points in a way that keeps them apart may be written. Sizes are arguments, or known
from the launch; what lies beyond them is cut off by guards, or by loops.
"""
from scalars import INT, LONG, UINT
from scope import Variable
from tree import Stmt

MAX_STEPS = 40  # of the loops in which a thread goes through its points


class Domain:
    """`wrap` makes statements around a body in which `variables` say which point it is."""

    def __init__(self, variables, wrap, trips=1):
        self.variables, self.wrap, self.trips = variables, wrap, max(1, trips)


class Line(Domain):
    def __init__(self, i, size, wrap, trips=1):
        super().__init__([i], wrap, trips)
        self.i, self.size = i, size


class Plane(Domain):
    def __init__(self, point, sizes, wrap, trips=1):
        super().__init__(list(point), wrap, trips)
        (self.x, self.y), (self.width, self.height) = point, sizes


class Place:
    """A number that a thread has alone in its launch: below `count` of the launch."""

    def __init__(self, text, total, counts):
        self.text, self.total, self.counts = text, total, counts


def everywhere(kernel):
    """The number of the thread in the grid."""
    counts = [l.total for l in kernel.launches]
    if kernel.dimensions == 1 and kernel.state.chance(0.8):
        return Place("blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x", counts)
    if kernel.dimensions == 2 and kernel.state.chance(0.5):
        text = "(blockIdx.y * blockDim.y + threadIdx.y) * (gridDim.x * blockDim.x) + blockIdx.x * blockDim.x + threadIdx.x"
        return Place(text, "gridDim.x * blockDim.x * gridDim.y * blockDim.y", counts)
    return Place("block() * threads() + thread()", "blocks() * threads()", counts)


def along(kernel, axis):
    letter = "xyz"[axis]
    return Place(f"blockIdx.{letter} * blockDim.{letter} + threadIdx.{letter}", f"gridDim.{letter} * blockDim.{letter}",
                 [l.grid[axis] * l.block[axis] for l in kernel.launches])


def choose_size(kernel, counts, most=4):
    """Lengths about as large as the number of threads, down to 0."""
    state = kernel.state
    kind = state.weighted({"same": 2, "ragged": 5, "larger": 3, "small": 1})
    values = []
    for count in counts:
        ragged = max(0, count - state.random.randrange(1 + min(count, 40)))
        values.append({"same": count, "ragged": ragged, "larger": state.random.randint(count, most * count),
                       "small": state.random.randrange(min(count, 9) + 1)}[kind])
    return kernel.passed.size(values)


def variable(state, letter, size, types=None):
    type = state.weighted(types or {INT: 6, UINT: 4, LONG: 1})
    return Variable(state.fresh(letter), type, 0, max(size.hi - 1, 0))


def steps(place, size):
    return max(-(-value // count) for value, count in zip(size.values, place.counts))


# ---- lines

def guarded(kernel, place, size, is_last):
    i = variable(kernel.state, "i", size)
    n = f"({i.type}){size.name}"
    head = Stmt(f"const {i.type} {i.name} = {place.text};", fixed=True)
    if is_last and kernel.state.chance(0.4):
        leave = Stmt(f"if ({i.name} >= {n})", [Stmt("return;", fixed=True)], fixed=True)
        return Line(i, size, lambda body: [head, leave] + body)
    return Line(i, size, lambda body: [head, Stmt(f"if ({i.name} < {n}) {{", body, "}")])


def strided(kernel, place, size, is_last):
    """The loop that gives each thread every total-th point, from either end."""
    state = kernel.state
    if steps(place, size) > MAX_STEPS:
        return guarded(kernel, place, size, is_last)
    if state.chance(0.6):
        i = variable(state, "i", size)
        text = f"for ({i.type} {i.name} = {place.text}; {i.name} < ({i.type}){size.name}; {i.name} += {place.total}) {{"
    else:
        i = variable(state, "i", size, {INT: 3, LONG: 1})
        text = (f"for ({i.type} {i.name} = ({i.type}){size.name} - 1 - ({i.type})({place.text}); {i.name} >= 0; "
                f"{i.name} -= ({i.type})({place.total})) {{")
    return Line(i, size, lambda body: [Stmt(text, body, "}")], steps(place, size))


def chunks(kernel, place, size, is_last):
    """Neighbouring points go to the same thread."""
    state = kernel.state
    i = variable(state, "i", size)
    chunk = kernel.passed.size([state.random.randint(1, 5) for _ in kernel.launches])
    c, n = f"({i.type}){chunk.name}", f"({i.type}){size.name}"
    if state.chance(0.5):
        first, last = state.fresh("first"), state.fresh("last")
        head = Stmt(f"const {i.type} {first} = ({i.type})({place.text}) * {c}, {last} = min({first} + {c}, {n});", fixed=True)
        return Line(i, size, lambda body: [
            head, Stmt(f"for ({i.type} {i.name} = {first}; {i.name} < {last}; {i.name}++) {{", body, "}")], chunk.hi)
    k = state.fresh("k")
    head = Stmt(f"const {i.type} {i.name} = ({i.type})({place.text}) * {c} + {k};", fixed=True)
    return Line(i, size, lambda body: [
        Stmt(f"for ({i.type} {k} = 0; {k} < {c}; {k}++) {{",
             [head, Stmt(f"if ({i.name} < {n}) {{", body, "}")], "}")], chunk.hi)


def block_chunks(kernel, place, size, is_last):
    """Neighbouring points go to the same block."""
    state = kernel.state
    i = variable(state, "i", size)
    chunk = kernel.passed.size([state.random.randint(1, 4 * l.threads) for l in kernel.launches])
    k = state.fresh("k")
    head = Stmt(f"const {i.type} {i.name} = block() * {chunk.name} + {k};", fixed=True)
    trips = max(-(-value // l.threads) for value, l in zip(chunk.values, kernel.launches))
    return Line(i, size, lambda body: [
        Stmt(f"for ({i.type} {k} = thread(); {k} < ({i.type}){chunk.name}; {k} += threads()) {{",
             [head, Stmt(f"if ({i.name} < ({i.type}){size.name}) {{", body, "}")], "}")], trips)


def window(kernel, place, size, is_last):
    """Points from `first` on."""
    state = kernel.state
    i = variable(state, "i", size)
    first = kernel.passed.size([state.random.randint(0, value) for value in size.values])
    if state.chance(0.5) or steps(place, size) > MAX_STEPS:
        head = Stmt(f"const {i.type} {i.name} = {first.name} + {place.text};", fixed=True)
        return Line(i, size, lambda body: [head, Stmt(f"if ({i.name} < ({i.type}){size.name}) {{", body, "}")])
    text = (f"for ({i.type} {i.name} = {first.name} + {place.text}; {i.name} < ({i.type}){size.name}; "
            f"{i.name} += {place.total}) {{")
    return Line(i, size, lambda body: [Stmt(text, body, "}")], steps(place, size))


def segments(kernel, place, size, is_last):
    """Where the points of a block, or of a thread, begin is loaded."""
    state = kernel.state
    i = variable(state, "i", size, {INT: 3, UINT: 1})
    by_block = state.chance(0.5)
    owners = max(l.blocks if by_block else l.total for l in kernel.launches)
    average = max(1, size.hi // owners)
    starts = kernel.passed.memory(i.type, owners + 1, f"({i.type})(i * {average} + random_bits() % {average})")
    owner, step, first = ("block()", "threads()", " + thread()") if by_block else ("block() * threads() + thread()", "1", "")
    text = (f"for ({i.type} {i.name} = {starts.name}[{owner}]{first}; {i.name} < {starts.name}[{owner} + 1] && "
            f"{i.name} < ({i.type}){size.name}; {i.name} += {step}) {{")
    return Line(i, size, lambda body: [Stmt(text, body, "}")], 2 * average)


def flipped(kernel, place, size, is_last):
    """From the end, as many as there are threads."""
    i = variable(kernel.state, "i", size, {INT: 1})
    head = Stmt(f"const int {i.name} = {size.integer()} - 1 - (int)({place.text});", fixed=True)
    return Line(i, size, lambda body: [head, Stmt(f"if ({i.name} >= 0) {{", body, "}")])


LINES = {guarded: 6, strided: 4, chunks: 2, block_chunks: 1.5, window: 1.5, flipped: 1, segments: 1}


def exact_line(kernel, place):
    """As many points as threads: no guard."""
    size = kernel.passed.size(place.counts)
    i = variable(kernel.state, "i", size)
    head = Stmt(f"const {i.type} {i.name} = {place.text};", fixed=True)
    return Line(i, size, lambda body: [head] + body)


def line(kernel, is_last, size=None):
    place = everywhere(kernel)
    if size is None and kernel.state.chance(0.15):
        return exact_line(kernel, place)
    form = kernel.state.weighted(LINES)
    return form(kernel, place, size or choose_size(kernel, place.counts), is_last)


# ---- planes

def by_axes(kernel, is_last):
    """x and y from two axes of the grid; a third one would have several threads on each point."""
    if kernel.dimensions != 2:
        return divided(kernel, is_last)
    parts = []
    for axis in 0, 1:
        place = along(kernel, axis)
        form = kernel.state.weighted({guarded: 6, strided: 2, flipped: 0.5, window: 0.5})
        parts.append(form(kernel, place, choose_size(kernel, place.counts, 3), False))
    x, y = parts
    return Plane((x.i, y.i), (x.size, y.size), lambda body: y.wrap(x.wrap(body)), x.trips * y.trips)


def divided(kernel, is_last):
    """One number, taken apart by / and %."""
    state = kernel.state
    counts = [l.total for l in kernel.launches]
    widths = [state.pick([1, 2, 3, 7, 16, 33, 50]) for _ in counts] if state.chance(0.7) else [state.pick([3, 8, 12])] * len(counts)
    width = kernel.passed.size(widths)
    height = kernel.passed.size([max(0, count // w + state.random.randint(-1, 2)) for count, w in zip(counts, widths)])
    both = kernel.passed.size([a * b for a, b in zip(width.values, height.values)], {INT: 3, UINT: 1})
    base = line(kernel, is_last, both)
    i, w = base.i, f"({base.i.type}){width.name}"
    if len(set(widths)) == 1 and state.chance(0.5):
        w = str(widths[0])
    x, y = variable(state, "x", width), variable(state, "y", height)
    head = [Stmt(f"const {x.type} {x.name} = {i.name} % {w};", fixed=True),
            Stmt(f"const {y.type} {y.name} = {i.name} / {w};", fixed=True)]
    return Plane((x, y), (width, height), lambda body: base.wrap(head + body), base.trips)


def inner_loop(kernel, v, size, outer):
    """A loop over [0, size), or over a part that depends on the point outside."""
    state, n = kernel.state, f"({v.type}){size.name}"
    o = f"({v.type}){outer.name}"
    kind = state.weighted({"all": 5, "down": 2, "below": 1, "from": 1, "loaded": 1, "odd": 1})
    if kind == "down" and v.type is not UINT:
        return f"for ({v.type} {v.name} = {n} - 1; {v.name} >= 0; {v.name}--) {{"
    if kind == "down":
        return f"for ({v.type} {v.name} = {n}; {v.name}-- > 0;) {{"
    if kind == "below":
        return f"for ({v.type} {v.name} = 0; {v.name} {state.pick(['<', '<='])} {o} && {v.name} < {n}; {v.name}++) {{"
    if kind == "from":
        return f"for ({v.type} {v.name} = {o}; {v.name} < {n}; {v.name}++) {{"
    if kind == "loaded":
        least = min(size.values)
        lengths = kernel.passed.memory(INT, outer.hi + 1, f"(int)(random_bits() % {least + 1})")
        return f"for ({v.type} {v.name} = 0; {v.name} < ({v.type}){lengths.name}[{outer.name}]; {v.name}++) {{"
    step = state.pick([2, 3]) if kind == "odd" else 1
    return f"for ({v.type} {v.name} = 0; {v.name} < {n}; {v.name} += {step}) {{"


def rows_or_columns(kernel, is_last):
    """A thread for each row, or each column, of the plane."""
    state = kernel.state
    outer = line(kernel, is_last)
    size = kernel.passed.size([state.random.randint(0, 12) for _ in kernel.launches])
    v = variable(state, "j", size)
    text = inner_loop(kernel, v, size, outer.i)
    wrap = lambda body: outer.wrap([Stmt(text, body, "}")])
    trips = outer.trips * max(size.hi, 1)
    if state.chance(0.5):
        return Plane((v, outer.i), (size, outer.size), wrap, trips)
    return Plane((outer.i, v), (outer.size, size), wrap, trips)


def by_three_axes(kernel, is_last):
    """x and y, and a loop or threads along z: the plane's rows are numbered through."""
    if kernel.dimensions != 3:
        return by_axes(kernel, is_last)
    parts = []
    for axis in 0, 1, 2:
        place = along(kernel, axis)
        form = kernel.state.weighted({guarded: 6, strided: 2})
        parts.append(form(kernel, place, choose_size(kernel, place.counts, 3), False))
    x, y, z = parts
    rows = kernel.passed.size([a * b for a, b in zip(y.size.values, z.size.values)], {INT: 1})
    row = variable(kernel.state, "row", rows, {INT: 1})
    head = Stmt(f"const int {row.name} = (int)({z.i.name} * {y.size.name} + {y.i.name});", fixed=True)
    return Plane((x.i, row), (x.size, rows), lambda body: z.wrap(y.wrap(x.wrap([head] + body))),
                 x.trips * y.trips * z.trips)


PLANES = {by_axes: 4, divided: 2, rows_or_columns: 3, by_three_axes: 2}


def plane(kernel, is_last):
    return kernel.state.weighted(PLANES)(kernel, is_last)


def one_thread(kernel, is_last):
    """A point for each block, which its first thread sees to."""
    size = kernel.passed.size([l.blocks for l in kernel.launches])
    i = variable(kernel.state, "i", size)
    head = Stmt(f"const {i.type} {i.name} = block();", fixed=True)
    guard = kernel.state.pick(["thread() == 0", "threadIdx.x + threadIdx.y + threadIdx.z == 0", "thread() < 1"])
    return Line(i, size, lambda body: [head, Stmt(f"if ({guard}) {{", body, "}")])


DOMAINS = {line: 6, plane: 6, one_thread: 1}
