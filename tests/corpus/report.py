"""What became of the programs: a table for people, CSV, and a page."""
import csv
import html

STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}
td,th{padding:.2em .6em;text-align:left;border-bottom:1px solid #ddd}
.yes{background:#dfd}.no{background:#fdd}.none{color:#999}td.n{text-align:right}"""


def mark(value):
    return "-" if value is None else "yes" if value else "no"


def split_text(job):
    return f"{job['split'][1]}/{job['split'][0]}" if job and job["split"] else "-"


def time_text(result, key):
    seconds = result["seconds"].get(key)
    return "-" if seconds is None else f"{seconds:.1f}"


def cells(entry, result, nodes):
    """A row: name, compiled, right alone and on each number of nodes, split kernels, times, failure."""
    jobs = [result["jobs"].get(str(n)) for n in nodes]
    return [entry.id, mark(result["compiled"]), mark(result["alone"]),
            *(mark(job and job["right"]) for job in jobs), split_text(jobs[-1] if jobs else None),
            time_text(result, "build"), time_text(result, "1"),
            *(time_text(result, str(n)) for n in nodes), result["failure"]]


def heads(nodes):
    return ["program", "compiled", "right on 1", *(f"on {n}" for n in nodes), "split", "build s", "1 s",
            *(f"{n} s" for n in nodes), "failure"]


def sums(rows, nodes):
    """("compiled", 12 of 15), …"""
    count = len(rows)
    numbers = [("compiled", sum(r["compiled"] for _, r in rows)),
               ("right on 1", sum(bool(r["alone"]) for _, r in rows))]
    numbers += [(f"right on {n}", sum((r["jobs"].get(str(n)) or {"right": False})["right"]
                                      for _, r in rows)) for n in nodes]
    return [(name, f"{number} of {count} ({100 * number / max(count, 1):.0f} %)")
            for name, number in numbers]


def print_table(rows, nodes, out):
    table = [heads(nodes)] + [cells(e, r, nodes) for e, r in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip(), file=out)
    for name, number in sums(rows, nodes):
        print(f"{name}: {number}", file=out)


def write_csv(rows, nodes, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads(nodes))
        writer.writerows(cells(e, r, nodes) for e, r in rows)


def write_html(rows, nodes, path):
    def cell(text):
        kind = {"yes": "yes", "no": "no", "-": "none"}.get(text, "")
        return f'<td class="{kind}">{html.escape(text)}</td>'

    lines = ["<!doctype html><meta charset=utf-8><title>Programs</title>", f"<style>{STYLE}</style>", "<ul>"]
    lines += [f"<li>{html.escape(name)}: {number}" for name, number in sums(rows, nodes)]
    lines += ["</ul><table><tr>" + "".join(f"<th>{h}</th>" for h in heads(nodes)) + "</tr>"]
    lines += ["<tr>" + "".join(map(cell, cells(e, r, nodes))) + "</tr>" for e, r in rows]
    path.write_text("\n".join(lines) + "\n</table>\n", encoding="utf-8")
