import { chrf } from "@/server/judge";

const PLACEHOLDER = /\{\{[^{}]*\}\}/gu;

/** Similarity of two replies by their wording, in [0, 1], the same in both directions. */
export function wordingSimilarity(a: string, b: string): number {
	const x = a.replace(PLACEHOLDER, " ");
	const y = b.replace(PLACEHOLDER, " ");
	return (chrf(x, y) + chrf(y, x)) / 2;
}
