import { redirect } from "next/navigation";

/** A workspace opens on its curve. */
export default async function WorkspaceHome({ params }: { params: Promise<{ workspace: string }> }) {
	redirect(`/w/${(await params).workspace}/evolution`);
}
