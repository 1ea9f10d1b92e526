import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RunPage } from "@/components/runs/run-page";

type Params = Promise<{ run: string }>;

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("runs"))("title") };
}

/** By id or by number: links carry ids, people type numbers. */
export default async function Page({ params }: { params: Params }) {
	const { run } = await params;
	return <RunPage reference={decodeURIComponent(run)} />;
}
