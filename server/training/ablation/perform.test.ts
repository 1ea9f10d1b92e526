import { expect, it } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation";
import { createRubricJudge } from "@/server/judge";
import type { TrainingPorts } from "../ports";
import { HAT_DEFAULTS } from "../stages/settings";
import { LAMP_CASES, LAMP_FILES, openHarness, openLampShop } from "../testing/lamp-shop";
import { performAblation } from "./perform-ablation";
import { performEditTest } from "./perform-edit-test";
import { performRoads, ROADS } from "./perform-roads";
import { summariseEditTest } from "./summarise-edit-test";

const { playground } = openLampShop();
/** The lamp shop after an edit that names what is asked. */
const EDITED = {
	...LAMP_FILES,
	"skills/parcels/SKILL.md": (LAMP_FILES["skills/parcels/SKILL.md"] ?? "")
		.replace("about parcels and days.", "about parcels, days, how long do I wait, will it be here soon.")
		.replace("When someone asks when it comes:", "When someone asks when it comes, how long do I wait, will it be here soon:"),
};
const [dev, test] = [LAMP_CASES.slice(0, 6), LAMP_CASES.slice(6)];
const ports = {
	readTrainingCases: async () => ({ dev: dev.slice(0, 2), pool: dev }),
	readMeasuredCases: async () => test,
	currentSuiteVersion: async () => "suite-1",
	currentEnvelope: async () => ({ version: 0, content: DEFAULT_ENVELOPE }),
	currentBundle: async () => null,
	resolveHarness: async (_workspaceId: string, what: string) => ({ treeId: what, commit: what }),
	loadFiles: async (treeId: string) => (treeId === "edited" ? EDITED : LAMP_FILES),
	openHarness: async (files: typeof LAMP_FILES) => openHarness(files),
	openScene: async () => playground,
	judges: async () => ({ evaluation: { name: "judge-1", fingerprint: "other" }, rubric: createRubricJudge() }),
	generalData: () => null,
} as unknown as TrainingPorts;
const settings = {
	...HAT_DEFAULTS,
	variants: 2,
	sft: { ...HAT_DEFAULTS.sft, epochs: 2 },
	rl: { ...HAT_DEFAULTS.rl, iterations: 1, prompts: 2, group: 2 },
};
const signal = new AbortController().signal;

it("measures an ablation on test, or on dev where settings are tried out, and says what it is about", async () => {
	const ask = (split: "dev" | "test") =>
		performAblation(ports, { workspaceId: "w", harness: "main", parts: [{ seed: 1, recipe: "fixed" }], split, settings, signal });
	const [onTest, onDev] = [await ask("test"), await ask("dev")];
	expect(onTest.about).toMatchObject({
		harness: { treeId: "main" },
		general: false,
		cases: { measured: test.length, dev: 2 },
		groups: test.map((one) => one.groupKey),
	});
	expect(onTest.about.cases.sft + onTest.about.cases.rl).toBe(dev.length);
	expect(onDev.about.cases.measured).toBe(2);
	for (const { measured } of onTest.rows) for (const scores of Object.values(measured.rows)) expect(scores).toHaveLength(test.length);
});

it("lets policies that were trained before an edit act under what the harness became", async () => {
	const ask = (after: string) => performEditTest(ports, { workspaceId: "w", before: "main", after, seeds: 1, split: "test", settings, signal });
	const { about, rows } = await ask("edited");
	expect(about).toMatchObject({ before: "main", after: "edited", cases: test.length });
	expect(rows.map(({ policy, seed }) => [policy, seed])).toEqual([
		["base", 0],
		["fixed", 1],
		["hat", 1],
	]);
	const base = summariseEditTest(rows, about.groups).effects[0];
	expect(base?.fixed.value).toBeGreaterThan(0);
	for (const row of (await ask("main")).rows) expect(row.after).toEqual(row.before);
});

it("takes every road through a history: what is trained once stays, what is trained again knows the edit, and all is paid for", async () => {
	const { about, rows } = await performRoads(ports, { workspaceId: "w", harnesses: ["main", "edited"], seeds: 1, split: "test", settings, signal });
	expect(about).toMatchObject({ harnesses: [{ treeId: "main" }, { treeId: "edited" }], cases: { measured: test.length } });
	expect(new Set(rows.map(({ road }) => road))).toEqual(new Set(ROADS));
	for (const { t1, t2, messageMs } of rows) {
		for (const scores of [...t1, ...t2]) expect(scores).toHaveLength(test.length);
		expect(messageMs).toHaveLength(2 * (test.length - 1));
	}
	const trained = Object.fromEntries(rows.map(({ road, trainingSeconds }) => [road, trainingSeconds.map((seconds) => seconds > 0)]));
	expect(trained).toEqual({
		...{ "hat-once": [true, false], "fixed-once": [true, false], retrain: [true, true] },
		...{ "adapt-entropy": [true, false], "adapt-harness": [true, false] },
	});
	const of = (road: string) => rows.find((row) => row.road === road);
	// Until the first edit retraining is the training that stays.
	expect(of("retrain")?.t1[0]).toEqual(of("fixed-once")?.t1[0]);
});
