import { suiteTitle } from "@/components/runs/suite-name";

/**
 * The gate writes its details as short English facts ("t1: coverage 99.4 %", "t1 accuracy in stock"): they are stored with the
 * release as evidence. On screen their fixed phrases are said in the reader's language, and categories by their titles.
 */
export const GATE_PHRASES = {
	"the gate policy names no critical suite": "noCritical",
	"nothing to compare with yet": "nothingToCompare",
	"the state before the first release": "beforeFirst",
	"read when the release is made": "readLater",
	"waived for a rollback": "waivedRollback",
	"not used by the gate policy": "notUsed",
	"none improved significantly": "noneImproved",
	"flips on repeat": "noise",
	"not evaluated": "notEvaluated",
	"none raised": "noneRaised",
	"its own gate": "ownGate",
	"not compared": "notCompared",
	"not read": "notRead",
	"interval from": "intervalFrom",
	acknowledged: "acknowledged",
	effectiveness: "effectiveness",
	indecisive: "indecisive",
	accuracy: "accuracy",
	inconclusive: "inconclusive",
	overridden: "overridden",
	regressed: "regressed",
	unchanged: "unchanged",
	improved: "improved",
	pass: "pass",
	fail: "fail",
	coverage: "coverage",
	running: "running",
	"no run": "noRun",
	"run when the release is made": "runLater",
} as const;

/** What stands between facts: each language has its own marks. */
const MARKS = { ", ": "comma", "; ": "semicolon", ": ": "colon" } as const;

/** Facts whose words stand around their figures: another language orders them otherwise. */
const WITH_FIGURES = [
	[/\b(?<fixed>\d+) fixed, (?<broken>\d+) broken\b/g, "flips"],
	[/\breading (?<used>\d+) of (?<max>\d+)\b/g, "reading"],
	[/\ball (?<max>\d+) readings are spent\b/g, "spent"],
] as const;

export type GatePhrase = (typeof GATE_PHRASES)[keyof typeof GATE_PHRASES] | (typeof WITH_FIGURES)[number][1] | (typeof MARKS)[keyof typeof MARKS];
type Say = (phrase: GatePhrase, figures: Record<string, string>) => string;

const PATTERN = new RegExp(`\\b(${Object.keys(GATE_PHRASES).join("|")})\\b`, "g");

const markOf = (word: string, say: Say) => (word in MARKS ? say(MARKS[word as keyof typeof MARKS], {}) : undefined);

/** Replaces the known phrases by `say`, and a word that is a category's id by its title. What is unknown stays as it was written. */
export function localizeGateDetail(detail: string, say: Say, categories: ReadonlyMap<string, string>): string {
	// A sentence with figures may hold words that are phrases of their own ("reading"): what is said once is not read again.
	const [pattern, phrase] = WITH_FIGURES.find(([known]) => detail.search(known) >= 0) ?? [];
	if (pattern && phrase) {
		const found = [...detail.matchAll(pattern)][0];
		const at = found?.index ?? 0;
		const words = [detail.slice(0, at), detail.slice(at + (found?.[0].length ?? 0))].map((part) => localizeGateDetail(part, say, categories));
		return words.join(say(phrase, { ...found?.groups }));
	}
	return detail
		.replaceAll(PATTERN, (known) => say(GATE_PHRASES[known as keyof typeof GATE_PHRASES], {}))
		.split(/(, |; |: |\s)/)
		.map((word) => categories.get(word) ?? markOf(word, say) ?? suiteTitle(word))
		.join("");
}
