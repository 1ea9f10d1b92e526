import { isStorable, toStorable } from "@/server/db/storable";
import { AppError } from "@/server/kernel/errors";

function findUnstorable(value: unknown, path: string[]): string[] | null {
	if (typeof value === "string") return isStorable(value) ? null : path;
	if (typeof value !== "object" || value === null) return null;
	for (const [key, inner] of Object.entries(value)) {
		// Where a key itself is at fault, it is the last part of the path.
		const found = isStorable(key) ? findUnstorable(inner, [...path, key]) : [...path, toStorable(key)];
		if (found) return found;
	}
	return null;
}

/** Throws `text-unstorable`, with the field's path, for text that PostgreSQL cannot store: what people send is refused, not altered. */
export function refuseUnstorable(input: unknown): void {
	const path = findUnstorable(input, []);
	if (!path) return;
	const field = path.join(".") || "input";
	throw new AppError("bad-input", `“${field}” contains a character that cannot be stored: NUL, or half of a surrogate pair.`, {
		reason: "text-unstorable",
		params: { field },
		fix: "Remove the character, then try again.",
	});
}
