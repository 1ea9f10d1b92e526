import { AppError } from "@/server/kernel/errors";
import { DECISION_KINDS } from "./decision";
import { DIMENSIONS } from "./features";
import { type Parameters, SCALARS } from "./parameters";

/**
 * The largest magnitude of each table in the base checkpoint, rounded up: of one weight, and of one row of the encoder or of
 * the names (its norm). The shipped HAT checkpoint has 0.45 / 1.22 (encoder), 1.64 / 7.2 (names) and 14.5 (scorer).
 */
const BASE = { encoder: { weight: 0.07, row: 0.15 }, names: { weight: 0.06, row: 0.21 }, scorer: { weight: 12.5 } } as const;
/** How far from the base training may go, both ways. Of ours, and generous: the HAT training went 35 times as far in the norm of a row. */
const FACTOR = 1000;

/** A part of a checkpoint as errors name it: the table of grams, the table of exact names, the scorer's own weights. */
type Part = keyof typeof BASE;
const NAMES: Record<Part, string> = { encoder: "encoder (the table of grams)", names: "table of exact names", scorer: "scorer" };

/** Five digits are enough for a person, and a weight of 1e30 is not written with thirty zeros. */
const say = (value: number): string => String(Number(value.toPrecision(5)));

const FIX = "Train again, or give a file that a training of this studio wrote (Download on a checkpoint's page, export-checkpoint).";

/** Throws `bad-input` for a magnitude beyond what training gives. */
function requireAtMost(part: Part, what: "weight" | "row", value: number, place: string, base: number): void {
	const most = base * FACTOR;
	if (Math.abs(value) <= most) return;
	const words = what === "row" ? `a row whose norm is ${say(value)}` : `a weight of ${say(value)}`;
	throw new AppError(
		"bad-input",
		`This checkpoint cannot come from training: its ${NAMES[part]} has ${words} (${place}); ${say(most)} is the most, ${FACTOR} times the base checkpoint's.`,
		{ reason: "checkpoint-weight-large", params: { part, what, value: say(value), place, most: say(most), factor: FACTOR }, fix: FIX },
	);
}

/** Throws `bad-input` for a part without weights: whatever is said, every candidate would be the same to it. */
function requireSome(part: Part, largest: number, least: number, place: string): void {
	if (largest >= least) return;
	throw new AppError(
		"bad-input",
		`This checkpoint cannot come from training: its ${NAMES[part]} holds next to nothing (${place}: ${say(largest)} is the largest weight).`,
		{ reason: "checkpoint-weight-none", params: { part, value: say(largest), place }, fix: FIX },
	);
}

/** Largest magnitudes of a table: of a weight and of a row's norm, with where they are. */
function extremes(table: Float32Array): { weight: number; at: number; row: number; rowAt: number } {
	const found = { weight: 0, at: 0, row: 0, rowAt: 0 };
	for (let start = 0; start < table.length; start += DIMENSIONS) {
		let squares = 0;
		for (let at = start; at < start + DIMENSIONS; at++) {
			const value = table[at] as number;
			squares += value * value;
			if (Math.abs(value) > Math.abs(found.weight)) Object.assign(found, { weight: value, at });
		}
		if (squares > found.row) Object.assign(found, { row: squares, rowAt: start / DIMENSIONS });
	}
	return { ...found, row: Math.sqrt(found.row) };
}

/**
 * Refuses finite weights that no training gives, which would act, and act badly: beyond 1000 times the base checkpoint's
 * largest magnitude, or (but for the table of names, which starts empty) under a thousandth of it. Throws `bad-input` with
 * the part, the value and its place.
 */
export function requirePlausible({ embedding, identity, scalars }: Pick<Parameters, "embedding" | "identity" | "scalars">): void {
	for (const [part, table] of [["encoder", embedding] as const, ["names", identity] as const]) {
		const { weight, at, row, rowAt } = extremes(table);
		requireAtMost(part, "weight", weight, `row ${Math.floor(at / DIMENSIONS)}, dimension ${at % DIMENSIONS}`, BASE[part].weight);
		requireAtMost(part, "row", row, `row ${rowAt}`, BASE[part].row);
		if (part === "encoder") requireSome(part, Math.abs(weight), BASE.encoder.weight / FACTOR, "all rows");
	}
	for (const [index, kind] of DECISION_KINDS.entries()) {
		const own = SCALARS.map((scalar, i) => ({ scalar, value: scalars[index * SCALARS.length + i] as number }));
		for (const { scalar, value } of own) requireAtMost("scorer", "weight", value, `${kind}.${scalar}`, BASE.scorer.weight);
		requireSome("scorer", Math.max(...own.map(({ value }) => Math.abs(value))), BASE.scorer.weight / FACTOR, kind);
	}
}
