"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Notice } from "@/components/ui/notes";
import { Written } from "@/components/ui/written";
import { componentFile, type Finding } from "./types";

/** Beside the act that asked for an edit: which findings it found none for, and what a person does next. */
export function LeftFindings({ findings }: { findings: readonly Finding[] }) {
	const t = useTranslations("findings.left");
	const { path } = useWorkspace();
	return (
		// The region stands before its words come: only then are they read out.
		<div role="status">
			{findings.length > 0 && (
				<Notice tone="unsure" className="mt-3">
					{t("none")}
					{findings.map((finding) => {
						const file = finding.component ? componentFile(finding.component) : null;
						return (
							<span key={finding.id} className="mt-1 block">
								<a href={`#F-${finding.number}`} className="link">
									F-{finding.number}
								</a>{" "}
								<Written phrases={finding.phrases} className="text-ink">
									{finding.title}
								</Written>{" "}
								<Link href={file ? `${path("harness")}?file=${encodeURIComponent(file)}` : path("harness")} className="link whitespace-nowrap">
									{t("edit")}
								</Link>
							</span>
						);
					})}
					<span className="mt-1 block">{t("next", { count: findings.length })}</span>
				</Notice>
			)}
		</div>
	);
}
