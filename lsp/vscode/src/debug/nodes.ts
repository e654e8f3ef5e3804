// Several nodes: gcluster-run starts the program, each node waits before main() until a debugger follows it, and
// each gets a session of its own. The first one's end is the job's.
import * as fs from "fs";
import * as vscode from "vscode";
import { Failure, needTool } from "../server";
import { Scope } from "../tasks";
import { forAdapter } from "./adapter";
import { Launch } from "./launch";

const patienceMs = 20_000;

function childrenOf(pid: number): number[] {
    try {
        const own = fs.readlinkSync(`/proc/${pid}/exe`);
        return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter((word) => word).map(Number)
            .filter((child) => fs.readlinkSync(`/proc/${child}/exe`) !== own);
    } catch {
        return []; // one of them has just ended
    }
}

/** A task that has been started: its process. */
async function start(task: vscode.Task): Promise<{ execution: vscode.TaskExecution, pid: number }> {
    let watch: vscode.Disposable | undefined;
    const started = new Promise<number>((resolve) => {
        watch = vscode.tasks.onDidStartTaskProcess(({ execution, processId }) =>
            execution.task.name === task.name && resolve(processId));
    });
    try {
        const execution = await vscode.tasks.executeTask(task);
        return { execution, pid: await started };
    } finally {
        watch?.dispose();
    }
}

interface Job {
    execution: vscode.TaskExecution;
    others: vscode.DebugConfiguration[];
    folder: vscode.WorkspaceFolder | undefined;
}

export class Jobs implements vscode.Disposable {
    private readonly jobs = new Map<number, Job>();
    private readonly parts = [
        vscode.debug.onDidStartDebugSession((session) => this.follow(session)),
        vscode.debug.onDidTerminateDebugSession((session) => this.end(session)),
    ];

    /** Starts the program on its nodes, and returns what node 0's session attaches by. */
    async start(launch: Launch, folder: vscode.WorkspaceFolder | undefined): Promise<vscode.DebugConfiguration> {
        const { nodes = 1, args = [], cwd, env, file: _file, flags: _flags, preLaunchTask: _task, ...rest } = launch;
        const words = ["-n", String(nodes), launch.program ?? "", ...args];
        const scope: Scope = folder ?? vscode.TaskScope.Workspace;
        const { execution, pid } = await start(new vscode.Task({ type: "gcluster", file: launch.program, nodes }, scope,
            `${launch.name} on ${nodes} nodes`, "gcluster", new vscode.ProcessExecution(needTool("gcluster-run"), words,
                { ...(cwd ? { cwd } : {}), env: { ...env, GCL_DEBUG_ATTACH: "any" } })));
        const pids = await this.awaitNodes(pid, nodes, execution);
        const [first, ...others] = pids.map((node, i) => forAdapter({ ...rest, request: "attach", pid: node,
            name: `node ${i}`, stopOnEntry: false, job: pid }));
        this.jobs.set(pid, { execution, others, folder });
        return { ...first, name: `${launch.name}: node 0` } as vscode.DebugConfiguration;
    }

    private async awaitNodes(pid: number, count: number, execution: vscode.TaskExecution): Promise<number[]> {
        for (const end = Date.now() + patienceMs; Date.now() < end && fs.existsSync(`/proc/${pid}`);) {
            const found = childrenOf(pid);
            if (found.length === count)
                return found;
            await new Promise((wake) => setTimeout(wake, 50));
        }
        execution.terminate();
        throw new Failure("The program's nodes didn't start: the terminal has what gcluster-run says.");
    }

    private follow(session: vscode.DebugSession): void {
        const job = this.jobs.get(session.configuration["job"] as number);
        for (const other of job?.others.splice(0) ?? [])
            void vscode.debug.startDebugging(job?.folder, other, { parentSession: session, lifecycleManagedByParent: true });
    }

    private end(session: vscode.DebugSession): void {
        const number = session.configuration["job"] as number;
        if (session.parentSession)
            return;
        this.jobs.get(number)?.execution.terminate();
        this.jobs.delete(number);
    }

    dispose(): void {
        vscode.Disposable.from(...this.parts).dispose();
    }
}
