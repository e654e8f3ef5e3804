// What tests within VS Code's extension host need: files of the workspace, and patience.
import * as assert from "assert";
import * as vscode from "vscode";

// Long enough for a loaded machine; nothing waits so long where all is well.
export const patience = 120_000;

export async function until<Value>(what: string, look: () => Value | undefined | PromiseLike<Value | undefined>): Promise<Value> {
    const end = Date.now() + patience;
    for (;;) {
        const value = await look();
        if (value !== undefined)
            return value;
        assert.ok(Date.now() < end, `waited in vain for ${what}`);
        await new Promise((wake) => setTimeout(wake, 100));
    }
}

export function fileOf(name: string): vscode.Uri {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    return vscode.Uri.joinPath(folder.uri, name);
}

export async function open(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fileOf(name)));
}

export async function write(name: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(fileOf(name), Buffer.from(text));
}
