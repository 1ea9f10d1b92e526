import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { GatePolicySchema } from "./contract";
import { closed, createEvolutionWorld, type EvolutionWorld, landed, proposed, started } from "./testing/evolution-world";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const admin = { id: "usr_ada", name: "Ada" };
let world: EvolutionWorld;
const outcome = (promise: Promise<unknown>) => promise.then(() => "done").catch((error) => error.reason ?? error);

beforeAll(async () => {
	world = await createEvolutionWorld();
	const { evaluation } = world;
	const known = new Map([
		["t1", "sv_1"],
		["refunds", "sv_2"],
		["drafts", "sv_3"],
	]);
	evaluation.currentSuiteVersion = async (_workspace, key) => (known.has(key) ? { id: known.get(key) ?? "", key, version: 1 } : null);
	const ensureRun = evaluation.ensureRun.bind(evaluation);
	// The suite of drafts has no test case.
	evaluation.ensureRun = async (request) => {
		if (request.suiteVersionId === "sv_3") throw new AppError("precondition", "There is no case.", { reason: "run-no-cases" });
		return ensureRun(request);
	};
});
afterAll(() => world.close());

const update = (suites: Record<string, "critical" | "supporting" | "informational">, expectedVersion: number) =>
	world.evolution.updateGatePolicy({
		workspaceId: world.workspaceId,
		actor: admin,
		content: GatePolicySchema.parse({ suites }),
		reason: "Refunds matter",
		expectedVersion,
	});

describe("suites of the gate policy", () => {
	it("are added as a new version, on record with who, why, before and after", async () => {
		expect(await update({ t1: "critical", refunds: "supporting" }, 0)).toEqual({ version: 1 });
		expect(await world.evolution.gatePolicy(world.workspaceId)).toMatchObject({ version: 1, content: { suites: { t1: "critical", refunds: "supporting" } } });
		const [entry] = await world.db.auditEntry.findMany({ where: { action: "gate-policy.update" } });
		expect(entry).toMatchObject({
			actorId: admin.id,
			reason: "Refunds matter",
			detail: { before: { suites: { t1: "critical" } }, after: { suites: { t1: "critical", refunds: "supporting" } } },
		});
	});

	it("must exist in the workspace, and be added to the version that the admin saw", async () => {
		expect(await outcome(update({ t1: "critical", "no-such": "critical" }, 1))).toBe("suite-missing");
		expect(await outcome(update({ t1: "critical" }, 0))).toBe("gate-policy-changed");
		expect((await world.evolution.gatePolicies(world.workspaceId)).map((one) => one.version)).toEqual([1]);
	});

	it("run when a round closes, unless they are informational or have no test case", async () => {
		await update({ t1: "critical", refunds: "supporting", drafts: "critical" }, 1);
		const evolutionId = await started(world);
		await landed(world, await proposed(world, evolutionId, "fix 70..85\n"));
		world.evaluation.started = [];
		const round = await closed(world, evolutionId);
		expect(round?.standing).toBeTruthy();
		expect(round?.regressionRunIds).toHaveLength(1);
		expect(world.evaluation.started.map((run) => `${run.suiteVersionId}/${run.split}`)).toContain("sv_2/test");
	});
});
