"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMemo } from "react";
import { type Condition, FACTS, type Fact, type Facts, isNumberFact, type Trigger, type TriggerContent, type Why } from "@/server/triggers/contract";

/** Triggers, their conditions and decisions in sentences of the reader's language. */
export function useTriggerWords() {
	const t = useTranslations("triggers");
	const format = useFormatter();
	return useMemo(() => {
		const say = (fact: Fact, value: string | number | null | undefined): string => {
			if (value === null || value === undefined) return t("unknown");
			if (typeof value === "number") return format.number(value, { maximumFractionDigits: 2 });
			return !isNumberFact(fact) && t.has(`choice.${value}` as "choice.done") ? t(`choice.${value}` as "choice.done") : value;
		};
		const condition = ({ fact, operator, value }: Condition) =>
			t("condition", { fact: t(`fact.${fact}`), operator: t(`operator.${operator}`), value: say(fact, value) });
		const event = ({ event: type, schedule }: TriggerContent) =>
			schedule ? `${t("event.schedule")} ${t("schedule.words", { cron: schedule.cron, zone: schedule.timeZone })}` : t(`event.${type}`);
		const action = ({ action: one }: TriggerContent): string => {
			switch (one.type) {
				case "run-loop-suites":
					return t("actionWords.run-loop-suites");
				case "run-suites":
					return t("actionWords.run-suites", { suites: one.suites.join(", "), split: one.split });
				case "propose-retraining":
				case "start-retraining":
					return t(`actionWords.${one.type}`, { recipe: one.recipe === "hat" ? "HAT" : "Fixed", seed: one.seed });
				case "open-finding":
					return t("actionWords.open-finding", { title: one.title });
				case "call-webhook":
					return t("actionWords.call-webhook", { host: URL.canParse(one.url) ? new URL(one.url).host : one.url });
			}
		};
		return {
			name: ({ key, name }: Pick<Trigger, "key" | "name">) => (key ? t(`builtIn.${key}.name`) : name),
			event: (type: TriggerContent["event"]) => t(`event.${type}`),
			fact: (fact: Fact) => t(`fact.${fact}`),
			value: say,
			sentence(content: TriggerContent): string {
				const list = content.conditions.map(condition).join(" · ");
				const conditions = t("if", { count: content.conditions.length, list });
				return t("sentence", { event: event(content), conditions, action: action(content) });
			},
			limits({ coolDownMinutes, budgetPerDay }: TriggerContent): string {
				if (budgetPerDay === null) return t("limitsNone");
				const rest = coolDownMinutes === 0 ? t("restNone") : t("restMinutes", { minutes: coolDownMinutes });
				return t("limits", { rest, budget: budgetPerDay });
			},
			why(why: Why): string {
				switch (why.kind) {
					case "all-met":
						return t("why.all-met", { count: why.conditions });
					case "condition": {
						const { fact, operator, value, actual } = why;
						return t("why.condition", {
							fact: t(`fact.${fact}`),
							operator: t(`operator.${operator}`),
							value: say(fact, value),
							actual: say(fact, actual),
						});
					}
					case "cool-down":
						return t("why.cool-down", { minutes: why.minutes, until: format.dateTime(new Date(why.until), "moment") });
					case "budget":
						return t("why.budget", { budget: why.budget });
					case "depth":
						return t("why.depth", { depth: why.depth, most: why.most });
					default:
						return t(`why.${why.kind}`);
				}
			},
			facts: (facts: Facts): [string, string][] =>
				FACTS.flatMap((fact): [string, string][] => (fact in facts ? [[t(`fact.${fact}`), say(fact, facts[fact])]] : [])),
		};
	}, [t, format]);
}
