import type { RubricItem } from "@/server/judge/contract";
import { sha256 } from "@/server/kernel/hash";
import type { CaseMapping } from "../contract";
import { type Reason, reasonOf } from "./import-texts";

export type Dialect = "case" | "table" | "promptfoo" | "openai-evals" | "openai-chat";

/** A row as a case before validation: `split` and `group` may be missing. */
export interface RowCase {
	[key: string]: unknown;
}

export type MappedRow = { ok: true; value: RowCase; notes: Reason[] } | ({ ok: false } & Reason);

const HINTS: Record<keyof CaseMapping, readonly string[]> = {
	message: ["message", "instruction", "question", "query", "utterance", "user_message", "input", "prompt", "text", "body", "问题", "消息", "提问", "用户问题"],
	id: ["id", "case_id", "key", "编号"],
	category: ["intent", "category", "label", "topic", "类别", "意图", "分类"],
	split: ["split", "划分"],
	group: ["group", "group_key", "分组"],
	reference: ["reference", "response", "answer", "ideal", "expected", "expected_output", "reply", "output", "回复", "答案", "参考回复"],
	tags: ["tags", "标签"],
	skills: ["skills", "expected_skills", "skill"],
	tools: ["tools", "expected_tools", "tool"],
	contains: ["contains", "must_contain", "required"],
};

/** The mapping that the columns' names suggest; null when none of them looks like a message. */
export function guessMapping(columns: readonly string[]): CaseMapping | null {
	const byName = new Map(columns.map((column) => [column.trim().toLowerCase(), column]));
	const find = (key: keyof CaseMapping) => HINTS[key].map((hint) => byName.get(hint)).find((column) => column !== undefined);
	const message = find("message");
	if (!message) return null;
	const mapping: CaseMapping = { message };
	for (const key of Object.keys(HINTS) as (keyof CaseMapping)[]) {
		const column = find(key);
		if (key !== "message" && column && column !== message) mapping[key] = column;
	}
	return mapping;
}

/** How the rows of a file are to be read, by the shape of the first one. */
export function recognizeDialect(record: Record<string, unknown>): Dialect {
	if (record.vars && typeof record.vars === "object") return "promptfoo";
	if (Array.isArray(record.input) && "ideal" in record) return "openai-evals";
	if (Array.isArray(record.messages)) return "openai-chat";
	if (Object.keys(record).some((key) => key.startsWith("__expected"))) return "promptfoo";
	if (typeof record.message === "string" && (Array.isArray(record.rubric) || Array.isArray(record.history) || "room" in record || "expect" in record))
		return "case";
	return "table";
}

const asText = (value: unknown): string =>
	value === null || value === undefined ? "" : typeof value === "string" ? value.trim() : typeof value === "object" ? JSON.stringify(value) : String(value);
const list = (text: string, separator: RegExp): string[] =>
	text
		.split(separator)
		.map((part) => part.trim())
		.filter(Boolean);

/** A stable id for a row without one: category and a short hash of what is asked, so that a second import of the file agrees. */
export function defaultId(category: string, text: string): string {
	const slug = category
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 60);
	return `${slug || "case"}-${sha256(text).slice(0, 12)}`;
}

function fromTable(record: Record<string, unknown>, mapping: CaseMapping): MappedRow {
	const cell = (key: keyof CaseMapping) => (mapping[key] ? asText(record[mapping[key]]) : "");
	const value: RowCase = { message: cell("message") };
	for (const key of ["id", "category", "split", "group", "reference"] as const) if (cell(key)) value[key] = cell(key);
	if (cell("tags")) value.tags = list(cell("tags"), /[,;，；]/);
	const skills = list(cell("skills"), /[,;，；]/);
	const tools = list(cell("tools"), /[,;，；]/);
	value.expect = { ...(skills.length > 0 ? { skills } : {}), ...(tools.length > 0 ? { tools } : {}) };
	const contains = list(cell("contains"), /\|/);
	if (contains.length > 0) value.rubric = [{ kind: "contains", any: contains }];
	return { ok: true, value, notes: [] };
}

