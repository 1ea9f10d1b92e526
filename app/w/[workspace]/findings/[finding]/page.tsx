import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { FindingsPage } from "@/components/findings/findings-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("findings"))("title") };
}

/** `findings/118` and `findings/F-118`: the list, with that finding marked and in sight. */
export default async function Page({ params }: { params: Promise<{ finding: string }> }) {
	const number = /^(?:F-)?(\d{1,9})$/i.exec((await params).finding)?.[1];
	if (!number) notFound();
	return <FindingsPage number={Number(number)} />;
}
