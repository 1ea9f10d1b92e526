"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/dialog";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Name } from "@/components/ui/names";
import { Notice } from "@/components/ui/notes";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { toastDone } from "@/components/ui/toast";
import { ADVICE_RULE, ADVICE_THRESHOLDS } from "@/server/training/advice-rule.contract";
import type { AdviceRule, AdviceRuleView } from "@/server/training/contract";
import { differingThresholds, type Threshold, thresholdRange, thresholdText, toAdviceRule, toThresholdValues } from "./threshold-values";

/** Which thresholds are others than the defaults, with both values; nothing where none is. */
export function ChangedThresholds({ rule }: { rule: AdviceRule }) {
	const t = useTranslations("training.advice.thresholds");
	const locale = useLocale();
	const names = differingThresholds(rule, ADVICE_RULE);
	if (names.length === 0) return null;
	const list = names.map((name) =>
		t("differs", { name: t(`field.${name}`), value: thresholdText(name, rule[name]), usual: thresholdText(name, ADVICE_RULE[name]) }),
	);
	return <p className="mt-2 text-12 text-ink-2">{t("changed", { list: list.join(locale === "zh" ? "；" : "; ") })}</p>;
}

/** Who put the thresholds in force, when and why. */
function SetBy({ view: { version, createdBy, createdAt, reason } }: { view: AdviceRuleView }) {
	const t = useTranslations("training.advice.thresholds");
	if (version === 0 || createdAt === null) return <p className="text-12 text-ink-3">{t("defaults")}</p>;
	return (
		<p className="text-12 text-ink-3">
			{t.rich("by", { version, name: () => <Name>{createdBy ?? ""}</Name>, at: () => <RelativeTime at={createdAt} /> })}
			{": "}
			<Words>{reason}</Words>
		</p>
	);
}

function ThresholdsForm({ view, onDone }: { view: AdviceRuleView; onDone: () => void }) {
	const t = useTranslations("training.advice.thresholds");
	const s = useTranslations("settings");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [values, setValues] = useState(() => toThresholdValues(view.content));
	const [reason, setReason] = useState("");
	const update = useMutation(trpc.training.updateAdviceRule.mutationOptions({ meta: { silent: true } }));
	const editable = can("advice.edit");
	const typed = toAdviceRule(values);
	const problems: ReadonlySet<Threshold> = "problems" in typed ? typed.problems : new Set();
	const changed = "content" in typed && differingThresholds(typed.content, view.content).length > 0;
	const submit = () => {
		if (!("content" in typed)) return;
		update.mutate(
			{ workspace: slug, content: typed.content, reason: reason.trim(), expectedVersion: view.version },
			{
				onSuccess: ({ version }) => {
					toastDone(t("saved", { version }));
					void queryClient.invalidateQueries(trpc.training.pathFilter());
					onDone();
				},
				// The version that somebody else made is what has to be looked at.
				onError: () => void queryClient.invalidateQueries(trpc.training.adviceRule.pathFilter()),
			},
		);
	};
	return (
		<FormDialog
			open
			onOpenChange={(open) => !open && onDone()}
			title={t("title")}
			description={t("body")}
			submitLabel={t("submit")}
			busy={update.isPending}
			ready={editable && changed && reason.trim().length >= 3}
			onSubmit={submit}
		>
			<SetBy view={view} />
			{!editable && <Notice>{s("adminEdits")}</Notice>}
			<div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
				{ADVICE_THRESHOLDS.map((name) => (
					<Field
						key={name}
						label={t(`field.${name}`)}
						hint={t("usual", { value: thresholdText(name, ADVICE_RULE[name]) })}
						error={problems.has(name) && t("range", thresholdRange(name))}
					>
						<Input
							inputMode="decimal"
							value={values[name]}
							disabled={!editable}
							onChange={(event) => setValues((before) => ({ ...before, [name]: event.target.value }))}
						/>
					</Field>
				))}
			</div>
			{editable && (
				<Field label={t("reason")} hint={t("reasonHint")} required>
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} rows={2} />
				</Field>
			)}
			<FormError error={update.error} />
		</FormDialog>
	);
}

/** Opens the thresholds of the advice: anyone reads them, an admin puts a new version in force. */
export function ThresholdsButton() {
	const t = useTranslations("training.advice.thresholds");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [open, setOpen] = useState(false);
	const { data } = useQuery(trpc.training.adviceRule.queryOptions({ workspace: slug }, { enabled: open }));
	return (
		<>
			<Button variant="quiet" size="sm" busy={open && !data} onClick={() => setOpen(true)}>
				<SlidersHorizontal className="size-3.5" aria-hidden />
				{t("action")}
			</Button>
			{open && data && <ThresholdsForm key={data.version} view={data} onDone={() => setOpen(false)} />}
		</>
	);
}
