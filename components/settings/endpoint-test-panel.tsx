"use client";

import { useLocale, useTranslations } from "next-intl";
import { formatDuration } from "@/components/ui/format";
import { Checklist } from "@/components/ui/page";
import { Skeleton } from "@/components/ui/status";
import type { EndpointTest } from "@/server/models/contract";

/** What a connection test found, step by step; the first step that failed says what is wrong and what to do. */
export function EndpointTestPanel({ name, model, result }: { name: string; model: string; result: EndpointTest | null }) {
	const locale = useLocale();
	const t = useTranslations("settings.endpoints.test");
	const c = useTranslations("common.check");
	const failed = result?.checks.find((check) => !check.ok);
	return (
		<section aria-live="polite" aria-busy={result === null} className="mt-2 rounded-6 border border-line-2 px-3.5 py-2.5">
			<h3 className="mb-1.5 font-semibold text-13">
				{result === null
					? t("running", { name })
					: failed
						? t("failed", { name })
						: t("passed", { name, latency: result.latencyMs === null ? "" : formatDuration(result.latencyMs, locale) })}
			</h3>
			{result === null ? (
				<div className="grid gap-2" aria-hidden>
					<Skeleton className="w-1/2" />
					<Skeleton className="w-2/3" />
				</div>
			) : (
				<Checklist
					words={{ yes: c("yes"), no: c("no"), open: c("open") }}
					items={result.checks.map((check) => ({
						id: check.id,
						ok: check.ok,
						label: (
							<>
								{t(`step.${check.id}`)} {t(`reason.${check.reason}`, { model })}
								{check.ms !== null && <span className="ml-1.5 text-ink-3">{formatDuration(check.ms, locale)}</span>}
							</>
						),
						detail: check.detail && <code className="break-all">{check.detail}</code>,
					}))}
				/>
			)}
			{failed && <p className="mt-2 text-12 text-ink-2">{t(`fix.${failed.reason}`)}</p>}
		</section>
	);
}
