import { Cable, FileClock, Gauge, KeyRound, type LucideIcon, ServerCog, SlidersHorizontal, UserRound, UsersRound, Workflow } from "lucide-react";
import type { Permission } from "@/server/auth/contract";

export const SECTION_IDS = ["workspace", "gate", "triggers", "people", "endpoints", "connections", "tokens", "audit", "account"] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export interface Section {
	id: SectionId;
	/** Whoever lacks it sees the section's name and who may open it. */
	permission: Permission;
	group: "workspace" | "access" | "me";
	icon: LucideIcon;
}

/** In the order of the list at the left. */
export const SECTIONS: readonly Section[] = [
	{ id: "workspace", permission: "workspace.read", group: "workspace", icon: SlidersHorizontal },
	{ id: "gate", permission: "workspace.read", group: "workspace", icon: Gauge },
	{ id: "triggers", permission: "workspace.read", group: "workspace", icon: Workflow },
	{ id: "people", permission: "people.manage", group: "access", icon: UsersRound },
	{ id: "endpoints", permission: "endpoint.manage", group: "access", icon: ServerCog },
	{ id: "connections", permission: "connection.manage", group: "access", icon: Cable },
	{ id: "tokens", permission: "token.manage", group: "access", icon: KeyRound },
	{ id: "audit", permission: "audit.read", group: "access", icon: FileClock },
	{ id: "account", permission: "workspace.read", group: "me", icon: UserRound },
];

/** The section of an address; null when there is none of this name. */
export function findSection(id: string): Section | null {
	return SECTIONS.find((section) => section.id === id) ?? null;
}
