"use client";

import { useTranslations } from "next-intl";
import { ErrorNote } from "@/components/ui/notes";

interface StoppedNoteProps {
	error: { reason: string; message: string };
	title: string;
	kept: string;
	next: string;
}

/** Why work of the studio stopped, what is kept of it, and what to do. */
export function StoppedNote({ error, ...said }: StoppedNoteProps) {
	const e = useTranslations("errors");
	const known = error.reason as Parameters<typeof e>[0];
	return <ErrorNote className="mt-4" happened={e.has(known) ? e(known) : <span lang="en">{error.message}</span>} {...said} />;
}
