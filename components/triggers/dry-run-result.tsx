"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Badge, type StatusTone } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import type { Decision, DryRun } from "@/server/triggers/contract";
import { useTriggerWords } from "./use-trigger-words";

const TONE: Record<Decision, StatusTone> = {
	fired: "accent",
	"condition-not-met": "plain",
	"cooling-down": "unsure",
	"over-budget": "unsure",
	duplicate: "plain",
	"own-chain": "unsure",
};
/** Rows on the screen; the counts say the rest. */
const MOST_ROWS = 100;

/** What a trigger decided, as a word in a frame. */
export function DecisionBadge({ decision }: { decision: Decision }) {
	const t = useTranslations("triggers");
	return <Badge tone={TONE[decision]}>{t(`decision.${decision}`)}</Badge>;
}

/** One sentence, the counts, and event by event what a trigger would have done and why. */
export function DryRunResult({ result, days }: { result: DryRun; days: number }) {
	const t = useTranslations("triggers");
	const format = useFormatter();
	const words = useTriggerWords();
	const { entries, counts, truncated } = result;
	return (
		<div data-testid="dry-run" className="grid gap-2">
			<p role="status" className="text-13">
				{t("dryRun.say", { events: entries.length, fired: counts.fired ?? 0, days })}
			</p>
			{truncated && <p className="text-12 text-ink-3">{t("dryRun.truncated")}</p>}
			{entries.length > 0 && (
				<div className="max-h-[420px] overflow-auto">
					<Table aria-label={t("dryRun.label")}>
						<thead>
							<tr>
								<Th>{t("log.at")}</Th>
								<Th>{t("log.decision")}</Th>
								<Th>{t("log.why")}</Th>
							</tr>
						</thead>
						<tbody>
							{entries.slice(0, MOST_ROWS).map((entry) => (
								<Tr key={`${entry.at.toISOString()} ${entry.label} ${entry.why.kind} ${JSON.stringify(entry.inputs)}`}>
									<Td className="whitespace-nowrap align-top" muted>
										{format.dateTime(entry.at, "moment")}
										{entry.label && <span className="block">{entry.label}</span>}
									</Td>
									<Td className="align-top">
										<DecisionBadge decision={entry.decision} />
									</Td>
									<Td className="align-top">{words.why(entry.why)}</Td>
								</Tr>
							))}
						</tbody>
					</Table>
				</div>
			)}
		</div>
	);
}
