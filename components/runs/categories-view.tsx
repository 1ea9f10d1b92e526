"use client";

import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Sideways, Table, Td, Th, Tr } from "@/components/ui/table";
import { Score } from "@/components/ui/verdict";
import type { RunInfo } from "@/server/evaluation/contract";
import type { RunState } from "./use-run-state";

/** Scores by category; a category opens its results. */
export function CategoriesView({ run, state }: { run: RunInfo; state: RunState }) {
	const t = useTranslations("runs.categories");
	const c = useTranslations("common");
	const { categoryTitle } = useWorkspace();
	if (!run.summary) return <p className="px-4 py-6 text-13 text-ink-2">{t("pending")}</p>;
	return (
		<Sideways label={t("label")} className="px-4 py-3">
			<Table aria-label={t("label")}>
				<thead>
					<tr>
						<Th>{t("category")}</Th>
						<Th numeric>{t("cases")}</Th>
						<Th numeric>{c("accuracy")}</Th>
						<Th numeric>{c("effectiveness")}</Th>
					</tr>
				</thead>
				<tbody>
					{run.summary.perCategory.map((row) => (
						<Tr key={row.category}>
							<Td>
								<button type="button" className="hover:text-accent" onClick={() => void state.setState({ view: "results", category: [row.category] })}>
									{categoryTitle(row.category)}
								</button>
							</Td>
							<Td numeric>{row.cases}</Td>
							<Td numeric>
								<Score {...row.accuracy} />
							</Td>
							<Td numeric>
								<Score {...row.effectiveness} />
							</Td>
						</Tr>
					))}
				</tbody>
			</Table>
		</Sideways>
	);
}
