// A program for debuggers: what tasks.json says of compiling the file, with -g -G, beside the program that it runs.
import * as path from "path";
import * as vscode from "vscode";
import { Failure, needTool } from "../server";
import { expand, folderPath, matchers, quoted, Scope } from "../tasks";

/** Runs a task; returns its process's exit status, or undefined where it had none. */
async function run(task: vscode.Task): Promise<number | undefined> {
    const watches: vscode.Disposable[] = [];
    const ended = new Promise<number | undefined>((resolve) => {
        const isIt = (other: vscode.Task) => other.name === task.name && other.source === task.source;
        watches.push(
            vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => isIt(execution.task) && resolve(exitCode)),
            vscode.tasks.onDidEndTask(({ execution }) => isIt(execution.task) && setTimeout(resolve, 1000)));
    });
    try {
        await vscode.tasks.executeTask(task);
        return await ended;
    } finally {
        vscode.Disposable.from(...watches).dispose();
    }
}

/** Where a program for debuggers goes: beside the one that `output` names, or the file itself would have. */
export function debuggedProgram(file: string, output: string | undefined, scope: Scope): string {
    const { dir, name } = path.parse(file);
    return `${output === undefined ? path.join(dir, name) : expand(output, folderPath(scope))}-debug`;
}

/** Compiles `file` into `program`. */
export async function buildForDebugger(file: string, flags: string[], program: string, scope: Scope): Promise<void> {
    const folder = folderPath(scope), { dir, base } = path.parse(file);
    // Variables of host code that is optimised are gone.
    const all = ["-g", "-G", ...flags.filter((flag) => !/^-O/.test(flag))];
    const words = [needTool("gcluster-cc"), ...all, file, "-o", program];
    const task = new vscode.Task({ type: "gcluster", file, flags: all, output: program }, scope,
        `${base} for debugging`, "gcluster",
        new vscode.ShellExecution(words.map(quoted).join(" "), { cwd: folder || dir }), matchers);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true, showReuseMessage: false };
    if (await run(task) !== 0)
        throw new Failure(`${base} couldn't be compiled: the terminal has what gcluster-cc says.`);
}
