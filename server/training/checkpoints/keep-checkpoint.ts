import { readCheckpoint } from "@/server/compact";
import type { TrainingPorts } from "../ports";
import { ensureCheckpointRow } from "../training.repository";

export interface CheckpointFile {
	workspaceId: string;
	name: string;
	bytes: Uint8Array;
	/** It came with the workspace: it acts until a release binds a policy. */
	initial?: boolean;
}

/**
 * Keeps a checkpoint's file and registers it as a policy version; the same weights are kept once, under the name they have
 * already. Throws `bad-input` for bytes that are no checkpoint of this release.
 */
export async function keepCheckpoint(ports: Pick<TrainingPorts, "db" | "registerCheckpoint">, { workspaceId, name, bytes, initial = false }: CheckpointFile) {
	const { digest, parameters } = readCheckpoint(bytes);
	const checkpointId = await ensureCheckpointRow(ports.db, { workspaceId, digest, bytes: new Uint8Array(bytes) });
	const version = await ports.registerCheckpoint({ workspaceId, name, checkpointId, digest, parameters, initial });
	return { checkpointId, version };
}
