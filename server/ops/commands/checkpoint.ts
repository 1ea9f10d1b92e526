import fs from "node:fs";
import type { z } from "zod";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { ExportCheckpointOptions, ImportCheckpointOptions } from "./read-options";
import { requireRegularFile } from "./require-file";

/** `import-checkpoint FILE`: a checkpoint that was made elsewhere, as a policy version. Throws `bad-input` for a file that is none. */
export async function importCheckpoint(
	{ services, ...session }: Session,
	file: string,
	options: z.infer<typeof ImportCheckpointOptions>,
): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const bytes = fs.readFileSync(requireRegularFile(file));
	const { version } = await services.training.importCheckpoint({ workspaceId: workspace.id, name: options.name, bytes }, SERVICE_ACTORS.system);
	if (version.name !== options.name) progress(`the same weights are here already, as ${version.name}`);
	const { recipe, seed, card } = services.training.readOrigin(bytes);
	return { document: { policy: version.name, recipe, seed, cases: card?.cases ?? null } };
}

/** `export-checkpoint`: the file of a policy version that acts with a checkpoint. */
export async function exportCheckpoint({ services, ...session }: Session, options: z.infer<typeof ExportCheckpointOptions>): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const { version, bytes } = await services.exportCheckpoint(workspace.id, options.policy);
	const { name, fingerprint } = version;
	const file = options.out ?? `${name.replace(/ /gu, "-")}.ckpt`;
	fs.writeFileSync(file, bytes);
	return { document: { policy: name, fingerprint, file, bytes: bytes.length } };
}
