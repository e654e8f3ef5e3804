// gcluster in VS Code: the language server's client, and the commands around it.
import * as vscode from "vscode";
import { Checks } from "./checks/explorer";
import { Debugging } from "./debug/session";
import { focusThread } from "./debug/focus";
import { Explanations } from "./explain";
import { Includers } from "./includer";
import { Maps } from "./map";
import { Reports } from "./project";
import { Failure, language, Server } from "./server";
import { runOnNodes, Tasks } from "./tasks";
import { Traces } from "./trace";
import { Translations } from "./translated";

/** The CUDA file that commands are about. */
function activeSource(): vscode.TextEditor {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== language || editor.document.uri.scheme !== "file")
        throw new Failure("Open a CUDA source file first.");
    return editor;
}

async function attempt(run: () => unknown): Promise<void> {
    try {
        await run();
    } catch (error) {
        if (!(error instanceof Failure))
            throw error;
        void vscode.window.showErrorMessage(error.message);
    }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const server = new Server();
    const explanations = new Explanations(server);
    const includers = new Includers(server);
    const maps = new Maps(server, context.extensionUri);
    const reports = new Reports();
    const traces = new Traces(server);
    const translations = new Translations(server);
    const debugging = new Debugging(context.workspaceState);
    const commands: Record<string, (...words: never[]) => unknown> = {
        explainKernel: () => explanations.show(activeSource()),
        // From a lens, with the place that it is about; an editor's title bar gives its file alone.
        showMap: (uri?: vscode.Uri, position?: unknown) => {
            if (uri && position instanceof vscode.Position)
                return maps.show(uri, position);
            const editor = activeSource();
            return maps.show(editor.document.uri, editor.selection.active);
        },
        chooseIncluder: (uri?: vscode.Uri) => includers.choose(uri ?? activeSource().document.uri),
        showTranslated: () => translations.show(activeSource()),
        translateProject: (way?: unknown) => reports.translate(way),
        runOnNodes: (nodes?: number) => runOnNodes(activeSource().document, nodes),
        openTrace: (file?: vscode.Uri) => traces.open(file),
        closeTrace: () => traces.close(),
        debugWithArguments: () => debugging.startWithArguments(activeSource().document),
        focusThread: (given?: unknown) => focusThread(given),
        restartServer: () => server.restart(),
    };
    for (const [name, run] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(`gcluster.${name}`,
            (...words: never[]) => attempt(() => run(...words))));
    context.subscriptions.push(server, explanations, includers, maps, reports, traces, translations, debugging, new Checks(),
        vscode.tasks.registerTaskProvider("gcluster", new Tasks()),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("gcluster.server.path"))
                void attempt(() => server.restart());
        }));
    await attempt(() => server.start());
}
