import fs from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { AppError } from "@/server/kernel/errors";
import type { ImportNote } from "./contract";
import { HARNESS_LIMITS, pathProblem } from "./file-paths";
import { reasonOf } from "./problem-texts";

export const ARCHIVE_LIMITS = {
	/** Of the archive itself. */
	bytes: 32 * 1024 * 1024,
	entries: 5_000,
	/** Of everything in it, unpacked. */
	unpackedBytes: 64 * 1024 * 1024,
	/** Unpacked to packed, of one entry larger than 64 KiB: text rarely packs better than 1 : 30. */
	ratio: 100,
} as const;

export interface Loaded {
	/** Text files by path. */
	files: Record<string, string>;
	rejected: ImportNote[];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; null when they are not UTF-8 text. */
function textOf(bytes: Uint8Array): string | null {
	if (bytes.includes(0)) return null;
	try {
		return utf8.decode(bytes);
	} catch {
		return null;
	}
}

const unreadable = (message: string, cause: unknown) =>
	new AppError("bad-input", message, {
		reason: "archive-unreadable",
		fix: "Make the archive again, or send it once more: it may have been cut off on its way.",
		cause,
	});

function bomb(what: string): AppError {
	return new AppError("bad-input", `The archive was refused: ${what}.`, {
		reason: "archive-refused",
		params: { why: what },
		fix: "Pack only the folder with the skills.",
	});
}

/**
 * Reads the text files of a zip, in memory. A bad entry (a path out of the folder, a link, `.git`, a case collision, binary)
 * is listed with its reason and left out; an archive that is a bomb, or no zip, throws `bad-input`.
 */
export async function readZip(bytes: Buffer): Promise<Loaded> {
	if (bytes.length > ARCHIVE_LIMITS.bytes) throw bomb(`larger than ${ARCHIVE_LIMITS.bytes / 1024 / 1024} MiB`);
	const zip = await open(bytes);
	if (zip.entryCount > ARCHIVE_LIMITS.entries) throw bomb(`more than ${ARCHIVE_LIMITS.entries} entries`);
	const loaded: Loaded = { files: {}, rejected: [] };
	const seen = new Map<string, string>();
	let unpacked = 0;
	let count = 0;
	for await (const entry of entriesOf(zip)) {
		if (++count > ARCHIVE_LIMITS.entries) throw bomb(`more than ${ARCHIVE_LIMITS.entries} entries`);
		const name = nameOf(entry);
		if (name.endsWith("/")) continue;
		const why = entryProblem(entry, name, seen);
		if (why) {
			loaded.rejected.push({ at: name, ...why });
			continue;
		}
		seen.set(name.toLowerCase(), name);
		if (entry.uncompressedSize > 64 * 1024 && entry.uncompressedSize > entry.compressedSize * ARCHIVE_LIMITS.ratio)
			throw bomb(`“${name}” unpacks to ${Math.round(entry.uncompressedSize / entry.compressedSize)} times its size`);
		unpacked += entry.uncompressedSize;
		if (unpacked > ARCHIVE_LIMITS.unpackedBytes) throw bomb(`unpacks to more than ${ARCHIVE_LIMITS.unpackedBytes / 1024 / 1024} MiB`);
		if (entry.uncompressedSize > HARNESS_LIMITS.fileBytes) {
			loaded.rejected.push({ at: name, ...reasonOf("file-size", { max: HARNESS_LIMITS.fileBytes / 1024 }) });
			continue;
		}
		const text = textOf(await contentOf(zip, entry));
		if (text === null) loaded.rejected.push({ at: name, ...reasonOf("file-not-text") });
		else loaded.files[name] = text;
	}
	return loaded;
}

function open(bytes: Buffer): Promise<ZipFile> {
	return new Promise((resolve, reject) => {
		// Names are decoded here, one by one, so that one bad name does not hide the others.
		fromBuffer(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true }, (error, zip) => {
			if (error) reject(unreadable("This is not a zip archive that can be read.", error));
			else resolve(zip);
		});
	});
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
	for (;;) {
		const entry = await new Promise<Entry | null>((resolve, reject) => {
			const done = () => {
				zip.removeListener("entry", onEntry);
				zip.removeListener("end", onEnd);
				zip.removeListener("error", onError);
			};
			const onEntry = (value: Entry) => {
				done();
				resolve(value);
			};
			const onEnd = () => {
				done();
				resolve(null);
			};
			const onError = (error: Error) => {
				done();
				reject(unreadable("The zip archive is damaged.", error));
			};
			zip.on("entry", onEntry);
			zip.on("end", onEnd);
			zip.on("error", onError);
			zip.readEntry();
		});
		if (!entry) return;
		yield entry;
	}
}

