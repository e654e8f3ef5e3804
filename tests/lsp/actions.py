"""Code actions for reasons: actions.py gcluster-lsp gcluster-cc source.cu

Each `says GCL2xx word` in the source is about the kernel behind it, and there has to be one action for
a diagnostic of that code, with the word in its title. All of them are applied; then the source compiles
and no kernel has the reason of its action any more.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

server, compiler, source = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="actions.")
path = os.path.join(folder, os.path.basename(source))
shutil.copy(source, path)
text = open(path).read()
uri = "file://" + path
process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           env={**os.environ, "XDG_CACHE_HOME": folder})


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()


def wait(is_wanted):
    while True:
        size = 0
        while (line := process.stdout.readline().strip()):
            name, value = line.split(b":")
            size = int(value) if name.lower() == b"content-length" else size
        assert size, "the server has ended"
        message = json.loads(process.stdout.read(size))
        if is_wanted(message):
            return message


def ask(number, method, params):
    send(id=number, method=method, params=params)
    return wait(lambda m: m.get("id") == number and "method" not in m)["result"]


def has_reasons(message):
    return message.get("method") == "textDocument/publishDiagnostics" and any(
        str(d.get("code")).startswith("GCL2") for d in message["params"]["diagnostics"])


def reasons():
    """(kernel, code) of all."""
    found = subprocess.run([compiler, "--explain=json", path], stdout=subprocess.PIPE, check=True)
    return {(re.sub("<.*", "", kernel["name"]).split("::")[-1].split(" ")[-1], reason["code"])
            for kernel in json.loads(found.stdout)["kernels"] for reason in kernel["reasons"]}


def offset(position):
    """The text has no character beyond ASCII."""
    return sum(map(len, text.splitlines(True)[:position["line"]])) + position["character"]


try:
    ask(1, "initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
    send(method="initialized", params={})
    send(method="textDocument/didOpen", params={"textDocument": {
        "uri": uri, "languageId": "cuda", "version": 1, "text": text}})
    diagnostics = wait(has_reasons)["params"]["diagnostics"]
    says = re.findall(r"// says (GCL\d+) (\S+)\n(?:.*\n)*?[^(\n]*?(\w+)\(", text)
    before, edits = reasons(), []
    assert len(says) == text.count("// says "), says
    for code, word, kernel in says:
        assert (kernel, code) in before, f"{kernel} has no {code}"
        mine = [d for d in diagnostics if d.get("code") == code and
                d["relatedInformation"][0]["message"].split("<")[0].endswith(kernel)]
        actions = ask(2, "textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": mine[0]["range"],
            "context": {"diagnostics": mine}})
        actions = [action for action in actions if word in action["title"]]
        assert actions, f"{kernel}: no action for {code} with '{word}'"
        edits += actions[0]["edit"]["changes"][uri]
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = (offset(edit["range"][key]) for key in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    with open(path, "w") as file:
        file.write(text)
    left = reasons() & {(kernel, code) for code, _, kernel in says}
    assert not left, f"left: {left}\n{text}"
finally:
    process.kill()
    process.wait()
    shutil.rmtree(folder)
