import type { Step } from "./contract";

/** A step without its times: the log adds them. */
export type StepBody = Step extends infer S ? (S extends Step ? Omit<S, "atMs" | "durationMs"> : never) : never;

const round = (ms: number) => Math.round(ms * 100) / 100;

/** Records steps with times since the start of the episode; waiting that was only simulated counts as if it had passed. */
export class EpisodeLog {
	readonly steps: Step[] = [];
	private readonly startedMs: number;
	private simulatedMs = 0;

	constructor(
		private readonly monotonicMs: () => number,
		private readonly onStep: ((step: Step) => void) | undefined,
	) {
		this.startedMs = monotonicMs();
	}

	/** Milliseconds since the start. */
	elapsedMs(): number {
		return this.monotonicMs() - this.startedMs + this.simulatedMs;
	}

	/** Lets time pass without waiting: an injected time-out costs the episode what a real one would. */
	skip(ms: number): void {
		this.simulatedMs += ms;
	}

	/** Takes out time that counts for nothing. */
	forget(ms: number): void {
		this.simulatedMs -= ms;
	}

	/** Records a step that began at `sinceMs` (default: now) and ends now. */
	add(body: StepBody, sinceMs = this.elapsedMs()): Step {
		const step = { ...body, atMs: round(sinceMs), durationMs: round(Math.max(0, this.elapsedMs() - sinceMs)) } as Step;
		this.steps.push(step);
		this.onStep?.(step);
		return step;
	}
}
