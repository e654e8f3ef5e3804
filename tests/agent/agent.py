#!/usr/bin/env python3
"""Programs that share a device by gclusterd: results, memory, order, and what happens when either
side ends or doesn't keep to the rules.

Arguments: folder of gclusterd, work folder; --long: more of all.
"""
import fcntl
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time

here, MIB = os.path.dirname(os.path.abspath(__file__)), 1 << 20
MAGIC, VERSION, SIZE = 0x6763616C, 2, 152
HELLO, TAKE, GIVE, ASK = 1, 2, 3, 4
WELCOME, WAIT, REFUSED, MEMORY, STATUS = 16, 17, 18, 19, 20
SYSTEM = "/run/gcluster/agent.sock"
CONF = """[device]
memory = 256M
gpu_memory = 96M
clients = 70

[users]
client_memory = 128M
"""


class Agent:
    """A gclusterd that listens in this folder."""

    def __init__(self, folder, conf=CONF):
        self.program, self.socket = f"{folder}/gclusterd", os.path.abspath("agent.sock")
        with open("agent.conf", "w") as file:
            file.write(conf)
        self.begin()

    def begin(self):
        """After it has ended, too."""
        self.log = open("agent.log", "w+")
        self.process = subprocess.Popen(
            [self.program, "--socket", self.socket, "--config", "agent.conf"], stderr=self.log)
        self.await_log("to share")

    def read_log(self):
        self.log.flush()
        with open("agent.log") as file:
            return file.read()

    def await_log(self, text):
        wait_until(lambda: text in self.read_log(), f"{text} in {self.read_log()}")

    def status(self):
        done = subprocess.run([self.program, "--status", "--socket", self.socket],
                              capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done
        return done.stdout

    def end(self, signal_=signal.SIGTERM):
        self.process.send_signal(signal_)
        code = self.process.wait(30)
        assert code == (0 if signal_ == signal.SIGTERM else -signal_), (code, self.read_log())


def wait_until(holds, what, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.01)


def environment(agent, **more):
    return {**os.environ, "GCL_AGENT": f"unix:{agent.socket}", "GCL_DEVICE": "cpu", **more}


def start(agent, *arguments, **more):
    return subprocess.Popen(["./share", *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment(agent, **more))


def finish(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out.strip(), err


LAYOUT = "<IHHQQQI16s100s"


def message(kind, amount=0, number=0, text=b"", magic=MAGIC, version=VERSION, total=0, gpu=b""):
    return struct.pack(LAYOUT, magic, version, kind, amount, total, 0, number, gpu, text)


def connect(agent):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.settimeout(30)
    connection.connect(agent.socket)
    return connection


def receive(connection):
    """Kind, bytes, total, number, text of an answer; None: the end."""
    try:
        data, files, _, _ = socket.recv_fds(connection, SIZE, 4)
    except ConnectionResetError:
        return None
    for file in files:
        os.close(file)
    if not data:
        return None
    magic, version, kind, amount, total, _, number, _, text = struct.unpack(LAYOUT, data)
    assert (magic, version) == (MAGIC, VERSION)
    return kind, amount, total, number, text.split(b"\0")[0].decode()


def ask(connection, *words, **more):
    connection.send(message(*words, **more))
    return receive(connection)


def why_ended(connection):
    """What is said before a connection ends; None: nothing."""
    answer = receive(connection)
    if answer is None:
        return None
    assert answer[0] == REFUSED and receive(connection) is None, answer
    return answer[4]


def has_nothing(agent):
    return agent.status().startswith("0 programs, of which 0 wait; 0 B of 256.0 MiB")


# Programs.


def check_results(agent, expected, count):
    processes = [start(agent, 1, 4, 300, 1) for _ in range(count)]
    for process in processes:
        assert finish(process) == (0, expected, ""), agent.read_log()
    wait_until(lambda: has_nothing(agent), agent.status())


def check_memory(agent):
    """Limits of a program and of the device; who doesn't fit is refused, or waits."""
    code, out, _ = finish(start(agent, 129))
    assert (code, out) == (1, "cudaMalloc: cudaErrorMemoryAllocation")
    code, _, err = finish(start(agent, GCL_MEMORY="200M"))
    assert code == 1 and "doesn't let this program in: it needs 200.0 MiB" in err, err
    assert "128.0 MiB that a program may have" in err, err
    holders = [connect(agent) for _ in range(2)]
    for holder in holders:
        assert ask(holder, HELLO, 100 * MIB)[:3] == (WELCOME, 100 * MIB, 128 * MIB)
    assert "200.0 MiB of 256.0 MiB of memory taken" in agent.status(), agent.status()
    code, out, _ = finish(start(agent, 100))
    assert (code, out) == (1, "cudaMalloc: cudaErrorMemoryAllocation")
    code, _, err = finish(start(agent, GCL_MEMORY="100M"))
    assert code == 1 and "of the 256.0 MiB that the device has, 56.0 MiB are free" in err, err
    code, _, err = finish(start(agent, GCL_MEMORY="100M", GCL_AGENT_WAIT="1"))
    assert code == 1 and "at place 1: it needs 100.0 MiB" in err, err
    assert "waited as long as it wanted" in err, err
    code, out, _ = finish(start(agent, 1, GCL_SPILL="/tmp"))
    assert code == 0 and len(out) == 8, out
    waiting = start(agent, GCL_MEMORY="100M", GCL_AGENT_WAIT="60")
    wait_until(lambda: "of which 1 wait" in agent.status(), agent.status())
    assert re.search(r"share +CPU +100.0 MiB .* waits", agent.status()), agent.status()
    holders[0].close()
    assert finish(waiting)[0] == 0
    holders[1].close()
    wait_until(lambda: has_nothing(agent), agent.status())


def check_counting(agent):
    holder = connect(agent)
    assert ask(holder, HELLO, text=b"\x1b[2Jname")[0] == WELCOME
    assert "?[2Jname" in agent.status(), agent.status()
    assert ask(holder, TAKE, 100 * MIB)[:3] == (MEMORY, 100 * MIB, 28 * MIB)
    assert ask(holder, TAKE, 29 * MIB)[:3] == (MEMORY, 0, 28 * MIB)
    assert ask(holder, TAKE, 2**64 - 1)[:3] == (MEMORY, 0, 28 * MIB)
    assert ask(holder, GIVE, 60 * MIB)[:3] == (MEMORY, 0, 88 * MIB)
    holder.send(message(GIVE, 60 * MIB))  # more than it has
    assert why_ended(holder) == "it gives back memory that it hasn't got"
    agent.await_log("it gives back memory that it hasn't got")
    wait_until(lambda: has_nothing(agent), agent.status())


def check_reload(agent):
    """Other limits count at once, also for who is in; a file that can't be read changes nothing."""
    holder = connect(agent)
    assert ask(holder, HELLO, 100 * MIB)[0] == WELCOME
    for conf, said in ((CONF.replace("128M", "64M"), "other settings are in force"),
                       ("[device]\nmemory = many\n", "[device] memory: expected a size"),
                       ("[users]\nroom = 3\n", '[users] has no "room"'),
                       ("[user nobody at all]\n", 'there is no user "nobody at all"')):
        with open("agent.conf", "w") as file:
            file.write(conf)
        agent.process.send_signal(signal.SIGHUP)
        agent.await_log(said)
        assert ask(holder, TAKE, 1)[:3] == (MEMORY, 0, 0)
    with open("agent.conf", "w") as file:
        file.write(CONF)
    agent.process.send_signal(signal.SIGHUP)
    wait_until(lambda: ask(holder, TAKE, 0)[2] == 28 * MIB, agent.read_log())
    holder.close()


def check_gpus(agent):
    """Each GPU's memory is counted by itself, up to the most that a program says there is."""
    holders = [connect(agent) for _ in range(66)]
    first, second, other = holders[:3]
    assert ask(first, HELLO, gpu=b"one", total=64 * MIB)[2] == 64 * MIB
    assert ask(second, HELLO, gpu=b"one", total=100 * MIB)[2] == 96 * MIB
    assert ask(other, HELLO, gpu=b"two", total=32 * MIB)[2] == 32 * MIB
    assert ask(first, TAKE, 40 * MIB)[:3] == (MEMORY, 40 * MIB, 56 * MIB)
    assert ask(second, TAKE, 57 * MIB)[:3] == (MEMORY, 0, 56 * MIB)
    assert ask(other, TAKE, 32 * MIB)[:3] == (MEMORY, 32 * MIB, 0)
    said = agent.status()
    assert "0 B of 256.0 MiB; GPU-6f6e6500: 40.0 MiB of 96.0 MiB; GPU-74776f00: 32.0 MiB" in said, said
    for i, holder in enumerate(holders[3:]):
        answer = ask(holder, HELLO, gpu=b"more%d" % i)
        assert answer[0] == (WELCOME if i < 62 else REFUSED), (i, answer)
    for holder in holders:
        holder.close()
    wait_until(lambda: has_nothing(agent), agent.status())


def check_jobs(folder, agent, expected):
    """Nodes of a job take turns together; who isn't let in ends the job, and so does no agent."""
    def start_job(*words, **more):
        return subprocess.Popen([f"{folder}/gcluster-run", "-n", "2", *words], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment(agent, GCL_SPLIT="always", **more))
    jobs = [start_job("./share", "1", "4", "300", "1", GCL_MEMORY="50M") for _ in range(2)]
    alone = start(agent, 1, 4, 300, 1)
    assert finish(alone) == (0, expected, "")
    for job in jobs:
        assert finish(job) == (0, expected, ""), agent.read_log()
    code, _, err = finish(start_job("./share", GCL_MEMORY="129M"))
    assert code != 0 and "doesn't let this program in: it needs 129.0 MiB" in err, err
    code, _, err = finish(start_job("--agents", "./share", XDG_RUNTIME_DIR="."))
    assert code != 0 and "no gclusterd runs on this machine" in err or os.path.exists(SYSTEM), err
    running = start_job("./share", "8", "100000", "3000", GCL_MEMORY="50M")
    wait_until(lambda: agent.status().startswith("2 programs"), agent.status())
    running.send_signal(signal.SIGTERM)
    finish(running)
    wait_until(lambda: has_nothing(agent), agent.status(), seconds=5)


def check_copies(agent):
    """Page-locked memory is copied once; what isn't, and may change meanwhile, twice."""
    for is_locked, copied in ((1, 0), (0, 10 * 4096 * 4)):
        done = subprocess.run(["./copies", str(is_locked)], capture_output=True, text=True,
                              timeout=60, env=environment(agent, GCL_STATS="json"))
        assert done.stdout == "10 10\n", done
        assert f'"host_bytes_copied": {copied}' in done.stderr, done.stderr


# Ends.


def check_kills(agent, expected):
    """What a killed program had is others'; also while children of it live on."""
    killed = start(agent, 100, 1000000, 3000)
    wait_until(lambda: "100.0 MiB of 256.0 MiB" in agent.status(), agent.status())
    other = start(agent, 1, 4, 300)
    killed.kill()
    wait_until(lambda: "100.0 MiB" not in agent.status(), agent.status(), seconds=5)
    assert finish(other) == (0, expected, "")
    killed.communicate()
    child = subprocess.Popen([sys.executable, "-c", FORKED, agent.socket], stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"welcome\n"
    assert "64.0 MiB of 256.0 MiB" in agent.status(), agent.status()
    child.kill()
    child.wait()
    wait_until(lambda: has_nothing(agent), agent.status(), seconds=5)


# Is let in, and has a child that has its socket, too, for some seconds.
FORKED = f"""
import os, socket, sys, time
connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect(sys.argv[1])
connection.send({message(HELLO, 64 * MIB)!r})
connection.recv({SIZE})
if os.fork() == 0:
    os.close(1)
    time.sleep(10)
    os._exit(0)
print("welcome", flush=True)
time.sleep(60)
"""


def check_agent_killed(agent, expected):
    """Programs hear of it, and the next agent finds nothing."""
    programs = [start(agent, 1, 1000000, 3000) for _ in range(2)]
    wait_until(lambda: agent.status().startswith("2 programs"), agent.status())
    agent.end(signal.SIGKILL)
    for program in programs:
        code, out, err = finish(program)
        assert (code, out) == (1, "cudaDeviceSynchronize: cudaErrorDevicesUnavailable"), (out, err)
        assert f"gclusterd at {agent.socket} has ended" in err, err
    agent.begin()
    assert has_nothing(agent)
    assert finish(start(agent, 1, 4, 300)) == (0, expected, "")


def check_no_answer():
    """An agent that ends when memory is asked for: that isn't a lack of memory."""
    path = os.path.abspath("ends.sock")
    page, bell = os.memfd_create("lease", os.MFD_ALLOW_SEALING), os.eventfd(0)
    os.ftruncate(page, os.sysconf("SC_PAGESIZE"))
    fcntl.fcntl(page, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        listener.listen()
        program = subprocess.Popen(
            ["./share"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "GCL_AGENT": f"unix:{path}", "GCL_DEVICE": "cpu"})
        with listener.accept()[0] as connection:
            assert receive(connection)[0] == HELLO
            socket.send_fds(connection, [message(WELCOME, total=256 * MIB)], [page, bell])
            assert receive(connection)[0] == TAKE
        code, out, err = finish(program)
    for file in (page, bell):
        os.close(file)
    os.unlink(path)
    assert (code, out) == (1, "cudaMalloc: cudaErrorDevicesUnavailable"), (out, err)
    assert err.count(f"gclusterd at {path} has ended") == 1, err


def check_random_kills(agent, expected, count):
    """Programs, and now and then the agent, are killed at any moment: nobody else notices, and
    nothing is left."""
    generator = random.Random(count)
    for i in range(count):
        victims = [start(agent, 8, 1000, 200) for _ in range(2)]
        others = [start(agent, 1, 4, 300) for _ in range(2)]
        time.sleep(generator.uniform(0, 0.15))
        for victim in victims:
            victim.kill()
        if i % 10 == 9:
            agent.end(signal.SIGKILL)
            agent.begin()
        for other in others:
            code, out, err = finish(other)
            is_lost = i % 10 == 9 and "gclusterd" in err
            assert is_lost or (code, out, err) == (0, expected, ""), (code, out, err)
        for victim in victims:
            victim.communicate()
        wait_until(lambda: has_nothing(agent), agent.status(), seconds=5)


# Those who don't keep to the rules.


def check_adversaries(agent, expected):
    with connect(agent) as quiet:
        refused = [
            (b"", "nothing"), (b"x", "doesn't know"), (message(HELLO)[:-1], "doesn't know"),
            (message(HELLO) + b"x", "doesn't know"), (message(HELLO, magic=1), "doesn't know"),
            (message(HELLO, version=1), "doesn't know"), (message(WELCOME), "doesn't know"),
            (message(99), "doesn't know"), (message(TAKE, 1), "nobody may ask"),
            (message(GIVE, 1), "nobody may ask"),
        ]
        for data, why in refused:
            with connect(agent) as bad:
                bad.send(data)
                assert why in (why_ended(bad) or "nothing"), data
        with connect(agent) as bad:
            socket.send_fds(bad, [message(HELLO)], [0, 1])
            assert why_ended(bad) == "it sends files, which nobody asked for"
        with connect(agent) as bad:
            assert ask(bad, HELLO)[0] == WELCOME
            bad.send(message(HELLO))  # twice
            assert "nobody may ask" in why_ended(bad)
        flood = connect(agent)
        assert ask(flood, HELLO)[0] == WELCOME
        program = start(agent, 1, 4, 300)
        try:
            for _ in range(100000):
                flood.send(message(TAKE, 0))
        except OSError:
            pass
        agent.await_log(f"process {os.getpid()} of user {os.getuid()}: it ")
        assert finish(program) == (0, expected, "")
        assert "it doesn't read" in agent.read_log(), agent.read_log()
        assert quiet.recv(SIZE)[6:8] == struct.pack("<H", REFUSED)  # it has said nothing for long


def check_greedy(agent, expected):
    """Who never gives the device back is named, and others compute."""
    greedy = connect(agent)
    greedy.send(message(HELLO, text=b"greedy"))
    _, files, _, _ = socket.recv_fds(greedy, SIZE, 2)
    page, bell = files
    os.pwrite(page, struct.pack("<I", 1), 0)  # it wants the device,
    os.write(bell, struct.pack("<Q", 1))
    wait_until(lambda: os.pread(page, 4, 0) == struct.pack("<I", 2), "greedy has the device")
    os.pwrite(page, struct.pack("<I", 2 + 8), 0)  # and computes
    assert finish(start(agent, 1, 4, 300)) == (0, expected, "")
    agent.await_log("greedy: has kept the device")
    for word in range(16):  # whatever it writes there is its own loss
        os.pwrite(page, struct.pack("<I", word | word << 20), 0)
        os.write(bell, struct.pack("<Q", 1))
    assert finish(start(agent, 1, 4, 300)) == (0, expected, "")
    for file in files:
        os.close(file)
    greedy.close()


def check_wrong_use(folder, agent):
    def run(*arguments, **more):
        return subprocess.run([agent.program, *arguments], capture_output=True, text=True,
                              timeout=30, env={**os.environ, **more})
    assert "another gclusterd listens there" in run("--socket", agent.socket).stderr
    done = run("--config", "no.conf", "--socket", "other.sock")
    assert done.returncode == 1 and "no.conf" in done.stderr, done
    assert run("word").returncode == 2
    done = run("--status", "--socket", "/tmp/there/is/none")
    assert done.returncode == 1 and "No such file" in done.stderr, done
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as other:
        other.bind("other.sock")
        os.chmod("other.sock", 0)
    for value, said in (("unix:/tmp/there/is/none", "can't be had: No such file"),
                        ("tcp:7", "can't be read: expected unix:")):
        done = subprocess.run(["./share"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "GCL_AGENT": value})
        assert done.returncode == 1 and said in done.stderr, done
    os.unlink("other.sock")


def main():
    folder, work = (os.path.abspath(word) for word in sys.argv[1:3])
    is_long = sys.argv[3:] == ["--long"]
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    for name in ("share", "copies"):
        subprocess.run([f"{folder}/gcluster-cc", "-O2", f"{here}/{name}.cu", "-o", name], check=True)
    expected = subprocess.run(["./share", "1", "4", "300"], capture_output=True, text=True,
                              check=True, env={**os.environ, "GCL_AGENT": "no"}).stdout.strip()
    agent = Agent(folder)
    try:
        for count in (1, 8, 64) if is_long else (1, 8):
            check_results(agent, expected, count)
        check_copies(agent)
        check_jobs(folder, agent, expected)
        check_memory(agent)
        check_counting(agent)
        check_gpus(agent)
        check_reload(agent)
        check_kills(agent, expected)
        check_greedy(agent, expected)
        check_adversaries(agent, expected)
        check_wrong_use(folder, agent)
        check_agent_killed(agent, expected)
        check_no_answer()
        check_random_kills(agent, expected, 500 if is_long else 10)
        agent.end()
        assert not os.path.exists(agent.socket)
    finally:
        agent.process.kill()
        print(agent.read_log()[-3000:])


main()
