import type { Policy } from "@/server/agent/contract";
import { createCompactPolicy, type Parameters, Scorer } from "@/server/compact";
import type { Harness } from "@/server/harness/contract";
import type { Recipe } from "../contract";
import type { TrainingPorts } from "../ports";
import { partOf } from "../pretrain/pose-items";
import { openStages } from "../rollouts/open-stages";
import { type Playground, playEpisode } from "../rollouts/playground";
import { runTraining } from "../stages/run-training";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import { type Adaptation, Adapter } from "./adapt-policy";
import { type Contestant, scoreCases } from "./measure-policy";
import { type Measurement, type MeasurementRequest, openMeasurement } from "./open-measurement";
import { openRows, type RowName } from "./open-rows";

/**
 * Ways to live with a harness that is edited on and on. `hat-once`: one HAT training under the first harness, used unchanged.
 * `fixed-once`: the same without variants, what the others start from. `retrain`: Fixed again after every edit. Two that
 * adapt at test time, from `fixed-once`.
 */
export const ROADS = ["hat-once", "fixed-once", "retrain", "adapt-entropy", "adapt-harness"] as const;
export type Road = (typeof ROADS)[number];

export interface RoadsRequest extends MeasurementRequest {
	/** Commits or refs: the harness that all begin under, then what it became with each edit. */
	harnesses: readonly string[];
	seeds: number;
	/** Those of any training unless given. */
	settings?: TrainingSettings;
	signal: AbortSignal;
	onRow?: (row: RoadRow) => void;
}

const MEASURED = ["t1", "t2"] as const satisfies RowName[];

/** One road with one seed, under each harness of the history. */
export interface RoadRow {
	road: Road;
	seed: number;
	/** Processor seconds of the training under each harness; 0 where there was none. */
	trainingSeconds: number[];
	/** Mean of accuracy and effectiveness, by harness and case: under the harness itself, and under variants inside the envelope. */
	t1: number[][];
	t2: number[][];
	/** Processor milliseconds in which the policy acted, for each message under each harness itself. */
	messageMs: number[];
}

export interface RoadsResult {
	about: { harnesses: { treeId: string; commit: string | null }[]; envelope: number; cases: { sft: number; rl: number; measured: number }; groups: string[] };
	rows: RoadRow[];
}

type Row = Record<(typeof MEASURED)[number], Awaited<ReturnType<typeof openRows>>[RowName]>;
type Serve = (harness: Harness) => Policy;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
	const { user, system } = process.cpuUsage(since);
	return (user + system) / 1000;
};

/** Plays messages, and tells how long the policy acted in each: tools, hooks and judges are not counted. */
function timedContestant(playground: Playground, serve: Serve, signal: AbortSignal, onMessage: (ms: number) => void): Contestant {
	return async ({ one, stage, faults }) => {
		const policy = serve(stage.harness);
		let spent = 0;
		const timed: Policy = {
			describe: () => policy.describe(),
			act: async (request, inner) => {
				const before = process.cpuUsage();
				try {
					return await policy.act(request, inner);
				} finally {
					spent += cpuMs(before);
				}
			},
		};
		const episode = await playEpisode(playground, stage, one, faults, timed, signal);
		onMessage(spent);
		return episode;
	};
}

const serving = (parameters: Parameters): Serve => {
	const policy = createCompactPolicy({ checkpoint: { parameters, digest: "road" }, scorer: new Scorer(parameters) });
	return () => policy;
};
const adapting = (parameters: Parameters, how: Adaptation): Serve => {
	const adapter = new Adapter(parameters, how);
	return (harness) => adapter.open(harness);
};

interface Trained {
	parameters: Parameters;
	seconds: number;
}

/** A road with what it was trained to, and what serves under each harness; the last one that there is stays in force. */
interface Way {
	road: Road;
	trained: readonly Trained[];
	serves: readonly Serve[];
}

