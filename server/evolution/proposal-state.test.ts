import { describe, expect, it } from "vitest";
import { type ProposalStatus, ProposalStatusSchema } from "./contract";
import { decideStatus, nextStatus, obstaclesToLanding, type ProposalAction } from "./proposal-state";

describe("proposal state machine", () => {
	/** Every allowed transition; all others must be refused. */
	const allowed: Record<ProposalAction, Partial<Record<ProposalStatus, ProposalStatus>>> = {
		"save-revision": { draft: "draft", evaluating: "draft", "in-review": "draft", "changes-requested": "changes-requested", conflict: "draft" },
		submit: { draft: "evaluating", "changes-requested": "evaluating" },
		evaluated: { evaluating: "in-review" },
		"evaluation-failed": { evaluating: "draft" },
		"request-changes": { "in-review": "changes-requested" },
		land: { "in-review": "landed" },
		reject: { "in-review": "rejected", "changes-requested": "rejected", conflict: "rejected" },
		withdraw: { draft: "withdrawn", evaluating: "withdrawn", "in-review": "withdrawn", "changes-requested": "withdrawn", conflict: "withdrawn" },
		updated: { draft: "draft", evaluating: "evaluating", "in-review": "evaluating", "changes-requested": "changes-requested", conflict: "draft" },
		conflicted: { draft: "conflict", evaluating: "conflict", "in-review": "conflict", "changes-requested": "conflict", conflict: "conflict" },
	};
	const table = Object.entries(allowed).flatMap(([action, from]) =>
		ProposalStatusSchema.options.map((status) => [status, action as ProposalAction, from[status] ?? null] as const),
	);
	it.each(table)("%s + %s → %s", (status, action, expected) => {
		expect(nextStatus(status, action)).toBe(expected);
	});
});

describe("what speaks against landing", () => {
	const fine = {
		userId: "rev",
		authorIds: ["op"],
		status: "in-review" as ProposalStatus,
		evolution: "active" as const,
		revisionBase: "c1",
		branchHead: "c1",
		evidence: "decisive" as const,
	};
	it.each([
		[{}, []],
		[{ evidence: "warning" as const }, []],
		[{ authorIds: ["op", "rev"] }, ["author-rule"]],
		[{ evolution: "stopped" as const }, ["evolution-stopped"]],
		[{ evolution: "closed" as const }, ["evolution-closed"]],
		[{ status: "evaluating" as const }, ["not-in-review"]],
		[{ branchHead: "c2" }, ["base-moved"]],
		[{ evidence: null }, ["no-evidence"]],
		[{ evidence: "indecisive" as const }, ["indecisive"]],
		[{ authorIds: ["rev"], evolution: "stopped" as const, branchHead: "c2" }, ["author-rule", "evolution-stopped", "base-moved"]],
	])("%j → %j", (change, expected) => {
		expect(obstaclesToLanding({ ...fine, ...change })).toEqual(expected);
	});
});

describe("deciding a finding", () => {
	it.each([
		["proposed", "accept", "accepted"],
		["proposed", "modify", "modified"],
		["proposed", "reject", "rejected"],
		["proposed", "undo", null],
		["accepted", "undo", "proposed"],
		["rejected", "undo", "proposed"],
		["rejected", "accept", "accepted"],
		["addressed", "reject", null],
		["addressed", "undo", null],
		["superseded", "accept", null],
	] as const)("%s + %s → %s", (status, decision, expected) => {
		expect(decideStatus(status, decision)).toBe(expected);
	});
});
