// Translating a whole project, and the page of what became of it beside the code.
import { execFile } from "child_process";
import * as fs from "fs/promises";
import * as os from "os";
import * as path from "path";
import * as vscode from "vscode";
import { Failure, needTool } from "./server";

/** What becomes of a translation: a report alone, or a folder beside the project's. */
export type Way = "examine" | "write";

interface Result {
    status: number;
    errors: string;
}

// What gcluster-translate ends with. It isn't given to a shell: names of folders are words as they stand.
function runTool(tool: string, words: string[], folder: string, token: vscode.CancellationToken): Promise<Result> {
    return new Promise((resolve, reject) => {
        const child = execFile(tool, words, { cwd: folder, maxBuffer: 1 << 26 }, (error, _output, errors) => {
            if (token.isCancellationRequested)
                reject(new vscode.CancellationError());
            else if (error && typeof error.code !== "number")
                reject(new Failure(`gcluster-translate: ${error.message}`));
            else
                resolve({ status: error ? Number(error.code) : 0, errors });
        });
        token.onCancellationRequested(() => child.kill("SIGINT"));
    });
}

async function pickFolder(): Promise<vscode.WorkspaceFolder> {
    const document = vscode.window.activeTextEditor?.document;
    const own = document && vscode.workspace.getWorkspaceFolder(document.uri);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder = own ?? (folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0]);
    if (!folder)
        throw new Failure("Open the project's folder first.");
    return folder;
}

async function askForWay(output: string): Promise<Way | undefined> {
    const items: (vscode.QuickPickItem & { way: Way })[] = [
        { label: "Report only", detail: "Say what a translation would be like, and write nothing", way: "examine" },
        { label: "Translate", detail: `Write the translation to ${output}`, way: "write" },
    ];
    return (await vscode.window.showQuickPick(items, { title: "Translate project" }))?.way;
}

/** The panel with the last report. The page has no scripts, and gets none. */
export class Reports implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;

    /** Translates the project of the file in front, asking how where it isn't given. */
    async translate(given?: unknown): Promise<void> {
        const tool = needTool("gcluster-translate");
        const folder = (await pickFolder()).uri.fsPath, output = `${folder}-gcluster`;
        const way = given === "examine" || given === "write" ? given : await askForWay(output);
        if (!way)
            return;
        await vscode.workspace.saveAll(false);
        const scratch = await fs.mkdtemp(path.join(os.tmpdir(), "gcluster-report-"));
        const page = path.join(scratch, "report.html");
        const words = ["--in-root", folder, "--report", page,
            ...(way === "examine" ? ["--examine"] : ["--out-root", output])];
        try {
            const { status, errors } = await vscode.window.withProgress(
                { location: vscode.ProgressLocation.Notification, title: `Translating ${path.basename(folder)}`,
                    cancellable: true },
                (_progress, token) => runTool(tool, words, folder, token));
            const text = await fs.readFile(page, "utf8").catch(() => "");
            if (text === "")
                throw new Failure(errors.trim() || `gcluster-translate ended with status ${status}.`);
            this.show(text, path.basename(folder));
        } catch (error) {
            if (!(error instanceof vscode.CancellationError))
                throw error;
        } finally {
            await fs.rm(scratch, { recursive: true, force: true });
        }
    }

    private show(text: string, name: string): void {
        this.panel ??= this.open();
        this.panel.title = `${name} on gcluster`;
        this.panel.webview.html = text;
        this.panel.reveal(undefined, true);
    }

    private open(): vscode.WebviewPanel {
        const panel = vscode.window.createWebviewPanel("gcluster.report", "gcluster",
            { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true, localResourceRoots: [] });
        panel.onDidDispose(() => this.panel = undefined);
        return panel;
    }

    dispose(): void {
        this.panel?.dispose();
    }
}
