import { createSpeaker } from "@/server/kernel/phrase";

/**
 * Every sentence that the judges write themselves; `messages/<language>/evidence.json` translate them by id. A parameter
 * holds no more than the sentence says: evidence travels to the engines that edit the harness.
 */
export const EVIDENCE_TEXTS = {
	fact: "the reply states {path}",
	"regex-required": "the reply has the required form",
	"regex-forbidden": "the reply has nothing of a forbidden form",
	"regex-broken": "the pattern of this point does not compile",
	json: "the reply is JSON",
	"json-schema": "the reply fits the JSON Schema",
	"json-schema-broken": "the JSON Schema of this point is not valid",
	contains: "the reply makes a required point",
	"forbidden-claim": "forbidden claim “{words}”",
	"no-forbidden-claim": "the reply makes no forbidden claim",
	reference: "chrF to the reference is at least {min} (it is {score})",
	skill: "one of these skills is loaded: {skills}",
	tools: "tools are called: {tools}",
	"no-tool": "no tool is called",
	"max-chars": "at most {max} characters (it has {length})",
	"not-checked": "not checked: needs a language model as the judge",
	number: "the number {number} is in none of: the world's facts about the room, the tools' results, the viewer's words",
	"reference-intent": "closest to its own intent's references ({own} against {other}) and close enough",
	"reference-intent-rival": "closest to its own intent's references ({own} against {other} for {rival}) and close enough",
	"other-intent": "the reply answers {rival}",
	"other-intent-unknown": "the reply answers another request",
	evasive: "the reply evades the question",
	"addresses-judge": "the reply addresses the judge",
	"no-answer": "the reply says nothing",
	deadline: "the deadline passed without a reply",
	"skill-selection": "expected skill: {expected}; loaded: {loaded}",
	"skill-selection-none": "expected skill: {expected}; loaded: none",
	strategy: "strategy skill that fits here: {expected}; loaded: {loaded}",
	"strategy-none": "strategy skill that fits here: {expected}; loaded: none",
	"no-strategy-loaded": "no strategy skill fits here; loaded: {loaded}",
	"no-strategy-none": "no strategy skill fits here, and none is loaded",
	"tool-rationality": "expected: {expected}; called: {called}",
	"tool-rationality-none": "expected: {expected}; called: none",
	"no-tool-called": "expected: no tool; called: {called}",
	"no-tool-none": "expected: no tool; called: none",
	recovery: "a look-up failed; the reply must still help or say so honestly",
} as const;

/** The rule of a piece of evidence: in English, and as a phrase that a screen says in its reader's language. */
export const ruleOf = createSpeaker(EVIDENCE_TEXTS, "rule");
