import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import iconv from "iconv-lite";
import { AppError } from "@/server/kernel/errors";
import { isDeeper, MAX_JSON_DEPTH } from "@/server/kernel/json";
import { detectEncoding } from "./detect-encoding";
import { type Reason, reasonOf } from "./import-texts";

export const MAX_BYTES = 256 * 1024 * 1024;
export const MAX_ROWS = 50_000;
const MAX_RECORD = 256 * 1024;
/** A longer row is refused and the next one read, up to here: what is longer still is most likely a quote that never closes. */
const MAX_SKIPPED = 16 * 1024 * 1024;
const SAMPLE_BYTES = 256 * 1024;

export interface TableSource {
	/** For messages and for guessing the format: `cases.csv`. */
	name: string;
	bytes: number;
	sample(): Promise<Buffer>;
	stream(): Readable;
}

/** A file on this machine's disk, read as a stream. */
export async function fileSource(path: string, name: string): Promise<TableSource> {
	const handle = await open(path, "r").catch((cause) => {
		throw new AppError("bad-input", `The file ${name} cannot be read.`, { reason: "import-unreadable", params: { name }, cause });
	});
	try {
		const { size } = await handle.stat();
		const buffer = Buffer.alloc(Math.min(size, SAMPLE_BYTES));
		await handle.read(buffer, 0, buffer.length, 0);
		return { name, bytes: size, sample: async () => buffer, stream: () => createReadStream(path) };
	} finally {
		await handle.close();
	}
}

/** Bytes that are already in memory. */
export function bufferSource(content: Buffer | string, name: string): TableSource {
	const buffer = typeof content === "string" ? Buffer.from(content) : content;
	return { name, bytes: buffer.length, sample: async () => buffer.subarray(0, SAMPLE_BYTES), stream: () => Readable.from([buffer]) };
}

/** CSV or JSON lines, by the name's extension, else by the first character. */
export function detectFormat(name: string, sample: Buffer, asked: "auto" | "csv" | "jsonl"): "csv" | "jsonl" {
	if (asked !== "auto") return asked;
	if (/\.(jsonl|ndjson|json)$/i.test(name)) return "jsonl";
	if (/\.(csv|tsv|txt)$/i.test(name)) return "csv";
	return sample.toString("utf8").trimStart().startsWith("{") ? "jsonl" : "csv";
}

export type TableEvent =
	| { type: "columns"; columns: string[] }
	| { type: "row"; line: number; record: Record<string, unknown> }
	| ({ type: "bad"; line: number } & Reason);

function guardSize(source: TableSource) {
	if (source.bytes === 0) throw new AppError("bad-input", `${source.name} is empty.`, { reason: "import-empty", params: { name: source.name } });
	if (source.bytes > MAX_BYTES)
		throw new AppError("bad-input", `${source.name} has ${Math.ceil(source.bytes / 2 ** 20)} MB; at most ${MAX_BYTES / 2 ** 20} MB are read.`, {
			reason: "import-too-large",
			params: { name: source.name, limit: MAX_BYTES / 2 ** 20 },
			fix: "Split the file and import its parts one after another.",
		});
}

const tooMany = (name: string) =>
	new AppError("bad-input", `${name} has more than ${MAX_ROWS.toLocaleString("en")} rows.`, {
		reason: "import-too-many-rows",
		params: { name, limit: MAX_ROWS },
		fix: "Split the file and import its parts one after another.",
	});

/** Rows are read by the names of their columns: of two equal ones the first would be lost without a word. */
const columnTwice = (name: string, column: string) =>
	new AppError("bad-input", `${name} has two columns named “${column}”.`, {
		reason: "import-column-twice",
		params: { name, column },
		fix: "Rename one of them in the head of the file.",
	});

