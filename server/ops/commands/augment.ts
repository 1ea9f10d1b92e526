import fs from "node:fs";
import type { z } from "zod";
import { augment, checkEnvelope, distance, fitEnvelope } from "@/server/augmentation";
import { KeepSchema } from "@/server/augmentation/contract";
import { history } from "@/server/harness";
import { AppError, messageOf } from "@/server/kernel/errors";
import type { Session } from "../session";
import { findHarness } from "./evaluate";
import type { CommandResult } from "./output";
import type { AugmentOptions, EnvelopeFitOptions } from "./read-options";

function readJson(file: string): unknown {
	try {
		return JSON.parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/u, ""));
	} catch (error) {
		throw new AppError("bad-input", `${file} cannot be read as JSON: ${messageOf(error)}`, { reason: "file-unreadable" });
	}
}

/** `augment`: one variant of a harness, as files, with its mapping, its log and how far it is from the original. */
export async function augmentHarness(session: Session, options: z.infer<typeof AugmentOptions>): Promise<CommandResult> {
	const { harness, envelopes, rewriter } = session.services;
	const workspace = await session.workspace(options.workspace);
	const { commit, treeId } = await findHarness(session, workspace.id, options.harness);
	const current = await envelopes.current(workspace.id);
	const envelope = options.envelope ? checkEnvelope(readJson(options.envelope)) : current.content;
	const keep = options.keep ? KeepSchema.parse(readJson(options.keep)) : "everything";
	const original = await harness.loadSnapshot(treeId);
	const model = options.words === "transforms" ? await rewriter.describe(workspace.id) : null;
	const rewritings = await rewriter.rewritingsFor(workspace.id, { files: original, treeId }, model, new AbortController().signal);
	const variant = augment({ files: original, treeId, envelope, seed: options.seed, keep, book: options.words, rewritings });
	const problems = (await harness.validate(workspace.id, variant.files)).filter((problem) => problem.severity === "error");
	if (problems.length > 0) throw new AppError("internal", "The variant does not validate.", { reason: "variant-invalid", data: problems });
	return {
		document: {
			tree: await harness.saveSnapshot(variant.files),
			of: { commit, tree: treeId },
			seed: options.seed,
			rewrittenBy: model === null ? "seeded paraphrase" : "the editing model",
			envelope: options.envelope ?? `v${current.version}`,
			files: variant.files,
			mapping: variant.mapping,
			log: variant.log,
			distance: distance(variant.files, original, envelope),
		},
	};
}

/** `fit-envelope`: the envelope of the edits that a branch's own commits made, first parents only, oldest first. */
export async function fitToHistory(session: Session, options: z.infer<typeof EnvelopeFitOptions>): Promise<CommandResult> {
	const { harness } = session.services;
	const workspace = await session.workspace(options.workspace);
	const { commit } = await findHarness(session, workspace.id, options.harness);
	if (!commit) throw new AppError("bad-input", "A folder has no history: name a branch, a tag or a commit.", { reason: "history-missing" });
	const repository = await harness.repository(workspace.id);
	const commits = await history(repository, commit, { limit: options.commits, firstParent: true });
	const versions = await Promise.all(commits.reverse().map((one) => repository.readFiles(one.commit)));
	return { document: { commit, ...fitEnvelope(versions) } };
}
