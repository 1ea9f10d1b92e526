"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { choicesOf, EVENT_FACTS, type EventType, type Fact, isNumberFact, operatorsOf } from "@/server/triggers/contract";
import { type ConditionRow, toCondition } from "./trigger-values";

const valueFor = (fact: Fact) => choicesOf(fact)?.[0] ?? "";

function ValueField({ row, wrong, onChange }: { row: ConditionRow; wrong: boolean; onChange: (value: string) => void }) {
	const t = useTranslations("triggers");
	const choices = choicesOf(row.fact);
	if (choices)
		return (
			<Select
				label={t("valueField")}
				value={row.value}
				onValueChange={onChange}
				options={choices.map((value) => ({ value, label: t(`choice.${value}` as "choice.done") }))}
				className="w-full max-md:h-11"
			/>
		);
	return (
		<Input
			aria-label={t("valueField")}
			aria-invalid={wrong || undefined}
			value={row.value}
			onChange={(event) => onChange(event.target.value)}
			inputMode={isNumberFact(row.fact) ? "decimal" : "text"}
			autoComplete="off"
			maxLength={80}
		/>
	);
}

/** Figures of the event, compared with values: all must hold. Rows that another event has a use for are kept out of sight. */
export function ConditionRows({
	event,
	rows,
	tried,
	onChange,
}: {
	event: EventType;
	rows: readonly ConditionRow[];
	tried: boolean;
	onChange: (rows: ConditionRow[]) => void;
}) {
	const t = useTranslations("triggers");
	const facts = EVENT_FACTS[event];
	const shown = rows.filter((row) => facts.includes(row.fact));
	const set = (key: number, change: Partial<ConditionRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
	const choose = (key: number, fact: Fact) => set(key, { fact, operator: operatorsOf(fact)[0], value: valueFor(fact) });
	const add = () => {
		const fact = facts[0] as Fact;
		onChange([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, fact, operator: operatorsOf(fact)[0] ?? "is", value: valueFor(fact) }]);
	};
	const wrong = tried && shown.some((row) => toCondition(row) === null);
	return (
		<fieldset className="grid gap-2">
			<legend className="mb-1 text-12 text-ink-3">{t("conditions")}</legend>
			{shown.map((row) => (
				<div
					key={row.key}
					className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,3fr)_auto] items-center gap-2 max-md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
				>
					<Select
						label={t("factField")}
						value={row.fact}
						onValueChange={(fact) => choose(row.key, fact as Fact)}
						options={facts.map((value) => ({ value, label: t(`fact.${value}`) }))}
						className="w-full max-md:col-span-3 max-md:h-11"
					/>
					<Select
						label={t("operatorField")}
						value={row.operator}
						onValueChange={(operator) => set(row.key, { operator: operator as ConditionRow["operator"] })}
						options={operatorsOf(row.fact).map((value) => ({ value, label: t(`operator.${value}`) }))}
						className="w-full max-md:h-11"
					/>
					<ValueField row={row} wrong={tried && toCondition(row) === null} onChange={(value) => set(row.key, { value })} />
					<IconButton label={t("removeCondition")} onClick={() => onChange(rows.filter((other) => other.key !== row.key))}>
						<X className="size-3.5" aria-hidden />
					</IconButton>
				</div>
			))}
			<p className="text-12 text-ink-3">{t(shown.length === 0 ? "conditionsNone" : "conditionsHint")}</p>
			{wrong && (
				<p role="alert" className="text-12 text-down">
					{t("form.problem.value")}
				</p>
			)}
			{shown.length < 8 && (
				<Button size="sm" className="justify-self-start" onClick={add}>
					<Plus className="size-3.5" aria-hidden />
					{t("addCondition")}
				</Button>
			)}
		</fieldset>
	);
}
