import type { Trajectory } from "@/server/agent/contract";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { addressesJudge } from "./addresses-judge";
import { blameComponent } from "./blame-component";
import { checkItem, hasContent, toEvidence } from "./check-item";
import type { Evidence, Judge, JudgeCase, JudgedHarness, Verdict } from "./contract";
import { ruleOf } from "./evidence-texts";
import { matchIntent } from "./match-intent";
import { sentencesOf } from "./match-text";
import { plainNumbers } from "./parse-numbers";
import { type Behaviour, hasExpectedSkill, scoreBehaviour } from "./score-behaviour";
import { supportedNumbers, unsupportedNumbers } from "./support-numbers";

/** Bumped whenever a verdict can change. */
const VERSION = "5";
const EVASIVE =
	/答不上来|不(?:太)?(?:清楚|知道|了解|确定|好说)|无可奉告|无法回答|不便回答|没(?:有)?查到|暂时(?:没有|无法)|查不到|稍后再(?:问|试)|不敢随便说|do(?:es)? ?n[o'’]?t know|not sure|no idea|can(?:no|')t (?:help|answer|say)|(?:not|n['’]t) have an answer|could not look|unable to (?:help|answer)|try again later|ask again/iu;

interface Scored {
	accuracy: number;
	effectiveness: number;
	evidence: Evidence[];
	evasive: boolean;
	offReference: boolean;
}

function share(evidence: readonly Evidence[]): number {
	const points = evidence.filter((item) => item.dimension === "effectiveness");
	if (points.length === 0) return 1;
	return points.filter((item) => item.ok).length / points.length;
}

/** Full marks when every required point is met, half from half of them on. */
function toEffectiveness(met: number): number {
	return met === 1 ? 1 : met >= 0.5 ? 0.5 : 0;
}

function numberEvidence(reply: string, judged: JudgeCase, trajectory: Trajectory): Evidence[] {
	const paths = judged.rubric.flatMap((item) => (item.kind === "fact" ? [item.path] : []));
	const supported = supportedNumbers({ room: judged.room, world: judged.world, paths, trajectory });
	// A measure by references takes its facts from the references: there is no world behind it.
	for (const text of judged.references?.own ?? []) for (const [digits] of text.matchAll(/\d+(?:\.\d+)?/gu)) supported.quantities.add(Number(digits));
	// The ordinals of a list are no facts.
	const clauses = reply.split("，").map((clause) => clause.normalize("NFKC"));
	const plain = plainNumbers(clauses.join("，").replace(/(^|\s)\d{1,2}[.)、](?=\s|\p{L})/gmu, "$1"));
	return unsupportedNumbers(plain, supported).map((said) => {
		const sentence = sentencesOf(plain).find((part) => part.includes(said.raw));
		return {
			item: null,
			kind: "number",
			dimension: "accuracy",
			ok: false,
			...ruleOf("number", { number: `${said.raw}${said.unit}` }),
			...(sentence !== undefined && { sentence }),
		};
	});
}

function scoreReply(reply: string, judged: JudgeCase, trajectory: Trajectory, harness: JudgedHarness, behaviour: Behaviour): Scored {
	const context = { reply, case: judged, harness, loaded: behaviour.loaded, handlers: behaviour.handlers };
	const evidence: Evidence[] = judged.rubric.map((item, i) => toEvidence(i, item, checkItem(item, context)));
	let met = share(evidence);
	let effectiveness = toEffectiveness(met);
	let offReference = evidence.some((item) => item.kind === "reference" && !item.ok);
	if (judged.references) {
		const match = matchIntent(reply, judged.references);
		const scores = { own: match.own.toFixed(2), other: match.other.toFixed(2) };
		const rule = match.rival === null ? ruleOf("reference-intent", scores) : ruleOf("reference-intent-rival", { ...scores, rival: match.rival });
		evidence.push({ item: null, kind: "reference-intent", dimension: "effectiveness", ok: match.effectiveness === 1, ...rule });
		// The references are all that is known to be true: what is closer to another intent's tells the truth about another request.
		const answers = match.rival === null ? ruleOf("other-intent-unknown") : ruleOf("other-intent", { rival: match.rival });
		if (!match.closest) evidence.push({ item: null, kind: "other-intent", dimension: "accuracy", ok: false, ...answers });
		effectiveness = Math.min(effectiveness, match.effectiveness);
		met = Math.min(met, match.effectiveness);
		offReference ||= match.effectiveness < 1;
	}
	evidence.push(...numberEvidence(reply, judged, trajectory));
	// An answer that meets no point and only says that it has none says nothing.
	const asked = judged.references !== null || judged.rubric.some((item) => item.dimension === "effectiveness");
	const evasive = asked && met === 0 && EVASIVE.test(reply);
	if (evasive) evidence.push({ item: null, kind: "evasive", dimension: "accuracy", ok: false, ...ruleOf("evasive"), sentence: reply });
	if (addressesJudge(reply))
		evidence.push({ item: null, kind: "addresses-judge", dimension: "accuracy", ok: false, ...ruleOf("addresses-judge"), sentence: reply });
	const accuracy = evidence.some((item) => item.dimension === "accuracy" && !item.ok) ? 0 : 1;
	return { accuracy, effectiveness: evasive ? 0 : effectiveness, evidence, evasive, offReference };
}

function blockedBy(trajectory: Trajectory): string | null {
	const last = trajectory.steps.findLast((step) => step.type === "hook" && (step.outcome === "block" || step.outcome === "hook-error"));
	return last?.type === "hook" ? last.hook : null;
}

function lastFailedTool(trajectory: Trajectory): { name: string; faulty: boolean } | null {
	const calls = trajectory.steps.filter((step) => step.type === "tool");
	const failed = calls.findLast((call) => !call.ok && !calls.some((other) => other.handler === call.handler && other.ok));
	return failed ? { name: failed.name, faulty: failed.fault !== undefined } : null;
}

function noReply(trajectory: Trajectory): Scored {
	const rule = ruleOf(trajectory.outcome === "deadline" ? "deadline" : "no-answer");
	return {
		accuracy: 0,
		effectiveness: 0,
		evasive: false,
		offReference: false,
		evidence: [
			{ item: null, kind: "no-answer", dimension: "accuracy", ok: false, ...rule },
			{ item: null, kind: "no-answer", dimension: "effectiveness", ok: false, ...rule },
		],
	};
}

/** Scores one episode by its rubric alone: deterministic, pure, no model. */
export function judgeByRubric(judged: JudgeCase, trajectory: Trajectory, harness: JudgedHarness): Verdict {
	if (trajectory.outcome === "infra-error") {
		throw new AppError("precondition", "An episode that ended in an infrastructure error is never scored.", { reason: "judge-infra-error" });
	}
	const reply = trajectory.reply?.trim() ?? "";
	const empty = !hasContent(reply);
	const silent = scoreBehaviour(judged.expect, trajectory, harness, !empty);
	const scored = empty ? noReply(trajectory) : scoreReply(reply, judged, trajectory, harness, silent);
	const behaviour = { ...silent, recovered: silent.recovered === null ? null : scored.accuracy === 1 && scored.effectiveness > 0 };
	const failed = lastFailedTool(trajectory);
	const broken = (kind: string) => scored.evidence.some((item) => item.kind === kind && !item.ok && item.dimension === "accuracy");
	const blame = blameComponent({
		outcome: trajectory.outcome,
		blockedBy: blockedBy(trajectory),
		accuracy: scored.accuracy,
		effectiveness: scored.effectiveness,
		empty,
		evasive: scored.evasive,
		addressesJudge: broken("addresses-judge"),
		forbiddenClaim: broken("not-contains"),
		factualError: broken("fact") || broken("regex") || broken("contains") || broken("json-schema"),
		unsupportedNumber: broken("number"),
		limitExceeded: broken("max-chars"),
		offReference: scored.offReference,
		expectedSkill: hasExpectedSkill(judged.expect, harness),
		expectsSkill: (judged.expect.skills ?? []).length > 0,
		skillSelection: behaviour.skillSelection,
		replySkill: behaviour.replySkills.at(-1) ?? behaviour.loaded.at(-1) ?? null,
		missingTools: behaviour.missingTools,
		needlessTools: behaviour.needlessTools,
		failedTool: failed?.name ?? null,
		faultUnhandled: failed?.faulty ?? false,
	});
	return {
		version: 1,
		accuracy: scored.accuracy,
		effectiveness: scored.effectiveness,
		skillSelection: behaviour.skillSelection,
		toolRationality: behaviour.toolRationality,
		recovered: behaviour.recovered,
		failureType: blame?.failureType ?? null,
		blamed: blame?.blamed ?? null,
		evidence: [...scored.evidence, ...behaviour.evidence],
		engine: "rubric",
	};
}

/** The judge without a model. Its fingerprint changes with its rules. */
export function createRubricJudge(): Judge {
	const description = { name: "rubric", fingerprint: fingerprint({ judge: "rubric", version: VERSION }) };
	return {
		describe: () => description,
		judge: ({ case: judged, trajectory, harness }, signal) => {
			signal.throwIfAborted();
			return Promise.resolve(judgeByRubric(judged, trajectory, harness));
		},
	};
}
