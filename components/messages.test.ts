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

/** Where the brace that opens at `from` closes. */
function closing(text: string, from: number): number {
	let depth = 0;
	for (let at = from; at < text.length; at++) {
		if (text[at] === "{") depth++;
		if (text[at] === "}" && --depth === 0) return at;
	}
	throw new Error(`unbalanced braces: ${text}`);
}

/** Names that the code has to supply: arguments and tags, also those inside the branches of a plural; not a branch's words. */
function placeholders(text: string): string[] {
	const names = new Set([...text.matchAll(/<(\w+)>/g)].map((match) => match[1] ?? ""));
	for (let at = text.indexOf("{"); at >= 0; ) {
		const end = closing(text, at);
		const [name = "", kind = ""] = text.slice(at + 1, end).split(",", 2);
		names.add(name.trim());
		if (/^\s*(plural|select|selectordinal)\s*$/.test(kind)) {
			const branches = text.slice(text.indexOf(",", text.indexOf(",", at) + 1) + 1, end);
			for (let open = branches.indexOf("{"); open >= 0; open = branches.indexOf("{", closing(branches, open))) {
				for (const inner of placeholders(branches.slice(open + 1, closing(branches, open)))) names.add(inner);
			}
		}
		at = text.indexOf("{", end);
	}
	return [...names].sort(byText);
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
