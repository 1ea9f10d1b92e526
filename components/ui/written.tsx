import type { Phrases } from "@/server/kernel/phrase.contract";
import { cn } from "./cn";
import { useWritten } from "./said";

/** Text that an engine or the studio wrote, in the reader's language as far as its lines have phrases. */
export function Written({ children, phrases, className }: { children: string; phrases: Phrases | undefined; className?: string }) {
	const { text, lang } = useWritten()(children, phrases);
	return (
		<span lang={lang} className={cn("whitespace-pre-line", className)}>
			{text}
		</span>
	);
}
