"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { GuardedButton } from "@/components/ui/button";
import { Switch } from "@/components/ui/choice";
import { Field, Input } from "@/components/ui/field";
import { Facts, PageHeader, SectionHead } from "@/components/ui/page";
import { toastDone } from "@/components/ui/toast";
import type { Workspace } from "@/server/workspace/contract";
import { FormError, SectionBody, SectionSkeleton } from "./form-parts";

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
	const t = useTranslations("settings.workspace");
	const s = useTranslations("settings");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const locale = useLocale();
	const [en, setEn] = useState(workspace.title.en);
	const [zh, setZh] = useState(workspace.title.zh);
	const [price, setPrice] = useState(String(workspace.settings.pricePerMillionTokens));
	const editable = can("settings.edit");
	const update = useMutation(
		trpc.workspace.update.mutationOptions({
			meta: { silent: true },
			onSuccess: async () => {
				toastDone(t("saved"));
				await queryClient.invalidateQueries(trpc.workspace.pathFilter());
			},
		}),
	);
	const cost = Number(price);
	const badPrice = price.trim() === "" || !Number.isFinite(cost) || cost < 0;
	const badTitle = en.trim() === "" || zh.trim() === "";
	const save = () => {
		if (badPrice || badTitle) return;
		update.mutate({ workspace: slug, title: { en: en.trim(), zh: zh.trim() }, settings: { pricePerMillionTokens: cost } });
	};
	return (
		<form
			className="grid max-w-[560px] gap-4 pt-4"
			onSubmit={(event) => {
				event.preventDefault();
				save();
			}}
		>
			<Facts
				items={[
					[t("slug"), <code key="slug">{workspace.slug}</code>],
					[t("language"), new Intl.DisplayNames(locale, { type: "language" }).of(workspace.language)],
					[t("measure"), t(`measures.${workspace.measure}`)],
				]}
			/>
			<div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
				<Field label={t("titleEn")} required error={en.trim() === "" && s("required")}>
					<Input value={en} onChange={(event) => setEn(event.target.value)} disabled={!editable} maxLength={120} lang="en" />
				</Field>
				<Field label={t("titleZh")} required error={zh.trim() === "" && s("required")}>
					<Input value={zh} onChange={(event) => setZh(event.target.value)} disabled={!editable} maxLength={120} lang="zh-Hans" />
				</Field>
			</div>
			<Field label={t("price")} hint={t("priceHint")} error={badPrice && t("priceProblem")}>
				<Input inputMode="decimal" value={price} onChange={(event) => setPrice(event.target.value)} disabled={!editable} className="w-40 max-md:w-full" />
			</Field>
			<FormError error={update.error} />
			<div>
				<GuardedButton type="submit" variant="solid" busy={update.isPending} reason={editable ? null : s("adminEdits")}>
					{c("save")}
				</GuardedButton>
			</div>
		</form>
	);
}

function Unattended({ workspace }: { workspace: Workspace }) {
	const t = useTranslations("settings.workspace");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const update = useMutation(
		trpc.workspace.update.mutationOptions({
			onSuccess: async (after) => {
				toastDone(t(after.settings.allowUnattended ? "unattendedOn" : "unattendedOff"));
				await queryClient.invalidateQueries(trpc.workspace.pathFilter());
			},
		}),
	);
	return (
		<Switch
			className="max-w-[560px]"
			checked={workspace.settings.allowUnattended}
			onCheckedChange={(allowUnattended) => update.mutate({ workspace: slug, settings: { allowUnattended } })}
			disabled={!can("settings.edit") || update.isPending}
			label={t("unattended")}
			hint={t("unattendedHint")}
		/>
	);
}

/** Name, cost and the unattended loop of this workspace. Anyone may read it. */
export function WorkspaceSection() {
	const t = useTranslations("settings.workspace");
	const trpc = useTRPC();
	const { slug, local } = useWorkspace();
	const query = useQuery(trpc.workspace.get.queryOptions({ workspace: slug }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{(workspace) => (
				<>
					<PageHeader title={t("say", { title: local(workspace.title), count: workspace.categories.length })} lead={t("lead")} />
					<SectionBody>
						<WorkspaceForm key={workspace.id} workspace={workspace} />
						<SectionHead title={t("loop")} className="mt-6 border-line border-t pt-3" />
						<Unattended workspace={workspace} />
					</SectionBody>
				</>
			)}
		</QueryBoundary>
	);
}
