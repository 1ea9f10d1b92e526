"use client";

import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { SkeletonRows } from "@/components/ui/status";
import type { SectionId } from "./sections";

const loading = () => <SkeletonRows rows={8} columns={2} />;

/** Each section is loaded with its page alone. */
const CONTENT: Record<SectionId, ComponentType> = {
	workspace: dynamic(() => import("./workspace-section").then((module) => module.WorkspaceSection), { ssr: false, loading }),
	gate: dynamic(() => import("./gate-section").then((module) => module.GateSection), { ssr: false, loading }),
	triggers: dynamic(() => import("@/components/triggers/triggers-section").then((module) => module.TriggersSection), { ssr: false, loading }),
	people: dynamic(() => import("./people-section").then((module) => module.PeopleSection), { ssr: false, loading }),
	endpoints: dynamic(() => import("./endpoints-section").then((module) => module.EndpointsSection), { ssr: false, loading }),
	connections: dynamic(() => import("./connections-section").then((module) => module.ConnectionsSection), { ssr: false, loading }),
	tokens: dynamic(() => import("./tokens-section").then((module) => module.TokensSection), { ssr: false, loading }),
	audit: dynamic(() => import("./audit-section").then((module) => module.AuditSection), { ssr: false, loading }),
	account: dynamic(() => import("./account-section").then((module) => module.AccountSection), { ssr: false, loading }),
};

export function SectionContent({ section }: { section: SectionId }) {
	const Content = CONTENT[section];
	return <Content />;
}
