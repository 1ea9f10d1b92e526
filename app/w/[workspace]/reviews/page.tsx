import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ReviewsPage } from "@/components/review/reviews-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("review"))("title") };
}

export default function Page() {
	return <ReviewsPage />;
}
