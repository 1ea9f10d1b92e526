import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { IMPORT_TEXTS } from "@/server/evaluation/cases/import-texts";
import { ENGINE_TEXTS } from "@/server/evolution/written-texts";
import { PROBLEM_RULES, PROBLEM_TEXTS } from "@/server/harness/problem-texts";
import { EVIDENCE_TEXTS } from "@/server/judge/evidence-texts";
import { RELEASE_TEXTS } from "@/server/release/written-texts";

const tables = {
	problems: PROBLEM_TEXTS,
	evidence: EVIDENCE_TEXTS,
	importNotes: IMPORT_TEXTS,
	written: { ...ENGINE_TEXTS, ...RELEASE_TEXTS },
} satisfies Record<string, Record<string, string>>;
const read = (locale: string, area: string) =>
	JSON.parse(readFileSync(join(import.meta.dirname, "..", "messages", locale, `${area}.json`), "utf8")) as Record<string, string>;
/** Parameters of a template of the server: a name between braces without a space. */
const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);

it.each(["en", "zh"])("every rule of the validator has a name in %s", (locale) => {
	const { rules } = read(locale, "harness") as unknown as { rules: Record<string, string> };
	expect(Object.keys(rules).sort()).toEqual([...PROBLEM_RULES].sort());
});

// Only what has a second form; what a failed form says it is given must be among what the rule sends.
it.each(["en", "zh"])("failed rules are said of rules that there are, with their own parameters, in %s", (locale) => {
	const texts: Record<string, string> = EVIDENCE_TEXTS;
	for (const [id, text] of Object.entries(read(locale, "evidenceFailed")))
		expect(parameters(texts[id] ?? ""), id).toEqual(expect.arrayContaining(parameters(text)));
	for (const [id, text] of Object.entries(read(locale, "evidenceFailed"))) expect(text, id).not.toBe(read(locale, "evidence")[id]);
});

describe.each(Object.entries(tables))("sentences of the server: %s", (area, texts) => {
	it.each(["en", "zh"])("are all translated to %s, and nothing else is", (locale) => {
		expect(Object.keys(read(locale, area)).sort()).toEqual(Object.keys(texts).sort());
	});

	// What a sentence needs is what the server sends: each name must arrive in the text, and no other may be asked for.
	it.each(Object.entries(texts))("%s says all that it is given", (id, text) => {
		const values = Object.fromEntries(parameters(text).map((name) => [name, `<${name}>`]));
		const english = text.replace(/\{(\w+)\}/g, (_all, name: string) => `<${name}>`);
		for (const locale of ["en", "zh"]) {
			const faults: string[] = [];
			const onError = (error: { message: string }) => void faults.push(error.message);
			const t = createTranslator({ locale, messages: read(locale, area) as never, onError }) as unknown as (
				key: string,
				values: Record<string, string>,
			) => string;
			const said = t(id, values);
			expect(faults).toEqual([]);
			for (const value of Object.values(values)) expect(said).toContain(value);
			if (locale === "en") expect(said).toBe(english);
			else expect(said).not.toBe(english);
		}
	});
});
