"use client";

import { useTranslations } from "next-intl";
import { Badge, type StatusTone } from "@/components/ui/status";
import type { ProposalStatus } from "@/server/evolution/contract";

const TONE: Record<ProposalStatus, StatusTone> = {
	draft: "plain",
	evaluating: "accent",
	"in-review": "accent",
	"changes-requested": "unsure",
	landed: "up",
	rejected: "down",
	conflict: "down",
	withdrawn: "same",
};

/** Where a proposal stands, in a word. */
export function StatusBadge({ status }: { status: ProposalStatus }) {
	const t = useTranslations("review.status");
	return (
		<Badge tone={TONE[status]} live={status === "evaluating"}>
			{t(status)}
		</Badge>
	);
}
