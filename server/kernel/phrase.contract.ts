import * as z from "zod";

/** What goes into a sentence: a value, a name in both languages, a sentence inside the sentence, or a list of those. */
export type PhraseValue = string | number | { en: string; zh: string } | Phrase | PhraseValue[];

/**
 * A sentence as data: the id that `messages/<language>` translate, and what goes into it. The sentence as it was written
 * stands beside it wherever it is stored, for git, logs, JSON and readers of old rows.
 */
export type Phrase = { id: string; params: { [name: string]: PhraseValue } };

const PhraseValueSchema: z.ZodType<PhraseValue> = z.lazy(() =>
	z.union([z.string(), z.number(), z.object({ en: z.string(), zh: z.string() }).strict(), PhraseSchema, z.array(PhraseValueSchema)]),
);
export const PhraseSchema: z.ZodType<Phrase> = z.object({ id: z.string(), params: z.record(z.string(), PhraseValueSchema) });

/** Phrases of a text by its lines as they were written: a line that somebody changed is no longer among them. */
export const PhrasesSchema = z.record(z.string(), PhraseSchema);
export type Phrases = z.infer<typeof PhrasesSchema>;
