"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { shortId } from "@/components/ui/format";
import { Facts, SideSection } from "@/components/ui/page";
import type { DataCard, TrainingView } from "@/server/training/contract";
import { useDownloadCheckpoint } from "./checkpoint-menu";

/** Where the data of a training comes from, and what was left out of it. */
export function DataCardPanel({ card }: { card: DataCard | null }) {
	const t = useTranslations("training.card");
	const e = useTranslations("runs.failure");
	const d = useTranslations("training.decision");
	if (!card)
		return (
			<SideSection title={t("title")}>
				<p className="text-ink-2">{t("none")}</p>
			</SideSection>
		);
	const word = <T extends string>(translate: { has: (key: T) => boolean } & ((key: T) => string), key: string) =>
		translate.has(key as T) ? translate(key as T) : key;
	const rejected = Object.entries(card.rejected).sort(([, a], [, b]) => b - a);
	return (
		<SideSection title={t("title")}>
			<Facts
				layout="list"
				items={[
					[t("cases"), t("casesValue", card.cases)],
					[t("examples"), t("examplesValue", { examples: card.examples, decisions: card.decisions, duplicates: card.duplicates })],
					[t("teacher"), card.teacher === "oracle" ? t("oracle") : card.teacher],
					[
						t("rejected"),
						rejected.length === 0 ? (
							t("rejectedNone")
						) : (
							<ul key="rejected">
								{rejected.map(([reason, count]) => (
									<li key={reason}>
										{reason === "half-effective" ? t("halfEffective") : word(e as never, reason)} <b className="font-semibold">{count}</b>
									</li>
								))}
							</ul>
						),
					],
					[t("hopeless"), t("hopelessValue", { count: card.hopeless })],
					[t("retries"), t("retriesValue", card.retries)],
					[t("envelope"), card.envelope === null ? t("envelopeNone") : t("envelopeValue", { version: card.envelope, variants: card.variants })],
					[t("harness"), <code key="h">{shortId(card.commit ?? card.treeId)}</code>],
					[t("rewardJudge"), <code key="r">{shortId(card.rewardJudge)}</code>],
					[t("evaluationJudge"), card.evaluationJudge],
					[t("general"), t(card.general ? "generalYes" : "generalNo")],
					[
						t("disagreement"),
						<ul key="disagreement">
							{Object.entries(card.disagreement).map(([kind, counts]) => (
								<li key={kind}>{t("disagreementValue", { kind: word(d as never, kind), ...counts })}</li>
							))}
						</ul>,
					],
				]}
			/>
		</SideSection>
	);
}

/** What a training made: a policy version, and all that it remembers of how it came about. */
export function CheckpointPanel({ training, last }: { training: TrainingView; last: { t1: number; t2: number | null } | null }) {
	const t = useTranslations("training.checkpoint");
	const download = useDownloadCheckpoint();
	const { source, card, policyName, policyVersionId, seed, recipe } = training;
	if (!policyName || !policyVersionId)
		return (
			<SideSection title={t("title")}>
				<p className="text-ink-2">{t("none")}</p>
			</SideSection>
		);
	const points = (value: number | null) => (value === null ? "–" : (value * 100).toFixed(1));
	return (
		<SideSection title={t("title")}>
			<Facts
				layout="list"
				items={[
					[
						t("version"),
						<b key="v" className="font-semibold">
							{policyName}
						</b>,
					],
					[t("snapshot"), <code key="s">{shortId(source.commit ?? source.treeId)}</code>],
					recipe === "hat" && [t("envelope"), `v${source.envelope.version}`],
					card && [t("judges"), t("judgesValue", { reward: shortId(card.rewardJudge), evaluation: card.evaluationJudge })],
					[t("seed"), seed],
					last && [t("sample"), `T1 ${points(last.t1)} · T2 ${points(last.t2)}`],
				]}
			/>
			<Button className="mt-3" onClick={() => void download(policyVersionId)}>
				<Download className="size-3.5" aria-hidden />
				{t("download")}
			</Button>
		</SideSection>
	);
}
