import { setTimeout as sleep } from "node:timers/promises";
import { knownFailure } from "@/server/db/failures";
import type { Notifier } from "@/server/db/notifier";
import { patientWithDatabase } from "@/server/db/while-away";
import type { EvolutionService } from "@/server/evolution";
import type { FindingView, LoopReport, ProposalDetail } from "@/server/evolution/contract";
import { AppError } from "@/server/kernel/errors";
import { phrasesOf, type Written } from "@/server/kernel/phrase";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { errors } from "./errors";
import { buildLoopReport } from "./loop-report";
import type { ReleaseService } from "./release-service";
import { releaseWriter } from "./written-texts";

export interface LoopServices {
	evolution: EvolutionService;
	release: ReleaseService;
	notifier: Pick<Notifier, "changes">;
	workspace: { getById(id: string): Promise<{ slug: string; language: string; settings: { allowUnattended: boolean } }> };
}

export interface LoopOptions {
	workspaceId: string;
	rounds: number;
	seed: number;
	/** Has to be said: nobody looks at what lands. */
	unattended: boolean;
	/** The second flag: release what the rule recommends, if its gate passes. */
	release: boolean;
	/** The control experiment: what went wrong is dealt to other failures. */
	control?: "shuffled-findings";
	suiteKey?: string;
	/** Who acts: the policy in force unless given. */
	policyVersionId?: string;
	/** Words for stderr. */
	onProgress?: (message: string) => void;
	signal: AbortSignal;
}

const { loopEditor: editor, loopReviewer: reviewer } = SERVICE_ACTORS;
const VIEWER = { id: reviewer.id, roles: ["reviewer"] as const };
/** More than this in a round is left to the next: each evaluated proposal costs a run on dev. */
const FINDINGS_A_ROUND = 30;
const PROPOSALS_A_ROUND = 12;
const HEARTBEAT_MS = 1_000;

/**
 * The whole loop without a person: the same services as the screen, under two service identities, so that nobody approves
 * their own work. Every decision is marked unattended. An admin has to allow it; releasing needs a flag of its own and a
 * gate that passes by itself. A worker has to run, here or elsewhere. It waits out a database that is away for a short
 * while. Once begun, it ends with a report of the finished rounds also when `signal` aborts or a step is refused;
 * `interrupted` then says why.
 */
export async function runLoop(services: LoopServices, options: LoopOptions): Promise<LoopReport> {
	const { workspaceId, seed } = options;
	const workspace = await services.workspace.getById(workspaceId);
	if (!options.unattended || !workspace.settings.allowUnattended) throw errors.unattendedForbidden();
	const notes: string[] = [];
	const say = (message: string) => options.onProgress?.(message);
	const title = options.control ? `Loop, control (${options.control}), seed ${seed}` : `Loop, seed ${seed}`;
	const [open] = (await services.evolution.evolutions(workspaceId)).filter((one) => one.status !== "closed");
	if (open) say(`a new evolution, “${title}”, is shown from now on; “${open.title}” stays where it is, in the list on Evolution`);
	const { id: evolutionId } = await services.evolution.start({
		workspaceId,
		actor: editor,
		title,
		seed,
		unattended: true,
		...(options.suiteKey ? { suiteKey: options.suiteKey } : {}),
		...(options.policyVersionId ? { policyVersionId: options.policyVersionId } : {}),
	});
	let release: string | null = null;
	let interrupted: string | null = null;
	const report = () => buildLoopReport(services, { workspaceId, workspace: workspace.slug, evolutionId, release, interrupted, notes });
	const loop: Loop = { services, options, evolutionId, notes, say, write: releaseWriter(workspace.language), finished: null, report };
	try {
		await evolve(loop);
		if (options.release) release = await releaseRecommended(loop);
	} catch (error) {
		const failure = options.signal.aborted ? null : knownFailure(error);
		if (!options.signal.aborted && failure === null) throw error;
		interrupted = failure ? [failure.message, failure.fix].filter(Boolean).join(" ") : "Interrupted.";
		notes.push(`${interrupted} These rounds are finished; the evolution stays open at what was under way.`);
	}
	try {
		return await patientWithDatabase(report, new AbortController().signal, interrupted === null ? undefined : []);
	} catch (error) {
		// A database that does not come back takes no finished round with it.
		if (loop.finished === null || interrupted === null) throw error;
		return { ...loop.finished, interrupted, notes };
	}
}

