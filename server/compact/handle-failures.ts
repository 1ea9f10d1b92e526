import { encodeText, type FeatureWeights } from "./encode-text";
import { quotedTexts, type SkillRule } from "./parse-skill";
import type { CallRecord } from "./read-situation";
import type { RankedRule } from "./route-message";
import { scoreCandidate } from "./score-candidates";

const FAILURE =
	/查不到|查不了|查询失败|没查到|没有查到|失败|超时|出错|报错|打不开|无结果|没有结果|返回空|为空|不可用|\bfail|\berror|unavailable|no result|\bempty\b|timed? ?out|cannot be (?:read|looked up)/iu;
const TRANSIENT =
	/time(?:d)? ?out|did not answer|empty result|stale result|超时|temporar|unavailable|malformed|not valid|invalid (?:result|json|output)|schema|5\d\d|暂时|稍后|格式/iu;
const DENIED = /permission|denied|forbidden|not allowed|unauthori|无权|权限|不能查看|不属于|拒绝/iu;

const UNKNOWN = /不知道|不清楚|not know|unsure|cannot answer/iu;

/** What to do about a failed call: ask again as it was, ask without a guess, or give up. */
export type Remedy = "retry" | "without-guess" | "give-up";

/** Chooses the remedy for the last failure of a tool; at most one retry as it was and one without the guess. */
export function chooseRemedy(failures: readonly CallRecord[], guessed: boolean): Remedy {
	const last = failures.at(-1);
	const error = last?.error ?? "";
	if (failures.length >= 2 || DENIED.test(error)) return "give-up";
	if (TRANSIENT.test(error)) return "retry";
	return guessed ? "without-guess" : "give-up";
}

/** Whether a rule says what to do when a look-up fails. */
export function isFailureRule(rule: SkillRule): boolean {
	return FAILURE.test(rule.condition);
}

/** The open skills' rule for a failed look-up that fits the message and the error best, if there is one. */
export function failureRule(ranked: readonly RankedRule[], message: string, error: string, weights: FeatureWeights): RankedRule | null {
	const encoded = encodeText(`${message} ${error}`);
	const candidates = ranked
		.filter((candidate) => isFailureRule(candidate.rule) && candidate.rule.wordings.length > 0)
		.map((candidate) => ({ candidate, score: scoreCandidate(encoded, candidate.rule.alternatives, candidate.rule.condition, weights) }))
		.sort((a, b) => b.score - a.score);
	return candidates[0]?.candidate ?? null;
}

/** What the prompts say to answer when something cannot be found, where they quote it. */
export function quotedFallback(prompts: readonly { text: string }[]): string | null {
	for (const prompt of prompts) {
		for (const line of prompt.text.split("\n")) {
			const quoted = quotedTexts(line);
			if (quoted[0] && !quoted[0].includes("{{") && (FAILURE.test(line) || UNKNOWN.test(line))) return quoted[0];
		}
	}
	return null;
}

const PERSON = /观众|用户|顾客|客户|买家|(?:the )?(?:viewer|customer|user|caller)s?/giu;

/** What the prompts say to point to when nothing is known: the clause that begins with 请 or a verb of pointing. */
function guidedStep(prompts: readonly { text: string }[], han: boolean): string | null {
	for (const prompt of prompts) {
		for (const line of prompt.text.split("\n")) {
			if (!FAILURE.test(line) && !UNKNOWN.test(line)) continue;
			const step = han
				? /(?:^|[，,；;。])\s*(?:就)?((?:请|建议|引导|让)[^。；;\n]{3,40})/u.exec(line)?.[1]
				: /\b((?:ask|refer|point|send|tell) (?:the )?(?:viewer|customer|user|caller)s? to [^.;\n]{3,80})/iu.exec(line)?.[1];
			if (!step) continue;
			if (!han) return `please ${step.replace(/^\w+ (?:the )?\w+ to /iu, "")}`;
			const said = step.replace(/^(?:建议|引导|让)/u, "请").replace(PERSON, "您");
			return said.startsWith("请您") || !said.startsWith("请") ? said : said.replace(/^请/u, "请您");
		}
	}
	return null;
}

/**
 * An honest sentence when nothing else is there to say: that it was not found or is not known, in the language of the
 * harness, and the next step that its prompts name.
 */
export function honestFallback(kind: "failed" | "unknown", prompts: readonly { text: string }[], han: boolean): string {
	const step = guidedStep(prompts, han);
	if (step === null) return plainFallback(kind, han);
	if (han) return `${kind === "failed" ? "这个暂时没有查到" : "这个我不清楚"}，${step}。`;
	return `${kind === "failed" ? "I could not look this up just now" : "I do not have an answer to this"}; ${step}.`;
}

/** An honest sentence of our own in the language of the harness, when nothing else is there to say. */
function plainFallback(kind: "failed" | "unknown", han: boolean): string {
	if (han) return kind === "failed" ? "这个暂时没有查到，请稍后再问一次。" : "这个问题我暂时答不上来，不敢随便说。";
	return kind === "failed" ? "I could not look this up just now; please ask again in a moment." : "I do not have an answer to this yet, and I will not guess.";
}
