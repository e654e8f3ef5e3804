// What the debugger's words and messages are taken apart into.
import * as assert from "assert";
import { findCheck } from "../src/checks/source";
import { forCppdbg, forLldb } from "../src/debug/launch";
import { fadeMachinery, framed, looksElsewhere, MessageReader } from "../src/debug/messages";
import { placesOfBlocks, placesOfThreads, placeTyped, splitWords, withoutCommand } from "../src/debug/words";

suite("launch configurations", () => {
    const launch = { type: "gcluster", request: "launch", name: "rows", program: "/p/rows", args: ["1"],
        cwd: "/p", env: { GCL_DEBUG: "block:3,0,0" } };
    const node = { type: "gcluster", request: "attach", name: "node 1", program: "/p/rows", pid: 12 };

    test("lldb-dap gets them with gcluster-lldb's commands before their own", () => {
        const { initCommands, ...rest } = forLldb({ ...launch, initCommands: ["own"] }, '/a "b"/gcluster_lldb.py');
        assert.deepEqual(rest, launch);
        assert.equal(initCommands[1], '?command script import "/a \\"b\\"/gcluster_lldb.py"');
        assert.equal(initCommands.at(-1), "own");
        assert.match(forLldb(node, "/s.py")["initCommands"].at(-1), /^\?process handle .* SIGSEGV SIGBUS$/);
    });

    test("the C/C++ extension gets them in its words, with gcluster-gdb", () => {
        const gdb = { type: "cppdbg", MIMode: "gdb", miDebuggerPath: "/b/gcluster-gdb" };
        assert.deepEqual(forCppdbg(launch, "/b/gcluster-gdb"), { ...gdb, request: "launch", name: "rows", program: "/p/rows",
            args: ["1"], cwd: "/p", environment: [{ name: "GCL_DEBUG", value: "block:3,0,0" }], stopAtEntry: false });
        assert.deepEqual(forCppdbg(node, "/b/gcluster-gdb"), { ...gdb, request: "attach", name: "node 1", program: "/p/rows",
            processId: 12, setupCommands: [{ text: "handle SIGSEGV SIGBUS nostop noprint pass" }] });
    });
});

suite("debugger's words", () => {
    test("arguments are split as a shell does", () => {
        assert.deepEqual(splitWords(" 512  --name='a b' \"c d\"e "), ["512", "--name=a b", "c de"]);
        assert.deepEqual(splitWords(""), []);
    });

    test("threads are places, in rows of the same state", () => {
        const lines = withoutCommand("(lldb) info cuda threads\nsum_rows block (3,0,0), 24 threads:\n" +
            "  (0,0,0) to (6,0,0): at the barrier of line 19\n* (7,0,0): running\n");
        assert.deepEqual(placesOfThreads(lines), [
            { command: "cuda thread (0,0,0)", label: "thread (0,0,0) to (6,0,0)", state: "at the barrier of line 19" },
            { command: "cuda thread (7,0,0)", label: "thread (7,0,0)", state: "running" }]);
    });

    test("blocks are places but for the one that is looked at", () => {
        assert.deepEqual(placesOfBlocks("  sum_rows block (1,0,0), lldb's thread 4: 1 running, 22 to go on behind line 12\n" +
            "* sum_rows block (3,0,0), lldb's thread 1: 1 running\n"), [
            { command: "cuda block (1,0,0)", label: "sum_rows, block (1,0,0)", state: "1 running, 22 to go on behind line 12" }]);
    });

    test("what is typed is a thread, or a block and a thread", () => {
        assert.equal(placeTyped("7")?.command, "cuda thread (7,0,0)");
        assert.equal(placeTyped("(3,1) (2, 1, 0)")?.command, "cuda block (3,1,0) thread (2,1,0)");
        assert.equal(placeTyped("barrier"), undefined);
        assert.ok(looksElsewhere("`cuda thread (2,0,0)") && looksElsewhere("cuda block 3") && !looksElsewhere("cuda"));
    });

    test("messages come in any pieces", () => {
        const reader = new MessageReader(), all = Buffer.from(framed({ seq: 1, text: "ä" }) + framed({ seq: 2 }));
        const read = [...all].flatMap((byte) => reader.read(Buffer.from([byte])));
        assert.deepEqual(read, [{ seq: 1, text: "ä" }, { seq: 2 }]);
    });

    test("frames of libgcluster stand back", () => {
        const names = ["raise", "gcl_debugger_stop", "twice(int*)", "k(int*)", "gcl.thread._Z1kPi", "run_blocks"];
        const frames = names.map((name) => ({ name }));
        fadeMachinery(frames);
        assert.deepEqual(frames.filter((frame) => !("presentationHint" in frame)), [{ name: "twice(int*)" }, { name: "k(int*)" }]);
        const host = [{ name: "raise" }, { name: "main" }];
        fadeMachinery(host);
        assert.deepEqual(host, [{ name: "raise" }, { name: "main" }]);
    });
});

suite("programs that check themselves", () => {
    const kernel = "__global__ void k() {}\n";

    test("main() says by its status whether all is right", () => {
        assert.deepEqual(findCheck(kernel + "int main() {\n    return verdict(1);\n}\n"), { begin: 1, end: 3 });
        assert.ok(findCheck(kernel + "int main(int count, char **words) {\n    assert(good());\n    return 0;\n}\n"));
    });

    test("one that only ends does not", () => {
        assert.equal(findCheck(kernel + "int main() {\n    puts(\"return 1;\"); // return 1;\n    return 0;\n}\n"), undefined);
        assert.equal(findCheck("int main() {\n    return run();\n}\n"), undefined);
        assert.equal(findCheck(kernel + "int f() {\n    return 1;\n}\nint main() {\n}\n"), undefined);
    });
});
