import { distance } from "@/server/augmentation";
import type { EnvelopeDistance } from "@/server/augmentation/contract";
import { AppError } from "@/server/kernel/errors";
import type { Training } from "@/server/training/contract";
import type { DeliveredEvent, StudioEvent } from "@/server/workspace/contract";
import { type EventType, type Facts, type Subject, SubjectSchema } from "./contract";
import { DAY_MS } from "./decide-firing";
import { findChain } from "./firing.repository";
import type { TriggerDeps } from "./ports";

/** An event as triggers see it. */
export interface EventAtHand {
	event: EventType;
	/** The same event has the same key, whenever it is read. */
	key: string;
	at: Date;
	facts: Facts;
	subject: Subject;
	chain: string[];
	/** Of a schedule or a call: whose it is. */
	triggerId: string | null;
}

/** The workspace's events that each kind is read from. */
export const SOURCES: Record<EventType, readonly StudioEvent["type"][]> = {
	"proposal-landed": ["proposal.landed"],
	"round-closed": ["round.closed"],
	"release-made": ["release.made"],
	"evolution-stopped": ["evolution.stopped"],
	"envelope-left": ["proposal.landed", "release.made"],
	"gap-measured": ["run.finished"],
	"run-finished": ["run.finished"],
	schedule: ["trigger.due"],
	"api-call": ["trigger.called"],
};

const yesNo = (value: boolean) => (value ? "yes" : "no");
const round1 = (value: number) => Math.round(value * 10) / 10;
/** Points of 100, one hundredth kept. */
const points = (share: number) => Math.round(share * 10_000) / 100;
/** What is changed though nothing of it is allowed stands beyond every multiple. A number of ours. */
const BEYOND = 1_000;

type Draft = Omit<EventAtHand, "at" | "chain" | "triggerId" | "subject"> & { subject: Partial<Subject>; runId?: string; triggerId?: string };

/** The newest training that was done by then, released or not. */
async function lastTraining({ training }: TriggerDeps, workspaceId: string, at: Date): Promise<Training | null> {
	const done = (await training.list(workspaceId)).filter((one) => one.status === "done" && one.finishedAt !== null && one.finishedAt <= at);
	return done.sort((a, b) => (b.finishedAt as Date).getTime() - (a.finishedAt as Date).getTime())[0] ?? null;
}

async function readAge(deps: TriggerDeps, workspaceId: string, at: Date): Promise<Facts> {
	const finishedAt = (await lastTraining(deps, workspaceId, at))?.finishedAt ?? null;
	return {
		daysSinceTraining: finishedAt && round1((at.getTime() - finishedAt.getTime()) / DAY_MS),
		landingsSinceTraining: await deps.evolution.countLandings(workspaceId, finishedAt ?? new Date(0), at),
	};
}

/** The training that made the policy in force at that time; null where no training of this workspace did. */
async function trainingInForce({ release, policies, training }: TriggerDeps, workspaceId: string, at: Date): Promise<Training | null> {
	const released = (await release.facts(workspaceId)).findLast((one) => one.at <= at)?.policyVersionId;
	const policyVersionId = released ?? (await policies.current(workspaceId)).id;
	return (await training.list(workspaceId)).find((one) => one.status === "done" && one.policyVersionId === policyVersionId) ?? null;
}

/** How far a harness is outside what the policy in force was trained on; null inside, and where there is nothing to compare with. */
async function readDistance(deps: TriggerDeps, workspaceId: string, commit: string, at: Date): Promise<Facts | null> {
	const training = await trainingInForce(deps, workspaceId, at);
	if (!training) return null;
	let measured: EnvelopeDistance;
	try {
		const [now, then] = await Promise.all([deps.harness.resolveHarness(workspaceId, commit), deps.harness.loadSnapshot(training.source.treeId)]);
		measured = distance(now.files, then, training.source.envelope.content);
	} catch (error) {
		// A harness that is gone, or does not validate, has no distance.
		if (error instanceof AppError) return null;
		throw error;
	}
	if (measured.inside) return null;
	const outside = measured.dimensions.filter((one) => !one.inside);
	const farthest = Math.max(...outside.map((one) => one.distance ?? BEYOND));
	return { distance: Math.round(farthest * 100) / 100, dimensions: outside.length, outside: outside.map((one) => one.dimension).join(" ") };
}

async function readEnvelope(
	deps: TriggerDeps,
	delivered: DeliveredEvent,
	about: { commit: string; label: string; subject: Partial<Subject> },
): Promise<Draft[]> {
	const facts = await readDistance(deps, delivered.workspaceId, about.commit, delivered.at);
	return facts
		? [{ event: "envelope-left", key: `envelope:${delivered.id}`, facts, subject: { ...about.subject, label: about.label, commit: about.commit } }]
		: [];
}

