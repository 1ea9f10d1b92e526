"use client";

import { Lock } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Breadcrumbs } from "@/components/ui/breadcrumbs";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/notes";
import { Select } from "@/components/ui/select";
import { SECTIONS, type Section, type SectionId } from "./sections";

const GROUPS = ["workspace", "access", "me"] as const;

function SectionLink({ section, active }: { section: Section; active: boolean }) {
	const t = useTranslations("settings");
	const { can, path } = useWorkspace();
	const Icon = section.icon;
	return (
		<Link
			href={path("settings", section.id)}
			aria-current={active ? "page" : undefined}
			className={cn(
				"flex h-7 items-center gap-2 rounded-4 px-2 text-13 no-underline",
				active ? "bg-accent-soft font-semibold text-ink shadow-[inset_2px_0_0_var(--accent)]" : "text-ink-2 hover:bg-hover hover:text-ink",
			)}
		>
			<Icon className="size-3.5 text-ink-3" aria-hidden />
			<span className="min-w-0 flex-1 truncate">{t(`section.${section.id}`)}</span>
			{!can(section.permission) && (
				<>
					<Lock className="size-3 text-ink-3" aria-hidden />
					<span className="sr-only">{t("forAdmins")}</span>
				</>
			)}
		</Link>
	);
}

/** The list of sections beside the one that is open; a choice above it at 390 px. Who may not open a section reads who can. */
export function SettingsFrame({ section: id, children }: { section: SectionId; children: ReactNode }) {
	const t = useTranslations("settings");
	const router = useRouter();
	const { can, path } = useWorkspace();
	const section = SECTIONS.find((candidate) => candidate.id === id);
	const name = t(`section.${id}`);
	return (
		<div className="grid min-h-full grid-cols-[188px_minmax(0,1fr)] max-md:grid-cols-1 max-md:content-start">
			<Breadcrumbs items={[{ label: t("title"), href: path("settings", "workspace") }, { label: name }]} />
			<nav aria-label={t("title")} className="border-line border-r px-3 py-4 max-md:hidden">
				{GROUPS.map((group) => (
					<div key={group} className="mb-4">
						<div className="px-2 pb-1 text-12 text-ink-3">{t(`group.${group}`)}</div>
						<div className="grid gap-px">
							{SECTIONS.filter((candidate) => candidate.group === group).map((candidate) => (
								<SectionLink key={candidate.id} section={candidate} active={candidate.id === id} />
							))}
						</div>
					</div>
				))}
			</nav>
			<div className="border-line border-b p-4 md:hidden">
				<Select
					label={t("title")}
					prefix
					className="w-full"
					value={id}
					onValueChange={(next) => router.push(path("settings", next))}
					options={SECTIONS.map((candidate) => ({
						value: candidate.id,
						label: t(`section.${candidate.id}`),
						hint: can(candidate.permission) ? undefined : t("forAdmins"),
					}))}
				/>
			</div>
			<div className="min-w-0">
				{section && can(section.permission) ? (
					children
				) : (
					<div className="px-6 max-md:px-4">
						<EmptyState title={t("locked.title", { section: name })}>{t(`locked.${id === "audit" ? "audit" : "text"}`)}</EmptyState>
					</div>
				)}
			</div>
		</div>
	);
}
