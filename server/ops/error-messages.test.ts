import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/* Whatever the server refuses or reports by a slug is read by people in two languages. */

type Messages = Record<string, string>;
const read = (language: string) => JSON.parse(fs.readFileSync(`messages/${language}/errors.json`, "utf8")) as Messages;
const english = read("en");
const chinese = read("zh");

function sources(folder: string): string[] {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const full = path.join(folder, entry.name);
		if (entry.isDirectory()) return ["generated", "node_modules", "testing"].includes(entry.name) ? [] : sources(full);
		return /(?<!\.test)\.ts$/.test(entry.name) ? [full] : [];
	});
}

/** The text between the bracket that ends at `from` and the one that closes it. */
function bracketed(text: string, from: number): string {
	let depth = 1;
	let at = from;
	for (; depth > 0 && at < text.length; at++) {
		if (text[at] === "(") depth++;
		if (text[at] === ")") depth--;
	}
	return text.slice(from, at);
}

/** Slugs that an expression may give: a literal, or the branches of a choice. */
const literalsOf = (expression: string): string[] => [...expression.matchAll(/(?:^|[?:])\s*"([a-z0-9-]+)"/g)].map((match) => match[1] as string);

/** Slugs that the arguments of an AppError give. */
const reasonOf = (call: string): string[] => [...call.matchAll(/\breason:\s*([^,}]+)/g)].flatMap((match) => literalsOf((match[1] ?? "").trim()));

/** Slugs of AppErrors, and of reasons that are stored with their params for a screen. */
function reasonsIn(text: string): string[] {
	const errors = [...text.matchAll(/new AppError\(/g)].flatMap((match) => reasonOf(bracketed(text, match.index + match[0].length)));
	const stored = [...text.matchAll(/\breason:\s*([^,{}]+),\s*params\b/g)];
	return [...errors, ...stored.flatMap((match) => literalsOf((match[1] ?? "").trim()))];
}

const placeholders = (message: string): string[] => [...new Set([...message.matchAll(/\{(\w+)(?=[,}])/g)].map((match) => match[1] as string))].sort();

describe("messages of errors", () => {
	it("finds slugs where they are, and nothing else", () => {
		expect(reasonsIn('throw new AppError("upstream", f("x"), { reason: "a-b" }); startRun({ reason: "manual" });')).toEqual(["a-b"]);
		expect(reasonsIn('startRun({ reason: "manual", seed: 1 })')).toEqual([]);
		expect(reasonsIn('new AppError(c, m, { reason: kind === "html" ? "is-html" : "is-other" })')).toEqual(["is-html", "is-other"]);
		expect(reasonsIn('notice: { reasons: [{ reason: "engine-x", params: { engine } }] }')).toEqual(["engine-x"]);
	});

	const known = new Set(sources("server").flatMap((file) => reasonsIn(fs.readFileSync(file, "utf8"))));

	it("exist for every reason of the server, in both languages", () => {
		expect(known.size).toBeGreaterThan(150);
		expect([...known].filter((reason) => !(reason in english)).sort()).toEqual([]);
		expect([...known].filter((reason) => !(reason in chinese)).sort()).toEqual([]);
	});

	/** What the transport refuses is read on a page, whoever asks: its next step too. */
	it("say what to do next in both languages, where the transport says it", () => {
		const fixes = sources("server/trpc").flatMap((file) => {
			const text = fs.readFileSync(file, "utf8");
			return [...text.matchAll(/new AppError\(/g)]
				.map((match) => bracketed(text, match.index + match[0].length))
				.filter((call) => /\bfix:/.test(call))
				.flatMap(reasonOf);
		});
		expect(fixes).toContain("workspace-unknown");
		expect(fixes.filter((reason) => !(`${reason}-fix` in english))).toEqual([]);
	});

	it("are the same set in both languages and name the same values", () => {
		expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
		const different = Object.keys(english).filter((key) => placeholders(english[key] ?? "").join() !== placeholders(chinese[key] ?? "").join());
		expect(different).toEqual([]);
	});
});
