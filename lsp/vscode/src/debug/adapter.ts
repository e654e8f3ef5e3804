// Which debug adapter there is, and what it is given.
import * as fs from "fs";
import * as path from "path";
import * as vscode from "vscode";
import { Failure, findTool, needTool } from "../server";
import { forCppdbg, forLldb, Launch } from "./launch";

export const debugType = "gcluster";

/** lldb-dap as an absolute path, or the C/C++ extension's type of sessions. */
export function needAdapter(): string {
    const configured = vscode.workspace.getConfiguration("gcluster").get<string>("debug.adapter");
    if (configured)
        return configured;
    const found = ["lldb-dap", "lldb-dap-22", "lldb-dap-21", "lldb-dap-20", "lldb-dap-19"].map(findTool).find((tool) => tool);
    if (found)
        return found;
    if (vscode.extensions.getExtension("ms-vscode.cpptools"))
        return "cppdbg";
    throw new Failure("Debugging needs lldb-dap 19 or later on the PATH (Debian's package lldb-19), or Microsoft's " +
        "C/C++ extension and gdb.");
}

/** What the adapter is given. The debuggers' scripts come from gcluster's installation, wherever the program lies. */
export function forAdapter(launch: Launch): vscode.DebugConfiguration {
    if (needAdapter() === "cppdbg")
        return forCppdbg(launch, needTool("gcluster-gdb"));
    const tool = fs.realpathSync(needTool("gcluster-lldb"));
    return forLldb(launch, path.join(path.dirname(tool), "../share/gcluster/lldb/gcluster_lldb.py"));
}
