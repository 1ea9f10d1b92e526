import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CheckpointPage } from "@/components/training/checkpoint-page";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("training"))("title") };
}

export default async function Page({ params }: { params: Promise<{ policy: string }> }) {
	return <CheckpointPage policyVersionId={decodeURIComponent((await params).policy)} />;
}
