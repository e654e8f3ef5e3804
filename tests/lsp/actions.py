"""Code actions for reasons: actions.py gcluster-lsp gcluster-cc source.cu [gcluster-run]

Each `says GCL2xx word` in the source is about the kernel behind it, and there has to be one action for
a diagnostic of that code, with the word in its title. All of them are applied; then the source compiles
and no kernel has the reason of its action any more. Of `lacks GCL2xx word` there is such a diagnostic, but
no action. Of `knows text` the action on the name of the kernel behind it writes down what is known of it,
the text among that, the compiler says of it what it did before, and the action is gone. With gcluster-run,
the program prints what it printed before the edits, on one node and on three.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

server, compiler, source, *runner = sys.argv[1:]
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


def has_reasons(message, code="GCL2"):
    return message.get("method") == "textDocument/publishDiagnostics" and any(
        str(d.get("code")).startswith(code) for d in message["params"]["diagnostics"])


def explain():
    """The kernels by their names."""
    found = subprocess.run([compiler, "--explain=json", path], stdout=subprocess.PIPE, check=True)
    return {re.sub("<.*", "", kernel["name"]).split("::")[-1].split(" ")[-1]: kernel
            for kernel in json.loads(found.stdout)["kernels"]}


def reasons(kernels):
    """(kernel, code, argument or what happens) of all."""
    return {(name, reason["code"], reason["argument"] or reason["what"]) for name, kernel in kernels.items()
            for reason in kernel["reasons"] + kernel.get("order", [])}


def spreads(kernel):
    return (kernel["split"], [(a["name"], a["words"]) for a in kernel["arguments"]],
            [reason["code"] for reason in kernel["reasons"]])


def printed():
    """What the program prints, on one node and on three."""
    program = path + ".out"
    subprocess.run([compiler, "-O2", path, "-o", program], check=True)
    environment = {**os.environ, "GCL_SPLIT": "always",
                   "LSAN_OPTIONS": "detect_leaks=0"}  # libpmix leaves memory behind
    return [subprocess.run([*job, program], stdout=subprocess.PIPE, check=True, text=True,
                           env=environment).stdout for job in ([], [*runner, "-n", "3"])]


def offset(position):
    """The text has no character beyond ASCII."""
    return sum(map(len, text.splitlines(True)[:position["line"]])) + position["character"]


def rewritings(kernel):
    """The actions on a kernel's name."""
    position = {"line": kernel["line"] - 1, "character": 12}
    actions = ask(3, "textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": {"start": position, "end": position},
        "context": {"diagnostics": []}})
    return [action for action in actions if action["kind"] == "refactor.rewrite"]


try:
    ask(1, "initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
    send(method="initialized", params={})
    send(method="textDocument/didOpen", params={"textDocument": {
        "uri": uri, "languageId": "cuda", "version": 1, "text": text}})
    diagnostics = wait(lambda message: has_reasons(message) or has_reasons(message, "GCL158"))[
        "params"]["diagnostics"]
    says = re.findall(r"// says (GCL\d+) (\S+)\n(?:.*\n)*?[^(\n]*?(?:__launch_bounds__\(\w+\) )?(\w+)\(",
                      text)
    lacks = re.findall(r"// lacks (GCL\d+) (\S+)\n(?:.*\n)*?[^(\n]*?(\w+)\(", text)
    knows = re.findall(r"// knows (.*)\n(?:.*\n)*?[^(\n]*?(\w+)\(", text)
    kernels, edits = explain(), []
    before, answered = reasons(kernels), set()
    assert len(says) == text.count("// says "), says
    assert len(knows) == text.count("// knows "), knows
    assert len(lacks) == text.count("// lacks "), lacks
    for code, word, kernel in says + lacks:
        assert (kernel, code) in {reason[:2] for reason in before}, f"{kernel} has no {code}"
        mine = [d for d in diagnostics if d.get("code") == code and
                d["relatedInformation"][0]["message"].split("<")[0].endswith(kernel)]
        actions = ask(2, "textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": mine[0]["range"],
            "context": {"diagnostics": mine}})
        actions = [action for action in actions if word in action["title"]]
        if (code, word, kernel) in lacks:
            assert not actions, f"{kernel}: {actions[0]['title']}"
            continue
        assert actions, f"{kernel}: no action for {code} with '{word}'"
        about = re.split("[:,] ", actions[0]["diagnostics"][0]["message"])[0]
        answered.add((kernel, code, about))
        edits += actions[0]["edit"]["changes"][uri]
    for known, kernel in knows:
        actions = rewritings(kernels[kernel])
        assert len(actions) == 1, f"{kernel}: {len(actions)} actions say what is known"
        edit, = actions[0]["edit"]["changes"][uri]
        assert f"#pragma gcluster {known}\n" in edit["newText"], edit["newText"]
        edits.append(edit)
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = (offset(edit["range"][key]) for key in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    outputs = printed() if runner else None
    with open(path, "w") as file:
        file.write(text)
    after = explain()
    assert answered <= before, answered - before
    left = reasons(after) & answered
    assert not left, f"left: {left}\n{text}"
    if knows:
        send(method="textDocument/didChange", params={
            "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        wait(lambda message: has_reasons(message, "GCL224"))  # by now it knows of the pragmas
    for _, kernel in knows:
        assert not rewritings(after[kernel]), f"{kernel}: it has been said"
        assert spreads(after[kernel]) == spreads(kernels[kernel]), after[kernel]
    assert outputs == (printed() if runner else None), f"{outputs} was printed before\n{text}"
finally:
    process.kill()
    process.wait()
    shutil.rmtree(folder)
