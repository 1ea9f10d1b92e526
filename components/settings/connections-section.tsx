"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { QueryBoundary, useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import { PageHeader } from "@/components/ui/page";
import { RelativeTime } from "@/components/ui/relative-time";
import { Tag } from "@/components/ui/status";
import { Table, Td, Th, Tr } from "@/components/ui/table";
import { toastDone } from "@/components/ui/toast";
import type { Connection } from "@/server/models/contract";
import { ConnectionForm } from "./connection-form";
import { SectionBody, SectionSkeleton, useDrawer } from "./form-parts";

/** The http and mcp servers that a tool of the harness may name; a harness can name nothing else. */
export function ConnectionsSection() {
	const t = useTranslations("settings.connections");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const drawer = useDrawer<Connection>();
	const [deleting, setDeleting] = useState<Connection | null>(null);
	const query = useQuery(trpc.models.connections.queryOptions({ workspace: slug }));
	const remove = useMutation(
		trpc.models.connectionDelete.mutationOptions({
			onSuccess: () => toastDone(t("deleted")),
			onSettled: () => queryClient.invalidateQueries(trpc.models.connections.queryFilter()),
		}),
	);
	const add = (
		<Button variant="solid" onClick={drawer.openNew}>
			<Plus className="size-3.5" aria-hidden />
			{t("add")}
		</Button>
	);
	return (
		<QueryBoundary query={query} skeleton={<SectionSkeleton columns={4} />}>
			{(connections) => (
				<>
					<PageHeader title={t("say", { count: connections.length })} lead={t("lead")} actions={connections.length > 0 && add} />
					<SectionBody className="pt-2">
						{connections.length === 0 ? (
							<EmptyState title={t("empty.title")} action={add}>
								{t("empty.text")}
							</EmptyState>
						) : (
							<div className="overflow-x-auto">
								<Table aria-label={t("label")}>
									<thead>
										<tr>
											<Th>{t("name")}</Th>
											<Th>{t("kind")}</Th>
											<Th>{t("url")}</Th>
											<Th className="max-md:hidden">{t("headers")}</Th>
											<Th className="max-md:hidden">{t("changed")}</Th>
											<Th>
												<span className="sr-only">{t("acts")}</span>
											</Th>
										</tr>
									</thead>
									<tbody>
										{connections.map((connection) => (
											<Tr key={connection.id}>
												<Td className="font-semibold">{connection.name}</Td>
												<Td>{t(`kinds.${connection.kind}`)}</Td>
												<Td>
													<code className="break-all">{connection.url}</code> {connection.allowPrivate && <Tag>{t("privateAllowed")}</Tag>}
												</Td>
												<Td className="max-md:hidden">{t(connection.hasHeaders ? "stored" : "noHeaders")}</Td>
												<Td className="max-md:hidden" muted>
													<RelativeTime at={connection.updatedAt} />
												</Td>
												<Td>
													<span className="flex justify-end gap-1.5">
														<Button size="sm" onClick={() => drawer.openFor(connection)}>
															{c("edit")}
														</Button>
														<Button size="sm" variant="danger" onClick={() => setDeleting(connection)}>
															{c("delete")}
														</Button>
													</span>
												</Td>
											</Tr>
										))}
									</tbody>
								</Table>
							</div>
						)}
					</SectionBody>
					{drawer.target !== null && <ConnectionForm connection={drawer.target === "new" ? null : drawer.target} onClose={drawer.close} />}
					<ConfirmDialog
						open={deleting !== null}
						onOpenChange={(open) => !open && setDeleting(null)}
						title={deleting && t("deleteTitle", { name: deleting.name })}
						description={t("deleteText")}
						confirmLabel={c("delete")}
						danger
						onConfirm={() => (deleting ? remove.mutateAsync({ workspace: slug, id: deleting.id }) : Promise.resolve())}
					/>
				</>
			)}
		</QueryBoundary>
	);
}
