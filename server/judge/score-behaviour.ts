import type { Trajectory } from "@/server/agent/contract";
import type { Evidence, Expectation, JudgedHarness } from "./contract";
import { ruleOf } from "./evidence-texts";

export interface Behaviour {
	loaded: string[];
	replySkills: string[];
	handlers: string[];
	/** Expected handlers that were never called with success. */
	missingTools: string[];
	/** Calls of tools that the case does not expect. */
	needlessTools: string[];
	failedCalls: number;
	faults: number;
	skillSelection: number | null;
	toolRationality: number | null;
	recovered: boolean | null;
	evidence: Evidence[];
}

const FAILED_CALL_COST = 0.25;
const NEEDLESS_CALL_COST = 0.25;
/** What is left of skill selection where a strategy skill was missed, or used at a moment that does not fit. */
const STRATEGY_MISSED = 0.5;

function matches(name: string, wanted: readonly string[], harness: JudgedHarness): boolean {
	if (wanted.includes(name)) return true;
	return harness.skills.find((skill) => skill.name === name)?.tags.some((tag) => wanted.includes(tag)) ?? false;
}

interface LoadedSkills {
	all: readonly string[];
	reply: readonly string[];
	strategy: readonly string[];
}

/** 1: an expected reply skill was loaded and no other reply skill; 0.5: besides others; 0: none of them. */
function scoreReplySkills(wanted: readonly string[], { all: loaded, reply: replySkills }: LoadedSkills, harness: JudgedHarness): number | null {
	if (wanted.length === 0) return null;
	if (!loaded.some((name) => matches(name, wanted, harness))) return 0;
	return replySkills.every((name) => matches(name, wanted, harness)) ? 1 : 0.5;
}

/** Whether strategy was used where it fits and left where it does not; null where the case says nothing of it. */
function strategyFits({ strategies }: Expectation, { strategy }: LoadedSkills, harness: JudgedHarness): boolean | null {
	if (!strategies) return null;
	return strategies.length === 0 ? strategy.length === 0 : strategy.some((name) => matches(name, strategies, harness));
}

/** Whether the harness has any skill that the case expects; where not, the skill is what is missing. */
export function hasExpectedSkill(expect: Expectation, harness: JudgedHarness): string | null {
	const wanted = expect.skills ?? [];
	const able = harness.skills.filter((skill) => matches(skill.name, wanted, harness));
	return (able.find((skill) => skill.type === "reply") ?? able[0])?.name ?? null;
}

function scoreTools(expect: Expectation, missing: number, needless: number, failed: number): number | null {
	const wanted = expect.tools ?? [];
	if (wanted.length === 0 && !expect.noTool) return null;
	const called = expect.noTool ? 1 : (wanted.length - missing) / wanted.length;
	return Math.max(0, Math.min(1, called - NEEDLESS_CALL_COST * needless - FAILED_CALL_COST * failed));
}

function skillRule(expected: string, loaded: string) {
	return loaded === "" ? ruleOf("skill-selection-none", { expected }) : ruleOf("skill-selection", { expected, loaded });
}

function strategyRule(expected: string, loaded: string) {
	if (expected === "") return loaded === "" ? ruleOf("no-strategy-none") : ruleOf("no-strategy-loaded", { loaded });
	return loaded === "" ? ruleOf("strategy-none", { expected }) : ruleOf("strategy", { expected, loaded });
}

function toolRule(expected: string | null, called: string) {
	if (expected === null) return called === "" ? ruleOf("no-tool-none") : ruleOf("no-tool-called", { called });
	return called === "" ? ruleOf("tool-rationality-none", { expected }) : ruleOf("tool-rationality", { expected, called });
}

/** Behaviour beside the scores: skill selection, tool rationality, recovery after an injected fault. */
export function scoreBehaviour(expect: Expectation, trajectory: Trajectory, harness: JudgedHarness, answered: boolean): Behaviour {
	const loaded = [...new Set(trajectory.steps.flatMap((step) => (step.type === "skill" && step.ok ? [step.name] : [])))];
	const isStrategy = (name: string) => harness.skills.find((skill) => skill.name === name)?.type === "strategy";
	const [replySkills, strategySkills] = [loaded.filter((name) => !isStrategy(name)), loaded.filter(isStrategy)];
	const calls = trajectory.steps.filter((step) => step.type === "tool");
	const wanted = expect.tools ?? [];
	const missingTools = wanted.filter((handler) => !calls.some((call) => call.handler === handler));
	const needlessTools = [...new Set(calls.map((call) => call.handler).filter((handler) => expect.noTool || (wanted.length > 0 && !wanted.includes(handler))))];
	const failedCalls = calls.filter((call) => !call.ok && call.fault === undefined).length;
	const faults = calls.filter((call) => call.fault !== undefined).length;
	const skills = { all: loaded, reply: replySkills, strategy: strategySkills };
	const reply = scoreReplySkills(expect.skills ?? [], skills, harness);
	const fits = strategyFits(expect, skills, harness);
	const skillSelection = fits === null ? reply : (reply ?? 1) * (fits ? 1 : STRATEGY_MISSED);
	const toolRationality = scoreTools(expect, missingTools.length, needlessTools.length, failedCalls);
	const evidence: Evidence[] = [];
	const note = (kind: string, ok: boolean, rule: ReturnType<typeof ruleOf>) => evidence.push({ item: null, kind, dimension: "behaviour", ok, ...rule });
	if (reply !== null) note("skill-selection", reply === 1, skillRule((expect.skills ?? []).join(", "), loaded.join(", ")));
	if (fits !== null) note("strategy", fits, strategyRule((expect.strategies ?? []).join(", "), strategySkills.join(", ")));
	if (toolRationality !== null) {
		const called = calls.map((call) => `${call.handler}${call.ok ? "" : " ✗"}`).join(", ");
		note("tool-rationality", toolRationality === 1, toolRule(expect.noTool ? null : wanted.join(", "), called));
	}
	const recovered = faults > 0 ? answered : null;
	if (recovered !== null) note("recovery", recovered, ruleOf("recovery"));
	return {
		loaded,
		replySkills,
		handlers: calls.map((call) => call.handler),
		missingTools,
		needlessTools,
		failedCalls,
		faults,
		skillSelection,
		toolRationality,
		recovered,
		evidence,
	};
}
