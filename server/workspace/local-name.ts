import chinese from "@/messages/zh/names.json";
import type { LocalizedText } from "./contract";
import { studioName } from "./studio-names.contract";

/** A name as it goes into a text that is written for people: in both languages where the studio gave it, else as it is. */
export function localName(name: string): string | LocalizedText {
	const known = studioName(name);
	if (!known) return name;
	const values: Record<string, string> = known.values ?? {};
	return { en: name, zh: chinese[known.id].replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all) };
}
