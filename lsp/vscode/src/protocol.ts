// gcluster's own requests of the language server, beside LSP's. Counts are elements or blocks,
// sizes bytes; ranges are half open.
import { Position, Range } from "vscode-languageclient";

export type Triple = [number, number, number];

/** What gcluster/map may be told of a launch; the server guesses the rest. */
export interface Choices {
    nodes?: number;
    grid?: Triple;
    block?: Triple;
    scalars?: Record<string, number>;
}

/** Elements: `count` pieces of `length`, the first from `begin` on, `stride` from one to the next. */
export type Run = [begin: number, length: number, stride: number, count: number];

export interface Scalar {
    name: string;
    type: string;
    value: number;
    /** Neither the launch nor the caller says it. */
    guessed: boolean;
}

export interface Part {
    node: number;
    begin: Triple;
    end: Triple;
}

export interface ArrayUse {
    node: number;
    reads: Run[];
    writes: Run[];
    /** Bytes that come from other nodes at each launch. */
    received: number;
}

export interface MappedArray {
    name: string;
    elementBytes: number;
    elements: number;
    /** Elements a row where it is used in two dimensions, else 0. */
    row: number;
    certainty: "exact" | "bounded" | "data-dependent";
    words: string;
    nodes: ArrayUse[];
    /** Runs were too many: some are hulls of what is touched. */
    simplified: boolean;
    /** The kernel doesn't say how large the array is. */
    unbounded: boolean;
}

export interface Reason {
    code: string;
    what: string;
    why: string;
    advice: string;
    page: string;
}

/** gcluster/map's answer. */
export interface DistributionMap {
    kernel: string;
    range: Range;
    split: "x" | "y" | "z" | "none";
    nodes: number;
    grid: Triple;
    block: Triple;
    /** Neither the launch nor the caller says them. */
    gridGuessed: boolean;
    blockGuessed: boolean;
    /** What has to hold of variables for the launch's size, "" if nothing. */
    assumed: string;
    scalars: Scalar[];
    parts: Part[];
    arrays: MappedArray[];
    /** Pairs that change places between launches, as the arrays of time steps do. */
    exchanged: [string, string][];
    bytes: number;
    moves: [from: number, to: number, bytes: number][];
    reasons: Reason[];
}

/** gcluster/explain's answer. */
export interface Explanation {
    title: string;
    markdown: string;
}

/** A kernel in gcluster/trace's answer. */
export interface TracedKernel {
    kernel: string;
    launches: number;
    time_ns: number;
    bytes: number;
    /** Why bytes moved, where some did. */
    cause: string | null;
    /** Of the run's time, 0 to 1. */
    share: number;
}

/** Launches of it at one place: the file as the compiler was given it, the line from 1. */
export interface TracedPlace extends TracedKernel {
    file: string;
    line: number;
}

/** A launch of it: the line, from 0, and how the launch was found there; by name it is all of the kernel's. */
export interface TracedLaunch extends TracedKernel {
    uri: string;
    line: number;
    by: "line" | "order" | "name";
}

/** gcluster/trace's answer. */
export interface Trace {
    /** In open files. */
    launches: TracedLaunch[];
    kernels: (TracedKernel & { places: TracedPlace[] })[];
    total_ns: number;
}

/** gcluster/includer's answer: URIs. */
export interface Inclusion {
    /** As whose part the file is read. */
    includer: string | null;
    /** All whose part it could be. */
    includers: string[];
}

/** What an editor asks about. */
export interface Place {
    textDocument: { uri: string };
    position: Position;
}
