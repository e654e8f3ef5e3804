"""Asks the process that reads sources everything, without a server, and lets it end: leaks.py server source ...

It has to answer all, and its exit status is that of a sanitizer that has found memory lost.
"""

import json
import os
import subprocess
import sys

POSITIONS = ("completion declaration definition documentHighlight hover implementation prepareCallHierarchy "
             "prepareTypeHierarchy prepareRename references rename signatureHelp typeDefinition").split()
RANGES = ("codeAction codeLens documentLink documentSymbol formatting inlayHint rangeFormatting selectionRange "
          "semanticTokens/full semanticTokens/full/delta semanticTokens/range").split()


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def questions(text, uri):
    lines = text.split("\n")
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    document = {"textDocument": {"uri": uri}}
    yield "diagnose", document
    for method in RANGES:
        yield "textDocument/" + method, {**document, "range": everything, "positions": [everything["end"]],
                                         "previousResultId": "1", "options": {}}
    for i in range(0, len(lines), len(lines) // 6):
        for method in POSITIONS:
            yield "textDocument/" + method, {**document, "newName": "fresh",
                                             "position": {"line": i, "character": len(lines[i]) // 2}}
    yield "completionItem/resolve", {"label": "main()", "filterText": "main", "data": {
        "uri": uri, "position": {"line": len(lines) - 1, "character": 0}}}
    item = {"name": "main", "kind": 12, "uri": uri, "range": everything, "selectionRange": everything}
    yield "callHierarchy/incomingCalls", {"item": item}
    yield "callHierarchy/outgoingCalls", {"item": item}
    yield "typeHierarchy/supertypes", {"item": item}
    yield "typeHierarchy/subtypes", {"item": item}


def messages(path):
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    uri, line = "file://" + path, {"path": path, "directory": os.path.dirname(path), "words": []}
    yield {"method": "configure", "params": {"encoding": "utf-16", "settings": {}}}
    for version in 1, 2:
        yield {"method": "update", "params": {**line, "uri": uri, "version": version, "text": text + "\n" * version}}
        for method, params in questions(text, uri):
            yield {"id": 1, "method": method, "params": params}
    yield {"id": 1, "method": "index", "params": line}
    yield {"method": "close", "params": {"uri": uri}}
    yield {"id": 1, "method": "callHierarchy/outgoingCalls", "params": {"item": {"uri": uri}, "closed": line}}


def main():
    sent = [message for path in sys.argv[2:] for message in messages(os.path.abspath(path))]
    found = subprocess.run([sys.argv[1], "--worker"], input=b"".join(map(frame, sent)), stdout=subprocess.PIPE,
                           check=False)
    asked, answered = sum("id" in message for message in sent), found.stdout.count(b"Content-Length: ")
    if found.returncode != 0 or answered != asked:
        sys.exit("exit status %d, %d answers to %d questions" % (found.returncode, answered, asked))


main()
