"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import { Facts, PageHeader, SectionHead } from "@/components/ui/page";
import { Tag } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import type { Endpoint } from "@/server/models/contract";
import { EndpointForm } from "./endpoint-form";
import { EndpointRoles } from "./endpoint-roles";
import { EndpointTestPanel } from "./endpoint-test-panel";
import { SectionBody, SectionSkeleton, useDrawer } from "./form-parts";

function EndpointRow({
	endpoint,
	testing,
	onEdit,
	onDelete,
}: {
	endpoint: Endpoint;
	testing: ReturnType<typeof useEndpointTest>;
	onEdit: () => void;
	onDelete: () => void;
}) {
	const t = useTranslations("settings.endpoints");
	const c = useTranslations("common");
	const { limits } = endpoint;
	const shown = testing.id === endpoint.id;
	return (
		<li className="border-line border-b py-3">
			<div className="flex flex-wrap items-start gap-x-6 gap-y-2">
				<div className="min-w-0 flex-1">
					<div className="flex flex-wrap items-center gap-2">
						<b className="font-semibold text-13">{endpoint.name}</b>
						{endpoint.roles.map((role) => (
							<Tag key={role}>{t(`role.${role}`)}</Tag>
						))}
						{endpoint.allowPrivate && <Tag>{t("privateAllowed")}</Tag>}
					</div>
					<Facts
						className="mt-1"
						items={[
							[t("model"), <code key="model">{endpoint.model}</code>],
							[
								t("baseUrl"),
								<code key="url" className="break-all">
									{endpoint.baseUrl}
								</code>,
							],
							[
								t("key.title"),
								endpoint.key.kind === "variable" ? (
									<span key="key" className={endpoint.key.present ? undefined : "text-down"}>
										<code>{endpoint.key.name}</code>
										{!endpoint.key.present && ` ${t("keyState.absent")}`}
									</span>
								) : (
									t(`keyState.${endpoint.key.kind}`)
								),
							],
							[t("limits.title"), t("limits.summary", { concurrency: limits.concurrency, seconds: limits.timeoutMs / 1000, retries: limits.maxRetries })],
						]}
					/>
				</div>
				<div className="flex gap-2">
					<Button size="sm" busy={shown && testing.running} onClick={() => testing.run(endpoint.id)}>
						{t("test.run")}
					</Button>
					<Button size="sm" onClick={onEdit}>
						{c("edit")}
					</Button>
					<Button size="sm" variant="danger" onClick={onDelete}>
						{c("delete")}
					</Button>
				</div>
			</div>
			{shown && (testing.running || testing.result) && (
				<EndpointTestPanel name={endpoint.name} model={endpoint.model} result={testing.running ? null : testing.result} />
			)}
		</li>
	);
}

function useEndpointTest() {
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [id, setId] = useState<string | null>(null);
	const test = useMutation(trpc.models.endpointTest.mutationOptions());
	return {
		id,
		running: test.isPending,
		result: test.data ?? null,
		run(endpointId: string) {
			setId(endpointId);
			test.mutate({ workspace: slug, id: endpointId });
		},
	};
}

function Sentence({ endpoints }: { endpoints: readonly Endpoint[] }) {
	const t = useTranslations("settings.endpoints");
	const policy = endpoints.find((endpoint) => endpoint.roles.includes("policy"));
	const playing = endpoints.reduce((count, endpoint) => count + endpoint.roles.length, 0);
	if (playing === 0) return t("sayBuiltIn");
	return t("say", { policy: policy?.name ?? t("builtIn.policy"), count: playing });
}

/** Model endpoints: who plays what, what is registered, and whether it answers. */
export function EndpointsSection() {
	const t = useTranslations("settings.endpoints");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const drawer = useDrawer<Endpoint>();
	const [deleting, setDeleting] = useState<Endpoint | null>(null);
	const testing = useEndpointTest();
	const query = useQuery(trpc.models.endpoints.queryOptions({ workspace: slug }));
	const remove = useMutation(
		trpc.models.endpointDelete.mutationOptions({
			onSuccess: () => toastDone(t("deleted")),
			onSettled: () => queryClient.invalidateQueries(trpc.models.pathFilter()),
		}),
	);
	const add = (
		<Button variant="solid" onClick={drawer.openNew}>
			<Plus className="size-3.5" aria-hidden />
			{t("add")}
		</Button>
	);
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={3} />}>
			{(endpoints) => (
				<>
					<PageHeader title={<Sentence endpoints={endpoints} />} lead={t("lead")} actions={endpoints.length > 0 && add} />
					<SectionBody>
						<SectionHead title={t("rolesTitle")} meta={t("rolesMeta")} />
						<EndpointRoles endpoints={endpoints} />
						<SectionHead title={t("listTitle")} className="mt-4" />
						{endpoints.length === 0 ? (
							<EmptyState title={t("empty.title")} action={add} className="pt-2">
								{t("empty.text")}
							</EmptyState>
						) : (
							<ul className="border-line border-t">
								{endpoints.map((endpoint) => (
									<EndpointRow
										key={endpoint.id}
										endpoint={endpoint}
										testing={testing}
										onEdit={() => drawer.openFor(endpoint)}
										onDelete={() => setDeleting(endpoint)}
									/>
								))}
							</ul>
						)}
					</SectionBody>
					{drawer.target !== null && <EndpointForm endpoint={drawer.target === "new" ? null : drawer.target} onClose={drawer.close} onSaved={testing.run} />}
					<ConfirmDialog
						open={deleting !== null}
						onOpenChange={(open) => !open && setDeleting(null)}
						title={deleting && t("deleteTitle", { name: deleting.name })}
						description={t("deleteText")}
						confirmLabel={c("delete")}
						danger
						onConfirm={() => (deleting ? remove.mutateAsync({ workspace: slug, id: deleting.id }) : Promise.resolve())}
					/>
				</>
			)}
		</QueryBoundary>
	);
}
