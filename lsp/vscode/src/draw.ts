// The distribution map as a picture: a reply of gcluster/map in, SVG text out, and nothing else.
//
// Everything that a node has is one <g data-node="n">, so that a page can put one node in front.
// Colours are Okabe and Ito's, which differ for people with any kind of colour blindness; each part
// also bears its node's number, and patterns tell reads, writes and halos.
import { formatBytes, formatCount } from "./format";
import { ArrayUse, DistributionMap, MappedArray, Part, Run, Triple } from "./protocol";

const palette = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"];
const width = 760;
const margin = 10;
const inner = width - 2 * margin;
const line = 18;
/** So many nodes have a strip of their own in an array's picture. */
const laneLimit = 16;
/** What is narrower is drawn so wide, in pixels: a halo of one row of thousands is seen. */
const thinnest = 3;

/** A rectangle of elements or of pixels, half open. */
export interface Box {
    x0: number;
    y0: number;
    x1: number;
    y1: number;
}

interface Drawing {
    svg: string;
    height: number;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
    return text.replace(/[&<>"]/g, (c) => escapes[c] ?? c);
}

function colour(node: number): string {
    return palette[node % palette.length] ?? "#999999";
}

function number(value: number): string {
    return String(Math.round(value * 100) / 100);
}

function text(x: number, y: number, words: string, how = ""): string {
    return `<text x="${number(x)}" y="${number(y)}"${how && ` ${how}`}>${escape(words)}</text>`;
}

function rect(box: Box, how: string): string {
    return `<rect x="${number(box.x0)}" y="${number(box.y0)}" width="${number(box.x1 - box.x0)}" ` +
        `height="${number(box.y1 - box.y0)}" ${how}/>`;
}

/** What belongs to one node, with what a screen reader says of it. */
function group(node: number, words: string, content: string): string {
    return `<g data-node="${node}" role="img" aria-label="${escape(words)}"><title>${escape(words)}</title>${content}</g>`;
}

function plural(count: number, word: string): string {
    return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

// Boxes

function intersect(a: Box, b: Box): Box | undefined {
    const box = { x0: Math.max(a.x0, b.x0), y0: Math.max(a.y0, b.y0), x1: Math.min(a.x1, b.x1), y1: Math.min(a.y1, b.y1) };
    return box.x0 < box.x1 && box.y0 < box.y1 ? box : undefined;
}

// A contiguous piece of an array with rows of `row` elements: at most a piece of a row, whole rows,
// and another piece.
function piece(begin: number, end: number, row: number): Box[] {
    const first = Math.floor(begin / row), last = Math.floor((end - 1) / row);
    if (first === last)
        return [{ x0: begin - first * row, x1: end - first * row, y0: first, y1: first + 1 }];
    const isCut = begin % row !== 0, isOpen = end % row !== 0;
    const boxes: Box[] = [];
    if (isCut)
        boxes.push({ x0: begin % row, x1: row, y0: first, y1: first + 1 });
    if (first + Number(isCut) < last + Number(!isOpen))
        boxes.push({ x0: 0, x1: row, y0: first + Number(isCut), y1: last + Number(!isOpen) });
    if (isOpen)
        boxes.push({ x0: 0, x1: end % row, y0: last, y1: last + 1 });
    return boxes;
}

/** A run as boxes of an array whose rows have `row` elements. Pieces that are more than 256 and
 *  don't stand one below the other become one piece, from the first to the last. */
export function boxesOf([begin, length, stride, count]: Run, row: number): Box[] {
    if (length <= 0 || count <= 0)
        return [];
    const x = begin % row, y = Math.floor(begin / row);
    if (count > 1 && stride === row && x + length <= row)
        return [{ x0: x, x1: x + length, y0: y, y1: y + count }];
    if (count > 256)
        return piece(begin, begin + (count - 1) * stride + length, row);
    return Array.from({ length: count }, (_, i) =>
        piece(begin + i * stride, begin + i * stride + length, row)).flat();
}

// The grid

type Axis = 0 | 1 | 2;
const axisNames = ["x", "y", "z"];

// What is to the right and what goes down: the split direction is always one of them.
function chooseAxes(map: DistributionMap): [Axis, Axis] {
    if (map.split === "z")
        return [0, 2];
    return map.grid[1] === 1 && map.grid[2] > 1 ? [0, 2] : [0, 1];
}

// As wide to high as the threads are.
function gridBox(map: DistributionMap, [across, down]: [Axis, Axis]): Box {
    const threads = (axis: Axis) => map.grid[axis] * map.block[axis];
    const aspect = threads(across) / threads(down);
    if (map.grid[down] === 1)
        return { x0: margin, y0: 0, x1: margin + 460, y1: 36 };
    const height = Math.min(220, Math.max(36, 330 / aspect));
    return { x0: margin, y0: 0, x1: margin + Math.min(460, Math.max(36, height * aspect)), y1: height };
}

function partWords(part: Part): string {
    const ranges = ([0, 1, 2] as const).filter((a) => part.begin[a] > 0 || part.end[a] > 1)
        .map((a) => `${axisNames[a]} ${part.begin[a]} … ${part.end[a] - 1}`);
    return `node ${part.node}: blocks ${ranges.join(", ") || "0"}`;
}

function drawPart(part: Part, map: DistributionMap, [across, down]: [Axis, Axis], whole: Box): string {
    const scale = (value: number, axis: Axis, from: number, to: number) => from + (to - from) * value / map.grid[axis];
    const box = {
        x0: scale(part.begin[across], across, whole.x0, whole.x1), x1: scale(part.end[across], across, whole.x0, whole.x1),
        y0: scale(part.begin[down], down, whole.y0, whole.y1), y1: scale(part.end[down], down, whole.y0, whole.y1),
    };
    const fits = box.x1 - box.x0 > 14 && box.y1 - box.y0 > 11;
    const label = fits ? text((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + 4, String(part.node),
        `class="label" text-anchor="middle"${colour(part.node) === "#0072b2" ? ' style="fill:#fff"' : ""}`) : "";
    return group(part.node, partWords(part), rect(box, `fill="${colour(part.node)}" class="part"`) + label);
}

// Lines between blocks, where there are few enough.
function drawBlocks(map: DistributionMap, [across, down]: [Axis, Axis], box: Box): string {
    const lines: string[] = [];
    const columns = map.grid[across], rows = map.grid[down];
    for (let i = 1; i < columns && columns <= 64; i++)
        lines.push(`M${number(box.x0 + (box.x1 - box.x0) * i / columns)} ${number(box.y0)}V${number(box.y1)}`);
    for (let i = 1; i < rows && rows <= 64; i++)
        lines.push(`M${number(box.x0)} ${number(box.y0 + (box.y1 - box.y0) * i / rows)}H${number(box.x1)}`);
    return lines.length > 0 ? `<path class="blocks" d="${lines.join("")}"/>` : "";
}

function drawMoves(map: DistributionMap, x: number): Drawing {
    const shown = map.moves.slice(0, 9);
    const words = shown.map(([from, to, bytes]) => `node ${from} → node ${to}   ${formatBytes(bytes)}`);
    if (map.moves.length > shown.length)
        words.push(`and ${map.moves.length - shown.length} more`);
    const title = map.bytes === 0 ? "Nothing moves between nodes" : `${formatBytes(map.bytes)} move per launch`;
    const lines = [text(x, 12, title, 'class="strong"'), ...words.map((word, i) => text(x, 12 + (i + 1) * line, word))];
    return { svg: `<g class="moves">${lines.join("")}</g>`, height: (words.length + 1) * line };
}

function sizeWords(size: Triple): string {
    const used = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
    return size.slice(0, used).map(formatCount).join(" × ");
}

function drawGrid(map: DistributionMap): Drawing {
    const axes = chooseAxes(map);
    const box = gridBox(map, axes);
    const hidden = ([0, 1, 2] as const).filter((a) => !axes.includes(a) && map.grid[a] > 1);
    const along = `${axisNames[axes[0]]} to the right` + (map.grid[axes[1]] > 1 ? `, ${axisNames[axes[1]]} down` : "");
    const behind = hidden.map((a) => `, all ${map.grid[a]} along ${axisNames[a]}`).join("");
    const moves = drawMoves(map, box.x1 + 30);
    const parts = map.parts.map((part) => drawPart(part, map, axes, box)).join("");
    const title = `Grid of ${sizeWords(map.grid)} blocks with ${sizeWords(map.block)} threads: ${along}${behind}`;
    return {
        svg: text(margin, 12, title, 'class="strong"') +
            `<g transform="translate(0 22)">${parts}${drawBlocks(map, axes, box)}` +
            `${rect(box, 'class="frame"')}${moves.svg}</g>`,
        height: 22 + Math.max(box.y1, moves.height) + 14,
    };
}

// Arrays

// How an array is laid out on the paper: rows of its own, or one row that is its whole length.
interface Paper {
    row: number;
    rows: number;
    strip: (index: number) => Box;
    height: number;
}

function paperOf(array: MappedArray, strips: number): Paper {
    if (array.row <= 0 || array.row >= array.elements) {
        const pitch = 18;
        return { row: Math.max(1, array.elements), rows: 1, height: strips * pitch,
            strip: (i) => ({ x0: margin + 62, y0: i * pitch, x1: margin + inner - 110, y1: i * pitch + 13 }) };
    }
    const rows = Math.ceil(array.elements / array.row);
    const gap = 14;
    const columns = Math.min(strips, 8);
    const laneWidth = Math.min(150, (inner - (columns - 1) * gap) / columns);
    const laneHeight = Math.min(150, Math.max(24, laneWidth * rows / array.row));
    const pitch = laneHeight + 38;
    return { row: array.row, rows, height: Math.ceil(strips / columns) * pitch,
        strip: (i) => {
            const x = margin + (i % columns) * (laneWidth + gap), y = Math.floor(i / columns) * pitch + 14;
            return { x0: x, y0: y, x1: x + laneWidth, y1: y + laneHeight };
        } };
}

// To pixels, in the strip, and never thinner than can be seen.
function toPaper(box: Box, paper: Paper, strip: Box): Box {
    const span = (from: number, to: number, count: number, begin: number, end: number): [number, number] => {
        const a = begin + (end - begin) * from / count, b = begin + (end - begin) * to / count;
        if (b - a >= thinnest)
            return [a, Math.min(b, end)];
        const start = Math.max(begin, Math.min(end - thinnest, (a + b - thinnest) / 2));
        return [start, start + thinnest];
    };
    const [x0, x1] = span(box.x0, box.x1, paper.row, strip.x0, strip.x1);
    const [y0, y1] = span(box.y0, box.y1, paper.rows, strip.y0, strip.y1);
    return { x0, y0, x1, y1 };
}

interface NodeBoxes {
    reads: Box[];
    writes: Box[];
}

// What a node reads of an array and other nodes have written in the launch before.
function haloBoxes(reads: Box[], others: NodeBoxes[]): Box[] {
    return reads.flatMap((mine) => others.flatMap((other) => other.writes)
        .map((theirs) => intersect(mine, theirs)).filter((box) => box !== undefined));
}

function extent(runs: Run[]): string {
    if (runs.length === 0)
        return "nothing";
    const begin = Math.min(...runs.map((run) => run[0]));
    const end = Math.max(...runs.map(([b, length, stride, count]) => b + (count - 1) * stride + length));
    return `elements ${formatCount(begin)} … ${formatCount(end - 1)}`;
}

function useWords(array: MappedArray, use: ArrayUse): string {
    return `${array.name}, node ${use.node}: reads ${extent(use.reads)}, writes ${extent(use.writes)}, ` +
        `receives ${formatBytes(use.received)} per launch`;
}

function drawUse(array: MappedArray, use: ArrayUse, boxes: NodeBoxes, before: NodeBoxes[], paper: Paper, strip: Box): string {
    const fill = colour(use.node);
    const draw = (list: Box[], how: string) => list.map((box) => rect(toPaper(box, paper, strip), how)).join("");
    const received = use.received > 0 ? `+${formatBytes(use.received)}` : "";
    const label = paper.rows === 1
        ? text(strip.x0 - 6, strip.y1 - 2, `node ${use.node}`, 'text-anchor="end"') + text(strip.x1 + 8, strip.y1 - 2, received)
        : text(strip.x0, strip.y0 - 4, `node ${use.node}`) + text(strip.x0, strip.y1 + 14, received);
    return group(use.node, useWords(array, use),
        rect(strip, 'class="strip"') + draw(boxes.reads, `fill="${fill}" fill-opacity="0.4"`) +
        draw(boxes.writes, `fill="${fill}" class="written"`) + draw(haloBoxes(boxes.reads, before), 'class="halo"') +
        rect(strip, 'class="frame"') + label);
}

/** How sure the words are, as the explanation has it; nothing where they are. */
const doubts = { "exact": "", "bounded": " (at most these)", "data-dependent": " (depends on data)" };

function arrayTitle(array: MappedArray): string {
    const shape = array.row > 0 && array.row < array.elements
        ? `${formatCount(Math.ceil(array.elements / array.row))} rows of ${formatCount(array.row)}`
        : plural(array.elements, "element");
    const changes = (array.unbounded ? "; how large it is isn't known" : "") + (array.simplified ? "; simplified" : "");
    const received = array.nodes.reduce((sum, use) => sum + use.received, 0);
    return `: ${shape} of ${plural(array.elementBytes, "byte")}; ${array.words}${doubts[array.certainty]}` +
        (received > 0 ? `; ${formatBytes(received)} received` : "") + changes;
}

// `before` is the array that is this one in the launch before: itself, or that with which it changes
// places.
function drawArray(array: MappedArray, before: MappedArray): Drawing {
    const shown = array.nodes.slice(0, laneLimit);
    const paper = paperOf(array, shown.length);
    const boxes = ({ reads, writes }: ArrayUse): NodeBoxes => ({
        reads: reads.flatMap((run) => boxesOf(run, paper.row)),
        writes: writes.flatMap((run) => boxesOf(run, paper.row)),
    });
    const strips = shown.map((use, i) => drawUse(array, use, boxes(use),
        before.nodes.filter(({ node }) => node !== use.node).map(boxes), paper, paper.strip(i)));
    const left = array.nodes.length - shown.length;
    const note = left > 0 ? text(margin, paper.height + 12, `${plural(left, "more node")} not drawn`) : "";
    return {
        svg: `<text x="${margin}" y="12"><tspan class="strong">${escape(array.name)}</tspan>${escape(arrayTitle(array))}</text>` +
            `<g transform="translate(0 24)">${strips.join("")}${note}</g>`,
        height: 24 + paper.height + (left > 0 ? line : 0) + 14,
    };
}

// The whole

function drawTitle(map: DistributionMap): Drawing {
    const split = map.split === "none" ? "runs on one node" : `splits along ${map.split}`;
    const condition = map.assumed ? `, if ${map.assumed}` : "";
    return { svg: text(margin, 18, `${map.kernel}: ${split}, ${plural(map.nodes, "node")}${condition}`, 'class="title"'),
        height: 34 };
}

// One key a node, and what the patterns mean.
function drawKey(map: DistributionMap): Drawing {
    const keys = Array.from({ length: Math.min(map.nodes, laneLimit) }, (_, node) => {
        const x = margin + node * 40;
        const box = { x0: x, y0: 0, x1: x + 34, y1: 18 };
        const style = colour(node) === "#0072b2" ? ' style="fill:#fff"' : "";
        return `<g class="key" data-key="${node}" tabindex="0" role="button" aria-label="node ${node}">` +
            rect(box, `fill="${colour(node)}" class="part"`) +
            text(x + 17, 13, String(node), `class="label" text-anchor="middle"${style}`) + "</g>";
    });
    const swatches: [string, string][] = [['fill="#999999" fill-opacity="0.4"', "read"],
        ['fill="#999999" class="written"', "written"], ['class="halo"', "read, and written by another node"]];
    let x = margin;
    const patterns = swatches.map(([how, word]) => {
        const svg = rect({ x0: x, y0: 26, x1: x + 22, y1: 40 }, how) + text(x + 28, 37, word);
        x += 56 + word.length * 7;
        return svg;
    });
    return { svg: keys.join("") + patterns.join(""), height: 56 };
}

const style = `
svg { font: 12px sans-serif; color: inherit }
text { fill: currentColor }
.title { font-size: 15px; font-weight: bold }
.strong { font-weight: bold }
.label { fill: #000; font-weight: bold }
.part { stroke: currentColor; stroke-width: 0.5 }
.frame { fill: none; stroke: currentColor; stroke-width: 0.75 }
.strip { fill: currentColor; fill-opacity: 0.06 }
.written { stroke: currentColor; stroke-width: 1 }
.blocks { fill: none; stroke: currentColor; stroke-opacity: 0.35; stroke-width: 0.5 }
.halo { fill: url(#halo); stroke: currentColor; stroke-width: 0.75 }
.key { cursor: pointer }
`;

const hatch = '<defs><pattern id="halo" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
    '<rect width="5" height="5" fill="none"/><rect width="2" height="5" fill="currentColor"/></pattern></defs>';

function arrayBefore(map: DistributionMap, array: MappedArray): MappedArray {
    const pair = map.exchanged.find((names) => names.includes(array.name));
    const name = pair?.find((other) => other !== array.name);
    return map.arrays.find((other) => other.name === name) ?? array;
}

/** The picture of `map`, complete in itself. Its ink is the colour of the text around it. */
export function drawMap(map: DistributionMap): string {
    const drawings = [drawTitle(map), drawKey(map), drawGrid(map),
        ...map.arrays.map((array) => drawArray(array, arrayBefore(map, array)))];
    let y = 0;
    const body = drawings.map(({ svg, height }) => {
        const placed = `<g transform="translate(0 ${number(y)})">${svg}</g>`;
        y += height;
        return placed;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${number(y)}" role="group" ` +
        `aria-label="${escape(`Distribution of ${map.kernel}`)}"><style>${style}</style>${hatch}${body.join("")}</svg>`;
}

/** The picture for a file: dark ink on white paper. */
export function drawMapForFile(map: DistributionMap): string {
    return drawMap(map).replace("<svg ", '<svg style="color:#1a1a1a;background:#fff" ');
}
