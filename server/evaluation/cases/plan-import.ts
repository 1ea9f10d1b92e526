import { AppError } from "@/server/kernel/errors";
import { fingerprint, sha256 } from "@/server/kernel/hash";
import { charNgrams } from "@/server/kernel/text";
import type { Measure } from "@/server/workspace/contract";
import { type CaseContent, CaseContentSchema, type CaseImportReport, type CaseMapping, type ImportOptions, type Split } from "../contract";
import type { CaseScene } from "../ports";
import { assignSplit, isForTraining } from "./assign-split";
import { checkRubric, rubricReason, withMeasure } from "./check-measure";
import { groupNearDuplicates } from "./group-near-duplicates";
import { type Reason, reasonOf } from "./import-texts";
import { type Dialect, guessMapping, mapRow, recognizeDialect } from "./map-row";
import { openTable, type TableSource } from "./read-table";
import { type RowCase, validateRow } from "./validate-row";

const MAX_LISTED = 1_000;
const SAMPLE_ROWS = 20;

/** A case ready to be stored. */
export interface PlannedCase {
	line: number;
	key: string;
	category: string;
	split: Split;
	groupKey: string;
	content: CaseContent;
	/** Of key, category, split, group and content; equal cases have equal hashes. */
	hash: string;
}

/** What the plan must know of the cases that are there: enough to find near-duplicates and repeats, for all splits. */
export interface ExistingCase {
	key: string;
	split: Split;
	groupKey: string;
	hash: string;
	text: string;
}

/** What an import meets. */
interface ImportSurroundings {
	/** Cases of the suite itself. */
	existing: readonly ExistingCase[];
	/** Cases of other suites: a near-duplicate of one joins its group. A training message whose group is in another split is rejected. */
	neighbours?: readonly ExistingCase[];
	/** Whether it is the training suite, all of whose cases are `dev`. */
	training?: boolean;
	/** How the workspace measures; by rubrics unless given. */
	measure?: Measure | undefined;
	/** Categories of the workspace; none is new where none is known. */
	categories?: readonly string[] | undefined;
}

interface Candidate {
	line: number;
	file: RowCase;
}

type Note = { line: number; at: string } & Reason;

/** Input of the near-duplicate search: what is asked, in its conversation. */
export const comparedText = (content: Pick<CaseContent, "message" | "history">): string =>
	[...content.history.map((turn) => turn.text), content.message].join("\n");

/** Reads and validates every row: candidates, and the rest with line and reason. */
async function readCandidates(source: TableSource, options: ImportOptions, measure: Measure, scene: CaseScene) {
	const table = await openTable(source, options);
	const rejected: Note[] = [];
	const warnings: Note[] = [];
	const candidates: Candidate[] = [];
	let columns: string[] = [];
	let dialect: Dialect | null = null;
	let mapping: CaseMapping | undefined = options.mapping;
	let rows = 0;
	for await (const event of table.events) {
		if (event.type === "columns") {
			columns = event.columns;
			continue;
		}
		rows++;
		if (event.type === "bad") {
			const { type: _type, ...why } = event;
			rejected.push({ at: `line ${event.line}`, ...why });
			continue;
		}
		if (dialect === null) {
			if (columns.length === 0) columns = Object.keys(event.record);
			dialect = recognizeDialect(event.record);
			mapping = dialect === "table" ? (options.mapping ?? guessMapping(columns) ?? undefined) : options.mapping;
			if (dialect === "table") assertColumns(mapping, columns);
		}
		// JSON lines need not all have the same fields, so that a guess holds for one line only.
		const own = dialect === "table" && table.format === "jsonl" && !options.mapping ? (guessMapping(Object.keys(event.record)) ?? mapping) : mapping;
		const mapped = mapRow(event.record, dialect, own);
		const { line } = event;
		const note = (reason: Reason): Note => ({ line, at: `line ${line}`, ...reason });
		const checked = mapped.ok ? validateRow(mapped.value, options) : mapped;
		if ("file" in checked) {
			const rubric = checkRubric(checked.file.rubric, scene.world);
			const roomless = scene.roomProblem(checked.file.room);
			if (roomless !== null) rejected.push(note(reasonOf("room-unresolved", { detail: roomless })));
			else if (rubric.errors.length === 0) {
				const { file, doubt } = measure === "rubric" ? withMeasure(checked.file) : { file: checked.file, doubt: null };
				candidates.push({ line, file });
				if (doubt) warnings.push(note(doubt));
			} else rejected.push(note(rubricReason("rubric-unmet", rubric.errors)));
			if (rubric.warnings.length > 0) warnings.push(note(rubricReason("rubric-doubtful", rubric.warnings)));
		} else rejected.push(note({ reason: checked.reason, ...(checked.phrase && { phrase: checked.phrase }) }));
		if (mapped.ok) warnings.push(...mapped.notes.map(note));
	}
	if (rows === 0) warnings.push({ line: 1, at: "line 1", ...reasonOf("no-rows") });
	if (table.guessed) warnings.push({ line: 1, at: "line 1", ...reasonOf("encoding-guessed", { encoding: table.encoding }) });
	return { ...table, dialect: dialect ?? "table", mapping, columns, rows, candidates, rejected, warnings };
}