async function readRun(deps: TriggerDeps, { id }: DeliveredEvent, runId: string, status: string, wanted: ReadonlySet<EventType>): Promise<Draft[]> {
	const run = (await deps.evaluation.findRuns([runId]))[0];
	if (!run) return [];
	const drafts: Draft[] = [];
	const about = { commit: run.commit, treeId: run.treeId, policyVersionId: run.policyVersionId, judgeVersionId: run.judgeVersionId };
	if (wanted.has("run-finished")) {
		const { summary, reason, variants } = run;
		// A sealed run says that it ended, and no figure.
		const open = run.split === "holdout" ? null : summary;
		const facts: Facts = {
			...{ status, suite: variants?.suite ?? run.suiteKey, split: run.split, startedFor: reason },
			accuracy: open && points(open.accuracy.value),
			effectiveness: open && points(open.effectiveness.value),
			average: open && points(open.avg.value),
			coverage: run.planned > 0 ? points(run.valid / run.planned) : null,
		};
		drafts.push({ event: "run-finished", key: id, facts, subject: { ...about, runId, label: `R-${run.number}` }, runId });
	}
	if (!wanted.has("gap-measured")) return drafts;
	for (const { t1, t2, words, gap } of await deps.evaluation.gapsOf(runId)) {
		const facts: Facts = { gap: points(gap.avg.value), gapLow: points(gap.avg.low), words, split: t2.split };
		const subject = { ...about, runId: t2.id, label: `R-${t1.number} − R-${t2.number}` };
		drafts.push({ event: "gap-measured", key: `gap:${t1.id}:${t2.id}`, facts, subject, runId });
	}
	return drafts;
}

async function readLoop(deps: TriggerDeps, delivered: DeliveredEvent, wanted: ReadonlySet<EventType>): Promise<Draft[]> {
	const { event, id, workspaceId } = delivered;
	if (event.type === "proposal.landed") {
		const [proposal, evolution] = await Promise.all([
			deps.evolution.findProposal(workspaceId, event.proposalId),
			deps.evolution.find(workspaceId, event.evolutionId),
		]);
		const { policyVersionId, judgeVersionId } = evolution;
		const label = proposal ? `#${proposal.number}` : null;
		const subject = { label, commit: event.commit, evolutionId: event.evolutionId, policyVersionId, judgeVersionId };
		const landed: Draft = { event: "proposal-landed", key: id, facts: { unattended: yesNo(proposal?.unattended ?? false) }, subject };
		return [landed, ...(wanted.has("envelope-left") ? await readEnvelope(deps, delivered, { commit: event.commit, label: label ?? "", subject }) : [])];
	}
	if (event.type === "round.closed") {
		const [round, evolution] = await Promise.all([deps.evolution.findRound(workspaceId, event.roundId), deps.evolution.find(workspaceId, event.evolutionId)]);
		const { policyVersionId, judgeVersionId } = evolution;
		const subject = {
			label: round && `Evo.${round.index}`,
			commit: event.commit,
			evolutionId: event.evolutionId,
			roundId: event.roundId,
			policyVersionId,
			judgeVersionId,
		};
		return [{ event: "round-closed", key: id, facts: { unattended: yesNo(round?.unattended ?? false) }, subject }];
	}
	if (event.type === "evolution.stopped") {
		const evolution = await deps.evolution.find(workspaceId, event.evolutionId);
		const { strikes = null, stale = null } = evolution.stopReason ?? {};
		const { policyVersionId, judgeVersionId } = evolution;
		const commit = await deps.evolution.head(evolution);
		const subject = { label: evolution.title, commit, evolutionId: event.evolutionId, policyVersionId, judgeVersionId };
		return [{ event: "evolution-stopped", key: id, facts: { strikes, stale }, subject }];
	}
	if (event.type !== "release.made") return [];
	const release = (await deps.release.list(workspaceId)).find((one) => one.id === event.releaseId);
	if (!release) return [];
	const subject = { label: release.tag, commit: release.commit, policyVersionId: release.policy.id, evolutionId: release.evolution?.id ?? null };
	const made: Draft = { event: "release-made", key: id, facts: { unattended: yesNo(release.unattended) }, subject };
	return [made, ...(wanted.has("envelope-left") ? await readEnvelope(deps, delivered, { commit: release.commit, label: release.tag, subject }) : [])];
}

function readOwn({ event }: DeliveredEvent): Draft[] {
	if (event.type === "trigger.due")
		return [{ event: "schedule", key: `due:${event.dueAt}`, facts: {}, subject: { label: event.dueAt }, triggerId: event.triggerId }];
	if (event.type !== "trigger.called") return [];
	return [{ event: "api-call", key: `call:${event.callId}`, facts: {}, subject: { label: event.by, payload: event.payload }, triggerId: event.triggerId }];
}

/**
 * What one event of the workspace is to triggers: nothing, one event, or several (a run's end may measure a gap). Facts are
 * those of the event's time, so that a dry run reads what the trigger would have read; only `wanted` kinds are worked out.
 */
export async function readEvent(deps: TriggerDeps, delivered: DeliveredEvent, wanted: ReadonlySet<EventType>): Promise<EventAtHand[]> {
	const { event, workspaceId, at } = delivered;
	const drafts =
		event.type === "run.finished"
			? await readRun(deps, delivered, event.runId, event.status, wanted)
			: [...(await readLoop(deps, delivered, wanted)), ...readOwn(delivered)];
	const kept = drafts.filter((draft) => wanted.has(draft.event));
	if (kept.length === 0) return [];
	const age = await readAge(deps, workspaceId, at);
	return Promise.all(
		kept.map(async ({ runId, triggerId = null, facts, subject, ...draft }) => ({
			...draft,
			at,
			facts: { ...facts, ...age },
			subject: SubjectSchema.parse(subject),
			chain: runId === undefined ? [] : await findChain(deps.db, runId),
			triggerId,
		})),
	);
}
