#!/usr/bin/env python3
"""What is told of memory that comes and goes: by --stats, and by a trace, which agree.

Arguments: folder of gcluster-run, work folder.
"""
import json
import os
import subprocess
import sys

MIB = 1 << 20
ARRAYS = 3 * 4 * 1024 * 1000 # of beyond.cu,
MARGINS = 2 * MIB # and at most behind them
THREADS = 2


def run(folder, nodes, **environment):
    environment = dict(os.environ, GCL_SPLIT="always", GCL_THREADS=str(THREADS),
                       GCL_TRACE="trace.json", LSAN_OPTIONS="detect_leaks=0", **environment)
    command = [f"{folder}/gcluster-run", "-n", str(nodes), "--stats=stats.json", "./beyond"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done
    with open("stats.json") as file:
        stats = json.load(file)
    with open("trace.json") as file:
        check_trace(stats, json.load(file)["traceEvents"], nodes)
    return stats


def check_trace(stats, events, nodes):
    """All that has come for a kernel lies in spans of its name, on two lines of each node."""
    spans = [event for event in events if event.get("cat") == "memory"]
    for kernel in stats["kernels"]:
        for word in "came", "touched", "from_files", "evicted":
            told = sum(span["args"].get(word, 0) for span in spans if span["name"] == kernel["name"])
            assert told == kernel[word], (word, told, kernel)
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
             if event["name"] == "thread_name"}
    ends = {}
    for span in spans:
        line = span["pid"], span["tid"]
        assert names[line].startswith("memory ") and 1 <= span["pid"] <= nodes, span
        assert span["ts"] >= ends.get(line, 0) - 0.01, (span, ends)
        ends[line] = span["ts"] + span["dur"]


def check_kernels(stats):
    """What each kernel is told of it, and that it is no more than what nodes count."""
    kernels = {kernel["name"]: kernel for kernel in stats["kernels"]}
    for kernel in stats["kernels"]:
        came = kernel["came"] + kernel["touched"]
        assert kernel["from_files"] <= came, kernel
        assert (kernel["lack"] > 0) == (came > 0) and kernel["lack"] <= kernel["most_lack"], kernel
    for word, of_nodes in ("came", "announced"), ("touched", "touched"), ("from_files", "read"):
        assert (sum(kernel[word] for kernel in stats["kernels"])
                <= sum(node[of_nodes] for node in stats["memory"])), (word, stats)
    assert (sum(kernel["evicted"] for kernel in stats["kernels"])
            <= sum(node["went"] + node["dropped"] for node in stats["memory"])), stats
    return kernels


def check_triad(triad, capacity):
    """Three sweeps over all arrays, each of which has most of the other half come: it had gone for want
    of what the device doesn't hold."""
    assert triad["came"] > ARRAYS - capacity and triad["evicted"] >= triad["came"], triad
    assert MIB < triad["lack"] <= triad["most_lack"] <= ARRAYS + MARGINS - capacity, triad


def check_stats(folder):
    stats = run(folder, 3, GCL_MEMORY="4M")
    kernels = check_kernels(stats)
    assert all(kernel["from_files"] == 0 for kernel in kernels.values()), stats
    stats = run(folder, 1, GCL_MEMORY="6M", GCL_HOST_MEMORY="0", GCL_SPILL=f"{os.getcwd()}:64M")
    kernels = check_kernels(stats)
    check_triad(kernels["triad"], 6 * MIB)
    for kernel in kernels.values():
        assert kernel["from_files"] == kernel["came"] + kernel["touched"], kernel
    stats = run(folder, 1, GCL_MEMORY="64M")
    assert all(kernel["lack"] == kernel["evicted"] == 0 for kernel in stats["kernels"]), stats


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/beyond.cu", "-o", "beyond"],
                   check=True)
    check_stats(folder)


main()