function nameOf(entry: Entry): string {
	// With decodeStrings off the name is a Buffer, whatever the type says.
	const raw = entry.fileName as unknown as Buffer;
	const name = textOf(raw) ?? raw.toString("latin1");
	return name.normalize("NFC");
}

function entryProblem(entry: Entry, name: string, seen: ReadonlyMap<string, string>): ReturnType<typeof reasonOf> | null {
	const why = pathProblem(name);
	if (why) return why;
	const type = (entry.externalFileAttributes >>> 16) & 0o170000;
	if (type === 0o120000) return reasonOf("file-link");
	if (type !== 0 && type !== 0o100000) return reasonOf("file-not-plain");
	if (entry.generalPurposeBitFlag & 1) return reasonOf("file-encrypted");
	const other = seen.get(name.toLowerCase());
	if (other === undefined) return null;
	return other === name ? reasonOf("file-twice") : reasonOf("path-collides", { other });
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
	const stream = await new Promise<Readable>((resolve, reject) => zip.openReadStream(entry, (error, value) => (error ? reject(error) : resolve(value)))).catch(
		(cause: unknown) => {
			throw unreadable("The zip archive is damaged.", cause);
		},
	);
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			size += (chunk as Buffer).length;
			// What the directory of the archive said may be a lie.
			if (size > entry.uncompressedSize) throw new Error("more than it said");
			chunks.push(chunk as Buffer);
		}
	} catch (cause) {
		throw unreadable("The zip archive is damaged.", cause);
	}
	return Buffer.concat(chunks);
}

/** What tools leave lying about; not worth a word. */
const IGNORED = new Set([".git", "node_modules", ".DS_Store", "__MACOSX", "Thumbs.db"]);

const FOLDER_FIX = "Give the path of a folder that is there and can be read.";

/** Reads the text files of a folder; links are not followed. Throws `not-found` when it is no folder. */
export async function readFolder(directory: string): Promise<Loaded> {
	const loaded: Loaded = { files: {}, rejected: [] };
	const stat = await fs.stat(directory).catch((cause: unknown) => {
		throw new AppError("not-found", "There is no such folder, or it cannot be read.", { reason: "folder-missing", fix: FOLDER_FIX, cause });
	});
	if (!stat.isDirectory()) throw new AppError("bad-input", "This is not a folder.", { reason: "folder-missing", fix: FOLDER_FIX });
	await walk(directory, "", loaded);
	return loaded;
}

async function walk(root: string, relative: string, loaded: Loaded): Promise<void> {
	const entries = await fs.readdir(path.join(root, relative), { withFileTypes: true });
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		if (IGNORED.has(entry.name)) continue;
		const at = relative ? `${relative}/${entry.name}` : entry.name;
		const name = at.normalize("NFC");
		const why = entry.isSymbolicLink() ? reasonOf("file-link") : pathProblem(name);
		if (why) loaded.rejected.push({ at: name, ...why });
		else if (entry.isDirectory()) await walk(root, at, loaded);
		else if (!entry.isFile()) loaded.rejected.push({ at: name, ...reasonOf("file-not-plain") });
		else await readOne(path.join(root, at), name, loaded);
	}
}

async function readOne(file: string, name: string, loaded: Loaded): Promise<void> {
	if (Object.keys(loaded.files).length >= HARNESS_LIMITS.files) throw bomb(`more than ${HARNESS_LIMITS.files} files`);
	const { size } = await fs.stat(file);
	if (size > HARNESS_LIMITS.fileBytes) {
		loaded.rejected.push({ at: name, ...reasonOf("file-size", { max: HARNESS_LIMITS.fileBytes / 1024 }) });
		return;
	}
	const text = textOf(await fs.readFile(file));
	if (text === null) loaded.rejected.push({ at: name, ...reasonOf("file-not-text") });
	else loaded.files[name] = text;
}