/** The separator that occurs most in the head's line: comma, semicolon or tab. */
function detectDelimiter(head: string): string {
	const line = head.split(/\r?\n/, 1)[0] ?? "";
	const count = (separator: string) => line.split(separator).length;
	return [",", ";", "\t"].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** Line ends as \n, also inside cells: the same text whatever system wrote it, and line numbers that an editor agrees with. */
function normalizeLineEnds(): Transform {
	let pending = "";
	return new Transform({
		decodeStrings: false,
		transform(chunk: string | Buffer, _encoding, done) {
			let text = pending + chunk.toString();
			pending = text.endsWith("\r") ? "\r" : "";
			if (pending) text = text.slice(0, -1);
			done(null, text.replace(/\r\n?/g, "\n"));
		},
		flush(done) {
			done(null, pending ? "\n" : "");
		},
	});
}

interface CsvRow {
	/** Where the row begins. */
	line: number;
	/** Null for a row that is too large. */
	record: Record<string, unknown> | null;
}

async function* readCsv(source: TableSource, encoding: string): AsyncGenerator<TableEvent> {
	const head = iconv.decode(await source.sample(), encoding);
	const bad: ({ line: number } & Reason)[] = [];
	let columns: string[] = [];
	/** Where the last record ended, good or bad. */
	let end = 1;
	let endless = false;
	const parser = parse({
		bom: true,
		delimiter: detectDelimiter(head),
		columns: (names: string[]) => {
			columns = names.map((name, i) => name.trim() || `column ${i + 1}`);
			const twice = columns.find((name, i) => columns.indexOf(name) !== i);
			if (twice !== undefined) throw columnTwice(source.name, twice);
			return columns;
		},
		info: true,
		relax_column_count: false,
		relax_quotes: true,
		skip_empty_lines: true,
		skip_records_with_error: true,
		max_record_size: MAX_SKIPPED,
		on_record: ({ record, info }: { record: Record<string, string>; info: { lines: number } }): CsvRow | null => {
			if (endless) return null;
			end = info.lines;
			const cells = Object.values(record).map(String);
			const line = info.lines - cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
			// Some rows wait to be read, and shall not wait with their megabytes.
			return { line, record: cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_RECORD ? null : record };
		},
		on_skip: (error: CsvError | undefined) => {
			if (endless) return undefined;
			// The parser goes on in the middle of the row, and takes its rest for rows.
			endless = error?.code === "CSV_MAX_RECORD_SIZE";
			bad.push({ line: end + 1, ...csvReason(error) });
			end = Number(error?.lines ?? end);
			return undefined;
		},
	});
	const decoded = source.stream().pipe(iconv.decodeStream(encoding));
	decoded.on("error", (error) => parser.destroy(error));
	decoded.pipe(normalizeLineEnds()).pipe(parser);
	let announced = false;
	let rows = 0;
	try {
		for await (const item of parser as AsyncIterable<CsvRow>) {
			if (!announced) {
				announced = true;
				yield { type: "columns", columns };
			}
			for (const problem of bad.splice(0)) yield { type: "bad", ...problem };
			if (++rows > MAX_ROWS) throw tooMany(source.name);
			if (item.record) yield { type: "row", line: item.line, record: item.record };
			else yield { type: "bad", line: item.line, ...reasonOf("row-large", { max: MAX_RECORD / 1024 }) };
		}
	} catch (error) {
		if (error instanceof AppError) throw error;
		yield { type: "bad", line: end + 1, ...csvReason(error as CsvError) };
	}
	if (!announced) yield { type: "columns", columns };
	for (const problem of bad) yield { type: "bad", ...problem };
}

function csvReason(error: { code?: string; message?: string } | undefined): Reason {
	switch (error?.code) {
		case "CSV_QUOTE_NOT_CLOSED":
			return reasonOf("quote-open");
		case "CSV_MAX_RECORD_SIZE":
			return reasonOf("row-endless", { max: MAX_SKIPPED / 2 ** 20 });
		case "CSV_RECORD_INCONSISTENT_COLUMNS":
		case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH":
			return reasonOf("row-cells");
		case "CSV_INVALID_CLOSING_QUOTE":
		case "INVALID_OPENING_QUOTE":
			return reasonOf("quote-inside");
		default:
			return error?.message ? reasonOf("row-unreadable-detail", { detail: error.message.slice(0, 200) }) : reasonOf("row-unreadable");
	}
}

/** The lines; null for one that is too large, of which no more than that is ever held. */
async function* lines(source: TableSource, encoding: string): AsyncGenerator<string | null> {
	let line: string | null = "";
	for await (const chunk of source.stream().pipe(iconv.decodeStream(encoding)) as AsyncIterable<string | Buffer>) {
		for (const [i, part] of chunk.toString().split("\n").entries()) {
			if (i > 0) {
				yield line;
				line = "";
			}
			if (line !== null) line = line.length + part.length > MAX_RECORD ? null : line + part;
		}
	}
	if (line !== "") yield line;
}

async function* readJsonLines(source: TableSource, encoding: string): AsyncGenerator<TableEvent> {
	let line = 0;
	let rows = 0;
	for await (const raw of lines(source, encoding)) {
		line++;
		// A byte order mark counts as white space.
		const text = raw?.trim() ?? null;
		if (text === "") continue;
		if (++rows > MAX_ROWS) throw tooMany(source.name);
		if (text === null) {
			yield { type: "bad", line, ...reasonOf("line-large", { max: MAX_RECORD / 1024 }) };
			continue;
		}
		try {
			const value: unknown = JSON.parse(text);
			if (isDeeper(value)) yield { type: "bad", line, ...reasonOf("line-deep", { max: MAX_JSON_DEPTH }) };
			else if (value === null || typeof value !== "object" || Array.isArray(value)) yield { type: "bad", line, ...reasonOf("line-no-object") };
			else yield { type: "row", line, record: value as Record<string, unknown> };
		} catch (error) {
			yield { type: "bad", line, ...reasonOf("line-no-json", { detail: (error as Error).message.slice(0, 160) }) };
		}
	}
}

/**
 * Reads a table row by row without holding it in memory; a row that cannot be read is an event with its line and reason, never
 * an end. Throws AppError `bad-input` for a file that is empty, too large or no text. `guessed`: the encoding is by statistics.
 */
export async function openTable(source: TableSource, options: { format: "auto" | "csv" | "jsonl"; encoding: string }) {
	guardSize(source);
	const sample = await source.sample();
	const { encoding, guessed } = detectEncoding(sample, options.encoding, source.name);
	const format = detectFormat(source.name, sample, options.format);
	return { format, encoding, guessed, events: format === "csv" ? readCsv(source, encoding) : readJsonLines(source, encoding) };
}
