// By which source a file is read that others include: shown beside the language, and chosen there.
import * as path from "path";
import * as vscode from "vscode";
import { Inclusion } from "./protocol";
import { Failure, language, Server } from "./server";

function nameOf(uri: string): string {
    return path.basename(vscode.Uri.parse(uri).fsPath);
}

interface Way extends vscode.QuickPickItem {
    includer: string | null;
}

export class Includers implements vscode.Disposable {
    private readonly item = vscode.languages.createLanguageStatusItem("gcluster.includer",
        { scheme: "file", language });
    private readonly parts: vscode.Disposable[];

    constructor(private readonly server: Server) {
        this.item.name = "Read As";
        this.parts = [this.item, server.onDidAnalyse(() => void this.show()),
            vscode.window.onDidChangeActiveTextEditor(() => void this.show())];
    }

    private async show(): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        if (document?.languageId !== language)
            return;
        const found = await this.ask(document.uri).catch((): Inclusion => ({ includer: null, includers: [] }));
        if (vscode.window.activeTextEditor?.document !== document)
            return;
        this.item.text = found.includer ? `as ${nameOf(found.includer)} includes it` : "by itself";
        this.item.command = found.includers.length === 0 ? undefined
            : { title: "Change", command: "gcluster.chooseIncluder", arguments: [document.uri] };
    }

    private ask(uri: vscode.Uri, choice?: { includer: string | null }): Promise<Inclusion> {
        return this.server.request("gcluster/includer", { textDocument: { uri: uri.toString() }, ...choice });
    }

    async choose(uri: vscode.Uri): Promise<void> {
        const found = await this.ask(uri);
        if (found.includers.length === 0)
            throw new Failure("No source near this file includes it.");
        const ways: Way[] = [...found.includers, null].map((includer) => ({
            includer,
            label: includer ? `As ${nameOf(includer)} includes it` : "By itself",
            description: includer === found.includer ? "now" : "",
            detail: includer ? vscode.workspace.asRelativePath(vscode.Uri.parse(includer)) : "",
        }));
        const way = await vscode.window.showQuickPick(ways, { placeHolder: "How this file is read" });
        if (way)
            await this.ask(uri, { includer: way.includer });
        await this.show();
    }

    dispose(): void {
        vscode.Disposable.from(...this.parts).dispose();
    }
}
