import fs from "node:fs";
import { AppError, messageOf } from "@/server/kernel/errors";
import { computeAdvantages } from "@/server/training";
import { REWARD_DIMENSIONS, type RewardRow, RewardRowsSchema } from "@/server/training/contract";
import type { CommandResult } from "./output";

const MAX_BYTES = 64 * 1024 * 1024;
const SHAPE = 'Give a JSON list of rows: [{"group": "g1", "rewards": {"accuracy": 1, "effectiveness": 0.5, "skill": 1, "tool": 1}}].';
const bad = (message: string, fix = SHAPE) => new AppError("bad-input", message, { reason: "reward-rows-invalid", fix });

function readRows(file: string): RewardRow[] {
	if (!fs.existsSync(file) || !fs.statSync(file).isFile()) throw new AppError("bad-input", `There is no file ${file}.`, { reason: "file-missing", fix: SHAPE });
	if (fs.statSync(file).size > MAX_BYTES) throw bad(`${file} is larger than 64 MB.`, "Split it by group.");
	let json: unknown;
	try {
		json = JSON.parse(fs.readFileSync(file, "utf8").replace(/^\uFEFF/u, ""));
	} catch (error) {
		throw bad(`${file} is not JSON: ${messageOf(error)}`, `${SHAPE} JSON knows no NaN: write null where a dimension does not apply.`);
	}
	const parsed = RewardRowsSchema.safeParse(json);
	if (parsed.success) return parsed.data;
	const lines = parsed.error.issues.slice(0, 10).map((issue) => `${issue.path.length > 0 ? `rows[${issue.path.join("][")}]` : "rows"}: ${issue.message}`);
	throw bad(lines.join("\n"));
}

/** Why a row has no advantage: nothing to compare it with, nothing to compare, or nothing that differs from its group. */
function whyDropped({ group, rewards }: RewardRow, sizes: ReadonlyMap<string, number>): "alone" | "no-reward" | "equal" {
	if (REWARD_DIMENSIONS.every((dimension) => typeof rewards[dimension] !== "number")) return "no-reward";
	return (sizes.get(group) ?? 0) < 2 ? "alone" : "equal";
}

/** `advantages --file ROWS.json`: GDPO advantages of rewarded samples, per dimension, summed, batch-normalised, with what is dropped. */
export function advantages(file: string): CommandResult {
	const rows = readRows(file);
	const computed = computeAdvantages(rows);
	const sizes = new Map<string, number>();
	for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1);
	const dropped = computed.filter((advantage) => advantage.dropped).length;
	return {
		document: {
			rows: computed.map((advantage, i) => {
				const row = rows[i] as RewardRow;
				return {
					group: row.group,
					advantages: advantage.perDimension,
					/** Dimensions without a value: they contribute 0. */
					missing: REWARD_DIMENSIONS.filter((dimension) => typeof row.rewards[dimension] !== "number"),
					sum: advantage.sum,
					batchNormalised: advantage.value,
					dropped: advantage.dropped,
					why: advantage.dropped ? whyDropped(row, sizes) : null,
				};
			}),
			groups: sizes.size,
			dropped,
			droppedShare: dropped / rows.length,
		},
	};
}
