"""Statements that become functions: extract.py gcluster-lsp gcluster-cc source.cu

Lines between `take` and `taken` of the source are selected, one after the other: each has to become a
function that is declared as the comment says. Between `leave` and `left` there is no such offer. Then the
program prints what it printed before.
"""

import os
import re
import subprocess
import sys
import tempfile

import replay


class Editor:
    def __init__(self, server, folder, text):
        self.uri, self.text, self.version = "file://%s/workspace/extract.cu" % folder, text, 0
        self.conversation = replay.Conversation(server, folder + "/workspace")
        self.conversation.send({"id": 0, "method": "initialize", "params": {
            "processId": None, "rootUri": "file://%s/workspace" % folder, "capabilities": {
                "textDocument": {"codeAction": {"disabledSupport": True}}}}})
        self.conversation.expect({"id": 0})
        self.conversation.send({"method": "initialized", "params": {}})
        self.conversation.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": self.uri, "languageId": "cuda", "version": 0, "text": text}}})
        self.await_reading()

    def await_reading(self):
        found = self.conversation.expect({"method": "textDocument/publishDiagnostics", "params": {
            "uri": self.uri, "version": self.version}})["params"]["diagnostics"]
        errors = [d["message"] for d in found if d["severity"] == 1]
        assert not errors, "%s in\n%s" % (errors, self.text)

    def offset(self, position):
        """The text has no character beyond ASCII."""
        return sum(map(len, self.text.splitlines(True)[:position["line"]])) + position["character"]

    def offer(self, begin, end):
        """The action that makes a function of the lines [begin, end), or why there is none."""
        self.conversation.send({"id": 1, "method": "textDocument/codeAction", "params": {
            "textDocument": {"uri": self.uri}, "context": {"diagnostics": []}, "range": {
                "start": {"line": begin, "character": 0}, "end": {"line": end, "character": 0}}}})
        actions = self.conversation.expect({"id": 1})["result"]
        action = next(a for a in actions if "extract to a function" in a["title"])
        return action if "edit" in action else action["disabled"]["reason"]

    def apply(self, action):
        edits = action["edit"]["changes"][self.uri]
        for edit in sorted(edits, key=lambda e: self.offset(e["range"]["start"]), reverse=True):
            begin, end = (self.offset(edit["range"][key]) for key in ("start", "end"))
            self.text = self.text[:begin] + edit["newText"] + self.text[end:]
        self.version += 1
        self.conversation.send({"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"text": self.text}]}})
        self.await_reading()


def printed(compiler, folder, text):
    path = folder + "/program.cu"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    subprocess.run([compiler, "-O1", path, "-o", folder + "/program"], check=True)
    return subprocess.run([folder + "/program"], stdout=subprocess.PIPE, check=True, text=True).stdout


def ranges(text, first, last):
    """The lines between pairs of comments, and what the first one says."""
    lines, found = text.splitlines(), []
    for i, line in enumerate(lines):
        if (match := re.match(r" *// %s\b:? *(.*)" % first, line)):
            end = next(j for j in range(i, len(lines)) if lines[j].strip() == "// " + last)
            found.append((i + 1, end, match[1]))
    return found


def check(editor):
    for begin, end, why in ranges(editor.text, "leave", "left"):
        assert isinstance(editor.offer(begin, end), str), "offered at line %d: %s" % (begin, why)
    for i in range(len(ranges(editor.text, "take", "taken"))):
        begin, end, wanted = ranges(editor.text, "take", "taken")[i]
        action = editor.offer(begin, end)
        assert not isinstance(action, str), "no offer for line %d: %s: %s" % (begin, wanted, action)
        function = action["edit"]["changes"][editor.uri][0]["newText"]
        head = re.sub(r"extracted\w*", "NAME", function).strip()
        assert re.match(r"(template <.*>\n *)?(static )?%s( const)? {" % re.escape(wanted), head), function
        editor.apply(action)
    assert re.search(r"}\n\n// Sums of rows\.\n#pragma gcluster disjoint\(out\)\n__global__", editor.text), editor.text


def main():
    server, compiler, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, open(source, encoding="utf-8") as stream:
        folder = os.path.realpath(folder)
        os.mkdir(folder + "/workspace")
        text = stream.read()
        editor = Editor(server, folder, text)
        try:
            check(editor)
            before, after = printed(compiler, folder, text), printed(compiler, folder, editor.text)
            assert before == after, "%s instead of %s from\n%s" % (after, before, editor.text)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            editor.conversation.process.kill()
            editor.conversation.process.wait()


if __name__ == "__main__":
    main()
