"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { GuardedButton, IconButton } from "@/components/ui/button";
import { SectionHead } from "@/components/ui/page";
import { Select } from "@/components/ui/select";
import type { GatePolicy } from "@/server/evolution/contract";

type Suites = GatePolicy["suites"];
type Standing = Suites[string];

const STANDINGS = ["critical", "supporting", "informational"] as const;
const ROW = "grid max-w-[460px] grid-cols-[minmax(0,1fr)_180px_32px] items-center gap-3";

function useStandings() {
	const t = useTranslations("settings.gate");
	return STANDINGS.map((value) => ({ value, label: t(`standing.${value}`) }));
}

/** Chooses a suite of the workspace that the policy does not name yet, and what it counts for. */
function AddSuite({ suites, onAdd }: { suites: Suites; onAdd: (key: string, standing: Standing) => void }) {
	const t = useTranslations("settings.gate");
	const trpc = useTRPC();
	const { slug, local } = useWorkspace();
	const [key, setKey] = useState<string>();
	const [standing, setStanding] = useState<Standing>("supporting");
	const standings = useStandings();
	const query = useQuery(trpc.cases.suites.queryOptions({ workspace: slug }));
	const others = query.data?.filter((suite) => !Object.hasOwn(suites, suite.key)) ?? [];
	// The room of the sentence that says there is no other.
	if (!query.data) return <div aria-hidden className="mt-2 h-[18px] max-md:h-9" />;
	if (others.length === 0) return <p className="mt-2 text-12 text-ink-3">{t("suitesAll")}</p>;
	return (
		<div className="mt-3 flex max-w-[640px] flex-wrap items-center gap-3">
			<Select
				label={t("suiteToAdd")}
				placeholder={t("suiteToAdd")}
				className="w-[220px]"
				value={key}
				onValueChange={setKey}
				options={others.map((suite) => {
					const isEmpty = (suite.versions[0]?.splits.test ?? 0) === 0;
					const title = local(suite.title);
					return { value: suite.key, label: suite.key, hint: isEmpty ? t("suiteNoTest") : title !== suite.key && title, disabled: isEmpty };
				})}
			/>
			<Select label={t("suiteStanding")} className="w-[180px]" value={standing} onValueChange={(next) => setStanding(next as Standing)} options={standings} />
			<GuardedButton
				reason={key ? null : t("suiteChooseFirst")}
				onClick={() => {
					if (!key) return;
					onAdd(key, standing);
					setKey(undefined);
				}}
			>
				{t("suiteAdd")}
			</GuardedButton>
		</div>
	);
}

/** The suites of the gate policy and what each counts for; an admin adds another one, or takes one out. */
export function GateSuites({ suites, editable, onChange }: { suites: Suites; editable: boolean; onChange: (suites: Suites) => void }) {
	const t = useTranslations("settings.gate");
	const standings = useStandings();
	return (
		<>
			<SectionHead title={t("suites")} className="mt-2" />
			<p className="mb-2 text-12 text-ink-2">{t("suitesHint")}</p>
			<ul className="grid gap-2">
				{Object.entries(suites).map(([key, standing]) => (
					<li key={key} className={ROW}>
						<code className="truncate">{key}</code>
						<Select
							label={t("suite", { key })}
							value={standing}
							disabled={!editable}
							onValueChange={(next) => onChange({ ...suites, [key]: next as Standing })}
							options={standings}
						/>
						{editable && Object.keys(suites).length > 1 && (
							<IconButton
								label={t("suiteRemove", { key })}
								size="sm"
								onClick={() => onChange(Object.fromEntries(Object.entries(suites).filter(([other]) => other !== key)))}
							>
								<X className="size-3.5" aria-hidden />
							</IconButton>
						)}
					</li>
				))}
			</ul>
			{editable && <AddSuite suites={suites} onAdd={(key, standing) => onChange({ ...suites, [key]: standing })} />}
		</>
	);
}
