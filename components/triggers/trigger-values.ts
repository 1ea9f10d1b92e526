import {
	type Action,
	type Condition,
	ConditionSchema,
	DEFAULT_BUDGET,
	DEFAULT_COOL_DOWN_MINUTES,
	EVENT_FACTS,
	type EventType,
	isNumberFact,
	type Trigger,
	type TriggerContent,
} from "@/server/triggers/contract";

/** A condition as it is typed; the key tells rows apart. */
export interface ConditionRow {
	key: number;
	fact: Condition["fact"];
	operator: Condition["operator"];
	value: string;
}

/** A trigger as it is typed. Whatever was entered stays, also what the chosen event or action has no use for. */
export interface TriggerValues {
	name: string;
	enabled: boolean;
	event: EventType;
	cron: string;
	timeZone: string;
	conditions: ConditionRow[];
	action: Action["type"];
	suites: string;
	split: "dev" | "test";
	variants: string;
	recipe: "hat" | "fixed";
	seed: string;
	/** Fewer steps than usual. */
	short: boolean;
	title: string;
	hypothesis: string;
	url: string;
	allowPrivate: boolean;
	secret: string;
	keepSecret: boolean;
	rest: string;
	budget: string;
	reason: string;
}

export type Problem = "name" | "schedule" | "value" | "suites" | "number" | "title" | "url" | "secret" | "budget" | "rest";

/** Enough steps to see every curve move. Numbers of ours. */
export const SHORT_TRAINING = { variants: 2, sftEpochs: 3, opdSteps: 10, rlIterations: 5 };
const SECRET_LENGTH = 16;

const NEW: Omit<TriggerValues, "timeZone"> = {
	name: "",
	enabled: true,
	event: "gap-measured",
	cron: "0 9 * * 1",
	conditions: [],
	action: "propose-retraining",
	suites: "t1, t2",
	split: "dev",
	variants: "5",
	recipe: "hat",
	seed: "1",
	short: false,
	title: "",
	hypothesis: "",
	url: "",
	allowPrivate: false,
	secret: "",
	keepSecret: false,
	rest: String(DEFAULT_COOL_DOWN_MINUTES),
	budget: String(DEFAULT_BUDGET),
	reason: "",
};

function actionValues(action: Action): Partial<TriggerValues> {
	switch (action.type) {
		case "run-suites":
			return { suites: action.suites.join(", "), split: action.split, variants: String(action.variants) };
		case "propose-retraining":
		case "start-retraining":
			return { recipe: action.recipe, seed: String(action.seed), short: Object.keys(action.options).length > 0 };
		case "open-finding":
			return { title: action.title, hypothesis: action.hypothesis };
		case "call-webhook":
			return { url: action.url, allowPrivate: action.allowPrivate };
		default:
			return {};
	}
}

/** What a form starts with: a trigger as it is, or a new one. */
export function valuesOf(trigger: Trigger | null, timeZone: string): TriggerValues {
	if (!trigger) return { ...NEW, timeZone };
	const { content } = trigger;
	return {
		...NEW,
		timeZone: content.schedule?.timeZone ?? timeZone,
		...actionValues(content.action),
		...{ name: trigger.name, enabled: trigger.enabled, event: content.event, action: content.action.type, keepSecret: trigger.hasSecret },
		...(content.schedule ? { cron: content.schedule.cron } : {}),
		conditions: content.conditions.map(({ fact, operator, value }, key) => ({ key, fact, operator, value: String(value) })),
		rest: String(content.coolDownMinutes),
		budget: String(content.budgetPerDay ?? DEFAULT_BUDGET),
	};
}

/** A whole number within bounds; null for anything else. */
function whole(text: string, low: number, high: number): number | null {
	if (!/^\d+$/.test(text.trim())) return null;
	const value = Number(text.trim());
	return value >= low && value <= high ? value : null;
}

/** What the server will take of a condition; null where the value does not fit. */
export function toCondition({ fact, operator, value }: ConditionRow): Condition | null {
	const typed = value.trim();
	const parsed = ConditionSchema.safeParse({ fact, operator, value: isNumberFact(fact) && typed !== "" ? Number(typed.replace(",", ".")) : typed });
	return parsed.success ? parsed.data : null;
}

type Found = (problem: Problem) => void;

function toAction(values: TriggerValues, options: Record<string, unknown>, found: Found): Action {
	const { action: type } = values;
	if (type === "run-loop-suites") return { type };
	if (type === "run-suites") {
		const suites = [...new Set(values.suites.split(/[,，\s]+/).filter(Boolean))];
		if (suites.length < 1 || suites.length > 8) found("suites");
		const variants = whole(values.variants, 1, 20);
		if (variants === null) found("number");
		return { type, suites, split: values.split, variants: variants ?? 5 };
	}
	if (type === "propose-retraining" || type === "start-retraining") {
		const seed = whole(values.seed, 0, 2_000_000);
		if (seed === null) found("number");
		const given = Object.keys(options).length > 0 ? options : SHORT_TRAINING;
		return { type, recipe: values.recipe, seed: seed ?? 1, options: values.short ? given : {} };
	}
	if (type === "open-finding") {
		const [title, hypothesis] = [values.title.trim(), values.hypothesis.trim()];
		if (!title || !hypothesis) found("title");
		return { type, title, hypothesis };
	}
	const url = values.url.trim();
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) found("url");
	if (!values.keepSecret && values.secret.length < SECRET_LENGTH) found("secret");
	return { type, url, allowPrivate: values.allowPrivate };
}

/** The trigger that was typed, and what is still wrong with it. Conditions that the event has no figure for are left aside. */
export function readValues(values: TriggerValues, before: Trigger | null): { content: TriggerContent; problems: ReadonlySet<Problem> } {
	const problems = new Set<Problem>();
	const found = (problem: Problem) => void problems.add(problem);
	if (values.name.trim() === "") found("name");
	const schedule = values.event === "schedule" ? { cron: values.cron.trim(), timeZone: values.timeZone.trim() } : null;
	if (schedule && (!schedule.cron || !schedule.timeZone)) found("schedule");
	const rows = values.conditions.filter((row) => EVENT_FACTS[values.event].includes(row.fact));
	const conditions = rows.flatMap((row) => toCondition(row) ?? []);
	if (conditions.length < rows.length) found("value");
	const coolDownMinutes = whole(values.rest, 0, 43_200);
	if (coolDownMinutes === null) found("rest");
	const budgetPerDay = whole(values.budget, 1, 1_000);
	if (budgetPerDay === null) found("budget");
	const kept = before?.content.action;
	const options = kept && "options" in kept ? kept.options : {};
	const action = toAction(values, options, found);
	const content = { event: values.event, schedule, conditions, action, coolDownMinutes: coolDownMinutes ?? 0, budgetPerDay: budgetPerDay ?? 1 };
	return { content, problems };
}
