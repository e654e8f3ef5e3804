"""Random edits of real sources, with questions in flight: soak.py [options] server source|folder ...

Types, deletes, truncates, pastes and restores in up to four open files at a time, asks anything anywhere,
sometimes nonsense, cancels, saves, closes, and now and then kills the process that reads sources. From time to
time it waits: each question has to have an answer then, each text a diagnosis, and the server's texts have
to be the editor's. It fails as well if the server or its reader crashes by itself, a sanitizer speaks, or the
server's memory grows; and if somebody waits for an answer and isn't told what for.

What takes long is clang's reading, which shares the processors with whatever else runs. So times are printed,
and those apart that are the server's alone: how soon it takes a question, with as much in flight as there is.

What was done is printed as a seed, and kept, after a failure, in a folder of --keep: soak.jsonl with its
workspace, for replay.py.
"""

import argparse
import bisect
import json
import math
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time

from replay import PATIENCE, Conversation

OPEN = 4  # files at a time
PAUSE = 20  # edits between two looks at everything
CANCELLED = -32800
SIZE = 200000  # bytes of a source at most
SLOW = 2  # seconds
TOLD = 4  # seconds; who waits for longer has been told what for
PAGE = os.sysconf("SC_PAGE_SIZE")
PERIODS = 8  # looks at memory
GROWTH = 128  # MiB more at the end than in the first half

SNIPPETS = (
    "{", "}", "(", ")", "[", "<", ">", ";", ",", '"', "'", "\\", "\\\n", "/*", "*/", "//", "#", "\n", "\r\n",
    "\r", "\t", "\0", "\u00e4", "\u20ac", "\U0001f600", "\ufeff", "\u0301", "R\"(", ")\"", "##", "...", "->", ".",
    "::", "<<<", ">>>", "<<<1, 2>>>(", "k<<<g, b, 0, s>>>(a);\n", "#if 0\n", "#else\n", "#endif\n", "#define X(a) a##a\n",
    "#include \"", "#include <cuda_runtime.h>\n", "#pragma gcluster ", "#pragma gcluster split(x)\n",
    "_Pragma(\"gcluster\")", "__global__ void f(float *p) { p[threadIdx.x] = 1; }\n", "template <class T> ",
    "template <int N> struct S : S<N - 1> {};\n", "__shared__ ", "__device__ ", "auto x = [=] __device__ (int i) {",
    "operator", "class A {", "namespace n {", "for (;;) {", "case 0:", "return", "0x1p", "1e999", "u8\"\\xff\"", "@",
    "extern \"C\" {", "static_assert(", "decltype(", "sizeof(", "co_await ", "requires ", "(" * 300, "{" * 100,
    "a" * 5000)

POSITIONS = ("completion declaration definition documentHighlight hover implementation prepareCallHierarchy "
             "prepareTypeHierarchy prepareRename signatureHelp typeDefinition").split()
OWN = ("textDocument/foldingRange", "no/suchMethod")  # no reader is asked
DOCUMENTS = "codeLens documentLink documentSymbol foldingRange semanticTokens/full".split()
JUNK = (None, True, -1, 1 << 40, 1.5, "", "x" * 10000, [], {}, [[]], {"line": -1})


