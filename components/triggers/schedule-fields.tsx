"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { useDeferredValue } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { describeError, type Translator } from "@/components/trpc/error-text";
import { Field, Input } from "@/components/ui/field";
import type { FieldsProps } from "./action-fields";

/** A cron line with its time zone, and when it comes next; a line that is none says which field is wrong while it is typed. */
export function ScheduleFields({ values, problems, onChange }: FieldsProps) {
	const t = useTranslations("triggers");
	const e = useTranslations("errors");
	const format = useFormatter();
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const [cron, timeZone] = useDeferredValue(`${values.cron.trim()}\n${values.timeZone.trim()}`).split("\n") as [string, string];
	const query = useQuery(trpc.triggers.nextTimes.queryOptions({ workspace: slug, cron, timeZone }, { enabled: cron !== "" && timeZone !== "", retry: false }));
	const refused = query.error && describeError(query.error, e as unknown as Translator);
	const wrong = problems.has("schedule") ? t("form.problem.schedule") : refused && `${refused.title} ${refused.fix ?? ""}`;
	const next = query.data?.map((at) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short", timeZone })).join(" · ");
	return (
		<div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
			<Field label={t("schedule.cron")} required error={wrong} hint={next ? t("schedule.next", { times: next }) : t("schedule.cronHint")}>
				<Input
					value={values.cron}
					onChange={(event) => onChange({ cron: event.target.value })}
					spellCheck={false}
					autoComplete="off"
					maxLength={100}
					className="font-mono"
				/>
			</Field>
			<Field label={t("schedule.zone")} required>
				<Input
					value={values.timeZone}
					onChange={(event) => onChange({ timeZone: event.target.value })}
					spellCheck={false}
					autoComplete="off"
					maxLength={60}
					list="time-zones"
				/>
				<datalist id="time-zones">
					{Intl.supportedValuesOf("timeZone").map((zone) => (
						<option key={zone} value={zone} />
					))}
				</datalist>
			</Field>
		</div>
	);
}
