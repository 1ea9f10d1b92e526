import { cn } from "@/components/ui/cn";
import { langOf } from "@/components/ui/format";
import type { Evidence } from "@/server/judge/contract";
import { markSentences } from "./mark-sentences";

/** A reply with the sentences that a verdict rests on underlined: red for what failed, green for what held. */
export function MarkedReply({ text, evidence = [], className }: { text: string; evidence?: readonly Evidence[]; className?: string }) {
	let at = 0;
	return (
		<p lang={langOf(text)} className={cn("whitespace-pre-wrap break-words", className)}>
			{markSentences(text, evidence).map(({ text: part, tone }) => {
				const key = at;
				at += part.length;
				if (tone === null) return part;
				return (
					<mark
						key={key}
						className={cn(
							"bg-transparent text-inherit underline decoration-2 underline-offset-[3px]",
							tone === "down" ? "decoration-down decoration-wavy decoration-1 underline-offset-4" : "decoration-up",
						)}
					>
						{part}
					</mark>
				);
			})}
		</p>
	);
}
