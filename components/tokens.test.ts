import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "..", "app", "tokens.css"), "utf8");

function block(start: string): Map<string, string> {
	const from = css.indexOf(start);
	if (from < 0) throw new Error(`tokens.css has no ${start}`);
	let depth = 0;
	let end = css.indexOf("{", from);
	const body = end;
	for (; end < css.length; end++) {
		if (css[end] === "{") depth++;
		if (css[end] === "}" && --depth === 0) break;
	}
	return new Map([...css.slice(body, end).matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\s*;/gi)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

const light = block(":root {");
const dark = block(':root[data-theme="dark"] {');
const systemDark = block(':root:not([data-theme="light"]) {');

function luminance(hex: string): number {
	const channel = (at: number) => {
		const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
	const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
	return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const surfaces = ["bg", "bg-sub", "bg-sunk", "bg-hover", "bg-pop"];
const text: [string, string[]][] = [
	["ink", [...surfaces, "accent-soft", "up-heat", "down-heat", "up-soft", "down-soft", "unsure-soft", "add-bg", "add-word", "del-bg", "del-word"]],
	["ink-2", [...surfaces, "accent-soft"]],
	["ink-3", surfaces],
	["accent", ["bg", "bg-sub", "bg-pop", "accent-soft"]],
	["up", ["bg", "bg-sub", "bg-pop", "up-soft"]],
	["down", ["bg", "bg-sub", "bg-pop", "down-soft"]],
	["unsure", ["bg", "bg-sub", "bg-pop", "unsure-soft"]],
	["same", ["bg", "bg-sub", "bg-pop", "same-soft"]],
	["ink-inv", ["solid"]],
	["bg", ["accent", "down"]],
	["code-str", ["bg", "add-bg", "del-bg"]],
	["code-com", ["bg"]],
];

describe.each([
	["light", light],
	["dark", dark],
])("%s theme", (_name, tokens) => {
	const value = (name: string) => {
		const hex = tokens.get(name);
		if (!hex) throw new Error(`no token --${name}`);
		return hex;
	};

	it.each(text.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))("%s on %s is at least 4.5 : 1", (ink, ground) => {
		expect(contrast(value(ink), value(ground))).toBeGreaterThanOrEqual(4.5);
	});

	it.each(["line-ctl", "accent-mark", "s-acc", "s-eff"])("%s on bg is at least 3 : 1, as a mark or a field's border", (mark) => {
		expect(contrast(value(mark), value("bg"))).toBeGreaterThanOrEqual(3);
	});
});

it("the dark theme is one, whether the system or the person chose it", () => {
	expect([...systemDark]).toEqual([...dark]);
	expect(dark.size).toBeGreaterThan(40);
});
