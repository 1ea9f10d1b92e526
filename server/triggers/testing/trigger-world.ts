import { createTestDatabase } from "@/server/db/testing";
import type { HarnessFiles } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { createWorkspaceService, deliverPending, emitEvent } from "@/server/workspace";
import { SERVICE_ACTORS, type StudioEvent } from "@/server/workspace/contract";
import type { Action, Condition, SaveTrigger, TriggerContent } from "../contract";
import { createTriggerService, type TriggerDeps } from "../index";

export const maya = { id: "usr_maya", name: "Maya" };
export const zhou = { id: "usr_zhou", name: "Zhou Min" };

type Sent = { name: string; payload: unknown; startAfterMs: number | undefined };

/** A trigger that a test writes: everything but what it is about has the simplest value. */
export function contentOf(event: TriggerContent["event"], action: Action, rest: Partial<TriggerContent> = {}): TriggerContent {
	return { event, schedule: null, conditions: [], action, coolDownMinutes: 0, budgetPerDay: 1000, ...rest };
}
export const above = (fact: Condition["fact"], value: number): Condition => ({ fact, operator: "above", value });
export const is = (fact: Condition["fact"], value: string): Condition => ({ fact, operator: "is", value });

const newState = () => ({
	now: new Date("2026-11-30T12:00:00Z"),
	sent: [] as Sent[],
	/** Runs by id, as evaluation tells of them. */
	runs: new Map<string, { number: number; average: number; suiteKey?: string; split?: string; reason?: string; createdAt?: Date; requestedById?: string }>(),
	gaps: new Map<string, { value: number; low: number; words: "transforms" | "held-out" }[]>(),
	started: [] as { suite: string; split: string; variants: string | null; reason: string }[],
	trainings: [] as {
		policyVersionId?: string;
		source?: unknown;
		id: string;
		status: string;
		requestedById: string;
		createdAt: Date;
		finishedAt: Date | null;
		recipe: string;
		options: unknown;
	}[],
	evaluated: [] as string[],
	findings: [] as { title: string; origin: string; engine: string }[],
	/** Files of the harness now, and of what the policy in force was trained on. */
	harness: { now: {}, trained: {} } as { now: HarnessFiles; trained: HarnessFiles },
	/** Thrown by the next action of the loop. */
	failure: null as Error | null,
});
type State = ReturnType<typeof newState>;
type Now = () => Date;

function scriptEvaluation(state: State, now: Now) {
	const point = (value: number) => ({ value, low: value, high: value });
	const viewOf = (id: string) => {
		const run = state.runs.get(id);
		if (!run) return [];
		const { number, average, suiteKey = "t1", split = "dev", reason = "manual", createdAt = state.now } = run;
		const summary = { accuracy: point(average), effectiveness: point(average), avg: point(average) };
		return [
			{
				id,
				number,
				status: "done",
				split,
				reason,
				variants: null,
				treeId: "tree",
				commit: "commit",
				suiteKey,
				policyVersionId: "pol",
				judgeVersionId: "jud",
				valid: 10,
				planned: 10,
				summary,
				createdAt,
			},
		];
	};
	return {
		findRuns: async (ids: readonly string[]) => ids.flatMap(viewOf),
		gapsOf: async (id: string) =>
			(state.gaps.get(id) ?? []).map(({ value, low, words }, i) => ({
				t1: { id: `${id}-t1`, number: 1 },
				t2: { id: `${id}-t2-${i}`, number: 2 + i, split: "dev" },
				words,
				gap: { cases: 10, accuracy: point(value), effectiveness: point(value), avg: { value, low, high: value } },
			})),
		currentSuiteVersion: async (_workspaceId: string, key: string) => (["t1", "extra"].includes(key) ? { id: `sv_${key}`, key, version: 1 } : null),
		async ensureRun(request: { suiteVersionId: string; split: string; variants?: { suite: string; book: string } | null; reason: string; trials: number }) {
			const key = [request.suiteVersionId, request.split, request.variants?.suite, request.variants?.book, request.trials].join("/");
			const known = [...state.runs.keys()].find((id) => id === key);
			if (!known) {
				state.started.push({ suite: request.suiteVersionId, split: request.split, variants: request.variants?.suite ?? null, reason: request.reason });
				state.runs.set(key, { number: state.runs.size + 1, average: 0.5, split: request.split, reason: request.reason, createdAt: now() });
			}
			return { id: key, number: state.runs.get(key)?.number ?? 0 };
		},
	};
}

