import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTestDatabase } from "@/server/db/testing";
import { compareRuns, type EpisodeScore, pairedGap, summarize } from "@/server/evaluation";
import type { CaseScore } from "@/server/evaluation/contract";
import { createHarnessService } from "@/server/harness";
import type { HarnessFiles } from "@/server/harness/contract";
import { newId } from "@/server/kernel/id";
import { createWorkspaceService, deliverPending, emitEvent } from "@/server/workspace";
import { type Actor, SERVICE_ACTORS } from "@/server/workspace/contract";
import type { DiagnosisCase, DiagnosisEngine, EditingEngine } from "../contract";
import { createEvolutionService, createHarnessPort } from "../index";
import type { EvaluationPort, EvolutionDeps, ReleaseFact, RunRequest, RunView, VariantRow } from "../ports";

export const people = {
	olga: { id: "usr_olga", name: "Olga", email: "olga@example.com" },
	oscar: { id: "usr_oscar", name: "Oscar", email: "oscar@example.com" },
	rita: { id: "usr_rita", name: "Rita", email: "rita@example.com" },
	ravi: { id: "usr_ravi", name: "Ravi", email: "ravi@example.com" },
} satisfies Record<string, Actor & { email: string }>;

const skill = (body: string) =>
	`---\nname: greeting\ndescription: Greets people. Use it when someone says hello.\nmetadata:\n  type: reply\n---\n- when someone says hello: “Hello, {{name}}.”\n${body}`;

/** A small valid harness whose skill may say which cases it makes right and wrong. */
export function harnessWith(body = "", more: HarnessFiles = {}): HarnessFiles {
	return {
		"harness.yaml": `apiVersion: harness/v1
kind: agent
name: sample
limits: { maxSteps: 4, maxHookRetries: 1, deadlineMs: 8000, targetP50Ms: 2000 }
constraints:
  replyMaxChars: { value: 80, min: 50, max: 100, unit: chars }
pipeline: [role, { skills: index }]
skills: { requireReplySkill: true }
`,
		"prompts/role.md": "---\ntitle: Role\n---\nYou answer.\n",
		"skills/greeting/SKILL.md": skill(body),
		...more,
	};
}
export const SKILL = "skills/greeting/SKILL.md";

const CASES = { dev: 60, test: 120 };
const RIGHT = { dev: 40, test: 80 };

/**
 * What a harness scores: the first two thirds of the cases are right; a line `fix A..B` anywhere makes those right and
 * `break A..B` wrong (shares of the split in percent, so that both splits move alike).
 */
function scoresOf(files: HarnessFiles, split: "dev" | "test"): CaseScore[] {
	const n = CASES[split];
	const right = Array.from({ length: n }, (_, i) => i < RIGHT[split]);
	for (const text of Object.values(files))
		for (const [, word, from, to] of text.matchAll(/\b(fix|break) (\d+)\.\.(\d+)/g))
			for (let i = Math.round((Number(from) / 100) * n); i < Math.round((Number(to) / 100) * n); i++) right[i] = word === "fix";
	return right.map((ok, i) => ({
		caseId: `${split}-${String(i).padStart(3, "0")}`,
		category: `c${i % 2}`,
		trials: 1,
		accuracy: ok ? 1 : 0,
		effectiveness: ok ? 1 : 0,
	}));
}

const bare = (score: CaseScore): EpisodeScore => ({
	...score,
	trial: 0,
	outcome: "replied",
	skillSelection: null,
	toolRationality: null,
	hookRetries: 0,
	recovered: null,
	latencyMs: 1,
	promptTokens: 0,
	completionTokens: 0,
	reasoningToolTokens: 0,
	reasoningReplyTokens: 0,
	modelCalls: 1,
	cachedCalls: 0,
});

interface FakeRun extends RunView {
	scores: CaseScore[];
}

/** Evaluation scripted by the harness's own text; the statistics are the real ones. Runs end at once, or when told. */
export class ScriptedEvaluation implements EvaluationPort {
	readonly runs = new Map<string, FakeRun>();
	started: RunRequest[] = [];
	/** False: runs stay queued until `finish`. */
	immediate = true;
	coverage = 1;
	/** What a policy makes right and wrong, in the same lines as a harness. */
	readonly policies = new Map<string, string>();
	constructor(
		private readonly readTree: (treeId: string) => Promise<HarnessFiles>,
		private readonly onFinished: (runId: string, status: string) => Promise<void>,
	) {}

	private keyOf = (r: Omit<RunRequest, "reason" | "requestedById">) =>
		[r.suiteVersionId, r.split, r.treeId, r.policyVersionId, r.judgeVersionId, r.trials, r.seed, r.variants?.suite, r.variants?.book].join("/");
	private keys = new Map<string, string>();

