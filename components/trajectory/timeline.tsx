"use client";

import { Sparkles } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useMemo, useRef, useState } from "react";
import { formatDuration } from "@/components/ui/format";
import type { Step } from "@/server/agent/contract";
import type { Evidence } from "@/server/judge/contract";
import { RowFrame, TimelineLine } from "./timeline-row";
import { axisEnd, timelineRows } from "./timeline-rows";

export interface TimelineProps {
	steps: readonly Step[];
	/** Of the whole episode; left out: the end of the last step. */
	durationMs?: number;
	deadlineMs?: number;
	maxHookRetries?: number;
	/** What a verdict rests on: underlined in the reply. */
	evidence?: readonly Evidence[];
	/** More steps will come: a last line grows until they do. */
	live?: boolean;
}

const endOf = (steps: readonly Step[]): number => steps.reduce((end, step) => Math.max(end, step.atMs + step.durationMs), 0);

/** An episode as a timeline: one line a step; the bar is when and how long. Accent: model; grey: tool or hook; ochre: retry; hatched: injected fault. */
export function Timeline({ steps, durationMs, deadlineMs, maxHookRetries, evidence, live = false }: TimelineProps) {
	const locale = useLocale();
	const t = useTranslations("trajectory");
	const rows = useMemo(() => timelineRows(steps), [steps]);
	const reachedMs = durationMs ?? endOf(steps);
	const waitedMs = useWaited(live, steps.length);
	const axisMs = axisEnd(reachedMs + (live ? waitedMs : 0));
	const reply = steps.findLast((step) => step.type === "reply");
	return (
		<div>
			<div aria-hidden className="flex text-11 text-ink-3 max-md:hidden">
				<span className="flex-1" />
				<span className="flex w-[104px] justify-between">
					<span>0</span>
					<span>{formatDuration(axisMs, locale)}</span>
				</span>
				<span className="w-[60px]" />
			</div>
			<ol aria-label={t("title")} aria-live={live ? "polite" : undefined}>
				{rows.map((row) => (
					<TimelineLine
						key={row.key}
						row={row}
						axisMs={axisMs}
						evidence={evidence}
						finalReply={reply?.type === "reply" ? reply.text : null}
						maxHookRetries={maxHookRetries}
						deadlineMs={deadlineMs}
					/>
				))}
				{live && <RowFrame icon={Sparkles} title={t("working")} bar="live" atMs={reachedMs} durationMs={waitedMs} axisMs={axisMs} />}
			</ol>
		</div>
	);
}

/** Milliseconds since the last step came, while more are expected. */
function useWaited(live: boolean, count: number): number {
	const since = useRef<{ count: number; at: number }>({ count: -1, at: 0 });
	const [waitedMs, setWaited] = useState(0);
	useEffect(() => {
		if (!live) return;
		if (since.current.count !== count) since.current = { count, at: performance.now() };
		setWaited(0);
		const timer = setInterval(() => setWaited(performance.now() - since.current.at), 200);
		return () => clearInterval(timer);
	}, [live, count]);
	return waitedMs;
}
