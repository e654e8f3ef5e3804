// Which programs check themselves, by their text.

/** What is no code: comments, strings and characters, as blanks, so that places stay. */
function withoutWords(text: string): string {
    return text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
        (words) => words.replace(/[^\n]/g, " "));
}

/** The lines, from 0, on which main() begins and ends in a program with kernels whose exit status says whether all is
 *  right: main() returns something else than 0, or ends by exit, abort or assert. Undefined for other texts. */
export function findCheck(text: string): { begin: number, end: number } | undefined {
    const code = withoutWords(text);
    const main = /^(?:int|auto)\s+main\s*\([^)]*\)[^;{]*\{/m.exec(code);
    if (!main || !/__global__|<<</.test(code))
        return undefined;
    const brace = main.index + main[0].length, behind = code.slice(brace).search(/^\}/m);
    const body = behind < 0 ? code.slice(brace) : code.slice(brace, brace + behind);
    if (!/\breturn\s+(?!(?:0|EXIT_SUCCESS)\s*;)|\b(?:exit|abort|assert)\s*\(/.test(body))
        return undefined;
    const lineOf = (place: number) => code.slice(0, place).split("\n").length - 1;
    return { begin: lineOf(main.index), end: lineOf(brace + body.length) };
}

/** How a terminal shows lines. */
export function forTerminal(text: string): string {
    return text.replace(/\r?\n/g, "\r\n");
}
