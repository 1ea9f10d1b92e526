import { distance } from "@/server/augmentation";
import type { RobustnessGap } from "@/server/evaluation/contract";
import type { EditRecord } from "@/server/evolution";
import type { HarnessFiles } from "@/server/harness/contract";
import type { Clock } from "@/server/kernel/clock";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import type { Advice, AdviceEntry, AdviceEvidence, AdviceFollowUp, AdviceRule, CheckpointOrigin } from "../contract";
import * as trainings from "../training.repository";
import * as repository from "./advice.repository";
import { type AdviceRulePorts, currentAdviceRule, readAdviceRule, updateAdviceRule } from "./advice-rule";
import { decideRetraining, judgeFollowUp } from "./decide-retraining";

/** What the advice needs of the rest of the studio; `composition.ts` wires it. */
export interface AdvicePorts extends AdviceRulePorts {
	clock: Clock;
	currentPolicy(workspaceId: string): Promise<{ id: string; name: string; kind: string }>;
	editRecord(input: { workspaceId: string; rounds: number; attempts: number }): Promise<EditRecord | null>;
	countLandings(workspaceId: string, from: Date, to: Date): Promise<number>;
	resolveHarness(workspaceId: string, what: string): Promise<{ treeId: string; commit: string | null }>;
	loadFiles(treeId: string): Promise<HarnessFiles>;
	/**
	 * The newest T1−T2 gap of a policy inside the envelope on a harness, or else on what the loop has closed or released: an
	 * experiment on some other harness says nothing of this one. Null where T2 was not run on any.
	 */
	newestGap(workspaceId: string, policyVersionId: string, treeId: string): Promise<{ gap: RobustnessGap; runId: string; baseRunId: string } | null>;
	/** What the file of a policy version says that it was trained on; null where it has none, or does not say so. */
	originOf(policyVersionId: string): Promise<CheckpointOrigin["source"]>;
	/** Releases, oldest first. */
	listReleases(workspaceId: string): Promise<{ tag: string; at: Date; policyVersionId: string }[]>;
}

const DAY_MS = 24 * 3600_000;
/** How far the history goes back on the screen. */
const HISTORY = 20;

async function readDistance(ports: AdvicePorts, treeId: string, source: { treeId: string; envelope: { content: Parameters<typeof distance>[2] } }) {
	try {
		const [harness, snapshot] = await Promise.all([ports.loadFiles(treeId), ports.loadFiles(source.treeId)]);
		return distance(harness, snapshot, source.envelope.content);
	} catch (error) {
		// A harness that does not validate has no distance; it cannot act either. Nor has one from a snapshot that is not kept here.
		if (error instanceof AppError && (error.code === "precondition" || error.reason === "snapshot-missing")) return null;
		throw error;
	}
}

/** What is known now, of the policy in force and of the newest evolution. */
async function gatherEvidence(ports: AdvicePorts, workspaceId: string, { rounds, attempts }: AdviceRule): Promise<AdviceEvidence> {
	const [policy, record, released] = await Promise.all([
		ports.currentPolicy(workspaceId),
		ports.editRecord({ workspaceId, rounds, attempts }),
		ports.resolveHarness(workspaceId, "main"),
	]);
	const makerId = await repository.findMaker(ports.db, workspaceId, policy.id);
	const maker = makerId === null ? null : await trainings.findTraining(ports.db, makerId);
	const source = maker ? maker.source : await ports.originOf(policy.id);
	const harness = record && record.status !== "closed" ? record.head : released;
	const measured = await ports.newestGap(workspaceId, policy.id, harness.treeId);
	return {
		policy: { id: policy.id, name: policy.name, kind: policy.kind },
		checkpoint: maker && {
			...{ training: maker.number, trainingId: maker.id, commit: maker.source.commit },
			ageDays: (ports.clock.now().getTime() - (maker.finishedAt ?? maker.createdAt).getTime()) / DAY_MS,
		},
		harness: { commit: harness.commit, treeId: harness.treeId },
		distance: source && (await readDistance(ports, harness.treeId, source)),
		gap: measured && { ...measured.gap.avg, cases: measured.gap.cases, runId: measured.runId, baseRunId: measured.baseRunId },
		earlyStop: record?.earlyStop ?? null,
		edits: record?.edits ?? null,
		stuck: record?.stuck ?? null,
		rounds: record ? record.rounds.filter((round) => round.index > 0).length : 0,
	};
}

