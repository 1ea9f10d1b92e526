"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryError, useTRPC } from "@/components/trpc/client";
import { Checkbox } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { formatCount, formatDuration, formatPoints, formatShare } from "@/components/ui/format";
import { Facts } from "@/components/ui/page";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import type { RunEstimate } from "@/server/evaluation/contract";

type Split = "dev" | "test";

function EstimateBlock({ estimate }: { estimate: RunEstimate }) {
	const t = useTranslations("runs.dialog");
	const locale = useLocale();
	const basis = t(estimate.discordanceObserved ? "observed" : "usual");
	const share = formatShare(estimate.discordance, locale, 0);
	return (
		<div className="text-12">
			<p className="flex flex-wrap gap-x-4 gap-y-0.5">
				<b className="font-semibold">{t("episodes", { count: formatCount(estimate.planned) })}</b>
				<span>{t("tokens", { count: formatCount(estimate.promptTokens + estimate.completionTokens) })}</span>
				{estimate.judgeTokens !== 0 && (
					<span>{estimate.judgeTokens === null ? t("judgeUnknown") : t("judgeTokens", { count: formatCount(estimate.judgeTokens) })}</span>
				)}
				{estimate.cost !== null && <span>{t("cost", { value: estimate.cost.toFixed(2) })}</span>}
				<span>{t("time", { time: formatDuration(Math.max(1_000, estimate.wallMs), locale) })}</span>
			</p>
			<p className="text-ink-3">{t(estimate.basis === "history" ? "basisHistory" : "basisSize")}</p>
			<p className="mt-1 text-ink-2">
				{estimate.mde === null ? t("mdeNone", { share, basis }) : t("mde", { points: formatPoints(estimate.mde), share, basis })}
			</p>
		</div>
	);
}

interface Entered {
	/** Null: the first that there is. */
	suite: string | null;
	split: Split;
	revision: string;
	/** Null: the first that there is. */
	policy: string | null;
	trials: string;
	seed: string;
	useCache: boolean;
}

const NOTHING: Entered = { suite: null, split: "dev", revision: "main", policy: null, trials: "1", seed: "1", useCache: true };

/** Starts a run: what, on which cases, with whom; what it will take stands below before anything is asked. */
export function StartRunDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
	const t = useTranslations("runs.dialog");
	const r = useTranslations("runs");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const router = useRouter();
	const { slug, path, local } = useWorkspace();
	const [entered, keep, forget] = useKept(`run:${slug}`, NOTHING);
	const { suite, split, revision, policy, trials, seed, useCache } = entered;
	const enter = (change: Partial<Entered>) => keep((before) => ({ ...before, ...change }));
	const options = useQuery(trpc.evaluation.startOptions.queryOptions({ workspace: slug }, { enabled: open }));
	// What was kept may be gone by now.
	const there = <T extends string>(wanted: T | null, all: readonly T[] | undefined) => (wanted !== null && all?.includes(wanted) ? wanted : all?.[0]);
	const chosenSuite = there(
		suite,
		options.data?.suites.map(({ key }) => key),
	);
	const chosenPolicy = there(
		policy,
		options.data?.policies.map(({ id }) => id),
	);
	const input = {
		workspace: slug,
		suite: chosenSuite ?? "t1",
		split,
		harness: revision.trim() || "main",
		...(chosenPolicy ? { policy: chosenPolicy } : {}),
		trials: Math.min(50, Math.max(1, Number.parseInt(trials, 10) || 1)),
		seed: Math.max(0, Number.parseInt(seed, 10) || 0),
		useCache,
	};
	const estimate = useQuery(
		trpc.evaluation.estimate.queryOptions(input, { enabled: open && options.isSuccess, placeholderData: keepPreviousData, retry: false }),
	);
	const start = useMutation(trpc.evaluation.runStart.mutationOptions());
	const submit = () =>
		start.mutate(input, {
			onSuccess: ({ id, number }) => {
				toastDone(t("started", { number }));
				forget();
				void queryClient.invalidateQueries(trpc.evaluation.pathFilter());
				onOpenChange(false);
				router.push(path("runs", id));
			},
		});
	return (
		<FormDialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("body")}
			submitLabel={t("submit")}
			busy={start.isPending}
			ready={estimate.isSuccess}
			onSubmit={submit}
			onCancel={() => {
				forget();
				onOpenChange(false);
			}}
		>
			<div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
				<Field label={t("suite")}>
					<Select
						value={chosenSuite}
						onValueChange={(value) => enter({ suite: value })}
						options={(options.data?.suites ?? []).map((one) => ({ value: one.key, label: local(one.title), hint: one.key }))}
					/>
				</Field>
				<Field label={t("split")} hint={t(`splitHint.${split}`)}>
					<Segmented
						label={t("split")}
						value={split}
						onValueChange={(value) => enter({ split: value === "test" ? "test" : "dev" })}
						options={[
							{ value: "dev", label: r("split.dev") },
							{ value: "test", label: r("split.test") },
						]}
					/>
				</Field>
			</div>
			<Field label={t("harness")} hint={t("harnessHint")}>
				<Input
					value={revision}
					onChange={(event) => enter({ revision: event.target.value })}
					list="run-branches"
					className="font-mono"
					spellCheck={false}
					autoComplete="off"
				/>
			</Field>
			<datalist id="run-branches">
				{(options.data?.branches ?? []).map((branch) => (
					<option key={branch} value={branch} />
				))}
			</datalist>
			<Field label={t("policy")}>
				<Select
					value={chosenPolicy}
					onValueChange={(value) => enter({ policy: value })}
					options={(options.data?.policies ?? []).map((one) => ({ value: one.id, label: one.name, hint: one.kind }))}
				/>
			</Field>
			<div className="grid grid-cols-2 gap-3">
				<Field label={t("trials")}>
					<Input type="number" min={1} max={50} value={trials} onChange={(event) => enter({ trials: event.target.value })} />
				</Field>
				<Field label={t("seed")}>
					<Input type="number" min={0} max={2_147_483_647} value={seed} onChange={(event) => enter({ seed: event.target.value })} />
				</Field>
			</div>
			<Checkbox label={t("useCache")} hint={t("useCacheHint")} checked={useCache} onCheckedChange={(value) => enter({ useCache: value })} />
			<div className="border-line border-t pt-2.5">
				<Facts items={[[t("judge"), options.data?.judge.name ?? "–"]]} />
				<div className="mt-2 min-h-14">
					{estimate.isError ? (
						<QueryError error={estimate.error} />
					) : estimate.data ? (
						<EstimateBlock estimate={estimate.data.estimate} />
					) : (
						<Skeleton className="h-12 w-full" />
					)}
				</div>
				{estimate.data?.equal && (
					<p className="mt-1.5 text-12 text-ink-2">
						{t("equal", { number: estimate.data.equal.number })}{" "}
						<Link href={path("runs", estimate.data.equal.id)} className="link">
							{t("openEqual")}
						</Link>
					</p>
				)}
			</div>
		</FormDialog>
	);
}
