"""A run's trace on the lines that launched: traced.py folder-of-gcluster-lsp

The program is compiled by a relative path and runs on one node and on two; edits move its lines.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from replay import Conversation

# Line, from 0, and how often it ran.
PLACES = [(11, 2), (12, 2), (23, 3), (27, 4)]


def record(binaries, folder):
    os.mkdir(os.path.join(folder, "build"))
    subprocess.run([binaries + "/gcluster-cc", "-O1", "../src/traced.cu", "-o", "traced"],
                   cwd=folder + "/build", check=True)
    for nodes in "1", "2":
        subprocess.run([binaries + "/gcluster-run", "-n", nodes, "./traced"], cwd=folder + "/build", check=True,
                       env={**os.environ, "GCL_TRACE": nodes + ".json", "GCL_SPLIT": "always",
                            "LSAN_OPTIONS": "detect_leaks=0"})


class Editor:
    def __init__(self, server, folder):
        self.folder = folder
        self.uri = "file://" + folder + "/src/traced.cu"
        with open(folder + "/src/traced.cu", encoding="utf-8") as stream:
            self.text = stream.read()
        self.version = self.id = 1
        self.talk = Conversation(server, folder + "/src")
        self.ask("initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
        self.talk.send({"method": "initialized", "params": {}})
        self.talk.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": self.uri, "languageId": "cuda", "version": 1, "text": self.text}}})

    def ask(self, method, params):
        self.id += 1
        self.talk.send({"id": self.id, "method": method, "params": params})
        return self.talk.expect({"id": self.id, "result": "*"})["result"]

    def change(self, old, new):
        assert self.text.count(old) == 1
        self.text = self.text.replace(old, new)
        self.version += 1
        self.talk.send({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"text": self.text}]}})

    def launches(self, nodes):
        """(line, count, how they were found) of each."""
        found = self.ask("gcluster/trace", {"path": f"{self.folder}/build/{nodes}.json"})
        assert all(launch["kernel"] == "fill<>" and launch["uri"] == self.uri for launch in found["launches"])
        assert sum(place["launches"] for place in found["kernels"][0]["places"]) == 11
        return [(launch["line"], launch["launches"], launch["by"]) for launch in found["launches"]]

    def lenses(self):
        found = self.ask("textDocument/codeLens", {"textDocument": {"uri": self.uri}})
        titles = {}
        for lens in found:
            parts = lens["command"]["title"].split(" · ")
            if parts[0].startswith("ran "):
                titles[lens["range"]["start"]["line"]] = parts[0], " · ".join(parts[3:])
        return titles


def check(editor):
    for nodes in 1, 2:
        assert editor.launches(nodes) == [(*place, "line") for place in PLACES], editor.launches(nodes)
    assert editor.lenses() == {line: (f"ran {count} times", "") for line, count in PLACES}, editor.lenses()
    # Nobody knows which of four launches ran at three places, one of them a macro's.
    editor.change("\nstatic", "\n// A line more.\nstatic")
    assert [launch[1:] for launch in editor.launches(1)] == [(11, "name")] * 4, editor.launches(1)
    assert set(editor.lenses().values()) == {("ran 11 times", "all launches of it")}, editor.lenses()
    # The launch that never ran has gone, and so has the macro: the order tells.
    editor.change("#define FILL(out, n, value) fill<<<((n) + 255) / 256, 256>>>(out, n, value)\n", "\n")
    editor.change("        FILL(out, n, 3.0f);", "        fill<<<n / 256, 256>>>(out, n, 3.0f);")
    editor.change("        fill<<<1, 1>>>(out, 1, 4.0f);\n", "        ;\n")
    assert editor.launches(2) == [(line + 1, count, "order") for line, count in PLACES], editor.launches(2)
    assert all("order" in note for _, note in editor.lenses().values()), editor.lenses()


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        os.mkdir(folder + "/src")
        shutil.copy(os.path.join(os.path.dirname(os.path.realpath(__file__)), "traced.cu"), folder + "/src")
        record(sys.argv[1], folder)
        editor = Editor(sys.argv[1] + "/gcluster-lsp", folder)
        try:
            check(editor)
        finally:
            editor.talk.process.kill()
            editor.talk.process.wait()


main()
