import type { Step } from "@/server/agent/contract";

type StepOf<T extends Step["type"]> = Extract<Step, { type: T }>;
export type HookStep = StepOf<"hook">;

/** A line of the timeline: one step, or hooks that passed one after the other. */
export type TimelineRow = { key: string; atMs: number; durationMs: number } & (
	| { kind: "step"; step: Exclude<Step, HookStep | StepOf<"retry">> }
	/** `retry`: which one of its event this was. */
	| { kind: "hook"; step: HookStep; retry: number | null }
	| { kind: "hooks"; event: string; hooks: HookStep[] }
);

/**
 * The lines that people read: hooks of one event that pass in a row become one line, and `retry` steps are left out because
 * the step before them says what happened.
 */
export function timelineRows(steps: readonly Step[]): TimelineRow[] {
	const rows: TimelineRow[] = [];
	const retries = new Map<string, number>();
	for (const [index, step] of steps.entries()) {
		const base = { key: String(index), atMs: step.atMs, durationMs: step.durationMs };
		if (step.type === "retry") continue;
		if (step.type !== "hook") {
			rows.push({ ...base, kind: "step", step });
			continue;
		}
		if (step.outcome === "pass") {
			const last = rows.at(-1);
			if (last?.kind === "hooks" && last.event === step.event) {
				last.hooks.push(step);
				last.durationMs = step.atMs + step.durationMs - last.atMs;
			} else rows.push({ ...base, kind: "hooks", event: step.event, hooks: [step] });
			continue;
		}
		const retry = step.outcome === "retry" ? (retries.get(step.event) ?? 0) + 1 : null;
		if (retry !== null) retries.set(step.event, retry);
		rows.push({ ...base, kind: "hook", step, retry });
	}
	return rows;
}

/** The end of the axis, a round number of milliseconds not before `durationMs`, and its middle. */
export function axisEnd(durationMs: number): number {
	if (!(durationMs > 0)) return 1;
	const magnitude = 10 ** Math.floor(Math.log10(durationMs));
	const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * magnitude >= durationMs) ?? 10;
	return step * magnitude;
}

/** A JSON value in one line: `price: 99, title: "Dune"`; long ones are cut. */
export function previewValue(value: unknown, maxChars = 160): string {
	const text =
		value !== null && typeof value === "object" && !Array.isArray(value)
			? Object.entries(value)
					.map(([key, item]) => `${key}: ${JSON.stringify(item)}`)
					.join(", ")
			: (JSON.stringify(value) ?? "");
	const chars = [...text];
	return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join("")}…` : text;
}
