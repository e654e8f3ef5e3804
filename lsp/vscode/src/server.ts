// The language server: finding it, starting it, asking it, and saying in words what is wrong.
import * as fs from "fs";
import * as path from "path";
import * as vscode from "vscode";
import { ErrorCodes, LanguageClient, LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import { findCheck } from "./checks/source";

export const language = "cuda-cpp";

/** Something that a person should read, as it stands. */
export class Failure extends Error {}

/** The text changed before the answer came; the new one has an answer of its own. */
export class Outdated extends Failure {
    constructor() {
        super("The text changed before gcluster-lsp could answer.");
    }
}

function isExecutable(file: string): boolean {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}

/** gcluster-lsp or another program of ours: beside the server that the settings name, or else on
 *  the PATH. */
export function findTool(name: string): string | undefined {
    const server = vscode.workspace.getConfiguration("gcluster").get<string>("server.path");
    if (server && name === "gcluster-lsp")
        return isExecutable(server) ? server : undefined;
    const folders = (process.env["PATH"] ?? "").split(path.delimiter);
    const near = server ? [path.dirname(server)] : [];
    return [...near, ...folders].filter(path.isAbsolute)
        .map((folder) => path.join(folder, name)).find(isExecutable);
}

/** As findTool, or says what to install. */
export function needTool(name: string): string {
    const tool = findTool(name);
    if (!tool)
        throw new Failure(`${name} was not found on the PATH. Install gcluster, and put its bin folder on ` +
            "the PATH or set gcluster.server.path.");
    return tool;
}

/** Before anything of a folder is compiled or run. */
export function mustBeTrusted(): void {
    if (!vscode.workspace.isTrusted)
        throw new Failure("Programs of this folder are compiled and run when you trust it: 'Workspaces: Manage " +
            "Workspace Trust'.");
}

/** gcluster-lsp's conversation with this window. */
export class Server implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private readonly analysed = new vscode.EventEmitter<void>();
    /** What is known of kernels may have changed. */
    readonly onDidAnalyse = this.analysed.event;

    async start(): Promise<void> {
        const command = findTool("gcluster-lsp");
        if (!command) {
            void this.sayWhatIsMissing();
            return;
        }
        this.client = new LanguageClient("gcluster", "gcluster", { command, args: ["--stdio"] }, {
            documentSelector: [{ scheme: "file", language }],
            // Lenses are asked for again when the server has new ones.
            middleware: { provideCodeLenses: async (document, token, next) => {
                const lenses = await next(document, token);
                this.analysed.fire();
                return lenses?.map((lens) => withCommand(document, lens));
            }, provideDocumentSymbols: async (document, token, next) => {
                const symbols = await next(document, token);
                symbols?.forEach((symbol) => sayIfCheck(document, symbol));
                return symbols;
            } },
        });
        await this.client.start();
    }

    async restart(): Promise<void> {
        await this.dispose();
        await this.start();
    }

    async dispose(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        await client?.dispose();
    }

    /** Asks for `method`. Throws Outdated where a newer text makes the answer worthless, Failure
     *  with a sentence else. */
    async request<Answer>(method: string, parameters: object): Promise<Answer> {
        if (!this.client) {
            needTool("gcluster-lsp");
            throw new Failure("gcluster-lsp isn't running; 'gcluster: Restart Language Server' starts it.");
        }
        try {
            return await this.client.sendRequest<Answer>(method, parameters);
        } catch (error) {
            throw explained(error, method);
        }
    }

    private async sayWhatIsMissing(): Promise<void> {
        const setting = "gcluster.server.path";
        const configured = vscode.workspace.getConfiguration().get<string>(setting);
        const what = configured
            ? `The setting ${setting} names '${configured}', which isn't a program.`
            : "gcluster-lsp was not found on the PATH: CUDA files have colours only. Install gcluster and put its bin " +
              `folder on the PATH, or set ${setting}.`;
        const choice = await vscode.window.showErrorMessage(what, "Open Settings", "How to Install");
        if (choice === "Open Settings")
            await vscode.commands.executeCommand("workbench.action.openSettings", setting);
        else if (choice === "How to Install")
            await vscode.commands.executeCommand("workbench.action.openWalkthrough", "gcluster.gcluster#start");
    }
}

// Lenses of kernels and launches do nothing in other editors: here they open the map. The one of an
// included file takes the next includer there: here it asks which.
function withCommand(document: vscode.TextDocument, lens: vscode.CodeLens): vscode.CodeLens {
    if (lens.command?.command === "gcluster.includer")
        lens.command = { ...lens.command, command: "gcluster.chooseIncluder", arguments: [document.uri] };
    if (lens.command?.command === "")
        lens.command = { ...lens.command, command: "gcluster.showMap", tooltip: "Show the distribution map",
            arguments: [document.uri, lens.range.start] };
    return lens;
}

// The outline says of main() that it is a test, as the test explorer has it.
function sayIfCheck(document: vscode.TextDocument, symbol: vscode.DocumentSymbol | vscode.SymbolInformation): void {
    if (symbol.name === "main" && "detail" in symbol && findCheck(document.getText()))
        symbol.detail = "checks its results";
}

function explained(error: unknown, method: string): Error {
    if (!(error instanceof ResponseError))
        return new Failure(`gcluster-lsp: ${error instanceof Error ? error.message : String(error)}`);
    switch (error.code) {
    case ErrorCodes.MethodNotFound:
        return new Failure(`This gcluster-lsp is older than the extension and doesn't know ${method}. Install the two of ` +
            "the same version.");
    case LSPErrorCodes.ContentModified:
    case LSPErrorCodes.RequestCancelled:
    case LSPErrorCodes.ServerCancelled:
        return new Outdated();
    default:
        return new Failure(error.message);
    }
}
