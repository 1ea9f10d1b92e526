"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError, SecretOnce } from "@/components/settings/form-parts";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Sheet } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useName } from "@/components/ui/names";
import { Words } from "@/components/ui/person";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/status";
import type { Trigger } from "@/server/triggers/contract";
import { useTriggerWords } from "./use-trigger-words";

/** All that a trigger was, newest first: who changed it, when and why. */
export function VersionsSheet({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
	const t = useTranslations("triggers");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const words = useTriggerWords();
	const nameOf = useName();
	const query = useQuery(trpc.triggers.versions.queryOptions({ workspace: slug, id: trigger.id }));
	return (
		<Sheet open onOpenChange={(open) => !open && onClose()} title={t("versions.title", { name: words.name(trigger) })} description={t("history")}>
			<QueryBoundary query={query} skeleton={<SkeletonRows rows={3} columns={2} />}>
				{(versions) => (
					<ol>
						{versions.map((version) => (
							<li key={version.version} className="border-line border-b py-2 text-12">
								<p className="font-semibold text-13">
									<Words>{t("versions.by", { name: words.name({ key: trigger.key, name: version.name }), version: version.version })}</Words>{" "}
									<span className="font-normal text-ink-3">{t(version.enabled ? "on" : "off")}</span>
								</p>
								<p className="text-ink-2">{`${words.sentence(version.content)} ${words.limits(version.content)}`}</p>
								<p className="text-ink-3">
									<Words>{nameOf(version.byName)}</Words> <RelativeTime at={version.createdAt} />
									{version.reason && (
										<>
											{" · "}
											<Words>{version.reason}</Words>
										</>
									)}
								</p>
							</li>
						))}
					</ol>
				)}
			</QueryBoundary>
		</Sheet>
	);
}

/** How a machine sets a trigger off, and a token that may do that and nothing else. */
export function CallSheet({ trigger, onClose }: { trigger: Trigger; onClose: () => void }) {
	const t = useTranslations("triggers.calling");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [name, setName] = useState(trigger.name);
	const [token, setToken] = useState<string | null>(null);
	const create = useMutation(
		trpc.triggers.tokenCreate.mutationOptions({
			meta: { silent: true },
			onSuccess: async (made) => {
				setToken(made.token);
				await queryClient.invalidateQueries(trpc.auth.tokensList.queryFilter());
			},
		}),
	);
	const address = `${window.location.origin}/api/triggers/${encodeURIComponent(slug)}/${trigger.id}`;
	const example = `curl -X POST ${address} -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: build-7" -d '{"build": 7}'`;
	return (
		<Sheet open onOpenChange={(open) => !open && onClose()} title={t("title", { name: trigger.name })} description={t("text")}>
			<div className="grid gap-4">
				<section>
					<h3 className="mb-1 font-semibold text-13">{t("example")}</h3>
					<div className="flex items-start gap-2 rounded-6 border border-line bg-sub px-3 py-2">
						<code className="min-w-0 flex-1 whitespace-pre-wrap break-all text-12">{example}</code>
						<CopyButton value={example} />
					</div>
				</section>
				{can("token.manage") && (
					<div className="flex items-end gap-2">
						<Field label={t("tokenName")} className="min-w-0 flex-1">
							<Input value={name} onChange={(event) => setName(event.target.value)} maxLength={120} autoComplete="off" />
						</Field>
						<Button
							busy={create.isPending}
							disabled={name.trim() === ""}
							onClick={() => create.mutate({ workspace: slug, id: trigger.id, name: name.trim(), expiresInDays: 90 })}
						>
							{t("token")}
						</Button>
					</div>
				)}
				<FormError error={create.error} />
			</div>
			<SecretOnce title={t("once", { name: trigger.name })} text={t("onceText")} secret={token} onClose={() => setToken(null)} />
		</Sheet>
	);
}
