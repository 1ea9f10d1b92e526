"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { GuardedButton } from "@/components/ui/button";
import { Checkbox, Switch } from "@/components/ui/choice";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Name } from "@/components/ui/names";
import { PageHeader, SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { toastDone } from "@/components/ui/toast";
import type { GatePolicy } from "@/server/evolution/contract";
import { FormError, SectionBody, SectionSkeleton } from "./form-parts";
import { GateSuites } from "./gate-suites";
import { GATE_NUMBERS, type GateProblem, type GateValues, toGatePolicy, toGateValues } from "./gate-values";

const DIMENSIONS = ["accuracy", "effectiveness"] as const;

interface PartProps {
	values: GateValues;
	onChange: (change: Partial<GateValues>) => void;
	editable: boolean;
	problems: ReadonlySet<GateProblem>;
}

function Dimensions({ values, onChange, editable, problems }: PartProps) {
	const t = useTranslations("settings.gate");
	const c = useTranslations("common");
	return (
		<>
			<SectionHead title={t("dimensions")} className="mt-4" />
			<div className="flex flex-wrap gap-x-6 gap-y-2">
				{DIMENSIONS.map((dimension) => (
					<Checkbox
						key={dimension}
						checked={values.dimensions.includes(dimension)}
						disabled={!editable}
						onCheckedChange={(on) => onChange({ dimensions: DIMENSIONS.filter((other) => (other === dimension ? on : values.dimensions.includes(other))) })}
						label={c(dimension)}
					/>
				))}
			</div>
			{problems.has("dimensions") && (
				<p role="alert" className="mt-1 text-12 text-down">
					{t("problem.dimensions")}
				</p>
			)}
		</>
	);
}

function Numbers({ values, onChange, editable, problems }: PartProps) {
	const t = useTranslations("settings.gate");
	return (
		<>
			<SectionHead title={t("numbers")} className="mt-4" />
			<div className="grid max-w-[640px] grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
				{GATE_NUMBERS.map((name) => (
					<Field key={name} label={t(`field.${name}`)} error={problems.has(name) && t(`problem.${name}`)}>
						<Input
							inputMode="decimal"
							value={values.numbers[name]}
							disabled={!editable}
							onChange={(event) => onChange({ numbers: { ...values.numbers, [name]: event.target.value } })}
						/>
					</Field>
				))}
			</div>
			<Switch
				className="mt-4 max-w-[560px]"
				checked={values.useHoldout}
				disabled={!editable}
				onCheckedChange={(useHoldout) => onChange({ useHoldout })}
				label={t("useHoldout")}
				hint={t("useHoldoutHint")}
			/>
		</>
	);
}

function GateForm({ policy, version }: { policy: GatePolicy; version: number }) {
	const t = useTranslations("settings.gate");
	const s = useTranslations("settings");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [values, setValues] = useState(() => toGateValues(policy));
	const [reason, setReason] = useState("");
	const [problems, setProblems] = useState<ReadonlySet<GateProblem>>(new Set());
	const [needsReason, setNeedsReason] = useState(false);
	const editable = can("gate.edit");
	const update = useMutation(
		trpc.evolution.updateGatePolicy.mutationOptions({
			meta: { silent: true },
			onSuccess: async (saved) => {
				toastDone(t("saved", { version: saved.version }));
				setReason("");
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
			},
		}),
	);
	const changed = JSON.stringify(values) !== JSON.stringify(toGateValues(policy));
	const submit = () => {
		const result = toGatePolicy(values);
		setProblems("problems" in result ? result.problems : new Set());
		setNeedsReason(reason.trim() === "");
		if ("problems" in result || reason.trim() === "") return;
		update.mutate({ workspace: slug, content: result.content, reason: reason.trim(), expectedVersion: version });
	};
	const part = { values, editable, problems, onChange: (change: Partial<GateValues>) => setValues((before) => ({ ...before, ...change })) };
	return (
		<form
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				submit();
			}}
		>
			<GateSuites suites={values.suites} editable={editable} onChange={(suites) => part.onChange({ suites })} />
			<Dimensions {...part} />
			<Numbers {...part} />
			{editable && (
				<Field label={t("reason")} required className="mt-5 max-w-[640px]" error={needsReason && reason.trim() === "" && t("reasonNeeded")}>
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} />
				</Field>
			)}
			<div className="mt-3 grid justify-items-start gap-2">
				<FormError error={update.error} />
				<GuardedButton type="submit" variant="solid" busy={update.isPending} reason={!editable ? s("adminEdits") : changed ? null : t("unchanged")}>
					{t("save")}
				</GuardedButton>
			</div>
		</form>
	);
}

/** What a round must hold to be eligible and a release to pass. Anyone reads it; an admin puts a new version in force, with the reason. */
export function GateSection() {
	const t = useTranslations("settings.gate");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.evolution.gatePolicy.queryOptions({ workspace: slug }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{({ version, content, createdBy, createdAt, reason }) => (
				<>
					<PageHeader
						title={t("say", { version })}
						lead={
							<>
								{t("lead")}
								{createdBy && createdAt && (
									<span className="block text-ink-3">
										{t.rich("by", { name: () => <Name>{createdBy.name}</Name>, at: () => <RelativeTime at={createdAt} /> })}
										{reason && (
											<>
												{": "}
												<Words>{reason}</Words>
											</>
										)}
									</span>
								)}
							</>
						}
					/>
					<SectionBody>
						<GateForm key={version} policy={content as GatePolicy} version={version} />
					</SectionBody>
				</>
			)}
		</QueryBoundary>
	);
}
