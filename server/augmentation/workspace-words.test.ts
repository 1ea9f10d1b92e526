import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { augment } from "./augment";
import { TRANSFORMS_BOOK } from "./books/transforms";
import { WorkspaceWordsSchema } from "./contract";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
import { rewriteSamples, withWords } from "./workspace-words";

const WORDS = { transforms: { bright: ["luminous"], "switch off": ["put out"] }, "held-out": { bright: ["radiant"] } };

it("changes samples of what is asked, whole words and phrases, and nothing outside them", () => {
	const random = createRandom(1);
	expect(rewriteSamples("Use it for “how bright”, “Switch off”, “brightness”. A bright day.", WORDS.transforms, 1, random)).toBe(
		"Use it for “how luminous”, “put out”, “brightness”. A bright day.",
	);
	expect(rewriteSamples("“bright {{lamp}}”", WORDS.transforms, 1, random)).toBe("“bright {{lamp}}”");
});

it("stands beside the general words, by language, and makes names of single words", () => {
	const book = withWords(TRANSFORMS_BOOK, { bright: ["luminous", "full of light"], 亮: ["明"], 灯光: ["光线"] });
	expect(book.en.synonyms.bright).toEqual(["luminous", "full of light"]);
	expect(book.en.synonyms.replies).toEqual(TRANSFORMS_BOOK.en.synonyms.replies);
	expect(book.zh.synonyms).toMatchObject({ 灯光: ["光线"] });
	expect(book.nameParts.bright).toEqual(["luminous"]);
	expect(withWords(TRANSFORMS_BOOK, null)).toBe(TRANSFORMS_BOOK);
});

it("refuses two sets of words that share a way to say a thing", () => {
	expect(WorkspaceWordsSchema.safeParse(WORDS).success).toBe(true);
	expect(WorkspaceWordsSchema.safeParse({ ...WORDS, "held-out": { bright: ["Luminous"] } }).success).toBe(false);
});

it("leaves what a rule answers as it is, whatever words there are", () => {
	const files = {
		"harness.yaml":
			"apiVersion: harness/v1\nkind: agent\nname: lamps\nlimits: { maxSteps: 8, maxHookRetries: 2, deadlineMs: 15000, targetP50Ms: 4000 }\npipeline: [role, { skills: index }]\nskills: { requireReplySkill: true }\n",
		"prompts/role.md": "---\ntitle: Role\n---\nYou answer for a shop.\n",
		"skills/glow/SKILL.md":
			"---\nname: glow\ndescription: Answers questions about bright lamps. Use it for “how bright”.\nmetadata:\n  type: reply\n---\n# Light\n\n- When the message is about “how bright”: answer “It is bright enough.”\n- Never say “bright as the sun”\n",
	};
	const envelope = { ...narrowEnvelope(DEFAULT_ENVELOPE, ["skillIdentity.rewrite", "skillContent.rewrite"], true), words: WORDS };
	const text = augment({ files, envelope, seed: 3, keep: "everything" }).files["skills/glow/SKILL.md"] ?? "";
	expect(text).toContain("“how luminous”: answer “It is bright enough.”");
	expect(text).toMatch(/description: .*“how luminous”/u);
	expect(text).toContain("about luminous lamps");
	expect(text).toContain("“bright as the sun”");
	expect(augment({ files, envelope, seed: 3, keep: "everything", book: "held-out" }).files["skills/glow/SKILL.md"]).toContain("“how radiant”");
});

it.each(fs.readdirSync(path.resolve("examples")).filter((name) => fs.existsSync(path.resolve("examples", name, "words"))))(
	"holds for the words of %s",
	(name) => {
		const read = (file: string) => JSON.parse(fs.readFileSync(path.resolve("examples", name, "words", `${file}.json`), "utf8")) as unknown;
		expect(WorkspaceWordsSchema.safeParse({ transforms: read("transforms"), "held-out": read("held-out") }).error).toBeUndefined();
	},
);
