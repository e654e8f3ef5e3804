// Runs lsp/vscode/test/host.ts in a real extension host:
//
//     node host.mjs BUILD TOOLS WORKSPACE
//
// BUILD is where package.sh has left the extension, TOOLS the folder of gcluster-lsp.
import path from "node:path";
import { withEditor } from "./editor.mjs";

const [build, tools, workspace] = process.argv.slice(2).map((word) => path.resolve(word));

await withEditor({ build, tools, workspace, extension: path.join(build, "unpacked/extension"),
    tests: path.join(build, "extension/dist/test/host.js") }, async ({ page, ended }) => {
    const late = new Promise((resolve) => setTimeout(resolve, 540_000, "late").unref());
    const status = await Promise.race([ended, late]);
    if (status === 0)
        return;
    const picture = path.join(build, "host-failed.png");
    await page.screenshot({ path: picture });
    console.error(`the extension host's tests: ${status}; the window at the end is ${picture}`);
    process.exitCode = 1;
});
