"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Checkbox } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { Popover } from "@/components/ui/popover";
import { FACETS, type FacetKey, type RunState } from "./use-run-state";

export type Facets = Record<FacetKey, { value: string; count: number }[]>;

/** The name of a facet's value in the reader's language; skills and tools keep their own. */
export function useFacetName() {
	const t = useTranslations("runs");
	const { categoryTitle } = useWorkspace();
	return (key: FacetKey, value: string): string => {
		if (key === "category") return categoryTitle(value);
		if (key === "verdict" && t.has(`verdictValue.${value}` as "verdictValue.passed")) return t(`verdictValue.${value}` as "verdictValue.passed");
		if (key === "fault" && t.has(`faultValue.${value}` as "faultValue.timeout")) return t(`faultValue.${value}` as "faultValue.timeout");
		if (key === "failureType" && t.has(`failure.${value}` as "failure.blocked")) return t(`failure.${value}` as "failure.blocked");
		return value;
	};
}

/** One chip a facet: dashed until something is chosen, then the choice with a cross. */
export function FacetFilters({ facets, run }: { facets: Facets | undefined; run: RunState }) {
	const t = useTranslations("runs.facet");
	const name = useFacetName();
	const { state, setState } = run;
	const choose = (key: FacetKey, values: string[]) => void setState({ [key]: values.length > 0 ? values : null });
	return FACETS.map((key) => {
		const chosen: readonly string[] = state[key];
		const options = facets?.[key] ?? [];
		// Until they are known each has its room: the rows below would be pushed down when they come.
		if (facets && options.length === 0 && chosen.length === 0) return null;
		// A value from the URL that this run does not have stays visible, so that it can be taken away.
		const all = [...options, ...chosen.filter((value) => !options.some((option) => option.value === value)).map((value) => ({ value, count: 0 }))];
		const on = chosen.length > 0;
		return (
			<span
				key={key}
				className={cn(
					"inline-flex h-6 items-center rounded-4 border text-12 max-md:h-11",
					on ? "border-accent-line bg-accent-soft" : "border-line-ctl border-dashed text-ink-2",
				)}
			>
				<Popover
					trigger={
						<button type="button" className="inline-flex h-full items-center gap-1 px-2">
							{!on && <Plus className="size-3" aria-hidden />}
							{t(key)}
							{on && <b className="max-w-44 truncate font-semibold">{chosen.map((value) => name(key, value)).join(", ")}</b>}
						</button>
					}
				>
					<div className="grid max-h-72 min-w-44 gap-1 overflow-y-auto p-1">
						{all.map((option) => (
							<span key={option.value} className="flex items-start justify-between gap-4">
								<Checkbox
									label={name(key, option.value)}
									checked={chosen.includes(option.value)}
									onCheckedChange={(checked) => choose(key, checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))}
								/>
								<span className="text-12 text-ink-3">{option.count}</span>
							</span>
						))}
					</div>
				</Popover>
				{on && (
					<button
						type="button"
						className="grid h-full w-6 place-items-center text-ink-2 hover:text-ink"
						aria-label={t("remove", { name: t(key) })}
						onClick={() => choose(key, [])}
					>
						<X className="size-3" aria-hidden />
					</button>
				)}
			</span>
		);
	});
}
