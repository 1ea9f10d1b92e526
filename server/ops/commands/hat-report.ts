import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { AppError, messageOf } from "@/server/kernel/errors";
import type { CommandResult } from "./output";

/** What is printed of an ablation: the rest of its document is left aside. */
const EstimateSchema = z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable();
const AblationSchema = z.object({
	workspace: z.string(),
	split: z.enum(["dev", "test"]),
	seeds: z.number().int(),
	cases: z.object({ sft: z.number(), rl: z.number(), simulated: z.number(), dev: z.number(), measured: z.number() }),
	seconds: z.object({ wall: z.number(), cpu: z.number() }),
	table: z.array(z.object({ policy: z.string(), cells: z.record(z.string(), EstimateSchema), gap: EstimateSchema })),
	claims: z.array(z.object({ claim: z.string(), estimate: EstimateSchema, needed: z.number(), holds: z.string(), certain: z.boolean() })),
});
type Ablation = z.infer<typeof AblationSchema>;
type Estimate = z.infer<typeof EstimateSchema>;

const COLUMNS: [key: string, title: string][] = [
	["t1", "T1"],
	["t2", "T2 inside"],
	["heldOut", "T2 held-out"],
	["renamed", "renamed only"],
	["rewritten", "rewritten only"],
	["distractors", "distractors only"],
	["t3Tool", "T3 tool"],
	["t3Prompt", "T3 prompt"],
	["skill", "skill"],
	["tool", "tool"],
	["general", "general"],
];

const times100 = (value: number) => (value * 100).toFixed(1);
const half = ({ low, high }: NonNullable<Estimate>) => ((high - low) * 50).toFixed(1);
const cell = (value: Estimate | undefined) => (value ? `${times100(value.value)} ± ${half(value)}` : "–");
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** An ablation as Markdown: what was measured on what, the table, and each claim with the number that decides. */
export function renderAblation(found: Ablation): string {
	const { workspace, split, seeds, cases, seconds, table, claims } = found;
	return [
		`\`${workspace}\`: ${cases.measured} cases of \`${split}\`, ${seeds} ${seeds === 1 ? "seed" : "seeds"}; trained on ${cases.sft} messages for SFT and ${cases.rl} for RL (${cases.simulated} of them simulated); ${seconds.cpu} s of processor time. Points × 100, ± half of the 95 % interval of resampled seeds and groups of cases.`,
		"",
		line(["", ...COLUMNS.map(([, title]) => title), "gap T1 − T2"]),
		line(["---", ...COLUMNS.map(() => "---"), "---"]),
		...table.map(({ policy, cells, gap }) => line([policy, ...COLUMNS.map(([key]) => cell(cells[key])), cell(gap)])),
		"",
		line(["claim", "needed", "measured (95 %)", ""]),
		line(["---", "---", "---", "---"]),
		...claims.map(({ claim, needed, estimate, holds, certain }) =>
			line([
				claim,
				times100(needed),
				estimate ? `${times100(estimate.value)} (${times100(estimate.low)} … ${times100(estimate.high)})` : "–",
				holds === "not measured" || certain ? holds : `${holds}, the interval reaches over the bound`,
			]),
		),
	].join("\n");
}

const SECTION = /<!-- measured: ([\w./-]+) -->\n[\s\S]*?<!-- end -->/gu;

/** A text with every section `<!-- measured: FILE -->` filled from its file; a missing or unreadable file throws `bad-input`. */
export function fillMeasured(text: string, read: (file: string) => string): string {
	return text.replace(SECTION, (_all, file: string) => {
		try {
			return `<!-- measured: ${file} -->\n${renderAblation(AblationSchema.parse(JSON.parse(read(file))))}\n<!-- end -->`;
		} catch (error) {
			throw new AppError("bad-input", `${file} is no ablation: ${messageOf(error).slice(0, 300)}`, {
				reason: "bad-options",
				fix: "Make it with hat-ablation --json.",
			});
		}
	});
}

/** `hat-report FILE`: prints the measured figures into a page; with `check` only says whether they are there as measured. */
export function hatReport(file: string, check: boolean): CommandResult {
	const before = fs.readFileSync(file, "utf8");
	const after = fillMeasured(before, (name) => fs.readFileSync(path.resolve(path.dirname(file), name), "utf8"));
	if (!check && after !== before) fs.writeFileSync(file, after);
	return { document: { file, changed: after !== before }, failed: check && after !== before };
}
