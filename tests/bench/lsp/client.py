"""A language server and the time at which each of its messages comes."""
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

PATIENCE = 120  # seconds


class Problem(Exception):
    """Why there is no value."""


def processes_below(pid):
    """A process and all that it has started, directly or not."""
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children") as file:
                    found += map(int, file.read().split())
        except OSError:
            continue  # it has ended
    return found


class Server:
    """`command`, with the text of a .cu file open in a folder of its own."""

    def __init__(self, command, text, flags):
        self.folder = tempfile.mkdtemp(prefix="bench_lsp.")
        self.uri = f"file://{self.folder}/file.cu"
        self.lines, self.version, self.next_id = text.split("\n"), 1, 0
        self.messages = queue.Queue()
        for name, content in (("file.cu", text), ("compile_flags.txt", flags)):
            if content is not None:
                with open(os.path.join(self.folder, name), "w") as file:
                    file.write(content)
        begin = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self.folder, env=dict(os.environ, XDG_CACHE_HOME=self.folder))
        threading.Thread(target=self.read, daemon=True).start()
        self.ask("initialize", {
            "processId": os.getpid(), "rootUri": f"file://{self.folder}",
            "capabilities": {"textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                "publishDiagnostics": {"versionSupport": True}},
                "workspace": {"codeLens": {"refreshSupport": True}}}})
        self.start = time.monotonic() - begin
        self.send({"method": "initialized", "params": {}})

    def read(self):
        stream = self.process.stdout
        while True:
            size = 0
            while (line := stream.readline().strip()):
                name, value = line.split(b":")
                size = int(value) if name.lower() == b"content-length" else size
            if not size:
                self.messages.put(None)
                return
            body = stream.read(size)
            self.messages.put((time.monotonic(), body))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, is_wanted):
        """When the message came, and the message."""
        while True:
            try:
                item = self.messages.get(timeout=PATIENCE)
            except queue.Empty as error:
                raise Problem("too slow") from error
            if item is None:
                raise Problem("ends")
            message = json.loads(item[1])
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
            if is_wanted(message):
                return item[0], message

    def ask(self, method, params):
        """How long an answer took, and the answer."""
        self.next_id += 1
        begin = time.monotonic()
        self.send({"id": self.next_id, "method": method, "params": params})
        end, message = self.wait(lambda m: m.get("id") == self.next_id and "method" not in m)
        if message.get("result") is None:
            raise Problem("no answer")
        return end - begin, message["result"]

    def wait_for_diagnostics(self):
        return self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                         m["params"].get("version") == self.version)

    def open(self):
        """How long the first diagnostics took, and they."""
        begin = time.monotonic()
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": self.uri, "languageId": "cuda", "version": 1, "text": "\n".join(self.lines)}}})
        end, message = self.wait_for_diagnostics()
        return end - begin, message["params"]["diagnostics"]

    def edit(self, line, text):
        """Replaces a line. When that was sent."""
        self.version += 1
        begin = time.monotonic()
        self.send({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"range": {
                "start": {"line": line, "character": 0},
                "end": {"line": line, "character": len(self.lines[line])}}, "text": text}]}})
        self.lines[line] = text
        return begin

    def place(self, line, character):
        return {"textDocument": {"uri": self.uri},
                "position": {"line": line, "character": character}}

    def memory(self):
        """Bytes that its processes have, shared ones by halves."""
        total = 0
        for pid in processes_below(self.process.pid):
            try:
                with open(f"/proc/{pid}/smaps_rollup") as file:
                    total += sum(1024 * int(line.split()[1]) for line in file
                                 if line.startswith("Pss:"))
            except OSError:
                continue  # it has ended
        return total

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
