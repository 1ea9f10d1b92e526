import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { MAX_CHECKPOINT_BYTES } from "@/server/compact";
import type { Services } from "@/server/composition";
import { fileSource, type ImportResult, type ImportTarget } from "@/server/evaluation";
import { type ImportOptionsInput, TRAINING_SUITE } from "@/server/evaluation/contract";
import { draftSkills } from "@/server/evolution";
import type { CommitAuthor, HarnessFiles, HarnessKind } from "@/server/harness/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { type Actor, SERVICE_ACTORS, type Workspace, type WorkspaceManifest, WorkspaceManifestSchema, WorkspaceSlugSchema } from "@/server/workspace/contract";
import { OWN_WORDS } from "@/server/workspace/studio-names.contract";
import { requireRegularFile } from "./commands/require-file";
import { removeWorkspace } from "./remove-workspace";

const AUTHOR: CommitAuthor = { name: "Harness Evolution Studio", email: "studio@studio.invalid" };

/** Where a folder keeps checkpoints; a file's name is the policy version's. */
const POLICY_FOLDER = "policy";
const CHECKPOINT = ".ckpt";

/** Text files below a folder by POSIX path, without checkpoints; anything else that is not UTF-8 text is refused by name. */
function readTextFiles(folder: string, prefix = ""): Record<string, string> {
	if (!fs.existsSync(folder)) return {};
	const decoder = new TextDecoder("utf-8", { fatal: true });
	return Object.assign(
		{},
		...fs.readdirSync(folder, { withFileTypes: true }).map((entry) => {
			const name = prefix ? `${prefix}/${entry.name}` : entry.name;
			const full = path.join(folder, entry.name);
			if (entry.isDirectory()) return readTextFiles(full, name);
			if (name.startsWith(`${POLICY_FOLDER}/`) && name.endsWith(CHECKPOINT)) return {};
			try {
				return { [name]: decoder.decode(fs.readFileSync(full)) };
			} catch (cause) {
				throw new AppError("bad-input", `${name} is not UTF-8 text.`, { reason: "workspace-file-not-text", params: { file: name }, cause });
			}
		}),
	) as Record<string, string>;
}

const below = (files: Record<string, string>, folder: string): HarnessFiles =>
	Object.fromEntries(Object.entries(files).flatMap(([name, text]) => (name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), text]] : [])));

function readManifest(text: string | undefined): WorkspaceManifest {
	if (text === undefined)
		throw new AppError("bad-input", "The folder has no workspace.yaml.", { reason: "workspace-no-manifest", fix: "See docs/workspace-format.md." });
	const result = WorkspaceManifestSchema.safeParse(parse(text));
	if (!result.success)
		throw new AppError("bad-input", `workspace.yaml is not valid: ${z.prettifyError(result.error)}`, { reason: "workspace-manifest-invalid" });
	const { suite, suites = [] } = result.data;
	// It would take the first suite's place, dev and holdout with it.
	if (suites.some(({ id }) => id === suite.id))
		throw new AppError("bad-input", `workspace.yaml is not valid: suites names ${suite.id}, which is the first suite.`, {
			reason: "workspace-manifest-invalid",
		});
	return result.data;
}

/** The name in place of the folder's own; throws `bad-input` for one that cannot stand in an address. */
function rename(manifest: WorkspaceManifest, slug: string): WorkspaceManifest {
	const result = WorkspaceSlugSchema.safeParse(slug);
	if (result.success) return { ...manifest, slug };
	throw new AppError("bad-input", `"${slug.slice(0, 80)}" cannot name a workspace.`, {
		reason: "workspace-slug-invalid",
		params: { slug: slug.slice(0, 80) },
		fix: `A name has ${result.error.issues[0]?.message}, e.g. support-desk.`,
	});
}

const FROM_TABLE = "npm run -s studio -- create-workspace";

