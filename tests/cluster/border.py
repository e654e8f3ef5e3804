#!/usr/bin/env python3
"""Programs whose launches nodes take apart print the same on several nodes, between which messages
go, as in one process; and nodes do take them apart.

Arguments: folder of gcluster-run, work folder.
"""
import collections
import json
import os
import subprocess
import sys

# Kernels that may be taken apart, and one that mustn't be: its blocks combine values.
APART, WHOLE = ("spread", "around", "skew"), "sum"


def run(name, command, **variables):
    """What a program prints, and how often each kernel is run on each node."""
    environment = dict(os.environ, GCL_SPLIT="always", GCL_TRACE=name, LSAN_OPTIONS="detect_leaks=0",
                       ASAN_OPTIONS="verify_asan_link_order=0", **variables)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done
    with open(name) as file:
        events = json.load(file)["traceEvents"]
    streams = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and
               e["args"]["name"].startswith("stream")}
    runs = collections.Counter((e["name"], e["pid"]) for e in events if e.get("cat") == "kernel" and
                               (e["pid"], e["tid"]) in streams)
    return done, runs


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/border.cu", "-o", "border"], check=True)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"{here}/apart.c", "-o", "apart.so"],
                   check=True)
    alone, launches = run("1.json", ["./border"])
    for count in 2, 3, 4:
        job, runs = run(f"{count}.json", [f"{folder}/gcluster-run", "-n", str(count), "./border"],
                        LD_PRELOAD=f"{work}/apart.so")
        assert "can't read the memory" in job.stderr, job.stderr
        assert job.stdout == alone.stdout, (count, alone.stdout, job.stdout)
        nodes = range(1, count + 1)
        for kernel in APART:
            assert sum(runs[kernel, n] for n in nodes) > count * launches[kernel, 1], (kernel, runs)
        assert all(runs[WHOLE, n] <= launches[WHOLE, 1] for n in nodes), runs


main()
