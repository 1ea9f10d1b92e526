/** What a rule asks of a tool's result before it applies: `{{field}} 为 0`, `没有 {{field}}`. */
export interface Guard {
	field: string;
	test: "equals" | "present" | "absent";
	value: string | null;
}

/** A bullet "when <condition>: <what to do>". */
export interface SkillRule {
	/** Index among the skill's rules, from 0. */
	index: number;
	/** 1-based line of the body. */
	line: number;
	text: string;
	condition: string;
	alternatives: string[];
	guards: Guard[];
	action: string;
	/** Quoted wording, in order. */
	wordings: string[];
	/** Fields that the wording names. */
	fields: string[];
	/** The action without its quoted wording: where tools and arguments are named. */
	instructions: string;
}

/** A bullet "never …": quoted words are literal, the text is what it means. */
export interface Prohibition {
	text: string;
	words: string[];
}

export interface ParsedSkill {
	rules: SkillRule[];
	prohibitions: Prohibition[];
}

const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/u;
const PROHIBITION = /^(?:不要|不得|禁止|不可以?|不能|不许|切勿|勿|别|never\b|do not\b|don't\b|must not\b|avoid\b)/iu;
const RULE_HEAD = /^(?:当|如果|若|when\b|if\b)\s*/iu;
const QUOTES = /“([^”]+)”|「([^」]+)」|"([^"]+)"/gu;
const FIELD = /\{\{\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\}\}/gu;
const SEPARATOR = /[、，,；;/|]|(?:或者|或)|\s+or\s+/iu;
const GUARD =
	/(?:(没有|无|without|no)\s*\{\{\s*([\w.]+)\s*\}\}|(?:有|with)\s*\{\{\s*([\w.]+)\s*\}\}|\{\{\s*([\w.]+)\s*\}\}\s*(?:为|是|等于|=|is)\s*([^、，,；;\s]+))/giu;

const cache = new Map<string, ParsedSkill>();

/** Texts in quotation marks, in order. */
export function quotedTexts(text: string): string[] {
	return [...text.matchAll(QUOTES)].map((match) => (match[1] ?? match[2] ?? match[3] ?? "").trim()).filter((quoted) => quoted.length > 0);
}

/** Names inside `{{…}}`, each once, in order. */
export function fieldNames(text: string): string[] {
	return [...new Set([...text.matchAll(FIELD)].map((match) => match[1] as string))];
}

/** The ways that a condition or description can be met: its quoted phrases and its listed parts. */
export function splitAlternatives(text: string): string[] {
	const plain = text.replace(QUOTES, " 、 ").split(/[。.!！?？]|[:：]/u);
	const parts = plain
		.flatMap((sentence) => sentence.split(SEPARATOR))
		.map((part) => part.trim())
		.filter((part) => part.length > 1);
	return [...new Set([...quotedTexts(text), ...parts])];
}

function parseGuards(condition: string): { guards: Guard[]; rest: string } {
	const guards: Guard[] = [];
	const rest = condition.replace(GUARD, (_all, negation: string | undefined, absent?: string, present?: string, field?: string, value?: string) => {
		if (negation && absent) guards.push({ field: absent, test: "absent", value: null });
		else if (present) guards.push({ field: present, test: "present", value: null });
		else if (field) guards.push({ field, test: "equals", value: (value ?? "").replace(/^[“"「]|[”"」]$/gu, "") });
		return " ";
	});
	return { guards, rest: rest.replace(/(?:并且|而且|同时|且|\band\b)\s*$/iu, "").trim() };
}

/** Position of the colon that ends the condition: the first one outside quotation marks. */
function findColon(text: string): number {
	let quoted = false;
	for (let i = 0; i < text.length; i++) {
		const char = text[i] as string;
		if (char === "“" || char === "「") quoted = true;
		else if (char === "”" || char === "」") quoted = false;
		else if (char === '"') quoted = !quoted;
		else if (!quoted && (char === ":" || char === "：")) return i;
	}
	return -1;
}

function parseRule(text: string, index: number, line: number): SkillRule | null {
	const head = RULE_HEAD.exec(text);
	const colon = findColon(text);
	if (!head || colon < 0) return null;
	const { guards, rest } = parseGuards(text.slice(head[0].length, colon).trim());
	const action = text.slice(colon + 1).trim();
	const wordings = quotedTexts(action);
	const alternatives = splitAlternatives(rest);
	return {
		index,
		line,
		text,
		condition: rest,
		alternatives: alternatives.length > 0 ? alternatives : [rest],
		guards,
		action,
		wordings,
		fields: fieldNames(wordings.join(" ")),
		instructions: action.replace(QUOTES, " "),
	};
}

/** Reads a skill's body as rules and prohibitions; every other line is guidance that only a language model can use. */
export function parseSkillBody(body: string): ParsedSkill {
	const known = cache.get(body);
	if (known) return known;
	const parsed: ParsedSkill = { rules: [], prohibitions: [] };
	body.split(/\r?\n/u).forEach((raw, i) => {
		const bullet = BULLET.exec(raw)?.[1]
			?.replace(/\*\*|__/gu, "")
			.trim();
		if (!bullet) return;
		if (PROHIBITION.test(bullet)) parsed.prohibitions.push({ text: bullet.replace(PROHIBITION, "").trim(), words: quotedTexts(bullet) });
		else {
			const rule = parseRule(bullet, parsed.rules.length, i + 1);
			if (rule) parsed.rules.push(rule);
		}
	});
	if (cache.size > 2000) cache.clear();
	cache.set(body, parsed);
	return parsed;
}
