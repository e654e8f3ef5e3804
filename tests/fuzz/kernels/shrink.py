"""Makes a failing kernel smaller: takes out statements, opens them, replaces expressions, as long as
the failure stays. What a statement or expression may be replaced with keeps the program valid, or
makes it one that doesn't compile, which is no failure."""
import time

from tree import Expr, count_statements


class Shrinker:
    def __init__(self, kernel, fails, seconds):
        """`fails(kernel)` says whether the failure is still there."""
        self.kernel, self.fails = kernel, fails
        self.end = time.monotonic() + seconds

    def out_of_time(self):
        return time.monotonic() > self.end

    def attempt(self, change, undo):
        if self.out_of_time():
            return False
        change()
        if self.fails(self.kernel):
            return True
        undo()
        return False

    def bodies(self):
        """Bodies of the kernel and its functions, outermost first."""
        found = [self.kernel.body, self.kernel.preamble] + [f.body for f in self.kernel.functions]
        for body in found:  # grows on the way
            for statement in body:
                found += statement.bodies()
        return found

    def remove(self, body):
        """Takes out runs of statements, long ones first."""
        changed = False
        length = len(body)
        while length:
            begin = 0
            while begin < len(body):
                old = body[begin:begin + length]
                kept = [s for s in old if s.fixed]
                if len(kept) < len(old) and self.attempt(
                        lambda: body.__setitem__(slice(begin, begin + length), kept),
                        lambda: body.__setitem__(slice(begin, begin + len(kept)), old)):
                    changed = True
                    begin += len(kept)
                else:
                    begin += length
            length //= 2
        return changed

    def open(self, body):
        """Puts what is inside a statement in its place."""
        changed = False
        i = 0
        while i < len(body):
            statement = body[i]
            for inner in statement.bodies() if statement.opened else []:
                count = len(inner)
                if self.attempt(lambda: body.__setitem__(slice(i, i + 1), inner),
                                lambda: body.__setitem__(slice(i, i + count), [statement])):
                    changed = True
                    break
            i += 1
        return changed

    def simplify(self, parts):
        """Replaces expressions by parts of themselves or by constants."""
        changed = False
        for i, part in enumerate(parts):
            if not isinstance(part, Expr):
                continue
            for new in replacements(part):
                if self.attempt(lambda: parts.__setitem__(i, new), lambda: parts.__setitem__(i, part)):
                    changed = True
                    break
            changed |= self.simplify(parts[i].parts)
        return changed

    def run(self):
        changed = True
        while changed and not self.out_of_time():
            changed = False
            for body in self.bodies():
                changed |= self.remove(body)
            for body in self.bodies():
                changed |= self.open(body)
            self.drop_launches()
        for body in self.bodies():
            for statement in body:
                self.simplify(statement.parts)
        return count_statements(self.kernel.body)

    def drop_launches(self):
        launches = self.kernel.launches
        for launch in list(launches):
            if len(launches) > 1:
                place = launches.index(launch)
                self.attempt(lambda: launches.remove(launch), lambda: launches.insert(place, launch))


def children(expression):
    for part in expression.parts:
        if isinstance(part, Expr):
            yield part
            yield from children(part)


def replacements(expression):
    """Simpler values of the type, in the range, and at least as much agreed on."""
    if len(expression.parts) == 1 and isinstance(expression.parts[0], str):
        return
    for value in (0, 1):
        if expression.type.is_float() or expression.lo <= value <= expression.hi:
            text = {"bool": ["false", "true"][value], "float": f"{value}.0{expression.type.suffix}"}.get(
                expression.type.kind, f"{value}{expression.type.suffix}")
            yield Expr(expression.type, [text], expression.lo, expression.hi, expression.level)
    for child in children(expression):
        if child.type is not expression.type or child.level < expression.level:
            continue
        if child.type.is_float() or expression.lo <= child.lo and child.hi <= expression.hi:
            yield child
