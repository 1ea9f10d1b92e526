import type { HarnessFiles } from "@/server/harness/contract";
import { augment } from "./augment";
import type { BookName, Envelope, VariantPreview } from "./contract";
import { envelopeProblems } from "./envelope";
import { distance } from "./envelope-distance";
import { pairFiles } from "./pair-files";

/** What an envelope does to a harness under one seed, beside the original. Throws `precondition` for a harness that does not validate. */
export function previewVariant(original: { files: HarnessFiles; treeId: string }, envelope: Envelope, seed: number, book: BookName): VariantPreview {
	const problems = envelopeProblems(envelope);
	if (problems.length > 0) return { problems, variant: null };
	const startedAt = performance.now();
	const variant = augment({ ...original, envelope, seed, keep: "everything", book });
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
