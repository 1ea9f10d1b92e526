import { RE2JS } from "re2js";
import type { McpTool } from "@/server/harness/contract";
import { normalizeText } from "@/server/kernel/text";
import { examplesOf, NAME, type Property, VERBATIM } from "./read-examples";
import type { Situation } from "./read-situation";

export interface FilledArguments {
	args: Record<string, unknown>;
	/** Arguments that are a guess: left out when the call fails. */
	guessed: string[];
}

const MAX_TEXT = 60;
const MAX_VERBATIM = 200;
/** Words of asking, in both languages: no part of a name. */
const ASKING =
	/(?:请问|你们|我们|咱们|这个|那个|这款|那款|这种|那种|哪个|哪款|有没有|是不是|能不能|可不可以|可以|什么|怎么样|怎么|一定|万一|以后|之后|以前|回来|上次|下次|到底|真的|其实|应该|需要|觉得|知道|东西|时候|时间|朋友|保证|求求|随便|另外|顺便|大概|差不多|好像|听说|看到|看见|看了|刚进来|直接|马上|立刻|赶紧|谢谢|麻烦|你好|如何|几时|不然|不过|而且|然后|人家|自己|别人|咋样|咋|多少|为什么|为啥|啥|哪里|哪儿|几个|几天|几点|老板|亲|刚才|刚刚|上面|前面|现在|今天|明天|昨天|一下|一点|如果|要是|已经|还是|还有|或者|但是|因为|所以|想要|想问|想|要|买|问|说|看|的|了|吗|呢|啊|吧|呀|哦|嘛|么|哈|嗯|是|我|你|您|他|它|她|这|那|有|在|就|也|都|还|和|与|及|给|把|被|让|能|会|没|不|很|好|真|太|几|到|用|拍|求|帮|谁|啦|咯|哎|喂|诶|嘞|滴|捏)/gu;

/** Numbers with the sign of a date, and what hangs on them. */
const DATED = /\d+(?:\.\d+)?[号日月点岁]?[前后左右]*/gu;

const shapes = new Map<string, RegExp | null>();

/** A pattern for values shaped like an example: digits may differ, a trailing word may be left out. Remembered: schemas give few. */
function shapeOf(example: string): RegExp | null {
	const known = shapes.get(example);
	if (known !== undefined) return known;
	if (shapes.size > 2000) shapes.clear();
	const shape = makeShape(example);
	shapes.set(example, shape);
	return shape;
}

