// The distribution map's picture, from replies written by hand.
import * as assert from "assert";
import { boxesOf, drawMap } from "../src/draw";
import { DistributionMap } from "../src/protocol";

const stencil: DistributionMap = {
    kernel: "step<float>", range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
    split: "y", nodes: 2, grid: [4, 8, 1], block: [32, 8, 1],
    scalars: [{ name: "size", type: "int", value: 128, guessed: true }],
    parts: [{ node: 0, begin: [0, 0, 0], end: [4, 4, 1] }, { node: 1, begin: [0, 4, 0], end: [4, 8, 1] }],
    arrays: [{
        name: "now", elementBytes: 4, elements: 64 * 128, row: 128, certainty: "exact", words: "rows y-1 … y+1 (halo 1 row)",
        simplified: false, unbounded: false,
        nodes: [{ node: 0, reads: [[0, 33 * 128, 0, 1]], writes: [], received: 512 },
            { node: 1, reads: [[31 * 128, 33 * 128, 0, 1]], writes: [], received: 512 }],
    }, {
        name: "next", elementBytes: 4, elements: 64 * 128, row: 128, certainty: "exact", words: "row y, written exactly once",
        simplified: false, unbounded: false,
        nodes: [{ node: 0, reads: [], writes: [[0, 32 * 128, 0, 1]], received: 0 },
            { node: 1, reads: [], writes: [[32 * 128, 32 * 128, 0, 1]], received: 0 }],
    }],
    gridGuessed: false, blockGuessed: true, assumed: "size = 128", exchanged: [["now", "next"]],
    bytes: 1024, moves: [[0, 1, 512], [1, 0, 512]], reasons: [],
};

function count(svg: string, what: RegExp): number {
    return svg.match(what)?.length ?? 0;
}

suite("boxes of runs", () => {
    const area = (run: Parameters<typeof boxesOf>[0], row: number) =>
        boxesOf(run, row).reduce((sum, box) => sum + (box.x1 - box.x0) * (box.y1 - box.y0), 0);

    test("whole rows are one box", () =>
        assert.deepEqual(boxesOf([256, 384, 0, 1], 128), [{ x0: 0, x1: 128, y0: 2, y1: 5 }]));
    test("a part of a row is one box", () =>
        assert.deepEqual(boxesOf([130, 10, 0, 1], 128), [{ x0: 2, x1: 12, y0: 1, y1: 2 }]));
    test("columns are one box", () =>
        assert.deepEqual(boxesOf([3, 5, 128, 60], 128), [{ x0: 3, x1: 8, y0: 0, y1: 60 }]));
    test("the pieces of any run are as many elements as it has", () => {
        for (let begin = 0; begin < 20; begin++)
            for (let length = 1; length < 40; length++)
                assert.equal(area([begin, length, 50, 3], 8), 3 * length, `${begin} ${length}`);
    });
    test("nothing is no box", () => assert.deepEqual(boxesOf([7, 0, 1, 1], 8), []));
});

suite("the map", () => {
    test("is a complete picture", () => {
        const svg = drawMap(stencil);
        assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        assert.match(svg, /<\/svg>$/);
        assert.equal(count(svg, /<g[ >]/g), count(svg, /<\/g>/g));
    });
    test("names what it shows, safely", () => {
        const svg = drawMap(stencil);
        assert.match(svg, /step&lt;float&gt;: splits along y, 2 nodes, if size = 128/);
        assert.match(svg, /1\.0 KiB move per launch/);
        assert.match(svg, /node 0 → node 1 {3}512 B/);
    });
    test("draws each node's part of the grid, and of each array", () => {
        const svg = drawMap(stencil);
        assert.equal(count(svg, /data-node="0"/g), 3);
        assert.equal(count(svg, /data-node="1"/g), 3);
        assert.match(svg, /node 1: blocks x 0 … 3, y 4 … 7/);
        assert.match(svg, /now, node 0: reads elements 0 … 4,223, writes nothing, receives 512 B per launch/);
    });
    test("marks halos: what one node reads and another has written in the array's other buffer", () => {
        const halos = (map: DistributionMap) => count(drawMap(map), /<rect[^>]*class="halo"/g) - 1; // one is in the key
        assert.equal(halos(stencil), 2);
        assert.equal(halos({ ...stencil, exchanged: [] }), 0);
    });
    test("can be reached by keyboard", () =>
        assert.equal(count(drawMap(stencil), /data-key="\d" tabindex="0" role="button"/g), 2));
    test("says of nodes that it leaves out how many they are", () => {
        const nodes = Array.from({ length: 20 }, (_, node) => ({ node, reads: [], writes: [], received: 0 }));
        const array = { name: "a", elementBytes: 4, elements: 100, row: 0, certainty: "exact" as const, words: "",
            simplified: false, unbounded: false, nodes };
        assert.match(drawMap({ ...stencil, nodes: 20, arrays: [array] }), /4 more nodes not drawn/);
    });
    test("says of an array what isn't sure, and nothing of what is", () => {
        const arrays = stencil.arrays.map((a) => a.name === "now" ? { ...a, certainty: "bounded" as const } : a);
        const svg = drawMap({ ...stencil, arrays });
        assert.match(svg, /rows y-1 … y\+1 \(halo 1 row\) \(at most these\); 1.0 KiB received/);
        assert.match(svg, /row y, written exactly once</);
    });
    test("draws a kernel of one node", () =>
        assert.match(drawMap({ ...stencil, split: "none", nodes: 1, arrays: [], moves: [], bytes: 0 }),
            /runs on one node.*Nothing moves between nodes/s));
});
