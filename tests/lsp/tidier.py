"""A clang-tidy that doesn't end: tidier.py server

It may use so much of a processor and no more, one runs at a time, and it ends when the text changes,
while our own diagnostics come. Without any, the log says so once.
"""

import os
import signal
import sys
import tempfile
import time

import replay

# What stands in for clang-tidy says what it may use, and who it is.
PROGRAM = """#!/bin/sh
case $1 in --dump-config) echo "Checks: 'some'"; exit;; esac
echo $(ulimit -t) $$ >> %s
exec sleep 600
"""


def await_true(condition, what):
    deadline = time.monotonic() + replay.PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def runs(process):
    return replay.content("/proc/%d/cmdline" % process) != b""


def open_source(conversation, workspace, name):
    uri = "file://%s/%s" % (workspace, name)
    conversation.send({"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": "int a;\n"}}})
    conversation.expect({"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "version": 1}})
    return uri


def check(conversation, workspace, said, program):
    """`said` is the file that the program writes a line to whenever it is started."""
    conversation.send({"id": 1, "method": "initialize", "params": {
        "processId": None, "rootUri": "file://" + workspace, "capabilities": {}}})
    conversation.expect({"id": 1})
    conversation.send({"method": "initialized", "params": {}})
    started = lambda: replay.content(said).decode().splitlines()
    first = open_source(conversation, workspace, "a.c")
    await_true(started, "clang-tidy isn't started")
    second = open_source(conversation, workspace, "b.c")
    limit, process = map(int, started()[0].split())
    assert limit <= 60, "clang-tidy may run for too long"
    assert runs(process) and len(started()) == 1, "two files are checked at a time"
    conversation.send({"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": first, "version": 2}, "contentChanges": [{"text": "int b\n"}]}})
    conversation.expect({"method": "textDocument/publishDiagnostics", "params": {
        "uri": first, "version": 2, "diagnostics": [{"source": "clang"}]}})
    await_true(lambda: not runs(process), "clang-tidy outlives its text")
    await_true(lambda: len(started()) == 2, "who waits isn't checked")
    os.remove(program)
    conversation.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": second}}})
    await_true(lambda: not runs(int(started()[1].split()[1])), "clang-tidy outlives its file")
    for name in "c.c", "d.c":
        open_source(conversation, workspace, name)
    missing = {"method": "window/logMessage", "params": {"message": "~clang-tidy isn't installed"}}
    conversation.expect(missing)
    conversation.refuse(missing)


def main():
    with tempfile.TemporaryDirectory() as outer:
        outer = os.path.realpath(outer)
        workspace, said, programs = outer + "/workspace", outer + "/said", outer + "/programs"
        os.mkdir(workspace)
        os.mkdir(programs)
        with open(workspace + "/.clang-tidy", "w", encoding="utf-8") as stream:
            stream.write("Checks: some\n")
        program = programs + "/clang-tidy-19"
        with open(program, "w", encoding="utf-8") as stream:
            stream.write(PROGRAM % said)
        os.chmod(program, 0o755)
        # No other clang-tidy is found, but what the server itself runs.
        for name in "clang-19", "sh", "sleep":
            os.symlink(next(os.path.join(folder, name) for folder in os.environ["PATH"].split(os.pathsep)
                            if os.path.exists(os.path.join(folder, name))), os.path.join(programs, name))
        os.environ["PATH"] = programs
        conversation = replay.Conversation(sys.argv[1], workspace)
        try:
            check(conversation, workspace, said, program)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            conversation.process.send_signal(signal.SIGTERM)
            conversation.process.wait()


if __name__ == "__main__":
    main()
