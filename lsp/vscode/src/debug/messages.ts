// Messages of the debug adapter protocol, as lldb-dap writes them, and what in them is about kernels.

export interface Message {
    seq: number;
    type: "request" | "response" | "event";
    command?: string;
    event?: string;
    request_seq?: number;
    success?: boolean;
    arguments?: { expression?: string, context?: string };
    body?: Record<string, unknown>;
}

/** One of a stack, innermost first. */
export interface Frame {
    name: string;
    presentationHint?: string;
    source?: { presentationHint?: string };
}

/** Takes messages out of bytes that come in any pieces: a head with the length, and JSON. */
export class MessageReader {
    private rest = Buffer.alloc(0);

    read(bytes: Buffer): Message[] {
        const messages: Message[] = [];
        this.rest = Buffer.concat([this.rest, bytes]);
        for (;;) {
            const end = this.rest.indexOf("\r\n\r\n");
            const size = /Content-Length: *(\d+)/i.exec(this.rest.toString("latin1", 0, Math.max(end, 0)))?.[1];
            if (!size || this.rest.length < end + 4 + Number(size))
                return messages;
            messages.push(JSON.parse(this.rest.toString("utf8", end + 4, end + 4 + Number(size))) as Message);
            this.rest = this.rest.subarray(end + 4 + Number(size));
        }
    }
}

/** A message with its head. */
export function framed(message: object): string {
    const text = JSON.stringify(message);
    return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Takes back frames that are libgcluster's: up to the last of its functions that a device function has called, and
 *  from the one on that calls a block's threads. VS Code goes to the first frame that is left. */
export function fadeMachinery(frames: Frame[]): void {
    const outer = frames.findIndex(({ name }) => name.startsWith("gcl.thread."));
    if (outer < 0)
        return;
    const inner = frames.slice(0, outer).map(({ name }) => name.startsWith("gcl_")).lastIndexOf(true);
    frames.forEach((frame, i) => {
        if (i > inner && i < outer)
            return;
        frame.presentationHint = "subtle";
        frame.source = { ...frame.source, presentationHint: "deemphasize" };
    });
}

/** Whether words for the debugger look at another thread. In front of them may be lldb-dap's mark of commands. */
export function looksElsewhere(expression: string): boolean {
    return /^`?\s*cuda\s+(block|thread)\b/.test(expression);
}
