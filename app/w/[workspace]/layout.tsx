import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { getCaller } from "@/app/caller";
import { Shell } from "@/components/layout/shell";

export const dynamic = "force-dynamic";

/** Everything below needs a member of this workspace; a stranger sees that nothing is there. */
export default async function WorkspaceLayout({ children, params }: { children: ReactNode; params: Promise<{ workspace: string }> }) {
	const { workspace } = await params;
	const slug = decodeURIComponent(workspace);
	const caller = await getCaller();
	const shell = await caller.workspace.shell({ workspace: slug }).catch((error: unknown) => {
		if (error instanceof TRPCError && error.code === "UNAUTHORIZED") return "signed-out" as const;
		if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST")) return "missing" as const;
		throw error;
	});
	if (shell === "signed-out") {
		const wanted = (await headers()).get("x-studio-path") ?? `/w/${encodeURIComponent(slug)}`;
		redirect(`/sign-in?next=${encodeURIComponent(wanted)}`);
	}
	if (shell === "missing") notFound();
	return (
		<Shell slug={slug} initial={shell}>
			{children}
		</Shell>
	);
}
