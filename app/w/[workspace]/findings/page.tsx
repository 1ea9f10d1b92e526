import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { FindingsPage } from "@/components/findings/findings-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("findings"))("title") };
}

export default function Page() {
	return <FindingsPage />;
}