/** A folder without cases is a starter: its workspace is made of a table, by the command of its README where it has one. Throws `bad-input`. */
function requireCases(files: Record<string, string>, folder: string, slug: string): void {
	if (Object.entries(files).some(([name, text]) => /^cases\/[^/]+\.jsonl$/.test(name) && text.trim() !== "")) return;
	const own = files["README.md"]?.split("\n").find((line) => line.startsWith(FROM_TABLE) && line.includes("--from-csv"));
	const command = own?.trim() ?? `${FROM_TABLE} ${slug} --from-csv FILE --starter ${folder} --map message=COLUMN,category=COLUMN,reference=COLUMN`;
	throw new AppError("bad-input", "The folder has no case: cases/*.jsonl is missing or empty.", {
		reason: "workspace-without-cases",
		params: { command },
		fix: `Write cases there (docs/workspace-format.md), or make the workspace of a table of requests: ${command}`,
	});
}

async function commitHarness(services: Services, workspaceId: string, kind: HarnessKind, files: HarnessFiles): Promise<void> {
	if (Object.keys(files).length === 0) return;
	const { problems } = await services.harness.check(workspaceId, files, kind);
	const errors = problems.filter((problem) => problem.severity === "error");
	if (errors.length > 0)
		throw new AppError(
			"bad-input",
			`The ${kind} harness is not valid: ${errors.map((problem) => `${problem.file}:${problem.line} ${problem.message}`).join("; ")}`,
			{
				reason: "harness-invalid",
				data: errors,
			},
		);
	await services.harness.createFromFiles(workspaceId, kind, files, { subject: "Import the base harness", author: AUTHOR });
}

/** Undoes what was made of a workspace: what can't be undone (a database that is away) stays to be seen, and is said. */
async function takeBack(services: Services, workspace: Workspace, actor: Actor, cause: unknown): Promise<void> {
	try {
		await removeWorkspace(services, workspace, { action: "workspace.take-back", actor, reason: messageOf(cause) });
	} catch (error) {
		logger.error({ err: error, workspace: workspace.slug }, "a workspace that could not be made whole could not be taken back");
	}
}

/** The workspace's own words become part of its envelope. */
async function setWords(services: Services, { id }: Workspace, files: Record<string, string>, actor: Actor): Promise<void> {
	const [transforms, heldOut] = [files["words/transforms.json"], files["words/held-out.json"]];
	if (transforms === undefined || heldOut === undefined) return;
	const { version, content } = await services.envelopes.current(id);
	const envelope = { ...content, words: { transforms: JSON.parse(transforms), "held-out": JSON.parse(heldOut) } };
	await services.envelopes.save(id, { seenVersion: version, envelope, reason: OWN_WORDS }, actor);
}

/** The folder's checkpoints become policy versions; the one that the manifest names acts until a release binds a policy. */
async function setPolicies(services: Services, { id }: Workspace, folder: string, manifest: WorkspaceManifest, actor: Actor): Promise<void> {
	const kept = path.join(folder, POLICY_FOLDER);
	const files = fs.existsSync(kept) ? fs.readdirSync(kept).filter((file) => file.endsWith(CHECKPOINT)) : [];
	const names = files.map((file) => path.basename(file, CHECKPOINT));
	const { policy } = manifest;
	if (policy !== undefined && !names.includes(policy))
		throw new AppError("bad-input", `workspace.yaml says that ${policy} acts, and there is no ${POLICY_FOLDER}/${policy}${CHECKPOINT}.`, {
			reason: "workspace-policy-missing",
			params: { name: policy },
			fix: "Put the checkpoint there, or leave policy out: then the embedded policy acts.",
		});
	// The one that acts first: the same weights in another file are no second version.
	for (const name of names.sort((x, y) => Number(y === policy) - Number(x === policy) || (x < y ? -1 : 1))) {
		const file = path.join(kept, `${name}${CHECKPOINT}`);
		const { size } = fs.statSync(requireRegularFile(file));
		const bytes = size > MAX_CHECKPOINT_BYTES ? new Uint8Array(MAX_CHECKPOINT_BYTES + 1) : fs.readFileSync(file);
		await services.training.importCheckpoint({ workspaceId: id, name, bytes, initial: name === policy }, actor);
	}
}

interface Filled {
	report: ImportResult;
	/** Messages that are there for training alone. */
	training: number;
}

