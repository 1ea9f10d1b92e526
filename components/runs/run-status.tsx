import { Check, CircleDashed, CircleSlash, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type StatusTone } from "@/components/ui/status";
import type { RunStatus } from "@/server/evaluation/contract";

const TONE: Record<RunStatus, StatusTone> = { queued: "plain", running: "accent", cancelling: "accent", cancelled: "same", done: "plain", failed: "down" };
const ICON: Record<RunStatus, typeof Check> = {
	queued: CircleDashed,
	running: CircleDashed,
	cancelling: CircleDashed,
	cancelled: CircleSlash,
	done: Check,
	failed: X,
};

/** Where a run is, in a word with its icon. */
export function RunStatusBadge({ status }: { status: RunStatus }) {
	const t = useTranslations("runs.status");
	const Icon = ICON[status];
	return (
		<Badge tone={TONE[status]} live={status === "running" || status === "cancelling"} icon={<Icon className="size-3" aria-hidden />}>
			{t(status)}
		</Badge>
	);
}

/** Whether a run still moves. */
export const isMoving = (status: RunStatus): boolean => status === "queued" || status === "running" || status === "cancelling";
