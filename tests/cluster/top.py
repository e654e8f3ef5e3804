#!/usr/bin/env python3
"""gcluster-top at a running job: nodes, links and kernels, and nobody else's.

Arguments: folder of gcluster-run, work folder.
"""
import os
import re
import signal
import subprocess
import sys

NODES = 3


def top(folder, *arguments):
    return subprocess.run([f"{folder}/gcluster-top", *arguments], capture_output=True, text=True,
                          timeout=60)


def name_of(process):
    with open(f"/proc/{process}/comm") as file:
        return file.read().strip()


def node_zero(launcher):
    """The process of node 0 once it runs kernels, which it says."""
    assert launcher.stdout.readline() == "running\n"
    with open(f"/proc/{launcher.pid}/task/{launcher.pid}/children") as file:
        children = [int(word) for word in file.read().split()]
    nodes = [child for child in children if name_of(child) == "endless"]
    assert len(nodes) == NODES, children
    return min(nodes)


def check_picture(text, process):
    assert f"endless (process {process}), {NODES} nodes" in text, text
    for node in range(NODES):
        assert re.search(rf"^{node} +{re.escape(os.uname().nodename[:20])} .* of .*iB", text,
                         re.M), text
    # A stencil: neighbours exchange rows, others nothing.
    links = re.findall(r"^(\d -> \d) +[\d.]+ [KM]iB$", text, re.M)
    assert sorted(links) == ["0 -> 1", "1 -> 0", "1 -> 2", "2 -> 1"], text
    kernel = re.search(r"^blur +([\d.]+) +([\d.]+) % +[\d.]+ [KM]iB$", text, re.M)
    assert kernel and float(kernel[1]) > 0 and float(kernel[2]) > 0, text


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    os.environ["LSAN_OPTIONS"] = "detect_leaks=0"
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/endless.cu", "-o", "endless"],
                   check=True)
    launcher = subprocess.Popen([f"{folder}/gcluster-run", "-n", str(NODES), "./endless"],
                                stdout=subprocess.PIPE, text=True)
    try:
        process = node_zero(launcher)
        done = top(folder, "--once", str(process))
        assert done.returncode == 0, done
        check_picture(done.stdout, process)
        done = top(folder, "--once", str(process + 1))  # another node
        assert done.returncode == 1 and "doesn't answer" in done.stderr, done
        # Without --once it goes on until the job ends, which isn't a failure.
        live = subprocess.Popen([f"{folder}/gcluster-top", str(process)], stdout=subprocess.PIPE,
                                text=True)
        assert "endless" in live.stdout.readline()
    finally:
        launcher.send_signal(signal.SIGTERM)
        launcher.wait(timeout=60)
    assert "blur" in live.stdout.read()
    assert live.wait(timeout=60) == 0
    assert top(folder, "--once", str(process)).returncode == 1
    assert top(folder, "nonsense").returncode == 2


main()
