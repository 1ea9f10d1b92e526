import { ADVICE_RANGES, ADVICE_THRESHOLDS, type AdviceRule } from "@/server/training/advice-rule.contract";

export type Threshold = keyof AdviceRule;
export type ThresholdValues = Record<Threshold, string>;

/** Typed as percent. */
const isShare = (name: Threshold): boolean => name === "stuckShare";

/** A threshold as the form writes it. */
export const thresholdText = (name: Threshold, value: number): string => String(isShare(name) ? Number((value * 100).toFixed(6)) : value);

export function toThresholdValues(rule: AdviceRule): ThresholdValues {
	return Object.fromEntries(ADVICE_THRESHOLDS.map((name) => [name, thresholdText(name, rule[name])])) as ThresholdValues;
}

/** The ends of a threshold's range, as they are typed. */
export function thresholdRange(name: Threshold): { least: string; most: string } {
	const { least, most } = ADVICE_RANGES[name];
	return { least: thresholdText(name, least), most: thresholdText(name, most) };
}

/** The thresholds that were typed, or which of them are wrong. */
export function toAdviceRule(values: ThresholdValues): { content: AdviceRule } | { problems: ReadonlySet<Threshold> } {
	const problems = new Set<Threshold>();
	const read = (name: Threshold): number => {
		const typed = values[name].trim();
		const value = isShare(name) ? Number(typed) / 100 : Number(typed);
		const { least, most, whole } = ADVICE_RANGES[name];
		if (typed === "" || !(value >= least && value <= most) || (whole && !Number.isInteger(value))) problems.add(name);
		return value;
	};
	const content = Object.fromEntries(ADVICE_THRESHOLDS.map((name) => [name, read(name)])) as unknown as AdviceRule;
	return problems.size > 0 ? { problems } : { content };
}

/** The thresholds of a rule that are others than those of another. */
export const differingThresholds = (rule: AdviceRule, from: AdviceRule): Threshold[] => ADVICE_THRESHOLDS.filter((name) => rule[name] !== from[name]);
