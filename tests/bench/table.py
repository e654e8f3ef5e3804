"""The table of a benchmark that holds figures against others and says what is wanted of them."""
import csv

from progress import show_progress


class Problem(Exception):
    """Why there is no value."""


class Absent(Problem):
    """What to compare with isn't installed: a quick run does without it."""


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"


class Line:
    """A line of the table: a value, what it is held against, and how it should be."""

    def __init__(self, section, what, unit, wanted, is_bound):
        self.section, self.what, self.unit, self.wanted = section, what, unit, wanted
        self.is_bound = is_bound  # whether `wanted` is for the value, not for the ratio
        self.value = self.other = self.other_name = self.problem = None
        self.is_absent = False

    def ratio(self):
        return self.value / self.other if self.value is not None and self.other else None

    def is_met(self):
        measured = self.value if self.is_bound else self.ratio()
        if measured is None:
            return None
        return measured >= -self.wanted if self.wanted < 0 else measured <= self.wanted

    def wish(self):
        relation, unit = ("≥" if self.wanted < 0 else "≤"), f" {self.unit}" if self.is_bound else ""
        return f"{relation} {abs(self.wanted):g}{unit}"


class Table:
    def __init__(self):
        self.lines = []

    def add(self, section, what, unit, wanted, measure, is_bound=False):
        """`measure` returns a value, or one, another one and what that is of. `wanted` is the
        largest ratio or, negative, the smallest."""
        line = Line(section, what, unit, wanted, is_bound)
        show_progress(f"{section}: {what}")
        try:
            found = measure()
            line.value, line.other, line.other_name = (found, None, "") if is_bound else found
        except Problem as problem:
            line.problem = str(problem)
            line.is_absent = isinstance(problem, Absent)
        self.lines.append(line)

    def rows(self):
        for line in self.lines:
            met = {None: "", True: "yes", False: "no"}[line.is_met()]
            yield (line.section, line.what, line.problem or number(line.value), line.unit,
                   number(line.other), line.other_name or "", number(line.ratio()), line.wish(),
                   met)

    def write_csv(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["section", "what", "value", "unit", "other", "other_is", "ratio",
                             "wanted", "met", "problem"])
            for line in self.lines:
                writer.writerow([line.section, line.what, line.value, line.unit, line.other,
                                 line.other_name, line.ratio(), line.wish(), line.is_met(),
                                 line.problem])

    def print(self):
        header = ("", "", "value", "", "against", "", "ratio", "wanted", "met")
        rows = [header, *self.rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
        left = (0, 1, 3, 5)
        for row in rows:
            print("  ".join(f"{text:{width}}" if i in left else f"{text:>{width}}"
                            for i, (text, width) in enumerate(zip(row, widths))).rstrip())

    def is_complete(self, may_be_absent):
        """Whether all lines have values; or lack only what there is nothing to compare with."""
        return not any(line.problem and not (line.is_absent and may_be_absent)
                       for line in self.lines)
