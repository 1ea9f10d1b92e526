import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { SectionContent } from "@/components/settings/section-content";
import { findSection } from "@/components/settings/sections";
import { SettingsFrame } from "@/components/settings/settings-frame";

type Params = Promise<{ section: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
	const section = findSection((await params).section);
	const t = await getTranslations("settings");
	return { title: section ? `${t(`section.${section.id}`)} · ${t("title")}` : t("title") };
}

/** One section of the settings. The server decides again for each of its calls; the frame says who may open it. */
export default async function SettingsPage({ params }: { params: Params }) {
	const section = findSection((await params).section);
	if (!section) notFound();
	return (
		<SettingsFrame section={section.id}>
			<SectionContent section={section.id} />
		</SettingsFrame>
	);
}
