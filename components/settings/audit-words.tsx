"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Words } from "@/components/ui/person";
import { useName } from "@/components/ui/use-name";
import { Written } from "@/components/ui/written";
import { AUDIT_ACTIONS, type AuditAction } from "@/server/workspace/audit-actions.contract";
import { type AuditText, auditReason, auditSubject } from "@/server/workspace/audit-subjects.contract";
import { type AuditReader, auditValue } from "@/server/workspace/audit-words.contract";
import type { AuditEntryDto } from "@/server/workspace/contract";

const isAuditAction = (action: string): action is AuditAction => (AUDIT_ACTIONS as readonly string[]).includes(action);

/** What was done, in words; an action that an older release recorded stands as its code. */
export function ActionWords({ action }: { action: string }) {
	const t = useTranslations("settings.audit.actions");
	return isAuditAction(action) ? t(action) : <code>{action}</code>;
}

/** What goes into the studio's words, as people read it on the other pages. */
function useValueWords(): (name: string, value: string) => string {
	const t = useTranslations() as unknown as AuditReader["t"];
	const { categoryTitle } = useWorkspace();
	return (name, value) => auditValue({ t, category: categoryTitle }, name, value);
}

function StudioWords({ id, values }: AuditText) {
	const t = useTranslations("settings.audit.subjects");
	const word = useValueWords();
	return t(id, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, word(name, value)])) as never);
}

/** What it was done to: the studio's words in the reader's language, names as they are. */
export function SubjectWords({ entry }: { entry: AuditEntryDto }): ReactNode {
	const known = auditSubject(entry.action, entry.subject);
	return known ? <StudioWords {...known} /> : <Words>{entry.subject}</Words>;
}

/** Why: the studio's own words in the reader's language, a person's as they are. */
export function ReasonWords({ entry, reason }: { entry: AuditEntryDto; reason: string }): ReactNode {
	const nameOf = useName();
	const known = auditReason(entry.action, reason);
	return known ? <StudioWords {...known} /> : <Written phrases={entry.phrases}>{nameOf(reason)}</Written>;
}
