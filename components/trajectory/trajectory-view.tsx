"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useStoredReasons } from "@/components/trpc/reasons";
import { CopyButton } from "@/components/ui/copy-button";
import { langOf } from "@/components/ui/format";
import { Badge } from "@/components/ui/status";
import type { Outcome, Trajectory } from "@/server/agent/contract";
import type { Verdict } from "@/server/judge/contract";
import { Timeline } from "./timeline";
import { VerdictSummary } from "./verdict-summary";

const TONE: Record<Outcome, "up" | "unsure" | "down"> = { replied: "up", blocked: "unsure", deadline: "down", "infra-error": "down" };

/** How an episode ended, in a word with its frame. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
	const t = useTranslations("trajectory");
	return <Badge tone={TONE[outcome]}>{t(`ended.${outcome}`)}</Badge>;
}

export interface TrajectoryViewProps {
	trajectory: Trajectory;
	verdict?: Verdict | null;
	/** Links and buttons beside "Raw JSON": exports, compare. */
	actions?: ReactNode;
	deadlineMs?: number;
	maxHookRetries?: number;
}

/** Why an episode ended badly or has no score, in the reader's language where the studio knows the reason. */
function useEpisodeError(trajectory: Trajectory): string | null {
	const say = useStoredReasons();
	const last = trajectory.steps.findLast((step) => step.type === "error");
	const reasons = last?.type === "error" && last.reason !== undefined ? [{ reason: last.reason, params: last.params }] : [];
	return trajectory.error === undefined ? null : say(reasons, trajectory.error);
}

/** An episode from the viewer's message to the verdict: scores with evidence, the timeline, and everything as JSON one click away. */
export function TrajectoryView({ trajectory, verdict, actions, deadlineMs, maxHookRetries }: TrajectoryViewProps) {
	const t = useTranslations("trajectory");
	const [raw, setRaw] = useState(false);
	const error = useEpisodeError(trajectory);
	const json = raw ? JSON.stringify({ trajectory, ...(verdict ? { verdict } : {}) }, null, 2) : "";
	return (
		<div>
			<div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b pb-2 text-12">
				<OutcomeBadge outcome={trajectory.outcome} />
				<span className="text-ink-3">{trajectory.policy}</span>
				<span className="ml-auto flex items-center gap-4">
					{raw && <CopyButton value={json} />}
					<button type="button" aria-pressed={raw} className="text-accent" onClick={() => setRaw(!raw)}>
						{t(raw ? "timeline" : "rawJson")}
					</button>
					{actions}
				</span>
			</div>
			{raw ? (
				<pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-words font-mono text-12">{json}</pre>
			) : (
				<>
					{verdict && (
						<div className="border-line border-b py-2.5">
							<VerdictSummary verdict={verdict} />
						</div>
					)}
					{error && (
						<p className="border-line border-b py-2 text-12 text-down" lang={langOf(error)}>
							{error}
						</p>
					)}
					{trajectory.history.length > 0 && <History turns={trajectory.history} />}
					<div className="pt-1.5">
						<Timeline
							steps={trajectory.steps}
							durationMs={trajectory.durationMs}
							evidence={verdict?.evidence}
							deadlineMs={deadlineMs}
							maxHookRetries={maxHookRetries}
						/>
					</div>
				</>
			)}
		</div>
	);
}

function History({ turns }: { turns: Trajectory["history"] }) {
	const t = useTranslations("trajectory");
	return (
		<details className="border-line border-b py-2 text-12" open={turns.length <= 4}>
			<summary className="cursor-pointer text-ink-3">{t("history", { count: turns.length })}</summary>
			{turns.map((turn, index) => (
				<p key={`${index.toString()} ${turn.role}`} className="mt-0.5">
					<span className="text-ink-3">{t(turn.role === "viewer" ? "viewer" : "agent")}</span> <span lang={langOf(turn.text)}>{turn.text}</span>
				</p>
			))}
		</details>
	);
}
