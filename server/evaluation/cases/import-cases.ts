import path from "node:path";
import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { addCategories, recordAudit } from "@/server/workspace";
import type { Actor, Measure } from "@/server/workspace/contract";
import {
	type CaseContent,
	CaseContentSchema,
	type CaseImportReport,
	CaseSchema,
	type ImportOptions,
	type ImportOptionsInput,
	ImportOptionsSchema,
	TRAINING_SUITE,
} from "../contract";
import type { CaseScene } from "../ports";
import { findOpenCase, listExisting, listNeighbours } from "./case.repository";
import { checkRubric } from "./check-measure";
import { hashCase, type PlannedCase, planImport } from "./plan-import";
import { bufferSource, type TableSource } from "./read-table";
import { storeSuiteVersion } from "./suite.repository";

export interface ImportTarget {
	workspaceId: string;
	suiteKey: string;
	/** Used when the suite does not exist yet. */
	suiteTitle?: { en: string; zh: string };
	/** What the cases name; without it, rubrics may name no fact, and rooms are not looked at. */
	scene?: CaseScene;
	/** How the workspace measures; by rubrics unless given. */
	measure?: Measure;
	/** The workspace's categories: another one is added, and said. */
	categories?: readonly string[];
}

export interface ImportResult extends CaseImportReport {
	suiteVersion: { id: string; version: number; created: boolean };
}

const NO_SCENE: CaseScene = { world: {}, roomProblem: () => null };

async function plan(db: Database, { workspaceId, suiteKey, scene = NO_SCENE, measure, categories }: ImportTarget, source: TableSource, options: ImportOptions) {
	const [existing, neighbours] = await Promise.all([listExisting(db, workspaceId, suiteKey), listNeighbours(db, workspaceId, suiteKey)]);
	return planImport(source, options, { existing, neighbours, training: suiteKey === TRAINING_SUITE, measure, categories }, scene);
}

/** What an import of this file would do: every rejected row with line and reason; nothing is stored. */
export async function dryRunImport(db: Database, target: ImportTarget, source: TableSource, options: ImportOptionsInput = {}): Promise<CaseImportReport> {
	const { report } = await plan(db, target, source, ImportOptionsSchema.parse(options));
	return report;
}

/**
 * Imports the rows that are good into a new version of the suite; the others come back with line and reason. Idempotent:
 * the same file again makes no new version. Throws `bad-input` when not one row is good.
 */
export async function importCases(
	db: Database,
	target: ImportTarget,
	source: TableSource,
	actor: Actor,
	options: ImportOptionsInput = {},
): Promise<ImportResult> {
	const parsed = ImportOptionsSchema.parse(options);
	const { report, cases } = await plan(db, target, source, parsed);
	if (cases.length === 0)
		throw new AppError("bad-input", `No row of ${source.name} can be imported.`, {
			reason: "import-nothing-accepted",
			params: { name: source.name, rejected: report.rejectedTotal },
			fix: "Look at the reasons, correct the file or the mapping, and try again.",
			data: { rejected: report.rejected.slice(0, 50) },
		});
	const suiteVersion = await store(db, target, cases, parsed.mode, actor, source.name);
	return { ...report, suiteVersion };
}

const suiteOf = ({ workspaceId, suiteKey, suiteTitle }: ImportTarget) => ({
	workspaceId,
	suiteKey,
	suiteTitle: suiteTitle ?? { en: suiteKey, zh: suiteKey },
});

function store(db: Database, target: ImportTarget, cases: readonly PlannedCase[], mode: "append" | "replace", actor: Actor, note: string) {
	return storeSuiteVersion(db, { ...suiteOf(target), cases, mode, createdById: actor.id, note }, async (tx, version) => {
		await addCategories(
			tx,
			target.workspaceId,
			cases.map((one) => one.category),
		);
		if (!version.created) return;
		await recordAudit(tx, {
			workspaceId: target.workspaceId,
			actor,
			action: "case.import",
			subject: `suite ${target.suiteKey} v${version.version}`,
			detail: { rows: cases.length, mode, source: note },
		});
	});
}

