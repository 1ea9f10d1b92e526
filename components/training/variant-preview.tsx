"use client";

import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notes";
import { SectionHead } from "@/components/ui/page";
import type { FilePair, VariantPreview as Preview, VariantLogEntry } from "@/server/augmentation/contract";

function Changes({ log }: { log: readonly VariantLogEntry[] }) {
	const t = useTranslations("variants");
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable without a pointer
		<section aria-label={t("preview.changes")} tabIndex={0} className="max-h-[420px] overflow-y-auto">
			<ul className="grid gap-2 text-12">
				{log.map((entry, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the log is a sequence and never reordered
					<li key={index} className="min-w-0 border-line border-t pt-1.5">
						<p>
							<code>{entry.component}</code>
							{" · "}
							{t(`transform.${entry.dimension}.${entry.transform}` as Parameters<typeof t>[0])}
							<span className="text-ink-3">
								{" · "}
								{t(`because.${entry.because}`)}
							</span>
						</p>
						{entry.before && entry.before !== entry.after && <p className="break-words text-ink-2 line-through">{entry.before}</p>}
						{entry.after && entry.before !== entry.after && <p className="break-words">{entry.after}</p>}
					</li>
				))}
			</ul>
		</section>
	);
}

function Side({ side, title }: { side: FilePair["before"]; title: string }) {
	const t = useTranslations("variants.preview");
	return (
		<div className="min-w-0">
			<p className="mb-1 text-12 text-ink-3">
				{title}
				{": "}
				{side ? <code>{side.path}</code> : t("missing")}
			</p>
			{side && (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable without a pointer
				<section aria-label={`${title}: ${side.path}`} tabIndex={0} className="max-h-80 overflow-auto rounded-4 border border-line bg-sub p-2">
					<pre className="whitespace-pre-wrap break-words text-12">{side.text}</pre>
				</section>
			)}
		</div>
	);
}

/** A variant beside its original: what changed, and why the task is the same. */
export function VariantPreview({ preview }: { preview: Preview }) {
	const t = useTranslations("variants.preview");
	const { variant } = preview;
	if (!variant) return <Notice tone="down">{t("impossible")}</Notice>;
	return (
		<div data-testid="variant-preview">
			<p className="text-12 text-ink-3">
				{t("meta", { changes: variant.log.length, ms: variant.ms.toFixed(1) })}
				{" · "}
				{variant.distance.inside ? t("inside") : t("outside")}
			</p>
			<SectionHead title={t("changes")} className="mt-3" />
			<Changes log={variant.log} />
			<SectionHead title={t("files")} meta={variant.files.length} className="mt-4" />
			<ul className="grid gap-1">
				{variant.files.map((pair, index) => (
					<li key={`${pair.before?.path}→${pair.after?.path}`}>
						<details open={index === 0}>
							<summary className="cursor-pointer py-1 text-12">
								<code>{pair.after?.path ?? pair.before?.path}</code>
							</summary>
							<div className="grid grid-cols-2 gap-3 pb-3 max-lg:grid-cols-1">
								<Side side={pair.before} title={t("original")} />
								<Side side={pair.after} title={t("variant")} />
							</div>
						</details>
					</li>
				))}
			</ul>
		</div>
	);
}
