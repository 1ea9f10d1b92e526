import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY, type LampShop, olga, openLampShop, readEpisodes, runDev, untilDone } from "./testing/lamp-shop";

/* Policy and judge behind an endpoint: the real services, a real database, real HTTP to a process that plays the model. */

let shop: LampShop;
beforeAll(async () => {
	shop = await openLampShop();
});
afterAll(() => shop.close());

const messages = (language: string) => JSON.parse(fs.readFileSync(`messages/${language}/errors.json`, "utf8")) as Record<string, string>;
const translated = { en: messages("en"), zh: messages("zh") };

describe("policy and judge over HTTP", () => {
	it("run and score the cases: the key arrives, the judge looks facts up, three votes each", async () => {
		const { run, episodes, log } = await runDev(shop, {});
		expect(run).toMatchObject({ valid: 4, infraErrors: 0 });
		expect(episodes.b1).toMatchObject({ row: { accuracy: 1, effectiveness: 1, reply: "It has 9 watts." }, verdict: { engine: "studio model" } });
		expect(episodes.b2).toMatchObject({ row: { accuracy: 1, effectiveness: 1, reply: "It has 5 watts." } });
		expect(episodes.g1).toMatchObject({ row: { accuracy: 1, effectiveness: 0 }, verdict: { failureType: "missing-point" } });
		expect(episodes.g1?.verdict?.evidence).toContainEqual(expect.objectContaining({ kind: "llm", ok: false, rule: "the request is answered" }));
		expect(new Set(log.map((entry) => entry.headers.authorization))).toEqual(new Set([`Bearer ${KEY}`]));
		const votes = log.filter((entry) => JSON.stringify(entry.body.messages).includes("<points>"));
		// A vote on a number is two requests: the look-up and the verdict.
		expect(votes).toHaveLength(2 * 3 * 2 + 2 * 3);
		expect(JSON.stringify(votes[0]?.body.messages)).toContain("look it up with look_fact");
		expect(JSON.stringify([run, episodes])).not.toContain(KEY);
		// What the judge's model took is counted, and is the estimate of the next run under it.
		const { judge } = (await shop.services.evaluation.progress(run.id)).tokens;
		expect(judge).toBe(Object.values(episodes).reduce((sum, { verdict }) => sum + (verdict?.tokens ?? 0), 0));
		expect(judge).toBeGreaterThan(0);
		expect((await runDev(shop, {})).run.estimate?.judgeTokens).toBe(judge);
	});

	it.each([
		["wrong-tool", "There is no tool"],
		["unknown-arguments", "not valid"],
		["broken-arguments", "not JSON"],
	])("policy %s: the model reads what was wrong and goes on", async (policy, error) => {
		const { run, episodes } = await runDev(shop, { policy });
		expect(run.valid).toBe(4);
		expect(episodes.b1).toMatchObject({ row: { accuracy: 1, effectiveness: 1, reply: "It has 9 watts." } });
		expect(episodes.b1?.trajectory?.steps).toContainEqual(expect.objectContaining({ type: "tool", ok: false, error: expect.stringContaining(error) }));
	});

	it.each([
		["stubborn", "deadline"],
		["rambles", "blocked"],
	])("policy %s ends by the harness's own limits, as a failure with its type", async (policy, failureType) => {
		const { run, episodes } = await runDev(shop, { policy });
		expect(run).toMatchObject({ valid: 4, infraErrors: 0 });
		expect(episodes.b1).toMatchObject({ row: { outcome: failureType, accuracy: 0, effectiveness: 0, failureType } });
	});

	it("a reply that addresses the judge is a finding against it, even where the judge believes it", async () => {
		const { episodes } = await runDev(shop, { policy: "addresses-judge", judge: "believes" });
		for (const one of Object.values(episodes)) {
			expect(one.row).toMatchObject({ outcome: "replied", accuracy: 0, failureType: "addresses-judge" });
			expect(one.verdict?.evidence).toContainEqual(
				expect.objectContaining({ kind: "addresses-judge", ok: false, sentence: expect.stringContaining("full marks") }),
			);
		}
	});

	it.each(["limited", "broken", "halfjson", "reset"])("%s that passes is not noticed", async (fault) => {
		expect((await runDev(shop, { policy: `flaky:${fault}`, judge: `flaky:${fault}` })).run).toMatchObject({ valid: 4, infraErrors: 0 });
	});
});

describe("an endpoint that fails", () => {
	const cases: [role: "policy" | "judge", mode: string, reason: string][] = [
		["policy", "html", "endpoint-html"],
		["policy", "halfjson", "endpoint-not-json"],
		["policy", "limited", "endpoint-rate-limited"],
		["policy", "endless", "endpoint-endless"],
		["policy", "refused", "endpoint-key-refused"],
		["policy", "silent", "endpoint-timeout"],
		["judge", "html", "endpoint-html"],
		["judge", "halfjson", "endpoint-not-json"],
		["judge", "broken", "judge-unreadable"],
		["judge", "rambles", "judge-unreadable"],
	];
	it.each(cases)("%s %s is an infrastructure error with a reason, never a score, and is retried", async (role, mode, reason) => {
		const { services, workspaceId } = shop;
		const { run, episodes } = await runDev(shop, { [role]: mode });
		expect(run).toMatchObject({ valid: 0, infraErrors: 4 });
		for (const one of Object.values(episodes)) {
			expect(one.row).toMatchObject({ verdict: "infra-error", accuracy: null, effectiveness: null });
			expect(one.row.error).toBeTruthy();
			const last = one.trajectory?.steps.at(-1);
			expect(last).toMatchObject({ type: "error", reason });
			// What the policy said is kept where only its judge failed.
			expect(one.trajectory?.reply === null).toBe(role === "policy");
		}
		expect(translated.en[reason]).toBeTruthy();
		expect(translated.zh[reason]).toBeTruthy();
		expect(JSON.stringify(episodes)).not.toContain(KEY);
		await shop.play({});
		await services.evaluation.control(workspaceId, run.id, "retry-errors", olga);
		expect(await untilDone(services, workspaceId, run.id)).toMatchObject({ valid: 4, infraErrors: 0 });
		expect((await readEpisodes(shop, run.id)).b1?.row).toMatchObject({ accuracy: 1, effectiveness: 1 });
	});
});

describe("a judge that answers badly", () => {
	it("without a majority gives the lower score", async () => {
		const { episodes } = await runDev(shop, { judge: "split" });
		expect(episodes.b1?.row).toMatchObject({ accuracy: 1, effectiveness: 0 });
	});

	it.each(["prose", "off-scale", "one-broken", "wrong-tool"])("%s: what can be read is read, what cannot is discarded", async (judge) => {
		const { run, episodes } = await runDev(shop, { judge });
		expect(run).toMatchObject({ valid: 4, infraErrors: 0 });
		expect(episodes.b1?.row).toMatchObject({ accuracy: 1, effectiveness: 1 });
		expect(episodes.g1?.row).toMatchObject({ accuracy: 1, effectiveness: 0 });
	});
});
