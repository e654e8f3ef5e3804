"""The benchmark's table as bars, in SVG: p95 of each server, each line to its own scale."""
import svg

LEFT, WIDTH, RIGHT, BAR, ROW, TOP = 230, 420, 130, 10, 28, 52
COLOURS = {"gcluster-lsp": "#2a6fbb", "clangd": "#999999"}


def label(value, unit):
    return f"{value:.3g} {unit}"


def write(lines, path):
    lines = [line for line in lines if line.values]
    largest = [max(p95 for _, _, p95 in line.values.values()) for line in lines]
    parts = []
    for index, (name, colour) in enumerate(COLOURS.items()):
        parts += [svg.box(LEFT + 130 * index, 14, 14, BAR, colour),
                  svg.text(LEFT + 130 * index + 19, 24, name)]
    parts.append(svg.text(LEFT - 10, 24, "p95", "end"))
    for index, line in enumerate(lines):
        y = TOP + index * ROW
        parts.append(svg.text(LEFT - 10, y + 14, line.what, "end"))
        for place, (name, (_, _, p95)) in enumerate(line.values.items()):
            width = max(WIDTH * p95 / largest[index], 1)
            parts += [svg.box(LEFT, y + place * (BAR + 1), width, BAR, COLOURS[name]),
                      svg.text(LEFT + width + 6, y + place * (BAR + 1) + 9,
                               label(p95, line.unit))]
    svg.write(path, LEFT + WIDTH + RIGHT, TOP + ROW * len(lines) + 16, parts)
