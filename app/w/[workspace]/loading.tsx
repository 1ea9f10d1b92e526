import { useTranslations } from "next-intl";
import { Skeleton, SkeletonRows } from "@/components/ui/status";

/** The grid of a list page, before its data. */
export default function Loading() {
	const t = useTranslations("common");
	return (
		<div role="status" aria-busy="true" aria-label={t("loading")}>
			<div className="border-line border-b px-6 pt-5 pb-4 max-md:p-4">
				<Skeleton className="h-5 w-[46%] max-md:w-full" />
				<Skeleton className="mt-3 h-3 w-[62%] max-md:w-2/3" />
			</div>
			<div className="px-6 py-4 max-md:px-4">
				<SkeletonRows rows={12} columns={5} />
			</div>
		</div>
	);
}
