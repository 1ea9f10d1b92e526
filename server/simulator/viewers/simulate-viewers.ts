import { createRandom, type Random } from "@/server/kernel/random";
import { normalizeText } from "@/server/kernel/text";
import type { Goal, Habit, Persona, SimulatedCase, Viewers } from "./contract";

/** Tag of every simulated case. */
export const SIMULATED_TAG = "simulated";
/** How often a wording that is there already is drawn again before the goal is given up: of ours. */
const MAX_REDRAWS = 20;

function pickWeighted(personas: readonly Persona[], random: Random): Persona {
	let rest = random.next() * personas.reduce((sum, persona) => sum + persona.weight, 0);
	for (const persona of personas) {
		rest -= persona.weight;
		if (rest < 0) return persona;
	}
	return personas.at(-1) as Persona;
}

/** `{slot}` and `{slot.key}` in every string of a value. */
function fill<T>(value: T, slots: ReadonlyMap<string, string>): T {
	if (typeof value === "string") return value.replace(/\{([a-z]+(?:\.[A-Za-z]+)?)\}/gu, (all, name: string) => slots.get(name) ?? all) as T;
	if (Array.isArray(value)) return value.map((item) => fill(item, slots)) as T;
	if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, slots)])) as T;
	return value;
}

function drawSlots({ slots }: Goal, random: Random): Map<string, string> {
	const drawn = new Map<string, string>();
	for (const [name, values] of Object.entries(slots)) {
		const value = random.pick(values);
		drawn.set(name, random.pick(value.say));
		for (const [key, text] of Object.entries(value.is)) drawn.set(`${name}.${key}`, text);
	}
	return drawn;
}

function slip(text: string, random: Random): string {
	const chars = [...text];
	if (chars.length < 6) return text;
	const at = 1 + random.int(chars.length - 3);
	const [a, b] = [chars[at] as string, chars[at + 1] as string];
	if (!/\p{L}/u.test(a) || !/\p{L}/u.test(b) || /\p{Script=Han}/u.test(a)) return text;
	chars.splice(at, 2, ...(random.next() < 0.5 ? [b, a] : [a]));
	return chars.join("");
}

/** A message as somebody with a habit types it. */
export function typeLike(message: string, habit: Habit, random: Random): string {
	let typed = message;
	for (const [from, ways] of Object.entries(habit.replace)) if (random.next() < habit.replaceShare) typed = typed.replaceAll(from, random.pick(ways));
	if (random.next() < habit.dropsPunctuation) typed = typed.replace(/[，。！？、,.!?]+/gu, " ").trim();
	if (random.next() < habit.slips) typed = slip(typed, random);
	return habit.endings.length > 0 ? `${typed}${random.pick(habit.endings)}` : typed;
}

function sessionOf({ session }: Viewers, random: Random): SimulatedCase["history"] {
	const turns: SimulatedCase["history"] = [];
	const add = (list: readonly { viewer: string; agent: string }[]) => {
		const { viewer, agent } = random.pick(list);
		turns.push({ role: "viewer", text: viewer }, { role: "agent", text: agent });
	};
	if (session.smallTalk.length > 0 && random.next() < session.shares.smallTalk) add(session.smallTalk);
	if (session.others.length > 0 && random.next() < session.shares.others) add(session.others);
	return turns;
}

function simulateOne(viewers: Viewers, goal: Goal, random: Random): Omit<SimulatedCase, "id"> {
	const persona = pickWeighted(viewers.personas, random);
	const habit = viewers.habits.find((own) => own.id === random.pick(persona.habits)) ?? (viewers.habits[0] as Habit);
	const slots = drawSlots(goal, random);
	const history = sessionOf(viewers, random);
	const follows = goal.followUp !== undefined && random.next() < viewers.session.shares.followUps;
	if (follows && goal.followUp) {
		const before = fill(goal.followUp.before, slots);
		history.push({ role: "viewer", text: before.viewer }, { role: "agent", text: before.agent });
	}
	const asked = fill(random.pick(follows && goal.followUp ? goal.followUp.ask : goal.ask), slots);
	const { interruptions, shares } = viewers.session;
	const begun = interruptions.length > 0 && random.next() < shares.interruptions ? random.pick(interruptions) : "";
	const message = `${random.pick(persona.opens)}${begun}${typeLike(asked, habit, random)}${random.pick(persona.closes)}`.trim();
	const room = goal.rooms.length > 0 ? { base: fill(random.pick(goal.rooms), slots) } : null;
	return {
		category: goal.category,
		message,
		history,
		...(room ? { room } : {}),
		expect: fill(goal.expect, slots),
		rubric: fill(goal.rubric, slots),
		...(goal.reference ? { reference: fill(goal.reference, slots) } : {}),
		tags: [SIMULATED_TAG, `goal:${goal.id}`, `persona:${persona.id}`],
	};
}

/** One message of some viewer, for trying something out; the same seed gives the same one. */
export function drawViewer(viewers: Viewers, seed: number): Omit<SimulatedCase, "id"> {
	const random = createRandom(`viewer/${seed}`);
	return simulateOne(viewers, random.pick(viewers.goals), random);
}

/**
 * Viewers who ask: goals in turn, each with a persona, its way of typing, and what went before. No wording twice. The same
 * seed gives the same cases, whatever `count` is the first ones are the same. They are marked, and no split is said: whoever
 * stores them decides that, and never for test or holdout.
 */
export function simulateViewers(viewers: Viewers, count: number, seed: number): SimulatedCase[] {
	const seen = new Set<string>();
	const cases: SimulatedCase[] = [];
	const goals = viewers.goals;
	for (let i = 0; cases.length < count && i < count * 2; i++) {
		const goal = goals[i % goals.length] as Goal;
		for (let draw = 0; draw < MAX_REDRAWS; draw++) {
			const made = simulateOne(viewers, goal, createRandom(`viewers/${seed}/${i}/${draw}`));
			const print = normalizeText(`${made.history.map((turn) => turn.text).join("\n")}\n${made.message}`);
			if (seen.has(print)) continue;
			seen.add(print);
			cases.push({ id: `sim-${seed}-${i}`, ...made });
			break;
		}
	}
	return cases;
}
