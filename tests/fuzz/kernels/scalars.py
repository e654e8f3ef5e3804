"""Arithmetic types, their ranges and their literals; what threads agree on a value."""

THREAD, WARP, BLOCK = 0, 1, 2  # the value may differ between threads, warps, blocks


class Type:
    def __init__(self, name, kind, bits, signed, suffix=""):
        self.name, self.kind, self.bits, self.signed, self.suffix = name, kind, bits, signed, suffix
        self.lo = self.hi = None
        if kind == "int":
            self.lo = -(1 << (bits - 1)) if signed else 0
            self.hi = (1 << (bits - signed)) - 1
        elif kind == "bool":
            self.lo, self.hi = 0, 1

    def __str__(self):
        return self.name

    def holds(self, lo, hi):
        return self.lo <= lo and hi <= self.hi

    def is_float(self):
        return self.kind == "float"


INT = Type("int", "int", 32, True)
UINT = Type("unsigned", "int", 32, False, "u")
LONG = Type("long long", "int", 64, True, "ll")
ULONG = Type("unsigned long long", "int", 64, False, "ull")
SHORT = Type("short", "int", 16, True)
USHORT = Type("unsigned short", "int", 16, False)
CHAR = Type("signed char", "int", 8, True)
UCHAR = Type("unsigned char", "int", 8, False)
BOOL = Type("bool", "bool", 8, False)
FLOAT = Type("float", "float", 32, True, "f")
DOUBLE = Type("double", "float", 64, True)

NARROW = [SHORT, USHORT, CHAR, UCHAR]
INTEGERS = [INT, UINT, LONG, ULONG]  # those that arithmetic happens in
STORAGE = [INT, UINT, LONG, ULONG, FLOAT, DOUBLE, BOOL] + NARROW

INTERESTING = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1000,
               -1, -2, -7, -32, -100, 0x7fffffff, -0x80000000, 0x7ffffff0, 0xffffffff, 0xfffffff0,
               0x80000000, 0x55555555, 0x9e3779b9, 0x7fffffffffffffff, 0xffffffffffffffff]
FLOATS = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "0.1", "-2.25", "3.14159", "1e-3", "1e6", "-7.5",
          "255.0", "1e-30", "3e9", "1e20"]


def promote(type):
    """The type in which a variable of `type` takes part in arithmetic."""
    return INT if type in NARROW else type


def unsigned_of(type):
    return {INT: UINT, LONG: ULONG}.get(type, type)


def literal(type, value):
    """Text of an integer constant; the least ones can't be written as one literal."""
    if value == type.lo and type.signed and type.bits >= 32:
        return f"({value + 1}{type.suffix} - 1)"
    return f"({value}{type.suffix})" if value < 0 else f"{value}{type.suffix}"
