"""The benchmark's table as bars, in SVG: times relative to OpenMP's, on a logarithmic scale."""
import math

import svg

LEFT, WIDTH, ROW, BAR, TOP = 130, 560, 30, 11, 56
COLOURS = {"cuda": "#2a6fbb", "opencl": "#b9bec5", "limit": "#c22f2f"}


def relative_limit(kernel):
    openmp = kernel.seconds("openmp")
    return kernel.limit / openmp if openmp and kernel.limit else None


def legend():
    x, parts = LEFT, []
    labels = {"cuda": "gcluster", "opencl": "PoCL", "limit": "limit of the machine"}
    for name, label in labels.items():
        width = 3 if name == "limit" else 14
        parts += [svg.box(x, 14, width, BAR, COLOURS[name]), svg.text(x + width + 5, 24, label)]
        x += 100
    return parts + [svg.text(LEFT + WIDTH, 24, "time relative to OpenMP", "end")]


def row(kernel, y, position):
    """A kernel's bars begin at 1, as fast as OpenMP: those to the left are faster."""
    parts = [svg.text(LEFT - 10, y + 17, kernel.name, "end")]
    for form, offset in (("cuda", 2), ("opencl", 3 + BAR)):
        ratio = kernel.ratio(form, "openmp")
        if ratio:
            begin, end = sorted((position(1), position(ratio)))
            parts.append(svg.box(begin, y + offset, max(end - begin, 1), BAR, COLOURS[form]))
    limit = relative_limit(kernel)
    if limit:
        parts.append(svg.line(position(limit), y + 1, ROW - 4, COLOURS["limit"], 3))
    return parts


def write(kernels, path):
    kernels = [kernel for kernel in kernels if kernel.seconds("openmp")]
    values = [1.0]
    for kernel in kernels:
        values += [kernel.ratio("cuda", "openmp"), kernel.ratio("opencl", "openmp"),
                   relative_limit(kernel)]
    decades = [math.log10(value) for value in values if value]
    low, high = math.floor(min(decades)), max(math.ceil(max(decades)), 1)

    def position(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / (high - low)

    height = TOP + ROW * len(kernels) + 16
    parts = legend()
    for decade in range(low, high + 1):
        x = position(10 ** decade)
        parts += [svg.line(x, TOP - 4, ROW * len(kernels) + 8, "#222" if decade == 0 else "#ddd"),
                  svg.text(x, TOP - 8, f"{10 ** decade:g}", "middle")]
    for index, kernel in enumerate(kernels):
        parts += row(kernel, TOP + index * ROW, position)
    svg.write(path, LEFT + WIDTH + 30, height, parts)
