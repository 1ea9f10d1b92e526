import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { TrainingPage } from "@/components/training/training-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("training"))("title") };
}

export default async function Page({ params }: { params: Promise<{ training: string }> }) {
	return <TrainingPage trainingId={decodeURIComponent((await params).training)} />;
}
