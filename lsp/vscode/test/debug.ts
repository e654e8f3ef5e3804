// Debugging in VS Code's extension host: the real adapter, compiler and program. The editor's own state says what a
// person sees; what the adapter is asked and says is read beside it.
import * as assert from "assert";
import * as vscode from "vscode";
import { fileOf, open, until, write } from "./common";

const source = `#include <cstdio>

__global__ void sum_rows(const float *rows, float *sums, int width) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = rows[blockIdx.x * width + t];
    __syncthreads();
    for (int half = width / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

int main(int count, char **words) {
    float *rows, *sums;
    cudaMallocManaged(&rows, 4 * 16 * sizeof *rows);
    cudaMallocManaged(&sums, 4 * sizeof *sums);
    for (int i = 0; i < 64; i++)
        rows[i] = 1;
    sum_rows<<<4, 16>>>(rows, sums, 16);
    cudaDeviceSynchronize();
    printf("%d words, sum %g\\n", count, sums[3]);
}
`;

interface Event {
    session: vscode.DebugSession;
    event: string;
    body: { reason?: string, threadId?: number, category?: string, output?: string };
}

/** What adapters say, from now on. */
class Events implements vscode.Disposable {
    private readonly events: Event[] = [];
    private readonly watch = vscode.debug.registerDebugAdapterTrackerFactory("gcluster", {
        createDebugAdapterTracker: (session) => ({
            onDidSendMessage: (message: { type: string, event: string, body?: object }) => {
                if (message.type === "event")
                    this.events.push({ session, event: message.event, body: message.body ?? {} });
            },
        }),
    });

    /** The first one that is like this, which is taken away. */
    take(what: string, isIt: (event: Event) => boolean): Promise<Event> {
        return until(what, () => {
            const at = this.events.findIndex(isIt);
            return at < 0 ? undefined : this.events.splice(at, 1)[0];
        });
    }

    stop(reason: string): Promise<Event> {
        return this.take(`a stop by ${reason}`, ({ event, body }) => event === "stopped" && body.reason === reason);
    }

    dispose(): void {
        this.watch.dispose();
    }
}

/** Name and value of what the first frame of a device function holds. */
async function variables({ session, body }: Event): Promise<Record<string, string>> {
    const { stackFrames } = await session.customRequest("stackTrace", { threadId: body.threadId }) as
        { stackFrames: { id: number, presentationHint?: string }[] };
    const frame = stackFrames.find(({ presentationHint }) => presentationHint !== "subtle");
    const { scopes } = await session.customRequest("scopes", { frameId: frame?.id }) as
        { scopes: { variablesReference: number }[] };
    const found = await session.customRequest("variables", { variablesReference: scopes[0]?.variablesReference }) as
        { variables: { name: string, value: string }[] };
    return Object.fromEntries(found.variables.map(({ name, value }) => [name, value]));
}

function stand(line: number): Promise<true> {
    return until(`line ${line}`, () => vscode.window.activeTextEditor?.selection.active.line === line - 1 || undefined);
}

function breakAt(name: string, line: number, condition?: string): void {
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(fileOf(name), new vscode.Position(line - 1, 0)),
        true, condition)]);
}

async function goOn(events: Events): Promise<void> {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand("workbench.action.debug.continue");
    await events.take("the output", ({ body }) => /words, sum 16/.test(body.output ?? ""));
    await until("the end", () => vscode.debug.activeDebugSession === undefined || undefined);
}

export function debugTests(): void {
    teardown(() => vscode.debug.removeBreakpoints(vscode.debug.breakpoints));

    test("F5 compiles a file, asks for its arguments, and stops in a kernel", async () => {
        await write("rows.cu", source);
        await open("rows.cu");
        const events = new Events();
        breakAt("rows.cu", 11, "blockIdx.x == 3 && threadIdx.x == 5");
        void vscode.commands.executeCommand("workbench.action.debug.start");
        await until("the session", async () => {
            await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
            return vscode.debug.activeDebugSession;
        });
        const { threadIdx, blockIdx, t, half } = await variables(await events.stop("breakpoint"));
        assert.deepEqual([threadIdx, blockIdx, t, half], ["(5,0,0)", "(3,0,0)", "5", "8"]);
        await stand(11);
        await vscode.commands.executeCommand("gcluster.focusThread", "cuda thread (9,0,0)");
        assert.equal((await variables(await events.stop("focus")))["threadIdx"], "(9,0,0)");
        await stand(7);
        await goOn(events);
        events.dispose();
    });

    test("each node of a launch configuration has a session, arguments and environment", async () => {
        const events = new Events();
        const ended = new Promise<number | undefined>((resolve) =>
            vscode.tasks.onDidEndTaskProcess(({ exitCode }) => resolve(exitCode)));
        breakAt("rows.cu", 14, "blockIdx.x == 3");
        breakAt("rows.cu", 25);
        assert.ok(await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], { type: "gcluster", request: "launch",
            name: "two nodes", program: fileOf("rows-debug").fsPath, args: ["a", "b"], nodes: 2, env: { GCL_SPLIT: "always" } }));
        const inKernel = await events.stop("breakpoint");
        assert.equal(inKernel.session.name, "node 1"); // which has the grid's second half
        assert.equal((await variables(inKernel))["blockIdx"], "(3,0,0)");
        await inKernel.session.customRequest("continue", { threadId: inKernel.body.threadId });
        const inMain = await events.stop("breakpoint");
        assert.equal(inMain.session.name, "two nodes: node 0");
        assert.equal((await variables(inMain))["count"], "3");
        await inMain.session.customRequest("continue", { threadId: inMain.body.threadId });
        assert.equal(await ended, 0);
        await until("the end", () => vscode.debug.activeDebugSession === undefined || undefined);
        events.dispose();
    });
}
