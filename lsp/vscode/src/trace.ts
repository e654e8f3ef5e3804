// A run's trace beside the text: a column of heat in the margin, where the run's time went. The server's
// lenses over the same launches have the figures.
import * as path from "path";
import * as vscode from "vscode";
import { formatBytes, formatTime } from "./format";
import { later } from "./later";
import { Trace, TracedKernel, TracedLaunch } from "./protocol";
import { language, Server } from "./server";

// From little to what took longest; a scale that reads the same with any kind of colour blindness, as its steps
// grow darker, too.
const colours = ["#fde0c5", "#facba6", "#f8b58b", "#f2855d", "#eb4a40"];

function gutterIcon(colour: string): vscode.Uri {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="5" width="6" height="16" fill="${colour}"/></svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
}

function describe(launch: TracedLaunch): string {
    const share = `${(100 * launch.share).toFixed(1)} %`;
    const moved = launch.bytes > 0 ? ` · ${formatBytes(launch.bytes)} moved${launch.cause ? ` (${launch.cause})` : ""}` : "";
    const count = launch.launches === 1 ? "once" : `${launch.launches} times`;
    const found = { line: "", order: " · by the order of launches: lines have changed", name: " · all launches of it" };
    return `${launch.kernel} ran ${count}, ${formatTime(launch.time_ns)} · ${share}${moved}${found[launch.by]}`;
}

function hottest<Part extends TracedKernel>(parts: Part[]): Part | undefined {
    return parts.reduce<Part | undefined>((best, part) => best && best.time_ns >= part.time_ns ? best : part, undefined);
}

// A file that the compiler was given, from whatever folder.
async function findSource(file: string): Promise<vscode.Uri | undefined> {
    const tail = path.resolve("/", file);
    const found = await vscode.workspace.findFiles(`**/${path.basename(file)}`);
    return found.find(({ fsPath }) => fsPath.endsWith(tail));
}

/** Where most of the time went: the line from 0. */
async function hottestLine(trace: Trace): Promise<{ uri: vscode.Uri, line: number } | undefined> {
    const launch = hottest(trace.launches);
    if (launch)
        return { uri: vscode.Uri.parse(launch.uri), line: launch.line };
    const place = hottest(trace.kernels.flatMap(({ places }) => places));
    const uri = place && await findSource(place.file);
    return uri && { uri, line: place.line - 1 };
}

export class Traces implements vscode.Disposable {
    private trace: Trace | undefined;
    private readonly levels = colours.map((colour) => vscode.window.createTextEditorDecorationType({
        gutterIconPath: gutterIcon(colour),
        gutterIconSize: "contain",
        overviewRulerColor: colour,
        overviewRulerLane: vscode.OverviewRulerLane.Right,
    }));
    /** The trace that is shown. */
    private path: string | undefined;
    private readonly again = later(500, () => void this.load().catch(() => undefined));
    private readonly watch: vscode.Disposable;

    constructor(private readonly server: Server) {
        this.watch = vscode.Disposable.from(this.again,
            vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.paint(editor))),
            vscode.workspace.onDidOpenTextDocument((document) => {
                if (this.path && document.languageId === language)
                    this.again.run(); // launches are those of open files
            }));
    }

    async open(given?: vscode.Uri): Promise<void> {
        const file = given ?? (await vscode.window.showOpenDialog({
            title: "A trace, as GCL_TRACE=out.json leaves it", filters: { Traces: ["json"] } }))?.[0];
        if (!file)
            return;
        this.path = file.fsPath;
        const trace = await this.load();
        if (!vscode.window.visibleTextEditors.some((editor) => this.launchesIn(editor).length > 0))
            await this.reveal(trace);
    }

    private async reveal(trace: Trace): Promise<void> {
        const place = await hottestLine(trace);
        if (place) {
            const start = new vscode.Position(place.line, 0);
            await vscode.window.showTextDocument(place.uri, { selection: new vscode.Range(start, start) });
        } else
            void vscode.window.showWarningMessage("No open file has launches of this trace. It has " +
                `${trace.kernels.map(({ kernel }) => kernel).join(", ")}.`);
    }

    private async load(): Promise<Trace> {
        const trace = await this.server.request<Trace>("gcluster/trace", { path: this.path });
        await this.set(trace);
        return trace;
    }

    async close(): Promise<void> {
        this.path = undefined;
        await this.set(undefined);
        await this.server.request("gcluster/trace", { path: null });
    }

    private async set(trace: Trace | undefined): Promise<void> {
        this.trace = trace;
        vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor));
        await vscode.commands.executeCommand("setContext", "gcluster.hasTrace", trace !== undefined);
    }

    private launchesIn({ document }: vscode.TextEditor): TracedLaunch[] {
        return (this.trace?.launches ?? []).filter(({ uri, line }) => line < document.lineCount &&
            vscode.Uri.parse(uri).toString() === document.uri.toString());
    }

    private paint(editor: vscode.TextEditor): void {
        const here = this.launchesIn(editor);
        const most = Math.max(...(this.trace?.launches ?? []).map((launch) => launch.time_ns));
        const levelOf = (launch: TracedLaunch) => Math.ceil((colours.length - 1) * launch.time_ns / Math.max(1, most));
        this.levels.forEach((level, i) => editor.setDecorations(level,
            here.filter((launch) => levelOf(launch) === i).map((launch) => ({
                range: editor.document.lineAt(launch.line).range,
                hoverMessage: describe(launch),
            }))));
    }

    dispose(): void {
        vscode.Disposable.from(this.watch, ...this.levels).dispose();
    }
}