function makeShape(example: string): RegExp | null {
	if (!/\d/u.test(example) || example.length > 24) return null;
	const parts = example.split(/(\d+)/u).filter((part) => part !== "");
	const source = parts
		.map((part, i) => {
			if (/^\d+$/u.test(part)) return parts.length === 2 && i === 1 && part.length > 1 ? `\\d{${part.length}}` : "\\d{1,8}";
			const [first = "", ...rest] = [...part].map((char) => char.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
			return /\p{Script=Han}/u.test(part) && rest.length > 0 ? `${first}(?:${rest.join("")})?` : first + rest.join("");
		})
		.join("");
	return new RegExp(`(?<![0-9A-Za-z月])${source}(?![0-9A-Za-z]|[前后到过早晚下上生])`, "iu");
}

/** Texts whose names a vocabulary remembers. */
const MOST_NAMES = 500;

/** The harness's own words, by which a name is told from a question. */
export class Vocabulary {
	private readonly plain: string;
	private readonly names = new Map<string, string | null>();

	constructor(text: string) {
		this.plain = normalizeText(text);
	}

	/** What is left of a text when the harness's own words and words of asking are taken away: probably a name, or several. */
	nameIn(text: string): string | null {
		const known = this.names.get(text);
		if (known !== undefined) return known;
		const name = residualName(text, this.plain);
		if (this.names.size >= MOST_NAMES) this.names.clear();
		this.names.set(text, name);
		return name;
	}
}

function residualName(text: string, known: string): string | null {
	const runs: string[] = [];
	for (const [run] of normalizeText(text)
		.replace(DATED, " ")
		.replace(ASKING, " ")
		.matchAll(/[\p{Script=Han}a-z]{2,}/gu)) {
		const chars = [...run];
		const covered = chars.map((_char, i) => {
			const left = i > 0 && known.includes(`${chars[i - 1]}${chars[i]}`);
			const right = i + 1 < chars.length && known.includes(`${chars[i]}${chars[i + 1]}`);
			return left || right;
		});
		let current = "";
		chars.forEach((char, i) => {
			if (!covered[i]) current += char;
			if ((covered[i] || i === chars.length - 1) && current !== "") {
				if ([...current].length >= 2) runs.push(current);
				current = "";
			}
		});
	}
	const names = runs.filter((run) => [...run].length <= 12);
	return names.length > 0 ? clip(names.join(" "), MAX_TEXT) : null;
}

function clip(text: string, max: number): string {
	return [...text.trim()].slice(0, max).join("");
}

function matchPattern(pattern: string, text: string): string | null {
	try {
		const matcher = RE2JS.compile(pattern.replace(/^\^/u, "").replace(/\$$/u, ""), RE2JS.CASE_INSENSITIVE).matcher(text);
		return matcher.find() ? (matcher.group() ?? null) : null;
	} catch {
		return null;
	}
}

function findNumber(description: string, text: string): number | null {
	for (const match of normalizeText(text).matchAll(/\d+(?:\.\d+)?/gu)) {
		const after = normalizeText(text).slice(match.index + match[0].length, match.index + match[0].length + 3);
		const before = normalizeText(text).slice(Math.max(0, match.index - 4), match.index);
		const near = [...`${before}${after}`].filter((char) => /[\p{Script=Han}]/u.test(char));
		const unit = /^[a-z]+/u.exec(after)?.[0];
		if (near.some((char) => description.includes(char)) || (unit && description.toLowerCase().includes(unit))) return Number(match[0]);
	}
	return null;
}

interface Context {
	situation: Situation;
	instructions: string;
	vocabulary: Vocabulary;
	rejected: ReadonlySet<string>;
}

function fillString(
	name: string,
	property: Property,
	required: boolean,
	{ situation, instructions, vocabulary }: Context,
): { value: string; guess: boolean } | null {
	const description = String(property.description ?? "");
	const turns = [situation.message, ...situation.history.map((turn) => turn.text).reverse()];
	if (typeof property.pattern === "string") {
		for (const turn of turns) {
			const found = matchPattern(property.pattern, turn);
			if (found) return { value: found, guess: false };
		}
		if (!required) return null;
	}
	const examples = examplesOf(description);
	for (const turn of turns) {
		const plain = turn.normalize("NFKC");
		for (const example of examples) {
			const found = shapeOf(example)?.exec(plain)?.[0] ?? (plain.toLowerCase().includes(example.toLowerCase()) && example.length > 1 ? example : null);
			if (found) return { value: found, guess: false };
		}
		// Only the turn just before may lend its subject to a question that names none.
		if (NAME.test(description) && !VERBATIM.test(description)) {
			const residual = vocabulary.nameIn(turn);
			if (residual && residual !== normalizeText(turn)) return { value: residual, guess: true };
		}
		if (turn !== situation.message && situation.history.length > 2) break;
	}
	const named = new RegExp(`(?<![\\w])${name}(?![\\w])`, "u").test(instructions);
	if (VERBATIM.test(description)) return { value: clip(situation.message, MAX_VERBATIM), guess: false };
	if (named || required) return { value: clip(situation.message, MAX_TEXT), guess: !required };
	return null;
}

/**
 * Arguments for a call from the tool's input schema, the message and the turns before it: enums by mention, ids and numbers
 * by the shape of the schema's examples, names by what the harness's own vocabulary leaves over, texts verbatim.
 */
export function fillArguments(tool: McpTool, context: Context): FilledArguments {
	const properties = (tool.inputSchema.properties ?? {}) as Record<string, Property>;
	const required = new Set(Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required.map(String) : []);
	const filled: FilledArguments = { args: {}, guessed: [] };
	const said = normalizeText(context.situation.message);
	for (const [name, property] of Object.entries(properties)) {
		if (context.rejected.has(name) && !required.has(name)) continue;
		const description = String(property.description ?? "");
		if (Array.isArray(property.enum)) {
			const found = property.enum.find((value) => said.includes(normalizeText(String(value)))) ?? (required.has(name) ? property.enum[0] : undefined);
			if (found !== undefined) filled.args[name] = found;
		} else if (property.type === "number" || property.type === "integer") {
			const found = findNumber(description, context.situation.message);
			if (found !== null) filled.args[name] = property.type === "integer" ? Math.round(found) : found;
		} else if (property.type === "string" || property.type === undefined) {
			const found = fillString(name, property, required.has(name), context);
			if (!found) continue;
			filled.args[name] = found.value;
			if (found.guess) filled.guessed.push(name);
		}
	}
	return filled;
}
