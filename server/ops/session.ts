import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { closeServices, createServices, type Services } from "@/server/composition";
import { countPresent } from "@/server/db/presence";
import { AppError } from "@/server/kernel/errors";
import { KEEPER_PRESENCE, WORKER_PRESENCE } from "@/server/worker-presence";
import type { Workspace } from "@/server/workspace/contract";
import { progress } from "./commands/output";
import { prepareDatabase, supervise, WORKER_ARGUMENTS } from "./launcher";
import { sampleSlug, seedSample } from "./seed";

const WORKER_START_MS = 30_000;

export interface Session {
	services: Services;
	/** Aborts when the command is told to stop. */
	signal: AbortSignal;
	/** The workspace of this slug; in an empty database the sample is made when it is asked for. Throws `not-found` with the names there are. */
	workspace(slug: string): Promise<Workspace>;
}

/** Listens for Ctrl-C, SIGTERM and a closed terminal, as often as they come: the first aborts, later ones find the end under way. */
function listenForInterruption(): { signal: AbortSignal; end(): void } {
	const controller = new AbortController();
	const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
	const interrupt = () => {
		if (!controller.signal.aborted) progress("interrupted: ending what this command started …");
		controller.abort();
	};
	for (const name of names) process.on(name, interrupt);
	return {
		signal: controller.signal,
		end() {
			for (const name of names) process.off(name, interrupt);
		},
	};
}

const interrupted = (cause: unknown) =>
	new AppError("cancelled", "The command was interrupted.", {
		reason: "interrupted",
		fix: "What it had queued stays queued and goes on when a worker runs.",
		cause,
	});

/** A worker in its own process, started again when it dies; `failed` rejects when it cannot stay up. An interruption ends it at once. */
function startWorker(signal: AbortSignal): { failed: Promise<never>; stop(): Promise<void> } {
	let fail: (error: Error) => void;
	const failed = new Promise<never>((_, reject) => {
		fail = reject;
	});
	failed.catch(() => undefined); // it may fail when nobody waits for it any more
	const worker = supervise("worker", process.execPath, WORKER_ARGUMENTS, {
		endsWithUs: true,
		onFatal: () => fail(workerNotStarted()),
		environment: { STUDIO_LOG_LEVEL: "warn" },
		hidden: () => true,
	});
	signal.addEventListener("abort", () => void worker.stop(), { once: true });
	return { failed, stop: worker.stop };
}

const workerNotStarted = () => new AppError("unavailable", "The worker did not start; its messages are above.", { reason: "worker-not-started" });

async function waitForWorker(url: string, signal: AbortSignal): Promise<void> {
	const startedAt = Date.now();
	while ((await countPresent(url, WORKER_PRESENCE)) === 0) {
		signal.throwIfAborted();
		if (Date.now() - startedAt > WORKER_START_MS) throw workerNotStarted();
		await sleep(50);
	}
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

export interface SessionOptions {
	worker?: "episodes" | "everything";
	/** The work looks at `signal` itself and has something to say of what it did; any other is left where it stands. */
	endsItself?: boolean;
}

/**
 * Gives a command the services over the studio's database. What does not run is brought up (embedded database, a worker in
 * its own process when one for `episodes`, or for `everything`, is asked for), and only that is taken down again, also when
 * the command is interrupted, however often. Throws `cancelled` then.
 */
export async function withSession<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
	const { signal, end: stopListening } = listenForInterruption();
	const ends: (() => Promise<unknown>)[] = [];
	const failures: Promise<never>[] = [];
	try {
		const { url, embedded } = await prepareDatabase();
		if (embedded?.started) ends.push(() => embedded.stop());
		await nextTurn(); // bringing the database up waits for processes, and hears of no signal while it does
		signal.throwIfAborted();
		const services = await createServices({ databaseUrl: url, connections: 4 });
		ends.unshift(() => closeServices(services));
		const presence = options.worker === "everything" ? KEEPER_PRESENCE : WORKER_PRESENCE;
		if (options.worker && (await countPresent(url, presence)) === 0) {
			signal.throwIfAborted();
			const worker = startWorker(signal);
			ends.unshift(() => worker.stop());
			failures.push(worker.failed);
			await Promise.race([waitForWorker(url, signal), worker.failed]);
		}
		const working = work({ services, signal, workspace: (slug) => findWorkspace(services, slug) });
		if (!options.endsItself) failures.push(rejectOn(signal));
		return await Promise.race([working, ...failures]);
	} catch (error) {
		await nextTurn(); // Ctrl-C in a terminal ends our children too, and their end may be seen before the signal
		throw signal.aborted ? interrupted(error) : error;
	} finally {
		for (const end of ends) await end().catch(() => undefined);
		stopListening();
	}
}

function rejectOn(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}
