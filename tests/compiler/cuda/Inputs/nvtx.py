"""What nvtx.cu says of itself, in the trace that is the first argument, of as many nodes as the
second one says."""
import json
import sys


def main():
    path, nodes = sys.argv[1:]
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    labels = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    program = [e for e in events if e["ph"] in "BEibe" and "ts" in e]
    assert all(e["pid"] == 1 for e in program), program
    assert [e["ts"] for e in program] == sorted(e["ts"] for e in program)
    assert {e["pid"] for e in events} == set(range(1, int(nodes) + 1))
    assert "pipeline" in labels.values(), labels

    lines = {}
    for e in program:
        if e["ph"] not in "be":
            lines.setdefault(labels[1, e["tid"]], []).append((e["ph"], e["name"]))
    assert lines == {
        "conductor": [("B", "outer"), ("B", 'colored "name"'), ("E", ""), ("E", ""), ("i", "again"),
                      ("B", "last"), ("E", ""), ("i", "wide"),
                      ("i", "not UTF-8: ?"),
                      ("B", "scope"), ("E", ""), ("B", "never popped")],
        "conductor: input": [("B", 'colored "name"'), ("E", "")],
        "conductor: output": [("i", "write")],
        "conductor: solver": [("B", "function"), ("i", "residual"), ("E", "")],
        "helper": [("B", "in helper"), ("E", "")]}, lines

    ranges = [(e["ph"], e["name"], e["cat"], e["id"]) for e in program if e["ph"] in "be"]
    assert ranges == [("b", "overlapping", "nvtx", "nvtx-1"),
                      ("b", "überlappend \U0001F600", "nvtx", "nvtx-2"),
                      ("e", "overlapping", "nvtx", "nvtx-1"),
                      ("e", "überlappend \U0001F600", "nvtx", "nvtx-2"),
                      ("b", "again", "nvtx", "nvtx-3"), ("e", "again", "nvtx", "nvtx-3"),
                      ("b", "write", "output", "nvtx-4"), ("e", "write", "output", "nvtx-4"),
                      ("b", "unique", "solver", "nvtx-5"),
                      ("e", "unique", "solver", "nvtx-5")], ranges

    colored = [e for e in program if e["name"] == 'colored "name"']
    assert colored[0]["args"] == {"category": "io", "color": "#ff00ff80", "payload": -5}, colored
    assert colored[1]["args"]["category"] == 3 and colored[1]["cat"] == "input", colored
    residual, = [e for e in program if e["name"] == "residual"]
    assert residual["args"] == {"category": "sweep", "payload": 0.25}, residual
    scope, = [e for e in program if e["name"] == "scope"]
    assert scope["args"] == {"color": "#ff010203"}, scope
    kernel = [e for e in events if e["ph"] == "X" and e["name"].startswith("fill") and e["pid"] == 1]
    assert kernel and all(e["ts"] >= scope["ts"] for e in kernel)


main()
