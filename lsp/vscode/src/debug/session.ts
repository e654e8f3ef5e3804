// F5 on a CUDA file: it is compiled for debuggers, its arguments are asked for once, and a debug adapter that is there
// starts it. Nothing of that happens in a folder that isn't trusted.
import * as path from "path";
import * as vscode from "vscode";
import { Failure, language, mustBeTrusted } from "../server";
import { configured, folderOf } from "../tasks";
import { debugType, forAdapter, needAdapter } from "./adapter";
import { buildForDebugger, debuggedProgram } from "./build";
import { Launch } from "./launch";
import { LldbDap } from "./lldbdap";
import { Jobs } from "./nodes";
import { splitWords } from "./words";

function isSource(document: vscode.TextDocument | undefined): boolean {
    return document?.languageId === language && document.uri.scheme === "file";
}

/** Sessions of our type: what is run, and by which adapter. */
export class Debugging implements vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.Disposable {
    private readonly jobs = new Jobs();
    /** The sessions that have had an adapter already. */
    private readonly started = new Set<string>();
    private readonly parts = [this.jobs, vscode.debug.registerDebugConfigurationProvider(debugType, this),
        vscode.debug.registerDebugAdapterDescriptorFactory(debugType, this)];

    constructor(private readonly memory: vscode.Memento) {}

    provideDebugConfigurations(): vscode.DebugConfiguration[] {
        return [{ type: debugType, request: "launch", name: "CUDA file", file: "${file}" }];
    }

    /** F5 without a launch.json gives an empty one. */
    resolveDebugConfiguration(_folder: vscode.WorkspaceFolder | undefined, given: vscode.DebugConfiguration) {
        const isEmpty = !given.type && !given.request && !given.name;
        if (isEmpty && !isSource(vscode.window.activeTextEditor?.document))
            return undefined;
        const launch = { ...given, type: debugType, request: given.request ?? "launch", name: given.name ?? "CUDA file" };
        const isAboutFile = launch.request === "launch" && !given["program"] && !given["file"];
        return isAboutFile ? { ...launch, file: "${file}" } : launch;
    }

    async resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
        try {
            return await this.prepare(folder, given as Launch);
        } catch (error) {
            if (!(error instanceof Failure))
                throw error;
            void vscode.window.showErrorMessage(error.message);
            return undefined;
        }
    }

    private async prepare(folder: vscode.WorkspaceFolder | undefined, given: Launch) {
        mustBeTrusted();
        needAdapter();
        if (given["job"])
            return given; // a node's, prepared with its job
        const launch = given.request === "launch" ? await this.build(folder, given) : given;
        if (!launch)
            return undefined;
        const resolved = (launch.nodes ?? 1) > 1 ? await this.jobs.start(launch, folder) : forAdapter(launch);
        if (resolved.type === debugType)
            return resolved;
        void vscode.debug.startDebugging(folder, resolved); // by the other extension from its beginning
        return undefined;
    }

    /** With the program and its arguments; undefined where a person doesn't want to say them. */
    private async build(folder: vscode.WorkspaceFolder | undefined, given: Launch): Promise<Launch | undefined> {
        const { file } = given;
        if (!file)
            return { cwd: folder?.uri.fsPath ?? path.dirname(given.program ?? ""), ...given };
        const uri = vscode.Uri.file(file), scope = folder ?? folderOf(uri);
        if (path.extname(file) === ".cuh")
            throw new Failure(`${path.basename(file)} is included by others: start one of these, or have launch.json name it.`);
        const task = await configured(file, scope);
        const args = given.args ?? task.arguments ?? await this.argumentsOf(file);
        if (!args)
            return undefined;
        const program = given.program ?? debuggedProgram(file, task.output, scope);
        await vscode.workspace.saveAll(false);
        await buildForDebugger(file, given.flags ?? task.flags ?? [], program, scope);
        return { cwd: folder?.uri.fsPath ?? path.dirname(file), ...given, program, args };
    }

    /** Asked for the first time, and kept. */
    private async argumentsOf(file: string, isAsked = false): Promise<string[] | undefined> {
        const key = `arguments:${file}`, known = this.memory.get<string>(key);
        if (known !== undefined && !isAsked)
            return splitWords(known);
        const answer = await vscode.window.showInputBox({
            title: `Arguments of ${path.basename(file)}`,
            prompt: "Words of its command line, kept for this file. 'gcluster: Debug with Arguments…' asks again.",
            value: known ?? "",
            ignoreFocusOut: true,
        });
        if (answer === undefined)
            return undefined;
        await this.memory.update(key, answer);
        return splitWords(answer);
    }

    /** Asks for the arguments, also where they are known, and starts. */
    async startWithArguments(document: vscode.TextDocument): Promise<void> {
        mustBeTrusted();
        const file = document.uri.fsPath, args = await this.argumentsOf(file, true);
        if (args)
            await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(document.uri),
                { type: debugType, request: "launch", name: path.basename(file), file, args });
    }

    /** For a session that starts, or starts again: then what has been edited is compiled anew. */
    async createDebugAdapterDescriptor({ id, configuration, workspaceFolder }: vscode.DebugSession) {
        const launch = configuration as Launch;
        if (this.started.has(id) && launch.request === "launch")
            await this.build(workspaceFolder, launch);
        this.started.add(id);
        return new vscode.DebugAdapterInlineImplementation(new LldbDap(needAdapter()));
    }

    dispose(): void {
        vscode.Disposable.from(...this.parts).dispose();
    }
}
