import fs from "node:fs";
import type { z } from "zod";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { ExportCheckpointOptions, ImportCheckpointOptions, RemoveCheckpointOptions } from "./read-options";
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

/** `remove-checkpoint`: an imported checkpoint that nothing refers to; without `--yes` only says that it can go. Throws `precondition`, saying what refers to it. */
export async function removeCheckpoint({ services, ...session }: Session, options: z.infer<typeof RemoveCheckpointOptions>): Promise<CommandResult> {
	const workspace = await session.workspace(options.workspace);
	const asked = { workspaceId: workspace.id, policy: options.policy, actor: SERVICE_ACTORS.system, confirmed: options.yes };
	const { name } = await services.training.removeCheckpoint(asked);
	progress(options.yes ? `${name} removed` : `Nothing was removed. With --yes ${name} and its file go for ever.`);
	return { document: { policy: name, removed: options.yes }, unconfirmed: !options.yes };
}
