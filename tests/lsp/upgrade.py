"""A new version takes the server's place on disk while it runs: upgrade.py server

What has been started goes on, with processes of its own version.
"""

import os
import shutil
import sys
import tempfile

from replay import Conversation

with tempfile.TemporaryDirectory() as folder:
    server, workspace = os.path.join(folder, "gcluster-lsp"), os.path.join(folder, "workspace")
    shutil.copy(sys.argv[1], server)
    conversation = Conversation(server, workspace)
    conversation.send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
    conversation.expect({"id": 1, "result": "*"})
    with open(server + ".new", "w", encoding="utf-8") as stream:
        stream.write("another version\n")
    os.replace(server + ".new", server)
    document = {"uri": "file://" + workspace + "/a.cu"}
    conversation.send({"method": "textDocument/didOpen", "params": {
        "textDocument": {**document, "languageId": "cuda", "version": 7, "text": "int x;\n"}}})
    conversation.send({"id": 2, "method": "gcluster/text", "params": {"textDocument": document}})
    conversation.expect({"id": 2, "result": {"version": 7, "text": "int x;\n"}})
    conversation.process.kill()
    conversation.process.wait()
