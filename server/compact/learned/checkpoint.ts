import { createHash } from "node:crypto";
import * as z from "zod";
import { AppError } from "@/server/kernel/errors";
import { DECISION_KINDS } from "./decision";
import { BUCKETS, DIMENSIONS, IDENTITY_ROWS } from "./features";
import { fromHalf, toHalf } from "./half";
import { type Parameters, SCALAR_COUNT } from "./parameters";
import { requirePlausible } from "./plausible";

/* Layout: 8 bytes magic, 4 bytes length of the header (little endian), header as JSON, tables as half floats, scalars as floats. */

const MAGIC = "HESCKPT1";
const FORMAT = 1;
/** A file larger than this is no checkpoint of the compact policy. */
export const MAX_CHECKPOINT_BYTES = 5 * 1024 * 1024;
const MAX_HEADER = 64 * 1024;

const HeaderSchema = z.object({
	format: z.literal(FORMAT),
	dimensions: z.literal(DIMENSIONS),
	buckets: z.literal(BUCKETS),
	identityRows: z.literal(IDENTITY_ROWS),
	kinds: z.array(z.string()).refine((kinds) => kinds.join() === DECISION_KINDS.join(), "other kinds of decisions"),
	/** SHA-256 of all that follows the header. */
	digest: z.string(),
	/** Where it comes from: recipe, seed, data. For people and for the policy version. */
	made: z.record(z.string(), z.unknown()),
});

export interface Checkpoint {
	parameters: Parameters;
	/** Of the weights alone. */
	digest: string;
	made: Record<string, unknown>;
}

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Bytes of a checkpoint: half precision, at most 5 MB. What is read back acts the same wherever it is read. */
export function writeCheckpoint(parameters: Parameters, made: Record<string, unknown>): Uint8Array {
	const tables = new Uint8Array((parameters.embedding.length + parameters.identity.length) * 2 + SCALAR_COUNT * 4);
	const view = new DataView(tables.buffer);
	let at = 0;
	for (const table of [parameters.embedding, parameters.identity]) {
		for (const value of table) {
			view.setUint16(at, toHalf(value), true);
			at += 2;
		}
	}
	for (const value of parameters.scalars) {
		view.setFloat32(at, value, true);
		at += 4;
	}
	const digest = sha(tables);
	const header = { format: FORMAT, dimensions: DIMENSIONS, buckets: BUCKETS, identityRows: IDENTITY_ROWS, kinds: DECISION_KINDS, digest, made };
	const json = new TextEncoder().encode(JSON.stringify(header));
	const length = new Uint8Array(4);
	new DataView(length.buffer).setUint32(0, json.length, true);
	return Buffer.concat([Buffer.from(MAGIC, "latin1"), length, json, tables]);
}

const refuse = (why: string) =>
	new AppError("bad-input", `This is no checkpoint that can act here: ${why}.`, {
		reason: "checkpoint-format",
		fix: "Give a file that this version of the studio wrote (Download on a checkpoint's page, export-checkpoint).",
	});

function readHeader(bytes: Uint8Array): { header: z.infer<typeof HeaderSchema>; tables: Uint8Array } {
	if (bytes.length > MAX_CHECKPOINT_BYTES) throw refuse("it is larger than 5 MB");
	if (bytes.length < 12 || Buffer.from(bytes.subarray(0, 8)).toString("latin1") !== MAGIC) throw refuse("it does not begin as one");
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
	if (length > MAX_HEADER || 12 + length > bytes.length) throw refuse("its header is cut short");
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
	} catch {
		throw refuse("its header is not readable");
	}
	const parsed = HeaderSchema.safeParse(json);
	if (!parsed.success) throw refuse(`its header says something else (${parsed.error.issues[0]?.path.join(".") || "format"})`);
	return { header: parsed.data, tables: bytes.subarray(12 + length) };
}

/** Reads a checkpoint. Throws `bad-input` for another format, a damaged file, weights that are no numbers, or such as no training gives. */
export function readCheckpoint(bytes: Uint8Array): Checkpoint {
	const { header, tables } = readHeader(bytes);
	const size = (BUCKETS + IDENTITY_ROWS) * DIMENSIONS * 2 + SCALAR_COUNT * 4;
	if (tables.length !== size) throw refuse("its weights are cut short");
	if (sha(tables) !== header.digest) throw refuse("its weights are damaged");
	const view = new DataView(tables.buffer, tables.byteOffset, tables.byteLength);
	const embedding = new Float32Array(BUCKETS * DIMENSIONS);
	const identity = new Float32Array(IDENTITY_ROWS * DIMENSIONS);
	const scalars = new Float32Array(SCALAR_COUNT);
	let at = 0;
	for (const table of [embedding, identity]) {
		for (let i = 0; i < table.length; i++, at += 2) table[i] = fromHalf(view.getUint16(at, true));
	}
	for (let i = 0; i < scalars.length; i++, at += 4) scalars[i] = view.getFloat32(at, true);
	if (![embedding, identity, scalars].every((table) => table.every(Number.isFinite))) throw refuse("some of its weights are no numbers");
	requirePlausible({ embedding, identity, scalars });
	return { parameters: { embedding, identity, scalars, version: 0 }, digest: header.digest, made: header.made };
}
