import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Tree = { [key: string]: string | Tree };

const root = join(import.meta.dirname, "..", "messages");
const areas = (locale: string) => readdirSync(join(root, locale)).sort();
const read = (locale: string, file: string) => JSON.parse(readFileSync(join(root, locale, file), "utf8")) as Tree;

function flatten(tree: Tree, prefix = ""): [string, string][] {
	return Object.entries(tree).flatMap(([key, value]) =>
		typeof value === "string" ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
	);
}

/** Names between braces and tags: what the code has to supply. */
function placeholders(text: string): string[] {
	const names = [...text.matchAll(/\{\s*(\w+)\s*[,}]/g), ...text.matchAll(/<(\w+)>/g)].map((match) => match[1] ?? "");
	return [...new Set(names)].filter((name) => Number.isNaN(Number(name))).sort(byText);
}

const byText = (a: string, b: string) => a.localeCompare(b, "en");

describe("messages", () => {
	it("cover the same areas in both languages", () => {
		expect(areas("zh")).toEqual(areas("en"));
		expect(areas("en").length).toBeGreaterThan(2);
	});

	it.each(areas("en"))("%s has the same keys and placeholders in both languages", (file) => {
		const en = new Map(flatten(read("en", file)));
		const zh = new Map(flatten(read("zh", file)));
		expect([...zh.keys()].sort(byText)).toEqual([...en.keys()].sort(byText));
		for (const [key, text] of en) {
			expect(text.trim(), `${file} ${key} (en)`).not.toBe("");
			const translated = zh.get(key) ?? "";
			expect(translated.trim(), `${file} ${key} (zh)`).not.toBe("");
			// A plural that only English needs may drop its number words, never a name that the code supplies.
			expect(placeholders(translated), `${file} ${key}`).toEqual(placeholders(text));
		}
	});

	it.each(areas("zh"))("%s uses full-width punctuation beside Chinese", (file) => {
		const offenders = flatten(read("zh", file)).filter(([, text]) => /\p{Script=Han}[,;:!?]|\p{Script=Han}\.(\s|$)/u.test(text.replaceAll(/\{[^{}]*\}/g, "")));
		expect(offenders).toEqual([]);
	});
});
