import { VariantSuiteSchema } from "@/server/evaluation/contract";
import { assertUrlAllowed } from "@/server/models";
import type { Action, Facts, TriggerContent } from "./contract";
import { meets } from "./decide-firing";
import { errors } from "./errors";
import type { TriggerDeps } from "./ports";
import { readCron } from "./read-cron";

type RunSuites = Extract<Action, { type: "run-suites" }>;

/** What is known beforehand of the events that the runs of an action cause. */
function ownEvents(content: TriggerContent, { suites, split }: RunSuites): Facts[] {
	const under = suites.flatMap((suite) => VariantSuiteSchema.safeParse(suite).data ?? []);
	// Suites under variants bring T1 along, to be compared with.
	const all = under.length > 0 ? [...suites, "t1"] : suites;
	if (content.event === "run-finished") return all.map((suite) => ({ suite, split, startedFor: "trigger" }));
	if (content.event === "gap-measured" && all.includes("t1")) return (["transforms", "held-out"] as const).map((words) => ({ words, split }));
	return [];
}

/** Whether what a trigger does sets it off again: no condition tells its own runs apart from others. */
export function firesItself(content: TriggerContent): boolean {
	if (content.action.type !== "run-suites") return false;
	return ownEvents(content, content.action).some((facts) => content.conditions.every((one) => !(one.fact in facts) || meets(one, facts)));
}

/**
 * Refuses what can never work, or must not: a schedule that is none, a trigger that sets itself off, an unknown suite, a
 * private address. Throws `bad-input`.
 */
export async function checkTrigger({ evaluation }: Pick<TriggerDeps, "evaluation">, workspaceId: string, content: TriggerContent): Promise<void> {
	const { event, schedule, action, budgetPerDay } = content;
	if (schedule) readCron(schedule);
	if (budgetPerDay === null) throw errors.noBudget();
	if (action.type === "run-loop-suites" && event !== "proposal-landed" && event !== "round-closed") throw errors.loopEvent();
	if (action.type === "call-webhook") assertUrlAllowed(action.url, action.allowPrivate);
	if (action.type === "run-suites")
		for (const suite of action.suites)
			if (!VariantSuiteSchema.safeParse(suite).success && !(await evaluation.currentSuiteVersion(workspaceId, suite))) throw errors.suiteUnknown(suite);
	if (firesItself(content)) throw errors.firesItself();
}
