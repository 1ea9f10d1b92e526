const controller = new AbortController();
let installed = false;

/** Aborts when the process is told to stop (SIGTERM, SIGINT), or when the one that supervises it over a channel is gone: open streams end, so that the server can close. */
export function shutdownSignal(): AbortSignal {
	if (!installed) {
		installed = true;
		process.once("disconnect", () => controller.abort());
		for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => controller.abort());
	}
	return controller.signal;
}
