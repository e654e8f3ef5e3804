// Programs that check themselves, in VS Code's test explorer: each on one node, and on several, where every launch is
// compared with what one node makes of it.
import { spawn } from "child_process";
import * as fs from "fs";
import * as os from "os";
import * as path from "path";
import * as vscode from "vscode";
import { Failure, language, needTool } from "../server";
import { configured, folderOf, folderPath } from "../tasks";
import { findCheck, forTerminal } from "./source";

const sources = "**/*.cu", others = "**/{build*,node_modules,out}/**";

interface Ended {
    status: number | null; // null: a signal has ended it
    output: string;
}

/** Runs a program to its end, without a shell; what it prints goes to the test's output, too. */
async function runProgram(run: vscode.TestRun, item: vscode.TestItem, cwd: string, words: string[]): Promise<Ended> {
    const [program = "", ...rest] = words;
    let output = "";
    run.appendOutput(`$ ${words.join(" ")}\r\n`, undefined, item);
    return new Promise((resolve, reject) => {
        const child = spawn(program, rest, { cwd, stdio: ["ignore", "pipe", "pipe"] });
        const cancelled = run.token.onCancellationRequested(() => child.kill());
        const take = (bytes: Buffer) => {
            output += bytes.toString();
            run.appendOutput(forTerminal(bytes.toString()), undefined, item);
        };
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        child.on("error", reject);
        child.on("close", (status) => {
            cancelled.dispose();
            resolve({ status, output });
        });
    });
}

/** The programs that a run compiles, each once, in a folder that goes with it. */
class Programs implements vscode.Disposable {
    private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "gcluster-checks-"));
    private readonly all = new Map<string, Promise<string | undefined>>();

    constructor(private readonly run: vscode.TestRun) {}

    /** The program of a source; undefined if it can't be compiled. */
    of(item: vscode.TestItem, source: vscode.Uri, cwd: string, flags: string[]): Promise<string | undefined> {
        const known = this.all.get(source.fsPath);
        const made = known ?? this.compile(item, source.fsPath, cwd, flags);
        this.all.set(source.fsPath, made);
        return made;
    }

    private async compile(item: vscode.TestItem, file: string, cwd: string, flags: string[]): Promise<string | undefined> {
        const program = path.join(this.folder, `${path.parse(file).name}-${this.all.size}`);
        const { status } = await runProgram(this.run, item, cwd, [needTool("gcluster-cc"), ...flags, file, "-o", program]);
        return status === 0 ? program : undefined;
    }

    dispose(): void {
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}

export class Checks implements vscode.Disposable {
    private readonly controller = vscode.tests.createTestController("gcluster", "CUDA programs");
    private readonly nodes = new WeakMap<vscode.TestItem, number>();
    private readonly parts: vscode.Disposable[];

    constructor() {
        const watcher = vscode.workspace.createFileSystemWatcher(sources);
        this.controller.resolveHandler = async (item) => {
            if (!item)
                await Promise.all((await vscode.workspace.findFiles(sources, others)).map((uri) => this.read(uri)));
        };
        this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run,
            (request, token) => this.run(request, token), true);
        this.parts = [this.controller, watcher,
            watcher.onDidCreate((uri) => this.read(uri)),
            watcher.onDidChange((uri) => this.read(uri)),
            watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
            vscode.workspace.onDidOpenTextDocument((document) => this.see(document)),
            vscode.workspace.onDidSaveTextDocument((document) => this.see(document))];
        vscode.workspace.textDocuments.forEach((document) => this.see(document));
    }

    private see({ languageId, uri }: vscode.TextDocument): void {
        if (languageId === language && uri.scheme === "file")
            void this.read(uri);
    }

    /** Shows a file's check, if it has one. */
    private async read(uri: vscode.Uri): Promise<void> {
        const bytes = await vscode.workspace.fs.readFile(uri).then((read) => read, () => undefined);
        const place = bytes && uri.fsPath.endsWith(".cu") ? findCheck(Buffer.from(bytes).toString()) : undefined;
        if (!place) {
            this.controller.items.delete(uri.toString());
            return;
        }
        const item = this.controller.items.get(uri.toString()) ??
            this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
        item.range = new vscode.Range(place.begin, 0, place.end, 1);
        const several = Math.max(2, vscode.workspace.getConfiguration("gcluster").get<number>("nodes", 4));
        item.children.replace([this.child(item, "1 node", 1), this.child(item, `${several} nodes`, several)]);
        this.controller.items.add(item);
    }

    private child(parent: vscode.TestItem, label: string, nodes: number): vscode.TestItem {
        const item = this.controller.createTestItem(`${parent.id} ${nodes}`, label, parent.uri);
        item.range = parent.range;
        this.nodes.set(item, nodes);
        return item;
    }

    private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
        if (!vscode.workspace.isTrusted)
            return;
        const run = this.controller.createTestRun(request);
        const programs = new Programs(run);
        try {
            for (const item of this.wanted(request)) {
                if (token.isCancellationRequested)
                    run.skipped(item);
                else
                    await this.check(run, programs, item);
            }
        } finally {
            programs.dispose();
            run.end();
        }
    }

    /** The single checks that a request is about, those of one file behind each other. */
    private wanted({ include, exclude }: vscode.TestRunRequest): vscode.TestItem[] {
        const all: vscode.TestItem[] = [];
        const add = (item: vscode.TestItem) => {
            if (exclude?.includes(item))
                return;
            if (item.children.size > 0)
                item.children.forEach(add);
            else
                all.push(item);
        };
        if (include)
            include.forEach(add);
        else
            this.controller.items.forEach(add);
        return all;
    }

    private async check(run: vscode.TestRun, programs: Programs, item: vscode.TestItem): Promise<void> {
        const { uri } = item, nodes = this.nodes.get(item);
        if (!uri || !nodes)
            return;
        const scope = folderOf(uri), cwd = folderPath(scope) || path.dirname(uri.fsPath), began = Date.now();
        const say = (words: string) => {
            const message = new vscode.TestMessage(words);
            message.location = new vscode.Location(uri, item.range?.start ?? new vscode.Position(0, 0));
            return message;
        };
        run.started(item);
        try {
            const { flags = ["-O2"], arguments: words = [] } = await configured(uri.fsPath, scope);
            const program = await programs.of(item, uri, cwd, flags);
            if (!program) {
                run.errored(item, say("It couldn't be compiled: the output has what gcluster-cc says."));
                return;
            }
            const job = nodes > 1 ? [needTool("gcluster-run"), "-n", String(nodes), "--verify"] : [];
            const { status, output } = await runProgram(run, item, cwd, [...job, program, ...words]);
            const last = output.trimEnd().split("\n").slice(-10).join("\n");
            if (status === 0)
                run.passed(item, Date.now() - began);
            else
                run.failed(item, say(`It ended with ${status === null ? "a signal" : `status ${status}`}.\n${last}`),
                    Date.now() - began);
        } catch (error) {
            if (!(error instanceof Failure))
                throw error;
            run.errored(item, say(error.message));
        }
    }

    dispose(): void {
        vscode.Disposable.from(...this.parts).dispose();
    }
}
