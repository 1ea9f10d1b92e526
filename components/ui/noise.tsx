import { useLocale, useTranslations } from "next-intl";
import { formatShare } from "./format";

/**
 * The noise between trials (the share of cases whose verdict flips when they are repeated), to stand beside a delta; nothing
 * where it is not known, as with one trial.
 */
export function Noise({ share, className = "text-ink-3" }: { share: number | null | undefined; className?: string }) {
	const t = useTranslations("common");
	const locale = useLocale();
	if (share === null || share === undefined) return null;
	return <span className={className}>{t("noise", { share: formatShare(share, locale) })}</span>;
}
