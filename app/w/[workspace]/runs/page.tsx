import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { RunsPage } from "@/components/runs/runs-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("runs"))("title") };
}

export default function Page() {
	return <RunsPage />;
}
