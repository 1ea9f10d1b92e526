"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { DisabledReason } from "@/components/ui/button";
import { Switch } from "@/components/ui/choice";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Name } from "@/components/ui/names";
import { PageHeader } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { toastDone } from "@/components/ui/toast";
import type { Rule } from "@/server/workspace/contract";
import { SectionBody, SectionSkeleton } from "./form-parts";

function RuleRow({ rule, editable, onSwitch }: { rule: Rule; editable: boolean; onSwitch: (enabled: boolean) => void }) {
	const t = useTranslations("settings.rules");
	return (
		<li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-1 border-line border-b py-3 max-md:grid-cols-1">
			<div className="min-w-0">
				<div className="flex flex-wrap items-center gap-x-2 font-semibold text-13">
					{t(`event.${rule.key}`)}
					<ArrowRight className="size-3.5 text-ink-3" aria-hidden />
					{t(`action.${rule.key}`)}
				</div>
				<p className="mt-0.5 max-w-[62em] text-12 text-ink-2">{t(`about.${rule.key}`)}</p>
				<p className="text-12 text-ink-3">
					{t("version", { version: rule.version })}
					{rule.updatedBy && (
						<>
							{" · "}
							<Name>{rule.updatedBy}</Name> <RelativeTime at={rule.updatedAt} />
						</>
					)}
				</p>
			</div>
			<Switch checked={rule.enabled} onCheckedChange={onSwitch} disabled={!editable} label={t(rule.enabled ? "on" : "off")} />
		</li>
	);
}

/** What happens by itself, in words, with a switch each. Turning one off asks why; turning it on does not. */
export function RulesSection() {
	const t = useTranslations("settings.rules");
	const s = useTranslations("settings");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const [turningOff, setTurningOff] = useState<Rule | null>(null);
	const query = useQuery(trpc.settings.rules.queryOptions({ workspace: slug }));
	const change = useMutation(
		trpc.settings.ruleSwitch.mutationOptions({
			onSuccess: (_, { enabled }) => toastDone(t(enabled ? "turnedOn" : "turnedOff")),
			onSettled: () => queryClient.invalidateQueries(trpc.settings.rules.queryFilter()),
		}),
	);
	const editable = can("rule.manage");
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={2} />}>
			{(rules) => (
				<>
					<PageHeader title={t("say", { on: rules.filter((rule) => rule.enabled).length, count: rules.length })} lead={t("lead")} />
					<SectionBody>
						<ul>
							{rules.map((rule) => (
								<RuleRow
									key={rule.key}
									rule={rule}
									editable={editable && !change.isPending}
									onSwitch={(enabled) => (enabled ? change.mutate({ workspace: slug, key: rule.key, enabled, version: rule.version }) : setTurningOff(rule))}
								/>
							))}
						</ul>
						{!editable && <DisabledReason className="mt-3 block">{s("adminEdits")}</DisabledReason>}
					</SectionBody>
					<ConfirmDialog
						open={turningOff !== null}
						onOpenChange={(open) => !open && setTurningOff(null)}
						title={turningOff && t("offTitle", { action: t(`action.${turningOff.key}`) })}
						description={turningOff && t(`without.${turningOff.key}`)}
						confirmLabel={t("turnOff")}
						reasonLabel={t("reason")}
						onConfirm={(reason) =>
							turningOff ? change.mutateAsync({ workspace: slug, key: turningOff.key, enabled: false, version: turningOff.version, reason }) : Promise.resolve()
						}
					/>
				</>
			)}
		</QueryBoundary>
	);
}
