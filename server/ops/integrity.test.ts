import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

/*
 * The server knows no domain: what it does for a live-commerce room it does for any agent. So no word of a sample
 * workspace (product, category, skill, tool, keyword) may occur in the server's sources.
 */

const EXAMPLES = path.resolve("examples");
/** Words that are also ordinary programming or product words of the studio. */
const ORDINARY = new Set([
	"order",
	"choice",
	"usage",
	"promise",
	"price",
	"stock",
	"claims",
	"greeting",
	"category",
	"product",
	"products",
	"feedback",
	"contact",
	"account",
	"get_order",
	// A name of the workspace format.
	"_shared",
]);

function walk(folder: string, accept: (file: string) => boolean): string[] {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const full = path.join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === "generated" || entry.name === "node_modules" ? [] : walk(full, accept);
		return accept(full) ? [full] : [];
	});
}

/** Identifiers (skills, tools, handlers, ids of categories) and Chinese names (products, aliases, categories) of all samples. */
function wordsOfExamples(): string[] {
	const words = new Set<string>();
	for (const workspace of fs.readdirSync(EXAMPLES)) {
		const root = path.join(EXAMPLES, workspace);
		const manifestFile = path.join(root, "workspace.yaml");
		if (fs.existsSync(manifestFile)) {
			const manifest = parse(fs.readFileSync(manifestFile, "utf8")) as { slug: string; categories?: { id: string; title: { zh: string } }[] };
			words.add(manifest.slug);
			for (const category of manifest.categories ?? []) words.add(category.id).add(category.title.zh);
		}
		// The judge harness speaks of scores and failures: the studio's own words.
		const skills = path.join(root, "harness/skills");
		if (fs.existsSync(skills)) for (const name of fs.readdirSync(skills)) words.add(name);
		const tools = path.join(root, "harness/tools");
		if (fs.existsSync(tools)) for (const name of fs.readdirSync(tools)) words.add(name.replace(/\.yaml$/, ""));
		const handlers = path.join(root, "tools");
		if (fs.existsSync(handlers)) for (const name of fs.readdirSync(handlers)) words.add(name.replace(/\.js$/, ""));
		const products = path.join(root, "world/products.json");
		if (fs.existsSync(products))
			for (const product of Object.values(
				JSON.parse(fs.readFileSync(products, "utf8")) as Record<string, { title: string; shortTitle?: string; aliases?: string[] }>,
			))
				for (const word of [product.title, product.shortTitle, ...(product.aliases ?? [])]) if (word && [...word].length >= 2) words.add(word);
	}
	return [...words].filter((word) => word.length >= 2 && !ORDINARY.has(word));
}

describe("integrity of the server", () => {
	it("names nothing of the sample workspaces", () => {
		const words = wordsOfExamples();
		expect(words.length).toBeGreaterThan(60);
		const sources = walk(path.resolve("server"), (file) => /\.(ts|mjs)$/.test(file) && !/\.test\.ts$|\/ops\//.test(file));
		const hits: string[] = [];
		for (const file of sources) {
			const text = fs.readFileSync(file, "utf8");
			for (const word of words) {
				const found = /^[\w.-]+$/.test(word) ? new RegExp(`(?<![\\w-])${word.replaceAll(".", "\\.")}(?![\\w-])`).test(text) : text.includes(word);
				if (found) hits.push(`${path.relative(".", file)}: ${word}`);
			}
		}
		expect(hits).toEqual([]);
	});
});
