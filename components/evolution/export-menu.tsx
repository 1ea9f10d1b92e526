"use client";

import { useLocale, useTranslations } from "next-intl";
import { suiteTitle } from "@/components/runs/suite-name";
import { downloadBlob, downloadText } from "@/components/ui/csv";
import { formatInterval, formatPoints } from "@/components/ui/format";
import { DropdownMenu } from "@/components/ui/popover";
import { toastFailed } from "@/components/ui/toast";
import { curveCsv } from "./curve-csv";
import { ExportTrigger } from "./export-trigger";
import { useRoundName } from "./names";
import { curveRounds, roundState } from "./round-state";
import { useStateWord } from "./state-label";
import type { CurveSplit, Dimension, Overview, OverviewRound } from "./types";

/** The curve as PNG, SVG or CSV. The drawing code is loaded on the first export. */
export function ExportMenu({ overview, split }: { overview: Overview; split: CurveSplit }) {
	const t = useTranslations("evolution.export");
	const c = useTranslations("common");
	const curve = useTranslations("evolution.curve");
	const locale = useLocale();
	const roundName = useRoundName();
	const stateWord = useStateWord();
	const { evolution } = overview;
	if (!evolution) return null;
	const name = `${evolution.slug}-${split}`;

	const picture = async (kind: "png" | "svg") => {
		const rounds = curveRounds(overview);
		const figure = (round: OverviewRound, dimension: Dimension) => {
			const score = round[split]?.[dimension];
			return score ? `${formatPoints(score.value, 2)} (${formatInterval(score.low, score.high, locale)})` : "–";
		};
		const value = (round: OverviewRound, dimension: Dimension) => {
			const score = round[split]?.[dimension];
			return score ? { value: score.value * 100, low: score.low * 100, high: score.high * 100 } : null;
		};
		const at = (match: (round: OverviewRound) => boolean) => {
			const index = rounds.findIndex(match);
			return index < 0 ? null : index;
		};
		const { exportPng, exportSvg } = await import("@/components/charts/export-evo");
		const data = {
			columns: rounds.map((round) => ({
				accuracy: value(round, "accuracy"),
				effectiveness: value(round, "effectiveness"),
				hollow: round.index > 0 && round.status === "closed" && !round.eligible,
			})),
			best: at((round) => round.recommended),
			stopAfter: evolution.status === "stopped" ? at((round) => round.stopped) : null,
			baseline: 0,
		};
		const words = {
			title: evolution.title,
			subtitle: curve("meta", {
				split,
				version: evolution.suite.version,
				suite: suiteTitle(evolution.suite.key),
				policy: evolution.policy.name,
				judge: evolution.judge.name,
				trials: evolution.trials,
			}),
			accuracy: c("accuracy"),
			effectiveness: c("effectiveness"),
			columns: rounds.map((round) => ({
				title: roundName(round.name),
				state: stateWord(roundState(round, overview.earlyStop?.patience ?? 0)),
				accuracy: figure(round, "accuracy"),
				effectiveness: figure(round, "effectiveness"),
			})),
		};
		if (kind === "svg") downloadText(`${name}.svg`, "image/svg+xml", exportSvg(data, words));
		else downloadBlob(`${name}.png`, await exportPng(data, words));
	};
	const save = (kind: "png" | "svg") => () => {
		picture(kind).catch((error: unknown) => toastFailed(t("failed"), error instanceof Error ? error.message : undefined));
	};
	return (
		<DropdownMenu
			trigger={<ExportTrigger />}
			items={[
				{ label: "PNG", hint: t("png"), onSelect: save("png") },
				{ label: "SVG", hint: t("svg"), onSelect: save("svg") },
				{ label: "CSV", hint: t("csv"), onSelect: () => downloadText(`${name}.csv`, "text/csv", curveCsv(overview, split)) },
			]}
		/>
	);
}
