"""Sources that never come to an end: stuck.py server

A pipe that nobody writes to keeps the index from one file, and the analysis of kernels from another
one. Both are given up with the name of the file, as is a source that is a pipe itself, and the rest
is read. So it is if the file with the pipe is the first that the index reads, and the editor says at
once that it has changed.
"""

import os
import sys
import tempfile

import replay

KERNEL = "__global__ void kernel(int *out) { out[threadIdx.x] = 1; }\n"
SOURCES = {
    "next.cu": "void after_the_pipe() {}\n",
    "waits.cu": '#include "pipe"\n' + KERNEL,
    # Only the pass for the device, of which the diagnosis knows nothing, meets the pipe.
    "kernels.cu": '#ifdef __CUDA_ARCH__\n#include "pipe"\n#endif\n' + KERNEL,
}


def greet(conversation, workspace):
    conversation.send({"id": 1, "method": "initialize", "params": {
        "processId": None, "workspaceFolders": [{"uri": "file://" + workspace, "name": "w"}],
        "capabilities": {"window": {"workDoneProgress": True}}}})
    conversation.expect({"id": 1})
    conversation.send({"method": "initialized", "params": {}})


def check_all(conversation, workspace):
    greet(conversation, workspace)
    uri = "file://%s/kernels.cu" % workspace
    conversation.send({"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": "cuda", "version": 1, "text": SOURCES["kernels.cu"]}}})
    conversation.expect({"method": "textDocument/publishDiagnostics", "params": {
        "uri": uri, "diagnostics": []}})
    conversation.expect({"method": "window/logMessage", "params": {
        "message": "~^no hints for .*/kernels.cu: .*doesn't end"}})
    conversation.expect({"method": "window/logMessage", "params": {
        "message": "~^the index lacks .*/waits.cu: .*doesn't end"}})
    conversation.expect({"method": "window/logMessage", "params": {
        "message": "~^the index lacks .*/pipe.cu: it can't be read"}})
    conversation.expect({"method": "$/progress", "params": {"value": {"kind": "end"}}})
    conversation.send({"id": 2, "method": "workspace/symbol", "params": {"query": "after_the_pipe"}})
    conversation.expect({"id": 2, "result": [{"name": "after_the_pipe"}]})


def check_first(conversation, workspace):
    greet(conversation, workspace)
    conversation.send({"method": "workspace/didChangeWatchedFiles", "params": {
        "changes": [{"uri": "file://%s/waits.cu" % workspace, "type": 2}]}})
    conversation.expect({"method": "window/logMessage", "params": {
        "message": "~^the index lacks .*/waits.cu: .*doesn't end"}})


def run(server, check, sources, pipes):
    with tempfile.TemporaryDirectory() as outer:
        workspace = os.path.realpath(outer) + "/workspace"
        os.mkdir(workspace)
        for name in sources:
            with open(os.path.join(workspace, name), "w", encoding="utf-8") as stream:
                stream.write(SOURCES[name])
        for name in pipes:
            os.mkfifo(os.path.join(workspace, name))
        conversation = replay.Conversation(server, workspace)
        try:
            check(conversation, workspace)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            conversation.process.kill()
            conversation.process.wait()


def main():
    run(sys.argv[1], check_all, SOURCES, ["pipe", "pipe.cu"])
    run(sys.argv[1], check_first, ["waits.cu"], ["pipe"])


if __name__ == "__main__":
    main()
