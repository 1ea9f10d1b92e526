"use client";

import { Anchor, ArrowLeftRight, Ban, CircleDashed, CircleX, LoaderCircle, Star } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { Strikes } from "@/components/ui/status";
import type { RoundState } from "./round-state";

const TONE: Record<RoundState["kind"], string> = {
	baseline: "text-ink-2",
	open: "text-ink-2",
	evaluating: "text-accent",
	recommended: "font-semibold text-up",
	ineligible: "text-down",
	stopped: "font-semibold text-down",
	strike: "text-down",
	stale: "text-unsure",
	"trade-off": "text-unsure",
	indecisive: "text-unsure",
	stalled: "text-down",
	anchor: "text-ink-2",
	none: "text-ink-3",
};

/** The sign of a round's state, for where there is no room for its word. */
export function StateSign({ state, className }: { state: RoundState; className?: string }) {
	const icon = cn("size-3", TONE[state.kind], className);
	switch (state.kind) {
		case "recommended":
			return <Star className={icon} aria-hidden />;
		case "ineligible":
			return <Ban className={icon} aria-hidden />;
		case "stopped":
		case "stalled":
			return <CircleX className={icon} aria-hidden />;
		case "strike":
		case "stale":
			return <Strikes count={state.count} of={state.of} className="scale-90" />;
		case "trade-off":
			return <ArrowLeftRight className={icon} aria-hidden />;
		case "anchor":
			return <Anchor className={icon} aria-hidden />;
		case "evaluating":
			return <LoaderCircle className={cn(icon, "animate-spin")} aria-hidden />;
		case "indecisive":
		case "open":
			return <CircleDashed className={icon} aria-hidden />;
		default:
			return null;
	}
}

/** The word of a round's state. */
export function useStateWord(): (state: RoundState) => string {
	const t = useTranslations("evolution.state");
	const format = useFormatter();
	return (state) => {
		if (state.kind === "strike" || state.kind === "stale") return t(state.kind, { count: state.count, of: state.of });
		if (state.kind === "evaluating") return t("evaluating", { share: format.number(state.share, { style: "percent", maximumFractionDigits: 0 }) });
		return t(state.kind);
	};
}

/** Sign and word. */
export function StateLabel({ state, children }: { state: RoundState; children?: ReactNode }) {
	const word = useStateWord();
	return (
		<span className={cn("inline-flex items-center gap-[5px] whitespace-nowrap", TONE[state.kind])}>
			<StateSign state={state} />
			{word(state)}
			{children}
		</span>
	);
}
