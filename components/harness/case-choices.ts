/** A case that a person may name, and why it is offered (`F-7`, `R-12`). */
export interface CaseChoice {
	id: string;
	key: string;
	message: string;
	why: string[];
}

/** What is typed as one or several ids: separated by commas, spaces or line ends; keys become ids where they are known. */
export function readTyped(text: string, options: readonly CaseChoice[]): string[] {
	const idOf = new Map(options.flatMap((option) => [[option.key.toLowerCase(), option.id] as const, [option.id.toLowerCase(), option.id] as const]));
	const words = text.split(/[\s,，、;；]+/).filter(Boolean);
	return [...new Set(words.map((word) => idOf.get(word.toLowerCase()) ?? word))];
}

/** Cases that match what is typed, by key, message or reason; without those that are chosen. */
export function suggest(options: readonly CaseChoice[], chosen: readonly string[], typed: string): CaseChoice[] {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	return options.filter((option) => {
		if (chosen.includes(option.id)) return false;
		const text = `${option.key} ${option.message} ${option.why.join(" ")}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}

/** One list of several sources: each case once, with every reason; those of the first sources first. */
export function mergeChoices(sources: readonly { why: string; cases: readonly Omit<CaseChoice, "why">[] }[]): CaseChoice[] {
	const all = new Map<string, CaseChoice>();
	for (const { why, cases } of sources)
		for (const one of cases) {
			const known = all.get(one.id);
			if (known) known.why.push(why);
			else all.set(one.id, { ...one, why: [why] });
		}
	return [...all.values()];
}