/** Makes a workspace with its cases, or nothing: whatever fails, what was made before it is taken back. Throws `conflict` when it exists. */
async function createFrom(
	services: Services,
	manifest: WorkspaceManifest,
	files: Record<string, string>,
	actor: Actor,
	fill: (workspace: Workspace, target: ImportTarget) => Promise<Filled>,
): Promise<Filled & { workspace: Workspace }> {
	const workspace = await services.workspace.create(manifest, actor);
	try {
		await services.workspace.setBundle(
			workspace.id,
			Object.fromEntries(Object.entries(files).filter(([name]) => /^(world\/|tools\/|viewers\/|rooms\.json$)/.test(name))),
		);
		await commitHarness(services, workspace.id, "agent", below(files, "harness"));
		await commitHarness(services, workspace.id, "judge", below(files, "judge"));
		await setWords(services, workspace, files, actor);
		const filled = await fill(workspace, { workspaceId: workspace.id, suiteKey: manifest.suite.id, suiteTitle: manifest.suite.title });
		return { workspace, ...filled };
	} catch (error) {
		await takeBack(services, workspace, actor, error);
		throw error;
	}
}

/** A workspace from a folder as docs/workspace-format.md describes it. */
export async function createWorkspaceFromFolder(services: Services, folder: string, actor: Actor = SERVICE_ACTORS.system, slug?: string) {
	const files = readTextFiles(folder);
	const given = readManifest(files["workspace.yaml"]);
	const manifest = slug === undefined ? given : rename(given, slug);
	requireCases(files, folder, manifest.slug);
	return createFrom(services, manifest, files, actor, async (workspace, target) => {
		const report = await services.evaluation.importCaseFiles(target, files, actor);
		for (const { id, title } of manifest.suites ?? []) {
			const more = await services.evaluation.importCaseFiles({ ...target, suiteKey: id, suiteTitle: title }, files, actor, `suites/${id}`);
			report.accepted += more.accepted;
			report.rejectedTotal += more.rejectedTotal;
			report.rejected.push(...more.rejected);
			report.warnings.push(...more.warnings);
		}
		// Last: until it is in, what was made is taken back.
		await setPolicies(services, workspace, folder, manifest, actor);
		return { report, training: 0 };
	});
}

/** Skills out of the dev rows that name one and have a reply, as a commit on the first branch. */
async function draftFromCases(services: Services, workspace: Workspace, suiteVersionId: string): Promise<void> {
	const { dev } = await services.evaluation.readTrainingCases(suiteVersionId);
	const cases = dev.flatMap(({ category, content: { reference, expect } }) => {
		const [skill] = expect.skills ?? [];
		return reference && skill ? [{ category, skill, reference }] : [];
	});
	if (cases.length === 0)
		throw new AppError("bad-input", "No row names a skill and has a reply, so that no skill can be drafted.", {
			reason: "bad-options",
			fix: "Map a column to skills and one to reference, e.g. --map message=question,category=intent,reference=answer,skills=group.",
		});
	const { commit } = await services.harness.resolveHarness(workspace.id, "main");
	await services.harness.commit(workspace.id, {
		branch: "main",
		expectedHead: commit ?? "",
		changes: draftSkills(cases, workspace.language),
		message: { subject: "Draft skills from the table", author: AUTHOR },
	});
}

/** A workspace from a table of requests with reference replies, on a starter folder; its categories are the intents of the table. */
export async function createWorkspaceFromCsv(
	services: Services,
	input: { slug: string; csv: string; starter: string; options: ImportOptionsInput; draftSkills?: boolean; actor?: Actor },
) {
	const actor = input.actor ?? SERVICE_ACTORS.system;
	const files = readTextFiles(input.starter);
	const manifest = rename(readManifest(files["workspace.yaml"]), input.slug);
	const source = () => fileSource(input.csv, path.basename(input.csv));
	await source();
	return createFrom(services, manifest, files, actor, async (workspace, target) => {
		const report = await services.evaluation.importCases(target, await source(), actor, input.options);
		if (input.draftSkills) await draftFromCases(services, workspace, report.suiteVersion.id);
		if (!input.options.trainingShare) return { report, training: 0 };
		const pool = { ...target, suiteKey: TRAINING_SUITE, suiteTitle: { en: "Training messages", zh: "训练消息" } };
		const { accepted } = await services.evaluation.importCases(pool, await source(), actor, input.options);
		return { report, training: accepted };
	});
}
