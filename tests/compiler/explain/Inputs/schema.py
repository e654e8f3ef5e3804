"""Checks what --explain=json prints: schema.py FILE [KERNEL:SPLIT...], these kernels in this order."""
import json
import sys

KINDS = {"read", "write", "reduce", "atomic"}
CERTAINTIES = {"exact", "bounded", "inspected", "data"}


def check_place(place):
    assert place is None or set(place) == {"file", "line", "column"} and place["line"] > 0, place


def check_costs(costs, split):
    if costs is None:
        return
    assert split != "none" and set(costs) == {"grid", "block", "alone_us", "nodes"}, costs
    assert [node["nodes"] for node in costs["nodes"]] == [2, 8, 64], costs
    for node in costs["nodes"]:
        assert set(node) == {"nodes", "moves_us", "total_us"}, node
        assert (node["total_us"] is None) == (costs["alone_us"] is None), costs


def check_kernel(kernel):
    assert set(kernel) == {"name", "file", "line", "split", "worth", "table", "arguments",
                           "reasons", "costs"}, kernel
    check_costs(kernel["costs"], kernel["split"])
    assert kernel["worth"] is None or kernel["split"] != "none", kernel
    assert kernel["split"] in ("x", "y", "z", "none") and kernel["line"] > 0
    assert kernel["table"] > 0
    for argument in kernel["arguments"]:
        assert set(argument) == {"name", "words", "halo", "accesses", "clauses"}, argument
        assert argument["halo"] is None or len(argument["halo"]) == 2, argument
        assert all(isinstance(w, str) for w in argument["words"])
        for access in argument["accesses"]:
            assert set(access) == {"kind", "formula", "certainty", "reasons", "place"}, access
            assert len(access["formula"]) < 2500, len(access["formula"])
            assert access["kind"] in KINDS and access["certainty"] in CERTAINTIES, access
            assert access["reasons"] or access["certainty"] == "exact", access
            check_place(access["place"])
    for reason in kernel["reasons"]:
        assert set(reason) == {"code", "argument", "what", "why", "advice", "place"}, reason
        assert reason["code"].startswith("GCL2") and reason["place"]
        check_place(reason["place"])


document = json.load(open(sys.argv[1]))
assert set(document) == {"kernels"}
for kernel in document["kernels"]:
    check_kernel(kernel)
found = [f"{kernel['name']}:{kernel['split']}" for kernel in document["kernels"]]
assert found == sys.argv[2:], found
