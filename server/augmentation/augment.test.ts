import { describe, expect, it } from "vitest";
import { treeIdOf } from "@/server/harness";
import type { HarnessFiles } from "@/server/harness/contract";
import { sampleHarness } from "@/server/harness/testing/sample-harness";
import { augment } from "./augment";
import { HELD_OUT_BOOK } from "./books/held-out";
import { TRANSFORMS_BOOK } from "./books/transforms";
import type { Envelope, Keep } from "./contract";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
import type { PhraseBook } from "./phrase-book";
import { checkVariant, lostBy, read } from "./testing/check-variant";
import { keepOf, loadSamples } from "./testing/sample-cases";

const VARIANTS = 200;
const ALL: Envelope = narrowEnvelope(DEFAULT_ENVELOPE, ["skillIdentity", "skillContent", "tools", "prompts", "hooks"]);
const vary = (files: HarnessFiles, seed: number, envelope = ALL, keep: Keep = "everything") => augment({ files, envelope, seed, keep });

const samples = await loadSamples();

describe("variants of the sample harnesses", () => {
	for (const { name, files, cases } of samples) {
		const original = read({ files });
		it.each([
			["transforms", VARIANTS],
			["held-out", VARIANTS / 5],
		] as const)(
			`${name}: words of %s, %i variants, each with all cases`,
			(book, count) => {
				for (let seed = 0; seed < count; seed++) {
					// Every third one may mask what a case does not need; that one alone is then asked for.
					const one = seed % 3 === 0 ? cases[(seed * 7) % Math.max(1, cases.length)] : undefined;
					const keep: Keep = one ? keepOf(original, one) : "everything";
					const request = { files, treeId: original.treeId, envelope: DEFAULT_ENVELOPE, seed, keep, book };
					const variant = augment(request);
					expect(JSON.stringify(augment(request))).toBe(JSON.stringify(variant));
					const harness = checkVariant(original, variant, keep);
					expect((one ? [one] : cases).flatMap((each) => lostBy(original, harness, variant, each))).toEqual([]);
				}
			},
			180_000,
		);
		it(`${name}: differs, by seed and from the original`, () => {
			const trees = new Set(Array.from({ length: 50 }, (_, seed) => treeIdOf(vary(files, seed).files)));
			expect(trees.size).toBe(50);
			expect(trees.has(original.treeId)).toBe(false);
		});
	}
});

