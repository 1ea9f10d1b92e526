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
	"readings are spent": "spent",
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
	coverage: "coverage",
	running: "running",
	"no run": "noRun",
	reading: "reading",
	broken: "broken",
	fixed: "fixed",
} as const;

export type GatePhrase = (typeof GATE_PHRASES)[keyof typeof GATE_PHRASES];

const PATTERN = new RegExp(`\\b(${Object.keys(GATE_PHRASES).join("|")})\\b`, "g");

/** Replaces the known phrases by `say`, and a word that is a category's id by its title. What is unknown stays as it was written. */
export function localizeGateDetail(detail: string, say: (phrase: GatePhrase) => string, categories: ReadonlyMap<string, string>): string {
	return detail
		.replaceAll(PATTERN, (phrase) => say(GATE_PHRASES[phrase as keyof typeof GATE_PHRASES]))
		.split(/(\s|, |; )/)
		.map((word) => categories.get(word) ?? (/^t\d(-\w+)?:?$/.test(word) ? word.toUpperCase() : word))
		.join("");
}
