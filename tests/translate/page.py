#!/usr/bin/env python3
"""Holds the page of a report to what it promises, whatever a project's names are: page.py translate_page

Every text of a report is made one that would be markup or run if it weren't escaped. The page has
to show it as text, with no element, attribute or address that it wouldn't have for a harmless one.
"""
import html.parser
import json
import subprocess
import sys
import tempfile

ELEMENTS = set("html head meta title style body header h1 h2 p div b section table thead tbody tr th "
               "td code span br em ul li details summary svg g rect text a i pre".split())
ATTRIBUTES = set("lang charset http-equiv content name class id href viewbox width height rx x y role "
                 "aria-label preserveaspectratio text-anchor open colspan".split())
EMPTY = {"meta", "br", "rect"}
COUNTS = {"found": 9, "converted": 8, "compiled": 7, "verified": 6}
EVIL = ("<script>alert(1)</script>", "\" onload=alert(2) x=\"", "' onmouseover='alert(3)",
        "</style></title></svg><img src=x onerror=alert(4)>", "&lt;b&gt;", "javascript:alert(5)",
        "%s%n%d", "\u202eevil", "]]>--><!--")


def kernel(split, reasons, costs):
    return {"name": "N", "file": "F", "line": 3, "split": split, "worth": "W", "costs": costs, "table": 1,
            "arguments": [{"name": "A", "words": ["B", "C"], "halo": None, "accesses": [], "clauses": []}],
            "reasons": reasons}


def report():
    reason = {"code": "GCL201", "argument": "A", "what": "D", "why": "E", "advice": "G",
              "place": {"file": "F", "line": 4, "column": 1}}
    times = [{"nodes": 2, "moves_us": 2.0, "total_us": 51.5}, {"nodes": 8, "moves_us": 9.0, "total_us": 1200.0},
             {"nodes": 64, "moves_us": 7.0, "total_us": 30.0}]
    costs = {"grid": [64, 64, 1], "block": [32, 8, 1], "alone_us": 99.0, "nodes": times}
    moves = {**costs, "alone_us": None, "nodes": [{**time, "total_us": None} for time in times]}
    return {
        "version": 1, "root": "/r/P", "output": "O",
        "totals": {"sources": 2, "failed": 1, "files": 3, "changed": 2, "uses": COUNTS, "launches": COUNTS},
        "sources": [{"path": "F", "failure": "H", "compiled": False, "complaint": "I"}],
        "files": [{"path": "F", "changed": True, "compiled": None, "uses": COUNTS, "launches": COUNTS}],
        "apis": [{"name": "J", "to": "K", "kind": "function", "uses": COUNTS}],
        "kept": [{"path": "F", "line": 1, "column": 1, "name": "L", "reason": "M", "advice": "Q"}],
        "unsupported": [{"path": "F", "line": 1, "column": 1, "code": "GCL120", "message": "R", "help": "S"}],
        "kernels": [kernel("x", [], costs), kernel("y", [reason], moves), kernel("none", [reason], None)],
        "scripts": [{"path": "F", "changed": True, "notes": ["T"]}],
        "verification": {"command": "U", "passed": False, "reason": "V", "lines": 1, "varying": 0,
                         "original": "X", "translation": "Y"},
    }


def replaced(value, text):
    """The report with a text in the place of each."""
    if isinstance(value, dict):
        return {key: replaced(entry, text) for key, entry in value.items()}
    if isinstance(value, list):
        return [replaced(entry, text) for entry in value]
    return text if isinstance(value, str) else value


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.shape, self.words, self.ids, self.links = [], [], [], set(), set()
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        assert tag in ELEMENTS, tag
        for name, value in attributes:
            assert name in ATTRIBUTES, (tag, name, value)
            if name == "href":
                assert value.startswith("#"), value
                self.links.add(value[1:])
            if name == "id":
                self.ids.add(value)
        self.shape.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)


def page_of(program, content):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(content, file)
        file.flush()
        done = subprocess.run([program, file.name], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def main():
    program = sys.argv[1]
    text = page_of(program, report())
    plain = Page(text)
    words = "".join(plain.words)
    assert "default-src 'none'" in text and plain.links == plain.ids == {"k0", "k1", "k2"}
    for known in ("P on gcluster", "splits freely: 1", "splits, with reservations: 1",
                  "stays on one node: 1", "4096 blocks of 32 × 8 threads", "99 µs52 µs1.20 ms30 µs",
                  "?2 µs9 µs7 µs", "F:3", "not the same", "7 compiled"):
        assert known in words, known
    harmless = Page(page_of(program, replaced(report(), "harmless")))
    for evil in EVIL:
        page = Page(page_of(program, replaced(report(), evil)))
        assert page.shape == harmless.shape, evil
        assert "".join(page.words).count(evil) >= 20, evil
    empty = Page(page_of(program, {}))
    assert "svg" in empty.shape and "g" not in empty.shape


if __name__ == "__main__":
    main()
