#!/usr/bin/env python3
"""Pages that come as blocks touch them: how many do, where they can't, and a node that is lost.

Arguments: folder of gcluster-run, work folder.
"""
import json
import os
import signal
import subprocess
import sys
import time

PAGE, SIZE = 4096, 16 << 20
ENVIRONMENT = dict(os.environ, GCL_SPLIT="always", LSAN_OPTIONS="detect_leaks=0")
FAR = {"LD_PRELOAD": os.path.abspath(os.path.join(sys.argv[2], "apart.so")),
       "ASAN_OPTIONS": "verify_asan_link_order=0"}
WHOLE = "what kernels may read of other nodes comes whole before they start"


def run(folder, nodes, command, **environment):
    """Returns what the program prints, what is said, and what moved for its gathers, by cause."""
    command = [f"{folder}/gcluster-run", "-n", str(nodes), "--stats=stats.json"] + command
    done = subprocess.run(command, env=dict(ENVIRONMENT, **environment), capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done
    with open("stats.json") as file:
        kernels = {kernel["name"]: kernel for kernel in json.load(file)["kernels"]}
    return done.stdout, done.stderr, kernels["gather"]["moved"]


def check_pages(folder, expected):
    """Pages stay for the second launch, and come again once the table has changed. Nodes that can't
    read each other's memory, as those of several hosts, ask for them."""
    for nodes in (2, 3, 4):
        for environment in ({}, FAR):
            printed, said, moved = run(folder, nodes, ["./faults"], **environment)
            assert printed == expected, (printed, said)
            assert ("can't read the memory" in said) == bool(environment), said
            assert 2 * 24 * PAGE <= moved["touch"] <= 2 * 96 * PAGE, moved
            assert moved["replicate"] + moved["halo"] + moved["redistribute"] < 4 * PAGE, moved


def check_beside(folder):
    """What the program does beside, with memory and with signals."""
    for environment in ({}, FAR):
        for mode in [], ["blocked"], ["handled"]:
            printed, said, moved = run(folder, 2, ["./absent"] + mode, **environment)
            assert printed == "0 wrong, cudaSuccess\n", (mode, printed, said)
            assert moved["touch"] > 0, moved


def check_often(folder, expected):
    """What is read again and again comes as a whole in the end, which takes less."""
    printed, _, moved = run(folder, 2, ["./faults", "often"])
    assert printed == expected, printed
    assert moved["touch"] > 0 and moved["replicate"] >= SIZE - 4 * PAGE, moved


def check_auto(folder):
    """Nodes with a core each, of which some launches are node 0's and some all nodes'. From when on
    depends on what else the machine does."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return
    expected = subprocess.run(["./faults", "long"], capture_output=True, text=True,
                              check=True).stdout
    command = ["sh", "-c", f'[ "$GCL_NODE" = 1 ] && exec taskset -c {cores[1]} ./faults long; '
               f"exec taskset -c {cores[0]} ./faults long"]
    for _ in range(2):
        printed, _, moved = run(folder, 2, command, GCL_SPLIT="auto")
        assert printed == expected, printed
        assert moved["touch"] <= 64 * 96 * PAGE, moved


def check_whole(folder, expected):
    """One node that can't is enough for all of them to get whole allocations."""
    command = ["sh", "-c", '[ "$GCL_NODE" = 1 ] && exec ./unfaulted ./faults; exec ./faults']
    printed, said, moved = run(folder, 3, command, GCL_LOG="info")
    assert printed == expected and said.count(WHOLE) == 1, (printed, said)
    assert moved["touch"] == 0 and moved["replicate"] >= SIZE, moved


def check_loss(folder, **environment):
    """A node whose pages are wanted is killed: the program hears of it."""
    with open("err", "w") as err:
        job = subprocess.Popen([f"{folder}/gcluster-run", "-n", "2", "./faults", "forever"],
                               env=dict(ENVIRONMENT, **environment), stdout=subprocess.PIPE, stderr=err, text=True)
    while "under way" not in open("err").read():
        assert job.poll() is None, open("err").read()
        time.sleep(0.02)
    found = subprocess.run(["pgrep", "-P", str(job.pid), "-x", "faults"], capture_output=True,
                           text=True, check=True)
    for process in map(int, found.stdout.split()):
        with open(f"/proc/{process}/environ", "rb") as file:
            if b"GCL_NODE=1" in file.read().split(b"\0"):
                os.kill(process, signal.SIGKILL)
    printed, _ = job.communicate(timeout=60)
    said = open("err").read()
    assert job.returncode == 1 and printed == "cudaErrorNodeLost\n", (job.returncode, printed, said)
    assert said.count("is lost: its process has ended") == 1, said


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for program in "faults", "absent":
        subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/{program}.cu", "-o", program],
                       check=True)
    subprocess.run(["cc", "-O1", f"{here}/unfaulted.c", "-o", "unfaulted"], check=True)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"{here}/apart.c", "-o", "apart.so"],
                   check=True)
    expected = subprocess.run(["./faults"], capture_output=True, text=True, check=True).stdout
    check_pages(folder, expected)
    check_beside(folder)
    check_often(folder, expected)
    check_auto(folder)
    check_whole(folder, expected)
    check_loss(folder)
    check_loss(folder, **FAR)


main()
