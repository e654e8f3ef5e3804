// Bundles the extension and its webview's script into dist/; with "test", the tests, too.
import { build } from "esbuild";

const node = { platform: "node", format: "cjs", external: ["vscode", "mocha"] };
const bundle = (entryPoints, outdir, how) =>
    build({ entryPoints, outdir, bundle: true, target: "es2022", logLevel: "warning", ...how });

if (process.argv[2] === "test")
    await bundle(["test/draw.ts", "test/host.ts"], "dist/test", node);
else {
    await bundle(["src/extension.ts"], "dist", { ...node, minify: true });
    await bundle(["src/webview.ts"], "dist", { platform: "browser", format: "iife", minify: true });
}
