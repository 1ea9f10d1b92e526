import * as z from "zod";

/**
 * A sentence as data: the id that `messages/<language>` translate, and what goes into it. The English sentence stands beside
 * it wherever it is stored, for logs, JSON and readers of old rows.
 */
export const PhraseSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) });
export type Phrase = z.infer<typeof PhraseSchema>;
