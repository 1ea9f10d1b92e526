"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import type { Endpoint, EndpointRole } from "@/server/models/contract";

const ROLES: readonly EndpointRole[] = ["policy", "judge", "diagnosis", "editing"];
const BUILT_IN = "";

/** Who plays what: the built-in engine, or one of the endpoints. */
export function EndpointRoles({ endpoints }: { endpoints: readonly Endpoint[] }) {
	const t = useTranslations("settings.endpoints");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const assign = useMutation(
		trpc.models.roleAssign.mutationOptions({
			onSuccess: () => toastDone(t("roleSaved")),
			onSettled: () =>
				Promise.all([queryClient.invalidateQueries(trpc.models.pathFilter()), queryClient.invalidateQueries(trpc.workspace.shell.queryFilter())]),
		}),
	);
	return (
		<ul className="border-line border-t">
			{ROLES.map((role) => (
				<li key={role} className="grid grid-cols-[minmax(0,1fr)_240px] items-center gap-x-6 gap-y-1.5 border-line border-b py-2 max-md:grid-cols-1">
					<div>
						<b className="font-semibold text-13">{t(`role.${role}`)}</b>
						<span className="block text-12 text-ink-2">{t(`roleText.${role}`)}</span>
					</div>
					<Select
						label={t(`role.${role}`)}
						value={endpoints.find((endpoint) => endpoint.roles.includes(role))?.id ?? BUILT_IN}
						disabled={assign.isPending}
						onValueChange={(endpointId) => assign.mutate({ workspace: slug, role, endpointId: endpointId === BUILT_IN ? null : endpointId })}
						options={[
							{ value: BUILT_IN, label: t(`builtIn.${role}`) },
							...endpoints.map((endpoint) => ({ value: endpoint.id, label: endpoint.name, hint: endpoint.model })),
						]}
					/>
				</li>
			))}
		</ul>
	);
}
