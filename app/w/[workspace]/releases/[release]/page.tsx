import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ReleasesPage } from "@/components/releases/releases-page";

interface Props {
	params: Promise<{ release: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
	const { release } = await params;
	return { title: /^v\d+$/.test(release) ? release : (await getTranslations("releases"))("title") };
}

/** By tag, as people say it, or by id. */
export default async function Page({ params }: Props) {
	return <ReleasesPage selected={(await params).release} />;
}