/** The baseline, then round after round, until nothing lands, the early stop says so, or there have been enough. */
async function evolve(loop: Loop): Promise<void> {
	const { services, options, evolutionId, notes, say } = loop;
	say("evaluating the baseline");
	await waitForRound(loop, 0);
	loop.finished = await loop.report();
	for (let index = 1; index <= options.rounds; index++) {
		say(`Evo.${index}: diagnosing`);
		const { landed, evaluated } = await runRound(loop);
		if (landed === 0) {
			notes.push(`Evo.${index}: of ${evaluated} proposal${evaluated === 1 ? "" : "s"} evaluated none was worth landing; the loop ends.`);
			return;
		}
		await closeAndWait(loop, index);
		loop.finished = await loop.report();
		const { status } = await services.evolution.find(options.workspaceId, evolutionId);
		if (status === "stopped") {
			say(`stopped after Evo.${index}`);
			return;
		}
	}
}

interface Loop {
	services: LoopServices;
	options: LoopOptions;
	evolutionId: string;
	notes: string[];
	say: (message: string) => void;
	write: ReturnType<typeof releaseWriter>;
	report: () => Promise<LoopReport>;
	/** The report after the last round that was closed. */
	finished: LoopReport | null;
}

/** Waits until `read` gives something: woken by changes, and by a heartbeat in case a notification got lost. */
async function waitUntil<T>(loop: Loop, read: () => Promise<T | null>): Promise<T> {
	const { services, options } = loop;
	const done = new AbortController();
	const changes = services.notifier.changes([`evolution:${options.workspaceId}`], AbortSignal.any([options.signal, done.signal]));
	try {
		let next = changes.next();
		for (;;) {
			options.signal.throwIfAborted();
			const value = await patientWithDatabase(read, options.signal);
			if (value !== null) return value;
			const woken = await Promise.race([next.then(() => true), sleep(HEARTBEAT_MS, false)]);
			if (woken) next = changes.next();
		}
	} finally {
		done.abort();
	}
}

async function waitForRound(loop: Loop, index: number): Promise<void> {
	const { services, evolutionId } = loop;
	await waitUntil(loop, async () => {
		const round = (await services.evolution.rounds(evolutionId)).find((r) => r.index === index);
		if (round?.status === "closed") return round;
		const runs = await services.evolution.runs([round?.devRunId ?? null, round?.testRunId ?? null, ...(round?.regressionRunIds ?? [])]);
		const broken = [...runs.values()].find((r) => r.status === "failed" || r.status === "cancelled");
		if (broken) throw new AppError("unavailable", `Run R-${broken.number} ${broken.status}.`, { reason: "loop-run-failed", fix: "Look at the run's errors." });
		return null;
	});
}

async function waitForTask(loop: Loop, taskId: string) {
	return waitUntil(loop, async () => {
		const task = await loop.services.evolution.task({ workspaceId: loop.options.workspaceId, taskId });
		if (!task) throw new AppError("not-found", "There is no such task.", { reason: "task-unknown" });
		return task.status === "queued" || task.status === "running" ? null : task;
	});
}

/** Diagnoses, confirms, edits and lands; returns how many proposals were evaluated and how many landed. */
async function runRound(loop: Loop): Promise<{ landed: number; evaluated: number }> {
	const { services, options, evolutionId, notes, say } = loop;
	const { workspaceId, seed } = options;
	const shuffle = options.control === "shuffled-findings";
	const { taskId } = await services.evolution.diagnose({ workspaceId, evolutionId, actor: editor, unattended: true, shuffle, seed });
	const task = await waitForTask(loop, taskId);
	if (task.status !== "done") {
		notes.push(`The diagnosis failed: ${task.error ?? task.status}`);
		return { landed: 0, evaluated: 0 };
	}
	const findings = (await services.evolution.findings({ workspaceId, evolutionId, status: ["proposed"] })).slice(0, FINDINGS_A_ROUND);
	let landed = 0;
	let evaluated = 0;
	for (const finding of findings) {
		if (evaluated >= PROPOSALS_A_ROUND) break;
		await services.evolution.decideFinding({ workspaceId, findingId: finding.id, actor: editor, decision: "accept", unattended: true });
		const proposal = await editFor(loop, finding, shuffle);
		if (!proposal) continue;
		evaluated++;
		if (await decide(loop, proposal)) landed++;
		say(`  ${landed} landed, F-${finding.number} done`);
	}
	return { landed, evaluated };
}

const asBody = (written: Written) => ({ body: written.text, phrases: phrasesOf([written]) });

async function rejectFinding({ services, options }: Loop, findingId: string, why: Written): Promise<void> {
	await services.evolution.decideFinding({
		workspaceId: options.workspaceId,
		findingId,
		actor: editor,
		decision: "reject",
		note: why.text,
		phrases: phrasesOf([why]),
		unattended: true,
	});
}

