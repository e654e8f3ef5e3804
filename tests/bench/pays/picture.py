"""The benchmark's table as dots, in SVG: a job's time relative to one process, on a logarithmic
scale. Dots to the right of the line have become slower by nodes."""
import math

import svg

LEFT, WIDTH, RIGHT, ROW, TOP = 190, 560, 30, 15, 76
COLOURS = ("#2a6fbb", "#d55e00", "#2a9d5c", "#8a4fa3", "#b9bec5", "#222222")


def dot(x, y, colour, is_over):
    """A full dot takes longer than it should."""
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" stroke="{colour}" stroke-width="1.5" '
            f'fill="{colour if is_over else "white"}"/>')


def series_of(measured):
    return f"{measured.nodes} nodes{' ' + measured.build.label if measured.build.label else ''}"


def row_of(measured):
    return f"{measured.name}, {measured.size_name()}"


def write(all_measured, path):
    jobs = [measured for measured in all_measured if measured.ratio() and measured.nodes > 1]
    if not jobs:
        return
    rows = list(dict.fromkeys(row_of(job) for job in jobs))
    series = list(dict.fromkeys(series_of(job) for job in jobs))
    colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(series)}
    exponents = [math.log10(job.ratio()) for job in jobs]
    low, high = min(math.floor(min(exponents)), -1), max(math.ceil(max(exponents)), 1)

    def position(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / (high - low)

    parts = [svg.text(LEFT, 20, "time relative to one process; full: takes too long")]
    for index, name in enumerate(series):
        x = LEFT + 140 * index
        parts += [dot(x + 4, 36, colours[name], False), svg.text(x + 14, 40, name)]
    height = ROW * len(rows)
    for exponent in range(low, high + 1):
        x = position(10 ** exponent)
        parts += [svg.line(x, TOP - 4, height + 8, "#222" if exponent == 0 else "#ddd"),
                  svg.text(x, TOP - 8, f"{10.0 ** exponent:g}", "middle")]
    for index, row in enumerate(rows):
        parts.append(svg.text(LEFT - 10, TOP + index * ROW + 12, row, "end"))
    for job in jobs:
        y = TOP + rows.index(row_of(job)) * ROW + 8
        parts.append(dot(position(job.ratio()), y, colours[series_of(job)], job.is_over()))
    svg.write(path, LEFT + WIDTH + RIGHT, TOP + height + 16, parts)
