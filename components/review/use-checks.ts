import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import type { Proposal } from "./types";

/** The checks of a proposal that block landing, or those that a reviewer weighs, as lines of a checklist. */
export function useChecks(proposal: Proposal) {
	const r = useTranslations("review");
	const detail = useCheckDetail();
	return (blocks: boolean) =>
		proposal.checks
			.filter((check) => check.blocks === blocks)
			.map((check) => ({ id: check.id, ok: check.ok, label: r(`check.${check.id}`), detail: detail(check) }));
}

/** What stands below a check: how many, which share, or which categories and dimensions, by the names that people read. */
function useCheckDetail(): (check: Proposal["checks"][number]) => string | undefined {
	const r = useTranslations("review");
	const c = useTranslations("common");
	const { categoryTitle } = useWorkspace();
	const list = (names: string[]) => names.join(r("evidence.and")) || undefined;
	return (check) => {
		switch (check.id) {
			case "decisive":
				return check.detail ? r("coverage", { share: (Number(check.detail) * 100).toFixed(1) }) : undefined;
			case "alarms":
				return list(check.detail.split(", ").filter(Boolean).map(categoryTitle));
			case "not-worse":
				return list(
					check.detail
						.split(", ")
						.filter(isDimension)
						.map((dimension) => c(dimension)),
				);
			default:
				return check.ok === false ? r(`checkCount.${check.id}`, { count: Number(check.detail) }) : undefined;
		}
	};
}

const isDimension = (name: string): name is "accuracy" | "effectiveness" => name === "accuracy" || name === "effectiveness";
