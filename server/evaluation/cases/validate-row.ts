import { canonicalJson } from "@/server/kernel/hash";
import { type CaseFile, CaseSchema, type ImportOptions, type Split } from "../contract";
import { type Reason, reasonOf } from "./import-texts";
import { defaultId } from "./map-row";

/** A row's case, before groups and splits are given. */
export type RowCase = Omit<CaseFile, "split" | "group"> & { split?: Split; group?: string };

/** A row may leave its split to the hash of its group. Made once: building a schema costs more than using it. */
const RowSchema = CaseSchema.partial({ split: true });

/** Why a value cannot be stored in PostgreSQL, or was damaged on its way; null when it can. */
function findBadText(value: unknown): Reason | null {
	if (typeof value === "string") {
		if (value.includes("\u0000")) return reasonOf("nul");
		if (value.includes("\uFFFD")) return reasonOf("wrong-encoding");
		return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value) ? reasonOf("half-character") : null;
	}
	if (value === null || typeof value !== "object") return null;
	for (const [key, inner] of Object.entries(value)) {
		const problem = findBadText(key) ?? findBadText(inner);
		if (problem) return problem;
	}
	return null;
}

/** A mapped row as a case, its id made where it has none; else why it is none. */
export function validateRow(value: Record<string, unknown>, options: ImportOptions): { file: RowCase } | Reason {
	const bad = findBadText(value);
	if (bad) return bad;
	const category = typeof value.category === "string" && value.category.trim() ? value.category.trim() : options.defaultCategory;
	if (!category) return reasonOf("no-category");
	const message = typeof value.message === "string" ? value.message.trim() : "";
	if (!message) return reasonOf("no-message");
	const id =
		typeof value.id === "string" && value.id.trim() ? value.id.trim() : defaultId(category, canonicalJson([value.history ?? [], message, value.room ?? null]));
	const parsed = RowSchema.safeParse({ ...value, category, message, id });
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		return reasonOf("field-invalid", { field: issue?.path.join(".") || "row", detail: issue?.message ?? "" });
	}
	const { split, group, ...rest } = parsed.data;
	return { file: { ...rest, ...(split ? { split } : {}), ...(group ? { group } : {}) } };
}