describe("augment", () => {
	it("leaves a harness as it is where nothing is allowed", () => {
		const files = sampleHarness();
		const { files: after, log } = vary(files, 1, narrowEnvelope(DEFAULT_ENVELOPE, []));
		expect(after).toEqual(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))));
		expect(log).toEqual([]);
	});

	it("replaces each masked skill by one that does not help, and keeps what must survive", () => {
		const skill = (name: string) =>
			`---\nname: ${name}\ndescription: About ${name}.\nmetadata:\n  type: reply\n---\n- when asked for ${name}: answer “${name}”\n`;
		const files = sampleHarness({ "skills/apples/SKILL.md": skill("apples"), "skills/pears/SKILL.md": skill("pears") });
		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, []);
		envelope.skillIdentity.mask = { allowed: true, likelihood: 1, strength: { min: 1, max: 1 } };
		const { files: after, mapping } = vary(files, 1, envelope, { skills: ["pears"], rules: [], tools: [] });
		const skills = Object.keys(after).filter((path) => path.startsWith("skills/"));
		expect(skills).toHaveLength(3);
		expect(after["skills/pears/SKILL.md"]).toBe(files["skills/pears/SKILL.md"]);
		expect(mapping.removed.skills.sort()).toEqual(["apples", "greeting"]);
		expect(mapping.added.skills).toHaveLength(2);
	});

	it("follows a renamed tool, skill and argument into skills, prompts, hooks and templates' neighbours, and leaves quotes alone", () => {
		const files = sampleHarness({
			"tools/look_up.yaml": (sampleHarness()["tools/look_up.yaml"] as string).replaceAll("{ id: {", "{ cardId: {").replaceAll("[id]", "[cardId]"),
			"skills/greet-people/SKILL.md":
				"---\nname: greet-people\ndescription: Greets by name.\n---\n- when someone says hello: call look_up with cardId, then answer “look_up says {{name}}”\n",
			"prompts/style.md": "---\ntitle: Style\n---\nLoad greet-people first. Call `look_up` for {{ room.title }}.\n",
			"hooks/20-check.js":
				'export default {\n\ton: "tool-call",\n\trun({ tool, args }) {\n\t\treturn tool === "look_up" && !args.cardId ? retry("look_up needs cardId; see greet-people.") : pass();\n\t},\n};\n',
		});
		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, []);
		for (const transform of [envelope.tools.rename, envelope.tools.arguments, envelope.skillIdentity.rename])
			Object.assign(transform, { allowed: true, likelihood: 1, strength: { min: 1, max: 1 } });
		const { files: after, mapping } = vary(files, 4, envelope);
		const [tool, argument, skill] = [mapping.tools.look_up, mapping.arguments.cardId, mapping.skills["greet-people"]] as [string, string, string];
		expect([tool, argument, skill]).not.toEqual(expect.arrayContaining(["look_up"]));
		expect([argument, skill].some((name) => ["cardId", "greet-people"].includes(name))).toBe(false);
		expect(after[`skills/${skill}/SKILL.md`]).toContain(`call ${tool} with ${argument}, then answer “look_up says {{name}}”`);
		expect(after["prompts/style.md"]).toContain(`Load ${skill} first. Call \`${tool}\` for {{ room.title }}.`);
		expect(after["hooks/20-check.js"]).toContain(`tool === "${tool}" && !args.cardId ? retry("${tool} needs ${argument}; see ${skill}.")`);
		expect(after[`tools/${tool}.yaml`]).toContain(`arguments: { ${argument}: "cardId" }`);
	});

	it("leaves a name alone that a sentence uses as a word, and a tool that a hook may mean by its handler", () => {
		const files = sampleHarness({
			"hooks/20-check.js":
				'export default {\n\ton: "tool-call",\n\trun({ tool, handler }) {\n\t\treturn tool === "look_up" || handler === "look_up" ? pass() : retry("no");\n\t},\n};\n',
			"prompts/style.md": "---\ntitle: Style\n---\nBegin with a greeting when it fits.\n",
		});
		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, ["tools", "skillIdentity"]);
		for (const transform of [envelope.tools.rename, envelope.skillIdentity.rename]) transform.strength = { min: 1, max: 1 };
		const { mapping, log } = vary(files, 4, envelope);
		expect(mapping.tools.look_up).toBe("look_up");
		expect(mapping.skills.greeting).toBe("greeting");
		expect(log.filter((entry) => entry.because === "left-alone").map((entry) => entry.component)).toEqual(
			expect.arrayContaining(["tool:look_up", "skill:greeting"]),
		);
	});

	it("moves a limit in the manifest, in a prompt that types it, and not at all where a hook has typed it", () => {
		const typed = { "prompts/style.md": "---\ntitle: Style\n---\nKeep replies within 80 characters.\n" };
		const perturbed = Array.from({ length: 40 }, (_, seed) => vary(sampleHarness(typed), seed)).filter(
			({ mapping }) => mapping.constraints.replyMaxChars?.to !== 80,
		);
		expect(perturbed.length).toBeGreaterThan(20);
		for (const { files, mapping } of perturbed) {
			const { to } = mapping.constraints.replyMaxChars as { to: number };
			expect(files["prompts/style.md"]).toContain(`${to} characters`);
			expect(files["harness.yaml"]).toContain(`value: ${to},`);
		}
		const hook = (sampleHarness()["hooks/10-length.js"] as string).replace("constraints.replyMaxChars", "80");
		for (let seed = 0; seed < 20; seed++)
			expect(vary(sampleHarness({ "hooks/10-length.js": hook }), seed).mapping.constraints.replyMaxChars).toEqual({ from: 80, to: 80 });
	});

	it("refuses a harness that does not validate", () => {
		expect(() => vary(sampleHarness({ "harness.yaml": null }), 1)).toThrow(/not valid/);
	});
});

describe("the two phrase books", () => {
	const entriesOf = ({ zh, en, nameParts, namePrefixes, nameSuffixes }: PhraseBook): string[] =>
		[
			...[zh, en].flatMap((book) => [
				...Object.values(book.synonyms).flat(),
				...book.ruleHeads,
				...book.prohibitionHeads,
				...book.hookFrames,
				...[...book.distractors, ...book.noise].flatMap((skill) => [skill.name, skill.description, skill.title, ...skill.rules]),
			]),
			...Object.values(nameParts).flat(),
			...namePrefixes,
			...nameSuffixes,
		].map((entry) => entry.toLowerCase());

	it("share no entry", () => {
		const [first, second] = [entriesOf(TRANSFORMS_BOOK), new Set(entriesOf(HELD_OUT_BOOK))];
		expect(first.length).toBeGreaterThan(150);
		expect(second.size).toBeGreaterThan(150);
		expect(first.filter((entry) => second.has(entry))).toEqual([]);
		expect([...TRANSFORMS_BOOK.opaque].filter((letter) => HELD_OUT_BOOK.opaque.includes(letter))).toEqual([]);
	});
	it("frame a hook's message without quotation marks and digits, which policies read", () => {
		for (const book of [TRANSFORMS_BOOK, HELD_OUT_BOOK])
			for (const frame of [...book.zh.hookFrames, ...book.en.hookFrames]) expect(frame).toMatch(/^[^"“”「」\d]*\{\}[^"“”「」\d]*$/u);
	});
});
