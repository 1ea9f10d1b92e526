import { redirect } from "next/navigation";
import { workspacePath } from "@/components/layout/nav";

/** The section opens with what it has. */
export default async function Page({ params }: { params: Promise<{ workspace: string }> }) {
	redirect(workspacePath(decodeURIComponent((await params).workspace), "training", "variants"));
}
