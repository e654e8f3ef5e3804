// lldb-dap, as it is, and between it and VS Code what lldb-dap 19 doesn't know of kernels: frames of what runs
// a block's threads aren't those that a person looks for, and a thread that `cuda thread (2,0,0)` looks
// at is where VS Code has to go.
import { ChildProcessWithoutNullStreams, spawn } from "child_process";
import * as vscode from "vscode";
import { fadeMachinery, Frame, framed, looksElsewhere, Message, MessageReader } from "./messages";
import { withoutCommand } from "./words";

/** Whether VS Code does better without an event: of threads that stop together each has one, at each VS Code forgets all
 *  stacks, and where they come close together it is left without any. lldb-dap marks all of them but one. */
function isLost({ event, body }: Message): boolean {
    return event === "stopped" && body?.["preserveFocusHint"] === true;
}

/** An lldb-dap that runs, for a session of VS Code's. */
export class LldbDap implements vscode.DebugAdapter {
    private readonly child: ChildProcessWithoutNullStreams;
    private readonly reader = new MessageReader();
    private readonly sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
    readonly onDidSendMessage = this.sent.event;
    /** VS Code's evaluations that look at another thread, by their numbers. */
    private readonly looks = new Set<number>();
    /** What is done with answers to requests that aren't VS Code's, whose numbers are below 0. */
    private readonly own = new Map<number, (answer: Message) => void>();
    private lastOwn = 0;
    /** Whether VS Code knows: what lldb-dap says as it goes is about itself alone. */
    private hasEnded = false;

    constructor(program: string) {
        this.child = spawn(program, [], { stdio: "pipe" });
        this.child.stdout.on("data", (bytes: Buffer) => {
            for (const message of this.reader.read(bytes))
                this.receive(message);
        });
        this.child.stderr.on("data", (bytes: Buffer) => this.say(bytes.toString()));
        this.child.stdin.on("error", () => undefined); // the end is told by "close"
        this.child.on("error", (error) => this.end(`${program}: ${error.message}\n`));
        this.child.on("close", (status, signal) => this.end(`${program} ended: ${signal ?? status}\n`));
    }

    handleMessage(given: vscode.DebugProtocolMessage): void {
        const message = given as vscode.DebugProtocolMessage & Message;
        const { expression, context } = message.arguments ?? {};
        if (message.command === "evaluate" && context === "repl" && looksElsewhere(expression ?? ""))
            this.looks.add(message.seq);
        this.write(message);
    }

    private write(message: object): void {
        this.child.stdin.write(framed(message));
    }

    private ask(command: string, words: object): Promise<Message> {
        const seq = --this.lastOwn;
        this.write({ seq, type: "request", command, arguments: words });
        return new Promise((resolve) => this.own.set(seq, resolve));
    }

    private receive(message: Message): void {
        const number = message.request_seq ?? 0, answer = this.own.get(number);
        if (message.type === "response" && answer) {
            this.own.delete(number);
            answer(message);
            return;
        }
        if (message.command === "stackTrace" && message.body)
            fadeMachinery(message.body["stackFrames"] as Frame[]);
        // Frames are asked for at once, since the first ones may be libgcluster's. To restart is to begin anew, with
        // a program that is compiled anew.
        if (message.command === "initialize" && message.body)
            Object.assign(message.body, { supportsDelayedStackTraceLoading: false, supportsRestartRequest: false });
        if (isLost(message) || this.hasEnded && message.event === "output")
            return;
        this.hasEnded ||= message.event === "terminated";
        this.sent.fire(message);
        if (this.looks.delete(number) && message.success)
            void this.show(withoutCommand(String(message.body?.["result"])));
    }

    // The thread that is looked at is lldb's selected one. VS Code goes where a thread stops.
    private async show(where: string): Promise<void> {
        const description = /^\[.*: (.*)\]/.exec(where)?.[1];
        if (description === undefined)
            return; // lldb has said what is wrong
        const { body } = await this.ask("evaluate", { expression: "`thread info", context: "repl" });
        const threadId = Number(/tid = (\w+)/.exec(String(body?.["result"]))?.[1]);
        if (threadId)
            this.fire("stopped", { reason: "focus", description, threadId, allThreadsStopped: true });
    }

    private fire(event: string, body: object): void {
        this.sent.fire({ seq: 0, type: "event", event, body } as vscode.DebugProtocolMessage);
    }

    private say(output: string): void {
        if (!this.hasEnded)
            this.fire("output", { category: "stderr", output });
    }

    private end(why: string): void {
        if (this.hasEnded)
            return;
        this.say(why);
        this.hasEnded = true;
        this.fire("terminated", {});
    }

    dispose(): void {
        this.child.kill();
        this.sent.dispose();
    }
}
