import type { ReleaseFact } from "@/server/evolution";
import { roundName, toDigest } from "@/server/evolution";
import { writeArchive } from "@/server/harness";
import { findCandidate, isRecommended, notesFor } from "./candidate";
import type { ReleaseComparison, ReleaseManifest, ReleasePreview, ReleaseView } from "./contract";
import { finishPending } from "./create-release";
import { errors } from "./errors";
import { lookAtGate } from "./pass-gate";
import type { ReleaseDeps } from "./ports";
import type { ReleaseRow } from "./release.repository";
import * as repository from "./release.repository";

/** Releases with everything that each binds, newest first. */
export async function readReleases(deps: ReleaseDeps, workspaceId: string): Promise<ReleaseView[]> {
	await finishPending(deps, workspaceId);
	const rows = await repository.listReleases(deps.db, workspaceId);
	const people = await deps.people([...new Set(rows.map((r) => r.createdById))]);
	const runs = await deps.evolution.runs(rows.flatMap((r) => r.runIds));
	const views: ReleaseView[] = [];
	for (const row of rows) {
		const evolution = row.evolutionId ? await deps.evolution.getEvolution(row.evolutionId) : null;
		const round = row.roundId ? await deps.evolution.findRound(workspaceId, row.roundId) : null;
		views.push({
			id: row.id,
			number: row.number,
			tag: row.tag,
			kind: row.kind,
			current: row.id === rows[0]?.id,
			commit: row.commit,
			treeId: row.treeId,
			round: round && { id: round.id, name: roundName(round.index) },
			evolution: evolution && { id: evolution.id, slug: evolution.slug, title: evolution.title },
			previous: rows.find((r) => r.id === row.previousId)?.tag ?? null,
			restored: row.restored,
			...(await deps.registry.describe(row)),
			gate: row.gate,
			override: row.override,
			runs: row.runIds.flatMap((id) => {
				const run = runs.get(id);
				return run ? [{ id, number: run.number }] : [];
			}),
			notes: row.notes,
			phrases: row.phrases,
			unattended: row.unattended,
			createdBy: { id: row.createdById, name: people.get(row.createdById)?.name ?? row.createdById },
			createdAt: row.createdAt,
		});
	}
	return views;
}

/** What the evolution domain needs to know of releases, oldest first. */
export async function releaseFacts(deps: Pick<ReleaseDeps, "db">, workspaceId: string): Promise<ReleaseFact[]> {
	const rows = (await repository.listReleases(deps.db, workspaceId)).toReversed();
	return rows.map((row, i) => ({
		tag: row.tag,
		commit: row.commit,
		treeId: row.treeId,
		policyVersionId: row.policyVersionId,
		evolutionId: row.evolutionId,
		roundId: row.kind === "release" ? row.roundId : null,
		at: row.createdAt,
		current: i === rows.length - 1,
	}));
}

/** What would be released: the gate, the exact diff against what is live, the notes. Starts nothing. */
export async function previewRelease(deps: ReleaseDeps, input: { workspaceId: string; roundId: string }): Promise<ReleasePreview> {
	const { workspaceId } = input;
	await finishPending(deps, workspaceId);
	const candidate = await findCandidate(deps, workspaceId, input.roundId);
	const { evolution, round, reference, name } = candidate;
	const { commit, treeId } = candidate.candidate;
	const { gate, alarms, running, holdoutUsed } = await lookAtGate(deps, candidate);
	const last = await repository.currentRelease(deps.db, workspaceId);
	const leave = await repository.findLeave(deps.db, round.id, reference.commit);
	const admin = leave && (await deps.people([leave.userId])).get(leave.userId);
	const { content: policy } = await deps.evolution.gatePolicy(workspaceId);
	const notes = await notesFor(deps, candidate);
	return {
		round: { id: round.id, name },
		evolution: { id: evolution.id, slug: evolution.slug, title: evolution.title },
		commit,
		treeId,
		nextTag: `v${(last?.number ?? 0) + 1}`,
		against: reference.name,
		gate,
		alarms,
		running,
		holdout: { used: holdoutUsed, max: policy.useHoldout ? policy.maxHoldoutReadings : 0 },
		leave: leave && { by: { id: leave.userId, name: admin?.name ?? leave.userId }, reason: leave.reason, at: leave.createdAt },
		eligible: round.standing?.eligible ?? false,
		recommended: await isRecommended(deps, candidate),
		diff: await deps.git.diff(workspaceId, reference.commit, commit),
		notes: notes.text,
		phrases: notes.phrases,
	};
}

