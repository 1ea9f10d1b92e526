import type { Phrase, Phrases, PhraseValue } from "./phrase.contract";

/** Names between braces of a template; what has a space between braces is text, as in `{% if … %}`. */
type NamesOf<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
	? (Name extends `${string} ${string}` ? never : Name) | NamesOf<Rest>
	: never;
type Arguments<T extends string, Value> = [NamesOf<T>] extends [never] ? [] : [params: Record<NamesOf<T>, Value>];

const fill = (template: string, value: (name: string) => string | undefined) => template.replace(/\{(\w+)\}/g, (all, name: string) => value(name) ?? all);

/**
 * A speaker over a table of English templates (`{name}` stands for a parameter): gives the sentence under `field`, and beside
 * it the same as data for a screen in another language. What a template needs is checked by the compiler.
 */
export function createSpeaker<const T extends Record<string, string>, F extends string>(templates: T, field: F) {
	return <K extends keyof T & string>(id: K, ...[params]: Arguments<T[K], string | number>): Record<F, string> & { phrase: Phrase } => {
		const values: Record<string, string | number> = params ?? {};
		const text = fill(templates[id] as string, (name) => values[name]?.toString());
		return { [field]: text, phrase: { id, params: values } } as Record<F, string> & { phrase: Phrase };
	};
}

/** A sentence in the language that its workspace writes, and the same as data. */
export interface Written {
	text: string;
	phrase: Phrase;
}

type WriterValue = string | number | { en: string; zh: string } | Written | readonly WriterValue[];

const isList = (value: WriterValue): value is readonly WriterValue[] => Array.isArray(value);

function textOf(value: WriterValue, zh: boolean): string {
	if (typeof value !== "object") return String(value);
	if (isList(value)) return value.map((item) => textOf(item, zh)).join(zh ? "、" : ", ");
	if ("phrase" in value) return value.text;
	return zh ? value.zh : value.en;
}

function dataOf(value: WriterValue): PhraseValue {
	if (typeof value !== "object") return value;
	if (isList(value)) return value.map(dataOf);
	return "phrase" in value ? value.phrase : value;
}

/**
 * A writer over templates in both languages, for what is kept in a workspace's own language (a finding's title, a release's
 * notes) and read on a screen in the reader's. A value may be a sentence that was written before, or a list. `quoted` is
 * for values inside markup; phrases keep them as they are.
 */
export function createWriter<const T extends Record<string, string>>(english: T, chinese: Record<keyof T & string, string>) {
	return (language: string, quoted: (value: string) => string = (value) => value) => {
		const zh = language.startsWith("zh");
		return <K extends keyof T & string>(id: K, ...[params]: Arguments<T[K], WriterValue>): Written => {
			const values: Record<string, WriterValue> = params ?? {};
			const text = fill(zh ? chinese[id] : (english[id] as string), (name) => {
				const value = values[name];
				return value === undefined ? undefined : quoted(textOf(value, zh));
			});
			return { text, phrase: { id, params: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, dataOf(value)])) } };
		};
	};
}

/** The phrase of a text among those kept beside it; none where a person wrote or changed it. */
export const phraseOf = (phrases: Phrases, text: string): Phrase | undefined => (Object.hasOwn(phrases, text) ? phrases[text] : undefined);

/** Sentences by their text, as they are kept beside a text that is made of them. */
export const phrasesOf = (written: readonly Written[]): Phrases => Object.fromEntries(written.map(({ text, phrase }) => [text, phrase]));
