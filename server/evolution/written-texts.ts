import chinese from "@/messages/zh/written.json";
import { createWriter } from "@/server/kernel/phrase";

/** What the built-in engines write for people: findings, and proposals' titles and summaries. */
export const ENGINE_TEXTS = {
	finding: "{category}: {fault} ({cases} cases)",
	"finding-hypothesis": "{where}{facts}{tools}.",
	"points-to": "It points to {component}",
	"points-nowhere": "No component is meant for it",
	"facts-missing": "; {facts} missing repeatedly",
	"tools-failed": "; {tools} failed",
	"fault-factual-error": "states a fact wrongly",
	"fault-unsupported-number": "states a number that nothing supports",
	"fault-forbidden-claim": "promises what it must not",
	"fault-limit-exceeded": "is longer than the limit",
	"fault-missing-point": "leaves a required point out",
	"fault-wrong-skill": "is answered by another skill",
	"fault-no-skill": "has no skill that is meant for it",
	"fault-missing-tool": "is answered without the look-up it needs",
	"fault-wrong-tool": "calls a tool in vain",
	"fault-tool-failure-unhandled": "is lost when a look-up fails",
	"fault-no-answer": "gets no answer",
	"fault-blocked": "is blocked by a hook",
	"fault-deadline": "misses the deadline",
	"fault-off-reference": "is answered unlike its references",
	"fault-addresses-judge": "addresses the judge",
	"edit-widen": "Widen a rule in {where}: {terms} ({cases} cases)",
	"edit-add": "Add a rule to {where}: {terms} ({cases} cases)",
	"edit-create": "A new skill for {where}: {terms} ({cases} cases)",
	"edit-guard": "A special case in {where}: {terms} ({cases} cases)",
	"edit-replace": "A better answer in {where}: {terms} ({cases} cases)",
	"edit-claims": "Take a promise back in {where}: “{before}” → “{after}”",
	"edit-more": "{first}, and {count} more",
} as const;

/** Writes a built-in engine's sentence in the language of a workspace, with its phrase for a screen in another. */
export const engineWriter = createWriter(ENGINE_TEXTS, chinese);