/** A proposal for one finding, evaluated on dev; null when the engine has nothing general to say. */
async function editFor(loop: Loop, finding: FindingView, shuffle: boolean): Promise<ProposalDetail | null> {
	const { services, options, evolutionId, notes } = loop;
	const { workspaceId, seed } = options;
	const { taskId } = await services.evolution.requestEdits({
		workspaceId,
		evolutionId,
		findingIds: [finding.id],
		actor: editor,
		seed,
		unattended: true,
		shuffle,
	});
	const task = await waitForTask(loop, taskId);
	if (!task.proposalId) {
		if (task.status === "failed") notes.push(`F-${finding.number}: ${task.error ?? "the edit failed"}`);
		await rejectFinding(loop, finding.id, loop.write("nothing-general"));
		return null;
	}
	const proposalId = task.proposalId;
	await services.evolution.submitProposal({ workspaceId, proposalId, actor: editor });
	return waitUntil(loop, async () => {
		const proposal = await services.evolution.proposal({ workspaceId, proposal: proposalId, viewer: { id: VIEWER.id, roles: [...VIEWER.roles] } });
		if (proposal.status === "evaluating") return null;
		if (proposal.status === "in-review") return proposal;
		throw new AppError("unavailable", `Proposal #${proposal.number} could not be evaluated.`, { reason: "loop-run-failed", fix: "Look at the run's errors." });
	});
}

/** At least half of what a manifest predicted to fix. A gain that nobody predicted is luck, and does not carry over to test. */
function keepsItsWord(proposal: ProposalDetail): boolean {
	const fixes = proposal.evidence?.prediction?.fixes;
	if (!fixes) return false;
	const predicted = fixes.happened.length + fixes.missed.length;
	return predicted > 0 && fixes.happened.length * 2 >= predicted;
}

/**
 * The reviewer's rule, on dev evidence only: land what gains, by what it said it would, and shows no harm (no dimension
 * regressed, no category alarm, nothing that forbids landing); reject the rest with the figures as the reason.
 */
async function decide(loop: Loop, proposal: ProposalDetail): Promise<boolean> {
	const { services, options, write } = loop;
	const { workspaceId } = options;
	const comparison = proposal.evidence?.comparison ?? null;
	const { accuracy, effectiveness } = comparison?.dimensions ?? {};
	const harmless = accuracy?.verdict !== "regressed" && effectiveness?.verdict !== "regressed" && comparison?.alarms.length === 0;
	const gains = comparison !== null && comparison.avgDelta > 0;
	const points = (delta: number | undefined) => ((delta ?? 0) * 100).toFixed(1);
	const figures = { accuracy: points(accuracy?.delta), effectiveness: points(effectiveness?.delta) };
	const target = { workspaceId, proposalId: proposal.id, revisionId: proposal.revisions.at(-1)?.id ?? "", actor: reviewer, unattended: true };
	const word = keepsItsWord(proposal);
	if (gains && harmless && word && proposal.may.land.ok) {
		await services.evolution.land({ ...target, ...asBody(write("lands-by-rule", figures)) });
		return true;
	}
	const why = write(!gains ? "why-gains-nothing" : word ? "why-harm" : "why-unkept");
	await services.evolution.review({ ...target, verdict: "reject", ...asBody(write("rejected-by-rule", { why, ...figures })) });
	for (const finding of proposal.findings) await rejectFinding(loop, finding.id, write("not-landed"));
	return false;
}

async function closeAndWait(loop: Loop, index: number): Promise<void> {
	const { services, options, evolutionId, say } = loop;
	const round = (await services.evolution.rounds(evolutionId)).find((r) => r.index === index);
	say(`Evo.${index}: evaluating on dev and test`);
	await services.evolution.closeRound({ workspaceId: options.workspaceId, roundId: round?.id ?? "", actor: reviewer, unattended: true });
	await waitForRound(loop, index);
}

/** Releases what the rule recommends when its gate passes by itself; says why not otherwise. */
async function releaseRecommended(loop: Loop): Promise<string | null> {
	const { services, options, evolutionId, notes } = loop;
	const { workspaceId } = options;
	const overview = await services.evolution.overview({ workspaceId, evolutionId, viewer: { id: VIEWER.id, roles: [...VIEWER.roles] } });
	const best = overview.rounds.find((r) => r.recommended);
	if (!best) {
		notes.push("Nothing was released: no round is recommended.");
		return null;
	}
	try {
		return await waitUntil(loop, () =>
			services.release.create({ workspaceId, roundId: best.id, actor: reviewer, unattended: true }).then(
				({ tag }) => tag,
				(error: unknown) => {
					if (error instanceof AppError && error.reason === "release-evaluating") return null;
					throw error;
				},
			),
		);
	} catch (error) {
		if (!(error instanceof AppError) || options.signal.aborted) throw error;
		notes.push(`Nothing was released: ${error.message}`);
		return null;
	}
}
