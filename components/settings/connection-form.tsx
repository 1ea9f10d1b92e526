"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox, RadioGroup } from "@/components/ui/choice";
import { Field, Input } from "@/components/ui/field";
import { toastDone } from "@/components/ui/toast";
import type { Connection } from "@/server/models/contract";
import { FormSheet, refusedFields } from "./form-parts";

interface HeaderRow {
	/** Rows have no identity of their own while they are typed. */
	key: number;
	name: string;
	value: string;
}

function HeaderRows({ rows, onChange }: { rows: readonly HeaderRow[]; onChange: (rows: HeaderRow[]) => void }) {
	const t = useTranslations("settings.connections");
	const set = (key: number, change: Partial<HeaderRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
	return (
		<div className="grid gap-2">
			{rows.map((row) => (
				<div key={row.key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
					<Input
						aria-label={t("headerName")}
						placeholder="Authorization"
						value={row.name}
						onChange={(event) => set(row.key, { name: event.target.value })}
						spellCheck={false}
						className="font-mono"
					/>
					<Input
						aria-label={t("headerValue")}
						type="password"
						autoComplete="off"
						value={row.value}
						onChange={(event) => set(row.key, { value: event.target.value })}
						className="font-mono"
					/>
					<IconButton label={t("removeHeader")} onClick={() => onChange(rows.filter((other) => other.key !== row.key))}>
						<X className="size-3.5" aria-hidden />
					</IconButton>
				</div>
			))}
			<div>
				<Button size="sm" onClick={() => onChange([...rows, { key: Math.max(0, ...rows.map((row) => row.key)) + 1, name: "", value: "" }])}>
					<Plus className="size-3.5" aria-hidden />
					{t("addHeader")}
				</Button>
			</div>
		</div>
	);
}

/** Registers a server that tools may name, or changes one. Stored headers are never shown. */
export function ConnectionForm({ connection, onClose }: { connection: Connection | null; onClose: () => void }) {
	const t = useTranslations("settings.connections");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [name, setName] = useState(connection?.name ?? "");
	const [kind, setKind] = useState<Connection["kind"]>(connection?.kind ?? "http");
	const [url, setUrl] = useState(connection?.url ?? "");
	const [allowPrivate, setAllowPrivate] = useState(connection?.allowPrivate ?? false);
	const [keep, setKeep] = useState(connection?.hasHeaders ?? false);
	const [rows, setRows] = useState<HeaderRow[]>([]);
	const done = async (message: string) => {
		toastDone(message);
		await queryClient.invalidateQueries(trpc.models.connections.queryFilter());
		onClose();
	};
	const create = useMutation(trpc.models.connectionCreate.mutationOptions({ meta: { silent: true }, onSuccess: () => done(t("added")) }));
	const update = useMutation(
		trpc.models.connectionUpdate.mutationOptions({
			meta: { silent: true },
			onSuccess: ({ headersCleared }) => done(t(headersCleared ? "savedHeadersCleared" : "saved")),
		}),
	);
	const error = connection ? update.error : create.error;
	const refused = refusedFields(error);
	const submit = () => {
		const headers = Object.fromEntries(rows.filter((row) => row.name.trim() !== "").map((row) => [row.name.trim(), row.value]));
		const values = { workspace: slug, name: name.trim(), kind, url: url.trim(), allowPrivate, headers: keep ? null : headers };
		if (connection) update.mutate({ id: connection.id, ...values });
		else create.mutate(values);
	};
	return (
		<FormSheet
			open
			onClose={onClose}
			title={connection ? t("editTitle", { name: connection.name }) : t("add")}
			description={t("formText")}
			submitLabel={connection ? c("save") : t("add")}
			busy={create.isPending || update.isPending}
			error={error}
			onSubmit={submit}
		>
			<Field label={t("name")} required hint={t("nameHint")} error={refused.has("name") && t("problem.name")}>
				<Input
					value={name}
					onChange={(event) => setName(event.target.value.toLowerCase())}
					maxLength={63}
					spellCheck={false}
					autoComplete="off"
					className="font-mono"
				/>
			</Field>
			<RadioGroup
				label={t("kind")}
				value={kind}
				onValueChange={(next) => setKind(next as Connection["kind"])}
				options={[
					{ value: "http", label: t("kinds.http"), hint: t("kindText.http") },
					{ value: "mcp", label: t("kinds.mcp"), hint: t("kindText.mcp") },
				]}
			/>
			<Field label={t("url")} required error={refused.has("url") && t("problem.url")}>
				<Input type="url" value={url} onChange={(event) => setUrl(event.target.value)} spellCheck={false} className="font-mono" placeholder="https://…" />
			</Field>
			<fieldset className="grid gap-2">
				<legend className="mb-1 text-12 text-ink-3">{t("headers")}</legend>
				{connection?.hasHeaders && <Checkbox checked={keep} onCheckedChange={setKeep} label={t("keepHeaders")} hint={t("keepHeadersHint")} />}
				{!keep && <HeaderRows rows={rows} onChange={setRows} />}
				{refused.has("headers") && (
					<p role="alert" className="text-12 text-down">
						{t("problem.headers")}
					</p>
				)}
			</fieldset>
			<Checkbox checked={allowPrivate} onCheckedChange={setAllowPrivate} label={t("allowPrivate")} hint={t("allowPrivateHint")} />
		</FormSheet>
	);
}