	async ensureRun(request: RunRequest): Promise<RunView> {
		const known = this.runs.get(this.keys.get(this.keyOf(request)) ?? "");
		if (known && known.status !== "failed") return known;
		this.started.push(request);
		if (request.split === "holdout") throw new Error("holdout is not read through this port");
		const files = await this.readTree(request.treeId);
		const scores = scoresOf({ ...files, policy: this.policies.get(request.policyVersionId) ?? "" }, request.split);
		const run: FakeRun = {
			id: newId("run"),
			number: this.runs.size + 1,
			status: "queued",
			split: request.split,
			treeId: request.treeId,
			commit: request.commit,
			suiteVersionId: request.suiteVersionId,
			suiteKey: "t1",
			policyVersionId: request.policyVersionId,
			judgeVersionId: request.judgeVersionId,
			variants: request.variants ?? null,
			done: 0,
			planned: scores.length,
			summary: null,
			finishedAt: null,
			scores,
		};
		this.runs.set(run.id, run);
		this.keys.set(this.keyOf(request), run.id);
		if (this.immediate) await this.finish(run.id);
		return run;
	}

	startPartial = (request: RunRequest) => this.ensureRun(request);

	async finish(runId: string, status: "done" | "failed" = "done"): Promise<void> {
		const run = this.runs.get(runId);
		if (!run) throw new Error(`no run ${runId}`);
		run.status = status;
		if (status === "done") {
			const planned = Math.round(run.scores.length / this.coverage);
			run.done = run.scores.length;
			run.summary = summarize(run.scores.map(bare), { planned, trials: 1, cases: run.scores.length, wallMs: 1 });
		}
		await this.onFinished(runId, status);
	}

	async finishAll(): Promise<void> {
		for (const run of this.runs.values()) if (run.status === "queued") await this.finish(run.id);
	}

	findRuns = async (ids: readonly string[]) => ids.flatMap((id) => this.runs.get(id) ?? []);
	findEqualRun = async (request: Omit<RunRequest, "reason" | "requestedById">) => this.runs.get(this.keys.get(this.keyOf(request)) ?? "") ?? null;

	async compare(baseRunId: string, runId: string, rule: Parameters<EvaluationPort["compare"]>[2]) {
		const [base, run] = [this.runs.get(baseRunId), this.runs.get(runId)];
		if (!base || !run) throw new Error("no such runs");
		return compareRuns(base.scores, run.scores, { baseRunId, runId, oneTrial: true, sameConditions: base.treeId === run.treeId, ...rule });
	}

	async readFailures(runId: string): Promise<DiagnosisCase[]> {
		const failed = this.runs.get(runId)?.scores.filter((s) => s.accuracy === 0) ?? [];
		return failed.map((s) => ({
			caseId: s.caseId,
			episodeId: `epi_${s.caseId}`,
			category: s.category,
			message: `message of ${s.caseId}`,
			reply: `reply of ${s.caseId}`,
			failureType: "missing-point",
			blamed: "skill:greeting",
			loadedSkills: ["greeting"],
			toolCalls: [],
			evidence: [{ kind: "contains", ok: false, rule: `rule of ${s.caseId}` }],
			reference: `reference of ${s.caseId}`,
		}));
	}
	/** Rows of T2 and T3; none unless a test sets some. */
	plans: VariantRow[] = [];
	planVariants = async () => this.plans;
	async gap(baseRunId: string, runId: string) {
		const [base, run] = [this.runs.get(baseRunId), this.runs.get(runId)];
		if (!base || !run) throw new Error("no such runs");
		return pairedGap(base.scores, run.scores);
	}
	readPassing = async () => [];
	countSparse = async () => ({ alone: 3, failures: 4 });
	currentSuiteVersion = async (_w: string, key: string) => (key === "t1" ? { id: "sv_1", key, version: 1 } : null);
	findSuiteVersion = async (id: string) => (id === "sv_1" ? { id, key: "t1", version: 1 } : null);
}

const diagnosis: DiagnosisEngine = {
	async diagnose({ failed }) {
		const categories = [...new Set(failed.map((c) => c.category))];
		const value = categories.map((category) => {
			const own = failed.filter((c) => c.category === category);
			return {
				category,
				failureType: "missing-point" as const,
				component: "skill:greeting",
				title: `Replies miss the point in ${category}`,
				hypothesis: "The skill has no rule for it.",
				confidence: 0.8,
				caseIds: own.map((c) => c.caseId),
				episodeIds: own.map((c) => c.episodeId),
			};
		});
		return { engine: "test-diagnosis", notice: null, value };
	},
};

