"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Checkbox, RadioGroup } from "@/components/ui/choice";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notes";
import { toastDone } from "@/components/ui/toast";
import type { Endpoint } from "@/server/models/contract";
import { type EndpointProblem, type EndpointValues, toInput, toValues } from "./endpoint-values";
import { FormSheet, refusedFields } from "./form-parts";

interface FieldsProps {
	values: EndpointValues;
	set: <K extends keyof EndpointValues>(name: K, value: EndpointValues[K]) => void;
	problem: (name: EndpointProblem) => ReactNode;
}

function KeyFields({ values, set, problem, endpoint, hostChanged }: FieldsProps & { endpoint: Endpoint | null; hostChanged: boolean }) {
	const t = useTranslations("settings.endpoints");
	const options = [
		...(endpoint ? [{ value: "keep", label: t("key.keep"), hint: t(`keyState.${endpoint.key.kind}`), disabled: hostChanged }] : []),
		{ value: "stored", label: t("key.stored"), hint: t("key.storedHint") },
		{ value: "variable", label: t("key.variable"), hint: t("key.variableHint") },
		{ value: "none", label: t("key.none"), hint: t("key.noneHint") },
	];
	return (
		<fieldset className="grid gap-2">
			<legend className="mb-1 text-12 text-ink-3">{t("key.title")}</legend>
			<RadioGroup label={t("key.title")} value={values.keyKind} onValueChange={(kind) => set("keyKind", kind as EndpointValues["keyKind"])} options={options} />
			{values.keyKind === "stored" && (
				<Field label={t("key.value")} required error={problem("key")}>
					<Input type="password" autoComplete="off" value={values.key} onChange={(event) => set("key", event.target.value)} className="font-mono" />
				</Field>
			)}
			{values.keyKind === "variable" && (
				<Field label={t("key.name")} required error={problem("keyName")}>
					<Input value={values.keyName} onChange={(event) => set("keyName", event.target.value.toUpperCase())} spellCheck={false} className="font-mono" />
				</Field>
			)}
			{hostChanged && <Notice tone="unsure">{t("key.hostChanged")}</Notice>}
		</fieldset>
	);
}

const LIMITS = ["concurrency", "requestsPerMinute", "tokensPerMinute", "timeoutSeconds", "maxRetries", "maxTokens"] as const;

function LimitFields({ values, set, problem }: FieldsProps) {
	const t = useTranslations("settings.endpoints");
	return (
		<fieldset className="grid gap-2">
			<legend className="mb-1 text-12 text-ink-3">{t("limits.title")}</legend>
			<div className="grid grid-cols-3 gap-3 max-md:grid-cols-2">
				{LIMITS.map((name) => (
					<Field key={name} label={t(`limits.${name}`)}>
						<Input inputMode="decimal" value={values[name]} onChange={(event) => set(name, event.target.value)} />
					</Field>
				))}
			</div>
			<p className={problem("limits") ? "text-12 text-down" : "text-12 text-ink-3"} role={problem("limits") ? "alert" : undefined}>
				{problem("limits") || t("limits.hint")}
			</p>
		</fieldset>
	);
}

/** Registers an endpoint, or changes one. A stored key is never shown; a new host asks for it again. */
export function EndpointForm({ endpoint, onClose, onSaved }: { endpoint: Endpoint | null; onClose: () => void; onSaved: (id: string) => void }) {
	const t = useTranslations("settings.endpoints");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [values, setValues] = useState(() => toValues(endpoint));
	const [problems, setProblems] = useState<ReadonlySet<EndpointProblem>>(new Set());
	const hostChanged = endpoint !== null && endpoint.key.kind !== "none" && hostOf(values.baseUrl) !== hostOf(endpoint.baseUrl);
	const onSuccess = async (id: string) => {
		await queryClient.invalidateQueries(trpc.models.pathFilter());
		onClose();
		onSaved(id);
	};
	const create = useMutation(trpc.models.endpointCreate.mutationOptions({ meta: { silent: true }, onSuccess: ({ id }) => onSuccess(id) }));
	const update = useMutation(
		trpc.models.endpointUpdate.mutationOptions({
			meta: { silent: true },
			onSuccess: ({ endpoint: saved, keyCleared }) => {
				toastDone(t(keyCleared ? "savedKeyCleared" : "saved", { name: saved.name }));
				return onSuccess(saved.id);
			},
		}),
	);
	const error = endpoint ? update.error : create.error;
	const refused = refusedFields(error);
	const fields: FieldsProps = {
		values,
		set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
		problem: (name) => (problems.has(name) || refused.has(name) ? t(`problem.${name}`) : undefined),
	};
	const submit = () => {
		const result = toInput(hostChanged && values.keyKind === "keep" ? { ...values, keyKind: "none" } : values);
		setProblems("problems" in result ? result.problems : new Set());
		if ("problems" in result) return;
		if (endpoint) update.mutate({ workspace: slug, id: endpoint.id, ...result.input });
		else create.mutate({ workspace: slug, ...result.input });
	};
	return (
		<FormSheet
			open
			onClose={onClose}
			title={endpoint ? t("editTitle", { name: endpoint.name }) : t("add")}
			description={t("formText")}
			submitLabel={endpoint ? c("save") : t("addAndTest")}
			busy={create.isPending || update.isPending}
			error={error}
			onSubmit={submit}
		>
			<Field label={t("name")} required hint={t("nameHint")} error={fields.problem("name")}>
				<Input value={values.name} onChange={(event) => fields.set("name", event.target.value)} maxLength={80} autoComplete="off" />
			</Field>
			<Field label={t("baseUrl")} required hint={t("baseUrlHint")} error={fields.problem("baseUrl")}>
				<Input
					type="url"
					value={values.baseUrl}
					onChange={(event) => fields.set("baseUrl", event.target.value)}
					spellCheck={false}
					className="font-mono"
					placeholder="https://…/v1"
				/>
			</Field>
			<Field label={t("model")} required hint={t("modelHint")} error={fields.problem("model")}>
				<Input value={values.model} onChange={(event) => fields.set("model", event.target.value)} spellCheck={false} className="font-mono" maxLength={200} />
			</Field>
			<KeyFields {...fields} endpoint={endpoint} hostChanged={hostChanged} />
			<Checkbox checked={values.allowPrivate} onCheckedChange={(on) => fields.set("allowPrivate", on)} label={t("allowPrivate")} hint={t("allowPrivateHint")} />
			<LimitFields {...fields} />
			<Field label={t("extraBody")} hint={t("extraBodyHint")} error={fields.problem("extraBody")}>
				<Textarea
					rows={4}
					value={values.extraBody}
					onChange={(event) => fields.set("extraBody", event.target.value)}
					spellCheck={false}
					className="font-mono"
					placeholder='{ "enable_thinking": false }'
				/>
			</Field>
		</FormSheet>
	);
}

function hostOf(address: string): string | null {
	try {
		return new URL(address.trim()).origin;
	} catch {
		return null;
	}
}
