import type { Route, SimulateRouting } from "@/server/compact";
import type { Components } from "./read-components";

export interface RoutedMessage {
	caseId: string;
	message: string;
}

const keyOf = (components: Components, route: Route): string => {
	if (!route.rule) return "none";
	const skill = components.skills.find((candidate) => candidate.name === route.rule?.skill);
	// By its action, not its index: a rule that was widened or moved is still the same answer.
	return `${route.rule.skill}:${skill?.parsed.rules[route.rule.index]?.action ?? ""}`;
};

/** Where every message goes under a harness. */
export class RoutingTable {
	private readonly routes = new Map<string, { route: Route; key: string }>();

	constructor(
		readonly components: Components,
		messages: readonly RoutedMessage[],
		route: SimulateRouting,
	) {
		const { skills, tools, harness } = components;
		for (const { caseId, message } of messages) {
			const found = route(message, skills, tools, harness.requireReplySkill);
			this.routes.set(caseId, { route: found, key: keyOf(components, found) });
		}
	}

	route(caseId: string): Route | undefined {
		return this.routes.get(caseId)?.route;
	}

	key(caseId: string): string {
		return this.routes.get(caseId)?.key ?? "none";
	}
}

/** Messages of `among` that another rule would answer than before. */
export function movedMessages(before: RoutingTable, after: RoutingTable, among: readonly RoutedMessage[]): string[] {
	return among.filter(({ caseId }) => before.key(caseId) !== after.key(caseId)).map(({ caseId }) => caseId);
}
