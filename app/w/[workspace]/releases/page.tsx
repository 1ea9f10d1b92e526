import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ReleasesPage } from "@/components/releases/releases-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("releases"))("title") };
}

export default function Page() {
	return <ReleasesPage />;
}