function assertColumns(mapping: CaseMapping | undefined, columns: readonly string[]) {
	if (!mapping)
		throw new AppError("bad-input", `No column looks like the viewer's message. The file has: ${columns.join(", ")}.`, {
			reason: "import-mapping-needed",
			fix: "Say which column is the message, e.g. --map message=question.",
			data: { columns },
		});
	const missing = Object.values(mapping).filter((column) => column !== undefined && !columns.includes(column));
	if (missing.length > 0)
		throw new AppError("bad-input", `The file has no column ${missing.map((column) => `"${column}"`).join(", ")}. It has: ${columns.join(", ")}.`, {
			reason: "import-missing-column",
			params: { missing: missing.join(", "), columns: columns.join(", ") },
			fix: "Map to a column that is there.",
			data: { columns, missing },
		});
}

/** Groups: as given, else that of a near-duplicate (also an earlier import's), else its own. */
async function assignGroups(candidates: readonly Candidate[], existing: readonly ExistingCase[]): Promise<string[]> {
	const texts = [...candidates.map(({ file }) => comparedText(file)), ...existing.map((one) => one.text)];
	const roots = await groupNearDuplicates(texts);
	const given = new Map<number, string>();
	// A group that already has a name keeps it: first that of stored cases, then one given in the file.
	for (const [i, one] of existing.entries()) given.set(roots[candidates.length + i] as number, one.groupKey);
	for (const [i, { file }] of candidates.entries()) if (file.group && !given.has(roots[i] as number)) given.set(roots[i] as number, file.group);
	const smallest = new Map<number, string>();
	for (const [i] of candidates.entries()) {
		const name = `g-${sha256([...charNgrams(texts[i] as string, 3)].sort((a, b) => (a < b ? -1 : 1)).join("\n")).slice(0, 12)}`;
		const root = roots[i] as number;
		const best = smallest.get(root);
		if (best === undefined || name < best) smallest.set(root, name);
	}
	return candidates.map(({ file }, i) => file.group ?? given.get(roots[i] as number) ?? (smallest.get(roots[i] as number) as string));
}

/** Hash of a case: equal for equal key, category, split, group and content. */
export function hashCase(input: { key: string; category: string; split: Split; groupKey: string; content: CaseContent }): string {
	return fingerprint([input.key, input.category, input.split, input.groupKey, input.content]);
}

/**
 * Reads a file and says what its import would do, without storing anything: the dry run and the import itself share it.
 * `scene` is what the cases name.
 * Throws AppError `bad-input` only for what concerns the whole file (empty, too large, a mapped column that is missing).
 */
