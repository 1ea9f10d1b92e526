import type { Phrase } from "./phrase.contract";

/** Names between braces of a template; what has a space between braces is text, as in `{% if … %}`. */
type NamesOf<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${string} ${string}` ? never : Name) | NamesOf<Rest>
	: never;
type ParamsOf<T extends string> = Record<NamesOf<T>, string | number>;
type Arguments<T extends string> = [NamesOf<T>] extends [never] ? [] : [params: ParamsOf<T>];

/**
 * A speaker over a table of English templates (`{name}` stands for a parameter): gives the sentence under `field`, and beside
 * it the same as data for a screen in another language. What a template needs is checked by the compiler.
 */
export function createSpeaker<const T extends Record<string, string>, F extends string>(templates: T, field: F) {
	return <K extends keyof T & string>(id: K, ...[params]: Arguments<T[K]>): Record<F, string> & { phrase: Phrase } => {
		const values: Phrase["params"] = params ?? {};
		const text = (templates[id] as string).replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
		return { [field]: text, phrase: { id, params: values } } as Record<F, string> & { phrase: Phrase };
	};
}
