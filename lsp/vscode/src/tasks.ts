// Compiling a file and running it on several nodes, as a task.
import * as path from "path";
import * as vscode from "vscode";
import { Failure, findTool, language, mustBeTrusted, needTool } from "./server";

/** A task of ours, as tasks.json has it. */
export interface Definition extends vscode.TaskDefinition {
    file: string;
    nodes?: number;
    flags?: string[];
    output?: string;
    arguments?: string[];
}

export type Scope = vscode.WorkspaceFolder | vscode.TaskScope;

export function folderPath(scope: Scope): string {
    return typeof scope === "object" ? scope.uri.fsPath : "";
}

/** A word as a shell has to be given it. */
export function quoted(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path in which the two variables that files are named by stand for what they name: VS Code leaves them alone in
 *  tasks of extensions. */
export function expand(name: string, folder: string): string {
    const active = vscode.window.activeTextEditor?.document.uri.fsPath;
    if (name.includes("${file}") && !active)
        throw new Failure("The task is about the active file, and there is none.");
    return path.resolve(folder, name.replaceAll("${file}", active ?? "").replaceAll("${workspaceFolder}", folder));
}

// $gcluster has VS Code look on disk what a path is relative to. It stops listening a tenth of a second after a
// process has ended, and on a busy machine looking takes longer: the last problems were lost. These don't look.
export const matchers = ["$gcluster-absolute", "$gcluster-relative"];

function task(definition: Definition, scope: Scope): vscode.Task {
    mustBeTrusted();
    const folder = folderPath(scope);
    const file = expand(definition.file, folder);
    const nodes = definition.nodes ?? vscode.workspace.getConfiguration("gcluster").get<number>("nodes", 4);
    const { dir, name } = path.parse(file);
    const program = expand(definition.output ?? path.join(dir, name), folder);
    if (program === file)
        throw new Failure(`The program would replace ${file}: say with "output" where it goes.`);
    const compile = [needTool("gcluster-cc"), ...(definition.flags ?? ["-O2"]), file, "-o", program];
    const run = [needTool("gcluster-run"), "-n", String(nodes), program, ...(definition.arguments ?? [])];
    const line = [compile, run].map((words) => words.map(quoted).join(" ")).join(" && ");
    const title = `${path.basename(file)} on ${nodes} ${nodes === 1 ? "node" : "nodes"}`;
    return new vscode.Task(definition, scope, title, "gcluster",
        new vscode.ShellExecution(line, { cwd: folder || dir }), matchers);
}

/** "Run Task" offers the file in front; tasks.json may have others. */
export class Tasks implements vscode.TaskProvider {
    provideTasks(): vscode.Task[] {
        const document = vscode.window.activeTextEditor?.document;
        if (document?.languageId !== language || document.uri.scheme !== "file" || !findTool("gcluster-cc"))
            return [];
        return [task({ type: "gcluster", file: document.uri.fsPath }, folderOf(document.uri))];
    }

    resolveTask(given: vscode.Task): vscode.Task {
        const definition = given.definition as Definition;
        return task(definition, given.scope ?? vscode.TaskScope.Workspace);
    }
}

/** Whose tasks a file's are. */
export function folderOf(uri: vscode.Uri): Scope {
    return vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace;
}

async function askForNodes(): Promise<number | undefined> {
    const answer = await vscode.window.showInputBox({
        title: "Run on nodes",
        prompt: "The number of processes of this machine that run the program together",
        value: String(vscode.workspace.getConfiguration("gcluster").get<number>("nodes", 4)),
        validateInput: (text) => /^[1-9]\d{0,3}$/.test(text) ? undefined : "A number from 1 to 9999",
    });
    return answer === undefined ? undefined : Number(answer);
}

/** What tasks.json says of compiling and running a file, where it has a task for it. */
export async function configured(file: string, scope: Scope): Promise<Partial<Definition>> {
    const folder = folderPath(scope);
    const all = (await vscode.tasks.fetchTasks({ type: "gcluster" })).map(({ definition }) => definition as Definition);
    const own = all.filter((definition) => expand(definition.file, folder) === file);
    return own.find(({ flags, output, arguments: words }) => flags ?? output ?? words) ?? {};
}

/** Asks for the number of nodes where none is given. */
export async function runOnNodes(document: vscode.TextDocument, given?: number): Promise<void> {
    const nodes = typeof given === "number" ? given : await askForNodes();
    if (nodes === undefined)
        return;
    if (document.isDirty && !await document.save())
        throw new Failure(`${document.fileName} couldn't be saved.`);
    const file = document.uri.fsPath, scope = folderOf(document.uri);
    await vscode.tasks.executeTask(task({ ...await configured(file, scope), type: "gcluster", file, nodes }, scope));
}
