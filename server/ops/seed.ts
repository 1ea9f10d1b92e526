import fs from "node:fs";
import path from "node:path";
import { closeServices, createServices, type Services } from "@/server/composition";
import { env } from "@/server/kernel/env";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { createWorkspaceFromFolder } from "./create-workspace";

const SAMPLE = path.resolve("examples/live-avatar");

/** Slug of the workspace that an empty database is given; null where the folder was taken away. */
export const sampleSlug = (): string | null => (fs.existsSync(SAMPLE) ? path.basename(SAMPLE) : null);

/** The sample workspace with its first evolution, whose base evaluation is queued; nothing in a database that has a workspace. */
export async function seedSample(services: Services, report: (line: string) => void): Promise<void> {
	const existing = await services.workspace.list();
	if (existing.length > 0) return;
	const { workspace, report: cases } = await createWorkspaceFromFolder(services, SAMPLE);
	await services.evolution.start({ workspaceId: workspace.id, actor: SERVICE_ACTORS.system, title: "First evolution" });
	report(`sample workspace: ${workspace.slug}, ${cases.accepted} cases; its base evaluation is queued`);
}

/**
 * On the first start: the sample workspace with its baseline queued. On each start with demo people: they belong to every
 * workspace. Says whether anyone can sign in.
 */
export async function seedSamples(options: { demo: boolean; report: (line: string) => void }): Promise<{ canSignIn: boolean }> {
	const services = await createServices({ databaseUrl: env().DATABASE_URL ?? "", connections: 4 });
	try {
		if (sampleSlug()) await seedSample(services, options.report);
		if (options.demo) for (const workspace of await services.workspace.list()) await services.auth.seedDemoPeople(workspace.id);
		return { canSignIn: options.demo || (await services.auth.hasPeople()) };
	} finally {
		await closeServices(services);
	}
}