/** Imports the case files of a workspace folder (`cases/*.jsonl`, one CaseSchema object a line) as the whole suite. */
export async function importCaseFiles(
	db: Database,
	target: ImportTarget,
	files: Record<string, string>,
	actor: Actor,
	folder = "cases",
): Promise<ImportResult> {
	const names = Object.keys(files)
		.filter((name) => path.posix.dirname(name) === folder && name.endsWith(".jsonl"))
		.sort((a, b) => (a < b ? -1 : 1));
	const origin: { name: string; line: number }[] = [];
	const lines: string[] = [];
	for (const name of names) {
		for (const [i, line] of (files[name] ?? "").split(/\r?\n/).entries()) {
			if (line.trim() === "") continue;
			lines.push(line);
			origin.push({ name, line: i + 1 });
		}
	}
	if (lines.length === 0)
		throw new AppError("bad-input", `The folder has no case: ${folder}/*.jsonl is missing or empty.`, {
			reason: "import-empty",
			params: { name: `${folder}/` },
		});
	const result = await importCases(db, target, bufferSource(lines.join("\n"), "cases.jsonl"), actor, { format: "jsonl", encoding: "utf-8", mode: "replace" });
	const locate = <T extends { line: number; at: string }>(note: T): T => {
		const place = origin[note.line - 1];
		return place ? { ...note, line: place.line, at: `${place.name}:${place.line}` } : note;
	};
	return { ...result, rejected: result.rejected.map(locate), warnings: result.warnings.map(locate) };
}

export interface CaseEdit {
	category?: string | undefined;
	content: CaseContent;
}

/**
 * Writes another text under an open case's key: a new row and a new version of the suite; the old ones stay for the runs
 * that used them. Throws `not-found` for a case that is not there or sealed, `conflict` when it is no longer in the suite,
 * `bad-input` for a rubric that no reply can meet.
 */
export async function editCase(db: Database, target: ImportTarget, caseId: string, edit: CaseEdit, actor: Actor): Promise<{ version: number }> {
	const before = await findOpenCase(db, target.workspaceId, caseId);
	if (!before) throw new AppError("not-found", "There is no such case.", { reason: "case-not-found" });
	const existing = await listExisting(db, target.workspaceId, target.suiteKey);
	if (!existing.some((one) => one.key === before.key && one.split === before.split))
		throw new AppError("conflict", `The case ${before.key} is no longer in the suite ${target.suiteKey}.`, {
			reason: "case-not-in-suite",
			params: { key: before.key },
		});
	const category = edit.category ?? before.category;
	const content = CaseContentSchema.parse(edit.content);
	CaseSchema.parse({ ...content, id: before.key, category, split: before.split });
	const scene = target.scene ?? NO_SCENE;
	const roomless = scene.roomProblem(content.room);
	if (roomless !== null) throw new AppError("bad-input", `The room cannot be made: ${roomless}`, { reason: "case-room", params: { why: roomless } });
	const { errors } = checkRubric(content.rubric, scene.world);
	const [first] = errors;
	if (first) {
		const why = { item: first.item + 1, why: first.text, whyReason: `rubric-${first.code}`, more: errors.length - 1 };
		throw new AppError("bad-input", `The rubric cannot be met as it stands: point ${why.item}: ${why.why}.`, { reason: "case-rubric", params: why });
	}
	const planned = { key: before.key, category, split: before.split, groupKey: before.groupKey, content };
	return store(db, target, [{ line: 1, ...planned, hash: hashCase(planned) }], "append", actor, `edit of ${before.key}`);
}

/** Takes open cases out of the suite (a new version without them). Nothing is deleted: earlier versions keep them. */
export async function removeCases(db: Database, target: ImportTarget, caseIds: readonly string[], actor: Actor): Promise<{ version: number; removed: number }> {
	const found = await Promise.all(caseIds.map((id) => findOpenCase(db, target.workspaceId, id)));
	const keys = found.flatMap((one) => (one ? [one.key] : []));
	if (keys.length === 0) throw new AppError("not-found", "There is no such case.", { reason: "case-not-found" });
	const made = await storeSuiteVersion(
		db,
		{ ...suiteOf(target), cases: [], mode: "append", removeKeys: keys, createdById: actor.id, note: `without ${keys.length} cases` },
		async (tx, version) =>
			recordAudit(tx, {
				workspaceId: target.workspaceId,
				actor,
				action: "case.remove",
				subject: `suite ${target.suiteKey} v${version.version}`,
				detail: { keys },
			}),
	);
	return { version: made.version, removed: keys.length };
}
