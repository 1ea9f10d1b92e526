import { createHash } from "node:crypto";

/** Hex SHA-256 of a text. */
export function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, v: unknown) =>
		v !== null && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : v,
	);
}

/** Fingerprint of any JSON value: SHA-256 of its canonical form. */
export function fingerprint(value: unknown): string {
	return sha256(canonicalJson(value));
}
