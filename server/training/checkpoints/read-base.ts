import fs from "node:fs";
import path from "node:path";
import { type Checkpoint, readCheckpoint } from "@/server/compact";

/** The base checkpoint that is shipped; `pretrain` reproduces it from the seed and the data that its header names. */
export const BASE_FILE = path.join("server", "training", "checkpoints", "base.ckpt");

let known: Checkpoint | null = null;

/** The base checkpoint, read once. Treat its parameters as read-only: copy them before training. */
export function readBaseCheckpoint(): Checkpoint {
	known ??= readCheckpoint(fs.readFileSync(path.resolve(BASE_FILE)));
	return known;
}
