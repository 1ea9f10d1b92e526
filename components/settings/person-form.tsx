"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Checkbox } from "@/components/ui/choice";
import { Field, Input } from "@/components/ui/field";
import { toastDone } from "@/components/ui/toast";
import type { Person, Role } from "@/server/auth/contract";
import { FormSheet, refusedFields } from "./form-parts";

const ROLES: readonly Role[] = ["operator", "reviewer", "viewer", "admin"];

/** Adds a person, or changes the roles of one. A new account's initial password goes to `onPassword`, once. */
export function PersonForm({ person, onClose, onPassword }: { person: Person | null; onClose: () => void; onPassword: (password: string) => void }) {
	const t = useTranslations("settings.people");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const [name, setName] = useState("");
	const [email, setEmail] = useState("");
	const [roles, setRoles] = useState<readonly Role[]>(person?.roles ?? ["operator"]);
	const [tried, setTried] = useState(false);
	const refresh = async () => {
		onClose();
		await Promise.all([queryClient.invalidateQueries(trpc.auth.peopleList.queryFilter()), queryClient.invalidateQueries(trpc.workspace.shell.queryFilter())]);
	};
	const create = useMutation(
		trpc.auth.personCreate.mutationOptions({
			meta: { silent: true },
			onSuccess: async ({ initialPassword }) => {
				if (initialPassword) onPassword(initialPassword);
				else toastDone(t("addedExisting"));
				await refresh();
			},
		}),
	);
	const update = useMutation(
		trpc.auth.personSetRoles.mutationOptions({
			meta: { silent: true },
			onSuccess: async () => {
				toastDone(t("rolesSaved", { name: person?.name ?? "" }));
				await refresh();
			},
		}),
	);
	const refused = refusedFields(create.error);
	const submit = () => {
		setTried(true);
		if (roles.length === 0) return;
		if (person) update.mutate({ workspace: slug, userId: person.id, roles: [...roles] });
		else if (name.trim() !== "") create.mutate({ workspace: slug, name, email: email.trim(), roles: [...roles] });
	};
	const toggle = (role: Role, on: boolean) => setRoles(ROLES.filter((other) => (other === role ? on : roles.includes(other))));
	return (
		<FormSheet
			open
			onClose={onClose}
			title={person ? t("rolesOf", { name: person.name }) : t("add")}
			description={person ? undefined : t("addText")}
			submitLabel={person ? c("save") : t("add")}
			busy={create.isPending || update.isPending}
			error={person ? update.error : create.error}
			onSubmit={submit}
		>
			{!person && (
				<>
					<Field label={t("name")} required error={tried && name.trim() === "" && t("problem.name")}>
						<Input value={name} onChange={(event) => setName(event.target.value)} maxLength={120} autoComplete="off" />
					</Field>
					<Field label={t("email")} required error={refused.has("email") && t("problem.email")}>
						<Input type="email" value={email} onChange={(event) => setEmail(event.target.value)} maxLength={320} autoComplete="off" />
					</Field>
				</>
			)}
			<fieldset className="grid gap-2">
				<legend className="mb-1 text-12 text-ink-3">{t("roles")}</legend>
				{ROLES.map((role) => (
					<Checkbox key={role} checked={roles.includes(role)} onCheckedChange={(on) => toggle(role, on)} label={c(`role.${role}`)} hint={t(`does.${role}`)} />
				))}
				{tried && roles.length === 0 && (
					<p role="alert" className="text-12 text-down">
						{t("problem.roles")}
					</p>
				)}
			</fieldset>
		</FormSheet>
	);
}