async function requireRelease(deps: ReleaseDeps, workspaceId: string, tag: string): Promise<ReleaseRow> {
	if (tag === "current") {
		const current = await repository.currentRelease(deps.db, workspaceId);
		if (!current) throw errors.noRelease();
		return current;
	}
	const row = await repository.findRelease(deps.db, workspaceId, tag);
	if (!row) throw errors.releaseUnknown(tag.slice(0, 20));
	return row;
}

/** Whether a run measured what a release binds: its files under its policy, on test. */
export const isRunOf = (
	run: { treeId: string; policyVersionId: string; split: string },
	{ treeId, policyVersionId }: { treeId: string; policyVersionId: string },
): boolean => run.split === "test" && run.treeId === treeId && run.policyVersionId === policyVersionId;

/** Two releases side by side: their diff, and their scores where both were evaluated under the same conditions. */
export async function compareReleases(deps: ReleaseDeps, input: { workspaceId: string; from: string; to: string }): Promise<ReleaseComparison> {
	const { workspaceId } = input;
	const [from, to] = [await requireRelease(deps, workspaceId, input.from), await requireRelease(deps, workspaceId, input.to)];
	const runs = [...(await deps.evolution.runs([...from.runIds, ...to.runIds])).values()].filter((r) => r.split === "test");
	const pairs = runs.flatMap((a) =>
		runs
			.filter((b) => isRunOf(a, from) && isRunOf(b, to) && a.suiteVersionId === b.suiteVersionId && a.judgeVersionId === b.judgeVersionId)
			.map((b) => [a.id, b.id] as const),
	);
	const pair = pairs[0];
	const comparison = pair ? await deps.evolution.compare(workspaceId, pair[0], pair[1]) : null;
	return {
		from: from.tag,
		to: to.tag,
		diff: await deps.git.diff(workspaceId, from.commit, to.commit),
		comparison: comparison && toDigest(comparison, from.tag),
		policyChanged: from.policyVersionId !== to.policyVersionId,
		judgeChanged: from.judgeVersionId !== to.judgeVersionId,
	};
}

/** A release as a machine takes it: the archive's bytes, its digest, and the manifest beside it. The same release always gives the same bytes. */
export async function fetchRelease(
	deps: ReleaseDeps,
	input: { workspaceId: string; slug: string; tag: string },
): Promise<{ archive: Buffer; digest: string; manifest: ReleaseManifest }> {
	await finishPending(deps, input.workspaceId);
	const row = await requireRelease(deps, input.workspaceId, input.tag);
	const files = await deps.git.readFiles(input.workspaceId, row.commit);
	const { bytes, digest: sha } = writeArchive(files, "tar.gz", `${input.slug}-${row.tag}`);
	const { policy, judge } = await deps.registry.describe(row);
	const by = (await deps.people([row.createdById])).get(row.createdById);
	return {
		archive: bytes,
		digest: sha,
		manifest: {
			apiVersion: "release/v1",
			workspace: input.slug,
			tag: row.tag,
			kind: row.kind,
			commit: row.commit,
			tree: row.treeId,
			digest: `sha256:${sha}`,
			archive: `/api/releases/${input.slug}/${row.tag}.tar.gz`,
			policy: { name: policy.name, kind: policy.kind },
			judge: { name: judge.name, engine: judge.engine },
			gate: { verdict: row.gate.verdict, policyVersion: row.gatePolicyVersion, overridden: row.override !== null },
			releasedAt: row.createdAt.toISOString(),
			releasedBy: by?.name ?? row.createdById,
			notes: row.notes,
		},
	};
}
