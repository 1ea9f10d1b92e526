import { Markdown } from "@/components/ui/markdown";
import { useWritten } from "@/components/ui/said";
import type { Phrases } from "@/server/kernel/phrase.contract";

/** As the server writes values into notes: nothing in them is read as structure. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/([\\`*_[\]<>#|])/g, "\\$1");

/** A release's notes in the reader's language; what goes into git stays in the workspace's. */
export function NotesText({ notes, phrases }: { notes: string; phrases: Phrases }) {
	return <Markdown text={useWritten()(notes, phrases, plain).text} className="text-13" />;
}
