import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ComponentType } from "react";
import { AccountSection } from "@/components/settings/account-section";
import { AuditSection } from "@/components/settings/audit-section";
import { ConnectionsSection } from "@/components/settings/connections-section";
import { EndpointsSection } from "@/components/settings/endpoints-section";
import { GateSection } from "@/components/settings/gate-section";
import { PeopleSection } from "@/components/settings/people-section";
import { findSection, type SectionId } from "@/components/settings/sections";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { TokensSection } from "@/components/settings/tokens-section";
import { WorkspaceSection } from "@/components/settings/workspace-section";
import { TriggersSection } from "@/components/triggers/triggers-section";

const CONTENT: Record<SectionId, ComponentType> = {
	workspace: WorkspaceSection,
	gate: GateSection,
	triggers: TriggersSection,
	people: PeopleSection,
	endpoints: EndpointsSection,
	connections: ConnectionsSection,
	tokens: TokensSection,
	audit: AuditSection,
	account: AccountSection,
};

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
	const Content = CONTENT[section.id];
	return (
		<SettingsFrame section={section.id}>
			<Content />
		</SettingsFrame>
	);
}
