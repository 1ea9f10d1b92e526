import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ReviewPage } from "@/components/review/review-page";

interface Props {
	params: Promise<{ proposal: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
	const { proposal } = await params;
	const t = await getTranslations("review");
	return { title: /^\d+$/.test(proposal) ? t("crumb", { number: Number(proposal) }) : t("title") };
}

/** By number, as people say it, or by id. */
export default async function Page({ params }: Props) {
	return <ReviewPage proposal={(await params).proposal} />;
}
