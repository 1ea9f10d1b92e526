"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Words } from "@/components/ui/person";
import type { Step } from "@/components/ui/stepper";
import { useName, useNames } from "@/components/ui/use-name";
import type { Round } from "./types";

/** The five steps of the loop: who did what and when; each leads to its page. */
export function useSteps(round: Round): Step[] {
	const t = useTranslations("evolution.round.steps");
	const nameOf = useName();
	const listOf = useNames();
	const state = useTranslations("evolution.state");
	const format = useFormatter();
	const { path } = useWorkspace();
	const { findings, test, dev } = round;
	const decided = findings.accepted + findings.rejected;
	const all = decided + findings.proposed;
	const byWhom = (names: readonly string[], at: Date | null) => [listOf(names), at && format.dateTime(at, "day")].filter(Boolean).join(" · ");
	const runs = [dev, test].filter((run) => run !== null);
	const evaluated = runs.length > 0 && runs.every((run) => run.status === "done");
	const findingsHref = `${path("findings")}?round=${encodeURIComponent(round.id)}`;
	const standing = round.standing;
	return [
		{
			id: "diagnose",
			title: t("diagnose"),
			note: all > 0 ? [t("diagnosed", { count: all }), findings.at && format.dateTime(findings.at, "day")].filter(Boolean).join(" · ") : t("notYet"),
			state: all > 0 ? "done" : round.status === "open" ? "current" : "todo",
			href: findingsHref,
		},
		{
			id: "confirm",
			title: t("confirm"),
			note:
				all > 0 ? (
					<>
						{t("confirmed", { accepted: findings.accepted, rejected: findings.rejected, open: findings.proposed })}
						<Words className="block text-ink-3">
							{byWhom(
								findings.decidedBy.map((person) => person.name),
								findings.lastDecidedAt,
							)}
						</Words>
					</>
				) : (
					t("notYet")
				),
			state: all === 0 ? "todo" : findings.proposed > 0 ? "current" : "done",
			href: findingsHref,
		},
		{
			id: "edit",
			title: t("edit"),
			note: round.proposals.length > 0 ? t("edited", { count: round.proposals.length, landed: round.landed.length }) : t("notYet"),
			state: round.landed.length > 0 ? "done" : round.proposals.length > 0 || findings.accepted > 0 ? "current" : "todo",
			href: `${path("reviews")}?round=${encodeURIComponent(round.id)}`,
		},
		{
			id: "evaluate",
			title: t("evaluate"),
			note: evaluated
				? [t("evaluated"), round.closedBy && nameOf(round.closedBy.name)].filter(Boolean).join(" · ")
				: runs.length > 0
					? t("evaluating", { done: runs.reduce((sum, run) => sum + run.done, 0), planned: runs.reduce((sum, run) => sum + run.planned, 0) })
					: t("notYet"),
			state: evaluated ? "done" : round.status === "closing" ? "current" : "todo",
			href: test ? path("runs", test.runId) : undefined,
		},
		{
			id: "check",
			title: t("check"),
			note: standing
				? [
						standing.eligible ? null : state("ineligible"),
						standing.effect === "strike" || standing.effect === "stale" ? t(standing.effect) : state(standing.effect),
					]
						.filter(Boolean)
						.join(" · ")
				: t("notYet"),
			state: round.status === "closed" ? "done" : "todo",
			href: path("evolution"),
		},
	];
}
