"use client";

import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { GateList, GateWord } from "@/components/releases/gate-list";
import { Button } from "@/components/ui/button";
import { Name } from "@/components/ui/names";
import { Notice } from "@/components/ui/notes";
import { SideSection } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import type { RoundRelease } from "@/server/evolution/contract";
import { useRoundName } from "./names";
import type { Overview } from "./types";

/** Which release a round is in, since when and by whom; or which one it was in, and what is live instead. */
export function useReleasedWords(): (release: RoundRelease, round: string) => ReactNode {
	const t = useTranslations("evolution.released");
	const format = useFormatter();
	const roundName = useRoundName();
	const { path } = useWorkspace();
	return (release, round) => {
		const kind = release.live !== release.tag ? "past" : release.kind === "rollback" ? "restored" : "live";
		return (
			<>
				{t.rich(kind, {
					round: roundName(round),
					tag: release.tag,
					live: release.live,
					date: format.dateTime(release.at, "day"),
					name: () => <Name>{release.by.name}</Name>,
					link: (chunks) => (
						<Link href={path("releases", release.tag)} className="link">
							{chunks}
						</Link>
					),
				})}
				{release.unattended && <span className="whitespace-nowrap text-unsure"> {t("unattended")}</span>}
			</>
		);
	};
}

/** Where to go from a released round: on to the next one, or back. */
function NextSteps({ release, over }: { release: RoundRelease; over: boolean }) {
	const t = useTranslations("evolution.released");
	const { path, can } = useWorkspace();
	const live = release.live === release.tag;
	const target = live ? release.against : release.tag;
	return (
		<div className="mt-2 flex flex-wrap gap-2">
			{can("finding.diagnose") && live && (
				<Button asChild size="sm">
					<Link href={over ? path("evolution") : path("findings")}>{t(over ? "startNext" : "diagnoseNext")}</Link>
				</Button>
			)}
			{can("release.rollback") && (
				<Button asChild size="sm" variant="quiet">
					<Link href={`${path("releases")}?back=${encodeURIComponent(target)}`}>{target === "base" ? t("backToBase") : t("backTo", { target })}…</Link>
				</Button>
			)}
		</div>
	);
}

/** May it be released? The conditions of the gate; of a released round, those that decided it, and what comes next. */
export function GatePanel({ gate, over }: { gate: NonNullable<Overview["gate"]>; over: boolean }) {
	const t = useTranslations("evolution.gate");
	const override = useTranslations("releases.override");
	const format = useFormatter();
	const roundName = useRoundName();
	const releasedWords = useReleasedWords();
	const { release } = gate;
	const pair = { candidate: roundName(gate.candidate), against: roundName(gate.against, true) };
	return (
		<SideSection
			title={
				<>
					{t("title")}
					<GateWord gate={gate.result} overridden={release?.override != null} />
				</>
			}
			meta={t("against", pair)}
		>
			{release && (
				<div className="mb-3 border-line border-b pb-3">
					<p>{releasedWords(release, gate.candidate)}</p>
					<NextSteps release={release} over={over} />
					<p className="mt-2 text-ink-3">{t("decided")}</p>
				</div>
			)}
			{release?.override && (
				<Notice tone="unsure" className="mb-3">
					{override.rich(release.override.verdict, {
						name: () => <Name>{release.override?.by.name ?? ""}</Name>,
						date: format.dateTime(release.at, "date"),
						reason: () => <Words>{release.override?.reason ?? ""}</Words>,
					})}
				</Notice>
			)}
			<GateList gate={gate.result} />
		</SideSection>
	);
}
