import fs from "node:fs/promises";
import path from "node:path";
import type { Database } from "@/server/db/client";
import { logger } from "@/server/kernel/logger";
import { runGit } from "./git-process";
import * as rows from "./harness.repository";

/** As many as a few hundred commits leave; below it packing costs more than it saves. */
const LOOSE_OBJECTS = 1_000;
/** As `newId` makes it: what a log says of a folder is no path. */
const FOLDER = /^harness_\w+$/;
const PACK_MS = 10 * 60_000;

/** The bare repositories on this machine's disk: whether they are here, and their upkeep. */
export interface RepositoryStore {
	/**
	 * Whether this machine has the repositories of this database. Folders are named at random, so one that is here tells a
	 * store from any other. False while the studio has no repository at all.
	 */
	isHere(): Promise<boolean>;
	/**
	 * Packs the objects of every repository that has many loose ones; returns how many were packed. Nothing is ever pruned:
	 * what no ref holds (a commit that only a draft or a row of the database names) stays, packed or not. Safe beside
	 * readers, writers and another packing: an object is taken away only when a pack on the disk has it.
	 */
	pack(atLeast?: number): Promise<number>;
	/** Folders of a workspace's repositories, by which `remove` finds them when their rows are gone. */
	folders(workspaceId: string): Promise<string[]>;
	/** Deletes folders that no row of the database names any more; returns those that were on this machine's disk. */
	remove(folders: readonly string[]): Promise<string[]>;
}

/** The store below a folder, for the repositories that the database knows. */
export function createRepositoryStore(db: Database, directory: string): RepositoryStore {
	async function present(): Promise<string[]> {
		const folders = (await rows.listFolders(db)).map((folder) => path.join(directory, `${folder}.git`));
		const there = await Promise.all(folders.map((folder) => isThere(path.join(folder, "HEAD"))));
		return folders.filter((_, i) => there[i]);
	}

	return {
		isHere: async () => (await present()).length > 0,
		async pack(atLeast = LOOSE_OBJECTS) {
			let packed = 0;
			for (const folder of await present()) {
				const loose = await countLoose(folder);
				if (loose < atLeast) continue;
				try {
					// A geometric repack rolls loose objects and small packs into one, whether a ref reaches them or not.
					await runGit(folder, ["-c", "pack.threads=1", "repack", "--geometric=2", "-d", "--quiet"], { timeoutMs: PACK_MS });
					packed += loose - (await countLoose(folder));
				} catch (error) {
					logger.warn({ err: error, folder: path.basename(folder) }, "harness: a repository was not packed, will try again");
				}
			}
			return packed;
		},
		folders: (workspaceId) => rows.listFolders(db, workspaceId),
		async remove(folders) {
			const named = new Set(await rows.listFolders(db));
			const removed: string[] = [];
			for (const folder of folders.filter((one) => FOLDER.test(one) && !named.has(one))) {
				const full = path.join(directory, `${folder}.git`);
				if (!(await isThere(full))) continue;
				// A packing that is under way may write into it once more.
				await fs.rm(full, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
				removed.push(folder);
			}
			return removed;
		},
	};
}

const isThere = (file: string): Promise<boolean> =>
	fs.access(file).then(
		() => true,
		() => false,
	);

async function countLoose(folder: string): Promise<number> {
	const { stdout } = await runGit(folder, ["count-objects", "-v"]);
	return Number(/^count: (\d+)$/m.exec(stdout.toString())?.[1] ?? 0);
}
