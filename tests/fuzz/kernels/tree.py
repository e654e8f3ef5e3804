"""Programs as trees: expressions inside statements inside bodies.

A part of a node is text, an expression, or a body (a list of statements). That is all that printing
and shrinking need to know; what a statement means is known to the grammar that made it.
"""
INDENT = "    "


class Expr:
    """A value. Integers know the range [lo, hi] that they lie in; `level` says which threads agree
    on the value (scalars.THREAD, WARP, BLOCK)."""
    __slots__ = ("type", "parts", "lo", "hi", "level")

    def __init__(self, type, parts, lo=None, hi=None, level=0):
        self.type, self.parts, self.level = type, list(parts), level
        self.lo = type.lo if lo is None else lo
        self.hi = type.hi if hi is None else hi

    def __str__(self):
        return "".join(str(part) for part in self.parts)


class Stmt:
    """A statement, with the bodies inside it. What may be done to it when a program is shrunk:
    nothing if it is `fixed`; its bodies may take its place if it can be `opened`."""
    __slots__ = ("parts", "fixed", "opened")

    def __init__(self, *parts, fixed=False, opened=False):
        self.parts, self.fixed, self.opened = list(parts), fixed, opened

    def bodies(self):
        return [part for part in self.parts if isinstance(part, list)]


def print_body(body, indent):
    lines = []
    for statement in body:
        text = ""
        for part in statement.parts:
            if not isinstance(part, list):
                text += str(part)
                continue
            lines.append(INDENT * indent + text)
            lines += print_body(part, indent + 1)
            text = ""
        if text:
            lines += [INDENT * indent + line for line in text.split("\n")]
    return lines


def count_statements(body):
    return sum(1 + sum(count_statements(inner) for inner in statement.bodies())
               for statement in body)
