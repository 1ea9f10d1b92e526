import type { GatePolicy } from "@/server/evolution/contract";

export const GATE_NUMBERS = ["deltaPoints", "marginPoints", "alpha", "minCoverage", "alarmMinNet", "alarmMinShare", "patience", "maxHoldoutReadings"] as const;
export type GateNumber = (typeof GATE_NUMBERS)[number];
export type GateProblem = GateNumber | "dimensions";

/** Shares are typed as percent. */
const PERCENT: readonly GateNumber[] = ["minCoverage", "alarmMinShare"];
const WHOLE: readonly GateNumber[] = ["alarmMinNet", "patience", "maxHoldoutReadings"];
const RANGE: Record<GateNumber, readonly [number, number]> = {
	deltaPoints: [0, 20],
	marginPoints: [0, 20],
	alpha: [0.001, 0.2],
	minCoverage: [0, 100],
	alarmMinNet: [1, 1_000_000],
	alarmMinShare: [0, 100],
	patience: [1, 10],
	maxHoldoutReadings: [0, 10],
};

/** What the form holds while it is typed. */
export interface GateValues {
	numbers: Record<GateNumber, string>;
	suites: GatePolicy["suites"];
	dimensions: GatePolicy["criticalDimensions"];
	useHoldout: boolean;
}

export function toGateValues(policy: GatePolicy): GateValues {
	const text = (name: GateNumber) => String(PERCENT.includes(name) ? Number((policy[name] * 100).toFixed(6)) : policy[name]);
	return {
		numbers: Object.fromEntries(GATE_NUMBERS.map((name) => [name, text(name)])) as Record<GateNumber, string>,
		suites: policy.suites,
		dimensions: policy.criticalDimensions,
		useHoldout: policy.useHoldout,
	};
}

/** The policy that was typed, or which fields are wrong. */
export function toGatePolicy(values: GateValues): { content: GatePolicy } | { problems: ReadonlySet<GateProblem> } {
	const problems = new Set<GateProblem>();
	const read = (name: GateNumber): number => {
		const typed = values.numbers[name].trim();
		const value = Number(typed);
		const [least, most] = RANGE[name];
		if (typed === "" || !(value >= least && value <= most) || (WHOLE.includes(name) && !Number.isInteger(value))) problems.add(name);
		return PERCENT.includes(name) ? value / 100 : value;
	};
	const numbers = Object.fromEntries(GATE_NUMBERS.map((name) => [name, read(name)])) as Record<GateNumber, number>;
	if (values.dimensions.length === 0) problems.add("dimensions");
	if (problems.size > 0) return { problems };
	return { content: { ...numbers, suites: values.suites, criticalDimensions: values.dimensions, useHoldout: values.useHoldout } };
}
