"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Field, Textarea } from "@/components/ui/field";
import { ErrorNote } from "@/components/ui/notes";
import { Segmented } from "@/components/ui/segmented";
import { toastDone } from "@/components/ui/toast";
import type { Proposal } from "./types";

type Conflict = Proposal["conflicts"][number];

/** Both sides of each conflicting file; a person chooses one or writes the text, and becomes an author by it. */
export function ConflictPanel({ proposal }: { proposal: Proposal }) {
	const t = useTranslations("review.conflict");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [texts, setTexts] = useState<Record<string, string | null>>(() => Object.fromEntries(proposal.conflicts.map((c) => [c.path, c.ours])));
	const resolve = useMutation(
		trpc.evolution.proposalUpdate.mutationOptions({
			onSuccess: async () => {
				toastDone(t("done"));
				await queryClient.invalidateQueries(trpc.evolution.pathFilter());
			},
		}),
	);
	return (
		<div className="grid gap-5 overflow-y-auto p-4">
			<ErrorNote
				tone="unsure"
				title={t("title", { count: proposal.conflicts.length })}
				happened={t("happened", { branch: proposal.evolution.branch })}
				kept={t("kept")}
				next={t("next")}
			/>
			{proposal.conflicts.map((conflict) => (
				<ConflictFile
					key={conflict.path}
					conflict={conflict}
					value={texts[conflict.path] ?? null}
					onChange={(text) => setTexts((before) => ({ ...before, [conflict.path]: text }))}
				/>
			))}
			<div>
				<Button variant="solid" busy={resolve.isPending} onClick={() => resolve.mutate({ workspace: slug, proposalId: proposal.id, resolutions: texts })}>
					{t("resolve")}
				</Button>
			</div>
		</div>
	);
}

function ConflictFile({ conflict, value, onChange }: { conflict: Conflict; value: string | null; onChange: (text: string | null) => void }) {
	const t = useTranslations("review.conflict");
	const side = value === conflict.ours ? "ours" : value === conflict.theirs ? "theirs" : "own";
	return (
		<section className="grid gap-2">
			<div className="flex flex-wrap items-center gap-3">
				<code className="text-12">{conflict.path}</code>
				<Segmented
					label={t("choose", { path: conflict.path })}
					value={side}
					onValueChange={(next) => next !== "own" && onChange(next === "ours" ? conflict.ours : conflict.theirs)}
					options={[
						{ value: "ours", label: t("ours") },
						{ value: "theirs", label: t("theirs") },
						...(side === "own" ? [{ value: "own", label: t("own") }] : []),
					]}
				/>
			</div>
			{value === null ? (
				<p className="text-12 text-ink-2">{t("deleted")}</p>
			) : (
				<Field label={t("text")}>
					<Textarea
						rows={Math.min(24, value.split("\n").length + 2)}
						className="font-mono text-12"
						value={value}
						onChange={(event) => onChange(event.target.value)}
						spellCheck={false}
					/>
				</Field>
			)}
		</section>
	);
}
