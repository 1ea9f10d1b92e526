"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button, IconButton } from "@/components/ui/button";
import { type Column, DataTable } from "@/components/ui/data-table";
import { ConfirmDialog } from "@/components/ui/dialog";
import { PageHeader } from "@/components/ui/page";
import { PersonAvatar, Words } from "@/components/ui/person";
import { DropdownMenu, type MenuItem } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { Tag } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import type { Person } from "@/server/auth/contract";
import { SecretOnce, SectionBody, SectionSkeleton, useDrawer } from "./form-parts";
import { PersonForm } from "./person-form";

type Act = "disable" | "enable" | "reset" | "remove";

function PersonMenu({ person, onRoles, onAct }: { person: Person; onRoles: () => void; onAct: (act: Act) => void }) {
	const t = useTranslations("settings.people");
	const items: MenuItem[] = [
		{ label: t("editRoles"), onSelect: onRoles },
		...(person.manageable
			? ([
					{ label: t("reset"), onSelect: () => onAct("reset") },
					person.disabled ? { label: t("enable"), onSelect: () => onAct("enable") } : { label: t("disable"), onSelect: () => onAct("disable"), danger: true },
				] satisfies MenuItem[])
			: []),
		{ separator: true },
		{ label: t("remove"), onSelect: () => onAct("remove"), danger: true },
	];
	return (
		<DropdownMenu
			items={items}
			trigger={
				<IconButton size="sm" label={t("menu", { name: person.name })}>
					<Ellipsis className="size-3.5" aria-hidden />
				</IconButton>
			}
		/>
	);
}

/** Asks before what ends somebody's access, then does it. */
function ActDialog({ person, act, onClose, onPassword }: { person: Person; act: Act; onClose: () => void; onPassword: (password: string) => void }) {
	const t = useTranslations("settings.people");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const onSettled = () => queryClient.invalidateQueries(trpc.auth.peopleList.queryFilter());
	const disable = useMutation(trpc.auth.personSetDisabled.mutationOptions({ onSettled }));
	const roles = useMutation(trpc.auth.personSetRoles.mutationOptions({ onSettled }));
	const reset = useMutation(trpc.auth.personResetPassword.mutationOptions({ onSettled }));
	const target = { workspace: slug, userId: person.id };
	const run = async () => {
		if (act === "reset") return onPassword((await reset.mutateAsync(target)).initialPassword);
		if (act === "remove") await roles.mutateAsync({ ...target, roles: [] });
		else await disable.mutateAsync({ ...target, disabled: act === "disable" });
		toastDone(t(`done.${act}`, { name: person.name }));
	};
	return (
		<ConfirmDialog
			open
			onOpenChange={(open) => !open && onClose()}
			title={t(`confirm.${act}.title`, { name: person.name })}
			description={t(`confirm.${act}.text`)}
			confirmLabel={t(act)}
			danger={act === "disable" || act === "remove"}
			onConfirm={run}
		/>
	);
}

function usePeopleColumns(onRoles: (person: Person) => void, onAct: (person: Person, act: Act) => void): Column<Person>[] {
	const t = useTranslations("settings.people");
	const c = useTranslations("common");
	const { shell } = useWorkspace();
	const roleNames = (person: Person) => person.roles.map((role) => c(`role.${role}`)).join(" · ");
	return [
		{
			id: "name",
			header: t("name"),
			sortValue: (person) => person.name,
			text: (person) => `${person.name} ${person.email} ${roleNames(person)}`,
			csv: (person) => person.name,
			cell: (person) => (
				<span className="flex min-w-0 items-center gap-2 py-0.5">
					<PersonAvatar name={person.name} me={person.id === shell.person.id} />
					<span className="min-w-0">
						<span className="flex flex-wrap items-center gap-1.5">
							<Words className={person.disabled ? "text-ink-3 line-through" : "font-semibold"}>{person.name}</Words>
							{person.demo && <Tag>{t("demo")}</Tag>}
							{person.disabled && <Tag>{t("disabled")}</Tag>}
						</span>
						<span className="block break-all text-ink-3">{person.email}</span>
						<span className="block md:hidden">{roleNames(person)}</span>
					</span>
				</span>
			),
		},
		{ id: "roles", header: t("roles"), wideOnly: true, sortValue: roleNames, csv: (person) => person.roles.join(" "), cell: roleNames },
		{
			id: "seen",
			header: t("seen"),
			wideOnly: true,
			sortValue: (person) => person.lastSeenAt?.getTime() ?? null,
			csv: (person) => person.lastSeenAt?.toISOString() ?? "",
			cell: (person) => (person.lastSeenAt ? <RelativeTime at={person.lastSeenAt} /> : <span className="text-ink-3">{t("never")}</span>),
		},
		{
			id: "menu",
			header: <span className="sr-only">{t("acts")}</span>,
			csvHeader: t("email"),
			csv: (person) => person.email,
			className: "w-8 text-right",
			cell: (person) => <PersonMenu person={person} onRoles={() => onRoles(person)} onAct={(act) => onAct(person, act)} />,
		},
	];
}

/** Who belongs to this workspace, as what. */
export function PeopleSection() {
	const t = useTranslations("settings.people");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const drawer = useDrawer<Person>();
	const [act, setAct] = useState<{ person: Person; act: Act } | null>(null);
	const [password, setPassword] = useState<string | null>(null);
	const query = useQuery(trpc.auth.peopleList.queryOptions({ workspace: slug }));
	const columns = usePeopleColumns(drawer.openFor, (person, which) => setAct({ person, act: which }));
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={3} />}>
			{(people) => (
				<>
					<PageHeader
						title={t("say", { count: people.length, reviewers: people.filter((person) => person.roles.includes("reviewer") && !person.disabled).length })}
						lead={t("lead")}
						actions={
							<Button variant="solid" onClick={drawer.openNew}>
								<UserPlus className="size-3.5" aria-hidden />
								{t("add")}
							</Button>
						}
					/>
					<SectionBody>
						<DataTable rows={people} columns={columns} rowKey={(person) => person.id} label={t("label")} csvName="people" />
					</SectionBody>
					{drawer.target !== null && <PersonForm person={drawer.target === "new" ? null : drawer.target} onClose={drawer.close} onPassword={setPassword} />}
					{act && <ActDialog {...act} onClose={() => setAct(null)} onPassword={setPassword} />}
					<SecretOnce title={t("password.title")} text={t("password.text")} secret={password} onClose={() => setPassword(null)} />
				</>
			)}
		</QueryBoundary>
	);
}
