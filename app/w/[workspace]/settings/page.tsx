import { redirect } from "next/navigation";

/** Settings open on the workspace itself. */
export default async function SettingsHome({ params }: { params: Promise<{ workspace: string }> }) {
	redirect(`/w/${(await params).workspace}/settings/workspace`);
}
