#!/usr/bin/env python3
"""GCL_TRACE in a job: one timeline of all nodes, whose clocks differ by a thousand seconds.

Arguments: folder of gcluster-run, work folder.
"""
import collections
import json
import os
import subprocess
import sys

NODES = 3
# Clocks are compared to within half of the shortest round trip, which is longer on busy machines.
SLACK = 1000  # microseconds


def kinds(events, **wanted):
    return [e for e in events if all(e.get(key) == value for key, value in wanted.items())]


def check_nodes(events):
    names = {e["pid"]: e["args"]["name"] for e in kinds(events, name="process_name")}
    host = os.uname().nodename
    assert names == {n + 1: f"node {n} on {host}" for n in range(NODES)}, names
    for pid in names:
        threads = [e["args"]["name"] for e in kinds(events, name="thread_name", pid=pid)]
        assert "transfers" in threads and "gcl-worker-0" in threads, threads
        for cat, name in (("kernel", "blur"), ("transfer", "fetch"), ("transfer", "merge")):
            assert kinds(events, cat=cat, name=name, pid=pid), (cat, name, pid)
    assert kinds(events, cat="copy", pid=1), "host copies"
    assert kinds(events, cat="wait", pid=1), "waits"


def check_origins(events):
    """Every node's kernels say which line has launched them."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(f"{here}/moves.cu") as file:
        lines = file.read().split("\n")
    kernels = kinds(events, cat="kernel")
    assert {e["pid"] for e in kernels} == set(range(1, NODES + 1))
    for e in kernels:
        args = e["args"]
        assert args["file"] == f"{here}/moves.cu", e
        assert f"{e['name']}<<<" in lines[args["line"] - 1], e


def check_transfers(events):
    """Each receive has its send, of as many bytes, and doesn't end before that began."""
    sends, arrows = {}, collections.defaultdict(list)
    for e in kinds(events, cat="send"):
        args = e["args"]
        key = (e["pid"] - 1, args["to"], args["tag"])
        assert key not in sends, key
        sends[key] = e
    received = kinds(events, cat="receive")
    assert received and len(received) == len(sends)
    for e in received:
        args = e["args"]
        send = sends.pop((args["from"], e["pid"] - 1, args["tag"]))
        assert send["args"]["bytes"] == args["bytes"] > 0
        assert e["ts"] + e["dur"] + SLACK >= send["ts"], (e, send)
    for e in events:
        if e["ph"] in "sf":
            arrows[e["id"]].append(e["ph"])
    assert len(arrows) == len(received)
    assert all(sorted(ends) == ["f", "s"] for ends in arrows.values())


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/moves.cu", "-o", "moves"], check=True)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"{here}/skew.c", "-o", "skew.so"],
                   check=True)
    environment = dict(os.environ, GCL_SPLIT="always", GCL_TRACE="trace.json", LD_PRELOAD=f"{work}/skew.so",
                       ASAN_OPTIONS="verify_asan_link_order=0", LSAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([f"{folder}/gcluster-run", "-n", str(NODES), "./moves", "10"],
                          env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "right\n" and not done.stderr, done
    with open("trace.json") as file:
        events = json.load(file)["traceEvents"]
    check_nodes(events)
    check_origins(events)
    check_transfers(events)
    # Nothing lies before the begin, or hours later.
    assert all(0 < e["ts"] < 60e6 for e in events if e["ph"] == "X" and e["cat"] != "wait")


main()