function scriptEvolution(state: State) {
	const evolutionRow = (id: string) => ({ id, title: "Care", policyVersionId: "pol", judgeVersionId: "jud", stopReason: { strikes: 2, stale: 1 } });
	return {
		find: async (_workspaceId: string, id: string) => evolutionRow(id),
		current: async () => evolutionRow("evo_1"),
		head: async () => "commit",
		findRound: async () => ({ index: 1, unattended: false, devRunId: null, testRunId: null, regressionRunIds: [] }),
		findProposal: async () => ({ number: 41, unattended: false }),
		countLandings: async () => 3,
		async evaluateLanding({ evolutionId }: { evolutionId: string }) {
			if (state.failure) throw state.failure;
			state.evaluated.push(evolutionId);
			state.runs.set(`landing-${evolutionId}`, { number: 90, average: 0.5, reason: "landing" });
			return { id: `landing-${evolutionId}`, number: 90 };
		},
		async evaluateRound({ roundId }: { roundId: string }) {
			state.evaluated.push(roundId);
		},
		async openFinding(input: { title: string; origin: string; engine: string }) {
			if (!state.findings.some((one) => one.origin === input.origin)) state.findings.push(input);
			return { id: `fnd_${input.origin}`, number: state.findings.length };
		},
	};
}

function scriptTraining(state: State, now: Now) {
	return {
		list: async () => state.trainings,
		async start({ requestedById, recipe, options }: { requestedById: string; recipe: string; options?: unknown }) {
			if (state.trainings.some((one) => one.status === "running"))
				throw new AppError("conflict", "A training of this workspace is not over yet.", { reason: "training-running" });
			const id = `train_${state.trainings.length + 1}`;
			state.trainings.push({ id, status: "running", requestedById, createdAt: now(), finishedAt: null, recipe, options });
			return id;
		},
	};
}

/** Real database, outbox and audit log; the rest of the studio as a script that a test may change. */
export async function createTriggerWorld() {
	const test = await createTestDatabase();
	const workspaces = createWorkspaceService(test.db);
	const manifest = (slug: string) => ({
		apiVersion: "workspace/v1" as const,
		slug,
		title: { en: slug, zh: slug },
		language: "en",
		measure: "rubric" as const,
		suite: { id: "t1", title: { en: "T", zh: "T" } },
		categories: [],
		settings: {},
	});
	const state = newState();
	// No two moments are the same, as outside of tests.
	let moments = 0;
	const now = () => new Date(state.now.getTime() + moments++);
	const deps = {
		db: test.db,
		clock: { now },
		queue: {
			send: async (job: { name: string }, payload: unknown, options?: { startAfterMs?: number }) =>
				void state.sent.push({ name: job.name, payload, startAfterMs: options?.startAfterMs }),
			work: async () => undefined,
		},
		publish: async () => undefined,
		evaluation: scriptEvaluation(state, now),
		evolution: scriptEvolution(state),
		release: { list: async () => [], facts: async () => [] },
		training: scriptTraining(state, now),
		harness: { resolveHarness: async () => ({ treeId: "tree", commit: "commit", files: state.harness.now }), loadSnapshot: async () => state.harness.trained },
		policies: { current: async () => ({ id: "pol" }) },
		judges: { current: async () => ({ id: "jud" }) },
		envelopes: { current: async () => ({ version: 0, content: {} }) },
		rewriter: { describe: async () => null },
	} as unknown as TriggerDeps;
	const triggers = createTriggerService(deps);
	let count = 0;
	return {
		...test,
		deps,
		state,
		triggers,
		workspaces,
		/** Everything as at the start, with a workspace of its own. */
		async reset(): Promise<string> {
			Object.assign(state, newState());
			return this.workspace();
		},
		/** Time passes. */
		later(minutes: number): void {
			state.now = new Date(state.now.getTime() + minutes * 60_000);
		},
		async workspace(): Promise<string> {
			return (await workspaces.create(manifest(`w${++count}`), SERVICE_ACTORS.system)).id;
		},
		save: (workspaceId: string, content: TriggerContent, rest: Partial<SaveTrigger> = {}) =>
			triggers.save({ workspaceId, actor: maya, input: { name: "Mine", content, ...rest } }),
		emit: (workspaceId: string, event: StudioEvent) => emitEvent(test.db, workspaceId, event),
		/** A run of this id ends. */
		async finish(workspaceId: string, runId: string, average = 0.5, about: object = {}) {
			state.runs.set(runId, { number: state.runs.size + 1, average, ...state.runs.get(runId), ...about });
			await emitEvent(test.db, workspaceId, { type: "run.finished", runId, status: "done" });
		},
		deliver: () => deliverPending(test.db, triggers.onEvent),
		/** Decisions of a workspace's own triggers, oldest first. */
		async decisions(workspaceId: string) {
			const { rows } = await triggers.firings(workspaceId, {}, { page: 1, pageSize: 200 });
			return rows.filter((row) => row.trigger.key === null).reverse();
		},
	};
}
export type TriggerWorld = Awaited<ReturnType<typeof createTriggerWorld>>;
