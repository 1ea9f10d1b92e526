/** One language of a phrase book. All entries are hand-written, of ours, and general: no word of any one domain. */
export interface LanguageBook {
	/** Word or phrase → ways to say the same. Longest match first; whole words for Latin script. */
	synonyms: Record<string, readonly string[]>;
	/** Heads of a rule (“when”) and of a prohibition (“never”). */
	ruleHeads: readonly string[];
	prohibitionHeads: readonly string[];
	/** Frames of a hook's message; `{}` stands for the message. No quotation marks and no digits: policies read both. */
	hookFrames: readonly string[];
	/** Skills that do not help with any case: back-office work of colleagues (plausible) and things beside any work (noise). */
	distractors: readonly Distractor[];
	noise: readonly Distractor[];
}

export interface Distractor {
	name: string;
	description: string;
	type: "reply" | "strategy";
	title: string;
	rules: readonly string[];
}

export interface PhraseBook {
	zh: LanguageBook;
	en: LanguageBook;
	/** Parts of names (verbs and the like) → other parts. */
	nameParts: Record<string, readonly string[]>;
	/** What may be put before or behind a name. */
	namePrefixes: readonly string[];
	nameSuffixes: readonly string[];
	/** Letters of names that say nothing. */
	opaque: string;
}
