// Tests within VS Code's extension host, against the real gcluster-lsp: what a person sees of it is
// asked for with VS Code's own commands.
import * as assert from "assert";
import * as fs from "fs";
import Mocha from "mocha";
import * as path from "path";
import * as vscode from "vscode";
import { fileOf, open, patience, until, write } from "./common";
import { debugTests } from "./debug";

async function select(name: string, word: string): Promise<void> {
    const editor = await open(name);
    const at = editor.document.positionAt(editor.document.getText().indexOf(word));
    editor.selection = new vscode.Selection(at, at);
}

function tabs(): string[] {
    return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}

/** Runs a command that starts a task; returns its exit status. */
async function taskStatus(command: string, ...words: unknown[]): Promise<number | undefined> {
    const ended = new Promise<number | undefined>((resolve) => {
        const watch = vscode.tasks.onDidEndTaskProcess(({ exitCode }) => {
            watch.dispose();
            resolve(exitCode);
        });
    });
    await vscode.commands.executeCommand(command, ...words);
    return ended;
}

// A run's output leads to a problem in that line, from 0; the language server's have another source.
async function runsInto(name: string, line: number, words: RegExp): Promise<void> {
    const isIt = ({ range, message, source }: vscode.Diagnostic) =>
        source === "gcluster-cc" && range.start.line === line && words.test(message);
    assert.notEqual(await taskStatus("gcluster.runOnNodes", 1), 0);
    await until(`a problem in ${name}`, () => vscode.languages.getDiagnostics(fileOf(name)).find(isIt));
}

function messages(uri: vscode.Uri): string[] {
    return vscode.languages.getDiagnostics(uri).map((diagnostic) => diagnostic.message);
}

// A language server that can do nothing.
const emptyServer = `#!/usr/bin/env python3
import json, sys
while True:
    size = 0
    for line in iter(sys.stdin.buffer.readline, b"\\r\\n"):
        if not line:
            sys.exit()
        size = int(line.split()[1]) if line.startswith(b"Content-Length") else size
    message = json.loads(sys.stdin.buffer.read(size))
    answer = {"jsonrpc": "2.0", "id": message.get("id")}
    if message["method"] in ("initialize", "shutdown"):
        answer["result"] = {"capabilities": {}} if message["method"] == "initialize" else None
    else:
        answer["error"] = {"code": -32601, "message": "not known"}
    if "id" in message:
        text = json.dumps(answer).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(text) + text)
        sys.stdout.buffer.flush()
`;

async function lensTitles(uri: vscode.Uri): Promise<string[]> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
    return lenses.map(({ command }) => command?.title ?? "");
}

