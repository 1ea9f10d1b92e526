import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { TrainingsPage } from "@/components/training/trainings-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("training"))("title") };
}

export default function Page() {
	return <TrainingsPage />;
}
