"""What the grammar knows at a place in the program."""
from scalars import BLOCK, THREAD, promote
from tree import Expr


class Variable:
    """`kind` says how it may change: "free" (anything that lies in [lo, hi]), "sum" (only by small
    steps, so that signed sums stay in range), or "const"."""

    def __init__(self, name, type, lo=None, hi=None, level=THREAD, kind="const"):
        self.name, self.type, self.level, self.kind = name, type, level, kind
        self.lo = type.lo if lo is None else lo
        self.hi = type.hi if hi is None else hi

    def takes_anything(self):
        return self.kind == "free" and (self.lo, self.hi) == (self.type.lo, self.type.hi)

    def read(self):
        return Expr(promote(self.type), [self.name], self.lo, self.hi, self.level)


class Array:
    """Memory that expressions may read with any index in [0, count): an input, constant or local
    memory, shared memory in a phase in which nobody writes it. Elements lie in [lo, hi]."""

    def __init__(self, name, type, count, lo=None, hi=None, level=BLOCK):
        self.name, self.type, self.count, self.level = name, type, count, level
        self.lo = type.lo if lo is None else lo
        self.hi = type.hi if hi is None else hi
        self.written = False  # local arrays only
        self.texts = []       # if any: how it is read instead


class Owned:
    """Memory of which each thread has slots of its own, so that it may read and write them at any
    time. `slots` are the texts of the indexes."""

    def __init__(self, name, type, slots):
        self.name, self.type, self.slots = name, type, slots


class Accumulator:
    """Memory that all threads change, only by one atomic operation, and nobody reads."""

    def __init__(self, name, type, operation, count):
        self.name, self.type, self.operation, self.count = name, type, operation, count


class State:
    """Copied where the program branches; variables declared inside are gone afterwards.

    level   which threads are here together: all of the block (BLOCK), of the warp, or any subset
    mask    name of a variable with the lanes that are here, if they may use warp operations
    size    1 to 3: how much is made
    trips   how often this place runs at most, in relation to the kernel's body
    """

    def __init__(self, random, names):
        self.random, self.names = random, names
        self.variables, self.arrays, self.owned, self.accumulators = [], [], [], []
        self.structs, self.functions, self.tickets = [], [], []
        self.vectors, self.vector_slots, self.same = [], [], []
        self.level, self.mask, self.trips, self.depth, self.size = BLOCK, None, 1, 0, 3
        self.may_break = self.may_continue = False
        self.is_exact = False    # only functions whose results all libraries agree on
        self.may_peek = True     # to read without atomic operations what others change by them
        self.farewell = []       # what threads do before they leave a kernel
        self.returns = None      # how to leave: "return;" in kernels, a type in functions
        self.stride = None       # (count, owned buffers) of grid-stride loops
        self.exchange = None     # shared array for exchanges inside a warp

    def inside(self, level=None, trips=1, **changes):
        inner = State.__new__(State)
        inner.__dict__.update(self.__dict__)
        for name in ("variables", "arrays", "owned", "structs"):
            setattr(inner, name, list(getattr(self, name)))
        inner.level = self.level if level is None else min(level, self.level)
        inner.trips, inner.depth = self.trips * trips, self.depth + 1
        for name, value in changes.items():
            setattr(inner, name, value)
        return inner

    def fresh(self, prefix):
        self.names[prefix] = self.names.get(prefix, -1) + 1
        return f"{prefix}{self.names[prefix]}"

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, things):
        return self.random.choice(things)

    def weighted(self, table):
        """One of the keys of {thing: weight}."""
        return self.random.choices(list(table), list(table.values()))[0]

    def assignable(self, types=None):
        return [v for v in self.variables if v.kind != "const" and v.level <= self.level
                and (types is None or v.type in types)]
