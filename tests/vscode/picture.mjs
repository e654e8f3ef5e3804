// Uses the extension as a person does, with mouse and keyboard, and leaves pictures of the window:
//
//     node picture.mjs BUILD TOOLS WORKSPACE
//
// The workspace is examples; BUILD/pictures has the pictures, BUILD/picture-failed.png the window
// where something wasn't as it should be.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { withEditor } from "./editor.mjs";

const [build, tools, workspace] = process.argv.slice(2).map((word) => path.resolve(word));
const pictures = path.join(build, "pictures");
const patience = 120_000;

/** Runs a command; what it asks, if it asks, comes in the widget that the command was chosen in. */
async function command(page, title) {
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input").fill(`>${title}`);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction((words) => {
        const input = document.querySelector(".quick-input-widget input");
        return !input.checkVisibility() || input.value !== words;
    }, `>${title}`);
}

async function goTo(page, line) {
    await page.keyboard.press("Control+G");
    await page.locator(".quick-input-widget input").fill(`:${line}`);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

async function addLine(page, after, text) {
    await goTo(page, `${after}:200`);
    await page.keyboard.press("Enter");
    await page.keyboard.insertText(text);
}

/** The frame of the map's page. */
async function mapFrame(page) {
    for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(100)) {
        for (const frame of page.frames()) {
            if (await frame.locator("#picture svg").count().catch(() => 0) > 0)
                return frame;
        }
    }
    throw new Error("the map's page has no picture");
}

async function shoot(page, name) {
    fs.mkdirSync(pictures, { recursive: true });
    await page.waitForTimeout(500); // what fades in is there by then, for the picture's sake
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

// Lenses, a hover and an error.
async function look(page) {
    const editor = page.locator(".monaco-editor").first();
    await editor.locator(".codelens-decoration", { hasText: "splits along y" }).waitFor();
    await command(page, "View: Close Primary Side Bar");
    await goTo(page, "58:11");
    await editor.locator(".codelens-decoration", { hasText: "4 nodes" }).waitFor();
    await addLine(page, 23, "int z = blockIdx.z + ofset;");
    await editor.locator(".squiggly-error").first().waitFor();
    await goTo(page, "21:19");
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    await page.locator(".monaco-hover:visible", { hasText: "splits along y" }).first().waitFor();
    await shoot(page, "editor");
    await page.keyboard.press("Escape");
    await command(page, "File: Revert File");
    await editor.locator(".squiggly-error").first().waitFor({ state: "detached" });
}

// The map: drawn, followed, chosen in, and used by keyboard.
async function map(page, folder) {
    await page.locator(".codelens-decoration a", { hasText: "splits along y" }).click();
    const frame = await mapFrame(page);
    const says = (words) => frame.locator("#picture", { hasText: words }).waitFor();
    await says("step: splits along y, 4 nodes");
    await says("halo 1 row");
    await shoot(page, "map");

    await frame.locator("input[name=nodes]").fill("3");
    await frame.locator("input[name=nodes]").press("Enter");
    await says("step: splits along y, 3 nodes");

    await frame.locator("[data-key='0']").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.equal(await frame.locator("[data-key='1']").getAttribute("aria-pressed"), "true");
    assert.ok(await frame.locator("g[data-node='1'].picked").count() > 0);
    await page.keyboard.press("Escape");

    await frame.locator("button", { hasText: "Export SVG" }).click();
    const name = page.locator(".quick-input-widget input");
    for (const end = Date.now() + patience; !/step\.svg$/.test(await name.inputValue()) && Date.now() < end;)
        await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await name.waitFor({ state: "hidden" });
    const file = path.join(folder, "step.svg");
    for (const end = Date.now() + patience; !fs.existsSync(file) && Date.now() < end;)
        await page.waitForTimeout(100);
    assert.match(fs.readFileSync(file, "utf8"), /^<svg .*3 nodes.*<\/svg>$/s);

    await page.locator(".monaco-editor").first().click();
    await addLine(page, 25, "if (y > 1) next[y * size + x] = now[(y - 2) * size + x];");
    await says("rows y-2");
    await command(page, "File: Revert File");
    await says("rows y-1");
}

// Where the time of a run went, in the margin and over the launch.
async function trace(page, folder) {
    const run = (name, words, more) => execFileSync(path.join(tools, name), words, { cwd: folder,
        env: { ...process.env, LSAN_OPTIONS: "detect_leaks=0", ...more } });
    run("gcluster-cc", ["-O2", "heat2d.cu", "-lpng", "-o", "heat2d"]);
    run("gcluster-run", ["-n", "2", "./heat2d", "64", "20"],
        { GCL_SPLIT: "always", GCL_TRACE: "trace.json" });
    await page.locator(".monaco-editor").first().click();
    await goTo(page, "58:11");
    await command(page, "gcluster: Open Trace");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "trace.json" }).click();
    await page.locator(".codelens-decoration", { hasText: "ran 20 times" }).waitFor();
    await page.locator(".glyph-margin-widgets .cgmr").first().waitFor();
    await shoot(page, "trace");
    await command(page, "gcluster: Close Trace");
    await page.locator(".glyph-margin-widgets .cgmr").first().waitFor({ state: "detached" });
}