export async function planImport(
	source: TableSource,
	options: ImportOptions,
	{ existing, neighbours = [], training = false, measure = "rubric", categories = [] }: ImportSurroundings,
	scene: CaseScene,
): Promise<{ report: CaseImportReport; cases: PlannedCase[] }> {
	const read = await readCandidates(source, options, measure, scene);
	const { rejected, warnings } = read;
	const firstLine = new Map<string, number>();
	const unique = read.candidates.filter(({ line, file }) => {
		const before = firstLine.get(file.id);
		if (before !== undefined) {
			rejected.push({ line, at: `line ${line}`, ...reasonOf("id-twice", { id: file.id, line: before }) });
			return false;
		}
		firstLine.set(file.id, line);
		return true;
	});
	const sealed = new Set(existing.filter((one) => one.split === "holdout").map((one) => one.key));
	const groups = await assignGroups(unique, [...existing, ...neighbours]);
	const replaced = options.mode === "append" ? existing.filter((one) => !firstLine.has(one.key)) : [];
	const splitOf = new Map([...replaced, ...(training ? neighbours : [])].map((one) => [one.groupKey, one.split]));
	const cases: PlannedCase[] = [];
	for (const [i, { line, file }] of unique.entries()) {
		const groupKey = groups[i] as string;
		if (options.trainingShare > 0 && isForTraining(groupKey, options.trainingShare) !== training) continue;
		const taken = splitOf.get(groupKey);
		const split = training ? "dev" : (file.split ?? taken ?? assignSplit(groupKey, options.shares));
		// Nothing leaves the holdout by the way: its cases stay sealed under their ids.
		if (sealed.has(file.id) && split !== "holdout") {
			rejected.push({ line, at: `line ${line}`, ...reasonOf("sealed-id", { id: file.id }) });
			continue;
		}
		if (taken !== undefined && taken !== split) {
			// The group's name may come from a stored case, also of the holdout: only a name that the row itself gives is said.
			const why = file.group ? reasonOf("group-elsewhere", { group: file.group, split: taken }) : reasonOf("near-duplicate-elsewhere", { split: taken });
			rejected.push({ line, at: `line ${line}`, ...why });
			continue;
		}
		splitOf.set(groupKey, split);
		const content = CaseContentSchema.parse(file);
		const planned = { key: file.id, category: file.category, split, groupKey, content };
		cases.push({ line, ...planned, hash: hashCase(planned) });
	}
	const known = new Set(categories);
	for (const { line, category } of known.size > 0 ? cases : []) {
		if (known.has(category)) continue;
		known.add(category);
		warnings.push({ line, at: `line ${line}`, ...reasonOf("category-new", { category }) });
	}
	return { report: makeReport(read, options, cases, existing, rejected, warnings), cases };
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
	return counts;
}

function makeReport(
	read: Awaited<ReturnType<typeof readCandidates>>,
	options: ImportOptions,
	cases: readonly PlannedCase[],
	existing: readonly ExistingCase[],
	rejected: Note[],
	warnings: Note[],
): CaseImportReport {
	const hashes = new Set(existing.map((one) => one.hash));
	const keys = new Set(existing.map((one) => one.key));
	const unchanged = cases.filter((one) => hashes.has(one.hash)).length;
	const updated = cases.filter((one) => !hashes.has(one.hash) && keys.has(one.key)).length;
	const splits = countBy(cases, (one) => one.split);
	const byLine = (a: Note, b: Note) => a.line - b.line;
	return {
		format: read.format,
		dialect: read.dialect,
		encoding: read.encoding,
		columns: read.columns,
		mapping: read.mapping ?? options.mapping ?? null,
		rows: read.rows,
		accepted: cases.length,
		added: cases.length - unchanged - updated,
		updated,
		unchanged,
		rejected: rejected.sort(byLine).slice(0, MAX_LISTED),
		rejectedTotal: rejected.length,
		warnings: warnings.sort(byLine).slice(0, MAX_LISTED),
		splits: { dev: splits.get("dev") ?? 0, test: splits.get("test") ?? 0, holdout: splits.get("holdout") ?? 0 },
		categories: [...countBy(cases, (one) => one.category)]
			.map(([category, count]) => ({ category, cases: count }))
			.sort((a, b) => b.cases - a.cases || (a.category < b.category ? -1 : 1)),
		nearDuplicateGroups: [...countBy(cases, (one) => one.groupKey).values()].filter((n) => n > 1).length,
		sample: cases
			.filter((one) => one.split !== "holdout")
			.slice(0, SAMPLE_ROWS)
			.map((one) => ({
				id: one.key,
				category: one.category,
				split: one.split,
				group: one.groupKey,
				message: one.content.message,
				reference: one.content.reference ?? null,
			})),
	};
}
