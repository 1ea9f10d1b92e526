import { createHash } from "node:crypto";
import { gzipSync, zipSync } from "fflate";
import type { HarnessFiles } from "./contract";

/** The time of every entry: an archive is a function of its files alone, so that its digest can be checked. */
const EPOCH = new Date("2000-01-01T00:00:00Z");
const BLOCK = 512;

export interface Archive {
	bytes: Buffer;
	/** Hex SHA-256 of the bytes. */
	digest: string;
	mediaType: string;
}

export type ArchiveFormat = "tar.gz" | "zip";

/** Files as an archive; the same files always give the same bytes. `prefix` is a folder that everything stands in. */
export function writeArchive(files: HarnessFiles, format: ArchiveFormat, prefix = ""): Archive {
	const entries = Object.entries(files)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([path, text]): [string, Buffer] => [prefix ? `${prefix}/${path}` : path, Buffer.from(text)]);
	const bytes = Buffer.from(
		format === "zip"
			? zipSync(Object.fromEntries(entries.map(([path, content]) => [path, [content, { mtime: EPOCH, level: 6 }]])))
			: gzipSync(tar(entries), { mtime: EPOCH, level: 6 }),
	);
	return { bytes, digest: createHash("sha256").update(bytes).digest("hex"), mediaType: format === "zip" ? "application/zip" : "application/gzip" };
}

function tar(entries: readonly [string, Buffer][]): Buffer {
	const blocks: Buffer[] = [];
	const add = (name: string, content: Buffer, type: string) => {
		blocks.push(header(name, content.length, type), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
	};
	for (const [path, content] of entries) {
		// POSIX extended header for names that the old field cannot hold.
		if (Buffer.byteLength(path) > 100) add("pax", paxRecord("path", path), "x");
		add(path, content, "0");
	}
	return Buffer.concat([...blocks, Buffer.alloc(BLOCK * 2)]);
}

function header(name: string, size: number, type: string): Buffer {
	const block = Buffer.alloc(BLOCK);
	const octal = (value: number, at: number, width: number) => block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "ascii");
	Buffer.from(name).copy(block, 0, 0, 100);
	octal(0o644, 100, 8);
	octal(0, 108, 8);
	octal(0, 116, 8);
	octal(size, 124, 12);
	octal(EPOCH.getTime() / 1000, 136, 12);
	block.write("        ", 148, "ascii");
	block.write(type, 156, "ascii");
	block.write("ustar\x0000", 257, "ascii");
	const sum = block.reduce((total, byte) => total + byte, 0);
	block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "ascii");
	return block;
}

/** `length key=value\n`, where the length counts itself. */
function paxRecord(key: string, value: string): Buffer {
	const rest = ` ${key}=${value}\n`;
	let length = Buffer.byteLength(rest) + 1;
	while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
	return Buffer.from(`${length}${rest}`);
}
