import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { EvolutionPage } from "@/components/evolution/evolution-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("evolution"))("title") };
}

export default function Page() {
	return <EvolutionPage />;
}
