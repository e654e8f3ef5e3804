// The page of the distribution map: the launch's size as a form, the picture, the reasons. It
// computes nothing: what is entered goes to the extension, which sends the next picture.
import type { FromPage, ToPage } from "./map";
import type { Choices, DistributionMap, Triple } from "./protocol";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const api = acquireVsCodeApi();
const form = element("form") as HTMLFormElement;
const picture = element("picture");
const scalarPrefix = "scalar ";
let kernel = "";
/** What the person has chosen so far. */
let chosen: Choices = {};
let picked: string | undefined;

function element(id: string): HTMLElement {
    const found = document.getElementById(id);
    if (!found)
        throw new Error(`no ${id}`);
    return found;
}

// The form

interface Field {
    name: string;
    title: string;
    value: number;
    isGuessed: boolean;
    isWhole: boolean;
}

function fieldsOf(map: DistributionMap): Field[] {
    const triple = (name: string, value: Triple, isGuessed: boolean): Field[] => value.map((part, i) =>
        ({ name: `${name}${i}`, title: `${name} ${"xyz"[i]}`, value: part, isGuessed, isWhole: true }));
    return [{ name: "nodes", title: "nodes", value: map.nodes, isGuessed: false, isWhole: true },
        ...triple("grid", map.grid, map.gridGuessed), ...triple("block", map.block, map.blockGuessed),
        ...map.scalars.map(({ name, type, value, guessed }) => ({ name: scalarPrefix + name, title: name, value,
            isGuessed: guessed, isWhole: !type.startsWith("float") }))];
}

function input(name: string): HTMLInputElement | undefined {
    const found = form.elements.namedItem(name);
    return found instanceof HTMLInputElement ? found : undefined;
}

function addField(field: Field): void {
    const label = document.createElement("label");
    label.textContent = field.title;
    const entry = document.createElement("input");
    entry.type = "number";
    entry.name = field.name;
    entry.step = field.isWhole ? "1" : "any";
    if (!field.name.startsWith(scalarPrefix))
        entry.min = "1";
    label.append(entry);
    form.append(label);
}

function addButton(title: string, type: "export" | "reset"): void {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.addEventListener("click", () => api.postMessage({ type }));
    form.append(button);
}

// The form stays as long as its fields do, so that the focus stays where it is.
function fillForm(map: DistributionMap): void {
    const fields = fieldsOf(map);
    const names = [map.kernel, ...fields.map((field) => field.title)].join("\n");
    if (names !== kernel) {
        kernel = names;
        form.replaceChildren();
        fields.forEach(addField);
        addButton("Reset", "reset");
        addButton("Export SVG…", "export");
    }
    for (const field of fields) {
        const entry = input(field.name);
        if (!entry || entry === document.activeElement)
            continue;
        entry.value = String(field.value);
        entry.classList.toggle("guessed", field.isGuessed);
        entry.title = field.isGuessed ? "a guess: the source doesn't say" : "";
    }
}

// What is chosen after a change. What nobody has touched stays the source's, which may be edited.
function choose({ name, value }: HTMLInputElement): Choices {
    const number = (of: string) => Number(input(of)?.value);
    const triple = (of: string): Triple => [number(`${of}0`), number(`${of}1`), number(`${of}2`)];
    if (name === "nodes")
        return { ...chosen, nodes: Number(value) };
    if (name.startsWith(scalarPrefix))
        return { ...chosen, scalars: { ...chosen.scalars, [name.slice(scalarPrefix.length)]: Number(value) } };
    const what = name.slice(0, -1);
    return { ...chosen, [what]: triple(what) };
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", (event) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.value !== "" && form.reportValidity())
        api.postMessage({ type: "choose", choices: choose(target) });
});

// The picture: a key puts its node in front, with the mouse, Enter or the arrows.

function pick(node: string | undefined): void {
    picked = node;
    const svg = picture.querySelector("svg");
    svg?.classList.toggle("picked", node !== undefined);
    for (const part of picture.querySelectorAll("[data-node]"))
        part.classList.toggle("picked", part.getAttribute("data-node") === node);
    for (const key of picture.querySelectorAll("[data-key]"))
        key.setAttribute("aria-pressed", String(key.getAttribute("data-key") === node));
}

function keyOf(event: Event): SVGElement | null {
    return event.target instanceof Element ? event.target.closest<SVGElement>("[data-key]") : null;
}

function toggle(key: Element | null): void {
    const node = key?.getAttribute("data-key") ?? undefined;
    pick(node === picked ? undefined : node);
}

picture.addEventListener("click", (event) => toggle(keyOf(event)));
picture.addEventListener("keydown", (event) => {
    const key = keyOf(event);
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key === "Escape")
        pick(undefined);
    else if (key && (event.key === "Enter" || event.key === " "))
        toggle(key);
    else if (key && event.key in steps) {
        const next = Number(key.getAttribute("data-key")) + (steps[event.key] ?? 0);
        const other = picture.querySelector<SVGElement>(`[data-key="${next}"]`);
        other?.focus();
        if (other && picked !== undefined)
            pick(String(next));
    } else
        return;
    event.preventDefault();
});

// Reasons

function addReason({ code, what, why, advice, page }: DistributionMap["reasons"][number]): HTMLElement {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = `${what} [${code}]`;
    const words = document.createElement("p");
    words.textContent = `${why} ${advice} `;
    if (page.startsWith("http") || page.startsWith("file:")) {
        const link = document.createElement("a");
        link.href = page;
        link.textContent = "more";
        words.append(link);
    }
    details.append(summary, words);
    return details;
}

function showMap({ map, choices, svg }: Extract<ToPage, { type: "map" }>): void {
    chosen = choices;
    const focused = document.activeElement?.getAttribute("data-key");
    fillForm(map);
    picture.innerHTML = svg;
    pick(picked !== undefined && Number(picked) < map.nodes ? picked : undefined);
    if (focused)
        picture.querySelector<SVGElement>(`[data-key="${focused}"]`)?.focus();
    element("reasons").replaceChildren(...map.reasons.map(addReason));
}

window.addEventListener("message", (event: MessageEvent<ToPage>) => {
    const message = event.data;
    element("words").textContent = message.type === "words" ? message.text : "";
    if (message.type === "map")
        showMap(message);
});
api.postMessage({ type: "ready" });