function tests(): void {
    test("a CUDA file activates the extension", async () => {
        const { document } = await open("stencil.cu");
        assert.equal(document.languageId, "cuda-cpp");
        await until("activation", () => vscode.extensions.getExtension("gcluster.gcluster")?.isActive || undefined);
    });

    test("lenses say how a kernel spreads, and open the map", async () => {
        const { document } = await open("stencil.cu");
        const lens = await until("a lens over smooth", async () => {
            const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 100);
            return lenses.find(({ command }) => command?.title.startsWith("splits along y"));
        });
        assert.match(lens.command?.title ?? "", /^splits along y · pays from about \d+ blocks · halo 1 row: in · written once: out$/);
        assert.equal(lens.command?.command, "gcluster.showMap");
    });

    test("hints have their code", async () => {
        const { document } = await open("stencil.cu");
        await until("GCL201", () => vscode.languages.getDiagnostics(document.uri).find((diagnostic) =>
            (typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code) === "GCL201"));
    });

    test("hovers show a kernel's distribution", async () => {
        const { document } = await open("stencil.cu");
        const at = document.positionAt(document.getText().indexOf("smooth"));
        await until("the hover", async () => {
            const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, at);
            const words = hovers.flatMap(({ contents }) => contents).map((part) => typeof part === "string" ? part : part.value).join();
            return words.includes("splits along y") || undefined;
        });
    });

    test("errors come and go with edits", async () => {
        const editor = await open("stencil.cu");
        const { uri } = editor.document;
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "int wrong = undefined_name;\n"));
        await until("the error", () => messages(uri).find((message) => message.includes("undefined_name")));
        await editor.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
        await until("no error", () => !messages(uri).some((message) => message.includes("undefined_name")) || undefined);
    });

    test("a kernel is explained on a page beside the text", async () => {
        await select("stencil.cu", "smooth");
        await vscode.commands.executeCommand("gcluster.explainKernel");
        await until("the page", () => tabs().find((label) => label.includes("smooth.md")));
    });

    test("the translated source follows edits", async () => {
        await select("stencil.cu", "<<<");
        const editor = await open("stencil.cu"), line = editor.selection.active.line;
        await vscode.commands.executeCommand("gcluster.showTranslated");
        const translated = await until("the translation", () => vscode.workspace.textDocuments.find(({ uri, getText }) =>
            uri.scheme === "gcluster-translated" && getText().includes("gclLaunch")));
        assert.ok(!translated.getText().includes("<<<"));
        const marked = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        assert.ok(marked instanceof vscode.TabInputTextDiff && marked.original.fsPath === editor.document.fileName);
        await until("its line", () => vscode.window.visibleTextEditors.find(({ document, selection }) =>
            document === translated && selection.active.line === line));
        const again = await open("stencil.cu");
        await again.edit((edit) => edit.insert(new vscode.Position(0, 0), "// a new first line\n"));
        await until("the edit", () => translated.getText().startsWith("// a new first line") || undefined);
        await again.edit((edit) => edit.delete(new vscode.Range(0, 0, 1, 0)));
    });

    test("a project's report opens beside the text", async () => {
        await open("stencil.cu");
        await vscode.commands.executeCommand("gcluster.translateProject", "examine");
        await until("the report", () => tabs().find((label) => label.endsWith(" on gcluster")));
    });

    test("the map opens beside the text", async () => {
        await select("stencil.cu", "smooth");
        await vscode.commands.executeCommand("gcluster.showMap");
        await until("the map", () => tabs().find((label) => label === "Distribution Map"));
    });

    test("a file runs on two nodes", async () => {
        await open("stencil.cu");
        assert.equal(await taskStatus("gcluster.runOnNodes", 2), 0);
    });

    test("programs that check themselves are tests, on one node and on several", async () => {
        const body = "    int *p;\n    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n    return cudaDeviceSynchronize();\n}\n";
        const ran = (name: string) => `    if (FILE *file = fopen("${name}", "a"))\n        fputs("ran ", file), fclose(file);\n`;
        await write("checked.cu", "#include <cstdio>\n__global__ void k(int *p) { *p = 1; }\nint main() {\n" +
            ran("checked.txt") + body);
        await open("checked.cu");
        await until("its outline", async () => (await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
            "vscode.executeDocumentSymbolProvider", fileOf("checked.cu"))).find(({ detail }) => detail === "checks its results"));
        // Processes other than node 0 don't run main().
        await until("two runs", async () => {
            await vscode.commands.executeCommand("testing.runCurrentFile");
            return fs.existsSync(fileOf("checked.txt").fsPath) || undefined;
        });
        await until("both", () => fs.readFileSync(fileOf("checked.txt").fsPath, "utf8").startsWith("ran ran ") || undefined);
    });

    test("a trace opens where the time went", async () => {
        const span = (line: number, dur: number) => ({ ph: "X", name: "smooth", cat: "kernel", pid: 1, tid: 2000001,
            ts: line * 1000, dur, args: { blocks: 1, file: "../stencil.cu", line } });
        await write("run.json", JSON.stringify({ traceEvents: [span(24, 10), span(9, 5)] }));
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
        await vscode.commands.executeCommand("gcluster.openTrace", fileOf("run.json"));
        const editor = await until("the launch", () => vscode.window.activeTextEditor);
        assert.equal(path.basename(editor.document.fileName), "stencil.cu");
        assert.equal(editor.selection.active.line, 23);
        await until("its time", async () =>
            (await lensTitles(editor.document.uri)).find((title) => title.startsWith("ran once · 10.0 us")));
        await vscode.commands.executeCommand("gcluster.closeTrace");
    });

    test("a file runs as its task says", async () => {
        await write("flagged.cu", "#ifndef FLAG\n#error no flag\n#endif\nint main(int count, char **) { return count != 2; }\n");
        await open("flagged.cu");
        assert.notEqual(await taskStatus("gcluster.runOnNodes", 1), 0);
        const definition = { type: "gcluster", file: "${workspaceFolder}/flagged.cu", flags: ["-DFLAG"], arguments: ["word"] };
        await write(".vscode/tasks.json", JSON.stringify({ version: "2.0.0", tasks: [definition] }));
        await until("the task", async () =>
            await taskStatus("gcluster.runOnNodes", 1) === 0 || undefined);
    });

    test("errors of the compiler and of running programs are problems", async () => {
        const kernel = "#include <cassert>\n__global__ void k(int *p) { assert(p == nullptr); }\n";
        const main = "int main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n";
        await write("fails.cu", kernel + main);
        await open("fails.cu");
        await runsInto("fails.cu", 1, /assertion/);
        await write("unsupported.cu", "int main() {\n    return cudaGraphConditionalHandleCreate(0, 0);\n}\n");
        await open("unsupported.cu");
        await runsInto("unsupported.cu", 1, /is not supported/);
    });

    test("the server can be restarted", async () => {
        const { document } = await open("stencil.cu");
        await vscode.commands.executeCommand("gcluster.restartServer");
        await until("diagnostics", () => vscode.languages.getDiagnostics(document.uri).length > 0 || undefined);
    });

    test("another server is taken when the setting changes, and named where it is older", async () => {
        const { document } = await open("stencil.cu");
        const server = fileOf("empty-lsp").fsPath;
        fs.writeFileSync(server, emptyServer, { mode: 0o755 });
        await vscode.workspace.getConfiguration("gcluster").update("server.path", server, vscode.ConfigurationTarget.Global);
        await until("no lenses", async () => (await lensTitles(document.uri)).length === 0 || undefined);
        await open("letters.cu");
        await vscode.commands.executeCommand("gcluster.showTranslated");
        await until("the words", () => vscode.workspace.textDocuments.find((other) =>
            other.uri.scheme === "gcluster-translated" && other.getText().startsWith("// This gcluster-lsp is older")));
    });
}

export async function run(): Promise<void> {
    const mocha = new Mocha({ ui: "tdd", reporter: "spec", timeout: 2 * patience, bail: true, color: false });
    mocha.suite.emit("pre-require", globalThis, path.basename(__filename), mocha);
    suite("gcluster", tests);
    suite("debugging", debugTests);
    const failures = await new Promise<number>((done) => mocha.run(done));
    if (failures > 0)
        throw new Error(`${failures} failed`);
}
