import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RoundPage } from "@/components/evolution/round-view";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("evolution"))("title") };
}

export default async function Page({ params }: { params: Promise<{ round: string }> }) {
	return <RoundPage id={decodeURIComponent((await params).round)} />;
}
