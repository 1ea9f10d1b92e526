import type { Comparison } from "@/server/evaluation/contract";
import { evaluateRollbackGate, toDigest } from "@/server/evolution";
import type { GateResult } from "@/server/evolution/contract";
import { newId } from "@/server/kernel/id";
import { phrasesOf } from "@/server/kernel/phrase";
import type { Actor } from "@/server/workspace/contract";
import type { RollbackPreview } from "./contract";
import { authorOf, finishPending, finishRelease } from "./create-release";
import { errors } from "./errors";
import type { ReleaseDeps } from "./ports";
import { isRunOf } from "./read-releases";
import type { ReleaseRow } from "./release.repository";
import * as repository from "./release.repository";
import { releaseWriter } from "./written-texts";

interface Target {
	/** `v1` or `base`. */
	name: string;
	commit: string;
	treeId: string;
	policyVersionId: string;
	gate: { verdict: GateResult["verdict"] | null; overridden: boolean };
	row: ReleaseRow | null;
}

/** What can be gone back to: any earlier release, or what was live before the first one. */
async function findTarget(deps: ReleaseDeps, workspaceId: string, name: string): Promise<Target> {
	if (name === "base") {
		const first = (await repository.listReleases(deps.db, workspaceId)).at(-1);
		if (!first) throw errors.noRelease();
		return {
			name,
			commit: first.mainBefore,
			treeId: await deps.git.treeOf(workspaceId, first.mainBefore),
			policyVersionId: first.policyBeforeId,
			gate: { verdict: null, overridden: false },
			row: null,
		};
	}
	const row = await repository.findRelease(deps.db, workspaceId, name);
	if (!row) throw errors.releaseUnknown(name);
	const { commit, treeId, policyVersionId } = row;
	return { name, commit, treeId, policyVersionId, gate: { verdict: row.gate.verdict, overridden: row.override !== null }, row };
}

/** The exact diff that a rollback would apply, what it costs, and the words to type. Changes nothing. */
export async function previewRollback(deps: ReleaseDeps, input: { workspaceId: string; target: string }): Promise<RollbackPreview> {
	const { workspaceId } = input;
	await finishPending(deps, workspaceId);
	const current = await repository.currentRelease(deps.db, workspaceId);
	if (!current) throw errors.noRelease();
	const target = await findTarget(deps, workspaceId, input.target);
	const comparison = await compareWith(deps, current, target);
	return {
		target: target.name,
		current: current.tag,
		nextTag: `v${current.number + 1}`,
		commit: target.commit,
		treeId: target.treeId,
		diff: await deps.git.diff(workspaceId, current.commit, target.commit),
		comparison: comparison && toDigest(comparison, current.tag),
		confirmation: target.name,
	};
}

export interface Rollback {
	workspaceId: string;
	target: string;
	actor: Actor;
	reason: string;
	/** What the person typed: the target's name. */
	confirmation: string;
	/** The tree that the preview showed: what is restored is what was seen. */
	treeId: string;
	/** The release that was current then. */
	current: string;
}

/**
 * Goes back by making a new release whose files are exactly those of the target: a commit on top of `main`, so that
 * history is never rewritten and whoever pulls gets it. The way back is never blocked by the gate.
 */
export async function rollback(deps: ReleaseDeps, input: Rollback): Promise<{ tag: string; treeId: string }> {
	const { workspaceId, actor } = input;
	await finishPending(deps, workspaceId);
	const target = await findTarget(deps, workspaceId, input.target);
	if (input.confirmation.trim() !== target.name) throw errors.confirmation(target.name);
	if (input.treeId !== target.treeId) throw errors.diffChanged();
	const current = await repository.currentRelease(deps.db, workspaceId);
	if (!current) throw errors.noRelease();
	if (current.tag !== input.current) throw errors.diffChanged();
	if (current.treeId === target.treeId && current.policyVersionId === target.policyVersionId) throw errors.alreadyLive(current.tag);
	const [mainBefore, policyRow, author] = await Promise.all([
		deps.git.head(workspaceId, "main"),
		deps.evolution.gatePolicy(workspaceId),
		authorOf(deps, actor),
	]);
	if (mainBefore !== current.commit) throw errors.mainMoved();
	const createdAt = deps.clock.now();
	const back = releaseWriter(await repository.findLanguage(deps.db, workspaceId))("rollback", { from: current.tag, to: target.name });
	const gate = evaluateRollbackGate({
		policyVersion: policyRow.version,
		restored: { name: target.name, ...target.gate },
		comparison: await compareWith(deps, current, target),
	});
	const commit = await deps.git.writeCommit(workspaceId, {
		filesOf: target.commit,
		parents: [mainBefore],
		message: { subject: `Roll back to ${target.name}`, body: input.reason, trailers: { Restores: [target.name], Replaces: [current.tag] }, author },
		at: createdAt,
	});
	const row = await deps.db.$transaction(async (tx) => {
		await repository.lockReleases(tx, workspaceId);
		const last = await repository.currentRelease(tx, workspaceId);
		if (last?.id !== current.id || (await repository.listPending(tx, workspaceId)).length > 0) throw errors.mainMoved();
		const made: Omit<ReleaseRow, "status"> = {
			id: newId("rel"),
			number: current.number + 1,
			workspaceId,
			tag: `v${current.number + 1}`,
			kind: "rollback",
			mainBefore,
			commit,
			treeId: target.treeId,
			evolutionId: target.row?.evolutionId ?? null,
			roundId: target.row?.roundId ?? null,
			previousId: current.id,
			restored: target.name,
			policyVersionId: target.policyVersionId,
			policyBeforeId: current.policyVersionId,
			judgeVersionId: (target.row ?? current).judgeVersionId,
			gatePolicyVersion: policyRow.version,
			runIds: target.row?.runIds ?? [],
			gate,
			override: null,
			notes: `${back.text}\n\n${input.reason.trim()}\n`,
			phrases: phrasesOf([back]),
			unattended: false,
			createdById: actor.id,
			createdAt,
		};
		await repository.insertPending(tx, made);
		return { ...made, status: "pending" as const };
	});
	await finishRelease(deps, row, actor);
	return { tag: row.tag, treeId: row.treeId };
}

/** The comparison of the current release with a target, on test, where both were evaluated under the same conditions. */
async function compareWith(deps: ReleaseDeps, current: ReleaseRow, target: Target): Promise<Comparison | null> {
	const runs = [...(await deps.evolution.runs(current.runIds)).values()];
	const own = runs.find((run) => isRunOf(run, current));
	const other = runs.find((run) => isRunOf(run, target) && run.suiteVersionId === own?.suiteVersionId);
	return own && other ? deps.evolution.compare(current.workspaceId, own.id, other.id) : null;
}
