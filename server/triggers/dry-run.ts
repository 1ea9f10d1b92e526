import type { DeliveredEvent } from "@/server/workspace/contract";
import { type Decision, DecisionSchema, type DryRun, type TriggerContent } from "./contract";
import { DAY_MS, decideFiring } from "./decide-firing";
import { listEvents } from "./firing.repository";
import type { TriggerDeps } from "./ports";
import { timesBetween } from "./read-cron";
import { type EventAtHand, readEvent, SOURCES } from "./read-event";
import type { TriggerRow } from "./trigger.repository";

/** Events that a dry run looks at, the newest of its window. A number of ours. */
const MOST_EVENTS = 1_000;
/** Times of a schedule that are counted at all: a month of minutes. */
const MOST_TIMES = 45_000;

export interface DryRunInput {
	workspaceId: string;
	trigger: { id: string | null; name: string; key: TriggerRow["key"]; content: TriggerContent };
	days: number;
}

/** What stood in the workspace's event log, or what a schedule would have been due at; oldest first. */
async function pastEvents(
	deps: TriggerDeps,
	{ workspaceId, trigger }: DryRunInput,
	from: Date,
	to: Date,
): Promise<{ events: DeliveredEvent[]; truncated: boolean }> {
	const { id, content } = trigger;
	const triggerId = id ?? "";
	if (content.schedule) {
		const times = timesBetween(content.schedule, from, to, MOST_TIMES);
		const events = times
			.slice(-MOST_EVENTS)
			.map((at): DeliveredEvent => ({ id: at.toISOString(), workspaceId, at, event: { type: "trigger.due", triggerId, dueAt: at.toISOString() } }));
		return { events, truncated: times.length > MOST_EVENTS };
	}
	const found = await listEvents(deps.db, workspaceId, SOURCES[content.event], from, to, MOST_EVENTS + 1);
	const own = found.filter(({ event }) => event.type !== "trigger.called" || event.triggerId === triggerId);
	return { events: own.slice(0, MOST_EVENTS).reverse(), truncated: found.length > MOST_EVENTS };
}

/** Asks for the list of trainings once, not once for each event. */
function withOneList(deps: TriggerDeps): TriggerDeps {
	let list: ReturnType<TriggerDeps["training"]["list"]> | undefined;
	const { training } = deps;
	return { ...deps, training: { start: (input) => training.start(input), list: (workspaceId) => (list ??= training.list(workspaceId)) } };
}

/**
 * What a trigger would have done about the events of the last days, and why: the same facts and the same decision as live,
 * over its own imagined firings. Nothing is done, and nothing is logged.
 */
export async function dryRun(given: TriggerDeps, input: DryRunInput): Promise<DryRun> {
	const deps = withOneList(given);
	const { trigger, days } = input;
	const to = deps.clock.now();
	const from = new Date(to.getTime() - days * DAY_MS);
	const { events, truncated } = await pastEvents(deps, input, from, to);
	const wanted = new Set([trigger.content.event]);
	const seen = new Set<string>();
	const firedAt: Date[] = [];
	const entries: DryRun["entries"] = [];
	const judge = (at: EventAtHand) => {
		const { decision, why } = decideFiring({
			...{ triggerId: trigger.id ?? "", content: trigger.content, facts: at.facts, chain: at.chain, now: at.at },
			...{ seen: seen.has(at.key), firedAt, lastFiredAt: firedAt.at(-1) ?? null },
		});
		seen.add(at.key);
		if (decision === "fired") firedAt.push(at.at);
		entries.push({ at: at.at, event: at.event, label: at.subject.label, decision, why, inputs: at.facts });
	};
	for (const event of events) for (const at of await readEvent(deps, event, wanted)) judge(at);
	const none = Object.fromEntries(DecisionSchema.options.map((decision) => [decision, 0])) as Record<Decision, number>;
	for (const { decision } of entries) none[decision]++;
	const { id, name, key } = trigger;
	return { trigger: { id, name, key }, from, to, counts: none, truncated, entries: entries.reverse() };
}
