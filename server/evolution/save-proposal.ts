import { applyChanges } from "@/server/harness";
import type { CommitAuthor, FileChanges, HarnessFiles, Problem } from "@/server/harness/contract";
import { newId } from "@/server/kernel/id";
import { nextNumber, recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { type ChangeManifest, ChangeManifestSchema } from "./contract";
import { errors } from "./errors";
import * as repository from "./evolution.repository";
import { listFindings } from "./finding.repository";
import type { EvolutionDeps } from "./ports";
import * as proposals from "./proposal.repository";
import { isOpen, nextStatus } from "./proposal-state";
import { headOf, requireEvolution } from "./require-evolution";
import type { ProposalRow } from "./rows";

/** The engine named for what a person wrote by hand. */
export const PERSON = "person";

export async function requireProposal(deps: EvolutionDeps, workspaceId: string, id: string): Promise<ProposalRow> {
	const proposal = await proposals.findProposal(deps.db, workspaceId, id);
	if (!proposal) throw errors.proposalUnknown();
	return proposal;
}

export function lastRevision(proposal: ProposalRow) {
	const revision = proposal.revisions.at(-1);
	// Made in the transaction that makes the proposal.
	if (!revision) throw new Error(`proposal ${proposal.id} has no revision`);
	return revision;
}

/** Who a commit is by: the person; a service identity has an address that receives nothing. */
export async function authorOf(deps: EvolutionDeps, actor: Actor): Promise<CommitAuthor> {
	const person = (await deps.people([actor.id])).get(actor.id);
	return { name: person?.name ?? actor.name, email: person?.email || `${actor.id.replace(/[^a-z0-9-]/gi, "-")}@studio.invalid` };
}

/** Throws with the list of problems when the changed harness does not validate. Warnings pass. */
export async function assertValid(deps: EvolutionDeps, workspaceId: string, files: HarnessFiles): Promise<Problem[]> {
	const problems = await deps.harness.validate(workspaceId, files);
	const wrong = problems.filter((p) => p.severity === "error");
	if (wrong.length > 0) throw errors.invalidHarness(wrong);
	return problems;
}

/** Only changes that change something; paths are checked by the harness when it commits. */
export function effectiveChanges(files: HarnessFiles, changes: FileChanges): FileChanges {
	return Object.fromEntries(Object.entries(changes).filter(([path, text]) => (text === null ? path in files : files[path] !== text)));
}

export interface CreateProposal {
	workspaceId: string;
	evolutionId: string;
	actor: Actor;
	title: string;
	changes: FileChanges;
	manifest: Partial<ChangeManifest>;
	findingIds?: string[];
	/** The commit that the changes were made on; the branch's head where not given. */
	baseCommit?: string;
	engine?: string;
	unattended?: boolean;
	/** Of an editing task: repeating it makes no second proposal. */
	taskId?: string;
}

/**
 * Makes a draft proposal with its first revision on a branch of its own. The requester is its author, whoever wrote the
 * text. An unfinished harness is kept too: problems are shown, and block submitting, not saving.
 */
export async function createProposal(deps: EvolutionDeps, input: CreateProposal): Promise<{ id: string; number: number }> {
	const { workspaceId, actor } = input;
	const evolution = await requireEvolution(deps, workspaceId, input.evolutionId);
	if (evolution.status === "closed") throw errors.evolutionClosed();
	const findings = await listFindings(deps.db, { evolutionId: evolution.id, ids: input.findingIds ?? [] });
	const baseCommit = input.baseCommit ?? (await headOf(deps, evolution));
	const files = await deps.harness.readFiles(workspaceId, baseCommit);
	const changes = effectiveChanges(files, input.changes);
	if (Object.keys(changes).length === 0) throw errors.noChange();
	const engine = input.engine ?? PERSON;
	const id = input.taskId ? input.taskId.replace(/^tsk_/, "pro_") : newId("pro");
	const branch = `proposal/${id}`;
	const author = await authorOf(deps, actor);
	const manifest = completeManifest(input.manifest, changes, input.title);
	const number = await deps.db.$transaction(
		async (tx) => {
			const open = await repository.findOpenRound(tx, evolution.id);
			const numbered = await nextNumber(tx, workspaceId, "proposal");
			await proposals.insertProposal(tx, {
				id,
				number: numbered,
				workspaceId,
				evolutionId: evolution.id,
				roundId: open?.id ?? "",
				title: input.title.trim(),
				branch,
				engine,
				findingIds: findings.map((f) => f.id),
				authorIds: [actor.id],
				requestedById: actor.id,
				unattended: input.unattended ?? false,
				taskId: input.taskId ?? null,
			});
			const made = await firstCommit(deps, {
				workspaceId,
				branch,
				baseCommit,
				changes,
				author,
				number: numbered,
				engine,
				manifest,
				findings: findings.map((f) => f.number),
			});
			await proposals.insertRevision(tx, {
				proposalId: id,
				index: 1,
				baseCommit,
				commit: made.commit,
				treeId: made.tree,
				authorId: actor.id,
				engine,
				manifest,
			});
			await recordAudit(tx, { workspaceId, actor, action: "proposal.create", subject: `proposal #${numbered} r1`, detail: { engine, files: manifest.files } });
			return numbered;
		},
		{ timeout: 30_000 },
	);
	await deps.publish(`evolution:${workspaceId}`);
	return { id, number };
}

/** The manifest with what can be known: the files, and the title where there is no summary. */
function completeManifest(manifest: Partial<ChangeManifest>, changes: FileChanges, title: string): ChangeManifest {
	return ChangeManifestSchema.parse({ ...manifest, summary: manifest.summary?.trim() || title.trim(), files: Object.keys(changes).sort(byText) });
}

async function firstCommit(
	deps: EvolutionDeps,
	input: {
		workspaceId: string;
		branch: string;
		baseCommit: string;
		changes: FileChanges;
		author: CommitAuthor;
		number: number;
		engine: string;
		manifest: ChangeManifest;
		findings: number[];
	},
): Promise<{ commit: string; tree: string }> {
	const { workspaceId, branch, baseCommit } = input;
	// A job that died after the commit and before the row finds its commit again.
	const head = await deps.harness.head(workspaceId, branch);
	if (head && head !== baseCommit) return { commit: head, tree: await deps.harness.treeOf(workspaceId, head) };
	if (!head) await deps.harness.createBranch(workspaceId, branch, baseCommit);
	return deps.harness.commit(workspaceId, {
		branch,
		expectedHead: baseCommit,
		changes: input.changes,
		message: {
			subject: input.manifest.summary.split("\n")[0]?.slice(0, 100) ?? "Proposal",
			body: input.manifest.failurePattern,
			author: input.author,
			trailers: {
				Proposal: [`#${input.number}`],
				Engine: [input.engine],
				...(input.findings.length > 0 ? { Finding: input.findings.map((n) => `F-${n}`) } : {}),
			},
		},
	});
}

/**
 * Saves an edit as the next revision; who edits becomes an author. `expectedIndex` is the revision that the person saw:
 * another one in between is a clear conflict and loses nothing.
 */
export async function saveRevision(
	deps: EvolutionDeps,
	input: {
		workspaceId: string;
		proposalId: string;
		actor: Actor;
		expectedIndex: number;
		changes: FileChanges;
		title?: string;
		manifest?: Partial<ChangeManifest>;
	},
): Promise<{ index: number }> {
	const { workspaceId, actor } = input;
	const author = await authorOf(deps, actor);
	await requireProposal(deps, workspaceId, input.proposalId);
	const index = await deps.db.$transaction(
		async (tx) => {
			const proposal = await proposals.lockProposal(tx, input.proposalId);
			const last = lastRevision(proposal);
			const status = nextStatus(proposal.status, "save-revision");
			if (!status) throw errors.wrongStatus(proposal.status, "save-revision");
			if (last.index !== input.expectedIndex) throw errors.revisionStale({ seen: input.expectedIndex, last: last.index });
			const files = await deps.harness.readFiles(workspaceId, last.commit);
			const changes = effectiveChanges(files, input.changes);
			if (Object.keys(changes).length === 0) throw errors.noChange();
			const base = await deps.harness.readFiles(workspaceId, last.baseCommit);
			const touched = changedPaths(base, applyChanges(files, changes));
			const manifest = ChangeManifestSchema.parse({ ...last.manifest, ...input.manifest, files: touched });
			const made = await deps.harness.commit(workspaceId, {
				branch: proposal.branch,
				expectedHead: (await deps.harness.head(workspaceId, proposal.branch)) ?? last.commit,
				parent: last.commit,
				changes,
				message: {
					subject: manifest.summary.split("\n")[0]?.slice(0, 100) ?? "Revision",
					author,
					trailers: { Proposal: [`#${proposal.number}`], Engine: [PERSON] },
				},
			});
			await proposals.insertRevision(tx, {
				proposalId: proposal.id,
				index: last.index + 1,
				baseCommit: last.baseCommit,
				commit: made.commit,
				treeId: made.tree,
				authorId: actor.id,
				engine: PERSON,
				manifest,
			});
			await proposals.updateProposal(tx, proposal.id, {
				status,
				authorIds: [...new Set([...proposal.authorIds, actor.id])],
				...(input.title ? { title: input.title.trim() } : {}),
			});
			await recordAudit(tx, {
				workspaceId,
				actor,
				action: "proposal.revise",
				subject: `proposal #${proposal.number} r${last.index + 1}`,
				detail: { files: Object.keys(changes) },
			});
			return last.index + 1;
		},
		{ timeout: 30_000 },
	);
	await publishProposal(deps, workspaceId, input.proposalId);
	return { index };
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Paths whose text differs, sorted. */
export function changedPaths(before: HarnessFiles, after: HarnessFiles): string[] {
	return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]).sort(byText);
}

