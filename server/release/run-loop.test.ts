import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { EvolutionService } from "@/server/evolution";
import { createEvolutionWorld, type EvolutionWorld } from "@/server/evolution/testing/evolution-world";
import { AppError } from "@/server/kernel/errors";
import type { ReleaseService } from "./release-service";
import { runLoop } from "./run-loop";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
beforeAll(async () => {
	world = await createEvolutionWorld();
});
/** A worker that is still at work when its loop has ended. */
let working: Promise<unknown> = Promise.resolve();
afterAll(async () => {
	await working;
	await world.close();
});

const outcome = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);

/** What a loop needs that releases nothing. */
const servicesWith = (evolution: EvolutionService, settings = { allowUnattended: true }) => ({
	evolution,
	release: {} as ReleaseService,
	workspace: { getById: async () => ({ language: "en", slug: "test", settings }) },
	notifier: {
		// A worker of this test: delivers events and runs tasks whenever the loop waits.
		async *changes(_keys: readonly string[], signal: AbortSignal) {
			while (!signal.aborted) {
				working = world.deliver().then(() => world.runTasks());
				await working;
				yield;
			}
		},
	},
});
const optionsOf = () => ({
	workspaceId: world.workspaceId,
	rounds: 2,
	seed: 3,
	unattended: true,
	release: false,
	signal: new AbortController().signal,
});

/** An editor that adds these lines one after the other; null stands for an engine with nothing to say. */
function editsAre(...lines: (string | null)[]) {
	world.setEditor(async (input) => {
		const line = lines.shift();
		const path = "prompts/role.md";
		const value = line
			? {
					changes: { [path]: `${input.files[path]}${line}\n` },
					manifest: { summary: line, failurePattern: "", files: [], predictedFixes: ["dev-052", "dev-053"], predictedBreaks: [] },
				}
			: null;
		return { engine: "test-editor", notice: null, value };
	});
}

describe("the unattended loop", () => {
	it("is refused without the flag or without an admin's leave, and marks what it does", async () => {
		const { workspaceId } = world;
		const settings = { allowUnattended: false };
		const services = servicesWith(world.evolution, settings);
		const options = optionsOf();
		expect(await outcome(runLoop(services, options))).toBe("unattended-forbidden");
		settings.allowUnattended = true;
		expect(await outcome(runLoop(services, { ...options, unattended: false }))).toBe("unattended-forbidden");

		// The first does what it predicts; the second breaks; the third gains, and not where it said: luck, which is not landed.
		editsAre("fix 86..96", "break 0..3", "fix 96..99", null);
		const report = await runLoop(services, options);
		expect(report.rounds.map((r) => r.name)).toEqual(["base", "Evo.1"]);
		expect(report.rounds[1]?.proposals.map((p) => [p.status, p.unattended, p.engine])).toEqual([
			["landed", true, "test-editor"],
			["rejected", true, "test-editor"],
		]);
		expect(report.rounds[1]?.verdicts?.againstBaseline.accuracy.delta).toBeCloseTo(10, 5);
		expect(report.recommended).toBe("Evo.1");
		expect(report.notes).toEqual(["Evo.2: of 1 proposal evaluated none was worth landing; the loop ends."]);
		const luck = (await world.evolution.proposals({ workspaceId, status: ["rejected"] }))[0];
		expect(luck?.avgDelta).toBeGreaterThan(0);
		const why = await world.evolution.proposal({ workspaceId, proposal: luck?.id ?? "", viewer: { id: "x", roles: ["reviewer"] } });
		expect(why.reviews[0]?.body).toContain("what it predicted did not happen");
		expect(report.release).toBeNull();
		const proposals = await world.evolution.proposals({ workspaceId, status: ["landed"] });
		const unattended = proposals.filter((p) => p.unattended);
		expect(unattended).toHaveLength(1);
		const detail = await world.evolution.proposal({ workspaceId, proposal: unattended[0]?.id ?? "", viewer: { id: "x", roles: ["reviewer"] } });
		expect(detail.authors.map((a) => a.id)).toEqual(["service:loop-editor"]);
		expect(detail.landedBy?.id).toBe("service:loop-reviewer");
		expect(detail.reviews).toMatchObject([{ verdict: "approve", unattended: true }]);
	});

	it("waits while the database is away for a moment", async () => {
		editsAre(null);
		let away = 1;
		const evolution = {
			...world.evolution,
			rounds: async (id: string) => {
				if (away-- > 0) throw Object.assign(new Error("the server is gone"), { code: "P1001" });
				return world.evolution.rounds(id);
			},
		};
		const report = await runLoop(servicesWith(evolution), optionsOf());
		expect(report).toMatchObject({ interrupted: null, rounds: [{ name: "base" }] });
		expect(away).toBeLessThan(0);
	});

	it("reports the finished rounds when a step is refused, and says why it ended", async () => {
		editsAre(null);
		const refused = new AppError("unavailable", "The studio's database does not answer.", { reason: "database-unavailable", fix: "Try again in a moment." });
		const evolution = {
			...world.evolution,
			diagnose: async () => {
				throw refused;
			},
		};
		const report = await runLoop(servicesWith(evolution), optionsOf());
		const why = "The studio's database does not answer. Try again in a moment.";
		expect(report).toMatchObject({ rounds: [{ name: "base" }], interrupted: why });
		expect(report.notes).toEqual([expect.stringContaining(why)]);
		evolution.diagnose = async () => {
			throw new TypeError("a bug");
		};
		await expect(runLoop(servicesWith(evolution), optionsOf())).rejects.toThrow("a bug");
	});

	it("keeps what is finished when the database does not come back", async () => {
		editsAre(null);
		const away = Object.assign(new Error("the server is gone"), { code: "P1001" });
		let gone = false;
		const refuse = async () => {
			gone = true;
			throw away;
		};
		const find: EvolutionService["find"] = async (...asked) => (gone ? refuse() : world.evolution.find(...asked));
		const report = await runLoop(servicesWith({ ...world.evolution, diagnose: refuse, find }), optionsOf());
		expect(report).toMatchObject({ rounds: [{ name: "base" }], interrupted: expect.stringContaining("does not answer") });
		expect(report.notes).toHaveLength(1);
	});
});
