import { Check, CircleDashed, CircleSlash, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type StatusTone } from "@/components/ui/status";
import type { TrainingStatus } from "@/server/training/contract";

const TONE: Record<TrainingStatus, StatusTone> = { queued: "plain", running: "accent", cancelled: "same", done: "plain", failed: "down" };
const ICON: Record<TrainingStatus, typeof Check> = { queued: CircleDashed, running: CircleDashed, cancelled: CircleSlash, done: Check, failed: X };

/** Where a training is, in a word with its icon. */
export function TrainingStatusBadge({ status }: { status: TrainingStatus }) {
	const t = useTranslations("training.status");
	const Icon = ICON[status];
	return (
		<Badge tone={TONE[status]} live={status === "running"} icon={<Icon className="size-3" aria-hidden />}>
			{t(status)}
		</Badge>
	);
}

/** Whether a training is not over yet. */
export const isOpen = (status: TrainingStatus): boolean => status === "queued" || status === "running";
