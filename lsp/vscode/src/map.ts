// The distribution map: a panel that draws how the kernel under the cursor spreads over nodes.
import { randomBytes } from "crypto";
import * as vscode from "vscode";
import { drawMap, drawMapForFile } from "./draw";
import { placeOf } from "./explain";
import { later } from "./later";
import { Choices, DistributionMap } from "./protocol";
import { Failure, language, Outdated, Server } from "./server";

/** What the panel's page says to us. */
export type FromPage = { type: "ready" | "export" | "reset" } | { type: "choose"; choices: Choices };

/** What we say to the page. */
export type ToPage = { type: "map"; map: DistributionMap; choices: Choices; svg: string } | { type: "words"; text: string };

interface Spot {
    uri: vscode.Uri;
    position: vscode.Position;
}

// Where `position` is after an edit of other lines.
function moved(position: vscode.Position, change: vscode.TextDocumentContentChangeEvent): vscode.Position {
    const { start, end } = change.range;
    if (end.line >= position.line)
        return position;
    const added = change.text.split("\n").length - 1;
    return position.with(position.line + added - (end.line - start.line));
}

export class Maps implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private shown: (Spot & { map?: DistributionMap }) | undefined;
    /** Where the cursor has gone: it is drawn if there is a kernel. */
    private candidate: Spot | undefined;
    private readonly choices = new Map<string, Choices>();
    private asked = 0;
    private readonly follow = later(200, () => void this.refresh());
    private readonly watch: vscode.Disposable;

    constructor(private readonly server: Server, private readonly extension: vscode.Uri) {
        this.watch = vscode.Disposable.from(
            server.onDidAnalyse(() => this.follow.run()),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.followCursor(textEditor)),
            vscode.workspace.onDidChangeTextDocument((event) => this.followText(event)),
            vscode.workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration("gcluster.nodes"))
                    this.follow.run();
            }));
    }

    /** Draws the kernel at `position`, and follows cursor and edits from then on. */
    async show(uri: vscode.Uri, position: vscode.Position): Promise<void> {
        this.shown = { uri, position };
        if (this.panel)
            this.panel.reveal(undefined, true);
        else
            this.openPanel();
        await this.refresh();
    }

    private openPanel(): void {
        const panel = vscode.window.createWebviewPanel("gcluster.map", "Distribution Map",
            { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
            { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist")] });
        panel.onDidDispose(() => {
            this.panel = undefined;
            this.shown = undefined;
        });
        panel.webview.onDidReceiveMessage((message: FromPage) => void this.hear(message));
        panel.webview.html = this.page(panel.webview);
        this.panel = panel;
    }

    private followCursor({ document, selection }: vscode.TextEditor): void {
        if (!this.panel || document.languageId !== language || document.uri.scheme !== "file")
            return;
        this.candidate = { uri: document.uri, position: selection.active };
        this.follow.run();
    }

    private followText({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
        if (!this.panel || this.shown?.uri.toString() !== document.uri.toString())
            return;
        for (const change of contentChanges)
            this.shown.position = moved(this.shown.position, change);
        this.follow.run();
    }

    private async hear(message: FromPage): Promise<void> {
        const map = this.shown?.map;
        if (message.type === "export")
            await this.export();
        else if (message.type === "choose" && map)
            this.choices.set(map.kernel, message.choices);
        else if (message.type === "reset" && map)
            this.choices.delete(map.kernel);
        if (message.type !== "export")
            await this.refresh();
    }

    private async export(): Promise<void> {
        if (!this.shown?.map)
            return;
        const name = `${this.shown.map.kernel.replace(/\W+/g, "_")}.svg`;
        const file = await vscode.window.showSaveDialog({ title: "Export the distribution map",
            defaultUri: vscode.Uri.joinPath(this.shown.uri, "..", name), filters: { SVG: ["svg"] } });
        if (file)
            await vscode.workspace.fs.writeFile(file, Buffer.from(drawMapForFile(this.shown.map)));
    }

    private async refresh(): Promise<void> {
        if (!this.panel || !this.shown)
            return;
        const mine = ++this.asked;
        const words = await this.find().catch((error: unknown) => {
            if (error instanceof Outdated)
                return undefined;
            if (error instanceof Failure)
                return error.message;
            throw error;
        });
        if (mine !== this.asked || !this.panel)
            return;
        const { map } = this.shown ?? {};
        const say = (message: ToPage) => void this.panel?.webview.postMessage(message);
        if (words)
            say({ type: "words", text: words });
        else if (map)
            say({ type: "map", map, choices: this.choices.get(map.kernel) ?? {}, svg: drawMap(map) });
    }

    // Sets what is shown. Returns what to say where there is no map.
    private async find(): Promise<string | undefined> {
        const candidate = this.candidate;
        this.candidate = undefined;
        if (candidate && await this.ask(candidate))
            return undefined;
        if (this.shown && await this.ask(this.shown))
            return undefined;
        return "No kernel here: put the cursor on a kernel's definition or on a launch.";
    }

    private async ask(place: Spot): Promise<boolean> {
        const nodes = vscode.workspace.getConfiguration("gcluster", place.uri).get<number>("nodes", 4);
        const request = (choices: Choices) => this.server.request<DistributionMap | null>("gcluster/map",
            { ...placeOf(place.uri, place.position), nodes, ...choices });
        let map = await request({});
        const choices = map && this.choices.get(map.kernel);
        if (choices)
            map = await request(choices);
        if (map)
            this.shown = { ...place, map };
        return map !== null;
    }

    private page(webview: vscode.Webview): string {
        const script = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "webview.js"));
        const nonce = randomBytes(16).toString("hex");
        return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>
body { padding: 8px 12px }
form { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: end; margin-bottom: 8px }
label { display: flex; flex-direction: column; font-size: 11px }
input { width: 6.5em; font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)) }
input.guessed { font-style: italic; border-style: dashed; border-color: var(--vscode-descriptionForeground) }
button { font: inherit; padding: 3px 9px; border: 0; color: var(--vscode-button-foreground); background: var(--vscode-button-background) }
:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px }
svg { display: block; width: 100%; max-width: 1100px }
svg.picked g[data-node]:not(.picked) { opacity: 0.15 }
#words:empty { display: none }
#words { padding: 6px 0 }
details { margin: 4px 0 }
</style>
</head>
<body>
<form id="form" aria-label="Launch size"></form>
<div id="words" role="status"></div>
<div id="picture"></div>
<div id="reasons"></div>
<script nonce="${nonce}" src="${script.toString()}"></script>
</body>
</html>`;
    }

    dispose(): void {
        this.follow.dispose();
        this.watch.dispose();
        this.panel?.dispose();
    }
}
