/** A call that waits until none has come for a while. */
export interface Later<Words extends unknown[]> {
    run(...words: Words): void;
    dispose(): void;
}

/** Calls `run` with the latest words, `ms` milliseconds after they came. */
export function later<Words extends unknown[]>(ms: number, run: (...words: Words) => void): Later<Words> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const dispose = () => clearTimeout(timer);
    return {
        run: (...words) => {
            dispose();
            timer = setTimeout(() => run(...words), ms);
        },
        dispose,
    };
}
