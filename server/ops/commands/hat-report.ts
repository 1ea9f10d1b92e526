import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { AppError, messageOf } from "@/server/kernel/errors";
import { AblationDocumentSchema, type Claim, ClaimSchema, type Estimate, EstimateSchema } from "@/server/training/contract";
import type { CommandResult } from "./output";

/** What is printed of an ablation: the rest of its document is left aside. */
const AblationSchema = AblationDocumentSchema.pick({ workspace: true, split: true, seeds: true, cases: true, seconds: true, table: true, claims: true });
type Ablation = z.infer<typeof AblationSchema>;

/** The same of the roads. */
const RoadsSchema = z.object({
	kind: z.literal("roads"),
	workspace: z.string(),
	split: z.enum(["dev", "test"]),
	seeds: z.number().int(),
	edits: z.object({ all: z.number(), measured: z.number() }),
	cases: z.object({ sft: z.number(), rl: z.number(), measured: z.number() }),
	machine: z.object({ processor: z.string(), node: z.string() }),
	messagesBetweenEdits: z.number(),
	table: z.array(
		z.object({
			road: z.string(),
			before: EstimateSchema,
			t1: EstimateSchema,
			t2: EstimateSchema,
			t1AgainstHat: EstimateSchema.nullable(),
			t2AgainstHat: EstimateSchema.nullable(),
			latency: z.object({ p50: z.number(), p95: z.number() }),
			cost: z.object({ trainings: z.number(), training: z.number(), perTraining: z.number(), perThousand: z.number(), cumulative: z.number() }),
		}),
	),
	claims: z.array(ClaimSchema),
});
type Roads = z.infer<typeof RoadsSchema>;

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
const half = ({ low, high }: Estimate) => ((high - low) * 50).toFixed(1);
const cell = (value: Estimate | null | undefined) => (value ? `${times100(value.value)} ± ${half(value)}` : "–");
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function renderClaims(claims: readonly Claim[]): string[] {
	return [
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
	];
}

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
const signed = (value: Estimate | null) => (value ? `${value.value < 0 ? "−" : "+"}${times100(Math.abs(value.value))} ± ${half(value)}` : "–");

/** The roads as Markdown: quality after the edits, what a message takes, and what all of it costs. */
export function renderRoads(found: Roads): string {
	const { workspace, split, seeds, cases, edits, machine, messagesBetweenEdits, table, claims } = found;
	const between = messagesBetweenEdits.toLocaleString("en");
	const of = edits.measured === edits.all ? "" : ` of ${edits.all}, evenly apart`;
	return [
		`\`${workspace}\`: ${cases.measured} cases of \`${split}\` after each of ${plural(edits.measured, "edit")}${of}, ${plural(seeds, "seed")}; trained on ${cases.sft} messages for SFT and ${cases.rl} for RL. Points × 100, ± half of the 95 % interval of resampled seeds and groups of cases; times are processor time of one ${machine.processor} (Node ${machine.node}). The last column adds up the trainings and ${between} messages under each harness.`,
		"",
		line([
			"",
			"T1 before",
			"T1 after",
			"T2 after",
			"T1 against HAT",
			"T2 against HAT",
			"ms a message, p50",
			"p95",
			"trainings",
			"s each",
			"s a 1,000 messages",
			"s in all",
		]),
		line(["---", ...Array.from({ length: 11 }, () => "---")]),
		...table.map(({ road, before, t1, t2, t1AgainstHat, t2AgainstHat, latency, cost }) =>
			line([
				road,
				...[before, t1, t2].map(cell),
				...[t1AgainstHat, t2AgainstHat].map(signed),
				latency.p50.toFixed(2),
				latency.p95.toFixed(2),
				String(cost.trainings),
				cost.perTraining.toFixed(0),
				cost.perThousand.toFixed(1),
				cost.cumulative.toFixed(0),
			]),
		),
		"",
		...renderClaims(claims),
	].join("\n");
}

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
		...renderClaims(claims),
	].join("\n");
}

const render = (value: unknown): string => {
	const isRoads = (value as { kind?: unknown } | null)?.kind === "roads";
	return isRoads ? renderRoads(RoadsSchema.parse(value)) : renderAblation(AblationSchema.parse(value));
};

const SECTION = /<!-- measured: ([\w./-]+) -->\n[\s\S]*?<!-- end -->/gu;

/** A text with every section `<!-- measured: FILE -->` filled from its file; a missing or unreadable file throws `bad-input`. */
export function fillMeasured(text: string, read: (file: string) => string): string {
	return text.replace(SECTION, (_all, file: string) => {
		try {
			return `<!-- measured: ${file} -->\n${render(JSON.parse(read(file)))}\n<!-- end -->`;
		} catch (error) {
			throw new AppError("bad-input", `${file} is nothing that was measured: ${messageOf(error).slice(0, 300)}`, {
				reason: "bad-options",
				fix: "Make it with hat-ablation --json or hat-roads --json.",
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
