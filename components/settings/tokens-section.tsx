"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { type Column, DataTable } from "@/components/ui/data-table";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Name } from "@/components/ui/names";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import type { ApiToken, TokenScope } from "@/server/auth/contract";
import { FormSheet, SecretOnce, SectionBody, SectionSkeleton } from "./form-parts";

const SCOPES: readonly TokenScope[] = ["release.read"];
const DAYS = ["7", "30", "90", "180", "366"] as const;

type Standing = "active" | "expired" | "revoked";
function standingOf(token: ApiToken, now: number): Standing {
	if (token.revokedAt) return "revoked";
	return token.expiresAt.getTime() <= now ? "expired" : "active";
}

function TokenForm({ onClose, onToken }: { onClose: () => void; onToken: (token: string) => void }) {
	const t = useTranslations("settings.tokens");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [name, setName] = useState("");
	const [scopes, setScopes] = useState<readonly TokenScope[]>(["release.read"]);
	const [days, setDays] = useState<string>("90");
	const [tried, setTried] = useState(false);
	const create = useMutation(
		trpc.auth.tokenCreate.mutationOptions({
			meta: { silent: true },
			onSuccess: async ({ token }) => {
				onClose();
				onToken(token);
				await queryClient.invalidateQueries(trpc.auth.tokensList.queryFilter());
			},
		}),
	);
	const submit = () => {
		setTried(true);
		if (name.trim() !== "" && scopes.length > 0) create.mutate({ workspace: slug, name: name.trim(), scopes: [...scopes], expiresInDays: Number(days) });
	};
	return (
		<FormSheet
			open
			onClose={onClose}
			title={t("add")}
			description={t("formText")}
			submitLabel={t("add")}
			busy={create.isPending}
			error={create.error}
			onSubmit={submit}
		>
			<Field label={t("name")} required hint={t("nameHint")} error={tried && name.trim() === "" && t("problem.name")}>
				<Input value={name} onChange={(event) => setName(event.target.value)} maxLength={120} autoComplete="off" />
			</Field>
			<fieldset className="grid gap-2">
				<legend className="mb-1 text-12 text-ink-3">{t("scopes")}</legend>
				{SCOPES.map((scope) => (
					<Checkbox
						key={scope}
						checked={scopes.includes(scope)}
						onCheckedChange={(on) => setScopes(SCOPES.filter((other) => (other === scope ? on : scopes.includes(other))))}
						label={<code>{scope}</code>}
						hint={t(`scope.${scope.replace(".", "-")}`)}
					/>
				))}
				{tried && scopes.length === 0 && (
					<p role="alert" className="text-12 text-down">
						{t("problem.scopes")}
					</p>
				)}
			</fieldset>
			<Field label={t("expires")}>
				<Select
					value={days}
					onValueChange={setDays}
					options={DAYS.map((value) => ({ value, label: t("days", { count: Number(value) }) }))}
					className="w-40 max-md:w-full"
				/>
			</Field>
		</FormSheet>
	);
}

function useTokenColumns(now: number, onRevoke: (token: ApiToken) => void): Column<ApiToken>[] {
	const t = useTranslations("settings.tokens");
	const format = useFormatter();
	return [
		{
			id: "name",
			header: t("name"),
			sortValue: (token) => token.name,
			text: (token) => `${token.name} ${token.createdBy}`,
			cell: (token) => <b className="font-semibold">{token.name}</b>,
		},
		{
			id: "standing",
			header: t("standing"),
			sortValue: (token) => standingOf(token, now),
			cell: (token) => <span className={standingOf(token, now) === "active" ? undefined : "text-ink-3"}>{t(`standings.${standingOf(token, now)}`)}</span>,
		},
		{ id: "scopes", header: t("scopes"), wideOnly: true, text: (token) => token.scopes.join(" "), cell: (token) => <code>{token.scopes.join(" ")}</code> },
		{
			id: "expires",
			header: t("expires"),
			sortValue: (token) => token.expiresAt.getTime(),
			csv: (token) => token.expiresAt.toISOString(),
			cell: (token) => format.dateTime(token.expiresAt, "date"),
		},
		{
			id: "used",
			header: t("used"),
			wideOnly: true,
			sortValue: (token) => token.lastUsedAt?.getTime() ?? null,
			csv: (token) => token.lastUsedAt?.toISOString() ?? "",
			cell: (token) => (token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : <span className="text-ink-3">{t("never")}</span>),
		},
		{ id: "by", header: t("by"), wideOnly: true, sortValue: (token) => token.createdBy, cell: (token) => <Name>{token.createdBy}</Name> },
		{
			id: "acts",
			header: <span className="sr-only">{t("acts")}</span>,
			csvHeader: t("created"),
			csv: (token) => token.createdAt.toISOString(),
			className: "text-right",
			cell: (token) =>
				standingOf(token, now) === "active" && (
					<Button size="sm" variant="danger" onClick={() => onRevoke(token)}>
						{t("revoke")}
					</Button>
				),
		},
	];
}

/** Tokens with which machines read releases, the harness or runs. */
export function TokensSection() {
	const t = useTranslations("settings.tokens");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [adding, setAdding] = useState(false);
	const [token, setToken] = useState<string | null>(null);
	const [revoking, setRevoking] = useState<ApiToken | null>(null);
	const [now] = useState(() => Date.now());
	const query = useQuery(trpc.auth.tokensList.queryOptions({ workspace: slug }));
	const columns = useTokenColumns(now, setRevoking);
	const revoke = useMutation(
		trpc.auth.tokenRevoke.mutationOptions({
			onSuccess: () => toastDone(t("revoked")),
			onSettled: () => queryClient.invalidateQueries(trpc.auth.tokensList.queryFilter()),
		}),
	);
	const add = (
		<Button variant="solid" onClick={() => setAdding(true)}>
			<Plus className="size-3.5" aria-hidden />
			{t("add")}
		</Button>
	);
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={4} />}>
			{(tokens) => (
				<>
					<PageHeader
						title={t("say", { count: tokens.filter((candidate) => standingOf(candidate, now) === "active").length })}
						lead={t("lead")}
						actions={tokens.length > 0 && add}
					/>
					<SectionBody>
						<DataTable
							rows={tokens}
							columns={columns}
							rowKey={(row) => row.id}
							label={t("label")}
							csvName="tokens"
							empty={
								<EmptyState title={t("empty.title")} action={add}>
									{t("empty.text")}
								</EmptyState>
							}
						/>
					</SectionBody>
					{adding && <TokenForm onClose={() => setAdding(false)} onToken={setToken} />}
					<SecretOnce title={t("once.title")} text={t("once.text")} secret={token} onClose={() => setToken(null)} />
					<ConfirmDialog
						open={revoking !== null}
						onOpenChange={(open) => !open && setRevoking(null)}
						title={revoking && t("revokeTitle", { name: revoking.name })}
						description={t("revokeText")}
						confirmLabel={t("revoke")}
						danger
						onConfirm={() => (revoking ? revoke.mutateAsync({ workspace: slug, id: revoking.id }) : Promise.resolve())}
					/>
				</>
			)}
		</QueryBoundary>
	);
}
