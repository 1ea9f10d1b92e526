"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { FormError } from "@/components/settings/form-parts";
import { useTRPC } from "@/components/trpc/client";
import { FormDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notes";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import { useName } from "@/components/ui/use-name";
import type { Recipe, TrainingOptions } from "@/server/training/contract";

/** What a person may set of a training's length, with its bounds. */
const LENGTHS = [
	["variants", 1, 400],
	["sftEpochs", 1, 200],
	["opdSteps", 0, 2000],
	["rlIterations", 0, 1000],
] as const satisfies readonly (readonly [keyof TrainingOptions, number, number])[];
type LengthKey = (typeof LENGTHS)[number][0];

const MOST_SEED = 2_147_483;
const isWhole = (text: string, low: number, high: number) => /^\d{1,9}$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;

function Lengths({
	values,
	defaults,
	recipe,
	onChange,
}: {
	values: Partial<Record<LengthKey, string>>;
	defaults: Required<TrainingOptions> | undefined;
	recipe: Recipe;
	onChange: (values: Partial<Record<LengthKey, string>>) => void;
}) {
	const t = useTranslations("training.start");
	return (
		<details>
			<summary className="cursor-pointer text-12 text-ink-2">{t("settings")}</summary>
			<p className="mt-1 text-12 text-ink-3">{t("settingsHint")}</p>
			<div className="mt-2 grid grid-cols-4 gap-3 max-md:grid-cols-2">
				{LENGTHS.filter(([key]) => recipe === "hat" || key !== "variants").map(([key, low, high]) => {
					const value = values[key] ?? "";
					return (
						<Field key={key} label={t(key)} error={value !== "" && !isWhole(value, low, high) && t("range", { low, high })}>
							<Input
								inputMode="numeric"
								value={value}
								placeholder={defaults ? String(defaults[key]) : ""}
								onChange={(event) => onChange({ ...values, [key]: event.target.value })}
							/>
						</Field>
					);
				})}
			</div>
		</details>
	);
}

/** Starts a retraining: which recipe, from which seed, under which envelope. */
export function StartTrainingDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
	const t = useTranslations("training.start");
	const r = useTranslations("training");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const router = useRouter();
	const nameOf = useName();
	const { slug, path } = useWorkspace();
	const [recipe, setRecipe] = useState<Recipe>("hat");
	const [seed, setSeed] = useState("1");
	const [envelope, setEnvelope] = useState<string | null>(null);
	const [harness, setHarness] = useState("main");
	const [lengths, setLengths] = useState<Partial<Record<LengthKey, string>>>({});
	const options = useQuery(trpc.training.startOptions.queryOptions({ workspace: slug }, { enabled: open }));
	const start = useMutation(trpc.training.start.mutationOptions({ meta: { silent: true } }));
	const envelopes = options.data?.envelopes ?? [];
	const given = LENGTHS.filter(([key]) => (lengths[key] ?? "") !== "" && (recipe === "hat" || key !== "variants"));
	const ready = isWhole(seed, 0, MOST_SEED) && given.every(([key, low, high]) => isWhole(lengths[key] ?? "", low, high));
	const submit = () => {
		if (!ready || start.isPending) return;
		const chosen = { envelope: Number(envelope ?? envelopes[0]?.version ?? 0), options: Object.fromEntries(given.map(([key]) => [key, Number(lengths[key])])) };
		start.mutate(
			{ workspace: slug, recipe, seed: Number(seed), harness: harness.trim() || "main", ...chosen },
			{
				onSuccess: ({ id, number }) => {
					toastDone(t("started", { number }));
					void queryClient.invalidateQueries(trpc.training.pathFilter());
					onOpenChange(false);
					router.push(path("training", id));
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
			ready={ready && options.isSuccess}
			onSubmit={submit}
		>
			<Field label={t("recipe")} hint={r(`recipeHint.${recipe}`)}>
				<Segmented
					label={t("recipe")}
					value={recipe}
					onValueChange={(value) => setRecipe(value === "fixed" ? "fixed" : "hat")}
					options={(["hat", "fixed"] as const).map((value) => ({ value, label: r(`recipe.${value}`) }))}
				/>
			</Field>
			<div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
				<Field label={t("seed")} hint={t("seedHint")} error={!isWhole(seed, 0, MOST_SEED) && t("seedBad")}>
					<Input inputMode="numeric" value={seed} onChange={(event) => setSeed(event.target.value)} />
				</Field>
				{recipe === "hat" && (
					<Field label={t("envelope")}>
						<Select
							value={envelope ?? String(envelopes[0]?.version ?? 0)}
							onValueChange={setEnvelope}
							options={envelopes.map(({ version, reason }, index) => ({
								value: String(version),
								label: t(index === 0 ? "envelopeNow" : "envelopeOf", { version }),
								...(reason ? { hint: nameOf(reason) } : {}),
							}))}
						/>
					</Field>
				)}
			</div>
			<Field label={t("harness")} hint={t("harnessHint")}>
				<Input
					value={harness}
					onChange={(event) => setHarness(event.target.value)}
					list="training-branches"
					className="font-mono"
					spellCheck={false}
					autoComplete="off"
				/>
			</Field>
			<datalist id="training-branches">
				{(options.data?.branches ?? []).map((branch) => (
					<option key={branch} value={branch} />
				))}
			</datalist>
			<Lengths values={lengths} defaults={options.data?.defaults} recipe={recipe} onChange={setLengths} />
			{options.data?.general === false && <Notice>{t.rich("noGeneral", { code: (name) => <code>{name}</code> })}</Notice>}
			<FormError error={start.error} />
		</FormDialog>
	);
}
