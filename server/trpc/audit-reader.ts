import fs from "node:fs";
import path from "node:path";
import { createTranslator } from "next-intl";
import type { AuditReader, Workspace } from "@/server/workspace/contract";

const AREAS = ["settings", "triggers", "common", "names", "written"];
export type AuditLanguage = "en" | "zh";

const translators = new Map<AuditLanguage, AuditReader["t"]>();

function translatorOf(language: AuditLanguage): AuditReader["t"] {
	const known = translators.get(language);
	if (known) return known;
	const read = (area: string) => [area, JSON.parse(fs.readFileSync(path.join(process.cwd(), "messages", language, `${area}.json`), "utf8"))];
	const messages = Object.fromEntries(AREAS.map(read)) as Record<string, never>;
	const t = createTranslator({ locale: language, messages }) as unknown as AuditReader["t"];
	translators.set(language, t);
	return t;
}

/** A reader of a workspace's audit log outside of a page: its words in the language that the pages take. */
export function auditReader(language: AuditLanguage, { categories }: Pick<Workspace, "categories">): AuditReader {
	const zh = language === "zh";
	const titles = new Map(categories.map(({ id, title }) => [id, zh ? title.zh || title.en : title.en || title.zh]));
	return { t: translatorOf(language), zh, category: (id) => titles.get(id) ?? id };
}
