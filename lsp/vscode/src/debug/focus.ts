// Choosing which thread of which block is looked at. The debugger's own commands do it, those of gcluster-gdb and
// gcluster-lldb; here is what they are chosen by.
import * as vscode from "vscode";
import { Failure } from "../server";
import { Place, placesOfBlocks, placesOfThreads, placeTyped, withoutCommand } from "./words";

/** Has the debugger do a command of its own, and returns what it says. */
async function tell(session: vscode.DebugSession, command: string): Promise<string> {
    const expression = session.type === "cppdbg" ? `-exec ${command}` : `\`${command}`;
    try {
        const answer = await session.customRequest("evaluate", { expression, context: "repl" }) as { result: string };
        return withoutCommand(answer.result);
    } catch (error) {
        throw new Failure(error instanceof Error ? error.message : String(error));
    }
}

interface Choice extends vscode.QuickPickItem {
    command: string;
}

function choiceOf({ command, label, state }: Place, alwaysShow = false): Choice {
    return { command, label, description: state, alwaysShow };
}

function choose(places: Place[]): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick<Choice>();
    const known = places.map((place) => choiceOf(place));
    pick.title = "Focus block and thread";
    pick.placeholder = "2,0,0 is a thread of this block; 3,0,0 2,0,0 a block and a thread";
    pick.items = known;
    pick.onDidChangeValue((text) => {
        const typed = placeTyped(text);
        pick.items = typed ? [choiceOf(typed, true), ...known] : known;
    });
    return new Promise((resolve) => {
        pick.onDidAccept(() => {
            resolve(pick.selectedItems[0]?.command);
            pick.hide();
        });
        pick.onDidHide(() => {
            resolve(undefined);
            pick.dispose();
        });
        pick.show();
    });
}

// Of what stands still now.
async function ask(session: vscode.DebugSession): Promise<string | undefined> {
    const blocks = placesOfBlocks(await tell(session, "info cuda blocks"));
    const threads = placesOfThreads(await tell(session, "info cuda threads"));
    if (blocks.length + threads.length === 0)
        throw new Failure("No kernel that gcluster-cc -G has compiled runs now.");
    return choose([...threads, ...blocks]);
}

/** Asks which thread is to be looked at, unless a command such as `cuda thread (2,0,0)` is given, and goes there. */
export async function focusThread(given?: unknown): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (!session)
        throw new Failure("Nothing is debugged now.");
    const command = typeof given === "string" ? given : await ask(session);
    const answer = command === undefined ? "[]" : await tell(session, command);
    if (!answer.startsWith("["))
        throw new Failure(answer);
}
