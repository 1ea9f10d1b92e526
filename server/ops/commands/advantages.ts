import fs from "node:fs";
import { AppError, messageOf } from "@/server/kernel/errors";
import { computeAdvantages } from "@/server/training";
import { type RewardRow, RewardRowsSchema } from "@/server/training/contract";
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
		throw bad(`${file} is not JSON: ${messageOf(error)}`);
	}
	const parsed = RewardRowsSchema.safeParse(json);
	if (parsed.success) return parsed.data;
	const lines = parsed.error.issues.slice(0, 10).map((issue) => `${issue.path.length > 0 ? `rows[${issue.path.join("][")}]` : "rows"}: ${issue.message}`);
	throw bad(lines.join("\n"));
}

/** `advantages --file ROWS.json`: GDPO advantages of rewarded samples, per dimension, summed, batch-normalised, with what is dropped. */
export function advantages(file: string): CommandResult {
	const rows = readRows(file);
	const computed = computeAdvantages(rows);
	const dropped = computed.filter((advantage) => advantage.dropped).length;
	return {
		document: {
			rows: computed.map((advantage, i) => ({
				group: (rows[i] as RewardRow).group,
				advantages: advantage.perDimension,
				sum: advantage.sum,
				batchNormalised: advantage.value,
				dropped: advantage.dropped,
			})),
			groups: new Set(rows.map((row) => row.group)).size,
			dropped,
			droppedShare: dropped / rows.length,
		},
	};
}
