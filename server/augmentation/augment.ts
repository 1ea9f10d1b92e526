import { treeIdOf } from "@/server/harness";
import type { HarnessFiles } from "@/server/harness/contract";
import { HELD_OUT_BOOK } from "./books/held-out";
import { TRANSFORMS_BOOK } from "./books/transforms";
import type { BookName, Envelope, Keep, VariantLogEntry, VariantMapping } from "./contract";
import { readParts } from "./read-parts";
import type { Rewritings } from "./rewritable-texts";
import { mappingOf, openDraft } from "./variant-draft";
import { perturbConstraints, reorderBlocks, reorderItems, rewritePrompts, rewriteTools, varyHooks } from "./vary-rest";
import { addDistractors, maskRules, maskSkills, renameComponents, rewriteDescriptions, rewriteRules, shuffleRules } from "./vary-skills";
import { withWords } from "./workspace-words";
import { writeVariant } from "./write-variant";

export interface VariantRequest {
	files: HarnessFiles;
	/** Tree id of the files, where it is known: the harness is taken apart once for each. */
	treeId?: string;
	envelope: Envelope;
	seed: number;
	keep: Keep;
	book?: BookName;
	/** Ways that a model gave for texts; the seeded paraphrase has the rest. */
	rewritings?: Rewritings;
}

export interface Variant {
	files: HarnessFiles;
	mapping: VariantMapping;
	log: VariantLogEntry[];
}

const NO_REWRITINGS: Rewritings = new Map();
const BOOKS = { transforms: TRANSFORMS_BOOK, "held-out": HELD_OUT_BOOK };

/**
 * A variant of a harness in which the same tasks can be done: other names, other words, another order, other limits inside
 * their range, skills that do not help. Byte for byte the same for the same request. What must survive (`keep`) does, every
 * tool's binding is unchanged, prompts and hooks agree on every number, and the variant validates where the harness does.
 * Throws `precondition` for a harness that does not validate.
 */
export function augment({ files, treeId = treeIdOf(files), envelope, seed, keep, book = "transforms", rewritings = NO_REWRITINGS }: VariantRequest): Variant {
	const words = envelope.words?.[book] ?? null;
	const draft = openDraft(readParts(files, treeId), envelope, seed, keep, { book: withWords(BOOKS[book], words), words, rewritings });
	// Numbers first: once a sentence is in other words, nobody can tell that its number was a limit.
	perturbConstraints(draft);
	maskSkills(draft);
	maskRules(draft);
	rewriteDescriptions(draft);
	rewriteRules(draft);
	shuffleRules(draft);
	addDistractors(draft);
	for (const kind of ["skill", "tool", "argument"] as const) renameComponents(draft, kind);
	rewriteTools(draft);
	rewritePrompts(draft);
	reorderItems(draft);
	reorderBlocks(draft);
	varyHooks(draft);
	const mapping = mappingOf(draft);
	return { files: writeVariant(draft), mapping: { ...mapping, rules: renamedRules(mapping) }, log: draft.log };
}

/** Rules under the new names of their skills. */
function renamedRules({ rules, skills }: VariantMapping): Record<string, string> {
	return Object.fromEntries(
		Object.entries(rules).map(([from, to]) => {
			const at = to.lastIndexOf("#");
			const name = to.slice(0, at);
			return [from, `${skills[name] ?? name}${to.slice(at)}`];
		}),
	);
}
