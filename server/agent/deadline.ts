import type { EpisodeLog } from "./episode-log";

/**
 * Ends an episode (`stop` aborts with `deadline`) when its time is up. The clock stands while the studio itself makes a
 * request wait: a deadline measures the agent, not the limits of an endpoint.
 */
export class Deadline {
	private timer: NodeJS.Timeout | undefined;
	private waitingSinceMs: number | null = null;

	constructor(
		private readonly log: EpisodeLog,
		readonly ms: number,
		private readonly stop: AbortController,
	) {
		this.start();
	}

	private start(): void {
		if (!this.stop.signal.aborted) this.timer = setTimeout(() => this.stop.abort("deadline"), Math.max(0, this.remainingMs()));
	}

	remainingMs(): number {
		return this.ms - this.log.elapsedMs();
	}

	/** Told when the policy begins and ends to wait. */
	readonly onWait = (waiting: boolean): void => {
		if (waiting) {
			this.close();
			this.waitingSinceMs = this.log.elapsedMs();
		} else if (this.waitingSinceMs !== null) {
			this.log.forget(this.log.elapsedMs() - this.waitingSinceMs);
			this.waitingSinceMs = null;
			this.start();
		}
	};

	close(): void {
		clearTimeout(this.timer);
	}
}
