"""Replays a recorded conversation with gcluster-lsp: replay.py server conversation.jsonl

Each line is a JSON object, or a comment that begins with #:

    {"to": message}        is sent; "jsonrpc" is added
    {"all": [message, ...]} are sent at once: the server sees them before any answer, if they take 4 KiB at most
    {"from": pattern}      is waited for, among all messages that have come and were not expected yet
    {"no": pattern}        had not come before what was waited for last
    {"bytes": text}        is sent as it is, without a frame
    {"write": [path, text]} is written to disk
    {"signal": "SEGV"}     goes to the process that reads sources
    {"end": status}        is the server's exit status, and it leaves no temporary files

An object in a pattern needs the members that it has, a list all of its elements or, after "...", each
of them somewhere; "*" is anything, "~text" a string in which that regular expression is found. In all
strings ${W} is the workspace, a copy of the folder beside the conversation, as a path, and ${T:file} the
text of a file of it.
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 300  # seconds; far more than is needed, for sanitizers on a busy machine


def matches(pattern, value):
    if pattern == "*":
        return True
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(
            k in value and matches(p, value[k]) for k, p in pattern.items())
    if isinstance(pattern, list):
        if not isinstance(value, list):
            return False
        if pattern[:1] == ["..."]:
            return all(any(matches(p, v) for v in value) for p in pattern[1:])
        return len(pattern) == len(value) and all(map(matches, pattern, value))
    if isinstance(pattern, str) and pattern.startswith("~"):
        return isinstance(value, str) and re.search(pattern[1:], value) is not None
    return type(pattern) is type(value) and pattern == value


def content(path):
    """Of a file of a process, which may have ended."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except (FileNotFoundError, ProcessLookupError):
        return b""


class Conversation:
    def __init__(self, server, workspace, errors=None):
        self.workspace = workspace
        self.messages = []
        self.earlier = 0  # so many of them came before what was expected last
        self.came = threading.Condition()
        self.ended = False
        self.temporary = os.path.join(os.path.dirname(workspace), "temporary")
        cache = os.path.join(os.path.dirname(workspace), "cache")
        os.mkdir(self.temporary)
        self.process = subprocess.Popen([server, "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=errors,
                                        env={**os.environ, "XDG_CACHE_HOME": cache,
                                             "TMPDIR": self.temporary})
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        stream = self.process.stdout
        while True:
            size = None
            while (line := stream.readline().strip()):
                name, value = line.split(b":")
                size = int(value) if name.lower() == b"content-length" else size
            with self.came:
                if size is None:
                    self.ended = True
                    self.came.notify_all()
                    return
                self.arrive(json.loads(stream.read(size)))
                self.came.notify_all()

    def arrive(self, message):
        self.messages.append(message)

    def fill(self, value):
        if isinstance(value, dict):
            return {self.fill(k): self.fill(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.fill(v) for v in value]
        if not isinstance(value, str):
            return value
        value = re.sub(r"\$\{T:(.*?)\}", lambda m: open(
            os.path.join(self.workspace, m[1]), encoding="utf-8").read(), value)
        return value.replace("${W}", self.workspace)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_all([message])

    def send_all(self, messages):
        bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        self.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies))

    def take(self, pattern):
        for i, message in enumerate(self.messages):
            if matches(pattern, message):
                self.earlier = i
                return self.messages.pop(i)
        return None

    def expect(self, pattern):
        deadline = time.monotonic() + PATIENCE
        with self.came:
            while (found := self.take(pattern)) is None:
                if self.ended or not self.came.wait(deadline - time.monotonic()):
                    raise AssertionError("%s hasn't come, but\n%s" % (
                        json.dumps(pattern, ensure_ascii=False),
                        "\n".join(json.dumps(m, ensure_ascii=False) for m in self.messages)))
        return found

    def refuse(self, pattern):
        with self.came:
            found = next((m for m in self.messages[:self.earlier] if matches(pattern, m)), None)
        if found:
            raise AssertionError("this has come: %s" % json.dumps(found))

    def reader(self):
        """The process that reads sources, None: there is none."""
        for path in glob.glob("/proc/%d/task/*/children" % self.process.pid):
            for child in content(path).split():
                if content("/proc/%s/cmdline" % child.decode()).endswith(b"--worker\0"):
                    return int(child)
        return None

    def signal(self, name):
        deadline = time.monotonic() + PATIENCE
        while (reader := self.reader()) is None:
            if time.monotonic() > deadline:
                raise AssertionError("no process reads sources")
            time.sleep(0.01)
        os.kill(reader, getattr(signal, "SIG" + name))

    def end(self, status):
        found = self.process.wait(PATIENCE)
        if found != status:
            raise AssertionError("exit status %d instead of %d" % (found, status))
        if os.listdir(self.temporary):
            raise AssertionError("it has left %s" % os.listdir(self.temporary))

    @staticmethod
    def save(file):
        with open(file[0], "w", encoding="utf-8") as stream:
            stream.write(file[1])

    def run(self, line):
        step = self.fill(json.loads(line))
        (kind, value), = step.items()
        {"to": self.send, "all": self.send_all, "from": self.expect, "no": self.refuse, "end": self.end,
         "signal": self.signal, "write": self.save,
         "bytes": lambda text: self.write(text.encode())}[kind](value)


def main():
    server, path = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        workspace = os.path.join(os.path.realpath(folder), "workspace")
        shutil.copytree(os.path.join(os.path.dirname(path), "workspace"), workspace)
        conversation = Conversation(server, workspace)
        try:
            for number, line in enumerate(open(path, encoding="utf-8"), 1):
                if line.strip() and not line.startswith("#"):
                    conversation.run(line)
        except AssertionError as error:
            sys.exit("%s:%d: %s" % (path, number, error))
        finally:
            conversation.process.kill()
            conversation.process.wait()


if __name__ == "__main__":
    main()
