"""Sources that never come to an end: stuck.py server

A pipe that nobody writes to keeps the index from one file, and the analysis of kernels from another
one. Both are given up with the name of the file, as is a source that is a pipe itself, and the rest
is read.
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


def check(conversation, workspace):
    conversation.send({"id": 1, "method": "initialize", "params": {
        "processId": None, "workspaceFolders": [{"uri": "file://" + workspace, "name": "w"}],
        "capabilities": {"window": {"workDoneProgress": True}}}})
    conversation.expect({"id": 1})
    conversation.send({"method": "initialized", "params": {}})
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


def main():
    with tempfile.TemporaryDirectory() as outer:
        workspace = os.path.realpath(outer) + "/workspace"
        os.mkdir(workspace)
        for name, text in SOURCES.items():
            with open(os.path.join(workspace, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        os.mkfifo(workspace + "/pipe")
        os.mkfifo(workspace + "/pipe.cu")
        conversation = replay.Conversation(sys.argv[1], workspace)
        try:
            check(conversation, workspace)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            conversation.process.kill()
            conversation.process.wait()


if __name__ == "__main__":
    main()
