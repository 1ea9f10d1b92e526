"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { cn } from "@/components/ui/cn";
import { langOf } from "@/components/ui/format";
import type { FileDiff } from "@/server/harness/contract";
import { diffRows } from "./line-diff";

const SIGN = { same: " ", added: "+", removed: "−", gap: "" } as const;

function OneFile({ file }: { file: FileDiff }) {
	const t = useTranslations("releases");
	const rows = useMemo(() => diffRows(file.before, file.after), [file]);
	return (
		<details open={file.added + file.removed <= 40} className="border-line border-t first:border-t-0">
			<summary className="flex min-h-8 cursor-pointer items-center gap-2 bg-sub px-3 text-12 max-md:min-h-11">
				<code className="min-w-0 truncate">{file.path}</code>
				<span className="text-ink-3">{file.status !== "modified" && t(`file.${file.status}`)}</span>
				<span className="ml-auto whitespace-nowrap">
					<span className="text-up">+{file.added}</span> <span className="text-down">−{file.removed}</span>
				</span>
			</summary>
			<div className="overflow-x-auto font-mono text-12 leading-5">
				{rows.map((row, index) => (
					<div
						key={`${index.toString()}-${row.kind}`}
						className={cn(
							"grid grid-cols-[40px_40px_16px_minmax(0,1fr)]",
							row.kind === "added" && "bg-up-soft",
							row.kind === "removed" && "bg-down-soft",
							row.kind === "gap" && "bg-sub text-ink-3",
						)}
					>
						{row.kind === "gap" ? (
							<span className="col-span-4 px-3">{t("unchangedLines", { count: Number(row.text) })}</span>
						) : (
							<>
								<span className="select-none pr-2 text-right text-ink-3">{row.before}</span>
								<span className="select-none pr-2 text-right text-ink-3">{row.after}</span>
								<span className="select-none">{SIGN[row.kind]}</span>
								{/* The font of a language would take the place of the code's, unless this says itself that it is code. */}
								<span lang={langOf(row.text)} className="whitespace-pre-wrap break-words pr-3 font-mono">
									{row.text}
								</span>
							</>
						)}
					</div>
				))}
			</div>
		</details>
	);
}

/** Every line that changes, file by file. */
export function ExactDiff({ diff, className }: { diff: readonly FileDiff[]; className?: string }) {
	const t = useTranslations("releases");
	if (diff.length === 0) return <p className="text-12 text-ink-2">{t("noDiff")}</p>;
	return (
		<div className={cn("overflow-hidden rounded-4 border border-line-2", className)}>
			{diff.map((file) => (
				<OneFile key={file.path} file={file} />
			))}
		</div>
	);
}