/** Takes a proposal back: its author, or a reviewer (roles are checked by whoever calls). Its branch stays. */
export async function withdrawProposal(
	deps: EvolutionDeps,
	input: { workspaceId: string; proposalId: string; actor: Actor; isReviewer: boolean; reason?: string },
): Promise<void> {
	const { workspaceId, actor } = input;
	await requireProposal(deps, workspaceId, input.proposalId);
	await deps.db.$transaction(async (tx) => {
		const proposal = await proposals.lockProposal(tx, input.proposalId);
		const status = nextStatus(proposal.status, "withdraw");
		if (!status || !isOpen(proposal.status)) throw errors.wrongStatus(proposal.status, "withdraw");
		if (!input.isReviewer && !proposal.authorIds.includes(actor.id)) throw errors.notAuthor();
		await proposals.updateProposal(tx, proposal.id, { status });
		await recordAudit(tx, { workspaceId, actor, action: "proposal.withdraw", subject: `proposal #${proposal.number}`, reason: input.reason });
	});
	await publishProposal(deps, workspaceId, input.proposalId);
}

export async function publishProposal(deps: EvolutionDeps, workspaceId: string, proposalId: string): Promise<void> {
	await deps.publish(`proposal:${proposalId}`);
	await deps.publish(`evolution:${workspaceId}`);
}
