import { Check, Minus, X } from "lucide-react";
import { cn } from "@/components/ui/cn";

/** A score of one episode: sign and figure, so that colour is not alone. Null: not scored. */
export function ScoreMark({ score, strong, className }: { score: number | null; strong?: boolean; className?: string }) {
	if (score === null) return <span className={cn("text-ink-3", className)}>–</span>;
	const Sign = score === 1 ? Check : score === 0 ? X : Minus;
	const tone = score === 1 ? (strong ? "text-up" : "text-ink-3") : score === 0 ? "text-down" : "text-unsure";
	return (
		<span className={cn("inline-flex items-center gap-[5px]", tone, strong && "font-semibold", className)}>
			<Sign className="size-3" aria-hidden />
			{score === 0.5 ? "½" : score}
		</span>
	);
}
