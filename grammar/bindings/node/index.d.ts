/** What `src/node-types.json` says of a kind of node. */
type NodeInfo = {
    type: string;
    named: boolean;
    fields?: Record<string, ChildInfo>;
    children?: ChildInfo;
    subtypes?: { type: string; named: boolean }[];
};

type ChildInfo = {
    multiple: boolean;
    required: boolean;
    types: { type: string; named: boolean }[];
};

/** The grammar of CUDA C++, for `setLanguage` of the package tree-sitter. */
declare const language: {
    name: string;
    language: unknown;
    nodeTypeInfo: NodeInfo[];
};

export = language;
