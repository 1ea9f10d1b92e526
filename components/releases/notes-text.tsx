import { langOf } from "@/components/ui/format";
import { Markdown } from "@/components/ui/markdown";
import { useWritten } from "@/components/ui/said";
import type { Phrases } from "@/server/kernel/phrase.contract";

/** As the server writes values into notes: nothing in them is read as structure. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/([\\`*_[\]<>#|])/g, "\\$1");

/**
 * A release's notes in the reader's language; what goes into git stays in the workspace's. Each block is marked with its own
 * language: a person's reason stands in the notes as it was written.
 */
export function NotesText({ notes, phrases }: { notes: string; phrases: Phrases }) {
	const { text } = useWritten()(notes, phrases, plain);
	return (
		<div className="grid gap-2">
			{text.split(/\n{2,}/).map((block, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never change places.
				<div key={index} lang={langOf(block) ?? "en"}>
					<Markdown text={block} className="text-13" />
				</div>
			))}
		</div>
	);
}
