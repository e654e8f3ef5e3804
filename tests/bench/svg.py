"""What the benchmarks' pictures are drawn with: pieces of SVG."""

FONT = 'font-family="sans-serif" font-size="12"'


def text(x, y, content, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT}>{content}</text>'


def box(x, y, width, height, colour):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" '
            f'fill="{colour}"/>')


def line(x, y, height, colour, width=1):
    return (f'<path d="M{x:.1f} {y:.1f}v{height:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"/>')


def write(path, width, height, parts):
    """A white picture of that many pixels with `parts` on it."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                              f'height="{height}">',
                              '<rect width="100%" height="100%" fill="white"/>', *parts,
                              "</svg>\n"]))
