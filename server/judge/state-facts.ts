import { comparable, indexOfWhole, says } from "./match-text";
import { parseNumbers } from "./parse-numbers";

/** The value of the world at a dotted path; undefined when there is none. */
export function readFact(world: Record<string, unknown>, path: string): unknown {
	let value: unknown = world;
	for (const key of path.replace(/^world\./u, "").split(".")) {
		if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/u;

/** Ways to say an ISO date or date-time: 12月3日, 12月3号, 12-03; 23:00, 23点, 晚上11点, 11点. */
export function waysToSayDate(text: string): string[] | null {
	const match = ISO.exec(text);
	if (!match) return null;
	const month = Number(match[2]);
	const day = Number(match[3]);
	if (match[4] === undefined) return [`${month}月${day}日`, `${month}月${day}号`, `${match[2]}-${match[3]}`, `${month}.${day}`, `${month}/${day}`];
	const hour = Number(match[4]);
	const minute = Number(match[5]);
	const half = hour > 12 ? hour - 12 : hour;
	const clock = (h: number) =>
		minute === 0 ? [`${h}点`, `${h}:00`] : minute === 30 ? [`${h}点半`, `${h}点30`, `${h}:30`] : [`${h}点${minute}`, `${h}:${match[5]}`];
	return [
		...clock(hour),
		...clock(half),
		...(hour === 0 ? ["零点", "0点", "24点", "24:00", "半夜12点", "12点"] : []),
		...(minute === 59 ? [`${hour + 1}点`, `${hour + 1}:00`, "0点", "零点", "12点"] : []),
	];
}

function statesNumber(reply: string, value: number): boolean {
	return parseNumbers(reply).some((said) => sameQuantity(said.value, said.unit, value));
}

/** One quantity in two ways: 0.8 and 8折, 0.5 and 50%. */
function sameQuantity(said: number, unit: string, value: number): boolean {
	if (Math.abs(said - value) < 1e-9) return true;
	if (unit === "折" && (Math.abs(said / 10 - value) < 1e-9 || Math.abs(said / 100 - value) < 1e-9)) return true;
	return unit === "%" && Math.abs(said / 100 - value) < 1e-9;
}

/** Whether a reply states a fact: a number as a whole token, a text after normalisation, of a list any element. */
export function statesFact(reply: string, value: unknown, accept: readonly string[] = []): boolean {
	if (accept.some((words) => says(reply, words))) return true;
	if (typeof value === "number") return statesNumber(reply, value);
	if (typeof value === "string") {
		if (value.trim() === "") return false;
		if (says(reply, value)) return true;
		const dated = waysToSayDate(value);
		const plain = comparable(reply);
		return dated?.some((words) => indexOfWhole(plain, comparable(words)) >= 0) ?? false;
	}
	if (Array.isArray(value)) return value.some((element) => statesFact(reply, element));
	return false;
}

/** A fact as evidence shows it. */
export function describeFact(path: string, value: unknown): string {
	const text = value === undefined ? "(no such fact)" : typeof value === "string" ? value : JSON.stringify(value);
	return `${path} = ${[...text].slice(0, 200).join("")}`;
}
