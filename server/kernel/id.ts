import { customAlphabet } from "nanoid";

const random = customAlphabet("0123456789abcdefghijkmnpqrstvwxyz", 16);

/** A new id such as `run_4f9k…`: a prefix that says the kind, then 80 random bits. */
export function newId(prefix: string): string {
	return `${prefix}_${random()}`;
}
