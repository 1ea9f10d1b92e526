"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { Button, GuardedButton } from "@/components/ui/button";
import { Dialog, FormDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { FilePicker } from "@/components/ui/file";
import { Segmented } from "@/components/ui/segmented";
import { toastDone } from "@/components/ui/toast";

interface DialogProps {
	open: boolean;
	onOpenChange: (open: boolean) => void;
	/** With the ablation that is new. */
	onMade: (id: string) => void;
}

const MOST_SEEDS = 10;
const MOST_CASES = 100_000;
const MOST_BYTES = 1_000_000;
/** Two recipes, each with the other choice of the encoder's rate, for every seed; and what nothing is trained for, once. */
const partsOf = (seeds: number) => seeds * 4 + 1;
const isWhole = (text: string, low: number, high: number) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high;

/** Starts an ablation: over how many seeds, on which cases, of which harness. */
export function StartAblationDialog({ open, onOpenChange, onMade }: DialogProps) {
	const t = useTranslations("ablation.start");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [seeds, setSeeds] = useState("3");
	const [split, setSplit] = useState<"test" | "dev">("test");
	const [cases, setCases] = useState("");
	const [harness, setHarness] = useState("main");
	const start = useMutation(trpc.training.ablationStart.mutationOptions({ meta: { silent: true } }));
	const [seedsRight, casesRight] = [isWhole(seeds, 1, MOST_SEEDS), cases === "" || isWhole(cases, 1, MOST_CASES)];
	const submit = () => {
		if (!seedsRight || !casesRight || start.isPending) return;
		const settings = { seeds: Number(seeds), split, harness: harness.trim() || "main", ...(cases === "" ? {} : { cases: Number(cases) }) };
		start.mutate(
			{ workspace: slug, settings },
			{
				onSuccess: ({ id, number }) => {
					toastDone(t("started", { number }));
					void queryClient.invalidateQueries(trpc.training.ablations.pathFilter());
					onOpenChange(false);
					onMade(id);
				},
			},
		);
	};
	return (
		<FormDialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("body")}
			submitLabel={t("submit")}
			busy={start.isPending}
			ready={seedsRight && casesRight}
			onSubmit={submit}
		>
			<Field label={t("split")} hint={t("splitHint")}>
				<Segmented
					label={t("split")}
					value={split}
					onValueChange={(value) => setSplit(value === "dev" ? "dev" : "test")}
					options={(["test", "dev"] as const).map((value) => ({ value, label: value }))}
				/>
			</Field>
			<div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
				<Field label={t("seeds")} hint={seedsRight && t("seedsHint", { parts: partsOf(Number(seeds)) })} error={!seedsRight && t("seedsBad")}>
					<Input inputMode="numeric" value={seeds} onChange={(event) => setSeeds(event.target.value)} />
				</Field>
				<Field label={t("cases")} hint={t("casesHint")} error={!casesRight && t("casesBad")}>
					<Input inputMode="numeric" value={cases} onChange={(event) => setCases(event.target.value)} />
				</Field>
			</div>
			<Field label={t("harness")} hint={t("harnessHint")}>
				<Input value={harness} onChange={(event) => setHarness(event.target.value)} className="font-mono" spellCheck={false} autoComplete="off" />
			</Field>
			<FormError error={start.error} />
		</FormDialog>
	);
}

/** Keeps what the command wrote into a file; the server checks it. */
export function LoadAblationDialog({ open, onOpenChange, onMade }: DialogProps) {
	const t = useTranslations("ablation.load");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [file, setFile] = useState<File | null>(null);
	const load = useMutation(trpc.training.ablationLoad.mutationOptions({ meta: { silent: true } }));
	const tooLarge = file !== null && file.size > MOST_BYTES;
	const submit = async () => {
		if (!file) return;
		const made = await load.mutateAsync({ workspace: slug, text: await file.text() }).catch(() => null);
		if (!made) return;
		toastDone(t("done", { number: made.number }));
		void queryClient.invalidateQueries(trpc.training.ablations.pathFilter());
		setFile(null);
		onOpenChange(false);
		onMade(made.id);
	};
	return (
		<Dialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("body")}
			className="w-[520px]"
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<GuardedButton variant="solid" busy={load.isPending} reason={file === null || tooLarge ? t("chooseFirst") : null} onClick={() => void submit()}>
						{t("submit")}
					</GuardedButton>
				</>
			}
		>
			<div className="grid gap-3">
				<Field label={t("file")} error={tooLarge && t("tooLarge")}>
					<FilePicker
						accept=".json,application/json"
						file={file}
						onFile={(chosen) => {
							load.reset();
							setFile(chosen);
						}}
					/>
				</Field>
				<FormError error={load.error} />
			</div>
		</Dialog>
	);
}
