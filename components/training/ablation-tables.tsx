import { Check, CircleDashed, X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { formatDuration, formatInterval, formatPoints, shortId } from "@/components/ui/format";
import { Facts, SectionHead } from "@/components/ui/page";
import { Badge } from "@/components/ui/status";
import { Sideways, Table, Td, Th, Tr } from "@/components/ui/table";
import type { AblationDocument, AblationView, Claim, Estimate } from "@/server/training/contract";

const COLUMNS = ["t1", "t2", "heldOut", "renamed", "rewritten", "distractors", "t3Tool", "t3Prompt", "skill", "tool", "general"] as const;

/** A value with half of its interval: points of 100. */
function Cell({ estimate }: { estimate: Estimate | null | undefined }) {
	const t = useTranslations("ablation.table");
	return (
		<Td numeric>
			{estimate ? (
				<>
					{formatPoints(estimate.value)} <span className="text-ink-3">±&nbsp;{formatPoints((estimate.high - estimate.low) / 2)}</span>
				</>
			) : (
				<>
					<span aria-hidden className="text-ink-3">
						–
					</span>
					<span className="sr-only">{t("none")}</span>
				</>
			)}
		</Td>
	);
}

/** The name of a row as people read it; one that another version made keeps its own. */
function usePolicyName(): (policy: string) => { text: string; english: boolean } {
	const t = useTranslations("ablation.policy");
	return (policy) => {
		const key = policy.replace(/[^a-z]+/g, "-") as Parameters<typeof t>[0];
		return t.has(key) ? { text: t(key), english: false } : { text: policy, english: true };
	};
}

/** Every policy under every kind of variant; the first column stays where it is when the table is moved. */
export function AblationTable({ result }: { result: AblationDocument }) {
	const t = useTranslations("ablation");
	const nameOf = usePolicyName();
	return (
		<section>
			<SectionHead title={t("table.title")} meta={t("table.meta")} />
			<Sideways label={t("table.title")} className="relative">
				<Table className="tabular-nums">
					<thead>
						<tr>
							<Th className="sticky left-0 z-10 bg-bg pr-3">{t("table.policy")}</Th>
							{COLUMNS.map((column) => (
								<Th key={column} numeric>
									{t(`column.${column}`)}
								</Th>
							))}
							<Th numeric>{t("column.gap")}</Th>
						</tr>
					</thead>
					<tbody>
						{result.table.map(({ policy, cells, gap }) => {
							const { text, english } = nameOf(policy);
							return (
								<Tr key={policy} className="group">
									<th
										scope="row"
										lang={english ? "en" : undefined}
										className="sticky left-0 z-10 border-line border-b bg-bg pr-3 text-left font-normal group-hover:bg-hover max-md:min-w-32 md:whitespace-nowrap"
									>
										{text}
									</th>
									{COLUMNS.map((column) => (
										<Cell key={column} estimate={cells[column]} />
									))}
									<Cell estimate={gap} />
								</Tr>
							);
						})}
					</tbody>
				</Table>
			</Sideways>
		</section>
	);
}

const VERDICT = {
	appears: { word: "appears", tone: "up", Icon: Check },
	"does not appear": { word: "absent", tone: "down", Icon: X },
	"not measured": { word: "unmeasured", tone: "plain", Icon: CircleDashed },
} as const;

function ClaimRow({ claim: { id, claim, needed, estimate, holds, certain } }: { claim: Claim }) {
	const t = useTranslations("ablation");
	const locale = useLocale();
	const { word, tone, Icon } = VERDICT[holds];
	const key = `claim.${id}` as "claim.hsa-inside";
	const known = id !== undefined && t.has(key);
	return (
		<Tr>
			<th scope="row" lang={known ? undefined : "en"} className="border-line border-b py-1.5 pr-3 text-left font-normal max-md:min-w-40">
				{known ? t(key) : claim}
			</th>
			<Td>
				<Badge tone={tone} icon={<Icon className="size-3" aria-hidden />}>
					{t(`holds.${word}`)}
				</Badge>
				{holds !== "not measured" && !certain && <span className="mt-0.5 block text-11 text-ink-3">{t("claims.over")}</span>}
			</Td>
			<Td numeric>{formatPoints(needed)}</Td>
			<Td numeric>
				{estimate ? (
					<>
						{formatPoints(estimate.value)} <span className="text-ink-3">({formatInterval(estimate.low, estimate.high, locale)})</span>
					</>
				) : (
					"–"
				)}
			</Td>
		</Tr>
	);
}

/** What of the report holds here, each with the number that decides. */
export function ClaimsTable({ claims }: { claims: readonly Claim[] }) {
	const t = useTranslations("ablation");
	return (
		<section>
			<SectionHead title={t("claims.title")} meta={t("claims.meta")} />
			<Sideways label={t("claims.title")} className="relative">
				<Table className="tabular-nums">
					<thead>
						<tr>
							<Th>{t("claims.claim")}</Th>
							<Th>{t("claims.verdict")}</Th>
							<Th numeric>{t("claims.needed")}</Th>
							<Th numeric>{t("claims.measured")}</Th>
						</tr>
					</thead>
					<tbody>
						{claims.map((claim) => (
							<ClaimRow key={claim.id ?? claim.claim} claim={claim} />
						))}
					</tbody>
				</Table>
			</Sideways>
			<p className="mt-2 text-12 text-ink-3">{t("note")}</p>
		</section>
	);
}

/** What it was measured on, and how. */
export function AblationFacts({ ablation, result }: { ablation: AblationView; result: AblationDocument }) {
	const locale = useLocale();
	const t = useTranslations("ablation.facts");
	const { cases, harness, envelope, general, split, seeds, seconds } = result;
	return (
		<section>
			<SectionHead title={t("title")} />
			<Facts
				items={[
					[t("measured"), t("measuredValue", { count: cases.measured, split })],
					[t("seeds"), seeds],
					[t("trained"), t("trainedValue", { sft: cases.sft, rl: cases.rl })],
					cases.simulated > 0 && [t("simulated"), t("simulatedValue", { count: cases.simulated })],
					[
						t("harness"),
						<code key="harness" className="font-mono">
							{shortId(harness.commit ?? harness.treeId)}
						</code>,
					],
					[t("envelope"), t("envelopeValue", { version: envelope })],
					[t("general"), t(general ? "generalYes" : "generalNo")],
					[t("cpu"), formatDuration(seconds.cpu * 1000, locale)],
					[t("origin"), t(`originOf.${ablation.origin}`)],
					[t("by"), ablation.requestedBy],
				]}
			/>
		</section>
	);
}