// F5 on a file that nothing is known of, a breakpoint in its kernel, and another thread of the block that stopped.
async function debug(page, folder) {
    await command(page, "View: Close All Editors");
    await page.keyboard.press("Control+P");
    const name = page.locator(".quick-input-widget input");
    await name.fill("matmul.cu");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "matmul.cu" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "matmul.cu" }).waitFor();
    await goTo(page, 29);
    await page.keyboard.press("F9");
    await page.keyboard.press("F5");
    await page.locator(".quick-input-title", { hasText: "Arguments of matmul.cu" }).waitFor();
    await page.keyboard.press("Enter");
    const value = (words) => page.locator(".debug-variables .monaco-list-row", { hasText: /^threadIdx/ })
        .filter({ hasText: words }).waitFor();
    await value("(0,0,0)");
    await page.locator(".debug-top-stack-frame-line").first().waitFor();
    await command(page, "gcluster: Focus Block and Thread");
    await name.fill("5,2");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "thread (5,2,0)" }).waitFor();
    await page.keyboard.press("Enter");
    await value("(5,2,0)");
    await command(page, "View: Hide Panel");
    await shoot(page, "debug");
    await page.keyboard.press("Shift+F5");
    await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    assert.ok(fs.existsSync(path.join(folder, "matmul-debug")));
}

// Without a server, somebody has to say so.
async function miss(page) {
    await page.locator(".notification-toast", { hasText: "'/nowhere/gcluster-lsp', which isn't a program" }).first().waitFor();
}

// Nothing is compiled before somebody trusts the folder. VS Code leaves extensions that don't start there alone while they are
// developed, as this one is here: it looks by itself, and VS Code asks.
async function distrust(page, folder) {
    await command(page, "gcluster: Debug with Arguments");
    await page.locator(".notification-toast", { hasText: "when you trust it" }).first().waitFor();
    await page.keyboard.press("F5");
    const dialog = page.locator(".monaco-dialog-box", { hasText: "trust" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.deepEqual(fs.readdirSync(folder).filter((file) => file.endsWith("-debug")), []);
}

async function use(steps, settings, isTrusted = true) {
    const extension = path.join(build, "unpacked/extension");
    await withEditor({ build, tools, workspace, extension, settings, isTrusted, files: ["heat2d.cu"] }, async ({ page, folder }) => {
        page.setDefaultTimeout(patience);
        try {
            for (const step of steps)
                await step(page, folder);
        } catch (error) {
            await page.screenshot({ path: path.join(build, "picture-failed.png") });
            throw error;
        }
    });
}

await use([look, map, trace, debug]);
await use([miss, distrust], { "gcluster.server.path": "/nowhere/gcluster-lsp" }, false);
console.log(`pictures are in ${pictures}`);
