import { useTranslations } from "next-intl";
import { useEngineName } from "@/components/ui/engine-name";
import { useEvidence } from "@/components/ui/evidence";
import { langOf } from "@/components/ui/format";
import type { Verdict } from "@/server/judge/contract";
import { ScoreMark } from "./score-mark";

/** The two scores, who gave them, and for each rule that failed: the sentence, the fact of the world, the rule. */
export function VerdictSummary({ verdict }: { verdict: Verdict }) {
	const t = useTranslations("trajectory");
	const c = useTranslations("common");
	const said = useEvidence();
	const engineName = useEngineName();
	const failed = verdict.evidence.filter((evidence) => !evidence.ok);
	return (
		<section aria-label={t("verdict")}>
			<p className="flex flex-wrap items-center gap-x-5 gap-y-1">
				<span className="inline-flex items-center gap-1.5">
					{c("accuracy")} <ScoreMark score={verdict.accuracy} strong />
				</span>
				<span className="inline-flex items-center gap-1.5">
					{c("effectiveness")} <ScoreMark score={verdict.effectiveness} strong />
				</span>
				{verdict.recovered !== null && (
					<span className={verdict.recovered ? "text-up" : "text-down"}>{t(verdict.recovered ? "recovered" : "notRecovered")}</span>
				)}
				<span className="ml-auto text-12 text-ink-3">{t("judgedBy", { engine: engineName(verdict.engine) })}</span>
			</p>
			{failed.map((evidence) => (
				<dl
					key={`${evidence.kind} ${evidence.item ?? ""} ${evidence.rule} ${evidence.sentence ?? ""}`}
					className="mt-1.5 grid grid-cols-[64px_minmax(0,1fr)] gap-x-2.5 gap-y-0.5 text-12"
				>
					{evidence.sentence && (
						<>
							<dt className="text-ink-3">{t("sentence")}</dt>
							<dd lang={langOf(evidence.sentence)}>{evidence.sentence}</dd>
						</>
					)}
					{evidence.fact && (
						<>
							<dt className="text-ink-3">{t("world")}</dt>
							<dd className="break-words font-mono" lang={langOf(evidence.fact)}>
								{evidence.fact}
							</dd>
						</>
					)}
					<dt className="text-ink-3">{t("rule")}</dt>
					<dd lang={said(evidence).lang}>{said(evidence).text}</dd>
				</dl>
			))}
		</section>
	);
}
