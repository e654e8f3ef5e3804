// Bundles the extension and its webview's script into dist/; with "test", the tests, too. They are
// made for the oldest VS Code of package.json's "engines": 1.82 has Node.js 18 and Chromium 114,
// and @types/node is of that version as well.
import { build } from "esbuild";

const node = { platform: "node", target: "node18", format: "cjs", external: ["vscode", "mocha"] };
const bundle = (entryPoints, outdir, how) =>
    build({ entryPoints, outdir, bundle: true, logLevel: "warning", ...how });

if (process.argv[2] === "test")
    await bundle(["test/draw.ts", "test/words.ts", "test/host.ts"], "dist/test", node);
else {
    await bundle(["src/extension.ts"], "dist", { ...node, minify: true });
    await bundle(["src/webview.ts"], "dist", { platform: "browser", target: "chrome114", format: "iife", minify: true });
}
