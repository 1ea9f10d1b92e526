import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";

/** A value of a YAML text that a variant may write anew; everything between slots stays byte for byte. */
export interface Slot {
	/** Path, joined by `/`. A mapping's own key ends in `#key`. */
	key: string;
	start: number;
	end: number;
	value: string;
}

export interface SlottedYaml {
	text: string;
	slots: Slot[];
}

const nodeRange = (node: unknown): readonly [number, number] | null => {
	const range = (node as Node | null)?.range;
	return range ? [range[0], range[1]] : null;
};

/** Finds the slots whose path `wanted` accepts. The text must be valid YAML (it comes from a harness that validated). */
export function slotYaml(text: string, wanted: (key: string) => boolean): SlottedYaml {
	const document = parseDocument(text, { schema: "core", logLevel: "silent" });
	const slots: Slot[] = [];
	const add = (node: unknown, key: string) => {
		const range = nodeRange(node);
		if (!range || !isScalar(node) || !wanted(key)) return;
		// A block scalar's range ends behind its last line break, which is not part of the value's place.
		const tail = /\s*$/u.exec(text.slice(range[0], range[1]))?.[0].length ?? 0;
		slots.push({ key, start: range[0], end: range[1] - tail, value: String(node.value) });
	};
	const walk = (node: unknown, path: string) => {
		if (isScalar(node)) add(node, path);
		else if (isMap(node))
			for (const { key, value } of node.items) {
				const at = `${path}${path === "" ? "" : "/"}${String(isScalar(key) ? key.value : key)}`;
				add(key, `${at}#key`);
				walk(value, at);
			}
		else if (isSeq(node)) for (const [i, item] of node.items.entries()) walk(item, `${path}/${i}`);
	};
	walk(document.contents, "");
	return { text, slots: slots.sort((a, b) => a.start - b.start) };
}

/** Source texts of the items of a sequence, with their places. */
export function sequenceItems(text: string, key: string): { start: number; end: number; source: string }[] {
	const document = parseDocument(text, { schema: "core", logLevel: "silent" });
	const node: unknown = document.get(key, true);
	if (!isSeq(node)) return [];
	return node.items.flatMap((item) => {
		const range = nodeRange(item);
		return range ? [{ start: range[0], end: range[1], source: text.slice(range[0], range[1]).trimEnd() }] : [];
	});
}

const PLAIN = /^[\p{L}][^\n#:"'{}[\],&*!|>%@`\\]*$/u;
const WORD_OF_YAML = /^(?:true|false|null|yes|no|on|off|nan|inf)$/iu;

/** A string as YAML writes it in any place: plain where that is safe, else in double quotes. */
const scalar = (value: string): string => (PLAIN.test(value) && value.trim() === value && !WORD_OF_YAML.test(value) ? value : JSON.stringify(value));

/** The text with new values; what did not change keeps its own way of being written. Numbers are written as they are. */
export function fillSlots({ text, slots }: SlottedYaml, values: ReadonlyMap<string, string>, raw: ReadonlySet<string> = new Set()): string {
	let result = "";
	let at = 0;
	for (const { key, start, end, value } of slots) {
		const next = values.get(key);
		if (next === undefined || next === value) continue;
		result += text.slice(at, start) + (raw.has(key) ? next : scalar(next));
		at = end;
	}
	return result + text.slice(at);
}
