#!/usr/bin/env python3
"""Small copies to the host: node 0 reads what it lacks, and other nodes are asked once.

Arguments: folder of gcluster-run, work folder.
"""
import json
import os
import subprocess
import sys

READS = 128


def run(folder, nodes):
    environment = dict(os.environ, GCL_SPLIT="always", GCL_TRACE="trace.json",
                       LSAN_OPTIONS="detect_leaks=0")
    command = [f"{folder}/gcluster-run", "-n", str(nodes), "--stats=stats.json", "./reads"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "right\n" and not done.stderr, done
    with open("trace.json") as file:
        events = json.load(file)["traceEvents"]
    with open("stats.json") as file:
        return events, json.load(file)


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/reads.cu", "-o", "reads"], check=True)
    for nodes in (2, 4):
        events, stats = run(folder, nodes)
        transfers = [e["name"] for e in events if e.get("cat") == "transfer"]
        others = READS - READS // nodes # what node 0 hasn't written itself
        assert transfers == ["read"] * others, transfers
        waits = [e for e in events if e.get("name") == "wait for other nodes"]
        assert len(waits) <= 2 + 3 * (nodes - 1), waits # for the kernel, the end, and reports
        assert stats["copies"]["host"] == 4 * others, stats["copies"]
        assert stats["total"] == sum(node["sent"] for node in stats["transfers"]), stats


main()
