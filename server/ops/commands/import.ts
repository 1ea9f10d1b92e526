import fs from "node:fs";
import path from "node:path";
import { fileSource } from "@/server/evaluation";
import { type CaseMapping, CaseMappingSchema } from "@/server/evaluation/contract";
import { importSkills, importTools, readFolder, readZip } from "@/server/harness";
import type { FileChanges, HarnessFiles, ImportReport } from "@/server/harness/contract";
import { env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { createWorkspaceFromCsv, createWorkspaceFromFolder } from "../create-workspace";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import { requireFile, requireRegularFile } from "./require-file";

const STARTER = "examples/support-desk";

/** `message=instruction,category=intent` as a mapping; throws `bad-input` naming the field that is unknown. */
export function readMapping(text: string | undefined): CaseMapping | undefined {
	if (!text) return undefined;
	const pairs = Object.fromEntries(text.split(",").map((pair) => pair.split("=").map((part) => part.trim()) as [string, string]));
	const result = CaseMappingSchema.strict().safeParse(pairs);
	if (result.success) return result.data;
	throw new AppError("bad-input", `--map ${text} is not a mapping: ${result.error.issues.map((issue) => issue.message).join("; ")}`, {
		reason: "bad-mapping",
		fix: `Write field=column pairs, e.g. --map message=question,category=intent,reference=answer. Fields: ${Object.keys(CaseMappingSchema.shape).join(", ")}.`,
	});
}

/** `import-cases FILE`: into a workspace's suite, or with `--dry-run` only what would happen. Fails when a row was rejected. */
export async function importCases(
	session: Session,
	file: string,
	options: { workspace: string; suite: string; map?: string | undefined; encoding: string; dryRun: boolean },
): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const source = await fileSource(requireRegularFile(file), path.basename(file));
	const mapping = readMapping(options.map);
	const target = { workspaceId: workspace.id, suiteKey: options.suite };
	const settings = { encoding: options.encoding, ...(mapping ? { mapping } : {}) };
	const report = options.dryRun
		? await session.services.evaluation.dryRunImport(target, source, settings)
		: await session.services.evaluation.importCases(target, source, SERVICE_ACTORS.system, settings);
	const { accepted, rejected, ...rest } = report;
	return { document: { imported: options.dryRun ? 0 : accepted, wouldImport: accepted, rejected, ...rest }, failed: report.rejectedTotal > 0 };
}

function writeInto(folder: string, changes: FileChanges): void {
	for (const [name, text] of Object.entries(changes)) {
		const full = path.join(folder, name);
		if (text === null) fs.rmSync(full, { force: true });
		else {
			fs.mkdirSync(path.dirname(full), { recursive: true });
			fs.writeFileSync(full, text);
		}
	}
}

async function existingFiles(folder: string | undefined): Promise<HarnessFiles> {
	return folder && fs.existsSync(folder) ? (await readFolder(folder)).files : {};
}

function finish({ changes, report }: { changes: FileChanges; report: ImportReport }, into: string | undefined): CommandResult {
	if (into) writeInto(into, changes);
	return { document: { ...report, files: Object.keys(changes), written: into ?? null }, failed: report.rejected.length > 0 };
}

/** `import-skills DIR|ZIP`: Agent Skills, each bad one with its reason; `--into` writes the good ones into a harness folder. */
export async function importSkillsFrom(source: string, options: { into?: string | undefined; strict: boolean }): Promise<CommandResult> {
	const loaded = fs.statSync(requireFile(source)).isDirectory() ? await readFolder(source) : await readZip(fs.readFileSync(source));
	return finish(importSkills(loaded, await existingFiles(options.into), options.strict ? "strict" : "lenient"), options.into);
}

/** `import-tools FILE`: an MCP `tools/list` result; the tools call the named connection. */
export async function importToolsFrom(file: string, options: { into?: string | undefined; strict: boolean; connection: string }): Promise<CommandResult> {
	const json = fs.readFileSync(requireRegularFile(file), "utf8");
	const binding = { kind: "mcp" as const, connection: options.connection };
	return finish(importTools(json, await existingFiles(options.into), binding, options.strict ? "strict" : "lenient"), options.into);
}

/** `create-workspace NAME`: from a folder, or from a table of requests with reference replies on a starter harness. */
export async function createWorkspace(
	session: Session,
	slug: string,
	options: {
		fromFolder?: string | undefined;
		fromCsv?: string | undefined;
		starter?: string | undefined;
		map?: string | undefined;
		trainingShare?: string | undefined;
		draftSkills?: boolean | undefined;
	},
): Promise<CommandResult> {
	if (Boolean(options.fromFolder) === Boolean(options.fromCsv))
		throw new AppError("bad-input", "Say what to make the workspace from: --from-folder DIR or --from-csv FILE.", { reason: "bad-options" });
	const mapping = readMapping(options.map);
	const trainingShare = Number(options.trainingShare ?? 0);
	if (!(trainingShare >= 0 && trainingShare <= 0.9))
		throw new AppError("bad-input", "--training-share is a share between 0 and 0.9.", { reason: "bad-options" });
	const made = options.fromCsv
		? await createWorkspaceFromCsv(session.services, {
				slug,
				csv: requireRegularFile(options.fromCsv),
				starter: requireFile(options.starter ?? STARTER),
				draftSkills: options.draftSkills ?? false,
				options: { trainingShare, ...(mapping ? { mapping } : {}) },
			})
		: await createWorkspaceFromFolder(session.services, requireFile(options.fromFolder ?? ""), SERVICE_ACTORS.system, slug);
	const { workspace, report, training } = made;
	// The demo token is the running studio's own: this process knows only whether demo people may be in its database.
	if (env().STUDIO_EMBEDDED === "1") await session.services.auth.joinDemoPeople(workspace.id);
	progress(`workspace ${workspace.slug}: ${report.accepted} cases`);
	for (const { reason } of report.warnings.filter(({ phrase }) => phrase?.id === "encoding-guessed")) progress(reason);
	return {
		document: {
			workspace: { id: workspace.id, slug: workspace.slug },
			imported: report.accepted,
			training,
			splits: report.splits,
			categories: report.categories,
			mapping: report.mapping,
			encoding: report.encoding,
			rejected: report.rejected,
		},
		failed: report.rejectedTotal > 0,
	};
}
