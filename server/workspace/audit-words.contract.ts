import type { Phrases } from "@/server/kernel/phrase.contract";
import { type PhraseReader, sayWritten } from "@/server/kernel/say-phrase.contract";
import { AUDIT_ACTIONS } from "./audit-actions.contract";
import { type AuditText, auditReason, auditSubject } from "./audit-subjects.contract";
import { studioName } from "./studio-names.contract";

/** A reader's language: every message by its whole key (`settings.audit.actions.run.start`), and the titles of categories. */
export interface AuditReader extends PhraseReader {
	category(id: string): string;
}

/** An entry as it is stored; see `AuditEntrySchema`. */
interface Entry {
	actorId: string;
	actorName: string;
	action: string;
	subject: string;
	reason: string | null;
	phrases: Phrases;
}

/** What a page shows of an entry, in one language. */
export interface AuditWords {
	actor: string;
	action: string;
	subject: string;
	reason: string | null;
}

const ROLES = ["policy", "judge", "diagnosis", "editing"];
const BUILT_IN = ["landing-dev", "closing-regression"];

/** What goes into the studio's words, as people read it on the other pages. Pure. */
export function auditValue({ t, category }: Pick<AuditReader, "t" | "category">, name: string, value: string): string {
	if (name === "category") return category(value);
	if (name === "trigger" && BUILT_IN.includes(value)) return t(`triggers.builtIn.${value}.name`);
	if ((name === "round" || name === "reference") && value === "base") return t("common.baseline");
	if (name === "role" && ROLES.includes(value)) return t(`settings.endpoints.role.${value}`);
	return value;
}

function sayText(reader: AuditReader, { id, values }: AuditText): string {
	return reader.t(`settings.audit.subjects.${id}`, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, auditValue(reader, name, value)])));
}

function sayName({ t }: AuditReader, name: string): string {
	const known = studioName(name);
	return known ? t(`names.${known.id}`, known.values) : name;
}

/** What was done, in words; an action that an older release recorded stands as its code. Pure. */
export const sayAction = ({ t }: Pick<AuditReader, "t">, action: string): string =>
	(AUDIT_ACTIONS as readonly string[]).includes(action) ? t(`settings.audit.actions.${action}`) : action;

/** An entry in a reader's language: the studio's words translated, names and what people wrote as they are. Pure. */
export function auditWords(reader: AuditReader, entry: Omit<Entry, "actorId">): AuditWords {
	const subject = auditSubject(entry.action, entry.subject);
	const known = entry.reason === null ? null : auditReason(entry.action, entry.reason);
	const written: PhraseReader = {
		zh: reader.zh,
		t: Object.assign((key: string, values?: Record<string, string | number>) => reader.t(`written.${key}`, values), {
			has: (key: string) => reader.t.has(`written.${key}`),
		}),
	};
	return {
		actor: sayName(reader, entry.actorName),
		action: sayAction(reader, entry.action),
		subject: subject ? sayText(reader, subject) : entry.subject,
		reason: entry.reason === null ? null : known ? sayText(reader, known) : sayWritten(written, sayName(reader, entry.reason), entry.phrases).text,
	};
}

/** Whether an entry has these words: as it is stored, or as a reader sees it. Without regard to case. Pure. */
export function hasAuditWords(
	entry: Omit<Entry, "phrases">,
	words: () => AuditWords,
	{ search, actor }: { search?: string | undefined; actor?: string | undefined },
): boolean {
	const has = (wanted: string | undefined, stored: readonly (string | null)[], shown: () => readonly (string | null)[]) => {
		if (!wanted) return true;
		const needle = wanted.toLowerCase();
		const within = (text: string | null) => text?.toLowerCase().includes(needle) ?? false;
		return stored.some(within) || shown().some(within);
	};
	const { actorId, actorName, action, subject, reason } = entry;
	if (actor !== actorId && !has(actor, [actorName], () => [words().actor])) return false;
	return has(search, [subject, reason, action, actorName], () => Object.values(words()));
}