/** A promptfoo assertion as a rubric item; a note where the studio has no such kind (JavaScript, Python, similarity …). */
function fromAssertion(type: string, argument: unknown): { item: RubricItem | null; note: Reason | null } {
	const negate = type.startsWith("not-");
	const kind = type.replace(/^not-/, "");
	const texts = (Array.isArray(argument) ? argument : [argument]).map(asText).filter(Boolean);
	if (["contains", "icontains", "equals", "contains-any", "icontains-any"].includes(kind) && texts.length > 0) {
		const any = kind.endsWith("-any") && texts.length === 1 ? list(texts[0] ?? "", /,/) : texts;
		return {
			item: negate ? { kind: "not-contains", any, dimension: "accuracy" } : { kind: "contains", any, dimension: "effectiveness" },
			note: null,
		};
	}
	if (kind === "regex" && texts[0]) return { item: { kind: "regex", pattern: texts[0], negate, dimension: "effectiveness" }, note: null };
	if (kind === "llm-rubric" && texts[0] && !negate) return { item: { kind: "llm-rubric", text: texts[0], dimension: "effectiveness" }, note: null };
	if (kind === "is-json")
		return {
			item: { kind: "json-schema", schema: typeof argument === "object" && argument ? (argument as Record<string, unknown>) : {}, dimension: "effectiveness" },
			note: null,
		};
	return { item: null, note: reasonOf("assertion-left-out", { type }) };
}

function fromPromptfoo(record: Record<string, unknown>, mapping: CaseMapping | undefined): MappedRow {
	const isTable = !(record.vars && typeof record.vars === "object");
	const vars = (isTable ? Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith("__"))) : record.vars) as Record<string, unknown>;
	const names = Object.keys(vars);
	const column = mapping?.message ?? (names.length === 1 ? names[0] : guessMapping(names)?.message);
	if (!column || !(column in vars))
		return { ok: false, ...(names.length > 0 ? reasonOf("message-variables", { names: names.join(", ") }) : reasonOf("message-variable")) };
	const rubric: RubricItem[] = [];
	const notes: Reason[] = [];
	const add = (type: string, argument: unknown) => {
		const { item, note } = fromAssertion(type, argument);
		if (item) rubric.push(item);
		if (note) notes.push(note);
	};
	if (isTable) {
		for (const [key, raw] of Object.entries(record)) {
			if (!key.startsWith("__expected")) continue;
			const match = /^([a-z-]+)(?::\s*([\s\S]*))?$/.exec(asText(raw));
			if (match?.[1]) add(match[1], match[2] ?? "");
			else if (asText(raw)) add("equals", raw);
		}
	} else {
		for (const entry of Array.isArray(record.assert) ? record.assert : []) {
			const assertion = entry as { type?: unknown; value?: unknown };
			add(asText(assertion.type), assertion.value);
		}
	}
	const metadata = (record.metadata ?? {}) as Record<string, unknown>;
	const category = asText(metadata.category ?? record["__metadata:category"]);
	return { ok: true, value: { message: asText(vars[column]), rubric, ...(category ? { category } : {}) }, notes };
}

type ChatTurn = { role?: unknown; content?: unknown };

/** Turns before the last user message are history; a system message belongs to the harness and is left out. */
function fromChat(turns: readonly ChatTurn[]): { message: string; history: { role: "viewer" | "agent"; text: string }[]; reply: string } | null {
	const spoken = turns.filter((turn) => turn.role === "user" || turn.role === "assistant");
	const last = spoken.map((turn) => turn.role).lastIndexOf("user");
	if (last < 0) return null;
	return {
		message: asText(spoken[last]?.content),
		history: spoken.slice(0, last).map((turn) => ({ role: turn.role === "user" ? ("viewer" as const) : ("agent" as const), text: asText(turn.content) })),
		reply: asText(spoken[last + 1]?.content),
	};
}

function fromOpenAi(record: Record<string, unknown>, dialect: "openai-evals" | "openai-chat"): MappedRow {
	const chat = fromChat((dialect === "openai-evals" ? record.input : record.messages) as ChatTurn[]);
	if (!chat) return { ok: false, ...reasonOf("no-user-message") };
	const base = { message: chat.message, history: chat.history, ...(asText(record.category) ? { category: asText(record.category) } : {}) };
	if (dialect === "openai-chat") return { ok: true, value: { ...base, ...(chat.reply ? { reference: chat.reply } : {}) }, notes: [] };
	const ideal = (Array.isArray(record.ideal) ? record.ideal : [record.ideal]).map(asText).filter(Boolean);
	const rubric = ideal.length > 0 ? [{ kind: "contains", any: ideal }] : [];
	return { ok: true, value: { ...base, rubric, ...(ideal[0] ? { reference: ideal[0] } : {}) }, notes: [] };
}

/** One row of any known shape as an unvalidated case. */
export function mapRow(record: Record<string, unknown>, dialect: Dialect, mapping: CaseMapping | undefined): MappedRow {
	switch (dialect) {
		case "case":
			return { ok: true, value: { ...record }, notes: [] };
		case "promptfoo":
			return fromPromptfoo(record, mapping);
		case "openai-evals":
		case "openai-chat":
			return fromOpenAi(record, dialect);
		case "table":
			return mapping ? fromTable(record, mapping) : { ok: false, ...reasonOf("message-column") };
	}
}
