import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CasesPage } from "@/components/cases/cases-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("cases"))("title") };
}

export default function Page() {
	return <CasesPage />;
}
