import type { Condition, Decision, Facts, TriggerContent, Why } from "./contract";

/** Triggers in a row, the deciding one included: a fourth does not fire. A number of ours. */
export const MOST_DEPTH = 3;
export const DAY_MS = 86_400_000;

/** Whether a condition holds. What is not known meets none. */
export function meets({ fact, operator, value }: Condition, facts: Facts): boolean {
	const actual = facts[fact] ?? null;
	if (actual === null) return false;
	switch (operator) {
		case "above":
			return Number(actual) > Number(value);
		case "at-least":
			return Number(actual) >= Number(value);
		case "below":
			return Number(actual) < Number(value);
		case "at-most":
			return Number(actual) <= Number(value);
		case "is":
			return actual === value;
		case "is-not":
			return actual !== value;
		case "contains":
			return String(actual).includes(String(value));
	}
}

export interface Situation {
	triggerId: string;
	content: Pick<TriggerContent, "conditions" | "coolDownMinutes" | "budgetPerDay">;
	facts: Facts;
	/** Triggers whose firings led to the event, the first one first. */
	chain: readonly string[];
	now: Date;
	/** Whether this trigger decided about the same event before. */
	seen: boolean;
	/** Its earlier firings of the last day, and the last one ever. */
	firedAt: readonly Date[];
	lastFiredAt: Date | null;
}

/**
 * What a trigger does about an event, and why. The order is part of the answer: what it may never answer comes first, then
 * its conditions, then rest and budget, so that the log says “too soon” only of what would have fired.
 */
export function decideFiring({ triggerId, content, facts, chain, now, seen, firedAt, lastFiredAt }: Situation): { decision: Decision; why: Why } {
	if (seen) return { decision: "duplicate", why: { kind: "duplicate" } };
	if (chain.includes(triggerId)) return { decision: "own-chain", why: { kind: "own-chain" } };
	if (chain.length >= MOST_DEPTH) return { decision: "own-chain", why: { kind: "depth", depth: chain.length, most: MOST_DEPTH } };
	const unmet = content.conditions.find((condition) => !meets(condition, facts));
	if (unmet) return { decision: "condition-not-met", why: { kind: "condition", ...unmet, actual: facts[unmet.fact] ?? null } };
	const until = lastFiredAt === null ? null : new Date(lastFiredAt.getTime() + content.coolDownMinutes * 60_000);
	if (until && until > now) return { decision: "cooling-down", why: { kind: "cool-down", minutes: content.coolDownMinutes, until: until.toISOString() } };
	const today = firedAt.filter((at) => now.getTime() - at.getTime() < DAY_MS).length;
	if (content.budgetPerDay !== null && today >= content.budgetPerDay) return { decision: "over-budget", why: { kind: "budget", budget: content.budgetPerDay } };
	return { decision: "fired", why: { kind: "all-met", conditions: content.conditions.length } };
}
