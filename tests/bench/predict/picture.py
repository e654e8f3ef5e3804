"""The benchmark's table as bars, in SVG: for each program what jobs took, relative to one process,
and below it what was predicted, the parts of the prediction in colours of their own."""
import svg

LEFT, WIDTH, RIGHT, ROW, TOP = 170, 560, 90, 34, 66
REAL, COMPUTING, MOVING, HOST = "#222222", "#2a6fbb", "#d55e00", "#b9bec5"


def label(one):
    return f"{one.name}, {one.nodes} nodes"


def bars(one, y, scale):
    """What was real; then the prediction's parts, in the order in which they stand in its table."""
    real, predicted = one.real() / one.real_alone(), one.predicted() / one.real_alone()
    parts = [svg.box(LEFT, y, scale * real, 9, REAL)]
    whole = sum(one.part(index) for index in (1, 2, 3))
    x = LEFT
    for index, colour in ((1, COMPUTING), (2, MOVING), (3, HOST)):
        width = scale * predicted * one.part(index) / whole if whole else 0
        parts.append(svg.box(x, y + 11, width, 9, colour))
        x += width
    end = LEFT + scale * max(real, predicted)
    parts.append(svg.text(end + 8, y + 15, f"{one.ratio():.2f}{'' if one.is_right() else ' *'}"))
    return parts


def write(all_measured, path):
    shown = [one for one in all_measured if one.ratio() is not None]
    if not shown:
        return
    most = max(max(one.real(), one.predicted()) / one.real_alone() for one in shown)
    scale = WIDTH / max(most, 1)
    parts = [svg.text(LEFT, 20, "time relative to one process; predicted / real at the right")]
    for index, (colour, name) in enumerate(((REAL, "real"), (COMPUTING, "predicted: computing"),
                                            (MOVING, "moving"), (HOST, "host, and its copies"))):
        x = LEFT + (0, 70, 230, 320)[index]
        parts += [svg.box(x, 31, 10, 10, colour), svg.text(x + 16, 40, name)]
    height = ROW * len(shown)
    parts += [svg.line(LEFT + scale, TOP - 4, height, "#222"),
              svg.text(LEFT + scale, TOP - 8, "1", "middle")]
    for index, one in enumerate(shown):
        y = TOP + ROW * index
        parts.append(svg.text(LEFT - 10, y + 15, label(one), "end"))
        parts += bars(one, y, scale)
    svg.write(path, LEFT + WIDTH + RIGHT, TOP + height + 16, parts)
