"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useTimeZone, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormSheet } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import { ACTION_TYPES, EVENT_TYPES, type EventType, type Trigger, type TriggerContent } from "@/server/triggers/contract";
import { ActionFields, type FieldsProps } from "./action-fields";
import { ConditionRows } from "./condition-rows";
import { DryRunPane } from "./dry-run-pane";
import { ScheduleFields } from "./schedule-fields";
import { type Problem, readValues, type TriggerValues, valuesOf } from "./trigger-values";
import { useTriggerWords } from "./use-trigger-words";

const LOOP_EVENTS: readonly EventType[] = ["proposal-landed", "round-closed"];
const NONE: ReadonlySet<Problem> = new Set();

function WhenFields(props: FieldsProps & { tried: boolean }) {
	const t = useTranslations("triggers");
	const { values, onChange, tried } = props;
	return (
		<>
			<Field label={t("form.when")} hint={t(`eventHint.${values.event}`)}>
				<Select
					value={values.event}
					onValueChange={(event) => onChange({ event: event as EventType })}
					options={EVENT_TYPES.map((value) => ({ value, label: t(`event.${value}`) }))}
					className="w-full max-md:h-11"
				/>
			</Field>
			{values.event === "schedule" && <ScheduleFields {...props} />}
			<ConditionRows event={values.event} rows={values.conditions} tried={tried} onChange={(conditions) => onChange({ conditions })} />
		</>
	);
}

function ThenFields({ hasSecret, ...props }: FieldsProps & { hasSecret: boolean }) {
	const t = useTranslations("triggers");
	const { values, onChange } = props;
	return (
		<>
			<Field label={t("form.then")} hint={t(`actionHint.${values.action}`)}>
				<Select
					value={values.action}
					onValueChange={(action) => onChange({ action: action as TriggerValues["action"] })}
					options={ACTION_TYPES.map((value) => ({
						value,
						label: t(`action.${value}`),
						disabled: value === "run-loop-suites" && !LOOP_EVENTS.includes(values.event),
					}))}
					className="w-full max-md:h-11"
				/>
			</Field>
			<ActionFields {...props} hasSecret={hasSecret} />
		</>
	);
}

function LimitFields({ values, problems, onChange }: FieldsProps) {
	const t = useTranslations("triggers.form");
	return (
		<div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
			<Field label={t("rest")} error={problems.has("rest") && t("problem.rest")}>
				<Input value={values.rest} onChange={(event) => onChange({ rest: event.target.value })} inputMode="numeric" autoComplete="off" />
			</Field>
			<Field label={t("budget")} error={problems.has("budget") && t("problem.budget")}>
				<Input value={values.budget} onChange={(event) => onChange({ budget: event.target.value })} inputMode="numeric" autoComplete="off" />
			</Field>
		</div>
	);
}

/** The trigger that is being written, over the events that were; written anew when the button is pressed. */
function Rehearsal({ read, id, name }: { read: () => TriggerContent | null; id: string | null; name: string }) {
	const t = useTranslations("triggers.dryRun");
	const [content, setContent] = useState<TriggerContent | null>(null);
	return (
		<section className="grid gap-3 border-line border-t pt-3">
			<Button className="justify-self-start" onClick={() => setContent(read())}>
				<FlaskConical className="size-3.5" aria-hidden />
				{t("run")}
			</Button>
			{content && <DryRunPane trigger={{ id, name, content }} />}
		</section>
	);
}

/** What is entered, kept when the drawer closes before it was sent; another's change of the trigger meanwhile begins anew. */
function useTriggerValues(trigger: Trigger | null) {
	const zone = useTimeZone();
	const { slug } = useWorkspace();
	const initial = valuesOf(trigger, zone ?? "UTC");
	const [kept, keep, forget] = useKept(`trigger:${slug}:${trigger ? `${trigger.id}:${trigger.version}` : "new"}`, initial);
	// A secret is not written to the browser's storage.
	const [secret, setSecret] = useState("");
	const onChange = ({ secret: typed, ...change }: Partial<TriggerValues>) => {
		if (typed !== undefined) setSecret(typed);
		if (Object.keys(change).length > 0) keep((before) => ({ ...before, ...change }));
	};
	return { values: { ...kept, secret }, onChange, forget };
}

/** A trigger in words: when, if, then, how often. What was typed stays through every refusal, and when the drawer closes. */
export function TriggerForm({ trigger, onClose }: { trigger: Trigger | null; onClose: () => void }) {
	const t = useTranslations("triggers");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const words = useTriggerWords();
	const { values, onChange, forget } = useTriggerValues(trigger);
	const [tried, setTried] = useState(false);
	const { content, problems } = readValues(values, trigger);
	const save = useMutation(
		trpc.triggers.save.mutationOptions({
			meta: { silent: true },
			onSuccess: async () => {
				toastDone(t(trigger ? "form.saved" : "form.created"));
				forget();
				await queryClient.invalidateQueries(trpc.triggers.list.queryFilter());
				onClose();
			},
		}),
	);
	const valid = () => {
		setTried(true);
		return problems.size === 0;
	};
	const submit = () => {
		if (!valid()) return;
		const secret = content.action.type === "call-webhook" && !values.keepSecret ? { kind: "set" as const, value: values.secret } : { kind: "keep" as const };
		const { name, enabled } = values;
		const reason = values.reason.trim() || undefined;
		save.mutate({ workspace: slug, id: trigger?.id ?? null, version: trigger?.version ?? 0, name: name.trim(), enabled, content, secret, reason });
	};
	const fields = { values, problems: tried ? problems : NONE, onChange };
	return (
		<FormSheet
			open
			onClose={onClose}
			onCancel={() => {
				forget();
				onClose();
			}}
			title={trigger ? t("form.edit", { name: words.name(trigger) }) : t("form.new")}
			description={t("form.text")}
			submitLabel={t(trigger ? "form.save" : "form.create")}
			busy={save.isPending}
			error={save.error}
			onSubmit={submit}
		>
			<Field label={t("form.name")} required error={tried && problems.has("name") && t("form.problem.name")}>
				<Input value={values.name} onChange={(event) => fields.onChange({ name: event.target.value })} maxLength={120} autoComplete="off" />
			</Field>
			<WhenFields {...fields} tried={tried} />
			<ThenFields {...fields} hasSecret={trigger?.hasSecret ?? false} />
			<LimitFields {...fields} />
			<Checkbox checked={values.enabled} onCheckedChange={(enabled) => fields.onChange({ enabled })} label={t("form.enabled")} />
			{trigger && (
				<Field label={t("form.reason")} hint={t("reasonHint")}>
					<Input value={values.reason} onChange={(event) => fields.onChange({ reason: event.target.value })} maxLength={500} autoComplete="off" />
				</Field>
			)}
			<Rehearsal read={() => (valid() ? content : null)} id={trigger?.id ?? null} name={values.name} />
		</FormSheet>
	);
}
