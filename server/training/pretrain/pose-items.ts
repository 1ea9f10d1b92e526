import { type DecisionInput, encodeText, scoreCandidate, splitAlternatives, toCandidate, toFeatures, weighFeatures } from "@/server/compact";
import { createRandom, hash32, type Random } from "@/server/kernel/random";
import type { Choice, GeneralData, GeneralItem } from "./read-general-data";

export type GeneralSplit = "train" | "pick" | "report";

/** A request with a set of candidates and the right one; the last candidate is always "none". */
export interface PosedItem {
	input: DecisionInput;
	right: number;
}

/** Distractors beside the answer, and the share of training requests from which the answer is taken away: of ours. */
const MIN_OTHERS = 3;
const MAX_OTHERS = 7;
const IRRELEVANT_SHARE = 0.35;

/** By the name of what answers, so that no function of a split is met in another: 60 % train, 20 % pick, 20 % report. */
export function splitOf(name: string): GeneralSplit {
	const share = (hash32(`general/${name}`) >>> 8) % 100;
	return share < 60 ? "train" : share < 80 ? "pick" : "report";
}

/** Everything of one split: requests, and the tools and skills that may stand beside an answer. */
export interface GeneralPart {
	items: GeneralItem[];
	pools: Record<GeneralItem["kind"], Choice[]>;
}

/** The part of a split. A request of pick or report is left out when it offers a function that training has seen. */
export function partOf(data: GeneralData, split: GeneralSplit): GeneralPart {
	const own = (choice: Choice) => splitOf(choice.name) === split;
	const items = data.items.filter((item) => {
		if (item.answer ? !own(item.answer) : !item.others.every(own)) return false;
		return split === "train" || item.others.every((other) => splitOf(other.name) !== "train");
	});
	const functions = data.items.flatMap((item) => (item.kind === "tool" ? [...(item.answer ? [item.answer] : []), ...item.others] : []));
	const unique = (choices: Choice[]) => [...new Map(choices.map((choice) => [choice.name, choice])).values()].filter(own);
	return { items, pools: { tool: unique([...functions, ...data.tools]), skill: unique(data.skills) } };
}

function pose(item: GeneralItem, choices: readonly Choice[], answer: Choice | null): PosedItem {
	const texts = choices.map((choice) => `${choice.name.replace(/[-_.]/gu, " ")} ${choice.description}`);
	const weights = weighFeatures(texts);
	const said = encodeText(item.text);
	const candidates = choices.map((choice, i) => {
		const text = texts[i] as string;
		const alternatives = [choice.name.replace(/[-_.]/gu, " "), ...splitAlternatives(choice.description)];
		return toCandidate(item.kind, { id: choice.name, text, lexical: scoreCandidate(said, alternatives, text, weights) });
	});
	const none = toCandidate(item.kind, { id: item.kind === "tool" ? "reply" : "none", text: null });
	const right = answer ? choices.indexOf(answer) : choices.length;
	return { input: { kind: item.kind, situation: toFeatures(said), candidates: [...candidates, none] }, right };
}

function others(part: GeneralPart, item: GeneralItem, random: Random): Choice[] {
	const taken = new Set([item.answer?.name, ...item.others.map((other) => other.name)]);
	const count = MIN_OTHERS + random.int(MAX_OTHERS - MIN_OTHERS + 1);
	return [...item.others, ...random.shuffle(part.pools[item.kind].filter((choice) => !taken.has(choice.name))).slice(0, count)];
}

/** One epoch of training: every request once among fresh distractors, from some the answer is taken away. */
export function poseForTraining(part: GeneralPart, random: Random): PosedItem[] {
	return random.shuffle(part.items).map((item) => {
		const rest = others(part, item, random);
		const answer = item.answer && random.next() >= IRRELEVANT_SHARE ? item.answer : null;
		return pose(item, random.shuffle(answer ? [answer, ...rest] : rest), answer);
	});
}

/**
 * The general measure, balanced: every tool request once with its answer among others and once without, and the requests
 * that no tool fits; so that choosing always, or never, gains nothing.
 */
export function poseForMeasure(part: GeneralPart, seed: number): { choice: PosedItem[]; irrelevance: PosedItem[]; routing: PosedItem[] } {
	const posed = { choice: [] as PosedItem[], irrelevance: [] as PosedItem[], routing: [] as PosedItem[] };
	part.items.forEach((item, i) => {
		const random = createRandom(`measure/${seed}/${i}`);
		const rest = others(part, item, random);
		if (item.kind === "skill") posed.routing.push(pose(item, random.shuffle(item.answer ? [item.answer, ...rest] : rest), item.answer));
		else {
			if (item.answer) posed.choice.push(pose(item, random.shuffle([item.answer, ...rest]), item.answer));
			posed.irrelevance.push(pose(item, rest, null));
		}
	});
	return posed;
}