/** The same state for the same reasons on the same harness and policy is the same advice, however old the checkpoint has become. */
const keyOf = ({ state, signs, evidence }: Advice): string =>
	fingerprint({ state, signs, policy: evidence.policy.id, tree: evidence.harness.treeId, gap: evidence.gap?.runId ?? null, rounds: evidence.rounds });

interface Later {
	record: EditRecord | null;
	facts: Awaited<ReturnType<typeof repository.listTrainingFacts>>;
	releases: Awaited<ReturnType<AdvicePorts["listReleases"]>>;
}

/** What happened from an advice to the next one, or to now. */
async function followUp(ports: AdvicePorts, workspaceId: string, entry: { at: Date; advice: Advice }, until: Date, later: Later): Promise<AdviceFollowUp> {
	const within = (at: Date | null) => at !== null && at > entry.at && at <= until;
	const rounds = (later.record?.rounds ?? []).filter((round) => round.index > 0 && within(round.closedAt) && round.avg !== null);
	const first = rounds[0];
	const before = first && later.record?.rounds.findLast((round) => round.index < first.index && round.avg !== null);
	const gain = before && first ? (rounds.at(-1)?.avg ?? 0) - (before.avg ?? 0) : null;
	const training = later.facts.find((fact) => within(fact.createdAt)) ?? null;
	const made = new Set(later.facts.flatMap((fact) => fact.policyVersionId ?? []));
	const released = later.releases.find((release) => within(release.at) && made.has(release.policyVersionId))?.tag ?? null;
	const landings = await ports.countLandings(workspaceId, entry.at, until);
	return {
		rounds: rounds.length,
		gain,
		training: training && { id: training.id, number: training.number, status: training.status },
		released,
		held: judgeFollowUp(entry.advice.state, entry.advice.rule, { gain, landings, released }),
	};
}

/** Edit or retrain? The advice on what is known now, kept when it says something else than before; and what became of the earlier ones. */
export function createAdviceService(ports: AdvicePorts) {
	async function advise(workspaceId: string): Promise<Advice> {
		const { content } = await currentAdviceRule(ports.db, workspaceId);
		const advice = decideRetraining(await gatherEvidence(ports, workspaceId, content), content);
		await repository.keepAdvice(ports.db, { workspaceId, key: keyOf(advice), advice, at: ports.clock.now() });
		return advice;
	}
	return {
		advise,
		/** The thresholds in force; version 0 are the defaults. */
		rule: (workspaceId: string) => readAdviceRule(ports, workspaceId),
		updateRule: (input: Parameters<typeof updateAdviceRule>[1]) => updateAdviceRule(ports, input),
		/** Earlier advice, newest first, each with what happened next. */
		async history(workspaceId: string): Promise<AdviceEntry[]> {
			const { rounds, attempts } = (await currentAdviceRule(ports.db, workspaceId)).content;
			const [entries, facts, releases, record] = await Promise.all([
				repository.listAdvice(ports.db, workspaceId, HISTORY),
				repository.listTrainingFacts(ports.db, workspaceId),
				ports.listReleases(workspaceId),
				ports.editRecord({ workspaceId, rounds, attempts }),
			]);
			const now = ports.clock.now();
			return Promise.all(
				entries.map(async (entry, i) => ({
					...entry,
					followUp: await followUp(ports, workspaceId, entry, entries[i - 1]?.at ?? now, { record, facts, releases }),
				})),
			);
		},
	};
}

export type AdviceService = ReturnType<typeof createAdviceService>;
