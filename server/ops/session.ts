import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { closeServices, createServices, type Services } from "@/server/composition";
import { countPresent } from "@/server/db/presence";
import { inheritEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { KEEPER_PRESENCE, WORKER_PRESENCE } from "@/server/worker-presence";
import type { Workspace } from "@/server/workspace/contract";
import { progress } from "./commands/output";
import { prepareDatabase } from "./launcher";
import { sampleSlug, seedSample } from "./seed";

const WORKER_START_MS = 30_000;

export interface Session {
	services: Services;
	/** The workspace of this slug; in an empty database the sample is made when it is asked for. Throws `not-found` with the names there are. */
	workspace(slug: string): Promise<Workspace>;
}

/** Starts a worker in its own process and waits until one is connected. */
async function startWorker(url: string): Promise<() => Promise<void>> {
	const child = spawn(process.execPath, ["--import", "tsx", "server/worker.ts"], {
		stdio: ["ignore", "ignore", "inherit"],
		env: inheritEnvironment({ STUDIO_LOG_LEVEL: "warn" }),
	});
	const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	const startedAt = Date.now();
	while ((await countPresent(url, WORKER_PRESENCE)) === 0) {
		if (child.exitCode !== null || Date.now() - startedAt > WORKER_START_MS)
			throw new AppError("unavailable", "The worker did not start; its messages are above.", { reason: "worker-not-started" });
		await sleep(50);
	}
	return async () => {
		child.kill("SIGTERM");
		const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
		await ended;
		clearTimeout(timer);
	};
}

/** A command may be the first thing that runs on a machine: it then finds the sample workspace as after `npm start`. */
async function findWorkspace(services: Services, slug: string): Promise<Workspace> {
	const known = (await services.workspace.list()).map((workspace) => workspace.slug);
	if (known.length === 0 && slug === sampleSlug()) await seedSample(services, progress);
	const found = await services.workspace.find(slug);
	if (found) return found;
	throw new AppError("not-found", `There is no workspace "${slug}".`, {
		reason: "workspace-unknown",
		fix: `${known.length > 0 ? `Workspaces here: ${known.join(", ")}. ` : ""}To make it: npm run -s studio -- create-workspace ${slug} --from-folder DIR, or --from-csv FILE.`,
	});
}

/**
 * Gives a command the services over the studio's database. What does not run is brought up (embedded database, a worker in
 * its own process when one for `episodes`, or for `everything`, is asked for), and only that is taken down again.
 */
export async function withSession<T>(options: { worker?: "episodes" | "everything" }, work: (session: Session) => Promise<T>): Promise<T> {
	const { url, embedded } = await prepareDatabase();
	const ends: (() => Promise<unknown>)[] = [];
	if (embedded?.started) ends.push(() => embedded.stop());
	try {
		const services = await createServices({ databaseUrl: url, connections: 4 });
		ends.unshift(() => closeServices(services));
		const presence = options.worker === "everything" ? KEEPER_PRESENCE : WORKER_PRESENCE;
		if (options.worker && (await countPresent(url, presence)) === 0) ends.unshift(await startWorker(url));
		return await work({ services, workspace: (slug) => findWorkspace(services, slug) });
	} finally {
		for (const end of ends) await end().catch(() => undefined);
	}
}
