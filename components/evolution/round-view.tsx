"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { useReasons } from "@/components/trpc/reasons";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { Button, GuardedButton } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { formatDelta, shortId } from "@/components/ui/format";
import { Name } from "@/components/ui/names";
import { PageHeader, Split } from "@/components/ui/page";
import { Stepper } from "@/components/ui/stepper";
import { toastDone } from "@/components/ui/toast";
import { EvolutionSkeleton } from "./evolution-skeleton";
import { GatePanel, useReleasedWords } from "./gate-panel";
import { useRoundName } from "./names";
import { type Alarm, Alarms, DigestBlock, Proposals } from "./round-evidence";
import { RoundSide } from "./round-side";
import { useSteps } from "./round-steps";
import type { Round } from "./types";

function RoundBody({ round }: { round: Round }) {
	const t = useTranslations("evolution");
	const r = useTranslations("evolution.round");
	const h = useTranslations("evolution.headline");
	const act = useTranslations("evolution.act");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const roundName = useRoundName();
	const releasedWords = useReleasedWords();
	const reasons = useReasons();
	const { slug, path, categoryTitle } = useWorkspace();
	const steps = useSteps(round);
	const [closing, setClosing] = useState(false);
	const [alarm, setAlarm] = useState<Alarm | null>(null);
	const refresh = () => queryClient.invalidateQueries(trpc.evolution.pathFilter());
	const done = (message: string) => async () => {
		toastDone(message);
		await refresh();
	};
	const close = useMutation(trpc.evolution.closeRound.mutationOptions({ onSuccess: done(act("closed", { round: round.name })) }));
	const evaluate = useMutation(trpc.evolution.evaluateRound.mutationOptions({ onSuccess: done(r("evaluateStarted")) }));
	const acknowledge = useMutation(trpc.evolution.acknowledgeAlarm.mutationOptions({ onSuccess: done(r("acknowledgedDone")) }));
	const name = roundName(round.name);
	const digest = round.againstAnchor ?? round.againstBaseline;
	const noise = round.test?.noise ?? null;
	const { release } = round;
	const say = () => {
		if (round.stalled) return h("stalled", { round: roundName(round.name, true) });
		if (round.index === 0) return r("say.baseline");
		if (round.status === "open") return r("say.open", { round: name, landed: round.landed.length });
		if (round.status === "closing" || !digest) return r("say.closing", { round: name });
		return r("say.closed", {
			round: name,
			accuracy: formatDelta(digest.accuracy.delta),
			effectiveness: formatDelta(digest.effectiveness.delta),
			against: roundName(digest.against, true),
		});
	};
	const twice = round.againstAnchor && round.againstBaseline && round.againstAnchor.against !== round.againstBaseline.against;
	return (
		<>
			<Breadcrumbs
				items={[
					{ label: t("evolutions"), href: path("evolution") },
					{ label: <Name>{round.evolution.title}</Name>, href: `${path("evolution")}?evolution=${encodeURIComponent(round.evolution.id)}` },
					{ label: name },
				]}
			/>
			<PageHeader
				title={say()}
				lead={
					round.commit && (
						<>
							<code>{shortId(round.commit)}</code> {release && releasedWords(release, round.name)}
						</>
					)
				}
				actions={
					round.status === "open" && round.index > 0 ? (
						<GuardedButton variant="solid" place="below" reason={reasons(round.may.close.reasons)} onClick={() => setClosing(true)}>
							{act("close")}…
						</GuardedButton>
					) : (
						round.may.evaluate.ok && (
							<Button busy={evaluate.isPending} onClick={() => evaluate.mutate({ workspace: slug, roundId: round.id })}>
								{r("evaluateAgain")}
							</Button>
						)
					)
				}
			/>
			{round.index > 0 && (
				<div className="border-line border-b px-6 py-4 max-md:px-4">
					<Stepper steps={steps} label={r("steps.label")} />
				</div>
			)}
			<Split
				side={
					<>
						{release && (
							<GatePanel gate={{ candidate: round.name, against: release.against, result: release.gate, release }} over={round.evolution.status !== "active"} />
						)}
						<RoundSide round={round} />
					</>
				}
			>
				<div className="px-6 max-md:px-4">
					{digest && <DigestBlock digest={digest} title={r("againstName", { name: roundName(digest.against, true) })} noise={noise} />}
					{twice && round.againstBaseline && (
						<DigestBlock digest={round.againstBaseline} title={r("againstName", { name: roundName("base", true) })} noise={noise} />
					)}
					{round.index > 0 && <Proposals round={round} />}
					<Alarms round={round} onAcknowledge={setAlarm} />
				</div>
			</Split>
			<ConfirmDialog
				open={closing}
				onOpenChange={setClosing}
				title={act("closeTitle", { round: name })}
				description={act("closeText")}
				confirmLabel={act("closeConfirm")}
				onConfirm={() => close.mutateAsync({ workspace: slug, roundId: round.id })}
			/>
			<ConfirmDialog
				open={alarm !== null}
				onOpenChange={(open) => !open && setAlarm(null)}
				title={r("acknowledgeTitle", { category: alarm ? categoryTitle(alarm.category) : "" })}
				description={r("acknowledgeText")}
				reasonLabel={r("acknowledgeReason")}
				keep={`alarm:${alarm?.runId}:${alarm?.category}`}
				confirmLabel={r("acknowledge")}
				onConfirm={async (reason) => {
					if (!alarm) return;
					await acknowledge.mutateAsync({ workspace: slug, runId: alarm.runId, baseRunId: alarm.baseRunId, category: alarm.category, reason });
				}}
			/>
		</>
	);
}

/** One round: its five steps, what changed, what landed, what is alarming. Follows its runs live. */
export function RoundPage({ id }: { id: string }) {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const query = useQuery(trpc.evolution.round.queryOptions({ workspace: slug, round: id }));
	const running = [query.data?.dev, query.data?.test].flatMap((run) => (run && run.status !== "done" ? [`run:${run.runId}`] : []));
	useLive(["evolution", ...running], () => queryClient.invalidateQueries(trpc.evolution.round.pathFilter()));
	return (
		<QueryBoundary query={query} skeleton={<EvolutionSkeleton />}>
			{(round) => <RoundBody round={round} />}
		</QueryBoundary>
	);
}
