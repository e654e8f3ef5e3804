// A launch configuration of ours, and what lldb-dap and Microsoft's C/C++ extension are given for it.
import type { DebugConfiguration } from "vscode";

/** What launch.json has, with all variables replaced. More of it goes to the adapter as it stands. */
export interface Launch extends DebugConfiguration {
    file?: string;
    flags?: string[];
    program?: string;
    args?: string[];
    cwd?: string;
    env?: Record<string, string>;
    nodes?: number;
    stopOnEntry?: boolean;
    /** Of "attach". */
    pid?: number;
}

/** For lldb-dap: the commands of gcluster-lldb come from its `script`. To nodes that have waited for a debugger pages of
 *  memory come by two signals, and what fails there stops by another one. A question mark has lldb-dap keep quiet of
 *  what goes well. */
export function forLldb(launch: Launch, script: string): DebugConfiguration {
    const commands = ["script import sys; sys.dont_write_bytecode = True",
        `command script import "${script.replace(/["\\]/g, "\\$&")}"`,
        'type summary add --summary-string "(${var.x},${var.y},${var.z})" uint3 dim3',
        ...(launch.request === "attach" ? ["process handle -p true -s false -n false SIGSEGV SIGBUS"] : [])];
    return { ...launch, initCommands: [...commands.map((command) => `?${command}`), ...(launch["initCommands"] as string[] | undefined ?? [])] };
}

/** For the C/C++ extension: `gdb` is gcluster-gdb. */
export function forCppdbg(launch: Launch, gdb: string): DebugConfiguration {
    const { args = [], env = {}, pid, stopOnEntry = false, ...rest } = launch;
    const setup = { text: "handle SIGSEGV SIGBUS nostop noprint pass" };
    const how = launch.request === "attach" ? { processId: pid, setupCommands: [setup] }
        : { args, environment: Object.entries(env).map(([name, value]) => ({ name, value })), stopAtEntry: stopOnEntry };
    return { ...rest, ...how, type: "cppdbg", MIMode: "gdb", miDebuggerPath: gdb };
}
