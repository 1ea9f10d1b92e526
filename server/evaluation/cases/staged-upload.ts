import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/server/kernel/errors";
import { fileSource, MAX_BYTES, type TableSource } from "./read-table";

/** Uploads that nobody finished are removed after this long. */
const KEEP_MS = 24 * 3600_000;
const NAME = /^[a-z0-9]{8,40}$/;

const plain = (name: string): string => name.replace(/[^\w-]/g, "_");

/**
 * A file that a browser sends in parts, kept in the data directory until it is imported: a dry run and the import read the
 * same bytes, and nothing large passes through a request.
 */
export function createStagedUploads(directory: string) {
	function fileOf(owner: { workspaceId: string; userId: string }, uploadId: string): string {
		if (!NAME.test(uploadId)) throw new AppError("bad-input", "The upload's id is not valid.", { reason: "upload-id" });
		return path.join(directory, plain(`${owner.workspaceId}-${owner.userId}-${uploadId}`));
	}
	async function listOf(workspaceId: string): Promise<string[]> {
		return (await fs.readdir(directory).catch(() => [])).filter((name) => name.startsWith(plain(`${workspaceId}-`)));
	}
	async function sizeOf(file: string): Promise<number> {
		return (await fs.stat(file).catch(() => null))?.size ?? 0;
	}
	async function sweep() {
		for (const name of await fs.readdir(directory).catch(() => [])) {
			const file = path.join(directory, name);
			const stat = await fs.stat(file).catch(() => null);
			if (stat && Date.now() - stat.mtimeMs > KEEP_MS) await fs.rm(file, { force: true });
		}
	}
	return {
		/** Appends a part at its offset; a part that was sent before is not written twice. Returns how many bytes are there. */
		async append(owner: { workspaceId: string; userId: string }, uploadId: string, offset: number, part: Buffer): Promise<number> {
			const file = fileOf(owner, uploadId);
			await fs.mkdir(directory, { recursive: true, mode: 0o700 });
			if (offset === 0) await sweep();
			if (offset + part.length > MAX_BYTES)
				throw new AppError("bad-input", `At most ${MAX_BYTES / 2 ** 20} MB are read.`, {
					reason: "import-too-large",
					params: { name: "file", limit: MAX_BYTES / 2 ** 20 },
					fix: "Split the file and import its parts one after another.",
				});
			const size = await sizeOf(file);
			if (offset > size)
				throw new AppError("conflict", "A part of the file is missing.", { reason: "upload-gap", params: { size }, fix: "Choose the file again." });
			const handle = await fs.open(file, size === 0 ? "w" : "r+");
			try {
				await handle.write(part, 0, part.length, offset);
			} finally {
				await handle.close();
			}
			return sizeOf(file);
		},
		/** The file as a source of rows. Throws `not-found` when it is gone. */
		async open(owner: { workspaceId: string; userId: string }, uploadId: string, name: string): Promise<TableSource> {
			const file = fileOf(owner, uploadId);
			if ((await sizeOf(file)) === 0)
				throw new AppError("not-found", "The uploaded file is no longer here.", { reason: "upload-gone", fix: "Choose the file again." });
			return fileSource(file, name);
		},
		/** How many files wait in a workspace, whoever sent them. */
		count: async (workspaceId: string): Promise<number> => (await listOf(workspaceId)).length,
		/** Deletes them; returns how many there were. */
		async removeAll(workspaceId: string): Promise<number> {
			const files = await listOf(workspaceId);
			for (const name of files) await fs.rm(path.join(directory, name), { force: true });
			return files.length;
		},
		remove: (owner: { workspaceId: string; userId: string }, uploadId: string): Promise<void> => fs.rm(fileOf(owner, uploadId), { force: true }),
	};
}

export type StagedUploads = ReturnType<typeof createStagedUploads>;
