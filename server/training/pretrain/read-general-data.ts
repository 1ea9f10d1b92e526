import fs from "node:fs";
import path from "node:path";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { AppError, messageOf } from "@/server/kernel/errors";

/** Something that can be chosen: a tool or a skill of the public data. */
export interface Choice {
	name: string;
	description: string;
}

/** A request with what answers it; null where nothing that was offered does. */
export interface GeneralItem {
	kind: "tool" | "skill";
	text: string;
	answer: Choice | null;
	/** What the source offered beside the answer. */
	others: Choice[];
}

export interface GeneralData {
	items: GeneralItem[];
	/** Tools without a request, to choose among. */
	tools: Choice[];
	skills: Choice[];
}

const FunctionSchema = z.object({ name: z.string(), description: z.string().default("") });
const RequestSchema = z.object({
	id: z.string(),
	question: z.array(z.array(z.object({ role: z.string(), content: z.string() })).min(1)).min(1),
	function: z.array(FunctionSchema).min(1),
});
const AnswerSchema = z.object({ id: z.string(), ground_truth: z.array(z.record(z.string(), z.unknown())).min(1) });
const EvalsSchema = z.object({ skill_name: z.string(), evals: z.array(z.object({ prompt: z.string().min(1) })) });

const missing = (what: string, why: string) =>
	new AppError("bad-input", `${what} cannot be read: ${why}.`, {
		reason: "general-data",
		fix: "Give the folder that holds bfcl, agent-skills and mcp-tools.",
	});

function readJsonLines<T>(file: string, schema: z.ZodType<T>): T[] {
	if (!fs.existsSync(file)) throw missing(path.basename(file), "it is not there");
	return fs
		.readFileSync(file, "utf8")
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line, i) => {
			try {
				return schema.parse(JSON.parse(line));
			} catch (error) {
				throw missing(`${path.basename(file)}:${i + 1}`, messageOf(error).slice(0, 200));
			}
		});
}

/** Requests of the function-calling leaderboard: one tool, several tools, and requests that no tool fits. */
function readRequests(folder: string): GeneralItem[] {
	const answersOf = (name: string) =>
		new Map(readJsonLines(path.join(folder, `${name}.answers.jsonl`), AnswerSchema).map((row) => [row.id, Object.keys(row.ground_truth[0] ?? {})[0] ?? ""]));
	const rows = (name: string) => readJsonLines(path.join(folder, `${name}.jsonl`), RequestSchema);
	const textOf = (row: z.infer<typeof RequestSchema>) => row.question[0]?.findLast((turn) => turn.role === "user")?.content ?? "";
	const answered = ["simple_python", "multiple.first100"].flatMap((name) => {
		const answers = answersOf(name);
		return rows(name).flatMap((row): GeneralItem[] => {
			const answer = row.function.find((own) => own.name === answers.get(row.id));
			return answer ? [{ kind: "tool", text: textOf(row), answer, others: row.function.filter((own) => own !== answer) }] : [];
		});
	});
	const none = rows("irrelevance.first120").map((row): GeneralItem => ({ kind: "tool", text: textOf(row), answer: null, others: row.function }));
	return [...answered, ...none].filter((item) => item.text !== "");
}

function filesUnder(folder: string, wanted: (file: string) => boolean): string[] {
	if (!fs.existsSync(folder)) throw missing(path.basename(folder), "it is not there");
	return fs
		.readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && wanted(entry.name))
		.map((entry) => path.join(entry.parentPath, entry.name))
		.sort();
}

function readSkills(folder: string): { skills: Choice[]; items: GeneralItem[] } {
	const skills = filesUnder(folder, (name) => name === "SKILL.md").flatMap((file): Choice[] => {
		const head = /^---\r?\n([\s\S]*?)\r?\n---/u.exec(fs.readFileSync(file, "utf8"))?.[1];
		if (head === undefined) return [];
		const parsed = z.object({ name: z.string(), description: z.string() }).safeParse(safeYaml(head));
		return parsed.success ? [parsed.data] : [];
	});
	const byName = new Map(skills.map((skill) => [skill.name, skill]));
	const items = filesUnder(folder, (name) => name === "evals.json").flatMap((file) => {
		const parsed = EvalsSchema.safeParse(JSON.parse(fs.readFileSync(file, "utf8")));
		const answer = parsed.success ? byName.get(parsed.data.skill_name) : undefined;
		return parsed.success && answer ? parsed.data.evals.map(({ prompt }): GeneralItem => ({ kind: "skill", text: prompt, answer, others: [] })) : [];
	});
	return { skills: [...byName.values()], items };
}

function safeYaml(text: string): unknown {
	try {
		return parseYaml(text);
	} catch {
		return null;
	}
}

function readToolLists(folder: string): Choice[] {
	return filesUnder(folder, (name) => name.endsWith(".tools-list.json")).flatMap((file) => {
		const parsed = z.object({ tools: z.array(FunctionSchema) }).safeParse(JSON.parse(fs.readFileSync(file, "utf8")));
		return parsed.success ? parsed.data.tools : [];
	});
}

/**
 * General tool-selection and skill-routing data of a folder with `bfcl`, `agent-skills` and `mcp-tools`. Nothing of it is
 * ours. Throws `bad-input` where a part is missing or not readable.
 */
export function readGeneralData(folder: string): GeneralData {
	const requests = readRequests(path.join(folder, "bfcl"));
	const { skills, items } = readSkills(path.join(folder, "agent-skills"));
	return { items: [...requests, ...items], tools: readToolLists(path.join(folder, "mcp-tools")), skills };
}
