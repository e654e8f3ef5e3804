// A run's trace beside the text: what each launch took, as a column of heat and in words.
import * as vscode from "vscode";
import { formatBytes, formatTime } from "./format";
import { Trace, TracedLaunch } from "./protocol";
import { Server } from "./server";

// From little to much; a scale that reads the same with any kind of colour blindness, as its steps
// grow darker, too.
const colours = ["#fde0c5", "#facba6", "#f8b58b", "#f2855d", "#eb4a40"];

function gutterIcon(colour: string): vscode.Uri {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="5" width="6" height="16" fill="${colour}"/></svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
}

function describe(launch: TracedLaunch): string {
    const share = `${(100 * launch.share).toFixed(1)} %`;
    const moved = launch.bytes > 0 ? ` · ${formatBytes(launch.bytes)} ${launch.cause}`.trimEnd() : "";
    return `${formatTime(launch.time_ns)} · ${share}${moved}`;
}

export class Traces implements vscode.Disposable {
    private trace: Trace | undefined;
    private readonly levels = colours.map((colour) => vscode.window.createTextEditorDecorationType({
        gutterIconPath: gutterIcon(colour),
        gutterIconSize: "contain",
        overviewRulerColor: colour,
        overviewRulerLane: vscode.OverviewRulerLane.Right,
        after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorCodeLens.foreground") },
    }));
    private readonly watch = vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((e) => this.paint(e)));

    constructor(private readonly server: Server) {}

    async open(given?: vscode.Uri): Promise<void> {
        const file = given ?? (await vscode.window.showOpenDialog({
            title: "A trace, as GCL_TRACE=out.json leaves it", filters: { Traces: ["json"] } }))?.[0];
        if (!file)
            return;
        const trace = await this.server.request<Trace>("gcluster/trace", { path: file.fsPath });
        await this.set(trace);
        const where = trace.launches.length === 0 ? "no launches with a source line" :
            `${trace.launches.length} lines with launches`;
        void vscode.window.setStatusBarMessage(`gcluster: ${where}, ${formatTime(trace.total_ns)}`, 5000);
    }

    async close(): Promise<void> {
        await this.set(undefined);
        await this.server.request("gcluster/trace", { path: null });
    }

    private async set(trace: Trace | undefined): Promise<void> {
        this.trace = trace;
        vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor));
        await vscode.commands.executeCommand("setContext", "gcluster.hasTrace", trace !== undefined);
    }

    private paint(editor: vscode.TextEditor): void {
        const uri = editor.document.uri.toString();
        const here = (this.trace?.launches ?? []).filter((launch) => vscode.Uri.parse(launch.uri).toString() === uri &&
            launch.line < editor.document.lineCount);
        const levelOf = (launch: TracedLaunch) =>
            Math.min(colours.length - 1, Math.floor(launch.share * colours.length));
        this.levels.forEach((level, i) => editor.setDecorations(level,
            here.filter((launch) => levelOf(launch) === i).map((launch) => ({
                range: editor.document.lineAt(launch.line).range,
                hoverMessage: `${launch.kernel}: ${launch.launches} launches, ${describe(launch)}`,
                renderOptions: { after: { contentText: describe(launch) } },
            }))));
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, ...this.levels).dispose();
    }
}
