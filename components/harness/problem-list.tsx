"use client";

import { CircleX, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import type { Problem } from "@/server/harness/contract";

/** `skills/price/SKILL.md` as people call it. */
export function shortFile(path: string): string {
	return /^skills\/([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? path.replace(/^(tools|prompts|hooks)\//, "").replace(/\.(md|yaml)$/, "");
}

/** A message with what stands between backticks as code. */
export function Coded({ text, lang }: { text: string; lang?: string | undefined }) {
	return <span lang={lang}>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={`${index.toString()}-${part}`}>{part}</code> : part))}</span>;
}

/** One row a problem (in the reader's language: `useProblems`): what, which rule, where; a fix a click away. */
export function ProblemList({
	problems,
	onOpen,
	onFix,
}: {
	problems: readonly Problem[];
	onOpen: (problem: Problem) => void;
	onFix: ((problem: Problem) => void) | null;
}) {
	const t = useTranslations("harness");
	return (
		<ul>
			{problems.map((problem) => (
				<li
					key={`${problem.file}:${problem.line}:${problem.column}:${problem.rule}:${problem.message}`}
					className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-start gap-x-2 border-line border-b px-3 py-1.5 text-12 last:border-b-0"
				>
					{problem.severity === "error" ? (
						<CircleX className="mt-0.5 size-3.5 text-down" aria-label={t("error")} role="img" />
					) : (
						<TriangleAlert className="mt-0.5 size-3.5 text-unsure" aria-label={t("warning")} role="img" />
					)}
					<span className="min-w-0 break-words">
						{t.has(`rules.${problem.rule}`) && <b className="font-semibold">{t(`rules.${problem.rule}` as "rules.yaml")}: </b>}
						<Coded text={problem.message} /> <span className="text-ink-3">{problem.rule}</span>
						{problem.fix && onFix && (
							<Button variant="quiet" size="sm" className="ml-1 h-5 px-1 text-accent" onClick={() => onFix(problem)}>
								{problem.fix.title}
							</Button>
						)}
					</span>
					<button type="button" className="max-w-40 truncate text-accent hover:underline" onClick={() => onOpen(problem)}>
						{shortFile(problem.file)}:{problem.line}
					</button>
				</li>
			))}
		</ul>
	);
}
