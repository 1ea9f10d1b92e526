import { z } from "zod";
import type { DatabaseOrTransaction } from "@/server/db/client";

const WaysSchema = z.array(z.string());

/** What is known for these keys; an empty list means that a model was asked and nothing could be used. */
export async function findRewritings(db: DatabaseOrTransaction, keys: readonly string[]): Promise<Map<string, string[]>> {
	const rows = await db.augmentationRewriting.findMany({ where: { key: { in: [...keys] } }, select: { key: true, ways: true } });
	return new Map(rows.map(({ key, ways }) => [key, WaysSchema.parse(ways)]));
}

/** Keeps what is new; what is there stays, so that two who ask at once end up with one answer. */
export async function insertRewritings(db: DatabaseOrTransaction, rows: readonly { key: string; ways: string[] }[]): Promise<void> {
	await db.augmentationRewriting.createMany({ data: [...rows], skipDuplicates: true });
}
