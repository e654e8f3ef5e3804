// Words of a command line, as a person types them into one field, and what debuggers say, taken apart.

/** Words as a shell takes them, but for variables and patterns: quotes keep blanks together. */
export function splitWords(text: string): string[] {
    const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
    return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** What a debugger answers to a command. lldb-dap says the command, too. */
export function withoutCommand(result: string): string {
    return result.replace(/^\(lldb\).*\n/, "").trimEnd();
}

/** A choice of where to look: the debugger's command, and what there is to say. */
export interface Place {
    command: string;
    label: string;
    state: string;
}

/** Of `info cuda threads`: a line is a thread, or the first of a row of threads in the same state. */
export function placesOfThreads(lines: string): Place[] {
    return [...lines.matchAll(/^[* ] (\([\d,]+\))( to \([\d,]+\))?: (.*)$/gm)].map(([, first, more = "", state = ""]) =>
        ({ command: `cuda thread ${first}`, label: `thread ${first}${more}`, state }));
}

/** Of `info cuda blocks`: those that aren't looked at already. */
export function placesOfBlocks(lines: string): Place[] {
    return [...lines.matchAll(/^ {2}(.*) block (\([\d,]+\)), .*thread \d+: (.*)$/gm)].map(([, kernel, block, state = ""]) =>
        ({ command: `cuda block ${block}`, label: `${kernel}, block ${block}`, state }));
}

/** What somebody has typed: `2`, `2,1` or `(2,1,0)` is a thread, a second one behind a first is a block's. */
export function placeTyped(text: string): Place | undefined {
    const places = [...text.matchAll(/\d+(?:\s*,\s*\d+){0,2}/g)].map(([place]) =>
        [...place.split(",").map(Number), 0, 0].slice(0, 3).join());
    const [first, second] = places;
    if (!first || places.length > 2)
        return undefined;
    const label = second ? `block (${first}) thread (${second})` : `thread (${first})`;
    return { command: `cuda ${label}`, label, state: "" };
}