class Text:
    """An editor's document: the server has to have the same."""

    def __init__(self, uri, original, encoding):
        self.uri, self.original, self.encoding = uri, original, encoding
        self.text, self.version, self.cursor = original, 1, 0

    def position(self, offset):
        begins = [0] + [m.end() for m in re.finditer("\r\n|\r|\n", self.text)]
        line = bisect.bisect_right(begins, offset) - 1
        part = self.text[begins[line]:offset]
        units = {"utf-8": len(part.encode()), "utf-16": len(part.encode("utf-16-le")) // 2}
        return {"line": line, "character": units.get(self.encoding, len(part))}

    def place(self, offset):
        """No place lies within a line's end."""
        offset = max(0, min(offset, len(self.text)))
        return offset + 1 if self.text[offset - 1:offset + 1] == "\r\n" else offset

    def replace(self, begin, end, new):
        """One change: what LSP sends of it."""
        begin, end = sorted((self.place(begin), self.place(end)))
        change = {"range": {"start": self.position(begin), "end": self.position(end)}, "text": new}
        self.text = self.text[:begin] + new + self.text[end:]
        self.cursor = begin + len(new)
        return change

    def set(self, new):
        self.text = new
        return {"text": new}


class Soak(Conversation):
    def __init__(self, options, workspace, paths, errors):
        super().__init__(options.server, workspace, errors)
        self.random = random.Random(options.seed)
        self.random_of_answers = random.Random(options.seed)  # what came decides on nothing else
        self.errors = errors
        self.steps = []
        self.asked, self.times, self.items = {}, [], []
        self.told = 0  # when somebody was told last, or infinite: that is so
        self.published, self.logged, self.kills, self.garbage = {}, [], 0, 0
        self.memory, self.silent = [], []
        self.encoding = self.random.choice(("utf-8", "utf-16", "utf-32"))
        self.texts = [Text("file://" + path, open(path, encoding="utf-8", newline="").read(), self.encoding)
                      for path in paths]
        self.open = []
        self.number = 0

    # Messages.

    def send(self, message):
        self.steps.append({"to": message})
        super().send(message)

    def arrive(self, message):
        method, number = message.get("method"), message.get("id")
        if method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["version"]
        elif method == "$/progress" and message["params"]["token"].startswith("reader of "):
            ends = message["params"]["value"]["kind"] == "end"
            self.told = time.monotonic() if ends else math.inf
        elif method == "window/logMessage":
            self.logged.append(message["params"]["message"])
        elif method and number is not None:
            super().send({"id": number, "result": None})
        elif number in self.asked:
            method, start, reader = self.asked.pop(number)
            busy = [end - begin for (process, begin), (now, end) in [(reader, self.busy())] if process == now]
            took = time.monotonic() - start
            self.times.append((took, max(busy, default=0), method, message.get("error", {}).get("code")))
            if took > TOLD and self.told < start:
                self.silent.append((took, method))
            self.messages.append(message)

    def busy(self):
        """The reader, and for how many seconds processors have been at it."""
        reader = self.reader()
        try:
            with open("/proc/%d/stat" % reader, encoding="ascii") as stream:
                fields = stream.read().rsplit(")", 1)[1].split()
            return reader, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, TypeError):
            return None, 0

    def ask(self, method, params):
        with self.came:
            self.number += 1
            self.asked[self.number] = (method, time.monotonic(), self.busy())
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def wait(self, what, is_there):
        with self.came:
            if not self.came.wait_for(lambda: self.ended or is_there(), PATIENCE) or not is_there():
                raise AssertionError("%s %s" % ("the server ended before" if self.ended else "no end of", what()))

    def answer(self, method, params):
        number = self.ask(method, params)
        self.wait(lambda: method, lambda: number not in self.asked)
        with self.came:
            return next(m for m in self.messages if m["id"] == number)

    # Edits.

    def some_text(self, most):
        other = self.random.choice(self.texts).original
        begin = self.random.randrange(len(other) + 1)
        return other[begin:begin + self.random.randrange(1, most)]

    def change(self, text):
        roll, size = self.random.random(), len(text.text)
        at = self.random.randrange(size + 1)
        if roll < 0.30:
            near = text.cursor if self.random.random() < 0.6 else at
            return text.replace(near, near, self.random.choice("abcxyz_0129 \n;(){}<>=+-*&.,:#\"'/"))
        if roll < 0.50:
            return text.replace(at, at, self.random.choice(SNIPPETS))
        if roll < 0.62:
            return text.replace(at, at + int(self.random.expovariate(1 / 60)) + 1, "")
        if roll < 0.74:
            return text.replace(at, at + self.random.randrange(100), self.some_text(2000))
        if roll < 0.78:
            return text.replace(at, size, "")
        if roll < 0.80:
            return text.replace(0, at, "")
        if roll < 0.84:
            end = at + int(self.random.expovariate(1 / 400))
            return text.replace(end, end, text.text[at:end])
        if roll < 0.92:
            return text.replace(0, size, text.original)
        return text.set(text.original if self.random.random() < 0.8 else self.some_text(4000))

    def edit(self, text):
        count = self.random.choice((1, 1, 1, 1, 2, 4))
        text.version += 1
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": text.uri, "version": text.version},
            "contentChanges": [self.change(text) for _ in range(count)]})

    # Questions.

    def document(self, text):
        return {"textDocument": {"uri": text.uri}}

    def anywhere(self, text):
        if self.random.random() < 0.05:
            return {"line": self.random.choice((0, 1 << 30)), "character": self.random.choice((0, 1 << 30))}
        near = self.random.random() < 0.5
        return text.position(text.place(text.cursor if near else self.random.randrange(len(text.text) + 1)))

    def span(self, text):
        ends = sorted((text.place(self.random.randrange(len(text.text) + 1)) for _ in range(2)))
        return {"start": text.position(ends[0]), "end": text.position(ends[1])}

    def question(self, text):
        params, roll = self.document(text), self.random.random()
        if roll < 0.5:
            return "textDocument/" + self.random.choice(POSITIONS), {**params, "position": self.anywhere(text)}
        if roll < 0.7:
            return "textDocument/" + self.random.choice(DOCUMENTS), params
        return self.random.choice((
            ("textDocument/codeAction", {**params, "range": self.span(text), "context": {"diagnostics": []}}),
            ("textDocument/formatting", {**params, "options": {"tabSize": 4, "insertSpaces": True}}),
            ("textDocument/inlayHint", {**params, "range": self.span(text)}),
            ("textDocument/rangeFormatting", {**params, "range": self.span(text), "options": {}}),
            ("textDocument/references", {**params, "position": self.anywhere(text),
                                         "context": {"includeDeclaration": True}}),
            ("textDocument/rename", {**params, "position": self.anywhere(text),
                                     "newName": self.random.choice(("fresh", "int", "", "a b"))}),
            ("textDocument/selectionRange", {**params, "positions": [self.anywhere(text), self.anywhere(text)]}),
            ("textDocument/semanticTokens/full/delta", {**params, "previousResultId":
                                                        str(self.random.randrange(20))}),
            ("textDocument/semanticTokens/range", {**params, "range": self.span(text)}),
            ("workspace/symbol", {"query": self.random.choice(("", "a", "kernel"))}),
            (self.random.choice(("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls",
                                 "typeHierarchy/supertypes", "typeHierarchy/subtypes")),
             {"item": self.item(text)}),
        ))

    def item(self, text):
        with self.came:
            items = [item for m in self.messages for item in m.get("result") or []
                     if isinstance(m.get("result"), list) and "selectionRange" in item] or self.items
            self.items, self.messages = items[-5:], []
        return self.random_of_answers.choice(self.items or [{"name": "f", "kind": 12, "uri": text.uri, "range": self.span(text),
                                                  "selectionRange": self.span(text)}])

    def spoil(self, value):
        """The same with nonsense somewhere in it."""
        if not isinstance(value, (dict, list)) or not value or self.random.random() < 0.3:
            return self.random.choice(JUNK)
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key, copy = self.random.choice(keys), value.copy()
        if isinstance(value, dict) and self.random.random() < 0.2:
            del copy[key]
        else:
            copy[key] = self.spoil(value[key])
        return copy

    def ask_something(self, text):
        method, params = self.question(text)
        if self.random.random() < 0.06:
            params = self.spoil(params)
            self.garbage += 1
            if not isinstance(params, (dict, list)) and params is not None:
                params = {"textDocument": params}
        number = self.ask(method, params)
        if self.random.random() < 0.1:
            self.tell("$/cancelRequest", {"id": number})

    # Files.

    def open_one(self):
        closed = [text for text in self.texts if text not in self.open]
        if len(self.open) >= OPEN or not closed:
            return
        text = self.random.choice(closed)
        text.version, text.text, text.cursor = 1, text.original, 0
        self.open.append(text)
        self.published.pop(text.uri, None)
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": text.uri, "languageId": "cuda", "version": 1, "text": text.text}})

    def close_one(self):
        text = self.random.choice(self.open)
        self.open.remove(text)
        self.tell("textDocument/didClose", self.document(text))

    def save(self, text):
        path = text.uri[len("file://"):]
        self.steps.append({"write": [path, text.text]})
        super().save([path, text.text])
        self.tell("textDocument/didSave", self.document(text))
        self.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": text.uri, "type": 2}]})

    def kill(self):
        if self.reader() is not None:
            self.kills += 1
            self.steps.append({"signal": "KILL"})
            self.signal("KILL")

    def do_something_else(self):
        roll = self.random.random()
        if roll < 0.05 and len(self.open) > 1:
            self.close_one()
        elif roll < 0.07:
            self.save(self.random.choice(self.open))
        elif roll < 0.08:
            self.tell("workspace/didChangeConfiguration",
                      {"settings": {"gcluster": {"nodes": self.random.randrange(1, 9)}}})
        elif roll < 0.085:
            self.kill()
        elif roll < 0.09:
            self.ask("no/suchMethod", {})
        elif roll < 0.10:
            change = self.spoil({"range": {"start": {"line": 5, "character": 1}, "end": {"line": 4, "character": 0}},
                                 "text": "x"})
            if not (isinstance(change, dict) and isinstance(change.get("text"), str)):
                text = self.random.choice(self.open)
                text.version += 1  # which the server doesn't take over
                self.tell("textDocument/didChange", {"textDocument": {"uri": text.uri, "version": text.version},
                                                     "contentChanges": [change]})
                self.edit(text)
        self.open_one()

    # What has to hold.

    def check_texts(self):
        for text in self.open:
            found = self.answer("gcluster/text", self.document(text))
            if "error" in found and "crashes" in found["error"]["message"]:
                continue
            if found.get("result") != {"version": text.version, "text": text.text}:
                raise AssertionError("another text of %s: %s" % (text.uri, json.dumps(found)[:300]))

    def check_crashes(self):
        crashes = [text for text in self.logged if "crashed" in text and "Killed" not in text]
        if crashes:
            raise AssertionError(crashes[0])
        self.errors.seek(0)
        found = re.search("(?s)(ERROR: |CRITICAL|runtime error|Assertion|WARNING: Thread).*", self.errors.read())
        if found:
            raise AssertionError(found[0][:20000])
        if self.silent:
            raise AssertionError("nobody was told what these waited for: %s" % self.silent[:5])

    def resident(self, process):
        try:
            with open("/proc/%d/statm" % process, encoding="ascii") as stream:
                return int(stream.read().split()[1]) * PAGE
        except (OSError, TypeError):
            return 0

    def look(self):
        self.wait(lambda: "answers to %s" % list(self.asked.values())[:5], lambda: not self.asked)
        for text in self.open:
            self.wait(lambda text=text: "the diagnosis of %s, version %d" % (text.uri, text.version),
                      lambda text=text: self.published.get(text.uri) == text.version)
        self.check_texts()
        self.check_crashes()

    def measure(self):
        """What is left when nothing is open."""
        while self.open:
            self.close_one()
        self.answer("workspace/symbol", {"query": "x"})
        self.memory.append([self.resident(self.process.pid) >> 20, self.resident(self.reader()) >> 20])
        self.open_one()

    def check_memory(self):
        if len(self.memory) < 4:
            return
        for name, sizes in zip(("server", "reader"), zip(*self.memory)):
            if sizes[-1] > max(sizes[:len(sizes) // 2]) + GROWTH:
                raise AssertionError("the %s's memory grows, MiB: %s" % (name, sizes))

    # All of it.

    def begin(self):
        self.answer("initialize", {
            "processId": None, "workspaceFolders": [{"uri": "file://" + self.workspace, "name": "w"}],
            "capabilities": {"general": {"positionEncodings": [self.encoding]},
                             "window": {"workDoneProgress": True},
                             "workspace": {"semanticTokens": {"refreshSupport": True},
                                           "codeLens": {"refreshSupport": True}}}})
        self.tell("initialized", {})
        self.open_one()

    def run_all(self, edits):
        self.begin()
        for i in range(1, edits + 1):
            text = self.random.choice(self.open)
            self.edit(text)
            for _ in range(self.random.choice((0, 1, 1, 2, 5))):
                self.ask_something(self.random.choice(self.open))
            self.do_something_else()
            if i % PAUSE == 0 or i == edits:
                self.look()
            if i % max(PAUSE, edits // PERIODS) == 0:
                self.measure()
            if i % PAUSE:
                time.sleep(self.random.choice((0, 0, 0.01, 0.1)))
        self.check_memory()
        self.answer("shutdown", None)
        self.tell("exit", None)
        self.end(0)

    def report(self):
        times = sorted(row[0] for row in self.times)
        slow = sorted((row for row in self.times if row[0] > SLOW), reverse=True)
        print("%d answers: median %.3f s, 99 %% within %.3f s, longest %.3f s; %d after more than %d s, %d of them "
              "after as much of the reader's processor time" % (
                  len(times), statistics.median(times), times[len(times) * 99 // 100], times[-1], len(slow), SLOW,
                  sum(row[1] > SLOW for row in slow)))
        own = sorted(row[0] for row in self.times if row[2] in OWN or row[3] == CANCELLED)
        if own:
            print("%d answers of the server's own: median %.3f s, 99 %% within %.3f s, longest %.3f s" % (
                len(own), statistics.median(own), own[len(own) * 99 // 100], own[-1]))
        for row in slow[:10]:
            print("    %.1f s, %.1f s of processor time: %s (%s)" % row)
        print("memory of the server, and of its reader, MiB:", *("%d %d," % tuple(row) for row in self.memory))
        print("%d kills, %d questions with nonsense, %d lines in the log" % (
            self.kills, self.garbage, len(self.logged)))
        for line in sorted(set(self.logged)):
            print("    %dx %s" % (self.logged.count(line), line))

    def keep(self, folder, workspace):
        """What was done, and that all is well after that, beside the workspace as it was at first."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(workspace, os.path.join(folder, "workspace"))
        crash = {"method": "window/logMessage", "params": {"message": "~crashed: (?!Killed)"}}
        with open(os.path.join(folder, "soak.jsonl"), "w", encoding="utf-8") as stream:
            for step in self.steps + [{"from": {"id": self.number}}, {"no": crash}]:
                stream.write(json.dumps(step).replace(self.workspace, "${W}") + "\n")


def is_text(path):
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return 0 < os.path.getsize(path) <= SIZE and "\0" not in stream.read()
    except (OSError, UnicodeDecodeError):
        return False


def find_sources(places):
    for place in places:
        found = [place] if os.path.isfile(place) else [
            os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names]
        yield from (path for path in sorted(found) if path.endswith((".cu", ".cuh")) and is_text(path))


def copy_beside(source, folder):
    """A source and what it may include from beside it."""
    os.makedirs(folder)
    beside = os.path.dirname(os.path.abspath(source))
    for name in os.listdir(beside):
        path = os.path.join(beside, name)
        if path == os.path.abspath(source) or (name.endswith((".h", ".cuh", ".hpp", "Makefile")) and
                                               os.path.isfile(path)):
            shutil.copy(path, folder)
    return os.path.join(folder, os.path.basename(source))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--keep")
    parser.add_argument("server")
    parser.add_argument("places", nargs="+")
    options = parser.parse_args()
    sources = list(find_sources(options.places))
    sources = random.Random(options.seed).sample(sources, min(options.files, len(sources)))
    print("seed %d: %d edits of %d sources" % (options.seed, options.edits, len(sources)), flush=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+", errors="replace") as errors:
        workspace = os.path.join(os.path.realpath(folder), "workspace")
        paths = [copy_beside(source, os.path.join(workspace, "%02d" % i)) for i, source in enumerate(sources)]
        shutil.copytree(workspace, os.path.join(folder, "first"))
        soak = Soak(options, workspace, paths, errors)
        try:
            soak.run_all(options.edits)
        except (AssertionError, BrokenPipeError) as error:
            if options.keep:
                soak.keep(os.path.join(options.keep, "soak-%d" % options.seed), os.path.join(folder, "first"))
            errors.seek(0)
            sys.stderr.write(errors.read()[-5000:])
            sys.exit("seed %d: after %d steps: %s" % (options.seed, len(soak.steps), error))
        finally:
            soak.process.kill()
            soak.process.wait()
            soak.report()


main()
