// The whole explanation of a kernel, as a page beside the text.
import * as vscode from "vscode";
import { Explanation, Place } from "./protocol";
import { Failure, Server } from "./server";

const scheme = "gcluster-explain";

/** Where in a document, as requests say it. */
export function placeOf(uri: vscode.Uri, position: vscode.Position): Place {
    return { textDocument: { uri: uri.toString() },
        position: { line: position.line, character: position.character } };
}

export class Explanations implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
    readonly onDidChange = this.changed.event;

    constructor(private readonly server: Server) {}

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "";
    }

    async show(editor: vscode.TextEditor): Promise<void> {
        const found = await this.server.request<Explanation | null>("gcluster/explain",
            placeOf(editor.document.uri, editor.selection.active));
        if (!found)
            throw new Failure("No kernel here: put the cursor on a kernel's definition or on a launch.");
        const uri = vscode.Uri.from({ scheme, path: `/${found.title}.md` });
        this.texts.set(uri.toString(), `# ${found.title}\n\n${found.markdown}`);
        this.changed.fire(uri);
        await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    }

    dispose(): void {
        this.registration.dispose();
        this.changed.dispose();
    }
}
