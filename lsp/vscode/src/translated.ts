// The rewritten host source beside the original, as it is at each moment.
import * as path from "path";
import * as vscode from "vscode";
import { later } from "./later";
import { Failure, Outdated, Server } from "./server";

const scheme = "gcluster-translated";

function translatedUri(source: vscode.Uri): vscode.Uri {
    const { dir, name, ext } = path.posix.parse(source.path);
    return vscode.Uri.from({ scheme, path: path.posix.join(dir, `${name}.gcl${ext}`), query: source.toString() });
}

export class Translations implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    private readonly last = new Map<string, string>();
    private readonly parts: vscode.Disposable[];
    readonly onDidChange = this.changed.event;

    constructor(private readonly server: Server) {
        const refresh = later(300, (uri: vscode.Uri) => this.changed.fire(translatedUri(uri)));
        this.parts = [this.changed, refresh,
            vscode.workspace.registerTextDocumentContentProvider(scheme, this),
            vscode.workspace.onDidCloseTextDocument((document) => this.last.delete(document.uri.toString())),
            vscode.workspace.onDidChangeTextDocument(({ document }) => {
                if (this.last.has(translatedUri(document.uri).toString()))
                    refresh.run(document.uri);
            })];
    }

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const before = this.last.get(uri.toString()) ?? "";
        this.last.set(uri.toString(), before);
        try {
            const { text } = await this.server.request<{ text: string }>("gcluster/translated",
                { textDocument: { uri: uri.query } });
            this.last.set(uri.toString(), text);
            return text;
        } catch (error) {
            if (error instanceof Outdated)
                return before;
            if (error instanceof Failure)
                return error.message.replace(/^/gm, "// ") + "\n";
            throw error;
        }
    }

    /** Beside the source, from the line of its cursor, with what differs marked: lines keep their numbers. */
    async show(source: vscode.TextEditor): Promise<void> {
        const { uri } = source.document, line = new vscode.Position(source.selection.active.line, 0);
        const title = `${path.posix.basename(uri.path)} ↔ on gcluster`;
        await vscode.commands.executeCommand("vscode.diff", uri, translatedUri(uri), title,
            { selection: new vscode.Range(line, line), preview: false });
    }

    dispose(): void {
        vscode.Disposable.from(...this.parts).dispose();
    }
}
