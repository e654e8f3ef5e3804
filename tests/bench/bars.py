"""The benchmark's table as bars, in SVG: how each figure lies to what is wanted of it, on a
logarithmic scale. Bars to the left of the line are better than wanted."""
import math

import svg

LEFT, WIDTH, RIGHT, ROW, BAR, TOP = 370, 460, 180, 22, 12, 56
MET, MISSED = "#2a6fbb", "#d55e00"


def to_wanted(line):
    """How many times as much as wanted; what should be large, the other way round."""
    measured = line.value if line.is_bound else line.ratio()
    if not measured:
        return None
    return -line.wanted / measured if line.wanted < 0 else measured / line.wanted


def name_of(line):
    return f"{line.what}, to {line.other_name}" if line.other_name else line.what


def label_of(line):
    measured = line.value if line.is_bound else line.ratio()
    return f"{measured:.3g} ({line.wish()})"


def write(lines, path):
    lines = [line for line in lines if to_wanted(line)]
    if not lines:
        return
    exponents = [math.log10(to_wanted(line)) for line in lines]
    low, high = math.floor(min(exponents)), max(math.ceil(max(exponents)), 1)

    def position(value):
        return LEFT + WIDTH * (math.log10(value) - low) / (high - low)

    parts = [svg.box(LEFT, 14, 14, BAR, MET), svg.text(LEFT + 19, 24, "as wanted"),
             svg.box(LEFT + 110, 14, 14, BAR, MISSED), svg.text(LEFT + 129, 24, "not yet"),
             svg.text(LEFT + WIDTH, 24, "relative to what is wanted", "end")]
    for exponent in range(low, high + 1):
        x = position(10 ** exponent)
        parts += [svg.line(x, TOP - 4, ROW * len(lines) + 8, "#222" if exponent == 0 else "#ddd"),
                  svg.text(x, TOP - 8, f"{10.0 ** exponent:g}", "middle")]
    for index, line in enumerate(lines):
        y = TOP + index * ROW
        begin, end = sorted((position(1), position(to_wanted(line))))
        colour = MET if line.is_met() else MISSED
        parts += [svg.text(LEFT - 10, y + 14, f"{line.section}: {name_of(line)}", "end"),
                  svg.box(begin, y + 4, max(end - begin, 1), BAR, colour),
                  svg.text(LEFT + WIDTH + 10, y + 14, label_of(line))]
    svg.write(path, LEFT + WIDTH + RIGHT, TOP + ROW * len(lines) + 16, parts)
