"use client";

import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useRoundName } from "./names";
import type { Waiting } from "./types";

/** Where something that waits is done, and what it is called. */
export function useWaiting(): { href: (item: Waiting) => string; label: (item: Waiting) => string } {
	const t = useTranslations("evolution.waiting");
	const roundName = useRoundName();
	const { path, categoryTitle } = useWorkspace();

	const href = (item: Waiting): string => {
		switch (item.kind) {
			case "diagnose":
			case "confirm-findings":
			case "propose-edits":
				return path("findings");
			case "finish-draft":
			case "review-proposal":
			case "revise-proposal":
			case "update-proposal":
				return item.subjectId ? path("reviews", item.subjectId) : path("reviews");
			case "release":
				return path("releases");
			case "close-round":
			case "evaluate-again":
			case "acknowledge-alarm":
				return item.subjectId ? path("evolution", "rounds", item.subjectId) : path("evolution");
			default:
				return path("evolution");
		}
	};
	// "Evo.4 small-talk": a round and, for an alarm, its category.
	const subject = (item: Waiting): string => {
		const [round = "", ...category] = (item.subject ?? "").split(" ");
		if (item.kind === "acknowledge-alarm" && category.length > 0) return `${categoryTitle(category.join(" "))} · ${roundName(round)}`;
		return item.subject ? roundName(item.subject, true) : "";
	};
	return { href, label: (item) => t(`kind.${item.kind}`, { count: item.count, subject: subject(item) }) };
}

/** Kinds that are done on another page: the first of them that waits for this person is the next step. */
const ELSEWHERE: readonly Waiting["kind"][] = [
	"evaluate-again",
	"confirm-findings",
	"review-proposal",
	"revise-proposal",
	"update-proposal",
	"finish-draft",
	"propose-edits",
	"release",
];

export function nextStepOf(waiting: readonly Waiting[]): Waiting | null {
	return ELSEWHERE.flatMap((kind) => waiting.filter((item) => item.mine && item.kind === kind))[0] ?? null;
}