/** Measures every road on every harness of a history. */
export async function performRoads(ports: TrainingPorts, request: RoadsRequest): Promise<RoadsResult> {
	const { workspaceId, seeds, settings = HAT_DEFAULTS, signal } = request;
	const resolved = await Promise.all(request.harnesses.map((what) => ports.resolveHarness(workspaceId, what)));
	const harnesses = resolved.map(({ treeId, commit }) => ({ treeId, commit }));
	const opened = await openMeasurement(ports, request);
	const { envelope, shares, measured } = opened;
	const stages: Row[] = [];
	for (const { treeId } of harnesses) stages.push(await openRows(ports, treeId, envelope.content, MEASURED));
	const rows: RoadRow[] = [];
	for (let seed = 1; seed <= seeds; seed++) {
		const trainOn = (recipe: Recipe, i: number) => trainUnder(ports, opened, { recipe, treeId: harnesses[i]?.treeId ?? "", seed, settings, signal });
		const hat = await trainOn("hat", 0);
		const again: Trained[] = [];
		for (const i of harnesses.keys()) again.push(await trainOn("fixed", i));
		const fixed = again[0] as Trained;
		const ways: Way[] = [
			{ road: "hat-once", trained: [hat], serves: [serving(hat.parameters)] },
			{ road: "fixed-once", trained: [fixed], serves: [serving(fixed.parameters)] },
			{ road: "retrain", trained: again, serves: again.map(({ parameters }) => serving(parameters)) },
			...(["entropy", "harness"] as const).map((how): Way => ({ road: `adapt-${how}`, trained: [fixed], serves: [adapting(fixed.parameters, how)] })),
		];
		const found = await measureWays(opened, stages, ways, signal);
		for (const [i, { road, trained }] of ways.entries()) {
			const row = { road, seed, trainingSeconds: harnesses.map((_harness, at) => trained[at]?.seconds ?? 0), ...(found[i] as Found) };
			rows.push(row);
			request.onRow?.(row);
		}
	}
	const cases = { sft: shares.sft.length, rl: shares.rl.length, measured: measured.length };
	return { about: { harnesses, envelope: envelope.version, cases, groups: measured.map((one) => one.groupKey) }, rows };
}

interface TrainingWanted {
	recipe: Recipe;
	treeId: string;
	seed: number;
	settings: TrainingSettings;
	signal: AbortSignal;
}

/**
 * One training from the base, as after any edit, with the processor time that it takes alone: nothing is taken over from
 * another. From the base and not from the last checkpoint: by the same recipe both take the same steps, and this one
 * forgets nothing and drags nothing along.
 */
async function trainUnder(ports: TrainingPorts, opened: Measurement, { recipe, treeId, seed, settings, signal }: TrainingWanted): Promise<Trained> {
	const before = process.cpuUsage();
	const { base, shares, envelope, general, training } = opened;
	const { parameters } = await runTraining({
		base: base.parameters,
		cases: { ...shares, sample: [] },
		stages: await openStages(ports, { treeId, envelope: envelope.content, seed, variants: recipe === "hat" ? settings.variants : 0 }),
		general: general && partOf(general, "train"),
		playground: training,
		settings: { ...settings, keepBest: false },
		seed,
		signal,
	});
	return { parameters, seconds: cpuMs(before) / 1000 };
}

type Found = Pick<RoadRow, "t1" | "t2" | "messageMs">;

/**
 * All roads, message by message in turn, so that what else the machine does falls on all alike. The base goes first and is
 * not timed: the texts of message and harness are read then. Under variants nothing is timed.
 */
async function measureWays({ measuring, measured, base }: Measurement, stages: readonly Row[], ways: readonly Way[], signal: AbortSignal): Promise<Found[]> {
	const found = ways.map((): Found => ({ t1: [], t2: [], messageMs: [] }));
	const first = timedContestant(measuring, serving(base.parameters), signal, () => undefined);
	for (const [at, { t1, t2 }] of stages.entries()) {
		const times = ways.map((): number[] => []);
		const contestants = ways.map(({ serves }, i) =>
			timedContestant(measuring, serves[Math.min(at, serves.length - 1)] as Serve, signal, (ms) => times[i]?.push(ms)),
		);
		const scores = ways.map((): number[] => []);
		for (const one of measured) {
			await scoreCases(first, [one], t1, { inTurn: true });
			for (const [i, contestant] of contestants.entries()) scores[i]?.push(...(await scoreCases(contestant, [one], t1, { inTurn: true })));
		}
		for (const [i, own] of found.entries()) {
			own.t1.push(scores[i] ?? []);
			// Each scorer reads the harness's texts at its first message.
			own.messageMs.push(...(times[i] ?? []).slice(1));
			own.t2.push(await scoreCases(contestants[i] as Contestant, measured, t2, { inTurn: true }));
		}
	}
	return found;
}
