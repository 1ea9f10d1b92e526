"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useDeferredValue, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError, SectionSkeleton } from "@/components/settings/form-parts";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { GuardedButton } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { PageHeader, SectionHead } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useName } from "@/components/ui/use-name";
import type { Envelope, EnvelopeProblem } from "@/server/augmentation/contract";
import { VariantPreview } from "./variant-preview";

/** The form with its schema: loaded beside the page, in about the room that it will take. */
const EnvelopeTable = dynamic(() => import("./envelope-table").then((module) => module.EnvelopeTable), {
	ssr: false,
	loading: () => <SkeletonRows rows={27} />,
});

const WORDS = ["transforms", "held-out"] as const;
const MOST_SEED = 2_147_483_647;

function SaveForm({ envelope, version, changed, problems }: { envelope: Envelope; version: number; changed: boolean; problems: readonly EnvelopeProblem[] }) {
	const t = useTranslations("variants");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [reason, setReason] = useState("");
	const [asked, setAsked] = useState(false);
	const save = useMutation(
		trpc.augmentation.envelopeSave.mutationOptions({
			meta: { silent: true },
			onSuccess: async (saved) => {
				toastDone(t("saved", { version: saved.version }));
				await queryClient.invalidateQueries(trpc.augmentation.envelope.pathFilter());
			},
		}),
	);
	const mayNot = can("envelope.edit") ? null : t("mayNot");
	const idle = changed ? null : t("unchanged");
	return (
		<form
			noValidate
			className="mt-5 grid justify-items-start gap-3"
			onSubmit={(event) => {
				event.preventDefault();
				setAsked(true);
				if (reason.trim() !== "" && problems.length === 0) save.mutate({ workspace: slug, envelope, reason: reason.trim(), seenVersion: version });
			}}
		>
			{mayNot === null && (
				<Field label={t("reason")} required className="w-full max-w-[560px]" error={asked && reason.trim() === "" && t("reasonNeeded")}>
					<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} rows={2} />
				</Field>
			)}
			<FormError error={save.error} />
			<GuardedButton type="submit" variant="solid" busy={save.isPending} reason={mayNot ?? idle}>
				{t("save")}
			</GuardedButton>
		</form>
	);
}

function Editor({ saved, version }: { saved: Envelope; version: number }) {
	const t = useTranslations("variants");
	const trpc = useTRPC();
	const { slug, can } = useWorkspace();
	const [envelope, setEnvelope] = useState(saved);
	const [state, setState] = useQueryStates({ seed: parseAsInteger.withDefault(1), words: parseAsStringLiteral(WORDS).withDefault("transforms") });
	const shown = useDeferredValue(envelope);
	const { words: _own, ...sent } = shown;
	const query = useQuery(trpc.augmentation.preview.queryOptions({ workspace: slug, envelope: sent, ...state }, { placeholderData: keepPreviousData }));
	const problems = query.data?.problems ?? [];
	return (
		<div className="grid grid-cols-[minmax(0,480px)_minmax(0,1fr)] gap-x-8 gap-y-6 px-6 pt-4 pb-10 max-lg:grid-cols-1 max-md:px-4">
			<div>
				<EnvelopeTable envelope={envelope} problems={problems} editable={can("envelope.edit")} onChange={setEnvelope} />
				<SaveForm envelope={envelope} version={version} changed={JSON.stringify(envelope) !== JSON.stringify(saved)} problems={problems} />
			</div>
			<div className="min-w-0">
				<SectionHead title={t("preview.title")}>
					<Input
						type="number"
						min={0}
						max={MOST_SEED}
						aria-label={t("preview.seed")}
						value={state.seed}
						onChange={(event) => setState({ seed: Math.min(MOST_SEED, Math.max(0, Math.trunc(event.target.valueAsNumber || 0))) })}
						className="w-24 tabular-nums"
					/>
					<Select
						size="sm"
						label={t("preview.words")}
						value={state.words}
						onValueChange={(words) => setState({ words: words as (typeof WORDS)[number] })}
						options={WORDS.map((value) => ({ value, label: t(`preview.wordsOf.${value}`) }))}
					/>
				</SectionHead>
				<QueryBoundary query={query} skeleton={<SkeletonRows rows={8} columns={2} />}>
					{(preview) => <VariantPreview preview={preview} />}
				</QueryBoundary>
			</div>
		</div>
	);
}

/** The envelope of a workspace, edited with a variant of its harness beside the original. */
export function VariantsPage() {
	const t = useTranslations("variants");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const nameOf = useName();
	const query = useQuery(trpc.augmentation.envelope.queryOptions({ workspace: slug }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{({ version, content, createdBy, reason }) => (
				<>
					<PageHeader
						title={t("say", { version })}
						lead={
							<>
								{t("lead")}
								{createdBy && <span className="block text-ink-3">{t("by", { name: nameOf(createdBy), reason: nameOf(reason) })}</span>}
							</>
						}
					/>
					<Editor key={version} saved={content} version={version} />
				</>
			)}
		</QueryBoundary>
	);
}
