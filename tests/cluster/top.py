#!/usr/bin/env python3
"""gcluster-top at a running job: nodes, links and kernels, and nobody else's.

Arguments: folder of gcluster-run, work folder.
"""
import os
import re
import signal
import socket
import subprocess
import sys

NODES = 3
HEIGHT = 3072  # rows of a KiB, of each of two arrays
MEMORY = 512 << 10  # of a node
# A job, as far as gcluster-top sees: answers with its argument until its input ends.
LISTENER = """
import os, socket, sys, threading
listener = socket.socket(socket.AF_UNIX)
listener.bind(f"\\0gcluster-top/{os.getuid()}/{os.getpid()}")
listener.listen(8)
def answer():
    while True:
        connection = listener.accept()[0]
        try:
            connection.sendall(sys.argv[1].encode() if len(sys.argv) > 1 else b"")
        except OSError:
            pass
        connection.close()
threading.Thread(target=answer, daemon=True).start()
print("there", flush=True)
sys.stdin.read()
"""
ANSWER = ('{"elapsed_ns": 1, "nodes": [{"host": "\\u001b[2Jhost", "process": 1, "threads": 1, '
          '"held": 0, "memory": 1}], "kernels": [{"name": "\\u009b\\u001b[2Jkernel", '
          '"launches": 1, "time_ns": 1, "moved": 0}], "links": []}')


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
    # Each node has a third of both arrays, of which most has no room on its device.
    tiers = re.findall(r"^\d +([\d.]+) KiB +([\d.]+) [KM]iB +0 B +[\d.]+ [KM]iB +[\d.]+ [KM]iB$",
                       text, re.M)
    assert len(tiers) == NODES and all(0 < float(here) <= MEMORY >> 10 and float(host) > 0
                                       for here, host in tiers), text
    # A stencil: neighbours exchange rows, others nothing.
    links = re.findall(r"^(\d -> \d) +[\d.]+ [KM]iB$", text, re.M)
    assert sorted(links) == ["0 -> 1", "1 -> 0", "1 -> 2", "2 -> 1"], text
    kernel = re.search(r"^blur +([\d.]+) +([\d.]+) % +[\d.]+ [KM]iB$", text, re.M)
    assert kernel and float(kernel[1]) > 0 and float(kernel[2]) > 0, text


def take_name(process, label):
    """Listens where gcluster-top looks for a job of that process, as one with a hostile name."""
    taken = socket.socket(socket.AF_UNIX)
    taken.bind(f"\0gcluster-top/{os.getuid()}/{process}{label}")
    taken.listen(1)
    return taken


def check_names(folder):
    """Names that others took aren't listed, and what is listed can't steer a terminal."""
    with open("/proc/self/comm", "w") as file:
        file.write("\033[31mred\a")
    taken = [take_name(1, ""), take_name(os.getppid(), ""), take_name(os.getpid(), "")]
    second = subprocess.Popen([sys.executable, "-c", LISTENER], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    second.stdout.readline()
    done = top(folder, "--once")
    second.communicate("")
    assert done.returncode == 1 and "which job" in done.stderr, done
    listed = re.findall(r"^  (\d+) ", done.stderr, re.M)
    assert {str(os.getpid()), str(second.pid)} <= set(listed), done
    assert not {"1", str(os.getppid())} & set(listed), done
    assert f"{os.getpid()} ?[31mred?\n" in done.stderr and "\033" not in done.stderr, done
    # As the answer of a job.
    for one in taken:
        one.close()
    answers = subprocess.Popen([sys.executable, "-c", LISTENER, ANSWER], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    answers.stdout.readline()
    done = top(folder, "--once", str(answers.pid))
    answers.communicate("")
    assert done.returncode == 0 and "?[2Jhost" in done.stdout and "?[2Jkernel" in done.stdout, done
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\x9b]", done.stdout), done


def main():
    folder, work = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    os.environ["LSAN_OPTIONS"] = "detect_leaks=0"
    os.environ["GCL_SPLIT"] = "always"
    check_names(folder)
    subprocess.run([f"{folder}/gcluster-cc", "-O1", f"{here}/endless.cu", "-o", "endless"],
                   check=True)
    launcher = subprocess.Popen(
        [f"{folder}/gcluster-run", "-n", str(NODES), "./endless", str(HEIGHT)],
        env=dict(os.environ, GCL_MEMORY=str(MEMORY), GCL_THREADS="1"), stdout=subprocess.PIPE,
        text=True)
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
