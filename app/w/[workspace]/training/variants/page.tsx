import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { VariantsPage } from "@/components/training/variants-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("variants"))("title") };
}

export default function Page() {
	return <VariantsPage />;
}