/** A database, a repository and the services around them, for tests of this domain. */
export async function createEvolutionWorld() {
	const test = await createTestDatabase();
	const directory = fs.mkdtempSync(path.join(os.tmpdir(), "evolution-test-"));
	const clock = { now: () => new Date() };
	const workspaces = createWorkspaceService(test.db);
	const harness = createHarnessService({
		db: test.db,
		clock,
		directory,
		surroundings: { handlers: async () => [], connections: async () => [], rooms: async () => ({}) },
	});
	const workspace = await workspaces.create(
		{
			apiVersion: "workspace/v1",
			slug: "test",
			title: { en: "Test", zh: "测试" },
			language: "en",
			measure: "rubric",
			suite: { id: "t1", title: { en: "T1", zh: "T1" } },
			categories: [],
			settings: { allowUnattended: true },
		},
		SERVICE_ACTORS.system,
	);
	await harness.createFromFiles(workspace.id, "agent", harnessWith(), { subject: "Base", author: people.olga });
	const evaluation = new ScriptedEvaluation(
		(treeId) => harness.loadSnapshot(treeId),
		(runId, status) => emitEvent(test.db, workspace.id, { type: "run.finished", runId, status }),
	);
	const tasks: string[] = [];
	const releases: ReleaseFact[] = [];
	const switches = new Map<string, boolean>();
	let edit: EditingEngine["edit"] = async () => ({ engine: "test-editor", notice: null, value: null });
	const deps: EvolutionDeps = {
		db: test.db,
		clock,
		harness: createHarnessPort(harness, clock),
		evaluation,
		diagnosisEngine: async () => diagnosis,
		editingEngine: async () => ({ edit: (input, signal) => edit(input, signal) }),
		registry: {
			currentPolicy: async () => ({ id: "pol_1" }),
			currentJudge: async () => ({ id: "jud_1" }),
			describe: async () => ({ policy: { id: "pol_1", name: "compact", kind: "compact" }, judge: { id: "jud_1", name: "judge-1", engine: "rubric" } }),
		},
		people: async (ids) =>
			new Map(
				Object.values(people)
					.filter((p) => ids.includes(p.id))
					.map((p) => [p.id, p]),
			),
		listReleases: async () => releases,
		countHoldoutReadings: async () => 0,
		enqueueTask: async (id) => void tasks.push(id),
		publish: async () => undefined,
	};
	const evolution = createEvolutionService(deps);
	/** As a worker delivers: the loop, then the two triggers that every workspace starts with, unless a test switches one off. */
	const deliver = () =>
		deliverPending(test.db, async ({ workspaceId, event }) => {
			await evolution.onEvent(workspaceId, event);
			const actor = SERVICE_ACTORS.system;
			if (event.type === "proposal.landed" && switches.get("landing-dev") !== false) await evolution.evaluateLanding({ evolutionId: event.evolutionId, actor });
			if (event.type === "round.closed" && switches.get("closing-regression") !== false)
				await evolution.evaluateRound({ workspaceId, roundId: event.roundId, actor });
		});
	return {
		...test,
		deps,
		workspaceId: workspace.id,
		harness,
		evaluation,
		evolution,
		releases,
		switches,
		deliver,
		setEditor: (next: EditingEngine["edit"]) => {
			edit = next;
		},
		/** Runs the queued tasks as a worker would. */
		async runTasks() {
			for (const id of tasks.splice(0)) await evolution.runTask(id, new AbortController().signal);
		},
		async close() {
			await test.drop();
			fs.rmSync(directory, { recursive: true, force: true });
		},
	};
}
export type EvolutionWorld = Awaited<ReturnType<typeof createEvolutionWorld>>;

/** Starts an evolution and lets its baseline finish. */
export async function started(world: EvolutionWorld, title = "Care December") {
	const { id } = await world.evolution.start({ workspaceId: world.workspaceId, actor: people.olga, title });
	await world.deliver();
	return id;
}

/** A person's proposal on the branch's head, submitted and evaluated. */
export async function proposed(world: EvolutionWorld, evolutionId: string, body: string, actor: Actor = people.olga, file = SKILL) {
	const { workspaceId, evolution } = world;
	const changes = { [file]: file === SKILL ? skill(body) : body };
	const { id } = await evolution.createProposal({ workspaceId, evolutionId, actor, title: `Edit ${body.trim()}`, changes, manifest: {} });
	await evolution.submitProposal({ workspaceId, proposalId: id, actor });
	await world.deliver();
	return evolution.proposal({ workspaceId, proposal: id, viewer: { id: people.rita.id, roles: ["reviewer"] } });
}

/** Lands a proposal as a reviewer and delivers what follows. */
export async function landed(world: EvolutionWorld, proposal: { id: string; revisions: { id: string }[] }, actor: Actor = people.rita) {
	const { workspaceId, evolution } = world;
	const result = await evolution.land({ workspaceId, proposalId: proposal.id, revisionId: proposal.revisions.at(-1)?.id ?? "", actor });
	await world.deliver();
	return result;
}

/** Closes the open round and lets it be evaluated. */
export async function closed(world: EvolutionWorld, evolutionId: string, actor: Actor = people.rita) {
	const { workspaceId, evolution } = world;
	const open = (await evolution.rounds(evolutionId)).find((r) => r.status === "open");
	await evolution.closeRound({ workspaceId, roundId: open?.id ?? "", actor });
	await world.deliver();
	return (await evolution.rounds(evolutionId)).find((r) => r.id === open?.id);
}
