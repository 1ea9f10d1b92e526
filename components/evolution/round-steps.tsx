"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Words } from "@/components/ui/person";
import type { Step } from "@/components/ui/stepper";
import { useNames } from "@/components/ui/use-name";
import { ROUND_STEPS, type RoundStep, roundStepStates } from "./round-step-states";
import type { Round } from "./types";

type People = readonly ({ name: string } | null)[];

/** Who did something, each once, and on which day. */
function useByWhom(): (people: People, at: Date | null | undefined) => string {
	const listOf = useNames();
	const format = useFormatter();
	return (people, at) => [listOf([...new Set(people.flatMap((person) => person?.name ?? []))]), at && format.dateTime(at, "day")].filter(Boolean).join(" · ");
}

/** What a round's step came to; null where it did not come. */
function useOutcomes(round: Round): Record<RoundStep, string | null> {
	const t = useTranslations("evolution.round.steps");
	const state = useTranslations("evolution.state");
	const { findings, test, dev, standing } = round;
	const all = findings.accepted + findings.rejected + findings.proposed;
	const runs = [dev, test].filter((run) => run !== null);
	const evaluated = runs.every((run) => run.status === "done");
	const sum = (of: (run: (typeof runs)[number]) => number) => runs.reduce((total, run) => total + of(run), 0);
	const verdict = () =>
		standing &&
		[standing.eligible ? null : state("ineligible"), standing.effect === "strike" || standing.effect === "stale" ? t(standing.effect) : state(standing.effect)]
			.filter(Boolean)
			.join(" · ");
	return {
		diagnose: all > 0 ? t("diagnosed", { count: all }) : null,
		confirm: all > 0 ? t("confirmed", { accepted: findings.accepted, rejected: findings.rejected, open: findings.proposed }) : null,
		edit: round.proposals.length > 0 ? t("edited", { count: round.proposals.length, landed: round.landed.length }) : null,
		evaluate: runs.length === 0 ? null : evaluated ? t("evaluated") : t("evaluating", { done: sum((run) => run.done), planned: sum((run) => run.planned) }),
		check: verdict(),
	};
}

/** The five steps of the loop: who did what and when; each leads to its page. */
export function useSteps(round: Round): Step[] {
	const t = useTranslations("evolution.round.steps");
	const byWhom = useByWhom();
	const outcomes = useOutcomes(round);
	const { path } = useWorkspace();
	const { findings, landed, test } = round;
	const states = roundStepStates(round);
	const findingsHref = `${path("findings")}?round=${encodeURIComponent(round.id)}`;
	const lastLanded = landed.reduce<Date | null>((last, { landedAt }) => (landedAt && (!last || landedAt > last) ? landedAt : last), null);
	const who: Record<RoundStep, string> = {
		diagnose: byWhom(findings.diagnosedBy, findings.at),
		confirm: byWhom(findings.decidedBy, findings.lastDecidedAt),
		edit: byWhom(
			landed.map((proposal) => proposal.approvedBy),
			lastLanded,
		),
		evaluate: byWhom([round.closedBy], round.closedAt),
		// The rule decides, not a person.
		check: [round.standing && t("byRule"), byWhom([], round.closedAt)].filter(Boolean).join(" · "),
	};
	const hrefs: Record<RoundStep, string | undefined> = {
		diagnose: findingsHref,
		confirm: findingsHref,
		edit: `${path("reviews")}?round=${encodeURIComponent(round.id)}`,
		evaluate: test ? path("runs", test.runId) : undefined,
		check: path("evolution"),
	};
	const note = (step: RoundStep): ReactNode =>
		outcomes[step] === null ? (
			t(states[step] === "skipped" ? "skipped" : "notYet")
		) : (
			<>
				{outcomes[step]}
				{who[step] && <Words className="block text-ink-3">{who[step]}</Words>}
			</>
		);
	return ROUND_STEPS.map((step) => {
		const state = states[step];
		return { id: step, title: t(step), note: note(step), state: state === "skipped" ? "todo" : state, href: hrefs[step] };
	});
}
