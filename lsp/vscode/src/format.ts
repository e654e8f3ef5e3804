// Numbers as gcluster's tables show them.

/** "11.7 MiB" */
export function formatBytes(bytes: number): string {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (bytes >= 1024 && unit < units.length - 1) {
        bytes /= 1024;
        unit++;
    }
    return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

/** "101.0 ms" */
export function formatTime(ns: number): string {
    const units = ["ns", "µs", "ms", "s"];
    let unit = 0;
    while (ns >= 1000 && unit < units.length - 1) {
        ns /= 1000;
        unit++;
    }
    return `${unit === 0 ? ns : ns.toFixed(1)} ${units[unit]}`;
}

/** "262,144" */
export function formatCount(count: number): string {
    return count.toLocaleString("en-US");
}
