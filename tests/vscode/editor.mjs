// VS Code's workbench in a browser without a screen: code-server on a port of this machine, and
// Chromium. Everything that they write is in one folder, which is removed at the end.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const quiet = {
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "editor.minimap.enabled": false,
    "files.autoSave": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.commandCenter.enabled": false,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": false,
    "extensions.autoCheckUpdates": false,
    "update.mode": "none",
    "git.enabled": false,
};

// Chromium says where it would like to send things; none of it is needed.
const browserOptions = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion"];

function startServer({ build, state, workspace, tools, settings, isTrusted }) {
    const server = path.join(build, "editor/node_modules/code-server");
    const trust = { "security.workspace.trust.enabled": !isTrusted, "security.workspace.trust.startupPrompt": "never" };
    for (const [whose, values] of [["User", { ...quiet, ...trust }], ["Machine", settings]]) {
        const folder = path.join(state, "data", whose);
        fs.mkdirSync(folder, { recursive: true });
        fs.writeFileSync(path.join(folder, "settings.json"), JSON.stringify(values));
    }
    // The extension host has the environment of a login shell.
    fs.writeFileSync(path.join(state, ".profile"), `export PATH="${tools}:$PATH"\n`);
    const environment = { ...process.env, SHELL: "/bin/bash", HOME: state,
        XDG_CONFIG_HOME: path.join(state, "config"), XDG_DATA_HOME: path.join(state, "share"),
        XDG_CACHE_HOME: path.join(state, "cache"), EXTENSIONS_GALLERY: '{"serviceUrl":""}',
        LSAN_OPTIONS: "detect_leaks=0" };
    const options = ["--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check",
        ...(isTrusted ? ["--disable-workspace-trust"] : []), "--user-data-dir", path.join(state, "data"),
        "--extensions-dir", path.join(state, "extensions")];
    const child = spawn(process.execPath, [path.join(server, "out/node/entry.js"), ...options, workspace],
        { env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    return new Promise((resolve, reject) => {
        let log = "";
        const read = (chunk) => {
            log += chunk;
            const url = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1];
            if (url)
                resolve({ child, url });
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        child.on("exit", () => reject(new Error(`code-server ended:\n${log}`)));
    });
}

/**
 * Opens `workspace`, a copy of it, in a workbench with the extension in `extension`; its processes
 * find `tools` on the PATH. `settings` are the machine's, `files` are open; nobody has trusted the folder
 * unless `isTrusted`. `tests` is a module whose run() is called in the extension host. Calls
 * `use({page, ended, folder})`, where `ended` resolves to the tests' exit status.
 */
export async function withEditor({ build, workspace, extension, tools, tests, files = [], settings = {},
    isTrusted = true }, use) {
    const { chromium } = createRequire(path.join(build, "editor/package.json"))("playwright-core");
    const state = fs.mkdtempSync(path.join(os.tmpdir(), "gcluster-vscode-"));
    const folder = path.join(state, "workspace");
    fs.cpSync(workspace, folder, { recursive: true, dereference: true });
    const { child, url } = await startServer({ build, state, workspace: folder, tools, settings, isTrusted });
    let browser;
    try {
        browser = await chromium.launchPersistentContext(path.join(state, "browser"), { executablePath: "/usr/bin/chromium",
            headless: true, viewport: { width: 1280, height: 800 }, args: browserOptions });
        const page = browser.pages()[0] ?? await browser.newPage();
        let end;
        const ended = new Promise((resolve) => end = resolve);
        // The tests' report is indented, what else the window has to say isn't.
        await page.exposeFunction("codeAutomationLog", (type, words) => {
            if (/^\s\s/.test(words[0]))
                console.log(...words);
        });
        await page.exposeFunction("codeAutomationExit", end);
        const remote = (file) => `vscode-remote://${new URL(url).host}${file}`;
        const payload = [["extensionDevelopmentPath", remote(extension)], ["skipWelcome", "true"],
            ["skipReleaseNotes", "true"], ...(tests ? [["extensionTestsPath", remote(tests)]] : []),
            ...files.map((file) => ["openFile", remote(path.join(folder, file))])];
        await page.goto(`${url}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
            { timeout: 120_000 });
        await use({ page, ended, folder });
    } finally {
        await browser?.close();
        process.kill(-child.pid);
        await new Promise((done) => child.exitCode !== null || child.signalCode !== null ? done() : child.on("exit", done));
        fs.rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
}
