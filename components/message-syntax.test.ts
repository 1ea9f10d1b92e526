import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTranslator } from "next-intl";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "messages");
type Tree = { [key: string]: string | Tree };
const keysOf = (tree: Tree, prefix = ""): string[] =>
	Object.entries(tree).flatMap(([key, value]) => (typeof value === "string" ? [prefix + key] : keysOf(value, `${prefix}${key}.`)));

const files = ["en", "zh"].flatMap((locale) => readdirSync(join(root, locale)).map((file) => [locale, file] as const));

it.each(files)("every sentence of %s/%s can be read by the translator", (locale, file) => {
	const messages = JSON.parse(readFileSync(join(root, locale, file), "utf8")) as Tree;
	const broken: string[] = [];
	// A value that is missing here is another fault; a brace or tag that does not parse is this one.
	const onError = (error: { code: string; message: string }) => void (error.code === "INVALID_MESSAGE" && broken.push(error.message));
	const t = createTranslator({ locale, messages: messages as never, onError, getMessageFallback: () => "" }) as (key: string) => string;
	for (const key of keysOf(messages)) t(key);
	expect(broken).toEqual([]);
});
