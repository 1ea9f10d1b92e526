import { copyParameters, type Parameters } from "@/server/compact";
import { AppError } from "@/server/kernel/errors";
import { type StageName, StageNameSchema } from "../contract";
import type { TrainingState } from "./run-training";

/* Layout: length and text of a JSON header, then for each table the numbers of its rows and the rows, all little endian. */

const ROW = 48;

interface Header {
	stage: StageName;
	step: number;
	position: number;
	optimiserSteps: number;
	/** Null where no best is kept. */
	bestScore: number | null;
	/** Rows of each table. */
	rows: number[];
}

/** Rows of `table` that differ from `reference` (from 0 where there is none). */
function changedRows(table: Float32Array, reference: Float32Array | null): Uint32Array {
	const rows: number[] = [];
	for (let at = 0; at < table.length; at += ROW) {
		for (let i = at; i < Math.min(at + ROW, table.length); i++) {
			if (table[i] !== (reference ? reference[i] : 0)) {
				rows.push(at / ROW);
				break;
			}
		}
	}
	return Uint32Array.from(rows);
}

const learnt = (parameters: Parameters, base: Parameters) => [
	{ table: parameters.embedding, reference: base.embedding },
	{ table: parameters.identity, reference: base.identity },
	{ table: parameters.scalars, reference: base.scalars },
];

const tablesOf = ({ parameters, optimiser, best }: TrainingState, base: Parameters): { table: Float32Array; reference: Float32Array | null }[] => [
	...learnt(parameters, base),
	...(best ? learnt(best.parameters, base) : []),
	...optimiser.moments.map((table) => ({ table, reference: null })),
];

/** A state as bytes: what differs from the base, and the moments that are not 0. `position` is the number of records so far. */
export function writeState(state: TrainingState, base: Parameters, position: number): Uint8Array<ArrayBuffer> {
	const parts = tablesOf(state, base).map(({ table, reference }) => ({ table, rows: changedRows(table, reference) }));
	const header: Header = {
		stage: state.stage,
		step: state.step,
		position,
		optimiserSteps: state.optimiser.steps,
		bestScore: state.best?.score ?? null,
		rows: parts.map(({ rows }) => rows.length),
	};
	const json = Buffer.from(JSON.stringify(header));
	const length = Buffer.alloc(4);
	length.writeUInt32LE(json.length);
	const chunks: Uint8Array[] = [length, json];
	for (const { table, rows } of parts) {
		const values = new Float32Array(rows.length * ROW);
		rows.forEach((row, i) => {
			values.set(table.subarray(row * ROW, (row + 1) * ROW), i * ROW);
		});
		chunks.push(Buffer.from(rows.buffer), Buffer.from(values.buffer));
	}
	return new Uint8Array(Buffer.concat(chunks));
}

/** Reads a state over its base. Throws `precondition` for bytes that are none. */
export function readState(bytes: Uint8Array, base: Parameters): TrainingState & { position: number } {
	try {
		const buffer = Buffer.from(bytes);
		const end = 4 + buffer.readUInt32LE(0);
		const header = JSON.parse(buffer.subarray(4, end).toString()) as Header;
		const sizes = [base.embedding, base.identity, base.scalars];
		const moments = sizes.flatMap((table) => [new Float32Array(table.length), new Float32Array(table.length)]);
		const best = header.bestScore === null ? null : { score: header.bestScore, parameters: copyParameters(base) };
		const state: TrainingState = {
			stage: StageNameSchema.parse(header.stage),
			step: header.step,
			parameters: copyParameters(base),
			optimiser: { steps: header.optimiserSteps, moments },
			best,
		};
		let at = end;
		tablesOf(state, base).forEach(({ table }, i) => {
			const count = header.rows[i] as number;
			const values = at + count * 4;
			for (let r = 0; r < count; r++) {
				const row = buffer.readUInt32LE(at + r * 4) * ROW;
				for (let d = 0; d < ROW && row + d < table.length; d++) table[row + d] = buffer.readFloatLE(values + (r * ROW + d) * 4);
			}
			at = values + count * ROW * 4;
		});
		return { ...state, position: header.position };
	} catch (cause) {
		throw new AppError("precondition", "The saved state of this training cannot be read.", {
			reason: "training-state",
			fix: "Start the training again.",
			cause,
		});
	}
}
