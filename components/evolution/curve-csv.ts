import { toCsv } from "@/components/ui/csv";
import { curveRounds, digestOf } from "./round-state";
import type { CurveSplit, Overview } from "./types";

const points = (value: number | undefined | null) => (value === undefined || value === null ? null : Number((value * 100).toFixed(2)));

/** The curve as a table, on the scale of the screen (0 to 100, points); headers stay English so that scripts can read them. */
export function curveCsv(overview: Overview, split: CurveSplit): string {
	const header = [
		"round",
		"status",
		"commit",
		"split",
		"cases",
		"coverage",
		"accuracy",
		"accuracy_low",
		"accuracy_high",
		"effectiveness",
		"effectiveness_low",
		"effectiveness_high",
		"compared_with",
		"accuracy_delta",
		"accuracy_p",
		"accuracy_verdict",
		"effectiveness_delta",
		"effectiveness_p",
		"effectiveness_verdict",
		"fixed",
		"broken",
		"eligible",
		"recommended",
		"released",
		"landed",
		"closed_at",
	];
	const rows = curveRounds(overview).map((round) => {
		const scores = round[split];
		const digest = digestOf(round, split);
		return [
			round.name,
			round.status,
			round.commit,
			split,
			scores?.cases ?? null,
			points(scores?.coverage),
			points(scores?.accuracy?.value),
			points(scores?.accuracy?.low),
			points(scores?.accuracy?.high),
			points(scores?.effectiveness?.value),
			points(scores?.effectiveness?.low),
			points(scores?.effectiveness?.high),
			digest?.against ?? null,
			points(digest?.accuracy.delta),
			digest?.accuracy.p ?? null,
			digest?.accuracy.verdict ?? null,
			points(digest?.effectiveness.delta),
			digest?.effectiveness.p ?? null,
			digest?.effectiveness.verdict ?? null,
			digest?.fixed ?? null,
			digest?.broken ?? null,
			round.eligible,
			round.recommended,
			round.released.map((item) => item.tag).join(" "),
			round.landed.map((item) => item.number).join(" "),
			round.closedAt?.toISOString() ?? null,
		];
	});
	return toCsv(header, rows);
}
