import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AblationPage } from "@/components/training/ablation-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("ablation"))("title") };
}

export default function Page() {
	return <AblationPage />;
}
