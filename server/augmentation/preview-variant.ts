import type { HarnessFiles } from "@/server/harness/contract";
import { augment } from "./augment";
import type { BookName, Envelope, VariantPreview } from "./contract";
import { envelopeProblems } from "./envelope";
import { distance } from "./envelope-distance";
import { pairFiles } from "./pair-files";
import type { Rewritings } from "./rewritable-texts";

/** What an envelope does to a harness under one seed, beside the original. Throws `precondition` for a harness that does not validate. */
export function previewVariant(
	original: { files: HarnessFiles; treeId: string },
	envelope: Envelope,
	seed: number,
	book: BookName,
	rewritings: Rewritings = new Map(),
): VariantPreview {
	const problems = envelopeProblems(envelope);
	if (problems.length > 0) return { problems, variant: null };
	const startedAt = performance.now();
	const variant = augment({ ...original, envelope, seed, keep: "everything", book, rewritings });
	const ms = performance.now() - startedAt;
	return {
		problems,
		variant: {
			log: variant.log,
			files: pairFiles(original.files, variant.files, variant.mapping),
			distance: distance(variant.files, original.files, envelope),
			ms,
		},
	};
}
