"use client";

import { Check, CircleDashed, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { localizeGateDetail } from "@/components/evolution/gate-detail";
import { gateState } from "@/components/evolution/gate-state";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Checklist } from "@/components/ui/page";
import type { GateResult } from "@/server/evolution/contract";

const SIGN = { pass: Check, ready: CircleDashed, fail: X, inconclusive: CircleDashed } as const;
const TONE = { pass: "text-up", ready: "text-up", fail: "text-down", inconclusive: "text-unsure" } as const;
const KNOWN = ["suites-decisive", "no-regression", "non-inferior", "improved", "alarms-acknowledged", "holdout", "restored"] as const;

/** The gate's word with its sign. */
export function GateWord({ gate, overridden }: { gate: GateResult; overridden?: boolean }) {
	const t = useTranslations("releases.gate");
	const { kind, met, of } = gateState(gate);
	const Sign = SIGN[kind];
	return (
		<span className={`inline-flex items-center gap-[5px] whitespace-nowrap ${TONE[kind]}`}>
			<Sign className="size-3.5" aria-hidden />
			{t(`verdict.${kind}`, { met, of })}
			{overridden && <span className="text-unsure">{t("overridden")}</span>}
		</span>
	);
}

/** The conditions of a gate, each with what it rests on. */
export function GateList({ gate }: { gate: GateResult }) {
	const t = useTranslations("releases.gate");
	const c = useTranslations("common.check");
	const phrase = useTranslations("evolution.gate.phrase");
	const { shell, categoryTitle } = useWorkspace();
	const categories = new Map(shell.workspace.categories.map(({ id }) => [id, categoryTitle(id)]));
	return (
		<Checklist
			words={{ yes: c("yes"), no: c("no"), open: c("open") }}
			items={gate.checks.map((check) => {
				const known = KNOWN.find((id) => id === check.id);
				return {
					id: check.id,
					ok: check.ok,
					label: (
						<>
							{known ? t(`check.${known}`) : <span lang="en">{check.label}</span>}
							{check.waived && <span className="text-ink-3"> · {t("waived")}</span>}
						</>
					),
					detail: localizeGateDetail(check.detail, (key, figures) => phrase(key, figures), categories),
				};
			})}
		/>
	);
}
