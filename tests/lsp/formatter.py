"""A clang-format that doesn't end: formatter.py server

It may use so much of a processor and no more, the server says what ended it, and it ends with the
process that reads sources.
"""

import os
import signal
import sys
import tempfile
import time

import replay

# What stands in for clang-format says what it may use, and who it is, and then does what the source
# tells it to.
PROGRAM = """#!/bin/sh
echo $(ulimit -t) $$ > %s
read -r line
eval "$line"
"""


def format_source(conversation, folder, text):
    uri = "file://%s/%s.c" % (folder, text.split()[0])
    conversation.send({"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": text + "\n"}}})
    conversation.send({"id": text, "method": "textDocument/formatting", "params": {
        "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}})


def await_true(condition, what):
    deadline = time.monotonic() + replay.PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def check(conversation, workspace, said):
    """`said` is the file that the program writes."""
    conversation.send({"id": 1, "method": "initialize", "params": {
        "processId": None, "rootUri": "file://" + workspace, "capabilities": {}}})
    conversation.expect({"id": 1})
    conversation.send({"method": "initialized", "params": {}})
    format_source(conversation, workspace, "kill -XCPU $$")
    conversation.expect({"id": "kill -XCPU $$", "error": {
        "message": "~^clang-format was ended: CPU time limit exceeded"}})
    os.remove(said)
    format_source(conversation, workspace, "exec sleep 600")
    await_true(lambda: replay.content(said).endswith(b"\n"), "clang-format isn't started")
    limit, process = replay.content(said).split()
    conversation.signal("KILL")
    try:
        assert limit.isdigit() and int(limit) < 60, "clang-format may run for too long"
        replay.PATIENCE = 10
        await_true(lambda: not replay.content("/proc/%d/cmdline" % int(process)),
                   "clang-format outlives who started it")
    finally:
        if replay.content("/proc/%d/cmdline" % int(process)):
            os.kill(int(process), signal.SIGKILL)


def main():
    with tempfile.TemporaryDirectory() as outer:
        outer = os.path.realpath(outer)
        workspace, said, programs = outer + "/workspace", outer + "/said", outer + "/programs"
        os.mkdir(workspace)
        os.mkdir(programs)
        with open(programs + "/clang-format-19", "w", encoding="utf-8") as stream:
            stream.write(PROGRAM % said)
        os.chmod(programs + "/clang-format-19", 0o755)
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
        conversation = replay.Conversation(sys.argv[1], workspace)
        try:
            check(conversation, workspace, said)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            conversation.process.kill()
            conversation.process.wait()


if __name__ == "__main__":
    main()
