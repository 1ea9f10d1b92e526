import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { treeIdOf } from "@/server/harness";
import { sampleHarness } from "@/server/harness/testing/sample-harness";
import type { ChatModel } from "@/server/models/contract";
import { augment } from "./augment";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
import { readParts } from "./read-parts";
import { refuseRewriting } from "./rewritable-texts";
import { createRewriter } from "./rewrite-by-model";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Asked {
	id: number;
	text: string;
	lastAnswerRefused?: string;
}

/** A model whose answer for each text is made by a function; null leaves the text out. */
function modelOf(answer: (asked: Asked) => string[] | null, fingerprint = "m1") {
	const requests: Asked[][] = [];
	const model: ChatModel = {
		describe: () => ({ name: "m", fingerprint, deterministic: true }),
		async complete({ messages }) {
			const { texts } = JSON.parse(String(messages.at(-1)?.content)) as { texts: Asked[] };
			requests.push(texts);
			const said = texts.flatMap((one) => {
				const ways = answer(one);
				return ways ? [{ id: one.id, ways }] : [];
			});
			return {
				content: JSON.stringify({ texts: said }),
				toolCalls: [],
				reasoning: null,
				usage: { prompt: 1, completion: 1, reasoning: 0 },
				finishReason: "stop",
				latencyMs: 1,
				cached: false,
				requestHash: "h",
			};
		},
	};
	return { model, requests };
}

const files = sampleHarness();
const harness = { files, treeId: treeIdOf(files) };
const signal = new AbortController().signal;

describe("a rewriting", () => {
	const parts = readParts(
		sampleHarness({
			"skills/greeting/SKILL.md":
				"---\nname: greeting\ndescription: Greets.\n---\n- when asked for 3 cards: call look_up, then say “Hello, {{name}}”, never more\n",
		}),
		"x",
	);
	const text = "- when asked for 3 cards: call look_up, then say “Hello, {{name}}”, never more";
	it.each([
		["- when somebody wants 3 cards: call look_up and say “Hello, {{name}}”, never anything else", null],
		["- when somebody wants 3 cards: call look_up and say “Hi, {{name}}”, never more", /quotes/],
		["- when somebody wants 4 cards: call look_up and say “Hello, {{name}}”, never more", /numbers/],
		["- when somebody wants 3 cards: call look_up and say “Hello, {{name}}” and more", /prohibitions/],
		["- when somebody wants 3 cards: call find and say “Hello, {{name}}”, never more", /tools/],
		["- somebody wants 3 cards, so call look_up and say “Hello, {{name}}”, never more", /kind of line/],
		["* when somebody wants 3 cards: call look_up and say “Hello, {{name}}”, never more", /mark/],
		["- when somebody wants 3 cards:\ncall look_up and say “Hello, {{name}}”, never more", /one line/],
		["- when somebody wants 3 cards: call look_up and say “Hello, {{who}}”, never more", /placeholders|quotes/],
		[text, /nothing new/],
	])("%s", (rewriting, refusal) => {
		const reason = refuseRewriting({ text, kind: "line" }, rewriting, parts);
		if (refusal === null) expect(reason).toBeNull();
		else expect(reason).toMatch(refusal);
	});
});

describe("rewriting by a model", () => {
	it("takes over what passes, says what was wrong and asks again, and leaves the rest to the seeded paraphrase; asked once, kept for ever", async () => {
		const { model, requests } = modelOf(({ text, lastAnswerRefused }) => {
			if (text.startsWith("Greets people")) return ["Welcomes people. Meant for a hello."];
			if (text.startsWith("Looks a person")) return lastAnswerRefused ? ["Searches for someone."] : ["Finds 7 persons."];
			return null;
		});
		const rewriter = createRewriter({ db: database.db, modelFor: async () => model });
		const fingerprint = await rewriter.describe("w1");
		const ways = await rewriter.rewritingsFor("w1", harness, fingerprint, signal);
		expect(ways.get("Looks a person up.")).toEqual(["Searches for someone."]);
		expect(requests[1]?.find((one) => one.text.startsWith("Looks"))?.lastAnswerRefused).toMatch(/numbers/);
		expect([...ways.values()].filter((list) => list.length === 0).length).toBeGreaterThan(0);
		const before = requests.length;
		expect(await rewriter.rewritingsFor("w1", harness, fingerprint, signal)).toEqual(ways);
		expect(requests.length).toBe(before);

		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, []);
		envelope.skillIdentity.rewrite = { allowed: true, likelihood: 1, strength: { min: 1, max: 1 } };
		const request = { ...harness, envelope, seed: 1, keep: "everything" as const, rewritings: ways };
		const variant = augment(request);
		expect(variant.files["skills/greeting/SKILL.md"]).toContain("description: Welcomes people. Meant for a hello.");
		expect(augment(request)).toEqual(variant);
	});
	it("is not asked where there is none, and refuses another model than the one that was named", async () => {
		const { model, requests } = modelOf(() => null, "m2");
		const rewriter = createRewriter({ db: database.db, modelFor: async () => model });
		expect(await rewriter.rewritingsFor("w1", harness, null, signal)).toEqual(new Map());
		await expect(rewriter.rewritingsFor("w1", harness, "another", signal)).rejects.toMatchObject({ reason: "rewriter-changed" });
		expect(requests).toEqual([]);
		expect(await createRewriter({ db: database.db, modelFor: async () => null }).describe("w1")).toBeNull();
	});
});
