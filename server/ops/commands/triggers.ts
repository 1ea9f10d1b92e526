import type { z } from "zod";
import { AppError } from "@/server/kernel/errors";
import type { DryRun, Trigger, Why } from "@/server/triggers/contract";
import type { Session } from "../session";
import type { CommandResult } from "./output";
import type { TriggersOptions } from "./read-options";

function sayWhy(why: Why): string {
	switch (why.kind) {
		case "all-met":
			return why.conditions === 0 ? "no condition" : "all conditions held";
		case "condition":
			return `${why.fact} was ${why.actual ?? "not known"}, not ${why.operator} ${why.value}`;
		case "cool-down":
			return `rests ${why.minutes} minutes, until ${why.until}`;
		case "budget":
			return `fired ${why.budget} times in 24 hours already`;
		case "duplicate":
			return "the same event was decided before";
		case "own-chain":
			return "it caused this event itself";
		case "depth":
			return `${why.depth} triggers led here, ${why.most} are the most`;
	}
}

function ruleOf(triggers: readonly Trigger[], rule: string): Trigger {
	const found = triggers.find((one) => one.id === rule || one.key === rule || one.name === rule);
	if (found) return found;
	const names = triggers.map((one) => one.key ?? one.name).join(", ");
	throw new AppError("not-found", `There is no trigger “${rule}”.`, { reason: "trigger-unknown", fix: `Triggers here: ${names}.` });
}

function documentOf({ trigger, counts, truncated, entries }: DryRun, { content, enabled, version }: Trigger) {
	return {
		rule: trigger.key ?? trigger.name,
		id: trigger.id,
		version,
		enabled,
		event: content.event,
		action: content.action.type,
		counts,
		truncated,
		events: entries.map(({ at, event, label, decision, why, inputs }) => ({
			at: at.toISOString(),
			event,
			about: label,
			would: decision === "fired" ? content.action.type : "nothing",
			decision,
			why: sayWhy(why),
			facts: inputs,
		})),
	};
}

/** `triggers dry-run`: for each past event of the window, what each rule would have done and why. Nothing is done. */
export async function dryRunTriggers(session: Session, { workspace, rule, days }: z.infer<typeof TriggersOptions>): Promise<CommandResult> {
	const { triggers } = session.services;
	const { id: workspaceId } = await session.workspace(workspace);
	const all = await triggers.list(workspaceId);
	const wanted = rule === undefined ? all : [ruleOf(all, rule)];
	const rules = [];
	for (const one of wanted) {
		const { id, name, content } = one;
		rules.push(documentOf(await triggers.dryRun({ workspaceId, days, trigger: { id, name, content } }), one));
	}
	return { document: { workspace, days, rules } };
}
