"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Checkbox, RadioGroup } from "@/components/ui/choice";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import type { Problem, TriggerValues } from "./trigger-values";

export interface FieldsProps {
	values: TriggerValues;
	/** What is still wrong, once somebody tried to save. */
	problems: ReadonlySet<Problem>;
	onChange: (change: Partial<TriggerValues>) => void;
}

const problemText = (problems: ReadonlySet<Problem>, problem: Problem, t: (key: `problem.${Problem}`) => string) =>
	problems.has(problem) && t(`problem.${problem}`);

function SuiteFields({ values, problems, onChange }: FieldsProps) {
	const t = useTranslations("triggers.form");
	return (
		<>
			<Field label={t("suites")} required hint={t("suitesHint")} error={problemText(problems, "suites", t)}>
				<Input
					value={values.suites}
					onChange={(event) => onChange({ suites: event.target.value })}
					spellCheck={false}
					autoComplete="off"
					className="font-mono"
				/>
			</Field>
			<div className="flex flex-wrap items-end gap-4">
				<Segmented
					label={t("split")}
					value={values.split}
					onValueChange={(split) => onChange({ split: split as TriggerValues["split"] })}
					options={["dev", "test"].map((value) => ({ value, label: value }))}
				/>
				<Field label={t("variants")} error={problemText(problems, "number", t)} className="w-40">
					<Input value={values.variants} onChange={(event) => onChange({ variants: event.target.value })} inputMode="numeric" autoComplete="off" />
				</Field>
			</div>
		</>
	);
}

function RetrainingFields({ values, problems, onChange }: FieldsProps) {
	const t = useTranslations("triggers.form");
	return (
		<>
			<RadioGroup
				label={t("recipe")}
				value={values.recipe}
				onValueChange={(recipe) => onChange({ recipe: recipe as TriggerValues["recipe"] })}
				options={(["hat", "fixed"] as const).map((value) => ({ value, label: t(`recipes.${value}`) }))}
			/>
			<Field label={t("seed")} error={problemText(problems, "number", t)} className="w-40">
				<Input value={values.seed} onChange={(event) => onChange({ seed: event.target.value })} inputMode="numeric" autoComplete="off" />
			</Field>
			<Checkbox checked={values.short} onCheckedChange={(short) => onChange({ short })} label={t("short")} hint={t("shortHint")} />
		</>
	);
}

function FindingFields({ values, problems, onChange }: FieldsProps) {
	const t = useTranslations("triggers.form");
	const error = problemText(problems, "title", t);
	return (
		<>
			<Field label={t("title")} required error={values.title.trim() === "" && error}>
				<Input value={values.title} onChange={(event) => onChange({ title: event.target.value })} maxLength={200} autoComplete="off" />
			</Field>
			<Field label={t("hypothesis")} required error={values.hypothesis.trim() === "" && error}>
				<Textarea value={values.hypothesis} onChange={(event) => onChange({ hypothesis: event.target.value })} maxLength={2_000} rows={3} />
			</Field>
		</>
	);
}

function makeSecret(): string {
	return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function WebhookFields({ values, problems, onChange, hasSecret }: FieldsProps & { hasSecret: boolean }) {
	const t = useTranslations("triggers.form");
	return (
		<>
			<Field label={t("url")} required error={problemText(problems, "url", t)}>
				<Input
					type="url"
					value={values.url}
					onChange={(event) => onChange({ url: event.target.value })}
					spellCheck={false}
					className="font-mono"
					placeholder="https://…"
					maxLength={2_000}
				/>
			</Field>
			<Checkbox
				checked={values.allowPrivate}
				onCheckedChange={(allowPrivate) => onChange({ allowPrivate })}
				label={t("allowPrivate")}
				hint={t("allowPrivateHint")}
			/>
			{hasSecret && (
				<Checkbox checked={values.keepSecret} onCheckedChange={(keepSecret) => onChange({ keepSecret })} label={t("keepSecret")} hint={t("keepSecretHint")} />
			)}
			{!(hasSecret && values.keepSecret) && (
				<div className="flex items-start gap-2">
					<Field label={t("secret")} required hint={t("secretHint")} error={problemText(problems, "secret", t)} className="min-w-0 flex-1">
						<Input
							value={values.secret}
							onChange={(event) => onChange({ secret: event.target.value })}
							spellCheck={false}
							autoComplete="off"
							maxLength={200}
							className="font-mono"
						/>
					</Field>
					<Button className="mt-[22px]" onClick={() => onChange({ secret: makeSecret() })}>
						{t("generate")}
					</Button>
				</div>
			)}
		</>
	);
}

/** What the chosen action needs to know. */
export function ActionFields({ hasSecret, ...props }: FieldsProps & { hasSecret: boolean }) {
	switch (props.values.action) {
		case "run-suites":
			return <SuiteFields {...props} />;
		case "propose-retraining":
		case "start-retraining":
			return <RetrainingFields {...props} />;
		case "open-finding":
			return <FindingFields {...props} />;
		case "call-webhook":
			return <WebhookFields {...props} hasSecret={hasSecret} />;
		default:
			return null;
	}
}
